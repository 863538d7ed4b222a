//! Two units outside of Sinew's library.
//!
//! A unit is a documented function under `#[unit]`; [`all`] lists the definitions, and a host adds
//! them with `Registry::standard().with(custom_units::all())`. From then on rigs use them like any
//! other.

use sinew::hierarchy::{ElementId, Hierarchy};
use sinew::math::Vec3;
use sinew::units::vector::add_vec3;
use sinew::vm::{Frame, LogValue, Severity, UnitDef};
use sinew_macros::unit;

/// The units of this crate.
pub fn all() -> Vec<UnitDef> {
    sinew::units![check_bone_length, add_safe]
}

/// Checks the length of a bone, its distance to its parent, against a range in metres. Outside of it
/// a warning with the length and the limit that it breaks is logged, and the result is false. A
/// length that is not a number is outside of every range. A bone without a parent is measured from
/// the character's origin.
#[unit("Example.CheckBoneLength")]
pub fn check_bone_length(
    rig: &Hierarchy,
    frame: &mut Frame,
    /// The bone.
    item: ElementId,
    /// Metres.
    #[pin(min = 0.0)]
    minimum: f32,
    /// Metres.
    #[pin(default = 1.0, min = 0.0)]
    maximum: f32,
) -> bool {
    // Reading a bone has brought what it hangs on up to date too.
    let parent = rig.topology().parent(item);
    let length = rig.global(item).translation.distance(rig.global(parent).translation);
    if length < minimum {
        frame.log.note(Severity::Warning, "bone too short: length, minimum", LogValue::Pair(length, minimum));
    } else if length > maximum || length.is_nan() {
        frame.log.note(Severity::Warning, "bone too long: length, maximum", LogValue::Pair(length, maximum));
    }
    length >= minimum && length <= maximum
}

/// Sum of two vectors, where NaN and infinity count as 0: the library's `Math.Add` made safe.
#[unit("Example.AddSafe")]
pub fn add_safe(a: Vec3, b: Vec3) -> Vec3 {
    let or_zero = |v: f32| if v.is_finite() { v } else { 0.0 };
    let safe = |v: Vec3| Vec3::new(or_zero(v.x), or_zero(v.y), or_zero(v.z));
    // The sum of two great numbers may overflow in its turn.
    safe(add_vec3(safe(a), safe(b)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew::hierarchy::{ElementKey, ElementSpec};
    use sinew::math::Transform;
    use sinew::vm::{Registry, UnitKind};

    #[test]
    fn a_bone_outside_its_range_is_told_with_the_values() {
        let at = |v| Transform::from_translation(v);
        let bones = [
            ElementSpec::new(ElementKey::bone("root"), ElementId::NONE).at(at(Vec3::Y)),
            ElementSpec::new(ElementKey::bone("tip"), ElementId(0)).at(at(Vec3::new(0.3, 0.0, 0.4))),
        ];
        let (rig, mut frame) = (Hierarchy::new(bones).expect("two bones"), Frame::new(1));
        let mut check =
            |minimum, maximum| check_bone_length(&rig, &mut frame, ElementId(1), minimum, maximum);
        assert!(check(0.4, 0.6));
        assert!(!check(0.6, 1.0));
        assert!(!check(0.0, 0.25));
        let said: Vec<_> = frame.log.entries().iter().map(|e| (e.severity, e.value)).collect();
        let pair = |limit| (Severity::Warning, LogValue::Pair(0.5, limit));
        assert_eq!(said, [pair(0.6), pair(0.25)]);
    }

    #[test]
    fn sums_are_safe() {
        let v = Vec3::new(1.0, 2.0, 3.0);
        assert_eq!(add_safe(v, v), add_vec3(v, v));
        assert_eq!(add_safe(v, Vec3::new(f32::NAN, f32::INFINITY, 1.0)), Vec3::new(1.0, 2.0, 4.0));
        assert_eq!(add_safe(Vec3::splat(f32::MAX), Vec3::splat(f32::MAX)), Vec3::ZERO);
    }

    #[test]
    fn they_stand_beside_the_librarys() {
        let registry = Registry::standard().with(all());
        let [check] = registry.overloads("Example.CheckBoneLength") else { panic!("one form") };
        assert_eq!(
            check.signature(),
            "Example.CheckBoneLength(item:Element,minimum:Float,maximum:Float)->(result:Bool)"
        );
        assert_eq!(check.kind, UnitKind::Writing);
        assert!(check.source.file.ends_with("lib.rs"));
        let [add] = registry.overloads("Example.AddSafe") else { panic!("one form") };
        assert_eq!(add.kind, UnitKind::Pure);
        assert!(!registry.overloads("Math.Add").is_empty());
    }
}
