//! What a unit is: a native operation behind a node, with typed pins.

use crate::value::{Plain, Type};

use super::Cx;

/// How a unit may be ordered, shared and folded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UnitKind {
    /// Depends on its pins alone: may be folded, shared and hoisted.
    Pure,
    /// Also reads what is fixed for a run, such as the delta time: may be shared and hoisted.
    Frame,
    /// Reads the hierarchy as it stands at its place in the order.
    Reading,
    /// Keeps state from frame to frame; runs at its place in the order.
    Stateful,
    /// Changes the hierarchy, an array variable, the log or the draw list; runs in order.
    Writing,
}

impl UnitKind {
    /// True if nodes of this kind stand in the execution order, with an `exec` pin.
    pub const fn is_ordered(self) -> bool {
        matches!(self, Self::Stateful | Self::Writing)
    }

    /// One lower-case word.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Pure => "pure",
            Self::Frame => "frame",
            Self::Reading => "reading",
            Self::Stateful => "stateful",
            Self::Writing => "writing",
        }
    }
}

/// What a unit does with the hierarchy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HierarchyUse {
    /// Does not see it.
    None,
    /// Reads it.
    Reads,
    /// May change it.
    Writes,
}

/// Which way a pin's value flows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Into the unit.
    In,
    /// Out of it.
    Out,
    /// An array variable that the unit changes in place.
    InOut,
}

/// A parameter or result of a unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Pin {
    /// The parameter's name.
    pub name: &'static str,
    /// Which way.
    pub direction: Direction,
    /// The type; arrays of capacity 0 take any capacity.
    pub ty: Type,
    /// What it holds when neither linked nor set; empty for arrays and the type variable.
    pub default: Vec<u32>,
    /// The least value that makes sense, by component.
    pub min: Option<f64>,
    /// The greatest value that makes sense, by component.
    pub max: Option<f64>,
    /// Help text.
    pub doc: &'static str,
}

/// Where a unit's Rust function stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source {
    /// File, from the workspace of its crate.
    pub file: &'static str,
    /// Line of the attribute.
    pub line: u32,
    /// Path of the function.
    pub function: &'static str,
}

