//! Joints, their parents and their rest transforms.

use std::collections::{HashMap, HashSet};

use thiserror::Error;

use crate::math::Transform;

/// One joint: a named transform below its parent.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// Name; unique within a [`Skeleton`].
    pub name: String,
    /// Index of the parent, which may come later than the joint itself; `None` for a root.
    pub parent: Option<usize>,
    /// Transform to the parent when nothing animates the joint.
    pub rest: Transform,
}

/// A scalar that a pose carries beside the joints, for instance a morph target's weight.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// Name, for instance `Head.smile`.
    pub name: String,
    /// The joint (glTF: the node with the mesh) that the scalar belongs to.
    pub joint: usize,
    /// Value when nothing animates it.
    pub rest: f32,
}

/// Joints in a fixed order with unique names, and the curves beside them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Skeleton {
    joints: Vec<Joint>,
    curves: Vec<Curve>,
    order: Vec<usize>,
    by_name: HashMap<String, usize>,
    /// Names as they were given, where a joint had to be renamed.
    source_names: HashMap<usize, String>,
}

/// Why joints do not make a skeleton.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum SkeletonError {
    /// A parent index past the last joint.
    #[error(
        "joint {joint} ({name}) has parent {parent}, but there are {count} joints; use an index below {count}"
    )]
    ParentOutOfRange {
        /// The joint.
        joint: usize,
        /// Its name.
        name: String,
        /// Its parent index.
        parent: usize,
        /// Number of joints.
        count: usize,
    },
    /// A joint that is its own ancestor.
    #[error("joint {joint} ({name}) is its own ancestor; break the cycle of parents")]
    Cycle {
        /// A joint on the cycle.
        joint: usize,
        /// Its name.
        name: String,
    },
    /// A curve that belongs to no joint.
    #[error("curve {curve} belongs to joint {joint}, but there are {count} joints")]
    CurveOutOfRange {
        /// The curve.
        curve: usize,
        /// Its joint index.
        joint: usize,
        /// Number of joints.
        count: usize,
    },
}

impl Skeleton {
    /// Checks the parents and makes the names unique: the first joint of a name keeps it, later
    /// ones become `Name.001`, `Name.002`, … in index order, skipping names that are taken by any
    /// joint; an empty name becomes `node_12` after the joint's index. [`Self::source_name`] gives
    /// the name as it was.
    pub fn new(joints: Vec<Joint>) -> Result<Self, SkeletonError> {
        Self::with_curves(joints, Vec::new())
    }

    /// As [`Self::new`], with curves. The curves of one joint should stand together.
    pub fn with_curves(mut joints: Vec<Joint>, curves: Vec<Curve>) -> Result<Self, SkeletonError> {
        let order = parents_first(&joints)?;
        if let Some((curve, c)) = curves.iter().enumerate().find(|(_, c)| c.joint >= joints.len()) {
            return Err(SkeletonError::CurveOutOfRange { curve, joint: c.joint, count: joints.len() });
        }
        let mut source_names = HashMap::new();
        let unique = unique_names(joints.iter().map(|j| j.name.as_str()), "node");
        for (i, (joint, name)) in joints.iter_mut().zip(unique).enumerate() {
            if joint.name != name {
                source_names.insert(i, std::mem::replace(&mut joint.name, name));
            }
        }
        let by_name = joints.iter().enumerate().map(|(i, j)| (j.name.clone(), i)).collect();
        Ok(Self { joints, curves, order, by_name, source_names })
    }

    /// Number of joints.
    pub fn len(&self) -> usize {
        self.joints.len()
    }

    /// True if there is no joint.
    pub fn is_empty(&self) -> bool {
        self.joints.is_empty()
    }

    /// All joints, by index.
    pub fn joints(&self) -> &[Joint] {
        &self.joints
    }

    /// One joint.
    pub fn joint(&self, index: usize) -> Option<&Joint> {
        self.joints.get(index)
    }

    /// Parent of a joint; `None` for a root and for an index out of range.
    pub fn parent(&self, index: usize) -> Option<usize> {
        self.joints.get(index).and_then(|j| j.parent)
    }

    /// Joint indices in depth-first order: every parent before its children, siblings by index.
    pub fn order(&self) -> &[usize] {
        &self.order
    }

    /// Index of the joint of that name. Looks a hash table up: bind once, not per frame.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// The joint's name before it was made unique; empty for an unnamed joint.
    pub fn source_name(&self, index: usize) -> &str {
        match (self.source_names.get(&index), self.joints.get(index)) {
            (Some(name), _) => name,
            (None, Some(joint)) => &joint.name,
            (None, None) => "",
        }
    }

    /// The curves that a pose of this skeleton carries.
    pub fn curves(&self) -> &[Curve] {
        &self.curves
    }

    /// First curve and number of curves of a joint; `(0, 0)` if it has none.
    pub fn curves_of(&self, joint: usize) -> (usize, usize) {
        match self.curves.iter().position(|c| c.joint == joint) {
            Some(first) => (first, self.curves.iter().skip(first).take_while(|c| c.joint == joint).count()),
            None => (0, 0),
        }
    }
}

