//! What a unit knows of the frame it runs in: time, event, log, draw list, random stream.

use std::sync::Arc;

use super::Assets;
use crate::math::{Transform, Vec3};
use crate::value::{Name, Text};

/// One run of one event.
#[derive(Debug)]
pub struct Frame {
    /// Seconds since the last frame; 0 while paused, never negative or NaN.
    pub dt: f32,
    /// Seconds that this instance has run.
    pub time: f32,
    /// Frames that this instance has run.
    pub index: u32,
    /// Which event runs: its place among the program's events.
    pub event: u32,
    /// Messages of this frame.
    pub log: Log,
    /// What is to be drawn over this frame.
    pub draw: DrawList,
    /// State of the instance's random stream.
    pub random: u32,
    /// The program's texts and curves.
    pub assets: Arc<Assets>,
    /// True while `setup` runs for a bound program: only then may elements be added.
    pub building: bool,
}

/// How much a message matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Told.
    Info,
    /// Probably not meant.
    Warning,
    /// Not what was asked for.
    Error,
}

/// A value that goes with a message, formatted only when somebody reads it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LogValue {
    /// Text alone.
    None,
    /// True or false.
    Bool(bool),
    /// A whole number.
    Int(i32),
    /// A number.
    Float(f32),
    /// A vector.
    Vec3(Vec3),
    /// A transform.
    Transform(Transform),
    /// An element, by its index.
    Element(u32),
    /// Two numbers, such as a value and its limit.
    Pair(f32, f32),
}

/// One message.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LogEntry {
    /// How much it matters.
    pub severity: Severity,
    /// The text, in the program's strings.
    pub text: Text,
    /// A fixed text of the unit's own, used where `text` is empty.
    pub note: &'static str,
    /// The value.
    pub value: LogValue,
    /// The instruction that said it; the source map names its node.
    pub at: u32,
}

/// A bounded list of messages: storage is taken once, what does not fit is counted.
#[derive(Debug)]
pub struct Log {
    entries: Vec<LogEntry>,
    dropped: u32,
    pub(super) at: u32,
}

impl Log {
    pub(super) fn with_capacity(capacity: usize) -> Self {
        Self { entries: Vec::with_capacity(capacity), dropped: 0, at: 0 }
    }

    /// Adds a message with a text of the rig's.
    pub fn say(&mut self, severity: Severity, text: Text, value: LogValue) {
        self.push(LogEntry { severity, text, note: "", value, at: self.at });
    }

    /// Adds a message with a text of the unit's own.
    pub fn note(&mut self, severity: Severity, note: &'static str, value: LogValue) {
        self.push(LogEntry { severity, text: Text(0), note, value, at: self.at });
    }

    fn push(&mut self, entry: LogEntry) {
        if self.entries.len() < self.entries.capacity() {
            self.entries.push(entry);
        } else {
            self.dropped = self.dropped.saturating_add(1);
        }
    }

    /// Messages in order.
    pub fn entries(&self) -> &[LogEntry] {
        &self.entries
    }

    /// How many messages found no room.
    pub fn dropped(&self) -> u32 {
        self.dropped
    }

    pub(super) fn clear(&mut self) {
        self.entries.clear();
        self.dropped = 0;
    }
}

/// Something to draw, in the character's space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DrawItem {
    /// A straight line.
    Line {
        /// One end, metres.
        from: Vec3,
        /// The other end, metres.
        to: Vec3,
        /// r g b a, linear.
        color: [f32; 4],
        /// Metres.
        thickness: f32,
    },
    /// Three axes.
    Axes {
        /// Where.
        transform: Transform,
        /// Length of an axis, metres.
        size: f32,
    },
    /// A text that faces the viewer.
    Text {
        /// Where, metres.
        at: Vec3,
        /// In the program's strings.
        text: Text,
        /// r g b a, linear.
        color: [f32; 4],
    },
}

/// A bounded list of things to draw: storage is taken once, what does not fit is counted.
#[derive(Debug)]
pub struct DrawList {
    items: Vec<DrawItem>,
    dropped: u32,
}

