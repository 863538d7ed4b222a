//! Reads a program's text back.

use super::disasm::quote;
use super::program::{
    DeclaredElement, ElementWord, Event, Function, KeyRef, NodeNote, Program, RegisterInfo, Variable,
    VariableRole,
};
use super::{Instr, Operand};
use crate::hierarchy::{
    ControlKind, ControlSettings, ElementId, ElementKey, ElementKind, ElementSpec, Parent,
};
use crate::math::{Curve, CurveKey, Extrapolation, Interpolation, Transform, Vec3};
use crate::value::Plain;

/// Something in a program's text that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, word {word}: expected {expected}, found {found}")]
pub struct AsmError {
    /// From 1.
    pub line: usize,
    /// From 1.
    pub word: usize,
    /// What should stand there.
    pub expected: String,
    /// What stands there.
    pub found: String,
}

/// How many errors are told before the rest is left out.
const MOST_ERRORS: usize = 32;

impl Program {
    /// Reads what [`Program::disassemble`] writes. Lines may come in any order but for those of one
    /// kind; whatever is left out is empty. The result is not verified: binding does that.
    pub fn assemble(text: &str) -> Result<Self, Vec<AsmError>> {
        let mut program = Self::default();
        let mut errors = Vec::new();
        for (i, line) in text.lines().enumerate() {
            if let Err(e) = Line::read(line, i + 1).and_then(|mut l| l.statement(&mut program)) {
                errors.push(e);
                if errors.len() >= MOST_ERRORS {
                    break;
                }
            }
        }
        if errors.is_empty() { Ok(program) } else { Err(errors) }
    }
}

enum Token {
    Word(String),
    Text(String),
}

struct Line {
    tokens: Vec<Token>,
    at: usize,
    number: usize,
}

type Read<T> = Result<T, AsmError>;

impl Line {
    fn read(line: &str, number: usize) -> Read<Self> {
        let mut l = Self { tokens: Vec::new(), at: 0, number };
        let mut chars = line.chars().peekable();
        while let Some(&c) = chars.peek() {
            if c.is_whitespace() {
                chars.next();
            } else if c == ';' {
                break;
            } else if c == '"' {
                chars.next();
                let text = text(&mut chars);
                match text {
                    Some(t) => l.tokens.push(Token::Text(t)),
                    None => {
                        l.at = l.tokens.len();
                        return l.fail("a text that ends with a quote");
                    }
                }
            } else {
                let mut word = String::new();
                while let Some(c) = chars.next_if(|c| !c.is_whitespace() && *c != ';' && *c != '"') {
                    word.push(c);
                }
                l.tokens.push(Token::Word(word));
            }
        }
        Ok(l)
    }

    fn fail<T>(&self, expected: impl Into<String>) -> Read<T> {
        let found = match self.tokens.get(self.at) {
            None => "the end of the line".into(),
            Some(Token::Word(w)) => format!("`{}`", w.chars().take(40).collect::<String>()),
            Some(Token::Text(t)) => quote(&t.chars().take(40).collect::<String>()),
        };
        Err(AsmError { line: self.number, word: self.at + 1, expected: expected.into(), found })
    }

    fn peek(&self) -> Option<&str> {
        match self.tokens.get(self.at)? {
            Token::Word(w) => Some(w),
            Token::Text(_) => None,
        }
    }

    fn word(&mut self, expected: &str) -> Read<String> {
        match self.peek().map(str::to_owned) {
            Some(w) => {
                self.at += 1;
                Ok(w)
            }
            None => self.fail(expected),
        }
    }

    fn text(&mut self) -> Read<String> {
        match self.tokens.get(self.at) {
            Some(Token::Text(t)) => {
                let t = t.clone();
                self.at += 1;
                Ok(t)
            }
            _ => self.fail("a quoted text"),
        }
    }

    fn keyword(&mut self, keyword: &str) -> Read<()> {
        if self.peek() == Some(keyword) {
            self.at += 1;
            return Ok(());
        }
        self.fail(format!("`{keyword}`"))
    }

    fn parsed<T>(&mut self, expected: &str, parse: impl Fn(&str) -> Option<T>) -> Read<T> {
        match self.peek().and_then(parse) {
            Some(v) => {
                self.at += 1;
                Ok(v)
            }
            None => self.fail(expected),
        }
    }

