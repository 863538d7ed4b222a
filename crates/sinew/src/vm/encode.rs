//! Programs as bytes.
//!
//! A file is the magic number, the format version, the length and the CRC-32 of the payload, and
//! the payload: the program's tables one after another, numbers in little-endian order, each list
//! behind its count. Reading compiles nothing and takes time and memory in proportion to the
//! input: a count is checked against the bytes that are left before anything is reserved.

use super::program::{
    DeclaredElement, ElementWord, Event, Function, KeyRef, NodeNote, Program, RegisterInfo, SourceMap,
    Variable, VariableRole,
};
use super::{Instr, Operand};
use crate::hierarchy::{
    ControlKind, ControlSettings, ElementId, ElementKey, ElementKind, ElementSpec, Parent,
};
use crate::math::{Curve, CurveKey, Extrapolation, Interpolation, Transform, Vec3};
use crate::value::Plain;

/// The version that this code writes, and the only one that it reads.
pub const FORMAT_VERSION: u32 = 1;

/// Why bytes are no program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// The magic number is missing.
    #[error("is no compiled program: it does not begin with `SINEWPRG`; compile a rig with `sinew compile`")]
    NotAProgram,
    /// Another format.
    #[error("is of format {found}, this version reads format {FORMAT_VERSION}: {remedy}")]
    Version {
        /// The format of the file.
        found: u32,
        /// What to do.
        remedy: &'static str,
    },
    /// The file was cut short or has more behind it.
    #[error("has {found} bytes of payload where its header says {expected}: it was cut short or joined")]
    Length {
        /// What the header says.
        expected: u64,
        /// What there is.
        found: u64,
    },
    /// The payload was changed.
    #[error("its checksum does not fit: the file was damaged; compile the rig anew")]
    Checksum,
    /// The payload makes no sense at a place.
    #[error("byte {offset}: {what}")]
    Malformed {
        /// Bytes from the start of the payload.
        offset: usize,
        /// What is wrong there.
        what: &'static str,
    },
}

impl Program {
    /// What a program file begins with.
    pub const MAGIC: &'static [u8] = b"SINEWPRG";

    /// The program as a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut payload = Vec::new();
        self.put(&mut payload);
        let mut out = Vec::with_capacity(payload.len() + 24);
        out.extend(Self::MAGIC);
        out.extend(FORMAT_VERSION.to_le_bytes());
        out.extend((payload.len() as u64).to_le_bytes());
        out.extend(crc32(&payload).to_le_bytes());
        out.extend(payload);
        out
    }

    /// Reads what [`Program::to_bytes`] wrote. The result is not verified yet: binding does that.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        let rest = bytes.strip_prefix(Self::MAGIC).ok_or(DecodeError::NotAProgram)?;
        let mut header = Reader { bytes: rest, at: 0 };
        let version = u32::take(&mut header)?;
        if version != FORMAT_VERSION {
            let remedy = if version > FORMAT_VERSION {
                "update sinew, or compile the rig with this version"
            } else {
                "compile the rig anew"
            };
            return Err(DecodeError::Version { found: version, remedy });
        }
        let expected = u64::take(&mut header)?;
        let checksum = u32::take(&mut header)?;
        let payload = &rest[header.at..];
        if expected != payload.len() as u64 {
            return Err(DecodeError::Length { expected, found: payload.len() as u64 });
        }
        if checksum != crc32(payload) {
            return Err(DecodeError::Checksum);
        }
        Self::from_payload(payload)
    }

    /// Reads a program without its header, for tools that have checked it by other means.
    pub fn from_payload(payload: &[u8]) -> Result<Self, DecodeError> {
        let mut reader = Reader { bytes: payload, at: 0 };
        let program = Self::take(&mut reader)?;
        if reader.at != payload.len() {
            return Err(reader.malformed("there is more behind the program"));
        }
        Ok(program)
    }
}

/// CRC-32 as in zlib (reflected polynomial 0xEDB88320).
fn crc32(bytes: &[u8]) -> u32 {
    const TABLE: [u32; 256] = {
        let mut table = [0u32; 256];
        let mut i = 0;
        while i < 256 {
            let mut c = i as u32;
            let mut k = 0;
            while k < 8 {
                c = if c & 1 != 0 { 0xEDB8_8320 ^ (c >> 1) } else { c >> 1 };
                k += 1;
            }
            table[i] = c;
            i += 1;
        }
        table
    };
    !bytes.iter().fold(!0u32, |c, b| TABLE[((c ^ u32::from(*b)) & 0xFF) as usize] ^ (c >> 8))
}

