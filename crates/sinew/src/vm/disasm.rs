//! Programs as text.
//!
//! One thing a line: a word that says what it is, then its parts. Texts are quoted, `;` begins a
//! comment, numbers of raw words are hexadecimal, operands are written as [`Operand`] displays
//! them, plain numbers among operands as `#16`. The assembler reads exactly this back.

use std::fmt::Write as _;

use super::program::{DeclaredElement, Program, VariableRole};
use super::{Instr, Operand};
use crate::math::Curve;
use crate::value::Plain;

impl Program {
    /// The whole program as text; [`Program::assemble`] gives the same program back.
    ///
    /// Operand lists are written where they are used, so a program whose lists were shared or out
    /// of order (the compiler makes none such) comes back with lists in the order of use.
    pub fn disassemble(&self) -> String {
        let mut out = String::new();
        let line = |out: &mut String, text: String| {
            out.push_str(&text);
            out.push('\n');
        };
        line(&mut out, format!("program {}", quote(&self.name)));
        for (i, s) in self.strings.iter().enumerate() {
            line(&mut out, format!("string {} ; {i}", quote(s)));
        }
        for (i, c) in self.curves.iter().enumerate() {
            line(&mut out, format!("{} ; {i}", curve(c)));
        }
        for (i, k) in self.keys.iter().enumerate() {
            let candidates: String = k.candidates.iter().map(|c| format!(" {}", quote(c))).collect();
            let used_by = quote(&k.used_by);
            line(
                &mut out,
                format!("key {} {} used {used_by} as{candidates} ; {i}", k.kind.word(), quote(&k.name)),
            );
        }
        for e in &self.elements {
            line(&mut out, element(e));
        }
        for (i, import) in self.imports.iter().enumerate() {
            line(&mut out, format!("import {} ; {i}", quote(import)));
        }
        raw(&mut out, "literal", &self.literals);
        for e in &self.element_words {
            let key = self.keys.get(e.key as usize).map_or("", |k| &k.name);
            line(&mut out, format!("element_word {} {} ; {}", e.word, e.key, escape(key)));
        }
        line(&mut out, format!("work {} ; {} before sharing", self.work_words, self.map.work_unshared));
        raw(&mut out, "external", &self.external);
        raw(&mut out, "state", &self.state);
        for v in &self.variables {
            let role = match v.role {
                VariableRole::Input => "input",
                VariableRole::Output => "output",
                VariableRole::Internal => "internal",
            };
            let variants: String = v.variants.iter().map(|w| format!(" {}", quote(w))).collect();
            let (name, ty) = (quote(&v.name), quote(&v.ty));
            line(&mut out, format!("variable {name} {ty} {role} {} {}{variants}", v.offset, v.words));
        }
        for (i, node) in self.map.nodes.iter().enumerate() {
            line(&mut out, format!("node {} ; {i}", quote(node)));
        }
        for e in &self.events {
            line(&mut out, format!("event {} {} {}", quote(&e.name), e.start, e.end));
        }
        for f in &self.functions {
            line(&mut out, format!("function {} {} {} {}", quote(&f.name), f.start, f.end, f.state_words));
        }
        self.code_text(&mut out);
        for r in &self.map.registers {
            let (name, ty) = (quote(&r.name), quote(&r.ty));
            line(&mut out, format!("register {} {name} {ty} {} {}", r.operand, r.live.0, r.live.1));
        }
        for n in &self.map.notes {
            line(&mut out, format!("note {} {}", quote(&n.node), quote(&n.fate)));
        }
        line(&mut out, format!("unshared {}", self.map.work_unshared));
        out
    }

    fn code_text(&self, out: &mut String) {
        let mut depth = 1usize;
        for i in 0..self.code.len() {
            for e in self.events.iter().filter(|e| e.start as usize == i) {
                let _ = writeln!(out, "; event {}", escape(&e.name));
            }
            for f in self.functions.iter().filter(|f| f.start as usize == i) {
                let _ = writeln!(out, "; function {}", escape(&f.name));
            }
            if matches!(self.code[i], Instr::EndBlock | Instr::EndLoop) {
                depth = depth.saturating_sub(1).max(1);
            }
            let node = self.map.instructions.get(i).copied().unwrap_or(u32::MAX);
            let at = if node == u32::MAX { String::new() } else { format!(" @{node}") };
            let (text, comment) = self.instruction_parts(i);
            let name = escape(self.node_of(i).unwrap_or_default());
            let _ = writeln!(out, "{}{text}{at} ; {i} {comment}{name}", "  ".repeat(depth.min(20)));
            if matches!(self.code[i], Instr::BeginBlock { .. } | Instr::BeginLoop { .. }) {
                depth += 1;
            }
        }
    }

    /// One instruction in words; empty where there is none.
    pub fn instruction_text(&self, index: usize) -> String {
        if index >= self.code.len() {
            return String::new();
        }
        let (text, comment) = self.instruction_parts(index);
        if comment.is_empty() { text } else { format!("{text}  ; {comment}") }
    }