    fn number(&mut self) -> Read<u32> {
        self.parsed("a number", |w| match w.strip_prefix("0x") {
            Some(hex) => u32::from_str_radix(hex, 16).ok(),
            None => w.parse().ok(),
        })
    }

    fn hash_number(&mut self) -> Read<u32> {
        self.parsed("a number such as #4", |w| w.strip_prefix('#')?.parse().ok())
    }

    fn operand(&mut self) -> Read<Operand> {
        self.parsed("an operand such as W12", |w| w.parse().ok())
    }

    fn float(&mut self) -> Read<f32> {
        self.number().map(f32::from_bits)
    }

    fn transform(&mut self) -> Read<Transform> {
        let mut words = [0u32; Transform::WORDS];
        for w in &mut words {
            *w = self.number()?;
        }
        Ok(Transform::read(|i| words[i]))
    }

    fn texts(&mut self) -> Vec<String> {
        let mut out = Vec::new();
        while let Ok(t) = self.text() {
            out.push(t);
        }
        out
    }

    fn end(&self) -> Read<()> {
        if self.at < self.tokens.len() { self.fail("the end of the line") } else { Ok(()) }
    }

    fn statement(&mut self, p: &mut Program) -> Read<()> {
        if self.tokens.is_empty() {
            return Ok(());
        }
        let start = self.at;
        let keyword = self.word("a statement")?;
        match keyword.as_str() {
            "program" => p.name = self.text()?,
            "string" => p.strings.push(self.text()?),
            "curve" => {
                let curve = self.curve()?;
                p.curves.push(curve);
            }
            "key" => {
                let kind = self.kind()?;
                let name = self.text()?;
                self.keyword("used")?;
                let used_by = self.text()?;
                self.keyword("as")?;
                p.keys.push(KeyRef { kind, name, used_by, candidates: self.texts() });
            }
            "element" => {
                let element = self.element()?;
                p.elements.push(element);
            }
            "import" => p.imports.push(self.text()?),
            "literal" => self.raw(&mut p.literals)?,
            "external" => self.raw(&mut p.external)?,
            "state" => self.raw(&mut p.state)?,
            "element_word" => {
                let word = self.operand()?;
                p.element_words.push(ElementWord { word, key: self.number()? });
            }
            "work" => p.work_words = self.number()?,
            "unshared" => p.map.work_unshared = self.number()?,
            "variable" => {
                let (name, ty) = (self.text()?, self.text()?);
                let role = self.parsed("input, output or internal", |w| match w {
                    "input" => Some(VariableRole::Input),
                    "output" => Some(VariableRole::Output),
                    "internal" => Some(VariableRole::Internal),
                    _ => None,
                })?;
                let (offset, words) = (self.number()?, self.number()?);
                p.variables.push(Variable { name, ty, role, offset, words, variants: self.texts() });
            }
            "node" => p.map.nodes.push(self.text()?),
            "event" => {
                let (name, start, end) = (self.text()?, self.number()?, self.number()?);
                p.events.push(Event { name, start, end });
            }
            "function" => {
                let (name, start, end) = (self.text()?, self.number()?, self.number()?);
                p.functions.push(Function { name, start, end, state_words: self.number()? });
            }
            "register" => {
                let (operand, name, ty) = (self.operand()?, self.text()?, self.text()?);
                let live = (self.number()?, self.number()?);
                p.map.registers.push(RegisterInfo { operand, name, ty, live });
            }
            "note" => {
                let (node, fate) = (self.text()?, self.text()?);
                p.map.notes.push(NodeNote { node, fate });
            }
            _ => {
                self.at = start;
                self.instruction(p)?;
            }
        }
        self.end()
    }

    fn raw(&mut self, out: &mut Vec<u32>) -> Read<()> {
        while self.at < self.tokens.len() {
            out.push(self.number()?);
        }
        Ok(())
    }

    fn curve(&mut self) -> Read<Curve> {
        let start = self.at;
        let (before, after) = (self.extrapolation()?, self.extrapolation()?);
        let mut keys = Vec::new();
        while self.at < self.tokens.len() {
            keys.push(CurveKey {
                time: self.float()?,
                value: self.float()?,
                in_tangent: self.float()?,
                out_tangent: self.float()?,
                interpolation: self.parsed("Constant, Linear or Cubic", |w| {
                    use Interpolation as I;
                    [I::Constant, I::Linear, I::Cubic].into_iter().find(|i| format!("{i:?}") == w)
                })?,
            });
        }
        Curve::new(keys, before, after).or_else(|e| {
            self.at = start;
            self.fail(format!("a curve ({e})"))
        })
    }

