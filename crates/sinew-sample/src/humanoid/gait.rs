//! Walk and run: cyclic bodies and footsteps. Phase 0 is the left foot's touch, phase 0.5 the
//! right foot's.

use core::f32::consts::TAU;

use sinew::math::cos;

use super::body::{ArmPose, Body};
use crate::feet::{FootPath, FootShape, Stance, Swing};

/// Timing and shape of a gait.
pub struct Gait {
    /// Seconds of a cycle of two steps.
    pub period: f32,
    /// Metres a second.
    pub speed: f32,
    /// Share of the cycle that a foot is on the ground.
    pub duty: f32,
    /// Half the distance between the lines the feet walk on, metres.
    pub width: f32,
    /// Toes outward, degrees.
    pub toe_out: f32,
    /// Footprint ahead of where the root is at mid-stance, metres.
    pub ahead: f32,
    /// Pitch at touch and at toe-off, degrees.
    pub strike: f32,
    /// See `strike`.
    pub off: f32,
    /// Shares of the stance at which the sole is flat and the heel leaves.
    pub flat: f32,
    /// See `flat`.
    pub lift: f32,
}

/// 1.3 m/s.
pub const WALK: Gait = Gait {
    period: 1.0,
    speed: 1.3,
    duty: 0.62,
    width: 0.083,
    toe_out: 5.0,
    ahead: -0.075,
    strike: -19.0,
    off: 54.0,
    flat: 0.17,
    lift: 0.52,
};

/// 3.6 m/s, with both feet in the air twice a cycle.
pub const RUN: Gait = Gait {
    period: 0.7,
    speed: 3.6,
    duty: 0.28,
    width: 0.050,
    toe_out: 3.0,
    ahead: -0.075,
    strike: -7.0,
    off: 58.0,
    flat: 0.16,
    lift: 0.40,
};

/// The foot's way between two steps of the walk.
pub fn walk_swing() -> Swing {
    Swing {
        heights: vec![(0.22, 0.075), (0.55, 0.035), (0.82, 0.035)],
        pitches: vec![(0.18, 60.0), (0.5, 18.0), (0.82, -17.0)],
    }
}

/// The foot's way between two steps of the run: the heel comes up behind.
pub fn run_swing() -> Swing {
    Swing {
        heights: vec![(0.30, 0.43), (0.56, 0.35), (0.82, 0.13)],
        pitches: vec![(0.14, 88.0), (0.32, 108.0), (0.56, 52.0), (0.80, 4.0), (0.92, -7.0)],
    }
}

impl Gait {
    /// The `n`th stance of a foot, `n` may be negative.
    pub fn stance(&self, right: bool, n: i32) -> Stance {
        let start = (n as f32 + if right { 0.5 } else { 0.0 }) * self.period;
        let length = self.duty * self.period;
        let side = if right { -1.0 } else { 1.0 };
        Stance {
            time: (start, start + length),
            at: (self.width * side, self.speed * (start + length * 0.5) + self.ahead),
            yaw: self.toe_out * side,
            strike: self.strike,
            flat: start + length * self.flat,
            lift: start + length * self.lift,
            off: self.off,
        }
    }

    /// A foot's path through one cycle and a step on either side of it.
    pub fn path(&self, shape: FootShape, right: bool, swing: Swing) -> FootPath {
        FootPath::new(shape, (-2..4).map(|n| self.stance(right, n)).collect(), &[swing])
    }
}

/// Cosine of a phase, `k` waves a cycle, largest at phase `at`.
fn wave(phase: f32, k: f32, at: f32) -> f32 {
    cos(TAU * k * (phase - at))
}

/// Body at a phase of the walk.
pub fn walk_body(phase: f32) -> Body {
    let arm = |at: f32| {
        // Largest when the arm is in front, at the other foot's touch.
        let forward = wave(phase, 1.0, at + 0.04);
        let late = wave(phase, 1.0, at + 0.10);
        ArmPose {
            shrug: 0.0,
            shoulder: 2.0 + 4.0 * forward,
            swing: -1.0 + 22.0 * forward,
            abduct: 10.5 - 1.5 * forward,
            twist: 14.0 + 5.0 * forward,
            elbow: 22.0 + 12.0 * late,
            pronate: 20.0 + 6.0 * forward,
            wrist: 3.0 - 6.0 * wave(phase, 1.0, at + 0.18),
            curl: 26.0 + 4.0 * late,
        }
    };
    let stand = Body::stand();
    Body {
        shift: [
            0.021 * wave(phase, 1.0, 0.31),
            -0.043 + 0.017 * wave(phase, 2.0, 0.325),
            0.006 + 0.010 * wave(phase, 2.0, 0.08),
        ],
        pelvis: [
            3.0 + 1.0 * wave(phase, 2.0, 0.05),
            -6.0 * wave(phase, 1.0, 0.0),
            3.2 * wave(phase, 1.0, 0.19),
        ],
        spine: [
            -0.5 + 1.2 * wave(phase, 2.0, 0.12),
            12.0 * wave(phase, 1.0, 0.01),
            -4.2 * wave(phase, 1.0, 0.21),
        ],
        head: [2.0 + 0.8 * wave(phase, 2.0, 0.2), 1.0 * wave(phase, 1.0, 0.05), 0.5 * wave(phase, 1.0, 0.3)],
        arms: [arm(0.5), arm(0.0)],
        breath: 0.0,
        knees: 1.0,
        ..stand
    }
}

/// Body at a phase of the run.
pub fn run_body(phase: f32) -> Body {
    let arm = |at: f32| {
        let forward = wave(phase, 1.0, at + 0.06);
        let late = wave(phase, 1.0, at + 0.12);
        ArmPose {
            shrug: 3.0,
            shoulder: 2.0 + 9.0 * forward,
            swing: -6.0 + 43.0 * forward,
            abduct: 15.0 - 3.0 * forward,
            twist: 24.0 + 10.0 * forward,
            elbow: 88.0 + 16.0 * late,
            pronate: 6.0,
            wrist: 2.0,
            curl: 52.0,
        }
    };
    let mid = 0.14;
    Body {
        shift: [
            0.012 * wave(phase, 1.0, mid),
            -0.066 - 0.034 * wave(phase, 2.0, mid + 0.01),
            0.020 + 0.012 * wave(phase, 2.0, 0.40),
        ],
        pelvis: [
            9.0 + 2.5 * wave(phase, 2.0, 0.36),
            -9.0 * wave(phase, 1.0, 0.02),
            3.0 * wave(phase, 1.0, 0.12),
        ],
        spine: [
            5.0 + 2.0 * wave(phase, 2.0, 0.22),
            22.0 * wave(phase, 1.0, 0.03),
            -3.6 * wave(phase, 1.0, 0.14),
        ],
        head: [5.0 + 1.5 * wave(phase, 2.0, 0.25), 1.5 * wave(phase, 1.0, 0.05), 0.0],
        arms: [arm(0.5), arm(0.0)],
        eyes: [-2.0, 0.0],
        jaw: 2.0,
        breath: 0.0,
        knees: 0.0,
    }
}
