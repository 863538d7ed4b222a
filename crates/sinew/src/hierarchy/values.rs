//! Values that are not transforms: curves and controls.

use super::{ControlKind, ControlValue, ElementId, ElementKind, Hierarchy};
use crate::math::{Transform, Vec2, Vec3};

impl Hierarchy {
    /// A curve's value; 0 where there is none.
    #[inline]
    pub fn curve(&self, id: ElementId) -> f32 {
        match self.topology.kind(id) {
            Some(ElementKind::Curve) => self.values[id.index()][0],
            _ => 0.0,
        }
    }

    /// Sets a curve's value. False, and nothing changed, if there is no such curve or the value is
    /// NaN or infinite.
    #[inline]
    pub fn set_curve(&mut self, id: ElementId, value: f32) -> bool {
        let ok = self.topology.kind(id) == Some(ElementKind::Curve) && value.is_finite();
        if ok {
            self.values[id.index()][0] = value;
        }
        ok
    }

    /// A control's value: its local seen from its offset, of which its kind holds a part. Numbers
    /// are exactly what was set. The identity for anything else.
    pub fn control_value(&self, id: ElementId) -> ControlValue {
        let Some(settings) = self.topology.control(id) else { return Transform::IDENTITY };
        if settings.kind.is_number() {
            let [x, y] = self.values[id.index()];
            return Transform::from_translation(Vec3::new(x, y, 0.0));
        }
        settings.clamp(self.initial_local(id).to_local(self.local(id)))
    }

    /// Sets a control's value within its limits; its local is then offset · value. False, and
    /// nothing changed, if there is no such control or the value is NaN or infinite.
    pub fn set_control_value(&mut self, id: ElementId, value: ControlValue) -> bool {
        let Some(settings) = self.topology.control(id) else { return false };
        let value = settings.clamp(value);
        let local = self.initial_local(id) * value;
        if !(value.is_finite() && local.is_finite()) {
            return false;
        }
        self.values[id.index()] = [value.translation.x, value.translation.y];
        self.local[id.index()] = local;
        self.touch(id.index());
        true
    }

    /// Sets a control's number; false, and nothing changed, if it is of another kind.
    fn set_number(&mut self, id: ElementId, kind: ControlKind, x: f32, y: f32) -> bool {
        let of_kind = self.topology.control(id).is_some_and(|c| c.kind == kind);
        of_kind && self.set_control_value(id, Transform::from_translation(Vec3::new(x, y, 0.0)))
    }

    fn number(&self, id: ElementId, kind: ControlKind) -> Vec2 {
        match self.topology.control(id) {
            Some(c) if c.kind == kind => Vec2::new(self.values[id.index()][0], self.values[id.index()][1]),
            _ => Vec2::ZERO,
        }
    }

    /// The number of a float control; 0 for anything else.
    pub fn control_float(&self, id: ElementId) -> f32 {
        self.number(id, ControlKind::Float).x
    }

    /// Sets a float control within its limits; false for anything else.
    pub fn set_control_float(&mut self, id: ElementId, value: f32) -> bool {
        self.set_number(id, ControlKind::Float, value, 0.0)
    }

    /// The state of a bool control; false for anything else.
    pub fn control_bool(&self, id: ElementId) -> bool {
        self.number(id, ControlKind::Bool).x != 0.0
    }

    /// Sets a bool control; false for anything else.
    pub fn set_control_bool(&mut self, id: ElementId, value: bool) -> bool {
        self.set_number(id, ControlKind::Bool, f32::from(u8::from(value)), 0.0)
    }

    /// The number of an int control; 0 for anything else.
    pub fn control_int(&self, id: ElementId) -> i32 {
        self.number(id, ControlKind::Int).x as i32
    }

    /// Sets an int control within its limits and ±2²⁴; false for anything else.
    pub fn set_control_int(&mut self, id: ElementId, value: i32) -> bool {
        self.set_number(id, ControlKind::Int, value as f32, 0.0)
    }

    /// The numbers of a vec2 control; 0 for anything else.
    pub fn control_vec2(&self, id: ElementId) -> Vec2 {
        self.number(id, ControlKind::Vec2)
    }

    /// Sets a vec2 control within its limits; false for anything else.
    pub fn set_control_vec2(&mut self, id: ElementId, value: Vec2) -> bool {
        self.set_number(id, ControlKind::Vec2, value.x, value.y)
    }

    /// What an element takes of a local: all of it, but for controls with a kind or limits, whose
    /// number is kept here; none for a curve. `id` must be in range.
    #[inline(always)]
    pub(super) fn hold(&mut self, id: usize, local: Transform) -> Option<Transform> {
        if self.topology.held[id] { self.hold_control(id, local) } else { Some(local) }
    }

    #[cold]
    fn hold_control(&mut self, id: usize, local: Transform) -> Option<Transform> {
        let settings = self.topology.elements[id].control.as_ref()?;
        let value = settings.clamp(self.initial[id].to_local(local));
        let local = self.initial[id] * value;
        if !(value.is_finite() && local.is_finite()) {
            return None;
        }
        self.values[id] = [value.translation.x, value.translation.y];
        Some(local)
    }