    fn extrapolation(&mut self) -> Read<Extrapolation> {
        use Extrapolation as E;
        const ALL: [E; 4] = [E::Clamp, E::Linear, E::Loop, E::PingPong];
        self.parsed("Clamp, Linear, Loop or PingPong", |w| ALL.into_iter().find(|e| format!("{e:?}") == w))
    }

    fn kind(&mut self) -> Read<ElementKind> {
        self.parsed("bone, null, control, curve or socket", |w| {
            ElementKind::ALL.into_iter().find(|k| k.word() == w)
        })
    }

    fn element(&mut self) -> Read<DeclaredElement> {
        let (kind, name) = (self.kind()?, self.text()?);
        let mut spec = ElementSpec::new(ElementKey::new(kind, name), ElementId::NONE);
        spec.initial = self.transform()?;
        spec.value = self.float()?;
        self.keyword("parents")?;
        let mut parents = Vec::new();
        while let Some(word) = self.peek().filter(|w| *w != "control") {
            let key = if word == "world" { None } else { word.parse().ok() };
            if key.is_none() && word != "world" {
                return self.fail("a key's number, `world` or `control`");
            }
            self.at += 1;
            parents.push(key);
            spec.parents.push(Parent { id: ElementId::NONE, weight: self.float()? });
        }
        if self.peek() == Some("control") {
            self.at += 1;
            spec.control = Some(self.control()?);
        }
        Ok(DeclaredElement { spec, parents })
    }

    fn control(&mut self) -> Read<ControlSettings> {
        use ControlKind as K;
        const KINDS: [K; 8] =
            [K::Float, K::Bool, K::Int, K::Vec2, K::Position, K::Rotation, K::Scale, K::Transform];
        let kind = self.parsed("a kind of control", |w| KINDS.into_iter().find(|k| format!("{k:?}") == w))?;
        let value = self.transform()?;
        let (min, max) = (self.limit()?, self.limit()?);
        let shape = self.text()?;
        let shape_transform = self.transform()?;
        let color = [self.float()?, self.float()?, self.float()?, self.float()?];
        Ok(ControlSettings { kind, value, min, max, shape, shape_transform, color })
    }

    fn limit(&mut self) -> Read<Option<Vec3>> {
        if self.peek() == Some("free") {
            self.at += 1;
            return Ok(None);
        }
        Ok(Some(Vec3::new(self.float()?, self.float()?, self.float()?)))
    }

    fn instruction(&mut self, p: &mut Program) -> Read<()> {
        let word = self.word("an instruction")?;
        let instr = match word.as_str() {
            "call" => {
                let import = self.number()?;
                let args = p.operands.len() as u32;
                while let Some(word) = self.peek().filter(|w| !w.starts_with('@')) {
                    match word {
                        "->" => self.at += 1,
                        w if w.starts_with('#') => {
                            let number = self.hash_number()?;
                            p.operands.push(number);
                        }
                        _ => {
                            let operand = self.operand()?;
                            p.operands.push(operand.0);
                        }
                    }
                }
                Instr::Call { import, args, count: p.operands.len() as u32 - args }
            }
            "copy" => {
                let from = self.operand()?;
                self.keyword("->")?;
                Instr::Copy { from, to: self.operand()?, words: self.hash_number()? }
            }
            "jump" => Instr::Jump { target: self.number()? },
            "jump_if" => Instr::JumpIf { condition: self.operand()?, target: self.number()? },
            "block" => {
                let when = self.parsed("if or unless", |w| match w {
                    "if" => Some(true),
                    "unless" => Some(false),
                    _ => None,
                })?;
                Instr::BeginBlock { when, condition: self.operand()?, end: self.number()? }
            }
            "end_block" => Instr::EndBlock,
            "loop" => {
                let until_break = self.parsed("counted or until_break", |w| match w {
                    "counted" => Some(false),
                    "until_break" => Some(true),
                    _ => None,
                })?;
                let index = self.operand()?;
                let args = p.operands.len() as u32;
                let (count, bound) = (self.operand()?.0, self.operand()?.0);
                p.operands.extend([count, bound]);
                Instr::BeginLoop { index, args, until_break, end: self.number()? }
            }
            "end_loop" => Instr::EndLoop,
            "break_unless" => Instr::Break { unless: self.operand()? },
            "call_function" => Instr::CallFunction { function: self.number()?, state: self.hash_number()? },
            "return" => Instr::Return,
            "exit" => Instr::Exit,
            _ => {
                self.at -= 1;
                return self.fail("a statement or an instruction");
            }
        };
        let node = match self.peek() {
            Some(_) => self.parsed("a node such as @3", |w| w.strip_prefix('@')?.parse().ok())?,
            None => u32::MAX,
        };
        p.code.push(instr);
        p.map.instructions.push(node);
        Ok(())
    }
}

