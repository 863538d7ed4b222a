//! Runs a unit by its entry point, as the interpreter does, for the tests of units.

use super::{Cx, Direction, Elements, FaultKind, Frame, Memory, UnitDef, words_of};
use crate::hierarchy::{
    ControlKind, ControlSettings, ElementId, ElementKey, ElementKind, ElementSpec, Hierarchy, Parent,
};
use crate::math::{Quat, Transform, Vec3};
use crate::value::{Plain, Type};

/// Words that stand for the type variable.
const ANY_WORDS: u32 = 3;
/// Elements that an array of open capacity holds.
const ARRAY_CAPACITY: u32 = 4;

/// A place to run units in: a small character, a frame, and one node's state.
pub(crate) struct Bench {
    pub rig: Hierarchy,
    pub frame: Frame,
    state: Option<Vec<u32>>,
}

/// The bones `root` (0), `arm` (1), `elbow` (2), `hand` (3) in a line of half a metre each.
pub(crate) const BONES: [ElementId; 4] = [ElementId(0), ElementId(1), ElementId(2), ElementId(3)];
/// A null with two parents: the root and the hand.
pub(crate) const FOLLOWER: ElementId = ElementId(4);
/// A control that holds a transform, under the root.
pub(crate) const CONTROL: ElementId = ElementId(5);
/// A control that holds a number from -1 to 2.
pub(crate) const SLIDER: ElementId = ElementId(6);
/// A curve.
pub(crate) const CURVE: ElementId = ElementId(7);

fn elements() -> Vec<ElementSpec> {
    let bone = |name: &str, parent: ElementId, at: Vec3| {
        ElementSpec::new(ElementKey::bone(name), parent).at(Transform::from_translation(at))
    };
    let [root, arm, elbow, hand] = BONES;
    let mut follower = ElementSpec::new(ElementKey::new(ElementKind::Null, "follower"), root);
    follower.parents = vec![Parent { id: root, weight: 1.0 }, Parent { id: hand, weight: 0.0 }];
    let mut control = ElementSpec::new(ElementKey::new(ElementKind::Control, "control"), root)
        .at(Transform::from_translation(Vec3::new(0.0, 1.0, 0.0)));
    control.control = Some(ControlSettings { kind: ControlKind::Transform, ..ControlSettings::default() });
    let mut slider = ElementSpec::new(ElementKey::new(ElementKind::Control, "slider"), root);
    slider.control = Some(ControlSettings {
        kind: ControlKind::Float,
        min: Some(Vec3::splat(-1.0)),
        max: Some(Vec3::splat(2.0)),
        ..ControlSettings::default()
    });
    let curve = ElementSpec::new(ElementKey::new(ElementKind::Curve, "curve"), ElementId::NONE);
    vec![
        bone("root", ElementId::NONE, Vec3::ZERO),
        bone("arm", root, Vec3::new(0.5, 0.0, 0.0)),
        bone("elbow", arm, Vec3::new(0.5, 0.0, 0.0)),
        bone("hand", elbow, Vec3::new(0.5, 0.0, 0.0)),
        follower,
        control,
        slider,
        curve,
    ]
}

impl Bench {
    pub fn new() -> Self {
        let rig = Hierarchy::new(elements()).expect("the elements of the tests");
        let mut frame = Frame::new(1);
        frame.dt = 1.0 / 60.0;
        Self { rig, frame, state: None }
    }

    /// Words of a pin's type with sizes put for what is open.
    pub fn words(ty: &Type) -> u32 {
        match ty {
            Type::Any => ANY_WORDS,
            Type::Array(elem, 0) => 1 + Self::words(elem) * ARRAY_CAPACITY,
            ty => ty.words(),
        }
    }

    /// Runs a unit once. `input` fills a pin's words, which hold its default (zeros where it has
    /// none); the words of all pins come back in their order.
    pub fn run(
        &mut self,
        unit: &UnitDef,
        mut input: impl FnMut(usize, &mut [u32]),
    ) -> Result<Vec<Vec<u32>>, FaultKind> {
        let mut memory: Vec<[u32; 1]> = Vec::new();
        let mut args = Vec::new();
        if unit.is_generic() {
            args.push(ANY_WORDS);
        }
        let mut spans = Vec::new();
        for (i, pin) in unit.pins.iter().enumerate() {
            let mut words = pin.default.clone();
            words.resize(Self::words(&pin.ty) as usize, 0);
            input(i, &mut words);
            args.push(memory.len() as u32);
            if matches!(pin.ty, Type::Array(..)) {
                args.push(ARRAY_CAPACITY);
            }
            spans.push(memory.len()..memory.len() + words.len());
            memory.extend(words.into_iter().map(|w| [w]));
        }
        let state_at = memory.len();
        if let Some(fresh) = &unit.state {
            let kept = self.state.get_or_insert_with(|| fresh.clone());
            memory.extend(kept.iter().map(|w| [*w]));
            args.push(0);
        }
        let (rig, frame) = (&mut self.rig, &mut self.frame);
        let mut cx = Cx {
            memory: Memory::new(&mut memory, state_at),
            rig: Elements::One(rig),
            frames: core::array::from_mut(frame),
            fault: None,
        };
        (unit.entry)(&mut cx, &args);
        if let Some(fault) = cx.fault.take() {
            return Err(fault);
        }
        if unit.state.is_some() {
            self.state = Some(memory[state_at..].iter().map(|w| w[0]).collect());
        }
        Ok(spans.into_iter().map(|s| memory[s].iter().map(|w| w[0]).collect()).collect())
    }

    /// Runs a unit with pins by name and gives its first result.
    pub fn call<R: Plain>(&mut self, unit: &UnitDef, inputs: &[(&str, Vec<u32>)]) -> R {
        for (name, _) in inputs {
            assert!(unit.pin(name).is_some(), "{} has no pin {name}", unit.name);
        }
        let fill = |i: usize, words: &mut [u32]| {
            let pin = unit.pins.get(i).map_or("", |p| p.name);
            if let Some((_, given)) = inputs.iter().find(|(name, _)| *name == pin) {
                words[..given.len()].copy_from_slice(given);
            }
        };
        let pins = self.run(unit, fill).expect("no fault");
        let out = unit.pins.iter().position(|p| p.direction == Direction::Out).expect("a result");
        R::read(|i| pins[out][i])
    }
}

/// The words of an array of plain values.
pub(crate) fn array_words<T: Plain>(items: &[T]) -> Vec<u32> {
    let mut words = vec![items.len() as u32];
    for item in items {
        words.extend(words_of(*item));
    }
    words
}

/// The elements of an array's words.
pub(crate) fn array_of<T: Plain>(words: &[u32]) -> Vec<T> {
    let count = words.first().map_or(0, |n| *n as usize);
    (0..count).map(|i| T::read(|w| words[1 + i * T::WORDS + w])).collect()
}

/// A rotation of a quarter turn about an axis.
pub(crate) fn quarter(axis: Vec3) -> Quat {
    Quat::from_axis_angle(axis, core::f32::consts::FRAC_PI_2)
}