struct Reader<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Reader<'b> {
    fn malformed(&self, what: &'static str) -> DecodeError {
        DecodeError::Malformed { offset: self.at, what }
    }

    fn raw(&mut self, n: usize) -> Result<&'b [u8], DecodeError> {
        let part = self.bytes.get(self.at..).and_then(|rest| rest.get(..n));
        let part =
            part.ok_or(DecodeError::Malformed { offset: self.at, what: "the program ends too early" })?;
        self.at += n;
        Ok(part)
    }

    /// A count of things of at least `least` bytes each.
    fn count(&mut self, least: usize) -> Result<usize, DecodeError> {
        let n = u32::take(self)? as usize;
        let left = self.bytes.len() - self.at;
        if n.checked_mul(least.max(1)).is_none_or(|bytes| bytes > left) {
            return Err(self.malformed("a count is larger than what is left can hold"));
        }
        Ok(n)
    }
}

/// Something that stands in a program file.
trait Coded: Sized {
    /// The fewest bytes that one takes.
    const LEAST: usize;
    fn put(&self, out: &mut Vec<u8>);
    fn take(r: &mut Reader<'_>) -> Result<Self, DecodeError>;
}

impl Coded for u32 {
    const LEAST: usize = 4;
    fn put(&self, out: &mut Vec<u8>) {
        out.extend(self.to_le_bytes());
    }
    fn take(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let b = r.raw(4)?;
        Ok(u32::from_le_bytes([b[0], b[1], b[2], b[3]]))
    }
}

impl Coded for u64 {
    const LEAST: usize = 8;
    fn put(&self, out: &mut Vec<u8>) {
        out.extend(self.to_le_bytes());
    }
    fn take(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let (low, high) = (u32::take(r)?, u32::take(r)?);
        Ok(u64::from(low) | u64::from(high) << 32)
    }
}

impl Coded for f32 {
    const LEAST: usize = 4;
    fn put(&self, out: &mut Vec<u8>) {
        self.to_bits().put(out);
    }
    fn take(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        u32::take(r).map(f32::from_bits)
    }
}

impl Coded for bool {
    const LEAST: usize = 1;
    fn put(&self, out: &mut Vec<u8>) {
        out.push(u8::from(*self));
    }
    fn take(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        match r.raw(1)? {
            [0] => Ok(false),
            [1] => Ok(true),
            _ => Err(r.malformed("expected 0 or 1")),
        }
    }
}

impl Coded for String {
    const LEAST: usize = 4;
    fn put(&self, out: &mut Vec<u8>) {
        (self.len() as u32).put(out);
        out.extend(self.as_bytes());
    }
    fn take(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let n = r.count(1)?;
        let bytes = r.raw(n)?;
        std::str::from_utf8(bytes).map(str::to_owned).map_err(|_| r.malformed("a text is not UTF-8"))
    }
}

impl<T: Coded> Coded for Vec<T> {
    const LEAST: usize = 4;
    fn put(&self, out: &mut Vec<u8>) {
        (self.len() as u32).put(out);
        self.iter().for_each(|v| v.put(out));
    }
    fn take(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let n = r.count(T::LEAST)?;
        // What a thing takes in memory may be several times what it takes in the file, so room is
        // made as things prove to be there.
        let mut out = Vec::with_capacity(n.min(1024));
        for _ in 0..n {
            out.push(T::take(r)?);
        }
        Ok(out)
    }
}

impl<T: Coded> Coded for Option<T> {
    const LEAST: usize = 1;
    fn put(&self, out: &mut Vec<u8>) {
        self.is_some().put(out);
        if let Some(v) = self {
            v.put(out);
        }
    }
    fn take(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(if bool::take(r)? { Some(T::take(r)?) } else { None })
    }
}

macro_rules! coded_plain {
    ($($t:ty),+) => {
        $(impl Coded for $t {
            const LEAST: usize = 4 * <$t as Plain>::WORDS;
            fn put(&self, out: &mut Vec<u8>) {
                self.write(|_, w| w.put(out));
            }
            fn take(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
                let mut words = [0u32; <$t as Plain>::WORDS];
                for w in &mut words {
                    *w = u32::take(r)?;
                }
                Ok(<$t>::read(|i| words[i]))
            }
        })+
    };
}

coded_plain!(Vec3, Transform, ElementId);

macro_rules! coded_struct {
    ($($t:ty { $($f:ident : $ft:ty),+ $(,)? })+) => {
        $(impl Coded for $t {
            const LEAST: usize = 0 $(+ <$ft as Coded>::LEAST)+;
            fn put(&self, out: &mut Vec<u8>) {
                $(self.$f.put(out);)+
            }
            fn take(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
                Ok(Self { $($f: <$ft as Coded>::take(r)?),+ })
            }
        })+
    };
}

macro_rules! coded_enum {
    ($($t:ident { $($v:ident),+ $(,)? })+) => {
        $(impl Coded for $t {
            const LEAST: usize = 4;
            fn put(&self, out: &mut Vec<u8>) {
                let all = [$($t::$v),+];
                (all.iter().position(|v| v == self).unwrap_or(0) as u32).put(out);
            }
            fn take(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
                let all = [$($t::$v),+];
                let at = u32::take(r)? as usize;
                all.get(at).copied().ok_or_else(|| r.malformed(concat!("unknown ", stringify!($t))))
            }
        })+
    };
}

coded_enum! {
    ElementKind { Bone, Null, Control, Curve, Socket }
    ControlKind { Float, Bool, Int, Vec2, Position, Rotation, Scale, Transform }
    VariableRole { Input, Output, Internal }
    Interpolation { Constant, Linear, Cubic }
    Extrapolation { Clamp, Linear, Loop, PingPong }
}

impl Coded for Curve {
    const LEAST: usize = 12;
    fn put(&self, out: &mut Vec<u8>) {
        let (before, after) = self.extrapolation();
        before.put(out);
        after.put(out);
        self.keys().to_vec().put(out);
    }
    fn take(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let (before, after) = (Extrapolation::take(r)?, Extrapolation::take(r)?);
        let keys = Vec::take(r)?;
        Self::new(keys, before, after)
            .map_err(|_| r.malformed("the keys of a curve are not finite or not in order of time"))
    }
}

impl Coded for Operand {
    const LEAST: usize = 4;
    fn put(&self, out: &mut Vec<u8>) {
        self.0.put(out);
    }
    fn take(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        u32::take(r).map(Operand)
    }
}

impl Coded for Instr {
    const LEAST: usize = 16;
    fn put(&self, out: &mut Vec<u8>) {
        self.encode().iter().for_each(|w| w.put(out));
    }
    fn take(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let words = [u32::take(r)?, u32::take(r)?, u32::take(r)?, u32::take(r)?];
        Instr::decode(words).ok_or_else(|| r.malformed("unknown instruction"))
    }
}

impl Coded for [f32; 4] {
    const LEAST: usize = 16;
    fn put(&self, out: &mut Vec<u8>) {
        self.iter().for_each(|v| v.put(out));
    }
    fn take(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok([f32::take(r)?, f32::take(r)?, f32::take(r)?, f32::take(r)?])
    }
}

impl Coded for (u32, u32) {
    const LEAST: usize = 8;
    fn put(&self, out: &mut Vec<u8>) {
        self.0.put(out);
        self.1.put(out);
    }
    fn take(r: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok((u32::take(r)?, u32::take(r)?))
    }
}

coded_struct! {
    CurveKey { time: f32, value: f32, in_tangent: f32, out_tangent: f32, interpolation: Interpolation }
    ElementKey { kind: ElementKind, name: String }
    Parent { id: ElementId, weight: f32 }
    ControlSettings {
        kind: ControlKind, value: Transform, min: Option<Vec3>, max: Option<Vec3>, shape: String,
        shape_transform: Transform, color: [f32; 4],
    }
    ElementSpec {
        key: ElementKey, parents: Vec<Parent>, initial: Transform, control: Option<ControlSettings>, value: f32,
    }
    DeclaredElement { spec: ElementSpec, parents: Vec<Option<u32>> }
    KeyRef { kind: ElementKind, name: String, candidates: Vec<String>, used_by: String }
    ElementWord { word: Operand, key: u32 }
    Variable { name: String, ty: String, role: VariableRole, offset: u32, words: u32, variants: Vec<String> }
    Event { name: String, start: u32, end: u32 }
    Function { name: String, start: u32, end: u32, state_words: u32 }
    RegisterInfo { operand: Operand, name: String, ty: String, live: (u32, u32) }
    NodeNote { node: String, fate: String }
    SourceMap {
        nodes: Vec<String>, instructions: Vec<u32>, registers: Vec<RegisterInfo>, notes: Vec<NodeNote>,
        work_unshared: u32,
    }
    Program {
        name: String, strings: Vec<String>, curves: Vec<Curve>, keys: Vec<KeyRef>, elements: Vec<DeclaredElement>, imports: Vec<String>,
        literals: Vec<u32>, element_words: Vec<ElementWord>, work_words: u32, external: Vec<u32>, state: Vec<u32>,
        variables: Vec<Variable>, functions: Vec<Function>, events: Vec<Event>, code: Vec<Instr>,
        operands: Vec<u32>, map: SourceMap,
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in crate::vm) fn program() -> Program {
        let text = r#"{"sinew": 1, "name": "t", "elements": {"control:c": {"parent": "bone:a", "control": {"kind": "float", "max": 2}}},
            "bones": {"a": ["A", "ä"]},
            "variables": {"x": {"type": "Float", "role": "input"}, "g": {"type": "Float[3]", "default": [1, 2]}},
            "graphs": {"forward": {"event": true, "start": "l", "nodes": {
                "l": {"unit": "Flow.For", "in": {"count": 3}, "exec": {"body": "s"}},
                "x": {"get": "x"},
                "m": {"unit": "Math.Multiply", "in": {"a": {"from": "x.value"}, "b": {"from": "l.index"}}},
                "s": {"unit": "Hierarchy.SetTranslation", "in": {"item": "bone:a", "translation": {"from": "m.result"}}}}}}}"#;
        let rig = crate::graph::Rig::parse(text.as_bytes()).unwrap_or_else(|e| panic!("{e}"));
        Program::compile(&rig, &crate::vm::Registry::standard()).unwrap_or_else(|e| panic!("{e}"))
    }

