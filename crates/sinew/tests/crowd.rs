//! A crowd computes what instances compute, bit for bit, on every instruction set.

use std::sync::Arc;

use sinew::hierarchy::ElementId;
use sinew::math::{Quat, Transform, Vec3};
use sinew::vm::{BoundProgram, Crowd, CrowdError, FaultKind, Instance, Isa, Member, SnapshotError};

#[path = "common/everything.rs"]
mod everything;
use everything::{RIG, bind, chain};

const DT: f32 = 1.0 / 60.0;

/// A stream of numbers from -1 to 1, the same in every run (xorshift, Marsaglia 2003).
struct Random(u64);

impl Random {
    fn next(&mut self) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 40) as f32 / (1u64 << 23) as f32 - 1.0
    }

    fn pose(&mut self) -> Vec<Transform> {
        let mut pose = chain().locals().to_vec();
        for t in &mut pose {
            let by = Vec3::new(self.next(), self.next(), self.next());
            t.rotation = Quat::exp(by);
            t.translation += by * 0.05;
        }
        pose
    }
}

/// A crowd and as many instances that are given the same.
struct Pair {
    crowd: Crowd,
    members: Vec<Member>,
    alone: Vec<Instance>,
}

impl Pair {
    fn new(bound: &Arc<BoundProgram>, isa: Isa, count: usize) -> Self {
        let mut crowd = Crowd::with_isa(isa).unwrap();
        let program = crowd.add_program(bound);
        let members = (0..count).map(|_| crowd.add(program).unwrap()).collect();
        Self { crowd, members, alone: (0..count).map(|_| Instance::new(bound)).collect() }
    }

    fn set(&mut self, i: usize, name: &str, value: f32) {
        let handle = self.alone[i].handle::<f32>(name).unwrap();
        self.alone[i].set(handle, value);
        self.crowd.set(self.members[i], handle, value).unwrap();
    }

    fn set_pose(&mut self, i: usize, pose: &[Transform]) {
        self.alone[i].set_pose(pose);
        self.crowd.set_pose(self.members[i], pose).unwrap();
    }

    /// Ticks both and compares all there is.
    fn tick(&mut self, dt: f32) {
        let early = self.crowd.tick(dt);
        let mut faults = 0;
        for (i, (member, alone)) in self.members.iter().zip(&mut self.alone).enumerate() {
            let fault = alone.tick(dt).err();
            faults += u32::from(fault.is_some());
            let isa = self.crowd.isa();
            assert_eq!(self.crowd.fault(*member).unwrap(), fault, "{isa}, member {i}");
            assert_eq!(self.crowd.member_snapshot(*member).unwrap(), alone.snapshot(), "{isa}, member {i}");
            assert_eq!(self.crowd.member_hash(*member).unwrap(), alone.hash());
            let mut pose = vec![Transform::default(); alone.pose().len()];
            self.crowd.pose_into(*member, &mut pose).unwrap();
            assert_eq!(bits(&pose), bits(alone.pose()));
            if fault.is_none() {
                assert_eq!(self.crowd.executed(*member).unwrap(), alone.executed(), "{isa}, member {i}");
                let entries = self.crowd.frame(*member).unwrap().log.entries();
                assert_eq!(format!("{entries:?}"), format!("{:?}", alone.frame().log.entries()));
                let (mine, its) = (&self.crowd.frame(*member).unwrap().draw, &alone.frame().draw);
                assert_eq!(format!("{mine:?}"), format!("{its:?}"));
            }
        }
        assert_eq!(early, faults);
    }

    fn globals(&mut self) {
        for (member, alone) in self.members.iter().zip(&mut self.alone) {
            let mut globals = vec![Transform::default(); alone.pose().len()];
            self.crowd.globals_into(*member, &mut globals).unwrap();
            let count = globals.len() as u32;
            let own: Vec<_> = (0..count).map(|e| alone.hierarchy_mut().global_mut(ElementId(e))).collect();
            assert_eq!(bits(&globals), bits(&own));
        }
    }
}

fn bits(pose: &[Transform]) -> Vec<[u32; 10]> {
    let one = |t: &Transform| {
        let (p, r, s) = (t.translation, t.rotation, t.scale);
        [p.x, p.y, p.z, r.x, r.y, r.z, r.w, s.x, s.y, s.z].map(f32::to_bits)
    };
    pose.iter().map(one).collect()
}

