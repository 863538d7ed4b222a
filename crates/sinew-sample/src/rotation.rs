//! Rotations by axis, frame and interpolation, in the same bits on every platform.

use sinew::math::{Quat, Vec3, acos, sin, sin_cos};

/// Turn of `angle` radians about a unit axis.
pub fn about(axis: Vec3, angle: f32) -> Quat {
    let (s, c) = sin_cos(angle * 0.5);
    Quat::new(axis.x * s, axis.y * s, axis.z * s, c)
}

/// Turn about +X, radians: +Y goes towards +Z.
pub fn about_x(angle: f32) -> Quat {
    about(Vec3::X, angle)
}

/// Turn about +Y, radians: +Z goes towards +X, to the character's left.
pub fn about_y(angle: f32) -> Quat {
    about(Vec3::Y, angle)
}

/// Turn about +Z, radians: +X goes towards +Y.
pub fn about_z(angle: f32) -> Quat {
    about(Vec3::Z, angle)
}

/// Radians from degrees.
pub fn deg(degrees: f32) -> f32 {
    degrees * (core::f32::consts::PI / 180.0)
}

/// The turn that takes +Y to `y` and +Z as near as possible to `z`. `y` and `z` need not be unit;
/// they must not be parallel.
pub fn frame_yz(y: Vec3, z: Vec3) -> Quat {
    let y = y.normalize_or(Vec3::Y);
    let x = y.cross(z).normalize_or(Vec3::X);
    from_columns(x, y, x.cross(y))
}

/// Quaternion of a rotation matrix by columns (Shepperd's method: divides by the largest term).
pub fn from_columns(x: Vec3, y: Vec3, z: Vec3) -> Quat {
    let trace = x.x + y.y + z.z;
    let q = if trace > 0.0 {
        let s = (trace + 1.0).sqrt() * 2.0;
        Quat::new((y.z - z.y) / s, (z.x - x.z) / s, (x.y - y.x) / s, s * 0.25)
    } else if x.x > y.y && x.x > z.z {
        let s = (1.0 + x.x - y.y - z.z).sqrt() * 2.0;
        Quat::new(s * 0.25, (y.x + x.y) / s, (z.x + x.z) / s, (y.z - z.y) / s)
    } else if y.y > z.z {
        let s = (1.0 + y.y - x.x - z.z).sqrt() * 2.0;
        Quat::new((y.x + x.y) / s, s * 0.25, (z.y + y.z) / s, (z.x - x.z) / s)
    } else {
        let s = (1.0 + z.z - x.x - y.y).sqrt() * 2.0;
        Quat::new((z.x + x.z) / s, (z.y + y.z) / s, s * 0.25, (x.y - y.x) / s)
    };
    q.normalize()
}

/// Great-circle interpolation by the shorter way.
pub fn slerp(a: Quat, b: Quat, t: f32) -> Quat {
    let d = a.dot(b);
    let (b, d) = if d < 0.0 { (-b, -d) } else { (b, d) };
    let (wa, wb) = if d > 0.9995 {
        (1.0 - t, t)
    } else {
        let angle = acos(d);
        let s = sin(angle);
        (sin((1.0 - t) * angle) / s, sin(t * angle) / s)
    };
    Quat::new(a.x * wa + b.x * wb, a.y * wa + b.y * wb, a.z * wa + b.z * wb, a.w * wa + b.w * wb).normalize()
}

/// The part of a rotation that turns about a unit axis (swing-twist decomposition).
pub fn twist_about(q: Quat, axis: Vec3) -> Quat {
    let d = axis.dot(Vec3::new(q.x, q.y, q.z));
    let t = Quat::new(axis.x * d, axis.y * d, axis.z * d, q.w);
    if t.dot(t) < 1e-10 { Quat::IDENTITY } else { t.normalize() }
}
