//! Euler angles: three turns in an order, each about an axis carried along by the ones before.

use sinew_macros::unit;

use crate::math::{Euler, EulerOrder, Vec3};
use crate::units::trigonometry;
use crate::vm::UnitDef;

/// The units of this file.
pub fn all() -> Vec<UnitDef> {
    crate::units![make_euler, from_degrees, to_degrees, reorder]
}

/// Three angles in radians, by the axis they turn about, and their order.
#[unit("Euler.Make")]
pub fn make_euler(x: f32, y: f32, z: f32, order: EulerOrder) -> Euler {
    Euler::new(x, y, z, order)
}

/// Three angles in degrees, by the axis they turn about, and their order.
#[unit("Euler.FromDegrees")]
pub fn from_degrees(
    /// Degrees about x, y and z.
    degrees: Vec3,
    order: EulerOrder,
) -> Euler {
    let radians = trigonometry::radians;
    Euler::new(radians(degrees.x), radians(degrees.y), radians(degrees.z), order)
}

/// The three angles in degrees, by the axis they turn about.
#[unit("Euler.ToDegrees", outputs(degrees))]
pub fn to_degrees(value: Euler) -> Vec3 {
    let degrees = trigonometry::degrees;
    Vec3::new(degrees(value.x), degrees(value.y), degrees(value.z))
}

/// The same rotation by angles in another order.
#[unit("Euler.Reorder")]
pub fn reorder(value: Euler, order: EulerOrder) -> Euler {
    Euler::from_quat(value.to_quat(), order)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn degrees_there_and_back() {
        let given = Vec3::new(10.0, -20.0, 170.0);
        assert!(to_degrees(from_degrees(given, EulerOrder::ZXY)).distance(given) < 1e-4);
        assert_eq!(from_degrees(given, EulerOrder::ZXY).order, EulerOrder::ZXY);
        assert_eq!(make_euler(1.0, 2.0, 3.0, EulerOrder::YXZ).angles(), Vec3::new(1.0, 2.0, 3.0));
    }

    #[test]
    fn another_order_is_the_same_rotation() {
        let e = from_degrees(Vec3::new(40.0, 50.0, -60.0), EulerOrder::XYZ);
        for order in EulerOrder::ALL {
            let other = reorder(e, order);
            assert_eq!(other.order, order);
            assert!(1.0 - other.to_quat().dot(e.to_quat()).abs() < 1e-6);
        }
    }
}
