//! The unit library, one file a category.
//!
//! Each file lists its units in `all`; [`standard`](Registry::standard) gathers them. A unit is a
//! plain Rust function too, so other units call it.
//!
//! Given finite numbers that are not so large that they overflow, no unit gives NaN: where a result
//! does not exist (a division by 0, the direction of no vector) a documented one stands in. Given
//! NaN, arithmetic passes it on, and setting an element to it changes nothing.

pub mod array;
pub mod color;
pub mod compare;
pub mod constraint;
pub mod convert;
pub mod curve;
pub mod debug;
pub mod euler;
pub mod flow;
pub mod hierarchy_build;
pub mod hierarchy_get;
pub mod hierarchy_set;
pub mod ik;
pub mod int;
pub mod interpolate;
pub mod logic;
pub mod quaternion;
pub mod scalar;
pub mod simulation;
pub mod transform;
pub mod trigonometry;
pub mod vec2;
pub mod vector;

use crate::vm::{Registry, UnitDef};

/// All units of the library. The first overload of a name is the one a node of constants means.
pub fn all() -> Vec<UnitDef> {
    [
        scalar::all(),
        int::all(),
        trigonometry::all(),
        interpolate::all(),
        logic::all(),
        compare::all(),
        vector::all(),
        vec2::all(),
        quaternion::all(),
        transform::all(),
        euler::all(),
        color::all(),
        convert::all(),
        curve::all(),
        hierarchy_get::all(),
        hierarchy_set::all(),
        hierarchy_build::all(),
        array::all(),
        constraint::all(),
        ik::all(),
        simulation::all(),
        debug::all(),
        flow::all(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

impl Registry {
    /// The library's units.
    pub fn standard() -> Self {
        Self::empty().with(all())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::value::Type;
    use crate::vm::testing::Bench;
    use crate::vm::{Direction, UnitKind};

    #[test]
    fn every_unit_is_documented_and_named_by_category() {
        let units = all();
        assert!(units.len() >= 100, "{}", units.len());
        let mut signatures = BTreeSet::new();
        for unit in &units {
            let signature = unit.signature();
            assert!(signatures.insert(signature.clone()), "{signature} twice");
            let text = unit.doc.lines().next().unwrap_or_default();
            assert!(text.len() > 10, "{signature} has no help text");
            let (category, name) = unit.name.split_once('.').unwrap_or_default();
            for word in [category, name] {
                let camel = word.starts_with(|c: char| c.is_ascii_uppercase());
                assert!(camel && word.chars().all(|c| c.is_ascii_alphanumeric()), "{signature}");
            }
            assert!(unit.source.file.ends_with(".rs") && unit.source.line > 0);
            let names: BTreeSet<_> = unit.pins.iter().map(|p| p.name).collect();
            assert_eq!(names.len(), unit.pins.len(), "{signature}: pins share a name");
        }
        assert_eq!(Registry::standard().iter().count(), units.len());
    }

    #[test]
    fn every_default_has_the_size_of_its_type_and_lies_in_its_range() {
        for unit in all() {
            for pin in &unit.pins {
                let open = pin.ty.is_generic() || matches!(pin.ty, Type::Array(..));
                let words = if pin.direction == Direction::In && !open { pin.ty.words() as usize } else { 0 };
                assert_eq!(pin.default.len(), words, "{} {}", unit.name, pin.name);
                if let (Some(min), Some(max)) = (pin.min, pin.max) {
                    assert!(min <= max);
                }
                if pin.ty == Type::Float {
                    let value = f64::from(f32::from_bits(pin.default.first().copied().unwrap_or(0)));
                    assert!(pin.min.is_none_or(|m| value >= m), "{} {}", unit.name, pin.name);
                    assert!(pin.max.is_none_or(|m| value <= m), "{} {}", unit.name, pin.name);
                }
            }
        }
    }

    #[test]
    fn every_implicit_conversion_takes_one_value() {
        for unit in all().iter().filter(|u| u.name.starts_with("Convert.")) {
            let pins: Vec<_> = unit.pins.iter().map(|p| p.name).collect();
            assert_eq!(pins, ["value", "result"], "{}", unit.name);
            assert_eq!(unit.kind, UnitKind::Pure);
        }
    }

    /// Bits that are zeros, odd numbers, great, tiny and no numbers, and wild indices.
    const WILD: [u32; 13] = [
        0,
        1,
        2,
        3,
        0x3f80_0000, // 1
        0xbf80_0000, // -1
        0x7fc0_0000, // NaN
        0x7f80_0000, // ∞
        0xff80_0000, // -∞
        0x7f7f_ffff, // the greatest float
        0x0000_0001,
        0x8000_0000, // -0, and the least whole number
        u32::MAX,
    ];

    #[test]
    fn no_input_makes_a_unit_panic() {
        for unit in all() {
            let mut bench = Bench::new();
            let _ = bench.run(&unit, |_, _| {});
            for value in WILD {
                let _ = bench.run(&unit, |_, words| words.fill(value));
                for odd in 0..unit.pins.len() {
                    let _ = bench.run(&unit, |i, words| {
                        if i == odd {
                            words.fill(value);
                        }
                    });
                }
            }
            // A cheap generator, the same in every run.
            let mut seed = 1u32;
            for _ in 0..50 {
                let _ = bench.run(&unit, |_, words| {
                    for word in words.iter_mut() {
                        seed = seed.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
                        *word = match seed >> 28 {
                            n @ 0..=12 => WILD[n as usize],
                            _ => seed.rotate_left(13),
                        };
                    }
                });
            }
            for id in bench.rig.topology().ids() {
                assert!(bench.rig.local(id).is_finite(), "{} left {id:?} not finite", unit.name);
            }
        }
    }

    /// Where the floats of a type lie.
    fn float_words(ty: &Type) -> std::ops::Range<usize> {
        match ty {
            Type::Float | Type::Vec2 | Type::Vec3 | Type::Quat | Type::Transform | Type::Color => {
                0..ty.words() as usize
            }
            Type::Euler => 0..3,
            _ => 0..0,
        }
    }

    #[test]
    fn ordinary_numbers_never_give_nan() {
        const NUMBERS: [f32; 12] = [0.0, -0.0, 1.0, -1.0, 0.5, 1e-30, -1e-30, 1e-6, 3.0, -70.25, 1e4, -1e4];
        let mut seed = 9u32;
        let mut next = || {
            seed = seed.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
            seed >> 16
        };
        for unit in all() {
            let mut bench = Bench::new();
            for turn in 0..200 {
                let fill = |i: usize, words: &mut [u32]| {
                    let ty = unit.pins.get(i).map_or(&Type::Any, |p| &p.ty);
                    // Every other turn some pins keep their defaults.
                    if turn % 2 == 0 && next() % 2 == 0 {
                        return;
                    }
                    for word in float_words(ty) {
                        words[word] = NUMBERS[next() as usize % NUMBERS.len()].to_bits();
                    }
                    if matches!(ty, Type::Bool | Type::Int | Type::Element | Type::Enum(_)) {
                        words[0] = next() % 8;
                    }
                };
                let Ok(pins) = bench.run(&unit, fill) else { continue };
                for (pin, words) in unit.pins.iter().zip(pins).filter(|(p, _)| p.direction == Direction::Out)
                {
                    for word in float_words(&pin.ty) {
                        let value = f32::from_bits(words[word]);
                        assert!(!value.is_nan(), "{} {} in turn {turn}", unit.signature(), pin.name);
                    }
                }
            }
        }
    }
}