    /// The text that is read back, and a remark.
    fn instruction_parts(&self, index: usize) -> (String, String) {
        let Some(instr) = self.code.get(index) else { return Default::default() };
        let word = instr.mnemonic();
        let list = |args: u32, count: u32| {
            let end = (args as usize).saturating_add(count as usize);
            self.operands.get(args as usize..end).unwrap_or(&[])
        };
        let text = match *instr {
            Instr::Call { import, args, count } => {
                let signature = self.imports.get(import as usize).map_or("", String::as_str);
                let name = signature.split('(').next().unwrap_or_default();
                let operands = call_operands(signature, list(args, count));
                return (format!("{word} {import}{operands}"), format!("{} ", escape(name)));
            }
            Instr::Copy { to, from, words } => format!("{word} {from} -> {to} #{words}"),
            Instr::Jump { target } => format!("{word} {target}"),
            Instr::JumpIf { condition, target } => format!("{word} {condition} {target}"),
            Instr::BeginBlock { condition, when, end } => {
                format!("{word} {} {condition} {end}", if when { "if" } else { "unless" })
            }
            Instr::BeginLoop { index, args, end, until_break } => {
                let operands: String = list(args, 2).iter().map(|w| format!(" {}", Operand(*w))).collect();
                format!(
                    "{word} {} {index}{operands} {end}",
                    if until_break { "until_break" } else { "counted" }
                )
            }
            Instr::Break { unless } => format!("{word} {unless}"),
            Instr::CallFunction { function, state } => {
                let name = self.functions.get(function as usize).map_or("", |f| &f.name);
                return (format!("{word} {function} #{state}"), format!("{} ", escape(name)));
            }
            Instr::EndBlock | Instr::EndLoop | Instr::Return | Instr::Exit => word.to_string(),
        };
        (text, String::new())
    }
}

/// Operands of a call: what is a number and where the results begin follows from the signature.
fn call_operands(signature: &str, list: &[u32]) -> String {
    let pins = signature_pins(signature);
    let generic = pins.iter().any(|(ty, _)| ty.trim_start_matches('&').trim_end_matches("[]") == "T");
    let mut out = String::new();
    let mut words = list.iter();
    let mut put = |out: &mut String, number: bool| {
        if let Some(w) = words.next() {
            let _ = if number { write!(out, " #{w}") } else { write!(out, " {}", Operand(*w)) };
        }
    };
    if generic {
        put(&mut out, true);
    }
    let mut arrow = false;
    for (ty, is_out) in pins {
        if is_out && !arrow {
            out.push_str(" ->");
            arrow = true;
        }
        put(&mut out, false);
        if ty.ends_with("[]") {
            put(&mut out, true);
        }
    }
    // The state, and whatever a signature that nobody knows does not explain.
    for w in words {
        let _ = write!(out, " {}", Operand(*w));
    }
    out
}

/// Type and direction of each pin of a signature.
fn signature_pins(signature: &str) -> Vec<(&str, bool)> {
    let Some((_, rest)) = signature.split_once('(') else { return Vec::new() };
    let (inputs, outputs) = rest.split_once(")->(").unwrap_or((rest, ""));
    let outputs = outputs.split(')').next().unwrap_or_default();
    let of = inputs.split(',').map(|p| (p, false)).chain(outputs.split(',').map(|p| (p, true)));
    of.filter_map(|(p, out)| p.split_once(':').map(|(_, t)| (t, out))).collect()
}

/// How it goes on before and after its keys, then for each key time, value and slopes, and the way
/// to the next.
fn curve(c: &Curve) -> String {
    let (before, after) = c.extrapolation();
    let mut out = format!("curve {before:?} {after:?}");
    for k in c.keys() {
        for v in [k.time, k.value, k.in_tangent, k.out_tangent] {
            let _ = write!(out, " {:#x}", v.to_bits());
        }
        let _ = write!(out, " {:?}", k.interpolation);
    }
    out
}

fn element(e: &DeclaredElement) -> String {
    let words = |t: crate::math::Transform| {
        let mut text = String::new();
        t.write(|_, w| {
            let _ = write!(text, " {w:#x}");
        });
        text
    };
    let s = &e.spec;
    let mut out = format!("element {} {}{}", s.key.kind.word(), quote(&s.key.name), words(s.initial));
    let _ = write!(out, " {:#x} parents", s.value.to_bits());
    for (parent, key) in s.parents.iter().zip(&e.parents) {
        let key = key.map_or("world".to_string(), |k| k.to_string());
        let _ = write!(out, " {key} {:#x}", parent.weight.to_bits());
    }
    let Some(c) = &s.control else { return out };
    let _ = write!(out, " control {:?}{}", c.kind, words(c.value));
    for limit in [c.min, c.max] {
        match limit {
            None => out.push_str(" free"),
            Some(v) => {
                let _ = write!(out, " {:#x} {:#x} {:#x}", v.x.to_bits(), v.y.to_bits(), v.z.to_bits());
            }
        }
    }
    let _ = write!(out, " {}{}", quote(&c.shape), words(c.shape_transform));
    for v in c.color {
        let _ = write!(out, " {:#x}", v.to_bits());
    }
    out
}

/// Raw words, eight a line, with what they would be as numbers.
fn raw(out: &mut String, word: &str, words: &[u32]) {
    for (i, chunk) in words.chunks(8).enumerate() {
        let hex: String = chunk.iter().map(|w| format!(" {w:#x}")).collect();
        let numbers: String = chunk.iter().map(|w| number(*w)).collect();
        let _ = writeln!(out, "{word}{hex} ; {}:{numbers}", i * 8);
    }
}

fn number(word: u32) -> String {
    let float = f32::from_bits(word);
    match word {
        0 => " 0".into(),
        u32::MAX => " -1".into(),
        _ if float.is_finite() && (1e-6..1e6).contains(&float.abs()) => format!(" {float}"),
        _ => format!(" {}", word as i32),
    }
}

pub(super) fn quote(text: &str) -> String {
    format!("\"{}\"", escape(text))
}

/// A name as it may stand in a text or a comment: it never ends the line that it stands in.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            c if c.is_control() => {
                let _ = write!(out, "\\u{{{:x}}}", c as u32);
            }
            c => out.push(c),
        }
    }
    out
}
