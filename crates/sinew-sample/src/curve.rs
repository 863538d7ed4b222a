//! Smooth curves through keys: quintic Hermite pieces that share value, velocity and acceleration,
//! so the whole is twice continuously differentiable.

/// A key of a [`Curve`].
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// Time, seconds or phase.
    pub t: f32,
    /// Value.
    pub x: f32,
    /// First and second derivative; `None` takes those of the parabola through the neighbours.
    pub slope: Option<(f32, f32)>,
}

/// A key whose derivatives follow from its neighbours.
pub const fn key(t: f32, x: f32) -> Key {
    Key { t, x, slope: None }
}

/// A key at rest: velocity and acceleration 0.
pub const fn hold(t: f32, x: f32) -> Key {
    Key { t, x, slope: Some((0.0, 0.0)) }
}

/// A key of given velocity and acceleration.
pub const fn moving(t: f32, x: f32, v: f32, a: f32) -> Key {
    Key { t, x, slope: Some((v, a)) }
}

/// Keys sorted by time with all derivatives known.
#[derive(Clone, Debug)]
pub struct Curve {
    /// Time, value, velocity, acceleration.
    knots: Vec<[f32; 4]>,
    period: Option<f32>,
}

impl Curve {
    /// Through the keys; constant before the first and after the last, which default to rest.
    pub fn new(keys: &[Key]) -> Self {
        let last = keys.len().saturating_sub(1);
        let knots = (0..keys.len()).map(|i| {
            let k = keys[i];
            let (v, a) = match k.slope {
                Some(s) => s,
                None if i == 0 || i == last => (0.0, 0.0),
                None => parabola((keys[i - 1].t, keys[i - 1].x), (k.t, k.x), (keys[i + 1].t, keys[i + 1].x)),
            };
            [k.t, k.x, v, a]
        });
        Self { knots: knots.collect(), period: None }
    }

    /// Through the keys of one period, again and again. The first key is not repeated at the end.
    pub fn periodic(period: f32, keys: &[Key]) -> Self {
        let n = keys.len();
        let at = |i: isize| {
            let k = keys[i.rem_euclid(n as isize) as usize];
            (k.t + period * i.div_euclid(n as isize) as f32, k.x)
        };
        let mut knots: Vec<[f32; 4]> = (0..n)
            .map(|i| {
                let k = keys[i];
                let (v, a) =
                    k.slope.unwrap_or_else(|| parabola(at(i as isize - 1), (k.t, k.x), at(i as isize + 1)));
                [k.t, k.x, v, a]
            })
            .collect();
        if let Some(&[t, x, v, a]) = knots.first() {
            knots.push([t + period, x, v, a]);
        }
        Self { knots, period: Some(period) }
    }

    /// Value at `t`.
    pub fn at(&self, t: f32) -> f32 {
        let (Some(&first), Some(&last)) = (self.knots.first(), self.knots.last()) else { return 0.0 };
        let t = match self.period {
            Some(p) => first[0] + sinew::math::modulo(t - first[0], p),
            None => t,
        };
        if t <= first[0] {
            return first[1];
        }
        if t >= last[0] {
            return last[1];
        }
        let i = self.knots.iter().rposition(|k| k[0] <= t).unwrap_or(0).min(self.knots.len() - 2);
        let (a, b) = (self.knots[i], self.knots[i + 1]);
        quintic(a, b, t)
    }
}

/// Derivatives at the middle of the parabola through three points.
fn parabola(a: (f32, f32), b: (f32, f32), c: (f32, f32)) -> (f32, f32) {
    let (h0, h1) = (b.0 - a.0, c.0 - b.0);
    let (s0, s1) = ((b.1 - a.1) / h0, (c.1 - b.1) / h1);
    ((s0 * h1 + s1 * h0) / (h0 + h1), 2.0 * (s1 - s0) / (h0 + h1))
}

/// The polynomial of degree five with the two knots' values and derivatives.
fn quintic(a: [f32; 4], b: [f32; 4], t: f32) -> f32 {
    let h = b[0] - a[0];
    let u = (t - a[0]) / h;
    let (v0, a0, v1, a1) = (a[2] * h, a[3] * h * h, b[2] * h, b[3] * h * h);
    let d = b[1] - a[1] - v0 - 0.5 * a0;
    let e = v1 - v0 - a0;
    let f = a1 - a0;
    let c3 = 10.0 * d - 4.0 * e + 0.5 * f;
    let c4 = -15.0 * d + 7.0 * e - f;
    let c5 = 6.0 * d - 3.0 * e + 0.5 * f;
    a[1] + u * (v0 + u * (0.5 * a0 + u * (c3 + u * (c4 + u * c5))))
}

/// From 0 at `t = 0` to 1 at `t = 1` with no velocity and acceleration at both ends; constant outside.
pub fn ease(t: f32) -> f32 {
    let t = sinew::math::saturate(t);
    t * t * t * (t * (t * 6.0 - 15.0) + 10.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passes_through_keys_and_is_smooth_across_them() {
        let c = Curve::periodic(1.0, &[key(0.0, 1.0), key(0.3, -2.0), hold(0.5, 0.5), key(0.8, 2.0)]);
        for (t, x) in [(0.0, 1.0), (0.3, -2.0), (0.5, 0.5), (0.8, 2.0), (1.3, -2.0), (-0.2, 2.0)] {
            assert!((c.at(t) - x).abs() < 1e-5, "{t}");
            let h = 1e-2;
            let (before, after) = ((c.at(t) - c.at(t - h)) / h, (c.at(t + h) - c.at(t)) / h);
            assert!((before - after).abs() < 3.0, "velocity jumps at {t}: {before} {after}");
        }
    }
}
