//! Springs and dampers, solved exactly: the state after a time does not depend on how the time is
//! cut into steps.

use super::{Quat, Vec3, exp, max, sin_cos};

const LN_2: f32 = core::f32::consts::LN_2;

/// A number on a spring.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct SpringState {
    /// Where it is.
    pub value: f32,
    /// Per second.
    pub velocity: f32,
}

/// A vector on a spring.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct SpringStateVec3 {
    /// Where it is.
    pub value: Vec3,
    /// Per second.
    pub velocity: Vec3,
}

/// A rotation on a spring.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C)]
pub struct SpringStateQuat {
    /// Where it is.
    pub value: Quat,
    /// Rate of the rotation vector from the goal, radians per second: the angular velocity as long
    /// as the motion is about one axis.
    pub velocity: Vec3,
}

crate::plain_struct!(SpringState { value: f32, velocity: f32 });
crate::plain_struct!(SpringStateVec3 { value: Vec3, velocity: Vec3 });
crate::plain_struct!(SpringStateQuat { value: Quat, velocity: Vec3 });

/// A spring's step as a matrix on `(offset from the goal, velocity)`: it is linear and the same for
/// every component.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpringStep {
    /// New offset per offset.
    pub xx: f32,
    /// New offset per velocity.
    pub xv: f32,
    /// New velocity per offset.
    pub vx: f32,
    /// New velocity per velocity.
    pub vv: f32,
}

impl SpringStep {
    /// No time passes.
    const STAY: Self = Self { xx: 1.0, xv: 0.0, vx: 0.0, vv: 1.0 };
    /// At the goal and at rest.
    const ARRIVE: Self = Self { xx: 0.0, xv: 0.0, vx: 0.0, vv: 0.0 };

    /// Critically damped, `ω = 2 ln 2 / half_life`, over `dt` seconds. With a half-life that is
    /// not above 0 the goal is reached at once; with a `dt` that is not above 0 nothing changes.
    #[inline(always)]
    pub fn critical(half_life: f32, dt: f32) -> Self {
        if max(dt, 0.0) == 0.0 {
            return Self::STAY;
        }
        if max(half_life, 1e-9) == 1e-9 {
            return Self::ARRIVE;
        }
        let w = 2.0 * LN_2 / half_life;
        let e = exp(-w * dt);
        // ẍ = -2ωẋ - ω²x, so x = (x₀ + (v₀ + ωx₀)t) e^(-ωt).
        Self { xx: e * (1.0 + w * dt), xv: e * dt, vx: -e * w * w * dt, vv: e * (1.0 - w * dt) }
    }

    /// Undamped frequency in hertz and damping ratio (below 1 it swings, at 1 it is critical,
    /// above 1 it creeps; negative counts as 0), over `dt` seconds. A frequency that is not above
    /// 0 is no spring: the velocity stays. With a `dt` that is not above 0 nothing changes.
    ///
    /// The matrix exponential of `ẍ = -2ζωẋ - ω²x`, written so that it is smooth across ζ = 1.
    #[inline(always)]
    pub fn damped(frequency: f32, damping_ratio: f32, dt: f32) -> Self {
        if max(dt, 0.0) == 0.0 {
            return Self::STAY;
        }
        let w = core::f32::consts::TAU * max(frequency, 0.0);
        let zeta = max(damping_ratio, 0.0);
        let a = zeta * w;
        // The damped frequency squared, negative when over-damped, and the angle squared.
        let d2 = w * w * (1.0 - zeta) * (1.0 + zeta);
        let u = d2 * dt * dt;
        let root = d2.abs().sqrt();
        let e = exp(-a * dt);
        // `c` is e^(-at) cos(dt·√d2), `s` is e^(-at) sin(dt·√d2)/√d2; hyperbolic for a negative d2.
        let (c, s) = if u.abs() < 0.1 {
            let c = 1.0 - u * (0.5 - u * (1.0 / 24.0 - u * (1.0 / 720.0)));
            let s = 1.0 - u * (1.0 / 6.0 - u * (1.0 / 120.0 - u * (1.0 / 5040.0)));
            (e * c, e * s * dt)
        } else if d2 > 0.0 {
            let (sin, cos) = sin_cos(root * dt);
            (e * cos, e * sin / root)
        } else {
            // a - √ without cancellation; both exponents are negative, so nothing overflows.
            let slow = exp(-(w * w / (a + root)) * dt);
            let fast = exp(-(a + root) * dt);
            (0.5 * (slow + fast), 0.5 * (slow - fast) / root)
        };
        Self { xx: c + a * s, xv: s, vx: -w * w * s, vv: c - a * s }
    }

