//! JSON with places: a strict reader that knows where each value stands and refuses duplicate keys.
//!
//! RFC 8259, with limits on size and depth. The reader goes on after a duplicate key and stops at the
//! first text that is no JSON.

use super::problem::{Problem, ProblemKind};
use super::{MAX_BYTES, MAX_DEPTH};

/// A value and the byte where it begins.
#[derive(Clone, Debug)]
pub(super) struct Value {
    pub at: u32,
    pub data: Data,
}

#[derive(Clone, Debug)]
pub(super) enum Data {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    String(String),
    Array(Vec<Value>),
    Object(Vec<Member>),
}

#[derive(Clone, Debug)]
pub(super) struct Member {
    pub key: String,
    pub key_at: u32,
    pub value: Value,
}

impl Value {
    /// What the value is, for messages.
    pub fn kind(&self) -> &'static str {
        match &self.data {
            Data::Null => "null",
            Data::Bool(_) => "a bool",
            Data::Int(_) => "a whole number",
            Data::Float(_) => "a number",
            Data::String(_) => "a string",
            Data::Array(_) => "an array",
            Data::Object(_) => "an object",
        }
    }

    pub fn get(&self, key: &str) -> Option<&Value> {
        match &self.data {
            Data::Object(members) => members.iter().find(|m| m.key == key).map(|m| &m.value),
            _ => None,
        }
    }

    pub fn members_mut(&mut self) -> &mut [Member] {
        match &mut self.data {
            Data::Object(members) => members,
            _ => &mut [],
        }
    }

    pub fn get_mut(&mut self, key: &str) -> Option<&mut Value> {
        self.members_mut().iter_mut().find(|m| m.key == key).map(|m| &mut m.value)
    }
}

/// A step from a value to one inside of it.
#[derive(Clone, Debug)]
pub(super) enum Step {
    Key(String),
    Index(usize),
}

/// `graphs.forward.nodes.look.in["a.b"]`
pub(super) fn path_text(path: &[Step]) -> String {
    let mut out = String::new();
    for step in path {
        match step {
            Step::Index(i) => out.push_str(&format!("[{i}]")),
            Step::Key(k)
                if !k.is_empty() && k.bytes().all(|b| b.is_ascii_alphanumeric() || b"_:-".contains(&b)) =>
            {
                if !out.is_empty() {
                    out.push('.');
                }
                out.push_str(k);
            }
            Step::Key(k) => out.push_str(&format!("[{k:?}]")),
        }
    }
    out
}

/// Line and column of a byte, both from 1, the column in characters.
pub(super) fn line_column(text: &str, at: u32) -> (u32, u32) {
    let mut at = (at as usize).min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    let before = text.get(..at).unwrap_or_default();
    let line = before.bytes().filter(|b| *b == b'\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    (u32::try_from(line).unwrap_or(u32::MAX), u32::try_from(column).unwrap_or(u32::MAX))
}

/// Reads bytes as one JSON value; problems that do not stop the reader are pushed.
pub(super) fn read<'t>(bytes: &'t [u8], problems: &mut Vec<Problem>) -> Result<(&'t str, Value), Problem> {
    let whole = |kind| Problem { line: 0, column: 0, path: String::new(), kind };
    if bytes.len() > MAX_BYTES {
        return Err(whole(ProblemKind::TooLarge(bytes.len())));
    }
    // Some editors begin UTF-8 text with a byte order mark.
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(e) => {
            let good =
                bytes.get(..e.valid_up_to()).and_then(|b| std::str::from_utf8(b).ok()).unwrap_or_default();
            let (line, column) = line_column(good, u32::MAX);
            return Err(Problem { line, column, ..whole(ProblemKind::NotUtf8(e.valid_up_to())) });
        }
    };
    let mut reader = Reader { text, at: 0, path: Vec::new(), problems, values: 0 };
    let result = reader.document();
    result.map(|v| (text, v)).map_err(|kind| {
        let (line, column) = line_column(text, reader.at as u32);
        Problem { line, column, path: path_text(&reader.path), kind }
    })
}

struct Reader<'t, 'p> {
    text: &'t str,
    at: usize,
    path: Vec<Step>,
    problems: &'p mut Vec<Problem>,
    values: usize,
}

/// How many values a text may have: a bound on the memory that the tree of a hostile text takes.
const MAX_VALUES: usize = 2 << 20;