/// Members on either side of every branch, with other poses, other counts of turns, and some that
/// fault in some frames.
#[test]
fn members_compute_what_instances_compute() {
    let bound = bind(RIG);
    for isa in Isa::available() {
        let mut random = Random(7);
        // More than two blocks, and one that is not full.
        let mut pair = Pair::new(&bound, isa, 37);
        for frame in 0..20 {
            for i in 0..37 {
                // Above 100 the `While` has no end.
                let x = random.next() * if (frame + i) % 7 == 0 { 300.0 } else { 3.0 };
                pair.set(i, "x", x);
                let pose = random.pose();
                pair.set_pose(i, &pose);
            }
            pair.tick(if frame == 9 { 0.0 } else { DT });
        }
        pair.globals();
    }
}

const COUNTED: &str = r#"{"sinew": 1, "name": "counted",
  "variables": {"n": {"type": "Float", "role": "input"}, "sum": {"type": "Float", "role": "output"}},
  "graphs": {"forward": {"event": true, "start": "clear", "nodes": {
      "n": {"get": "n"}, "sum": {"get": "sum"},
      "clear": {"set": "sum", "in": {"value": 0}, "exec": {"next": "outer"}},
      "turns": {"unit": "Convert.FloatToInt", "in": {"value": {"from": "n.value"}}},
      "outer": {"unit": "Flow.For", "capacity": 50, "in": {"count": {"from": "turns.result"}}, "exec": {"body": "inner"}},
      "inner": {"unit": "Flow.For", "capacity": 50, "in": {"count": {"from": "outer.index"}}, "exec": {"body": "branch"}},
      "even": {"unit": "Math.Greater", "in": {"a": {"from": "inner.ratio"}, "b": 0.4}},
      "branch": {"unit": "Flow.Branch", "in": {"condition": {"from": "even.result"}}, "exec": {"true": "more", "false": "less"}},
      "up": {"unit": "Math.Add", "in": {"a": {"from": "sum.value"}, "b": 1.25}},
      "down": {"unit": "Math.Subtract", "in": {"a": {"from": "sum.value"}, "b": 0.1}},
      "more": {"set": "sum", "in": {"value": {"from": "up.result"}}},
      "less": {"set": "sum", "in": {"value": {"from": "down.result"}}}}}}}"#;

#[test]
fn loops_have_a_count_of_turns_for_each_lane() {
    let bound = bind(COUNTED);
    for isa in Isa::available() {
        let mut pair = Pair::new(&bound, isa, 19);
        for frame in 0..4 {
            for i in 0..19 {
                // Counts below 0, and above the bound of 50: those fault.
                pair.set(i, "n", (i as f32 - 2.0) * (1.0 + frame as f32));
            }
            pair.tick(DT);
        }
    }
}

/// What the loop must give, counted in Rust.
#[test]
fn and_the_sum_is_the_right_one() {
    let bound = bind(COUNTED);
    let mut crowd = Crowd::new();
    let program = crowd.add_program(&bound);
    let members: Vec<_> = (0..20).map(|_| crowd.add(program).unwrap()).collect();
    let (n, sum) = (bound.handle::<f32>("n").unwrap(), bound.handle::<f32>("sum").unwrap());
    let inputs: Vec<f32> = (0..20).map(|i| i as f32).collect();
    crowd.write(program, n, &inputs).unwrap();
    assert_eq!(crowd.tick(DT), 0);
    for (i, member) in members.iter().enumerate() {
        let mut want = 0.0f32;
        for outer in 0..i {
            for inner in 0..outer {
                let ratio = if outer > 1 { inner as f32 / (outer - 1) as f32 } else { 0.0 };
                want = if ratio > 0.4 { want + 1.25 } else { want - 0.1 };
            }
        }
        assert_eq!(crowd.get(*member, sum).unwrap(), want, "member {i}");
    }
}

