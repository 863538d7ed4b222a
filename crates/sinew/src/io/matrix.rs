//! 4×4 matrices, column by column, as files and skinning have them.
//!
//! Works in double precision inside: only sums, products, quotients and roots, which IEEE 754
//! rounds the same everywhere.

use crate::math::{Quat, Transform, Vec3};

/// 16 floats, column-major: translation is elements 12 to 14.
pub type Matrix = [f32; 16];

/// The identity.
pub const IDENTITY: Matrix = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];

type V = [f64; 3];

/// `a · b`: `b` first, then `a`.
pub fn mul(a: &Matrix, b: &Matrix) -> Matrix {
    let mut out = [0.0; 16];
    for (out, b) in out.as_chunks_mut::<4>().0.iter_mut().zip(b.as_chunks::<4>().0) {
        for (k, a) in a.as_chunks::<4>().0.iter().enumerate() {
            for (o, a) in out.iter_mut().zip(a) {
                *o += f64::from(*a) * f64::from(b[k]);
            }
        }
    }
    out.map(|v: f64| v as f32)
}

/// T·R·S of a transform as a matrix.
pub fn from_transform(t: &Transform) -> Matrix {
    let [x, y, z, w] = [t.rotation.x, t.rotation.y, t.rotation.z, t.rotation.w].map(f64::from);
    let [sx, sy, sz] = [t.scale.x, t.scale.y, t.scale.z].map(f64::from);
    [
        (1.0 - 2.0 * (y * y + z * z)) * sx,
        2.0 * (x * y + w * z) * sx,
        2.0 * (x * z - w * y) * sx,
        0.0,
        2.0 * (x * y - w * z) * sy,
        (1.0 - 2.0 * (x * x + z * z)) * sy,
        2.0 * (y * z + w * x) * sy,
        0.0,
        2.0 * (x * z + w * y) * sz,
        2.0 * (y * z - w * x) * sz,
        (1.0 - 2.0 * (x * x + y * y)) * sz,
        0.0,
        f64::from(t.translation.x),
        f64::from(t.translation.y),
        f64::from(t.translation.z),
        1.0,
    ]
    .map(|v| v as f32)
}

/// Splits a matrix into T·R·S. A mirrored matrix (negative determinant) gets a negative x scale; a
/// zero scale gets some rotation that fits the other axes. A column of finite numbers may be longer
/// than the largest `f32`: its scale is then infinite. Of a sheared matrix the axes are made
/// orthogonal from x on, so composing does not give it back: [`is_sheared`] tells.
pub fn decompose(m: &Matrix) -> Transform {
    let column = |c: usize| [m[c * 4], m[c * 4 + 1], m[c * 4 + 2]].map(f64::from);
    let (mut x, y, z) = (column(0), column(1), column(2));
    let mut scale = [length(x), length(y), length(z)];
    if dot(cross(x, y), z) < 0.0 {
        scale[0] = -scale[0];
        x = x.map(|v| -v);
    }
    Transform {
        translation: Vec3::new(m[12], m[13], m[14]),
        rotation: rotation_of(basis([x, y, z])),
        scale: Vec3::new(scale[0] as f32, scale[1] as f32, scale[2] as f32),
    }
}

/// True if the matrix is not T·R·S within rounding, so that [`decompose`] loses something.
pub fn is_sheared(m: &Matrix) -> bool {
    let again = from_transform(&decompose(m));
    let size = m.iter().take(12).fold(0.0, |a: f32, v| if v.abs() > a { v.abs() } else { a });
    let affine = m[3] == 0.0 && m[7] == 0.0 && m[11] == 0.0 && m[15] == 1.0;
    !affine || m.iter().zip(again).any(|(a, b)| (a - b).abs() > size * 1e-5)
}

/// Inverse of an affine matrix; identity where it has none.
pub fn inverse(m: &Matrix) -> Matrix {
    let column = |c: usize| [m[c * 4], m[c * 4 + 1], m[c * 4 + 2]].map(f64::from);
    let (x, y, z, t) = (column(0), column(1), column(2), column(3));
    let det = dot(cross(x, y), z);
    if det == 0.0 || !det.is_finite() {
        return IDENTITY;
    }
    // Rows of the inverse, by Cramer's rule.
    let rows = [cross(y, z), cross(z, x), cross(x, y)].map(|r| r.map(|v| v / det));
    let mut out = IDENTITY;
    for (r, row) in rows.iter().enumerate() {
        for (c, v) in row.iter().enumerate() {
            out[c * 4 + r] = *v as f32;
        }
        out[12 + r] = -dot(*row, t) as f32;
    }
    out
}