    /// Steps a number toward `goal`.
    #[inline(always)]
    pub fn apply(self, state: SpringState, goal: f32) -> SpringState {
        let (x, v) = (state.value - goal, state.velocity);
        SpringState { value: goal + (self.xx * x + self.xv * v), velocity: self.vx * x + self.vv * v }
    }

    /// Steps a vector toward `goal`.
    #[inline(always)]
    pub fn apply_vec3(self, state: SpringStateVec3, goal: Vec3) -> SpringStateVec3 {
        let (x, v) = (state.value - goal, state.velocity);
        SpringStateVec3 { value: goal + (x * self.xx + v * self.xv), velocity: x * self.vx + v * self.vv }
    }

    /// Steps a rotation toward `goal` by the shortest arc: the rotation vector between them is
    /// what is on the spring.
    #[inline(always)]
    pub fn apply_quat(self, state: SpringStateQuat, goal: Quat) -> SpringStateQuat {
        let x = (state.value * goal.conjugate()).log();
        let v = state.velocity;
        let turn = Quat::exp(x * self.xx + v * self.xv);
        SpringStateQuat { value: (turn * goal).normalize(), velocity: x * self.vx + v * self.vv }
    }
}

/// The part of the way to the goal that an exponential approach covers in `dt` seconds:
/// `1 - 2^(-dt / half_life)`. 1 where the half-life is not above 0, 0 where `dt` is not.
#[inline(always)]
pub fn damper_fraction(half_life: f32, dt: f32) -> f32 {
    if max(dt, 0.0) == 0.0 {
        0.0
    } else if max(half_life, 1e-9) == 1e-9 {
        1.0
    } else {
        1.0 - exp(-LN_2 * dt / half_life)
    }
}

/// Exponential approach of a number to `goal`, exact for every `dt`; see [`damper_fraction`].
#[inline(always)]
pub fn damper_exact(value: f32, goal: f32, half_life: f32, dt: f32) -> f32 {
    super::lerp(value, goal, damper_fraction(half_life, dt))
}

/// Exponential approach of a vector to `goal`, exact for every `dt`; see [`damper_fraction`].
#[inline(always)]
pub fn damper_exact_vec3(value: Vec3, goal: Vec3, half_life: f32, dt: f32) -> Vec3 {
    let t = damper_fraction(half_life, dt);
    value * (1.0 - t) + goal * t
}