#[test]
fn numbers_that_are_none_harm_no_other_lane() {
    let bound = bind(RIG);
    for isa in Isa::available() {
        let run = |poisoned: bool| {
            let mut random = Random(3);
            let mut pair = Pair::new(&bound, isa, 12);
            for _ in 0..10 {
                for i in 0..12 {
                    let (mut x, mut pose) = (random.next(), random.pose());
                    if poisoned && i == 5 {
                        x = f32::NAN;
                        pose[2].translation = Vec3::splat(f32::INFINITY);
                        pose[3].rotation.w = f32::NAN;
                    }
                    pair.set(i, "x", x);
                    pair.set_pose(i, &pose);
                }
                pair.tick(DT);
            }
            pair
        };
        let (clean, poisoned) = (run(false), run(true));
        for i in (0..12).filter(|i| *i != 5) {
            assert_eq!(clean.alone[i].hash(), poisoned.crowd.member_hash(poisoned.members[i]).unwrap());
        }
    }
}

#[test]
fn a_budget_ends_the_lanes_that_exceed_it() {
    let bound = bind(COUNTED);
    for isa in Isa::available() {
        let mut pair = Pair::new(&bound, isa, 16);
        pair.crowd.set_budget(300);
        pair.alone.iter_mut().for_each(|a| a.set_budget(300));
        for i in 0..16 {
            pair.set(i, "n", i as f32);
        }
        pair.tick(DT);
        let over: Vec<_> = pair.crowd.faulted().collect();
        assert!(!over.is_empty() && over.len() < 16);
        let fault = pair.crowd.fault(over[0]).unwrap().unwrap();
        assert_eq!(fault.kind, FaultKind::Budget(300));
        // They can be run again.
        for i in 0..16 {
            pair.set(i, "n", 1.0);
        }
        pair.tick(DT);
        assert_eq!(pair.crowd.faulted().count(), 0);
    }
}

#[test]
fn members_come_and_go() {
    let (rig, counted) = (bind(RIG), bind(COUNTED));
    let mut crowd = Crowd::new();
    let (a, b) = (crowd.add_program(&rig), crowd.add_program(&counted));
    assert_eq!(crowd.add_program(&rig), a);
    let x = rig.handle::<f32>("x").unwrap();
    let mut random = Random(11);
    let mut alive: Vec<(Member, Instance)> = Vec::new();
    let mut left = Vec::new();
    for frame in 0..120 {
        for _ in 0..3 {
            let (program, bound) = if random.next() > 0.0 { (a, &rig) } else { (b, &counted) };
            alive.push((crowd.add(program).unwrap(), Instance::new(bound)));
        }
        while alive.len() > 40 || (random.next() > 0.2 && !alive.is_empty()) {
            let at = ((random.next() + 1.0) * 0.5 * alive.len() as f32) as usize;
            let (member, _) = alive.swap_remove(at.min(alive.len() - 1));
            crowd.remove(member).unwrap();
            left.push(member);
        }
        for (member, alone) in &mut alive {
            if crowd.program(*member).unwrap() == a {
                let v = random.next();
                crowd.set(*member, x, v).unwrap();
                alone.set(x, v);
            }
            alone.tick(DT).unwrap();
        }
        assert_eq!(crowd.tick(DT), 0);
        assert_eq!(crowd.len(), alive.len());
        for (member, alone) in &alive {
            assert_eq!(crowd.member_hash(*member).unwrap(), alone.hash(), "frame {frame}");
        }
    }
    // Nobody answers to the name of one who has left.
    for member in left {
        assert_eq!(crowd.remove(member), Err(CrowdError::Gone));
        assert_eq!(crowd.get(member, x), Err(CrowdError::Gone));
    }
}

#[test]
fn what_cannot_be_done_is_said() {
    let (rig, counted) = (bind(RIG), bind(COUNTED));
    let mut crowd = Crowd::new();
    let program = crowd.add_program(&rig);
    let member = crowd.add(program).unwrap();
    let n = counted.handle::<f32>("n").unwrap();
    let x = rig.handle::<f32>("x").unwrap();
    assert_eq!(crowd.set(member, n, 1.0), Err(CrowdError::OtherProgram));
    assert_eq!(crowd.write(program, x, &[1.0, 2.0]), Err(CrowdError::Length { found: 2, want: 1 }));
    let mut pose = vec![Transform::default(); 100];
    assert!(matches!(crowd.pose_into(member, &mut pose), Err(CrowdError::Length { found: 100, .. })));
    assert_eq!(crowd.set_rate(member, 0), Err(CrowdError::Rate(0)));
    assert!(CrowdError::Rate(0).to_string().contains("64th"));
    let mut other = Crowd::new();
    assert_eq!(other.add(program).map(drop), Err(CrowdError::UnknownProgram));
    assert_eq!(other.get(member, x), Err(CrowdError::Gone));
    if let Some(isa) = Isa::ALL.into_iter().find(|isa| !isa.is_available()) {
        assert_eq!(Crowd::with_isa(isa).map(drop), Err(CrowdError::NoSuchIsa(isa)));
    }
}

