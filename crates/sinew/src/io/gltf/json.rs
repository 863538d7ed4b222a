//! Typed access to the kept JSON, with a problem noted for every value of the wrong kind.

use serde_json::Value;

use super::error::{Fault, Place, Report};

impl Report {
    /// A list property; empty if absent.
    pub fn list<'v>(&mut self, of: &'v Value, key: &str, at: &Place<'_>) -> &'v [Value] {
        match of.get(key) {
            None => &[],
            Some(Value::Array(list)) => list,
            Some(_) => {
                self.problem(&at.key(key), Fault::WrongType { expected: "a list" });
                &[]
            }
        }
    }

    /// A whole number from 0; `None` if absent or wrong.
    pub fn whole(&mut self, of: &Value, key: &str, at: &Place<'_>) -> Option<usize> {
        self.whole_value(of.get(key)?, &at.key(key))
    }

    /// As [`Self::whole`] for a value in hand.
    pub fn whole_value(&mut self, value: &Value, at: &Place<'_>) -> Option<usize> {
        // Some writers spell whole numbers `1.0`.
        let float = || value.as_f64().filter(|f| *f >= 0.0 && *f < 9e15 && *f == f.trunc()).map(|f| f as u64);
        let number = value.as_u64().or_else(float).and_then(|n| usize::try_from(n).ok());
        if number.is_none() {
            self.problem(at, Fault::WrongType { expected: "a whole number, 0 or more" });
        }
        number
    }

    /// A whole number that must be there.
    pub fn required(&mut self, of: &Value, key: &str, at: &Place<'_>) -> Option<usize> {
        if of.get(key).is_none() {
            self.problem(&at.key(key), Fault::Missing);
        }
        self.whole(of, key, at)
    }

    /// An index into a list of `count`; `None` if absent or wrong.
    pub fn reference(
        &mut self,
        of: &Value,
        key: &str,
        at: &Place<'_>,
        list: &'static str,
        count: usize,
    ) -> Option<usize> {
        let index = self.whole(of, key, at)?;
        self.in_range(index, &at.key(key), list, count)
    }

    /// Checks an index.
    pub fn in_range(
        &mut self,
        index: usize,
        at: &Place<'_>,
        of: &'static str,
        count: usize,
    ) -> Option<usize> {
        if index >= count {
            self.problem(at, Fault::IndexOutOfRange { index, of, count });
            return None;
        }
        Some(index)
    }

    /// A text property; `None` if absent or wrong.
    pub fn text<'v>(&mut self, of: &'v Value, key: &str, at: &Place<'_>) -> Option<&'v str> {
        let value = of.get(key)?;
        if !value.is_string() {
            self.problem(&at.key(key), Fault::WrongType { expected: "text" });
        }
        value.as_str()
    }

    /// A list of exactly `N` finite numbers; `None` if absent or wrong.
    pub fn numbers<const N: usize>(&mut self, of: &Value, key: &str, at: &Place<'_>) -> Option<[f32; N]> {
        let value = of.get(key)?;
        let at = at.key(key);
        let list = value.as_array().filter(|l| l.len() == N);
        let Some(list) = list else {
            let expected = match N {
                3 => "a list of 3 numbers",
                4 => "a list of 4 numbers",
                _ => "a list of 16 numbers",
            };
            self.problem(&at, Fault::WrongType { expected });
            return None;
        };
        let mut out = [0.0; N];
        for (i, (out, v)) in out.iter_mut().zip(list).enumerate() {
            *out = self.number(v, &at.index(i))?;
        }
        Some(out)
    }

    /// A finite number.
    pub fn number(&mut self, value: &Value, at: &Place<'_>) -> Option<f32> {
        let Some(v) = value.as_f64() else {
            self.problem(at, Fault::WrongType { expected: "a number" });
            return None;
        };
        let v = v as f32;
        if !v.is_finite() {
            self.problem(at, Fault::NotFinite);
            return None;
        }
        Some(v)
    }

    /// Notes a value that should be an object but is not.
    pub fn object(&mut self, value: &Value, at: &Place<'_>) -> bool {
        if !value.is_object() {
            self.problem(at, Fault::WrongType { expected: "an object" });
        }
        value.is_object()
    }
}
