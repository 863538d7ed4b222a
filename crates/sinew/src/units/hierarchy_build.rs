//! Adding elements. They belong into `setup`, which runs once when a program is bound to a skeleton;
//! in any other event they end the frame, as elements are fixed from then on.

use sinew_macros::unit;

use crate::hierarchy::{
    ControlKind, ControlSettings, ElementId, ElementKey, ElementKind, ElementSpec, Hierarchy, Parent, Space,
};
use crate::math::{Color, Transform, Vec3, max};
use crate::value::Name;
use crate::vm::{FaultKind, Frame, UnitDef};

/// The units of this file.
pub fn all() -> Vec<UnitDef> {
    crate::units![add_bone, add_null, add_socket, add_control, add_curve, add_parent]
}

crate::pin_enum!(ControlKind { Transform, Position, Rotation, Scale, Float, Bool, Int, Vec2 });

/// Faults where elements are fixed by now, or a name is empty.
fn may_add(frame: &Frame, name: Name) -> Result<&str, FaultKind> {
    if !frame.building {
        return Err(FaultKind::Unit("elements can be added in `setup` alone; move the node there"));
    }
    match frame.assets.name(name) {
        "" => Err(FaultKind::Unit("an element needs a name; set the pin `name`")),
        name => Ok(name),
    }
}

/// The transform relative to the parent.
fn local(rig: &mut Hierarchy, parent: ElementId, transform: Transform, space: Space) -> Transform {
    match space {
        Space::Local => transform,
        Space::Global => {
            rig.update_all();
            let on = if parent.is_some() { rig.initial_global(parent) } else { Transform::IDENTITY };
            on.to_local(transform)
        }
    }
}

/// What is added and where.
struct Place {
    kind: ElementKind,
    parent: ElementId,
    transform: Transform,
    space: Space,
}

fn add(
    rig: &mut Hierarchy,
    frame: &Frame,
    name: Name,
    place: Place,
    control: Option<ControlSettings>,
) -> Result<ElementId, FaultKind> {
    let key = ElementKey::new(place.kind, may_add(frame, name)?);
    let initial = local(rig, place.parent, place.transform, place.space);
    let mut spec = ElementSpec::new(key, place.parent).at(initial);
    spec.control = control;
    Ok(rig.add(&spec)?)
}

/// Adds a bone, in `setup`. The bones of the skeleton are there already.
#[unit("Hierarchy.AddBone", outputs(item))]
pub fn add_bone(
    rig: &mut Hierarchy,
    frame: &Frame,
    /// New among the bones.
    name: Name,
    /// What it hangs on; none is the world.
    parent: ElementId,
    /// Its initial transform.
    transform: Transform,
    /// What `transform` is relative to; `Global` goes by the initial pose.
    #[pin(default = Space::Local)]
    space: Space,
) -> Result<ElementId, FaultKind> {
    add(rig, frame, name, Place { kind: ElementKind::Bone, parent, transform, space }, None)
}

/// Adds a null, a place that carries others and is not skinned, in `setup`.
#[unit("Hierarchy.AddNull", outputs(item))]
pub fn add_null(
    rig: &mut Hierarchy,
    frame: &Frame,
    /// New among the nulls.
    name: Name,
    /// What it hangs on; none is the world.
    parent: ElementId,
    /// Its initial transform.
    transform: Transform,
    /// What `transform` is relative to; `Global` goes by the initial pose.
    #[pin(default = Space::Local)]
    space: Space,
) -> Result<ElementId, FaultKind> {
    add(rig, frame, name, Place { kind: ElementKind::Null, parent, transform, space }, None)
}

/// Adds a socket, a named place for things that a host attaches, in `setup`.
#[unit("Hierarchy.AddSocket", outputs(item))]
pub fn add_socket(
    rig: &mut Hierarchy,
    frame: &Frame,
    /// New among the sockets.
    name: Name,
    /// What it hangs on; none is the world.
    parent: ElementId,
    /// Its initial transform.
    transform: Transform,
    /// What `transform` is relative to; `Global` goes by the initial pose.
    #[pin(default = Space::Local)]
    space: Space,
) -> Result<ElementId, FaultKind> {
    add(rig, frame, name, Place { kind: ElementKind::Socket, parent, transform, space }, None)
}