impl DrawList {
    pub(super) fn with_capacity(capacity: usize) -> Self {
        Self { items: Vec::with_capacity(capacity), dropped: 0 }
    }

    /// Adds an item.
    pub fn push(&mut self, item: DrawItem) {
        if self.items.len() < self.items.capacity() {
            self.items.push(item);
        } else {
            self.dropped = self.dropped.saturating_add(1);
        }
    }

    /// Items in order.
    pub fn items(&self) -> &[DrawItem] {
        &self.items
    }

    /// How many items found no room.
    pub fn dropped(&self) -> u32 {
        self.dropped
    }

    pub(super) fn clear(&mut self) {
        self.items.clear();
        self.dropped = 0;
    }
}

impl Frame {
    /// How many messages and how many things to draw a frame holds.
    pub const CAPACITY: usize = 256;
    /// Where the random stream of a character begins that is given no seed of its own.
    pub const SEED: u32 = 0x9E37_79B9;

    /// A frame before the first one, of 0 seconds; `seed` tells one character's random streams from
    /// another's. The machine makes its own; this one is for tests of units.
    pub fn new(seed: u32) -> Self {
        Self::with(seed, Self::CAPACITY, Arc::default())
    }

    fn with(seed: u32, capacity: usize, assets: Arc<Assets>) -> Self {
        let (log, draw) = (Log::with_capacity(capacity), DrawList::with_capacity(capacity));
        Self { dt: 0.0, time: 0.0, index: 0, event: 0, log, draw, random: seed, assets, building: false }
    }

    /// Before the first frame of a character that runs a program. One that says and draws nothing
    /// has no room for it.
    pub(super) fn of(bound: &super::BoundProgram) -> Self {
        let told = bound.units.iter().any(|u| u.told);
        Self::with(Self::SEED, if told { Self::CAPACITY } else { 0 }, Arc::clone(&bound.assets))
    }

    /// An event begins, `dt` seconds after the last one.
    pub(super) fn begin(&mut self, dt: f32, event: u32) {
        self.log.clear();
        self.draw.clear();
        self.dt = dt;
        self.event = event;
    }

    /// An event has ended well.
    pub(super) fn end(&mut self) {
        self.time += self.dt;
        self.index = self.index.wrapping_add(1);
    }

    /// What of it lives on from frame to frame, as words.
    pub(super) fn clock(&self) -> [u32; 3] {
        [self.time.to_bits(), self.index, self.random]
    }

    /// Takes that back.
    pub(super) fn set_clock(&mut self, words: [u32; 3]) {
        (self.time, self.index, self.random) = (f32::from_bits(words[0]), words[1], words[2]);
    }

    /// Back to before the first frame.
    pub(super) fn restart(&mut self) {
        self.begin(0.0, 0);
        (self.time, self.index, self.random) = (0.0, 0, Self::SEED);
    }

    /// Seconds that a frame may take: time that runs backwards or is no number would spoil every
    /// state it meets, and counts as none.
    pub(super) fn sane(dt: f32) -> f32 {
        if dt > 0.0 && dt < f32::INFINITY { dt } else { 0.0 }
    }
}

/// The word that a name stands for is compared by its index alone.
impl Name {
    /// The empty name.
    pub const EMPTY: Self = Self(0);
}

impl core::fmt::Display for LogValue {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::None => Ok(()),
            Self::Bool(v) => write!(f, "{v}"),
            Self::Int(v) => write!(f, "{v}"),
            Self::Float(v) => write!(f, "{v}"),
            Self::Vec3(v) => write!(f, "[{}, {}, {}]", v.x, v.y, v.z),
            Self::Transform(t) => {
                let (p, q, s) = (t.translation, t.rotation, t.scale);
                write!(
                    f,
                    "translation [{}, {}, {}] rotation [{}, {}, {}, {}]",
                    p.x, p.y, p.z, q.x, q.y, q.z, q.w
                )?;
                write!(f, " scale [{}, {}, {}]", s.x, s.y, s.z)
            }
            Self::Element(id) => write!(f, "element {id}"),
            Self::Pair(a, b) => write!(f, "{a} against {b}"),
        }
    }
}
