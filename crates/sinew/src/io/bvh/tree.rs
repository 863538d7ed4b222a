//! The HIERARCHY part: joints, offsets, channels.

use super::BvhError;
use super::words::{Words, show};

/// What a column of the motion drives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Channel {
    /// Position on an axis: 0 is x.
    Position(usize),
    /// Rotation about an axis.
    Rotation(usize),
}

#[derive(Debug)]
pub(super) struct Joint {
    pub name: String,
    pub parent: Option<usize>,
    pub offset: [f64; 3],
    pub channels: Vec<Channel>,
    pub is_end: bool,
}

#[derive(Debug, Default)]
pub(super) struct Tree {
    pub joints: Vec<Joint>,
}

/// The most joints of a file; each takes more bytes than a joint takes memory.
const MAX_JOINTS: usize = 1 << 18;

/// Reads up to MOTION. `scale` is only checked: offsets times it must fit an `f32`.
pub(super) fn read(words: &mut Words<'_>, scale: f32) -> Result<Tree, BvhError> {
    words.expect("HIERARCHY")?;
    let mut tree = Tree::default();
    // Joints whose braces are open; no recursion, however deep the file nests.
    let mut open: Vec<usize> = Vec::new();
    loop {
        let Some(word) = words.peek() else {
            return words.fail("expected MOTION, but the file ends");
        };
        let is = |k: &str| word.eq_ignore_ascii_case(k.as_bytes());
        if word == b"}" {
            words.next();
            if open.pop().is_none() {
                return words.fail("a } closes nothing");
            }
        } else if is("MOTION") {
            if !open.is_empty() {
                let name = show(tree.joints[open[open.len() - 1]].name.as_bytes());
                return words.fail(format!("joint `{name}` is not closed before MOTION"));
            }
            if tree.joints.is_empty() {
                return words.fail("there is no ROOT before MOTION");
            }
            return Ok(tree);
        } else if is("ROOT") || is("JOINT") || is("End") {
            let root = is("ROOT");
            let end = is("End");
            words.next();
            if root != open.is_empty() {
                return words.fail(if root {
                    "a ROOT stands inside a joint"
                } else {
                    "a JOINT stands outside of a ROOT"
                });
            }
            if open.last().is_some_and(|parent| tree.joints[*parent].is_end) {
                return words.fail("an End Site has nothing below it; close it with } first");
            }
            let name = if end {
                words.expect("Site")?;
                words.skip_line();
                // A short part of the name: many end sites of one long-named joint stay small.
                let parent = tree.joints[open[open.len() - 1]].name.chars().take(64);
                parent.chain("_end".chars()).collect()
            } else {
                words.rest_of_line()
            };
            words.expect("{")?;
            if tree.joints.len() >= MAX_JOINTS {
                return words.fail(format!("more than {MAX_JOINTS} joints"));
            }
            let parent = open.last().copied();
            open.push(tree.joints.len());
            tree.joints.push(Joint { name, parent, offset: [0.0; 3], channels: Vec::new(), is_end: end });
        } else if is("OFFSET") {
            words.next();
            let mut offset = [0.0; 3];
            for value in &mut offset {
                *value = words.float("OFFSET")?;
                words.fits(*value, scale)?;
            }
            match open.last() {
                Some(joint) => tree.joints[*joint].offset = offset,
                None => return words.fail("an OFFSET stands outside of a joint"),
            }
        } else if is("CHANNELS") {
            words.next();
            let count = words.whole("the number of channels")?;
            if count > 6 {
                return words.fail(format!("a joint has at most 6 channels, not {count}"));
            }
            let mut channels = Vec::with_capacity(count);
            for _ in 0..count {
                channels.push(channel(words)?);
            }
            match open.last() {
                Some(joint) => tree.joints[*joint].channels = channels,
                None => return words.fail("CHANNELS stand outside of a joint"),
            }
        } else {
            let found = show(word);
            return words
                .fail(format!("expected JOINT, End Site, OFFSET, CHANNELS, }} or MOTION, found `{found}`"));
        }
    }
}

fn channel(words: &mut Words<'_>) -> Result<Channel, BvhError> {
    let Some(word) = words.next() else { return words.fail("expected a channel, but the file ends") };
    let lower = word.to_ascii_lowercase();
    let axis = match lower.first() {
        Some(b'x') => 0,
        Some(b'y') => 1,
        Some(b'z') => 2,
        _ => 3,
    };
    match lower.get(1..) {
        Some(b"position") if axis < 3 => Ok(Channel::Position(axis)),
        Some(b"rotation") if axis < 3 => Ok(Channel::Rotation(axis)),
        _ => words.fail(format!("expected a channel such as Xposition or Zrotation, found `{}`", show(word))),
    }
}