/// Adds a control, in `setup`.
#[unit("Hierarchy.AddControl", outputs(item))]
pub fn add_control(
    rig: &mut Hierarchy,
    frame: &Frame,
    /// New among the controls.
    name: Name,
    /// What it hangs on; none is the world.
    parent: ElementId,
    /// Where its zero is.
    offset: Transform,
    /// What `offset` is relative to; `Global` goes by the initial pose.
    #[pin(default = Space::Local)]
    space: Space,
    /// What it holds.
    kind: ControlKind,
    /// The value it starts with; numbers lie in the translation.
    value: Transform,
    /// Whether `least` and `greatest` bound the translation, or the number in its x.
    limited: bool,
    /// Least value by axis.
    least: Vec3,
    /// Greatest value by axis.
    #[pin(default = Vec3::ONE)]
    greatest: Vec3,
    /// `circle`, `box`, `sphere`, `diamond`, `arrow`, `cross`, `square`, `line`, `pin`, or a host's
    /// own.
    shape: Name,
    /// The size of its shape, metres.
    #[pin(default = 0.1, min = 0.0)]
    size: f32,
    color: Color,
) -> Result<ElementId, FaultKind> {
    let settings = ControlSettings {
        kind,
        value,
        min: limited.then_some(least),
        max: limited.then_some(greatest),
        shape: frame.assets.name(shape).to_string(),
        shape_transform: Transform { scale: Vec3::splat(max(size, 0.0)), ..Transform::IDENTITY },
        color: [color.r, color.g, color.b, color.a],
    };
    let place = Place { kind: ElementKind::Control, parent, transform: offset, space };
    add(rig, frame, name, place, Some(settings))
}

/// Adds a curve, a number that travels with the pose, in `setup`.
#[unit("Hierarchy.AddCurve", outputs(item))]
pub fn add_curve(
    rig: &mut Hierarchy,
    frame: &Frame,
    /// New among the curves.
    name: Name,
    /// What it starts with.
    value: f32,
) -> Result<ElementId, FaultKind> {
    let mut spec =
        ElementSpec::new(ElementKey::new(ElementKind::Curve, may_add(frame, name)?), ElementId::NONE);
    spec.value = value;
    Ok(rig.add(&spec)?)
}