/// A member that runs in every third frame is an instance that is ticked with the time of three.
#[test]
fn rates_gather_the_time_that_goes_by() {
    let bound = bind(RIG);
    let x = bound.handle::<f32>("x").unwrap();
    let mut crowd = Crowd::new();
    let program = crowd.add_program(&bound);
    let members: Vec<_> = (0..9).map(|_| crowd.add(program).unwrap()).collect();
    let mut alone: Vec<_> = (0..9).map(|_| Instance::new(&bound)).collect();
    for member in &members {
        crowd.set_rate(*member, 3).unwrap();
        crowd.set(*member, x, 0.7).unwrap();
    }
    alone.iter_mut().for_each(|a| a.set(x, 0.7));
    let mut waited = [0.0f32; 9];
    let mut ran = [0; 9];
    for frame in 0..30 {
        let before: Vec<_> = members.iter().map(|m| crowd.member_hash(*m).unwrap()).collect();
        assert_eq!(crowd.tick(DT), 0);
        let mut due = 0;
        for (i, member) in members.iter().enumerate() {
            waited[i] += DT;
            if crowd.member_hash(*member).unwrap() != before[i] {
                alone[i].tick(core::mem::take(&mut waited[i])).unwrap();
                (due, ran[i]) = (due + 1, ran[i] + 1);
            }
            assert_eq!(crowd.member_hash(*member).unwrap(), alone[i].hash(), "frame {frame}");
        }
        assert_eq!(due, 3, "a third of them is due in each frame");
    }
    assert_eq!(ran, [10; 9]);
}

const MOVER: &str = r#"{"sinew": 1, "name": "mover",
  "variables": {"t": {"type": "Float", "role": "input"}},
  "graphs": {"forward": {"event": true, "start": "move", "nodes": {
      "t": {"get": "t"},
      "move": {"unit": "Hierarchy.SetTranslation", "in": {"item": "bone:b0", "space": "local", "translation.x": {"from": "t.value"}}}}}}}"#;

/// A bone that moves evenly is shown to move evenly by a member that runs in every fourth frame.
#[test]
fn poses_in_between_are_shown() {
    let bound = bind(MOVER);
    let t = bound.handle::<f32>("t").unwrap();
    let mut crowd = Crowd::new();
    let program = crowd.add_program(&bound);
    let member = crowd.add(program).unwrap();
    crowd.set_rate(member, 4).unwrap();
    let mut shown = [Transform::default()];
    let mut places = Vec::new();
    for frame in 0..24 {
        crowd.set(member, t, frame as f32).unwrap();
        assert_eq!(crowd.tick(DT), 0);
        crowd.shown_into(member, &mut shown).unwrap();
        places.push(shown[0].translation.x);
    }
    for pair in places[9..].windows(2) {
        assert!((pair[1] - pair[0] - 1.0).abs() < 1e-4, "{places:?}");
    }
}

