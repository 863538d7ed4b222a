//! Curves of a number over time.

use serde::{Deserialize, Serialize};

use super::modulo;

/// How a curve goes from one key to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Interpolation {
    /// Stays at the key's value.
    Constant,
    /// Straight.
    Linear,
    /// Hermite cubic by the key's out tangent and the next one's in tangent.
    #[default]
    Cubic,
}

/// What a curve does before its first or after its last key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Extrapolation {
    /// Stays at the end key's value.
    #[default]
    Clamp,
    /// Goes on straight with the end's slope.
    Linear,
    /// Starts over.
    Loop,
    /// Runs back and forth.
    PingPong,
}

/// A point of a curve.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CurveKey {
    /// Seconds, or whatever the curve is over.
    pub time: f32,
    /// Value there.
    pub value: f32,
    /// Slope just before, value per time.
    pub in_tangent: f32,
    /// Slope just after, value per time.
    pub out_tangent: f32,
    /// The way to the next key.
    pub interpolation: Interpolation,
}

impl CurveKey {
    /// A key with straight ways.
    pub const fn linear(time: f32, value: f32) -> Self {
        Self { time, value, in_tangent: 0.0, out_tangent: 0.0, interpolation: Interpolation::Linear }
    }

    /// A cubic key with one slope on both sides.
    pub const fn cubic(time: f32, value: f32, slope: f32) -> Self {
        Self { time, value, in_tangent: slope, out_tangent: slope, interpolation: Interpolation::Cubic }
    }
}

/// Why keys are no curve.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CurveError {
    /// A time, value or tangent is NaN or infinite.
    #[error("key {key} holds a number that is not finite; give it finite time, value and tangents")]
    NotFinite {
        /// Which key.
        key: usize,
    },
    /// A key lies before the one in front of it.
    #[error("key {key} lies before key {}; sort the keys by time", key - 1)]
    NotSorted {
        /// Which key.
        key: usize,
    },
}

#[derive(Deserialize)]
struct CurveData {
    keys: Vec<CurveKey>,
    #[serde(default)]
    before: Extrapolation,
    #[serde(default)]
    after: Extrapolation,
}

impl TryFrom<CurveData> for Curve {
    type Error = CurveError;
    fn try_from(d: CurveData) -> Result<Self, CurveError> {
        Self::new(d.keys, d.before, d.after)
    }
}

/// A number over time by keys, in order of time. Two keys at one time are a jump: there and after
/// the later one holds. Read from JSON it is checked like a new one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "CurveData")]
pub struct Curve {
    keys: Vec<CurveKey>,
    before: Extrapolation,
    after: Extrapolation,
}

impl Curve {
    /// From keys sorted by time.
    ///
    /// # Errors
    /// [`CurveError`] where a number is not finite or a time is below the one before it.
    pub fn new(keys: Vec<CurveKey>, before: Extrapolation, after: Extrapolation) -> Result<Self, CurveError> {
        for (key, k) in keys.iter().enumerate() {
            if ![k.time, k.value, k.in_tangent, k.out_tangent].iter().all(|v| v.is_finite()) {
                return Err(CurveError::NotFinite { key });
            }
        }
        for (i, pair) in keys.windows(2).enumerate() {
            if let [a, b] = pair
                && b.time < a.time
            {
                return Err(CurveError::NotSorted { key: i + 1 });
            }
        }
        Ok(Self { keys, before, after })
    }

    /// The keys, sorted by time.
    pub fn keys(&self) -> &[CurveKey] {
        &self.keys
    }

    /// Behaviour before the first key and after the last.
    pub fn extrapolation(&self) -> (Extrapolation, Extrapolation) {
        (self.before, self.after)
    }

    /// The same curve with smooth tangents (Catmull and Rom's, weighted by time), level at peaks so
    /// that nothing shoots beyond a key that is higher or lower than both of its neighbours.
    #[must_use]
    pub fn with_auto_tangents(mut self) -> Self {
        let slopes: Vec<f32> = (0..self.keys.len()).map(|i| self.auto_slope(i)).collect();
        for (key, slope) in self.keys.iter_mut().zip(slopes) {
            key.in_tangent = slope;
            key.out_tangent = slope;
        }
        self
    }

