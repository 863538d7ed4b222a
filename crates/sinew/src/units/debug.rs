//! Messages and drawings for the one who builds the rig. They change no pose.

use sinew_macros::unit;

use crate::hierarchy::{ElementId, Hierarchy};
use crate::math::{Color, Quat, Transform, Vec3};
use crate::value::Text;
use crate::vm::{DrawItem, Frame, LogValue, Severity, UnitDef};

/// The units of this file.
pub fn all() -> Vec<UnitDef> {
    crate::units![
        print_float,
        print_int,
        print_bool,
        print_vec3,
        print_quat,
        print_transform,
        print_element,
        print_text,
        log_if,
        draw_line,
        draw_arrow,
        draw_point,
        draw_transform,
        draw_element,
        draw_text,
    ]
}

crate::pin_enum!(Severity { Info, Warning, Error });

/// Logs a number with a label.
#[unit("Debug.Print")]
pub fn print_float(
    frame: &mut Frame,
    label: Text,
    value: f32,
    severity: Severity,
    #[pin(default = true)] enabled: bool,
) {
    say(frame, label, LogValue::Float(value), severity, enabled);
}

/// Logs a whole number with a label.
#[unit("Debug.Print")]
pub fn print_int(
    frame: &mut Frame,
    label: Text,
    value: i32,
    severity: Severity,
    #[pin(default = true)] enabled: bool,
) {
    say(frame, label, LogValue::Int(value), severity, enabled);
}

/// Logs true or false with a label.
#[unit("Debug.Print")]
pub fn print_bool(
    frame: &mut Frame,
    label: Text,
    value: bool,
    severity: Severity,
    #[pin(default = true)] enabled: bool,
) {
    say(frame, label, LogValue::Bool(value), severity, enabled);
}

/// Logs a vector with a label.
#[unit("Debug.Print")]
pub fn print_vec3(
    frame: &mut Frame,
    label: Text,
    value: Vec3,
    severity: Severity,
    #[pin(default = true)] enabled: bool,
) {
    say(frame, label, LogValue::Vec3(value), severity, enabled);
}

/// Logs a rotation with a label, as a transform that only turns.
#[unit("Debug.Print")]
pub fn print_quat(
    frame: &mut Frame,
    label: Text,
    value: Quat,
    severity: Severity,
    #[pin(default = true)] enabled: bool,
) {
    say(frame, label, LogValue::Transform(Transform::from_rotation(value)), severity, enabled);
}

/// Logs a transform with a label.
#[unit("Debug.Print")]
pub fn print_transform(
    frame: &mut Frame,
    label: Text,
    value: Transform,
    severity: Severity,
    #[pin(default = true)] enabled: bool,
) {
    say(frame, label, LogValue::Transform(value), severity, enabled);
}

/// Logs an element with a label.
#[unit("Debug.Print")]
pub fn print_element(
    frame: &mut Frame,
    label: Text,
    value: ElementId,
    severity: Severity,
    #[pin(default = true)] enabled: bool,
) {
    say(frame, label, LogValue::Element(value.0), severity, enabled);
}

/// Logs a text.
#[unit("Debug.Log")]
pub fn print_text(frame: &mut Frame, text: Text, severity: Severity, #[pin(default = true)] enabled: bool) {
    say(frame, text, LogValue::None, severity, enabled);
}

/// Logs a text in every frame in which a condition holds, and passes the condition on.
#[unit("Debug.LogIf")]
pub fn log_if(
    frame: &mut Frame,
    condition: bool,
    text: Text,
    #[pin(default = Severity::Warning)] severity: Severity,
) -> bool {
    say(frame, text, LogValue::None, severity, condition);
    condition
}

#[inline]
fn say(frame: &mut Frame, text: Text, value: LogValue, severity: Severity, enabled: bool) {
    if enabled {
        frame.log.say(severity, text, value);
    }
}

#[inline]
fn draw(frame: &mut Frame, enabled: bool, item: DrawItem) {
    if enabled {
        frame.draw.push(item);
    }
}

fn rgba(color: Color) -> [f32; 4] {
    [color.r, color.g, color.b, color.a]
}

/// Draws a line in the character's space.
#[unit("Debug.DrawLine")]
pub fn draw_line(
    frame: &mut Frame,
    from: Vec3,
    to: Vec3,
    color: Color,
    /// Metres.
    #[pin(default = 0.005, min = 0.0)]
    thickness: f32,
    #[pin(default = true)] enabled: bool,
) {
    draw(frame, enabled, DrawItem::Line { from, to, color: rgba(color), thickness });
}

/// Draws an arrow in the character's space.
#[unit("Debug.DrawArrow")]
pub fn draw_arrow(
    frame: &mut Frame,
    from: Vec3,
    #[pin(default = Vec3::Y)] to: Vec3,
    color: Color,
    /// Metres.
    #[pin(default = 0.005, min = 0.0)]
    thickness: f32,
    #[pin(default = true)] enabled: bool,
) {
    let line = |from, to| DrawItem::Line { from, to, color: rgba(color), thickness };
    draw(frame, enabled, line(from, to));
    // A head of a fifth of the length, in the plane of the arrow and whichever axis is less along it.
    let shaft = to - from;
    let side = if shaft.x.abs() < shaft.y.abs() { Vec3::X } else { Vec3::Y };
    let across = shaft.cross(side).normalize_or(Vec3::ZERO) * (shaft.length() * 0.1);
    let base = to - shaft * 0.2;
    draw(frame, enabled, line(base + across, to));
    draw(frame, enabled, line(base - across, to));
}

/// Draws a point as a small cross in the character's space.
#[unit("Debug.DrawPoint")]
pub fn draw_point(
    frame: &mut Frame,
    at: Vec3,
    color: Color,
    /// Metres across.
    #[pin(default = 0.05, min = 0.0)]
    size: f32,
    #[pin(default = true)] enabled: bool,
) {
    for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
        let arm = axis * (size * 0.5);
        let line = DrawItem::Line { from: at - arm, to: at + arm, color: rgba(color), thickness: size * 0.1 };
        draw(frame, enabled, line);
    }
}

/// Draws a transform as three axes in the character's space.
#[unit("Debug.DrawTransform")]
pub fn draw_transform(
    frame: &mut Frame,
    transform: Transform,
    /// Length of an axis, metres.
    #[pin(default = 0.1, min = 0.0)]
    size: f32,
    #[pin(default = true)] enabled: bool,
) {
    draw(frame, enabled, DrawItem::Axes { transform, size });
}

/// Draws an element as three axes.
#[unit("Debug.DrawElement")]
pub fn draw_element(
    rig: &Hierarchy,
    frame: &mut Frame,
    item: ElementId,
    /// Length of an axis, metres.
    #[pin(default = 0.1, min = 0.0)]
    size: f32,
    #[pin(default = true)] enabled: bool,
) {
    draw(frame, enabled, DrawItem::Axes { transform: rig.global(item), size });
}

/// Draws a text in the character's space; it faces the viewer.
#[unit("Debug.DrawText")]
pub fn draw_text(
    frame: &mut Frame,
    at: Vec3,
    text: Text,
    color: Color,
    #[pin(default = true)] enabled: bool,
) {
    draw(frame, enabled, DrawItem::Text { at, text, color: rgba(color) });
}