    #[test]
    fn a_program_comes_back_as_it_was() {
        let p = program();
        let bytes = p.to_bytes();
        assert_eq!(Program::from_bytes(&bytes), Ok(p));
    }

    #[test]
    fn the_checksum_is_the_common_one() {
        // The check value of CRC-32/ISO-HDLC.
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
    }

    #[test]
    fn damage_of_any_byte_is_found() {
        let bytes = program().to_bytes();
        for i in 0..bytes.len() {
            let mut bad = bytes.clone();
            bad[i] ^= 0x41;
            assert!(Program::from_bytes(&bad).is_err(), "byte {i}");
            assert!(Program::from_bytes(&bytes[..i]).is_err(), "cut at {i}");
        }
        let mut more = bytes.clone();
        more.push(0);
        assert!(matches!(Program::from_bytes(&more), Err(DecodeError::Length { .. })));
    }

    /// With the checksum set right, so that the damage reaches the tables.
    fn sealed(payload: &[u8]) -> Vec<u8> {
        let mut out = Program::MAGIC.to_vec();
        out.extend(FORMAT_VERSION.to_le_bytes());
        out.extend((payload.len() as u64).to_le_bytes());
        out.extend(crc32(payload).to_le_bytes());
        out.extend(payload);
        out
    }

    #[test]
    fn no_payload_makes_it_panic_or_reserve_much() {
        let bytes = program().to_bytes();
        let payload = &bytes[24..];
        for i in 0..payload.len() {
            for patch in [0u32, 1, 0x7FFF_FFFF, u32::MAX] {
                let mut bad = payload.to_vec();
                for (k, b) in patch.to_le_bytes().iter().enumerate() {
                    if let Some(slot) = bad.get_mut(i + k) {
                        *slot = *b;
                    }
                }
                // Whatever comes out is verified before it runs; neither may panic.
                if let Ok(p) = Program::from_bytes(&sealed(&bad)) {
                    let _ = crate::vm::verify(&p, &crate::vm::Registry::standard());
                }
            }
        }
        let huge = sealed(&[0xFF; 64]);
        assert!(matches!(Program::from_bytes(&huge), Err(DecodeError::Malformed { .. })));
    }

    #[test]
    fn a_version_from_the_future_is_named() {
        let mut bytes = program().to_bytes();
        bytes[8] = 9;
        let said = Program::from_bytes(&bytes).unwrap_err().to_string();
        assert!(said.contains("format 9") && said.contains("update sinew"), "{said}");
    }
}