    fn auto_slope(&self, i: usize) -> f32 {
        let at = |i: Option<usize>| i.and_then(|i| self.keys.get(i));
        let rise = |a: &CurveKey, b: &CurveKey| finite_or_zero((b.value - a.value) / (b.time - a.time));
        match (at(i.checked_sub(1)), at(Some(i)), at(Some(i + 1))) {
            (Some(a), Some(b), Some(c)) => {
                let peak = (b.value - a.value) * (c.value - b.value) <= 0.0;
                if peak { 0.0 } else { rise(a, c) }
            }
            (Some(a), Some(b), None) | (None, Some(a), Some(b)) => rise(a, b),
            _ => 0.0,
        }
    }

    /// Value at a time; 0 without keys. A time that is not finite counts as 0.
    pub fn evaluate(&self, time: f32) -> f32 {
        self.sample(time).0
    }

    /// Slope at a time, value per time: at a key the one after it, at the last key (and where the
    /// curve stays) as its extrapolation has it.
    pub fn derivative(&self, time: f32) -> f32 {
        self.sample(time).1
    }

    /// Value and slope.
    pub fn sample(&self, time: f32) -> (f32, f32) {
        let (Some(first), Some(last)) = (self.keys.first(), self.keys.last()) else {
            return (0.0, 0.0);
        };
        let time = if time.is_finite() { time } else { 0.0 };
        let (way, end) = if time < first.time {
            (self.before, first)
        } else if time >= last.time {
            (self.after, last)
        } else {
            return self.inside(time);
        };
        let span = last.time - first.time;
        let cyclic = span > 0.0 && span.is_finite() && time != last.time;
        match way {
            Extrapolation::Linear => {
                let slope = self.end_slope(time < first.time);
                (end.value + slope * (time - end.time), slope)
            }
            Extrapolation::Loop if cyclic => self.inside(first.time + modulo(time - first.time, span)),
            Extrapolation::PingPong if cyclic => {
                let u = modulo(time - first.time, 2.0 * span);
                if u < span {
                    self.inside(first.time + u)
                } else {
                    let (value, slope) = self.inside(first.time + (2.0 * span - u));
                    (value, -slope)
                }
            }
            _ => (end.value, 0.0),
        }
    }

    /// Slope of the curve's first or last segment at its end.
    fn end_slope(&self, start: bool) -> f32 {
        let pair = if start {
            self.keys.get(..2)
        } else {
            self.keys.len().checked_sub(2).and_then(|i| self.keys.get(i..))
        };
        match pair {
            Some([a, b]) => match (a.interpolation, start) {
                (Interpolation::Constant, _) => 0.0,
                (Interpolation::Linear, _) => finite_or_zero((b.value - a.value) / (b.time - a.time)),
                (Interpolation::Cubic, true) => a.out_tangent,
                (Interpolation::Cubic, false) => b.in_tangent,
            },
            _ => 0.0,
        }
    }

    /// Value and slope between the first and the last key.
    fn inside(&self, time: f32) -> (f32, f32) {
        // The key after is the first one later than `time`, so of two at one time the later holds.
        let next = self.keys.partition_point(|k| k.time <= time);
        let (a, b) = match (next.checked_sub(1).and_then(|i| self.keys.get(i)), self.keys.get(next)) {
            (Some(a), Some(b)) => (a, b),
            (Some(k), None) | (None, Some(k)) => return (k.value, 0.0),
            (None, None) => return (0.0, 0.0),
        };
        let span = b.time - a.time;
        let t = (time - a.time) / span;
        match a.interpolation {
            Interpolation::Constant => (a.value, 0.0),
            Interpolation::Linear => (super::lerp(a.value, b.value, t), (b.value - a.value) / span),
            Interpolation::Cubic => {
                let (m0, m1) = (a.out_tangent * span, b.in_tangent * span);
                let d = b.value - a.value;
                let (c2, c3) = (3.0 * d - 2.0 * m0 - m1, m0 + m1 - 2.0 * d);
                let value = a.value + t * (m0 + t * (c2 + t * c3));
                (value, (m0 + t * (2.0 * c2 + t * 3.0 * c3)) / span)
            }
        }
    }
}