    /// Back to how the element was added, its offset and parents' weights apart; marks nothing.
    pub(super) fn reset_element(&mut self, id: usize) {
        let spec = &self.topology.elements[id];
        self.values[id] = [spec.value, 0.0];
        self.local[id] = self.initial[id];
        if let Some(settings) = &spec.control {
            let value = settings.clamp(settings.value);
            let local = self.initial[id] * value;
            self.values[id] = [value.translation.x, value.translation.y];
            self.local[id] = if local.is_finite() { local } else { self.initial[id] };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Carry, ControlSettings, ElementKey, ElementSpec};
    use super::*;
    use crate::math::Quat;

    fn offset() -> Transform {
        Transform::new(
            Vec3::new(1.3, 0.7, -2.9),
            Quat::new(0.3, -0.4, 0.5, 0.6).normalize(),
            Vec3::splat(0.7),
        )
    }

    fn control(settings: ControlSettings) -> Hierarchy {
        let key = ElementKey::new(ElementKind::Control, "c");
        let bone = ElementSpec::new(ElementKey::bone("b"), ElementId::NONE);
        Hierarchy::new([bone, ElementSpec::new(key, ElementId(0)).at(offset()).with_control(settings)])
            .unwrap()
    }

    const C: ElementId = ElementId(1);

    #[test]
    fn numbers_read_back_exactly_whatever_the_offset() {
        let of = |kind| control(ControlSettings { kind, ..Default::default() });
        let mut h = of(ControlKind::Int);
        for v in [0, 1, -1, 7, 1000, 16_777_215, i32::MIN] {
            assert!(h.set_control_int(C, v));
            assert_eq!(h.control_int(C), v.max(-(1 << 24)));
        }
        let mut h = of(ControlKind::Float);
        for v in [0.0, 0.3, -1e-20, 12345.678] {
            assert!(h.set_control_float(C, v));
            assert_eq!(h.control_float(C), v);
            assert_eq!(h.control_value(C).translation.x, v);
        }
        assert!(!h.set_control_float(C, f32::NAN));
        assert!(!h.set_control_int(C, 1));
        assert!(!h.set_control_float(ElementId(0), 1.0));
        assert_eq!(h.control_float(C), 12345.678);
        let mut h = of(ControlKind::Bool);
        assert!(!h.control_bool(C));
        assert!(h.set_control_bool(C, true) && h.control_bool(C));
        let mut h = of(ControlKind::Vec2);
        assert!(h.set_control_vec2(C, Vec2::new(0.1, -0.2)));
        assert_eq!(h.control_vec2(C), Vec2::new(0.1, -0.2));
        assert_eq!(h.local(C), offset() * Transform::from_translation(Vec3::new(0.1, -0.2, 0.0)));
    }

    #[test]
    fn a_control_that_is_moved_keeps_to_its_kind_and_limits() {
        let settings = ControlSettings {
            kind: ControlKind::Position,
            min: Some(Vec3::splat(-1.0)),
            max: Some(Vec3::splat(1.0)),
            ..Default::default()
        };
        let mut h = control(settings);
        let wild = Transform::new(Vec3::splat(50.0), Quat::new(1.0, 0.0, 0.0, 0.0), Vec3::splat(3.0));
        assert!(h.set_global(C, wild, Carry::Children));
        let v = h.control_value(C);
        assert_eq!((v.rotation, v.scale), (Quat::IDENTITY, Vec3::ONE));
        assert!([v.translation.x, v.translation.y, v.translation.z].iter().all(|x| x.abs() <= 1.0));
        assert_eq!(h.local(C).scale, offset().scale);
        let mut h = control(ControlSettings { kind: ControlKind::Float, ..Default::default() });
        assert!(h.set_local(C, offset() * Transform::from_translation(Vec3::new(0.25, 9.0, 9.0))));
        assert!((h.control_float(C) - 0.25).abs() < 1e-6);
        assert_eq!(
            h.local(C),
            offset() * Transform::from_translation(Vec3::new(h.control_float(C), 0.0, 0.0))
        );
    }

    #[test]
    fn a_plain_control_takes_any_transform_to_the_bit() {
        let mut h = control(ControlSettings::default());
        let t = Transform::new(Vec3::new(0.1, 0.2, 0.3), Quat::new(0.6, 0.0, 0.8, 0.0), Vec3::splat(1.1));
        assert!(h.set_local(C, t));
        assert_eq!(h.local(C), t);
        assert!(h.control_value(C).approx_eq(offset().to_local(t), 1e-6));
    }

    #[test]
    fn reset_brings_first_values_back() {
        let value = Transform::from_translation(Vec3::new(0.5, 0.0, 0.0));
        let mut h = control(ControlSettings { kind: ControlKind::Float, value, ..Default::default() });
        let mut spec = ElementSpec::new(ElementKey::new(ElementKind::Curve, "smile"), ElementId::NONE);
        spec.value = 0.75;
        let curve = h.add(&spec).unwrap();
        assert!(h.set_control_float(C, 3.0) && h.set_curve(curve, 1.0));
        assert!(!h.set_curve(curve, f32::INFINITY) && !h.set_curve(C, 1.0));
        assert_eq!((h.curve(curve), h.curve(C)), (1.0, 0.0));
        h.reset_to_initial();
        assert_eq!((h.control_float(C), h.curve(curve)), (0.5, 0.75));
        assert!(!h.set_local(curve, value) && !h.set_initial_local(curve, value));
        assert_eq!(h.global_mut(curve), Transform::IDENTITY);
    }

    #[test]
    fn an_offset_that_moves_takes_numbers_along() {
        let mut h = control(ControlSettings { kind: ControlKind::Float, ..Default::default() });
        h.set_control_float(C, 0.3);
        assert!(h.set_initial_local(C, Transform::from_translation(Vec3::Y)));
        assert_eq!(h.control_float(C), 0.3);
        assert_eq!(h.local(C).translation, Vec3::new(0.3, 1.0, 0.0));
    }
}
