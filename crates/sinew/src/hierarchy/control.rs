//! Controls: values with limits and a shape, which people and games move.

use crate::math::{Quat, Transform, Vec3};

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
    /// The name of its shape, such as `circle`; empty for none.
    pub shape: String,
    /// The shape relative to the control.
    pub shape_transform: Transform,
    /// r g b a, linear.
    pub color: [f32; 4],
}

impl ControlSettings {
    /// The value with what its kind does not hold taken away and its limits kept.
    pub fn clamp(&self, v: ControlValue) -> ControlValue {
        let only = |x: bool, y: bool, z: bool| {
            let t = v.translation;
            Vec3::new(if x { t.x } else { 0.0 }, if y { t.y } else { 0.0 }, if z { t.z } else { 0.0 })
        };
        let value = match self.kind {
            ControlKind::Float => Transform::from_translation(only(true, false, false)),
            ControlKind::Bool => {
                Transform::from_translation(Vec3::new(f32::from(u8::from(v.translation.x != 0.0)), 0.0, 0.0))
            }
            ControlKind::Int => {
                Transform::from_translation(Vec3::new((v.translation.x as i32) as f32, 0.0, 0.0))
            }
            ControlKind::Vec2 => Transform::from_translation(only(true, true, false)),
            ControlKind::Position => Transform::from_translation(v.translation),
            ControlKind::Rotation => Transform::from_rotation(v.rotation),
            ControlKind::Scale => Transform::new(Vec3::ZERO, Quat::IDENTITY, v.scale),
            ControlKind::Transform => v,
        };
        let limit = |x: f32, min: Option<f32>, max: Option<f32>| {
            let x = min.map_or(x, |m| if x < m { m } else { x });
            max.map_or(x, |m| if x > m { m } else { x })
        };
        let by = |f: fn(Vec3) -> f32, x: f32| limit(x, self.min.map(f), self.max.map(f));
        // A scale's limits are on its factors, all others' on the translation.
        let held = if self.kind == ControlKind::Scale { value.scale } else { value.translation };
        let held = Vec3::new(by(|v| v.x, held.x), by(|v| v.y, held.y), by(|v| v.z, held.z));
        match self.kind {
            ControlKind::Scale => Transform { scale: held, ..value },
            ControlKind::Rotation => value,
            _ => Transform { translation: held, ..value },
        }
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
        assert_eq!(at(ControlKind::Bool), Vec3::new(1.0, 0.0, 0.0));
        assert_eq!(at(ControlKind::Vec2), Vec3::new(2.0, -1.0, 0.0));
        assert_eq!(at(ControlKind::Position), Vec3::new(2.0, -1.0, 2.0));
        assert_eq!(settings(ControlKind::Scale).clamp(wild).scale, Vec3::splat(2.0));
        assert_eq!(settings(ControlKind::Rotation).clamp(wild).translation, Vec3::ZERO);
    }
}
