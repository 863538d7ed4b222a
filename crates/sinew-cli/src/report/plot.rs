//! Lines over time, as SVG.

use std::fmt::Write as _;

use super::escape;

/// One line.
pub struct Series {
    pub name: String,
    pub color: &'static str,
    pub points: Vec<(f32, f32)>,
}

/// Lines over one axis of time.
pub struct Plot {
    pub title: String,
    pub unit: &'static str,
    pub series: Vec<Series>,
}

const WIDTH: f32 = 900.0;
const HEIGHT: f32 = 220.0;
const LEFT: f32 = 64.0;
const RIGHT: f32 = 150.0;
const TOP: f32 = 26.0;
const BOTTOM: f32 = 26.0;

impl Plot {
    pub fn svg(&self) -> String {
        let all = || self.series.iter().flat_map(|s| &s.points);
        let (mut x0, mut x1, mut y0, mut y1) = (f32::MAX, f32::MIN, f32::MAX, f32::MIN);
        for (x, y) in all().filter(|(x, y)| x.is_finite() && y.is_finite()) {
            (x0, x1, y0, y1) = (x0.min(*x), x1.max(*x), y0.min(*y), y1.max(*y));
        }
        if x0 > x1 {
            (x0, x1, y0, y1) = (0.0, 1.0, 0.0, 1.0);
        }
        let margin = ((y1 - y0) * 0.08).max(1e-6);
        (y0, y1) = (y0 - margin, y1 + margin);
        let x = |v: f32| LEFT + (v - x0) / (x1 - x0).max(1e-9) * (WIDTH - LEFT - RIGHT);
        let y = |v: f32| HEIGHT - BOTTOM - (v - y0) / (y1 - y0) * (HEIGHT - TOP - BOTTOM);
        let mut svg = format!(
            "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" font-family=\"sans-serif\" font-size=\"11\">\n"
        );
        let _ = writeln!(
            svg,
            "<text x=\"{LEFT}\" y=\"16\" font-size=\"13\">{} ({})</text>",
            escape(&self.title),
            self.unit
        );
        for i in 0..=4 {
            let v = y0 + (y1 - y0) * i as f32 / 4.0;
            let at = y(v);
            let _ = writeln!(
                svg,
                "<line x1=\"{LEFT}\" x2=\"{}\" y1=\"{at:.1}\" y2=\"{at:.1}\" stroke=\"#eee\"/>",
                WIDTH - RIGHT
            );
            let _ = writeln!(
                svg,
                "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{v:.3}</text>",
                LEFT - 6.0,
                at + 4.0
            );
            let t = x0 + (x1 - x0) * i as f32 / 4.0;
            let _ = writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{t:.2} s</text>",
                x(t),
                HEIGHT - 8.0
            );
        }
        for (i, s) in self.series.iter().enumerate() {
            let mut path = String::new();
            for (px, py) in s.points.iter().filter(|(px, py)| px.is_finite() && py.is_finite()) {
                let _ =
                    write!(path, "{}{:.1},{:.1}", if path.is_empty() { "M" } else { "L" }, x(*px), y(*py));
            }
            let _ = writeln!(
                svg,
                "<path d=\"{path}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.8\"/>",
                s.color
            );
            let at = TOP + 14.0 * i as f32;
            let _ = writeln!(
                svg,
                "<text x=\"{}\" y=\"{at}\" fill=\"{}\">{}</text>",
                WIDTH - RIGHT + 8.0,
                s.color,
                escape(&s.name)
            );
        }
        svg.push_str("</svg>\n");
        svg
    }
}
