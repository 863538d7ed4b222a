//! A frame allocates nothing: counted by an allocator that stands in for the system's.

// Counting needs an allocator, and an allocator needs `unsafe`; it only passes calls on.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use sinew::math::{Quat, Transform, Vec3};
use sinew::vm::{Crowd, Instance};

#[path = "common/everything.rs"]
mod everything;
use everything::{RIG, bind, chain};

thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

struct Counting;

// SAFETY: every call is passed to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.with(|c| c.set(c.get() + 1));
        // SAFETY: the caller's promises are those of `System`.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, ptr: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(ptr, layout) }
    }
    unsafe fn realloc(&self, ptr: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        COUNT.with(|c| c.set(c.get() + 1));
        // SAFETY: as above.
        unsafe { System.realloc(ptr, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn counted(work: impl FnOnce()) -> u64 {
    let before = COUNT.with(Cell::get);
    work();
    COUNT.with(Cell::get) - before
}

#[test]
fn a_frame_allocates_nothing() {
    let bound = bind(RIG);
    let mut instance = Instance::new(&bound);
    let pose = chain().locals().to_vec();
    let x = instance.handle::<f32>("x").unwrap();
    // From the very first frame on.
    let frames = counted(|| {
        for frame in 0..100 {
            instance.set(x, frame as f32 - 50.0);
            instance.set_pose(&pose);
            instance.tick(1.0 / 60.0).unwrap();
        }
    });
    assert_eq!(frames, 0);
    assert!(instance.executed() > 50);
    let mut snapshot = instance.snapshot();
    let round = || {
        instance.snapshot_into(&mut snapshot).unwrap();
        instance.restore(&snapshot).unwrap();
    };
    assert_eq!(counted(round), 0);
    // A frame that ends with a fault allocates for its message, and the next one nothing again.
    instance.set(x, 1000.0);
    assert!(instance.tick(1.0 / 60.0).is_err());
    instance.set(x, 1.0);
    assert_eq!(counted(|| instance.tick(1.0 / 60.0).unwrap()), 0);
}

/// Ten thousand characters, each with inputs and a pose of its own, some of them at lower rates.
#[test]
fn a_frame_of_a_crowd_allocates_nothing() {
    let bound = bind(RIG);
    let mut crowd = Crowd::new();
    let program = crowd.add_program(&bound);
    let members: Vec<_> = (0..10_000).map(|_| crowd.add(program).unwrap()).collect();
    for (i, member) in members.iter().enumerate().skip(5_000) {
        crowd.set_rate(*member, i as u32 % 3 + 1).unwrap();
    }
    let x = bound.handle::<f32>("x").unwrap();
    let sum = bound.handle::<f32>("sum").unwrap();
    let mut inputs = vec![0.0; members.len()];
    let mut sums = inputs.clone();
    let pose = chain().locals().to_vec();
    let poses = pose.repeat(members.len());
    let mut globals = vec![Transform::default(); poses.len()];
    let mut shown = pose.clone();
    let frames = counted(|| {
        for frame in 0..3 {
            inputs.iter_mut().enumerate().for_each(|(i, x)| *x = i as f32 * 0.01 - frame as f32);
            crowd.write(program, x, &inputs).unwrap();
            crowd.set_poses(program, &poses, pose.len()).unwrap();
            assert_eq!(crowd.tick(1.0 / 60.0), 0);
            crowd.read(program, sum, &mut sums).unwrap();
            crowd.all_globals_into(program, &mut globals, pose.len()).unwrap();
            members.iter().for_each(|m| crowd.shown_into(*m, &mut shown).unwrap());
        }
    });
    assert_eq!(frames, 0);
    assert!(sums.iter().any(|s| *s != 0.0) && globals.iter().any(|g| g.rotation != Quat::IDENTITY));
    assert!(globals.iter().all(|g| g.translation != Vec3::splat(f32::NAN)));
    // One that leaves takes nothing and leaves room for the next.
    let others = counted(|| {
        crowd.remove(members[17]).unwrap();
        crowd.add(program).unwrap();
    });
    assert!(others <= 1, "a free slot's place is noted: {others}");
    let mut bytes = crowd.snapshot();
    assert_eq!(counted(|| crowd.snapshot_into(&mut bytes)), 0);
}

#[test]
fn the_counter_counts() {
    assert_eq!(counted(|| drop(vec![1u8])), 1);
}
