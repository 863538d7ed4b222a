//! Units outside of the library, by names that could meet those of the code around them.

use sinew::hierarchy::{ElementId, Hierarchy};
use sinew::value::Plain;
use sinew::vm::{ArrayFull, Frame, ItemsMut, Registry, UnitDef, evaluate};
use sinew_macros::unit;

/// A pin by the name of its function.
#[unit("Own.Value")]
fn value(value: f32) -> f32 {
    value + 1.0
}

/// Pins by names that an entry point might use for itself.
#[unit("Own.Names")]
#[allow(clippy::too_many_arguments)]
fn entry(mem: f32, rig: f32, frame: f32, args: f32, cx: f32, lane: f32, state: f32, result: f32) -> f32 {
    mem + rig + frame + args + cx + lane + state + result
}

/// The same with the hierarchy, the frame and a fault.
#[unit("Own.Fallible")]
fn fault(
    rig: &Hierarchy,
    frame: &Frame,
    mem: ElementId,
    item: f32,
    cx: f32,
    #[out] mut lane: ItemsMut<'_, f32>,
) -> Result<f32, ArrayFull> {
    lane.push(item + cx + frame.dt)?;
    Ok(rig.initial_local(mem).translation.x)
}

#[test]
fn any_name_will_do() {
    let mut none = Hierarchy::new([]).unwrap();
    let one = evaluate(&UnitDef::of::<value>(), &[vec![2.0f32.to_bits()]], &[1], &mut none).unwrap();
    assert_eq!(f32::read(|_| one[0][0]), 3.0);
    let inputs: Vec<Vec<u32>> = (0..8).map(|i| vec![((1 << i) as f32).to_bits()]).collect();
    let sum = evaluate(&UnitDef::of::<entry>(), &inputs, &[1], &mut none).unwrap();
    assert_eq!(f32::read(|_| sum[0][0]), 255.0);
    let registry = Registry::standard().with(sinew::units![value, entry, fault]);
    assert!(registry.by_signature(&UnitDef::of::<fault>().signature()).is_some());
}
