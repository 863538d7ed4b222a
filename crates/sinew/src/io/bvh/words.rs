//! The words of a file with their lines.

use super::BvhError;

pub(super) struct Words<'b> {
    bytes: &'b [u8],
    at: usize,
    pub line: usize,
}

impl<'b> Words<'b> {
    pub fn new(bytes: &'b [u8]) -> Self {
        let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
        Self { bytes, at: 0, line: 1 }
    }

    pub fn fail<T>(&self, what: impl Into<String>) -> Result<T, BvhError> {
        Err(BvhError::Line { line: self.line, what: what.into() })
    }

    fn skip(&mut self) {
        while let Some(b) = self.bytes.get(self.at).filter(|b| b.is_ascii_whitespace()) {
            self.line += usize::from(*b == b'\n');
            self.at += 1;
        }
    }

    /// The next word, if there is one.
    pub fn peek(&mut self) -> Option<&'b [u8]> {
        self.skip();
        let rest = self.bytes.get(self.at..)?;
        let end = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        rest.get(..end).filter(|w| !w.is_empty())
    }

    pub fn next(&mut self) -> Option<&'b [u8]> {
        let word = self.peek()?;
        self.at += word.len();
        Some(word)
    }

    /// The rest of the line without white space around it: joint names may have blanks in them.
    pub fn rest_of_line(&mut self) -> String {
        let rest = self.bytes.get(self.at..).unwrap_or(&[]);
        let end = rest.iter().position(|b| matches!(b, b'\n' | b'\r' | b'{')).unwrap_or(rest.len());
        self.at += end;
        String::from_utf8_lossy(&rest[..end]).trim().to_string()
    }

    /// Passes over the rest of the line, up to a brace.
    pub fn skip_line(&mut self) {
        let rest = self.bytes.get(self.at..).unwrap_or(&[]);
        self.at += rest.iter().position(|b| matches!(b, b'\n' | b'\r' | b'{')).unwrap_or(rest.len());
    }

    /// Fails, on this line, if a length is beyond single precision once it is in metres.
    pub fn fits(&self, value: f64, scale: f32) -> Result<(), BvhError> {
        if scaled(value, scale).is_finite() {
            return Ok(());
        }
        self.fail(format!(
            "{value:e} times the scale {scale} is beyond single precision; use a smaller scale"
        ))
    }

    pub fn expect(&mut self, keyword: &str) -> Result<(), BvhError> {
        match self.next() {
            Some(w) if w.eq_ignore_ascii_case(keyword.as_bytes()) => Ok(()),
            Some(w) => self.fail(format!("expected {keyword}, found `{}`", show(w))),
            None => self.fail(format!("expected {keyword}, but the file ends")),
        }
    }

    pub fn float(&mut self, of: &str) -> Result<f64, BvhError> {
        let Some(word) = self.next() else {
            return self.fail(format!("expected a number for {of}, but the file ends"));
        };
        match number(word) {
            Some(v) => Ok(v),
            None => self.fail(format!("expected a number for {of}, found `{}`", show(word))),
        }
    }

    pub fn whole(&mut self, of: &str) -> Result<usize, BvhError> {
        let Some(word) = self.next() else { return self.fail(format!("expected {of}, but the file ends")) };
        match std::str::from_utf8(word).ok().and_then(|w| w.parse().ok()) {
            Some(v) => Ok(v),
            None => self.fail(format!("expected {of} as a whole number, found `{}`", show(word))),
        }
    }

    /// How many bytes are left.
    pub fn left(&self) -> usize {
        self.bytes.len() - self.at
    }
}

/// A length of the file in metres; the same bits whether it went through an `f32` before or not.
pub(super) fn scaled(value: f64, scale: f32) -> f32 {
    (f64::from(value as f32) * f64::from(scale)) as f32
}

/// All spellings of C, but no NaN and no infinity.
pub(super) fn number(word: &[u8]) -> Option<f64> {
    let text = std::str::from_utf8(word).ok()?;
    let fits = |b: u8| b.is_ascii_digit() || matches!(b, b'+' | b'-' | b'.' | b'e' | b'E');
    let value: f64 = text.bytes().all(fits).then(|| text.parse().ok()).flatten()?;
    (value as f32).is_finite().then_some(value)
}

pub(super) fn show(word: &[u8]) -> String {
    String::from_utf8_lossy(&word[..word.len().min(40)]).into_owned()
}