fn dot(a: V, b: V) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: V, b: V) -> V {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn length(a: V) -> f64 {
    dot(a, a).sqrt()
}

fn unit(a: V) -> Option<V> {
    let l = length(a);
    (l > 1e-30 && l.is_finite()).then(|| a.map(|v| v / l))
}

/// `a` without its part along the unit vector `n`, as a unit vector. None where little is left.
fn unit_beside(a: V, n: V) -> Option<V> {
    let a = unit(a)?;
    let d = dot(a, n);
    let rest = [a[0] - n[0] * d, a[1] - n[1] * d, a[2] - n[2] * d];
    if length(rest) > 1e-9 { unit(rest) } else { None }
}

/// A right-handed orthonormal basis that keeps as many of the axes as it can, the first ones first.
fn basis(axes: [V; 3]) -> [V; 3] {
    let identity = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    // The first axis of some length, then the first of the others that is not parallel to it.
    let Some((i, a)) = axes.iter().enumerate().find_map(|(i, a)| Some((i, unit(*a)?))) else {
        return identity;
    };
    let second = (i + 1..3).find_map(|j| Some((j, unit_beside(axes[j], a)?)));
    let (j, b) = second.unwrap_or_else(|| {
        let others = identity.iter().filter_map(|e| unit_beside(*e, a));
        let most_beside = others.max_by(|p, q| dot(*p, *p).total_cmp(&dot(*q, *q)));
        ((i + 1) % 3, most_beside.unwrap_or([0.0, 1.0, 0.0]))
    });
    let k = 3 - i - j;
    let c = if (i + 1) % 3 == j { cross(a, b) } else { cross(b, a) };
    let mut out = identity;
    out[i] = a;
    out[j] = b;
    out[k] = c;
    out
}

/// Quaternion of an orthonormal right-handed basis, from its largest component (Shepperd 1978).
fn rotation_of([x, y, z]: [V; 3]) -> Quat {
    let (xx, yy, zz) = (x[0], y[1], z[2]);
    let q = if xx + yy + zz > 0.0 {
        let s = (xx + yy + zz + 1.0).sqrt() * 2.0;
        [(y[2] - z[1]) / s, (z[0] - x[2]) / s, (x[1] - y[0]) / s, s / 4.0]
    } else if xx > yy && xx > zz {
        let s = (1.0 + xx - yy - zz).sqrt() * 2.0;
        [s / 4.0, (x[1] + y[0]) / s, (z[0] + x[2]) / s, (y[2] - z[1]) / s]
    } else if yy > zz {
        let s = (1.0 + yy - xx - zz).sqrt() * 2.0;
        [(x[1] + y[0]) / s, s / 4.0, (y[2] + z[1]) / s, (z[0] - x[2]) / s]
    } else {
        let s = (1.0 + zz - xx - yy).sqrt() * 2.0;
        [(z[0] + x[2]) / s, (y[2] + z[1]) / s, s / 4.0, (x[1] - y[0]) / s]
    };
    let l = q.iter().map(|v| v * v).sum::<f64>().sqrt();
    let [x, y, z, w] = q.map(|v| (v / l) as f32);
    Quat::new(x, y, z, w)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turned(degrees: f64, axis: V) -> Quat {
        let a = unit(axis).unwrap().map(|v| v * (degrees.to_radians() / 2.0).sin());
        Quat::new(a[0] as f32, a[1] as f32, a[2] as f32, (degrees.to_radians() / 2.0).cos() as f32)
    }

    #[test]
    fn composing_a_decomposed_matrix_gives_it_back_also_mirrored_and_flat() {
        // Right: a unit quaternion and the same matrix for every T·R·S matrix.
        let scales = [
            [1., 1., -1.],
            [-1., 1., 1.],
            [-2., -3., -0.5],
            [0., 1., 1.],
            [1., 0., 1.],
            [1., 0., 0.],
            [0., 0., 0.],
            [2., 3., 4.],
        ];
        for s in scales {
            for degrees in [0.0, 40.0, 170.0, 180.0, -120.0] {
                for axis in [[1., 2., 3.], [1., 0., 0.], [0., 1., 0.], [0., 0., 1.]] {
                    let t = Transform::new(
                        Vec3::new(1.0, -2.0, 3.0),
                        turned(degrees, axis),
                        Vec3::new(s[0], s[1], s[2]),
                    );
                    let m = from_transform(&t);
                    let d = decompose(&m);
                    assert!((d.rotation.dot(d.rotation) - 1.0).abs() < 1e-6, "{s:?} {degrees}");
                    for (a, b) in m.iter().zip(from_transform(&d)) {
                        assert!((a - b).abs() < 1e-5, "{s:?} {degrees} {axis:?}: {m:?} {d:?}");
                    }
                    assert!(!is_sheared(&m));
                }
            }
        }
    }

    #[test]
    fn shear_is_noticed() {
        let mut m = IDENTITY;
        m[4] = 0.5;
        assert!(is_sheared(&m));
        assert!(decompose(&m).is_finite());
    }

    #[test]
    fn inverse_undoes() {
        let t =
            Transform::new(Vec3::new(1.0, -2.0, 3.0), turned(77.0, [1., 2., 3.]), Vec3::new(-2.0, 3.0, 0.5));
        let m = from_transform(&t);
        for (a, b) in mul(&m, &inverse(&m)).iter().zip(IDENTITY) {
            assert!((a - b).abs() < 1e-5);
        }
        assert_eq!(inverse(&[0.0; 16]), IDENTITY);
    }
}