/// Exponential approach of a rotation to `goal` by the shortest arc, exact for every `dt`; see
/// [`damper_fraction`].
#[inline(always)]
pub fn damper_exact_quat(value: Quat, goal: Quat, half_life: f32, dt: f32) -> Quat {
    value.slerp(goal, damper_fraction(half_life, dt))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::shared_json;

    fn runs(step: impl Fn(f32) -> SpringStep) -> Vec<SpringState> {
        let start = SpringState { value: 1.0, velocity: -3.0 };
        let uneven = [0.013f32, 0.2, 0.007, 0.1, 0.05, 0.13];
        let cuts = [vec![0.5f32], vec![0.05; 10], vec![0.5 / 60.0; 60], uneven.to_vec()];
        cuts.iter().map(|c| c.iter().fold(start, |s, &dt| step(dt).apply(s, 0.4))).collect()
    }

    #[test]
    fn reference_steps_agree() {
        let Some(file) = shared_json("vectors/spring_critical.json") else { return };
        for c in file["cases"].as_array().expect("cases") {
            let f = |k: &str| c[k].as_f64().expect("number") as f32;
            let state = SpringState { value: f("x"), velocity: f("v") };
            let s = SpringStep::critical(f("half_life"), f("dt")).apply(state, f("goal"));
            assert!((s.value - f("x1")).abs() <= 1e-5 * (1.0 + f("x1").abs()), "{s:?} {c}");
            assert!((s.velocity - f("v1")).abs() <= 1e-5 * (1.0 + f("v1").abs()) * 3.0, "{s:?} {c}");
        }
    }

    #[test]
    fn the_state_does_not_depend_on_how_time_is_cut() {
        let mut all = vec![runs(|dt| SpringStep::critical(0.2, dt))];
        for zeta in [0.0f32, 0.1, 0.5, 0.9, 0.999, 1.0, 1.001, 1.1, 2.0, 20.0] {
            all.push(runs(|dt| SpringStep::damped(1.5, zeta, dt)));
        }
        for states in all {
            for s in &states {
                assert!((s.value - states[0].value).abs() < 1e-4, "{states:?}");
                assert!((s.velocity - states[0].velocity).abs() < 1e-4, "{states:?}");
            }
        }
    }

    #[test]
    fn damped_springs_agree_with_fine_integration() {
        for zeta in [0.0f64, 0.3, 0.99, 1.0, 1.01, 3.0] {
            let w = std::f64::consts::TAU * 1.5;
            let (mut x, mut v) = (1.0f64, -3.0f64);
            let h = 0.3 / 60_000.0;
            let rate = |x: f64, v: f64| -2.0 * zeta * w * v - w * w * x;
            for _ in 0..60_000 {
                // Midpoint rule.
                let (xm, vm) = (x + 0.5 * h * v, v + 0.5 * h * rate(x, v));
                (x, v) = (x + h * vm, v + h * rate(xm, vm));
            }
            let s = SpringStep::damped(1.5, zeta as f32, 0.3)
                .apply(SpringState { value: 1.0, velocity: -3.0 }, 0.0);
            assert!(
                (f64::from(s.value) - x).abs() < 2e-6 && (f64::from(s.velocity) - v).abs() < 2e-5,
                "{zeta} {s:?} {x} {v}"
            );
        }
    }

    #[test]
    fn rotations_spring_along_the_shortest_arc_independent_of_the_cut() {
        let goal = Quat::from_axis_angle(Vec3::new(1.0, 2.0, 0.5), 1.0);
        let start =
            SpringStateQuat { value: -Quat::from_rotation_z(-0.8), velocity: Vec3::new(0.5, -1.0, 2.0) };
        let run = |n: usize| {
            (0..n).fold(start, |s, _| SpringStep::damped(1.0, 0.4, 0.5 / n as f32).apply_quat(s, goal))
        };
        let (one, many) = (run(1), run(40));
        assert!(Quat::angle_between(one.value, many.value) < 1e-4);
        assert!((one.velocity - many.velocity).length() < 1e-4);
    }

    #[test]
    fn extremes_are_finite_and_as_documented() {
        let state = SpringState { value: 3.0, velocity: 5.0 };
        assert_eq!(
            SpringStep::critical(0.0, 0.1).apply(state, 1.0),
            SpringState { value: 1.0, velocity: 0.0 }
        );
        assert_eq!(SpringStep::critical(0.1, 0.0), SpringStep::STAY);
        assert_eq!(SpringStep::critical(0.1, f32::NAN), SpringStep::STAY);
        assert_eq!(damper_exact(3.0, 1.0, 0.0, 0.1), 1.0);
        assert!((damper_exact(3.0, 1.0, 0.2, 0.2) - 2.0).abs() < 1e-6);
        for f in [0.0f32, -1.0, 1e-9, 1.0, 1e6, f32::NAN] {
            for z in [0.0f32, -1.0, 1.0, 1e6, f32::NAN] {
                for dt in [0.0f32, -1.0, 1e-9, 0.016, 1e3, f32::NAN] {
                    for s in [SpringStep::damped(f, z, dt), SpringStep::critical(f, dt)] {
                        let s = s.apply(state, 1.0);
                        assert!(s.value.is_finite() && s.velocity.is_finite(), "{f} {z} {dt} {s:?}");
                    }
                }
            }
        }
    }
}