#[test]
fn a_crowd_goes_back() {
    let bound = bind(RIG);
    let x = bound.handle::<f32>("x").unwrap();
    let mut crowd = Crowd::new();
    let program = crowd.add_program(&bound);
    let members: Vec<_> = (0..21).map(|_| crowd.add(program).unwrap()).collect();
    for (i, member) in members.iter().enumerate() {
        crowd.set_seed(*member, i as u32).unwrap();
        crowd.set_rate(*member, i as u32 % 3 + 1).unwrap();
    }
    let input = |frame: u32, i: usize, other: bool| {
        ((frame * 13 + i as u32) % 17) as f32 * 0.1 + f32::from(u8::from(other))
    };
    let step = |crowd: &mut Crowd, frame: u32, other: bool| {
        for (i, member) in members.iter().enumerate() {
            // Some have left at times.
            _ = crowd.set(*member, x, input(frame, i, other && frame > 54));
        }
        if frame == 56 {
            crowd.remove(members[4]).unwrap();
            crowd.add(program).unwrap();
        }
        assert_eq!(crowd.tick(DT), 0);
    };
    let mut hashes = Vec::new();
    let mut snapshots = Vec::new();
    for frame in 0..60 {
        snapshots.push(crowd.snapshot());
        step(&mut crowd, frame, false);
        hashes.push(crowd.hash());
    }
    // The same inputs lead to the same state, others to another, and back again.
    crowd.restore(&snapshots[52]).unwrap();
    assert_eq!(crowd.snapshot(), snapshots[52]);
    (52..60).for_each(|frame| {
        step(&mut crowd, frame, false);
        assert_eq!(crowd.hash(), hashes[frame as usize]);
    });
    crowd.restore(&snapshots[52]).unwrap();
    (52..60).for_each(|frame| step(&mut crowd, frame, true));
    assert_ne!(crowd.hash(), hashes[59]);
    // On another instruction set too.
    let mut other = Crowd::with_isa(Isa::Baseline).unwrap();
    other.add_program(&bound);
    other.restore(&snapshots[52]).unwrap();
    (52..60).for_each(|frame| {
        step(&mut other, frame, false);
        assert_eq!(other.hash(), hashes[frame as usize]);
    });
    // A member's bytes are an instance's.
    let mut alone = Instance::new(&bound);
    alone.restore(&other.member_snapshot(members[7]).unwrap()).unwrap();
    assert_eq!(alone.hash(), other.member_hash(members[7]).unwrap());
    alone.tick(DT).unwrap();
    other.restore_member(members[9], &alone.snapshot()).unwrap();
    assert_eq!(alone.hash(), other.member_hash(members[9]).unwrap());
}

#[test]
fn bytes_that_are_no_snapshot_are_refused() {
    let bound = bind(RIG);
    let mut crowd = Crowd::new();
    let program = crowd.add_program(&bound);
    for _ in 0..5 {
        crowd.add(program).unwrap();
    }
    crowd.tick(DT);
    let (good, hash) = (crowd.snapshot(), crowd.hash());
    crowd.tick(DT);
    let now = crowd.hash();
    for cut in 0..good.len() {
        assert!(crowd.restore(&good[..cut]).is_err());
    }
    let mut longer = good.clone();
    longer.extend([0; 4]);
    assert!(matches!(crowd.restore(&longer), Err(SnapshotError::Length { .. })));
    // Magic number, format, fingerprint; how many slots, how many free; how many members, the first
    // one's slot and phase.
    for at in [0, 4, 8, 12, 24, 28, 52, 56, 64] {
        let mut bad = good.clone();
        bad[at] ^= 0x15;
        assert!(crowd.restore(&bad).is_err(), "byte {at}");
        assert_eq!(crowd.hash(), now);
    }
    let mut other = Crowd::new();
    other.add_program(&bind(COUNTED));
    assert_eq!(other.restore(&good), Err(SnapshotError::OtherProgram));
    assert_eq!(crowd.restore(b"no"), Err(SnapshotError::NoSnapshot));
    crowd.restore(&good).unwrap();
    assert_eq!(crowd.hash(), hash);
}

/// Initials are shared by a crowd, so bytes with others belong into an instance.
#[test]
fn initials_of_ones_own_are_refused() {
    let bound = bind(RIG);
    let mut alone = Instance::new(&bound);
    alone.hierarchy_mut().set_initial_local(ElementId(1), Transform::from_translation(Vec3::ONE));
    let mut crowd = Crowd::new();
    let program = crowd.add_program(&bound);
    let member = crowd.add(program).unwrap();
    let refused = crowd.restore_member(member, &alone.snapshot());
    assert_eq!(refused, Err(SnapshotError::Initials.into()));
}

/// A long run's hash, which no version and no platform may change without saying so.
#[test]
fn a_long_run_gives_the_bits_that_it_gave() {
    let bound = bind(RIG);
    let mut pair = Pair::new(&bound, Isa::best(), 5);
    let mut random = Random(2024);
    for _ in 0..600 {
        for i in 0..5 {
            let (x, pose) = (random.next() * 2.0, random.pose());
            pair.set(i, "x", x);
            pair.set_pose(i, &pose);
        }
        pair.tick(DT);
    }
    insta::assert_snapshot!(format!("{:016x}", pair.crowd.hash()));
}
