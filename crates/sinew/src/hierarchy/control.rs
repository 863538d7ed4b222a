//! Controls: values with limits and a shape, which people and games move.

use crate::math::{Quat, Transform, Vec3, ceil, floor, max, min as min_of, round};

/// What a control holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ControlKind {
    /// One number.
    Float,
    /// On or off.
    Bool,
    /// A whole number.
    Int,
    /// Two numbers.
    Vec2,
    /// A position, metres.
    Position,
    /// A rotation.
    Rotation,
    /// Factors by axis.
    Scale,
    /// All three.
    #[default]
    Transform,
}

impl ControlKind {
    /// True for float, bool, int and vec2: numbers rather than a place.
    pub const fn is_number(self) -> bool {
        matches!(self, Self::Float | Self::Bool | Self::Int | Self::Vec2)
    }
}

/// Names of the shapes that every host draws; a host may know more.
pub const CONTROL_SHAPES: [&str; 9] =
    ["circle", "box", "sphere", "diamond", "arrow", "cross", "square", "line", "pin"];

/// The largest magnitude of an int control: up to there an `f32` holds every whole number.
const MOST: f32 = 16_777_216.0;

/// A control's value. Numbers lie in the translation: a float in x, a vec2 in x and y; a bool is 1
/// or 0. So every control moves, and a host can draw its value as its place.
pub type ControlValue = Transform;

/// How a control behaves and looks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ControlSettings {
    /// What it holds.
    pub kind: ControlKind,
    /// The value it starts with.
    pub value: ControlValue,
    /// Least translation (or number), by axis; `-inf` is free.
    pub min: Option<Vec3>,
    /// Greatest translation (or number), by axis; `inf` is free.
    pub max: Option<Vec3>,
    /// The name of its shape, one of [`CONTROL_SHAPES`] or the host's own; empty for none.
    pub shape: String,
    /// The shape relative to the control.
    pub shape_transform: Transform,
    /// r g b a, linear.
    pub color: [f32; 4],
}

impl ControlSettings {
    /// The value with what its kind does not hold taken away and its limits kept. An int is rounded
    /// to the nearest whole number within its limits, a bool is 0 or 1. Where a least value is above
    /// the greatest, the greatest holds. A NaN in what the kind holds stays one, but for a bool.
    pub fn clamp(&self, v: ControlValue) -> ControlValue {
        let Vec3 { x, y, .. } = v.translation;
        let numbers = |x, y| Transform::from_translation(Vec3::new(x, y, 0.0));
        match self.kind {
            ControlKind::Bool => numbers(f32::from(u8::from(x != 0.0)), 0.0),
            ControlKind::Int => numbers(self.whole(x), 0.0),
            ControlKind::Float => numbers(self.limit(Vec3::new(x, 0.0, 0.0)).x, 0.0),
            ControlKind::Vec2 => {
                let held = self.limit(Vec3::new(x, y, 0.0));
                numbers(held.x, held.y)
            }
            ControlKind::Position => Transform::from_translation(self.limit(v.translation)),
            ControlKind::Rotation => Transform::from_rotation(v.rotation),
            // A scale's limits are on its factors.
            ControlKind::Scale => Transform::new(Vec3::ZERO, Quat::IDENTITY, self.limit(v.scale)),
            ControlKind::Transform => Transform { translation: self.limit(v.translation), ..v },
        }
    }

    fn limit(&self, v: Vec3) -> Vec3 {
        let by = |x: f32, of: fn(Vec3) -> f32| {
            let x = self.min.map(of).map_or(x, |m| if x < m { m } else { x });
            self.max.map(of).map_or(x, |m| if x > m { m } else { x })
        };
        Vec3::new(by(v.x, |v| v.x), by(v.y, |v| v.y), by(v.z, |v| v.z))
    }

    fn whole(&self, x: f32) -> f32 {
        let (x, min) = (round(x), self.min.map_or(-MOST, |m| max(ceil(m.x), -MOST)));
        let x = if x < min { min } else { x };
        let max = self.max.map_or(MOST, |m| min_of(floor(m.x), MOST));
        if x > max { max } else { x }
    }

    /// True if no number is NaN or infinite, but for limits, which may be infinite.
    pub(super) fn is_sound(&self) -> bool {
        let limit = |v: Option<Vec3>| v.is_none_or(|v| !(v.x.is_nan() || v.y.is_nan() || v.z.is_nan()));
        let color = self.color.iter().all(|c| c.is_finite());
        self.value.is_finite()
            && self.shape_transform.is_finite()
            && limit(self.min)
            && limit(self.max)
            && color
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_keeps_to_its_kind_and_limits() {
        let wild = Transform::new(Vec3::new(5.7, -5.0, 9.0), Quat::IDENTITY, Vec3::splat(3.0));
        let settings = |kind| ControlSettings {
            kind,
            min: Some(Vec3::splat(-1.0)),
            max: Some(Vec3::splat(2.0)),
            ..ControlSettings::default()
        };
        let at = |kind| settings(kind).clamp(wild).translation;
        assert_eq!(at(ControlKind::Float), Vec3::new(2.0, 0.0, 0.0));
        assert_eq!(at(ControlKind::Int), Vec3::new(2.0, 0.0, 0.0));
        assert_eq!(at(ControlKind::Bool), Vec3::new(1.0, 0.0, 0.0));
        assert_eq!(at(ControlKind::Vec2), Vec3::new(2.0, -1.0, 0.0));
        assert_eq!(at(ControlKind::Position), Vec3::new(2.0, -1.0, 2.0));
        assert_eq!(settings(ControlKind::Scale).clamp(wild).scale, Vec3::splat(2.0));
        assert_eq!(settings(ControlKind::Rotation).clamp(wild).translation, Vec3::ZERO);
    }

    #[test]
    fn an_int_is_whole_also_at_its_limits() {
        let of = |min: f32, max: f32, x: f32| {
            let settings = ControlSettings {
                kind: ControlKind::Int,
                min: Some(Vec3::splat(min)),
                max: Some(Vec3::splat(max)),
                ..ControlSettings::default()
            };
            settings.clamp(Transform::from_translation(Vec3::new(x, 9.0, 9.0))).translation
        };
        assert_eq!(of(0.5, 3.5, 0.0).x, 1.0);
        assert_eq!(of(0.5, 3.5, 9.0), Vec3::new(3.0, 0.0, 0.0));
        assert_eq!(of(0.5, 3.5, 1.6).x, 2.0);
        assert_eq!(of(f32::NEG_INFINITY, f32::INFINITY, 3e9).x, MOST);
        assert_eq!(of(5.0, 3.0, 4.0).x, 3.0);
    }

    #[test]
    fn free_axes_are_free() {
        let settings = ControlSettings {
            kind: ControlKind::Position,
            min: Some(Vec3::new(0.0, f32::NEG_INFINITY, f32::NEG_INFINITY)),
            max: Some(Vec3::new(f32::INFINITY, 1.0, f32::INFINITY)),
            ..ControlSettings::default()
        };
        let at = |x, y, z| settings.clamp(Transform::from_translation(Vec3::new(x, y, z))).translation;
        assert_eq!(at(-5.0, -5.0, -5.0), Vec3::new(0.0, -5.0, -5.0));
        assert_eq!(at(5.0, 5.0, 5.0), Vec3::new(5.0, 1.0, 5.0));
    }
}
