//! A report as one HTML file: plots, a moving skeleton, tables. It loads nothing from elsewhere.

mod plot;
mod skeleton;

pub use plot::{Plot, Series};
pub use skeleton::Moving;

use std::fmt::Write as _;

/// Parts of a report, in order.
#[derive(Default)]
pub struct Report {
    title: String,
    body: String,
}

impl Report {
    pub fn new(title: &str) -> Self {
        Self { title: title.to_string(), body: String::new() }
    }

    pub fn heading(&mut self, text: &str) {
        let _ = writeln!(self.body, "<h2>{}</h2>", escape(text));
    }

    pub fn text(&mut self, text: &str) {
        let _ = writeln!(self.body, "<p>{}</p>", escape(text));
    }

    pub fn plot(&mut self, plot: &Plot) {
        self.body.push_str(&plot.svg());
    }

    pub fn moving(&mut self, moving: &Moving) {
        self.body.push_str(&moving.html());
    }

    pub fn listing(&mut self, text: &str) {
        let _ = writeln!(self.body, "<pre>{}</pre>", escape(text));
    }

    pub fn table(&mut self, head: &[&str], rows: &[Vec<String>]) {
        self.body.push_str("<table><tr>");
        for cell in head {
            let _ = write!(self.body, "<th>{}</th>", escape(cell));
        }
        self.body.push_str("</tr>\n");
        for row in rows {
            self.body.push_str("<tr>");
            for cell in row {
                let _ = write!(self.body, "<td>{}</td>", escape(cell));
            }
            self.body.push_str("</tr>\n");
        }
        self.body.push_str("</table>\n");
    }

    pub fn html(&self) -> String {
        format!(
            "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{title}</title>\n<style>{STYLE}</style></head>\n<body><h1>{title}</h1>\n{body}</body></html>\n",
            title = escape(&self.title),
            body = self.body
        )
    }
}

const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;max-width:980px;margin:2em auto;padding:0 1em;color:#222;background:#fbfaf8}
h1{font-size:1.6em}h2{font-size:1.15em;margin-top:2em;border-bottom:1px solid #ddd}
table{border-collapse:collapse;font-size:13px}td,th{padding:3px 10px;border-bottom:1px solid #e5e2dc;text-align:left}
td:not(:first-child){font-variant-numeric:tabular-nums}pre{font-size:12px;background:#f2efe9;padding:1em;overflow:auto;max-height:32em}
svg{background:#fff;border:1px solid #e5e2dc;margin:6px 0}canvas{background:#fff;border:1px solid #e5e2dc;touch-action:none}
.legend{font-size:12px}";

pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