/// A text up to its closing quote.
fn text(chars: &mut core::iter::Peekable<core::str::Chars<'_>>) -> Option<String> {
    let mut out = String::new();
    loop {
        match chars.next()? {
            '"' => return Some(out),
            '\\' => match chars.next()? {
                'n' => out.push('\n'),
                'u' => {
                    chars.next_if_eq(&'{')?;
                    let mut code = 0u32;
                    while let Some(d) = chars.next_if(|c| c.is_ascii_hexdigit()) {
                        code = code.checked_mul(16)?.checked_add(d.to_digit(16)?)?;
                    }
                    chars.next_if_eq(&'}')?;
                    out.push(char::from_u32(code)?);
                }
                c => out.push(c),
            },
            c => out.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn errors_say_where_and_what() {
        let errors = Program::assemble("work x\n  copy W1 W2\nfoo\nstring \"a").unwrap_err();
        let said: Vec<_> = errors.iter().map(ToString::to_string).collect();
        assert_eq!(
            said,
            [
                "line 1, word 2: expected a number, found `x`",
                "line 2, word 3: expected `->`, found `W2`",
                "line 3, word 1: expected a statement or an instruction, found `foo`",
                "line 4, word 2: expected a text that ends with a quote, found the end of the line",
            ]
        );
    }

    fn operand() -> impl Strategy<Value = Operand> {
        any::<u32>().prop_map(Operand)
    }

    /// Instructions with their operand lists left to the program that holds them.
    fn instr() -> impl Strategy<Value = (Instr, Vec<u32>)> {
        let plain = |i: Instr| (i, Vec::new());
        prop_oneof![
            (any::<u32>(), prop::collection::vec(any::<u32>(), 0..6))
                .prop_map(|(import, list)| (Instr::Call { import, args: 0, count: list.len() as u32 }, list)),
            (operand(), operand(), any::<u32>()).prop_map(move |(to, from, words)| plain(Instr::Copy {
                to,
                from,
                words
            })),
            (operand(), any::<bool>(), any::<u32>())
                .prop_map(move |(condition, when, end)| plain(Instr::BeginBlock { condition, when, end })),
            (operand(), any::<bool>(), any::<u32>(), any::<[u32; 2]>()).prop_map(
                |(index, until_break, end, list)| {
                    (Instr::BeginLoop { index, args: 0, end, until_break }, list.to_vec())
                }
            ),
            operand().prop_map(move |unless| plain(Instr::Break { unless })),
            (any::<u32>(), any::<u32>())
                .prop_map(move |(function, state)| plain(Instr::CallFunction { function, state })),
            Just(plain(Instr::EndLoop)),
            Just(plain(Instr::Exit)),
        ]
    }

    proptest! {
        #[test]
        fn text_gives_the_program_back(
            name in any::<String>(),
            strings in prop::collection::vec(any::<String>(), 0..4),
            words in prop::collection::vec(any::<u32>(), 0..20),
            code in prop::collection::vec((instr(), any::<Option<u16>>()), 0..12),
        ) {
            let mut p = Program { name, strings, literals: words.clone(), state: words, ..Program::default() };
            for ((mut instr, list), node) in code {
                let at = p.operands.len() as u32;
                if let Instr::Call { args, .. } | Instr::BeginLoop { args, .. } = &mut instr {
                    *args = at;
                }
                p.operands.extend(list);
                p.code.push(instr);
                p.map.instructions.push(node.map_or(u32::MAX, u32::from));
            }
            let text = p.disassemble();
            prop_assert_eq!(Program::assemble(&text), Ok(p), "{}", text);
        }
    }

    #[test]
    fn a_compiled_rig_comes_back_from_its_text() {
        let p = crate::vm::encode::tests::program();
        assert_eq!(Program::assemble(&p.disassemble()), Ok(p));
    }
}