/// Gives an element one more parent or space to follow, in `setup`; a circle ends it.
#[unit("Hierarchy.AddParent", outputs(index))]
pub fn add_parent(
    rig: &mut Hierarchy,
    frame: &Frame,
    item: ElementId,
    /// What else it may follow; none is the world.
    parent: ElementId,
    /// How much it follows it at the start: 0 makes it a space to switch to.
    #[pin(min = 0.0)]
    weight: f32,
) -> Result<i32, FaultKind> {
    if !frame.building {
        return Err(FaultKind::Unit("parents can be added in `setup` alone; move the node there"));
    }
    Ok(rig.add_parent(item, Parent { id: parent, weight })? as i32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vm::Assets;
    use crate::vm::testing::{BONES, Bench, CONTROL, CURVE, FOLLOWER, quarter};
    use std::sync::Arc;

    const NEW: Name = Name(1);
    const SHAPE: Name = Name(2);

    /// A bench whose character is being set up, its hand away from where the initial pose has it.
    fn building() -> Bench {
        let mut bench = Bench::new();
        let texts = ["", "new", "circle"].map(String::from).to_vec();
        bench.frame.assets = Arc::new(Assets::new(texts, Vec::new()));
        bench.frame.building = true;
        bench.rig.set_local(BONES[1], Transform::from_rotation(quarter(Vec3::Z)));
        bench
    }

    #[test]
    fn places_are_local_or_in_the_initial_pose() {
        let at = Transform::new(Vec3::new(2.0, 1.0, 0.0), quarter(Vec3::Y), Vec3::ONE);
        type Add =
            fn(&mut Hierarchy, &Frame, Name, ElementId, Transform, Space) -> Result<ElementId, FaultKind>;
        let kinds: [(Add, ElementKind); 3] =
            [(add_bone, ElementKind::Bone), (add_null, ElementKind::Null), (add_socket, ElementKind::Socket)];
        for (add, kind) in kinds {
            let mut bench = building();
            let id = add(&mut bench.rig, &bench.frame, NEW, BONES[3], at, Space::Local).unwrap();
            assert_eq!(bench.rig.topology().key(id), Some(&ElementKey::new(kind, "new")));
            assert_eq!(bench.rig.initial_local(id), at);
            let mut bench = building();
            let id = add(&mut bench.rig, &bench.frame, NEW, BONES[3], at, Space::Global).unwrap();
            bench.rig.update_all();
            assert!(bench.rig.initial_global(id).approx_eq(at, 1e-6), "the pose of now has no part in it");
            // The hand is at 1.5 m along x.
            assert!(bench.rig.initial_local(id).translation.distance(Vec3::new(0.5, 1.0, 0.0)) < 1e-6);
        }
    }

    #[test]
    fn a_control_has_what_its_pins_say() {
        let mut bench = building();
        let (lo, hi) = (Vec3::splat(-1.0), Vec3::splat(2.0));
        let color = Color { r: 0.1, g: 0.2, b: 0.3, a: 0.4 };
        let start = Transform::from_translation(Vec3::new(9.0, 0.0, 0.0));
        let Bench { rig, frame, .. } = &mut bench;
        let id = add_control(
            rig,
            frame,
            NEW,
            BONES[0],
            Transform::from_translation(Vec3::Y),
            Space::Local,
            ControlKind::Float,
            start,
            true,
            lo,
            hi,
            SHAPE,
            -3.0,
            color,
        )
        .unwrap();
        let settings = rig.topology().spec(id).unwrap().control.clone().unwrap();
        assert_eq!((settings.kind, settings.min, settings.max), (ControlKind::Float, Some(lo), Some(hi)));
        assert_eq!(
            (settings.shape.as_str(), settings.shape_transform.scale, settings.color),
            ("circle", Vec3::ZERO, [0.1, 0.2, 0.3, 0.4])
        );
        assert_eq!(rig.control_float(id), 2.0, "the start lies within the limits");
        assert_eq!(rig.initial_local(id).translation, Vec3::Y);
    }

    #[test]
    fn curves_and_further_parents() {
        let mut bench = building();
        let Bench { rig, frame, .. } = &mut bench;
        let curve = add_curve(rig, frame, NEW, 0.75).unwrap();
        assert_eq!(rig.curve(curve), 0.75);
        assert_eq!(add_parent(rig, frame, FOLLOWER, CONTROL, 0.5), Ok(2));
        assert_eq!(rig.parent_weights(FOLLOWER), [1.0, 0.0, 0.5]);
        // The root carries all: it can follow none of them.
        let circle = add_parent(rig, frame, BONES[0], BONES[3], 0.0).unwrap_err();
        assert!(circle.to_string().contains("circle"), "{circle}");
        let on_curve = add_parent(rig, frame, FOLLOWER, CURVE, 0.0).unwrap_err();
        assert!(on_curve.to_string().contains("curve has no transform"), "{on_curve}");
    }

    #[test]
    fn refused_where_it_cannot_be() {
        let mut bench = building();
        let Bench { rig, frame, .. } = &mut bench;
        let here = Transform::IDENTITY;
        let before = rig.len();
        let nameless = add_null(rig, frame, Name(0), BONES[0], here, Space::Local).unwrap_err();
        assert!(nameless.to_string().contains("needs a name"), "{nameless}");
        let lost = add_null(rig, frame, NEW, ElementId(99), here, Space::Local).unwrap_err();
        assert!(lost.to_string().contains("not in the hierarchy"), "{lost}");
        assert_eq!(rig.len(), before);
        add_null(rig, frame, NEW, BONES[0], here, Space::Local).unwrap();
        let twice = add_null(rig, frame, NEW, BONES[0], here, Space::Local).unwrap_err();
        assert!(twice.to_string().contains("`null:new` already"), "{twice}");
        // A bone of that name is another element.
        add_bone(rig, frame, NEW, BONES[0], here, Space::Local).unwrap();

        frame.building = false;
        let late = "in `setup` alone";
        let faults = [
            add_curve(rig, frame, NEW, 0.0).unwrap_err(),
            add_socket(rig, frame, NEW, BONES[0], here, Space::Local).unwrap_err(),
            add_parent(rig, frame, FOLLOWER, CONTROL, 0.0).unwrap_err(),
        ];
        assert!(faults.iter().all(|f| f.to_string().contains(late)), "{faults:?}");
        assert_eq!(rig.len(), before + 2);
    }
}