/// Entry point for one lane: operands are word positions in the instance's memory.
pub type Entry = for<'a, 'b> fn(&'a mut Cx<'b, 1>, &'a [u32]);

/// Entry point for a block of `L` lanes.
pub type LaneEntry<const L: usize> = for<'a, 'b> fn(&'a mut Cx<'b, L>, &'a [u32]);

/// Entry point for a block of `L` lanes that may be called only where its instruction set is there.
pub type WideEntry<const L: usize> = for<'a, 'b> unsafe fn(&'a mut Cx<'b, L>, &'a [u32]);

/// The entry points of a unit that runs in lanes: one body, built for each width and instruction set.
#[derive(Clone, Copy, Debug)]
pub struct LaneEntries {
    /// 8 lanes with what every machine of the target has.
    pub baseline: LaneEntry<8>,
    /// 8 lanes with AVX2, where the target knows it.
    pub avx2: Option<WideEntry<8>>,
    /// 16 lanes with AVX-512 (F, VL, BW, DQ), where the target knows it.
    pub avx512: Option<WideEntry<16>>,
}

/// The functions around a body written for any number of lanes; part of what `#[unit]` writes.
#[doc(hidden)]
#[macro_export]
macro_rules! lane_entries {
    ($lanes:ident) => {
        fn one_(cx: &mut $crate::vm::Cx<'_, 1>, args: &[u32]) {
            $lanes::<1>(cx, args);
        }
        fn lane_entries_() -> $crate::vm::LaneEntries {
            fn baseline(cx: &mut $crate::vm::Cx<'_, 8>, args: &[u32]) {
                $lanes::<8>(cx, args);
            }
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2")]
            fn avx2(cx: &mut $crate::vm::Cx<'_, 8>, args: &[u32]) {
                $lanes::<8>(cx, args);
            }
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f,avx512vl,avx512bw,avx512dq")]
            fn avx512(cx: &mut $crate::vm::Cx<'_, 16>, args: &[u32]) {
                $lanes::<16>(cx, args);
            }
            #[cfg(target_arch = "x86_64")]
            return $crate::vm::LaneEntries { baseline, avx2: Some(avx2), avx512: Some(avx512) };
            #[cfg(not(target_arch = "x86_64"))]
            return $crate::vm::LaneEntries { baseline, avx2: None, avx512: None };
        }
    };
}

/// A unit's definition, made by `#[unit]`.
#[derive(Clone, Debug)]
pub struct UnitDef {
    /// `Category.Name`; overloads share it.
    pub name: &'static str,
    /// Help text; its first line is a summary.
    pub doc: &'static str,
    /// How it may be ordered.
    pub kind: UnitKind,
    /// What it does with the hierarchy.
    pub hierarchy: HierarchyUse,
    /// In the order of the operands.
    pub pins: Vec<Pin>,
    /// The words of a fresh state, if it keeps any.
    pub state: Option<Vec<u32>>,
    /// True if it may end the frame with a fault.
    pub fallible: bool,
    /// True if it writes messages or drawings, and so is told which instruction it is.
    pub told: bool,
    /// Where the function stands.
    pub source: Source,
    /// The compiled body.
    pub entry: Entry,
    /// The body in lanes; where there is none, a block calls the one above lane by lane.
    pub lanes: Option<LaneEntries>,
}

/// Implemented by `#[unit]` for the empty enum that bears the function's name.
pub trait Unit {
    /// The definition.
    fn def() -> UnitDef;
}

impl UnitDef {
    /// The definition of a function under `#[unit]`.
    pub fn of<U: Unit>() -> Self {
        U::def()
    }

    /// True if a pin has the type variable: operands then start with its size in words.
    pub fn is_generic(&self) -> bool {
        self.pins.iter().any(|p| p.ty.is_generic())
    }

    /// `Math.Clamp(value:Float,min:Float,max:Float)->(result:Float)`: programs import by it.
    pub fn signature(&self) -> String {
        let list = |out: bool| {
            let pins = self.pins.iter().filter(|p| (p.direction == Direction::Out) == out);
            let text = |p: &Pin| {
                let inout = if p.direction == Direction::InOut { "&" } else { "" };
                format!("{}:{inout}{}", p.name, p.ty)
            };
            pins.map(text).collect::<Vec<_>>().join(",")
        };
        let state = self.state.as_ref().map_or(String::new(), |s| format!("+state{}", s.len()));
        format!("{}({})->({}){state}", self.name, list(false), list(true))
    }

    /// Pin of this name.
    pub fn pin(&self, name: &str) -> Option<&Pin> {
        self.pins.iter().find(|p| p.name == name)
    }

    /// Where the operands of each pin start, and how many operand words a call has in all.
    pub fn operand_layout(&self) -> (Vec<usize>, usize) {
        let mut at = usize::from(self.is_generic());
        let mut starts = Vec::with_capacity(self.pins.len());
        for pin in &self.pins {
            starts.push(at);
            at += if matches!(pin.ty, Type::Array(..)) { 2 } else { 1 };
        }
        (starts, at + usize::from(self.state.is_some()))
    }
}

/// The words of a value.
pub fn words_of<T: Plain>(value: T) -> Vec<u32> {
    let mut words = vec![0; T::WORDS];
    value.write(|i, w| {
        if let Some(slot) = words.get_mut(i) {
            *slot = w;
        }
    });
    words
}

/// The definitions of several functions under `#[unit]`.
#[macro_export]
macro_rules! units {
    ($($unit:ident),+ $(,)?) => {
        vec![$($crate::vm::UnitDef::of::<$unit>()),+]
    };
}