fn finite_or_zero(v: f32) -> f32 {
    if v.is_finite() { v } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Extrapolation::{Clamp, Linear, Loop, PingPong};

    fn ramp(before: Extrapolation, after: Extrapolation) -> Curve {
        Curve::new(vec![CurveKey::linear(1.0, 10.0), CurveKey::linear(3.0, 20.0)], before, after)
            .expect("valid")
    }

    #[test]
    fn extrapolation_is_as_named() {
        let c = ramp(Clamp, Clamp);
        assert_eq!((c.evaluate(0.0), c.evaluate(2.0), c.evaluate(9.0)), (10.0, 15.0, 20.0));
        let c = ramp(Linear, Linear);
        assert_eq!((c.evaluate(0.0), c.evaluate(4.0), c.derivative(7.0)), (5.0, 25.0, 5.0));
        let c = ramp(Loop, Loop);
        assert_eq!((c.evaluate(0.0), c.evaluate(4.0), c.evaluate(3.0)), (15.0, 15.0, 20.0));
        let c = ramp(PingPong, PingPong);
        assert_eq!((c.evaluate(0.5), c.evaluate(3.5), c.evaluate(5.5)), (12.5, 17.5, 12.5));
        assert_eq!(c.derivative(4.0), -5.0);
    }

    #[test]
    fn cubic_keys_reproduce_a_cubic_and_its_slope() {
        let f = |t: f32| t * t * t - 2.0 * t * t + 0.5;
        let d = |t: f32| 3.0 * t * t - 4.0 * t;
        let keys = [-1.0f32, 0.2, 0.9, 2.0].map(|t| CurveKey::cubic(t, f(t), d(t))).to_vec();
        let c = Curve::new(keys, Clamp, Clamp).expect("valid");
        for i in 0..300 {
            let t = -1.0 + i as f32 * 0.01;
            assert!((c.evaluate(t) - f(t)).abs() < 1e-5 && (c.derivative(t) - d(t)).abs() < 5e-5, "{t}");
        }
    }

    #[test]
    fn jumps_single_keys_and_no_keys() {
        let keys = vec![
            CurveKey::linear(0.0, 0.0),
            CurveKey::linear(1.0, 1.0),
            CurveKey::linear(1.0, 5.0),
            CurveKey::linear(2.0, 6.0),
        ];
        let c = Curve::new(keys, Clamp, Clamp).expect("valid");
        assert!((c.evaluate(0.999) - 0.999).abs() < 1e-6);
        assert_eq!(c.evaluate(1.0), 5.0);
        for way in [Clamp, Linear, Loop, PingPong] {
            let one = Curve::new(vec![CurveKey::linear(1.0, 3.0)], way, way).expect("valid");
            assert_eq!((one.evaluate(0.0), one.evaluate(1.0), one.evaluate(2.0)), (3.0, 3.0, 3.0));
            assert_eq!(one.evaluate(f32::NAN), 3.0);
            let none = Curve::new(vec![], way, way).expect("valid");
            assert_eq!(none.evaluate(1.0), 0.0);
        }
    }

    #[test]
    fn bad_keys_are_refused_also_when_read() {
        let nan = Curve::new(vec![CurveKey::linear(0.0, f32::NAN)], Clamp, Clamp);
        assert_eq!(nan, Err(CurveError::NotFinite { key: 0 }));
        let back = Curve::new(vec![CurveKey::linear(1.0, 0.0), CurveKey::linear(0.0, 0.0)], Clamp, Clamp);
        assert_eq!(back, Err(CurveError::NotSorted { key: 1 }));
        let c = ramp(Loop, PingPong);
        let text = serde_json::to_string(&c).expect("written");
        assert_eq!(serde_json::from_str::<Curve>(&text).expect("read"), c);
        assert!(serde_json::from_str::<Curve>(&text.replace("3.0", "0.0")).is_err());
    }

    #[test]
    fn auto_tangents_are_smooth_and_level_at_peaks() {
        let keys = [(0.0, 0.0), (1.0, 1.0), (3.0, 3.0), (4.0, 2.0)]
            .map(|(t, v)| CurveKey::cubic(t, v, 9.0))
            .to_vec();
        let c = Curve::new(keys, Clamp, Clamp).expect("valid").with_auto_tangents();
        let slopes: Vec<f32> = c.keys().iter().map(|k| k.out_tangent).collect();
        assert_eq!(slopes, [1.0, 1.0, 0.0, -1.0]);
        assert!((0..=400).all(|i| c.evaluate(i as f32 / 100.0) <= 3.0 + 1e-6));
    }
}