impl Reader<'_, '_> {
    fn document(&mut self) -> Result<Value, ProblemKind> {
        let value = self.value()?;
        self.space();
        match self.peek() {
            None => Ok(value),
            Some(_) => Err(self.expected("the end of the text")),
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn expected(&self, what: &str) -> ProblemKind {
        let found = self.text.get(self.at..).and_then(|rest| rest.chars().next());
        ProblemKind::Syntax(match found {
            None => format!("expected {what}, but the text ends here"),
            Some(c) => format!("expected {what}, found {c:?}"),
        })
    }

    fn here(&self) -> u32 {
        self.at as u32
    }

    // Recursion is bounded by MAX_DEPTH.
    fn value(&mut self) -> Result<Value, ProblemKind> {
        self.space();
        self.values += 1;
        if self.values > MAX_VALUES {
            return Err(ProblemKind::Syntax(format!("more than {MAX_VALUES} values: split the rig")));
        }
        let at = self.here();
        let data = match self.peek() {
            Some(b'{') => self.object()?,
            Some(b'[') => self.array()?,
            Some(b'"') => Data::String(self.string()?),
            Some(b'-' | b'0'..=b'9') => self.number()?,
            Some(b't') => self.word("true", Data::Bool(true))?,
            Some(b'f') => self.word("false", Data::Bool(false))?,
            Some(b'n') => self.word("null", Data::Null)?,
            _ => return Err(self.expected("a value")),
        };
        Ok(Value { at, data })
    }

    fn word(&mut self, word: &str, data: Data) -> Result<Data, ProblemKind> {
        if self.text.get(self.at..).is_some_and(|rest| rest.starts_with(word)) {
            self.at += word.len();
            Ok(data)
        } else {
            Err(self.expected("a value"))
        }
    }

    fn array(&mut self) -> Result<Data, ProblemKind> {
        if self.path.len() >= MAX_DEPTH {
            return Err(ProblemKind::TooDeep);
        }
        self.at += 1;
        let mut items = Vec::new();
        self.space();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(Data::Array(items));
        }
        loop {
            self.path.push(Step::Index(items.len()));
            items.push(self.value()?);
            self.path.pop();
            self.space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b']') => {
                    self.at += 1;
                    return Ok(Data::Array(items));
                }
                _ => return Err(self.expected("`,` or `]`")),
            }
        }
    }

    fn object(&mut self) -> Result<Data, ProblemKind> {
        if self.path.len() >= MAX_DEPTH {
            return Err(ProblemKind::TooDeep);
        }
        self.at += 1;
        let mut members: Vec<Member> = Vec::new();
        self.space();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(Data::Object(members));
        }
        loop {
            self.space();
            let key_at = self.here();
            if self.peek() != Some(b'"') {
                return Err(self.expected("a key in double quotes"));
            }
            let key = self.string()?;
            self.space();
            if self.peek() != Some(b':') {
                return Err(self.expected("`:`"));
            }
            self.at += 1;
            self.path.push(Step::Key(key.clone()));
            let value = self.value()?;
            self.path.pop();
            members.push(Member { key, key_at, value });
            self.space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'}') => {
                    self.at += 1;
                    self.refuse_duplicates(&members);
                    return Ok(Data::Object(members));
                }
                _ => return Err(self.expected("`,` or `}`")),
            }
        }
    }

    fn refuse_duplicates(&mut self, members: &[Member]) {
        let mut order: Vec<&Member> = members.iter().collect();
        order.sort_by(|a, b| a.key.cmp(&b.key).then(a.key_at.cmp(&b.key_at)));
        let mut first: Option<&Member> = None;
        for member in order {
            match first {
                Some(f) if f.key == member.key => {
                    let (line, column) = line_column(self.text, member.key_at);
                    let (first_line, _) = line_column(self.text, f.key_at);
                    let kind = ProblemKind::DuplicateKey { key: member.key.clone(), first_line };
                    // Finding a line walks the text, so a hostile text must not ask for many.
                    if self.problems.len() <= super::parse::MAX_PROBLEMS {
                        self.problems.push(Problem { line, column, path: path_text(&self.path), kind });
                    }
                }
                _ => first = Some(member),
            }
        }
    }

    fn number(&mut self) -> Result<Data, ProblemKind> {
        let start = self.at;
        let mut whole = true;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        match self.peek() {
            Some(b'0') => self.at += 1,
            Some(b'1'..=b'9') => self.digits()?,
            _ => return Err(self.expected("a digit")),
        }
        if matches!(self.peek(), Some(b'0'..=b'9')) {
            return Err(ProblemKind::Syntax("numbers do not begin with 0: remove it".into()));
        }
        if self.peek() == Some(b'.') {
            whole = false;
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            whole = false;
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits()?;
        }
        let text = self.text.get(start..self.at).unwrap_or_default();
        // `-0` is a float: no whole number has its sign.
        if whole
            && text != "-0"
            && let Ok(i) = text.parse()
        {
            return Ok(Data::Int(i));
        }
        match text.parse::<f64>() {
            Ok(f) if f.is_finite() => Ok(Data::Float(f)),
            _ => {
                self.at = start;
                let shown: String = text.chars().take(40).collect();
                Err(ProblemKind::OutOfRange { value: shown, expected: "numbers are below 1.8e308 in size" })
            }
        }
    }

    fn digits(&mut self) -> Result<(), ProblemKind> {
        if !matches!(self.peek(), Some(b'0'..=b'9')) {
            return Err(self.expected("a digit"));
        }
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        Ok(())
    }

    fn string(&mut self) -> Result<String, ProblemKind> {
        self.at += 1;
        let mut out = String::new();
        loop {
            let start = self.at;
            while !matches!(self.peek(), None | Some(b'"' | b'\\' | 0..=0x1f)) {
                self.at += 1;
            }
            out.push_str(self.text.get(start..self.at).unwrap_or_default());
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(out);
                }
                Some(b'\\') => {
                    self.at += 1;
                    out.push(self.escape()?);
                }
                Some(_) => {
                    return Err(ProblemKind::Syntax(
                        "strings end on their line: write \\n or \\u00XX".into(),
                    ));
                }
                None => return Err(self.expected("`\"`")),
            }
        }
    }

    fn escape(&mut self) -> Result<char, ProblemKind> {
        let c = match self.peek() {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                self.at += 1;
                let high = self.hex4()?;
                if !(0xd800..0xdc00).contains(&high) {
                    return char::from_u32(high).ok_or_else(Self::lone);
                }
                if !self.text.get(self.at..).is_some_and(|rest| rest.starts_with("\\u")) {
                    return Err(Self::lone());
                }
                self.at += 2;
                let low = self.hex4()?;
                if !(0xdc00..0xe000).contains(&low) {
                    return Err(Self::lone());
                }
                return char::from_u32(0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00))
                    .ok_or_else(Self::lone);
            }
            _ => return Err(self.expected("one of \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u")),
        };
        self.at += 1;
        Ok(c)
    }

    fn lone() -> ProblemKind {
        ProblemKind::Syntax("half of a surrogate pair: write both halves, or the character itself".into())
    }

    fn hex4(&mut self) -> Result<u32, ProblemKind> {
        let mut value = 0;
        for _ in 0..4 {
            let digit = self.peek().and_then(|b| (b as char).to_digit(16));
            value = value * 16 + digit.ok_or_else(|| self.expected("four hexadecimal digits"))?;
            self.at += 1;
        }
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Data, Problem> {
        read(text.as_bytes(), &mut Vec::new()).map(|(_, v)| v.data)
    }

    #[test]
    fn agrees_with_serde_json_on_what_is_json() {
        let texts = [
            "0",
            "-0",
            "1.5e3",
            "01",
            "1.",
            ".5",
            "-",
            "1e",
            "1e5",
            "+1",
            "\"a\\u00e9\\n\"",
            "\"\\ud83d\\ude00\"",
            "\"\\ud83d\"",
            "\"\\x\"",
            "\"\t\"",
            "[1,2]",
            "[1,]",
            "[,]",
            "[1 2]",
            "{\"a\":1}",
            "{\"a\":1,}",
            "{a:1}",
            "{\"a\"}",
            "nul",
            "null",
            "true false",
            "",
            " ",
            "[[[]]]",
            "{}",
            "\"",
            "[",
            "{",
            "1e999",
        ];
        for text in texts {
            let theirs = serde_json::from_str::<serde_json::Value>(text);
            assert_eq!(parse(text).is_ok(), theirs.is_ok(), "{text:?}: {:?}", parse(text));
        }
        assert!(matches!(parse("\"\\ud83d\\ude00\""), Ok(Data::String(s)) if s == "\u{1f600}"));
    }

    #[test]
    fn places_count_characters() {
        assert_eq!(line_column("a\n\u{e9}\u{e9}x", 6), (2, 3));
        let e = parse("{\n  \"é\": nope }").unwrap_err();
        assert_eq!((e.line, e.column, e.path.as_str()), (2, 8, "[\"é\"]"));
    }

    #[test]
    fn depth_is_limited() {
        for open in ["[", "{\"a\":"] {
            let e = parse(&open.repeat(100_000)).unwrap_err();
            assert_eq!(e.kind, ProblemKind::TooDeep);
        }
        assert!(parse(&format!("{}{}", "[".repeat(MAX_DEPTH), "]".repeat(MAX_DEPTH))).is_ok());
    }
}