/// Makes names unique by the rule of [`Skeleton::new`], with `prefix_INDEX` for empty ones.
pub(crate) fn unique_names<'a>(names: impl Iterator<Item = &'a str> + Clone, prefix: &str) -> Vec<String> {
    let reserved: HashSet<&str> = names.clone().filter(|n| !n.is_empty()).collect();
    let mut used: HashSet<String> = HashSet::new();
    // The next number by base name, so that many joints of one name stay linear.
    let mut next: HashMap<String, usize> = HashMap::new();
    names
        .enumerate()
        .map(|(i, name)| {
            let base = if name.is_empty() { format!("{prefix}_{i}") } else { name.to_owned() };
            let mut unique = base.clone();
            // A made-up name gives way to a joint that has it by right, also a later one.
            if used.contains(&unique) || (name.is_empty() && reserved.contains(unique.as_str())) {
                let n = next.entry(base.clone()).or_insert(1);
                loop {
                    unique = format!("{base}.{n:03}");
                    *n += 1;
                    if !used.contains(&unique) && !reserved.contains(unique.as_str()) {
                        break;
                    }
                }
            }
            used.insert(unique.clone());
            unique
        })
        .collect()
}

/// Depth-first order without recursion: chains may be as long as memory holds.
fn parents_first(joints: &[Joint]) -> Result<Vec<usize>, SkeletonError> {
    const NONE: usize = usize::MAX;
    let count = joints.len();
    let mut first_child = vec![NONE; count];
    let mut next_sibling = vec![NONE; count];
    let mut stack = Vec::new();
    for (i, joint) in joints.iter().enumerate().rev() {
        match joint.parent {
            None => stack.push(i),
            Some(parent) => {
                let (Some(first), Some(next)) = (first_child.get_mut(parent), next_sibling.get_mut(i)) else {
                    return Err(SkeletonError::ParentOutOfRange {
                        joint: i,
                        name: joint.name.clone(),
                        parent,
                        count,
                    });
                };
                *next = *first;
                *first = i;
            }
        }
    }
    let mut order = Vec::with_capacity(count);
    let mut reached = vec![false; count];
    let mut children = Vec::new();
    while let Some(i) = stack.pop() {
        order.push(i);
        if let Some(r) = reached.get_mut(i) {
            *r = true;
        }
        let mut child = first_child.get(i).copied().unwrap_or(NONE);
        while child != NONE {
            children.push(child);
            child = next_sibling.get(child).copied().unwrap_or(NONE);
        }
        stack.extend(children.drain(..).rev());
    }
    // What no root reaches hangs on a cycle; walking up from there ends on the cycle itself.
    if let Some(lost) = reached.iter().position(|r| !r) {
        let mut joint = lost;
        for _ in 0..count {
            joint = joints.get(joint).and_then(|j| j.parent).unwrap_or(joint);
        }
        let name = joints.get(joint).map(|j| j.name.clone()).unwrap_or_default();
        return Err(SkeletonError::Cycle { joint, name });
    }
    Ok(order)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joint(name: &str, parent: Option<usize>) -> Joint {
        Joint { name: name.into(), parent, rest: Transform::IDENTITY }
    }

    #[test]
    fn order_puts_parents_first_also_when_they_come_later() {
        let s = Skeleton::new(vec![
            joint("tip", Some(1)),
            joint("mid", Some(3)),
            joint("other", None),
            joint("root", None),
        ])
        .unwrap();
        assert_eq!(s.order(), [2, 3, 1, 0]);
    }

    #[test]
    fn names_are_unique_and_a_joint_keeps_its_own_name() {
        // The joint really called "a.001" keeps its name although a duplicate comes before it.
        let s = Skeleton::new(vec![
            joint("a", None),
            joint("a", None),
            joint("a.001", None),
            joint("", None),
            joint("a", None),
        ])
        .unwrap();
        let names: Vec<_> = s.joints().iter().map(|j| j.name.as_str()).collect();
        assert_eq!(names, ["a", "a.002", "a.001", "node_3", "a.003"]);
        assert_eq!(s.source_name(1), "a");
        assert_eq!(s.source_name(3), "");
        assert_eq!(s.find("a.002"), Some(1));
        // A joint that is called like a made-up name.
        let s = Skeleton::new(vec![joint("", None), joint("node_0", None)]).unwrap();
        assert_eq!((s.find("node_0"), s.find("node_0.001")), (Some(1), Some(0)));
    }

    #[test]
    fn bad_parents_are_errors_that_name_the_joint() {
        assert!(matches!(
            Skeleton::new(vec![joint("a", Some(7))]),
            Err(SkeletonError::ParentOutOfRange { joint: 0, parent: 7, .. })
        ));
        let cycle = Skeleton::new(vec![joint("tail", Some(1)), joint("x", Some(2)), joint("y", Some(1))]);
        assert!(matches!(cycle, Err(SkeletonError::Cycle { joint: 1 | 2, .. })), "{cycle:?}");
        assert!(matches!(
            Skeleton::new(vec![joint("self", Some(0))]),
            Err(SkeletonError::Cycle { joint: 0, .. })
        ));
    }

    #[test]
    fn a_chain_of_100_000_joints_needs_no_deep_stack() {
        let n = 100_000;
        let joints = (0..n).map(|i| joint("", (i + 1 < n).then_some(i + 1))).collect();
        let s = Skeleton::new(joints).unwrap();
        assert_eq!((s.order().first(), s.order().last()), (Some(&(n - 1)), Some(&0)));
    }
}
