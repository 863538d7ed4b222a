//! Chains of any number of bones: FABRIK and cyclic coordinate descent over their joints' positions.

use super::Reach;
use crate::math::{Quat, Vec3, clamp, sin, sin_cos};

/// The most joints of one chain: its working storage is of a fixed size.
pub const MAX_CHAIN: usize = 64;

/// When to stop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChainLimits {
    /// How near the tip must come, metres.
    pub tolerance: f32,
    /// How often the whole chain is gone through at most.
    pub iterations: u32,
}

impl Default for ChainLimits {
    fn default() -> Self {
        Self { tolerance: 1e-3, iterations: 20 }
    }
}

/// What the solvers share: measures the bones and deals with targets out of reach and with chains
/// that are none. `None` where there is something left to solve.
fn begin(points: &mut [Vec3], target: Vec3, tolerance: f32, lengths: &mut [f32; MAX_CHAIN]) -> Option<Reach> {
    let n = points.len();
    let finite = target.is_finite() && points.iter().all(|p| p.is_finite());
    if !(2..=MAX_CHAIN).contains(&n) || !finite {
        return Some(Reach::Degenerate);
    }
    let (mut total, mut longest) = (0.0f32, 0.0f32);
    for (length, pair) in lengths.iter_mut().zip(points.windows(2)) {
        *length = pair[0].distance(pair[1]);
        total += *length;
        longest = if *length > longest { *length } else { longest };
    }
    let root = points[0];
    let distance = root.distance(target);
    if !(total > 1e-12 && total.is_finite() && distance.is_finite()) {
        return Some(Reach::Degenerate);
    }
    if points[n - 1].distance(target) <= tolerance {
        return Some(Reach::Reached);
    }
    // Beyond the full length, and nearer than the longest bone lets the others fold back, the
    // answer is a line.
    let least = 2.0 * longest - total;
    if distance >= total || distance < least {
        let along = (target - root).normalize_or((points[1] - root).normalize_or(Vec3::X));
        let (mut at, folded) = (root, distance < least);
        let mut before_longest = folded;
        for i in 1..n {
            let length = lengths[i - 1];
            // Folded: the longest bone goes out, all others come back.
            let out = !folded || (length == longest && core::mem::take(&mut before_longest));
            at += along * if out { length } else { -length };
            points[i] = at;
        }
        let off = points[n - 1].distance(target);
        return Some(match () {
            () if off <= tolerance => Reach::Reached,
            () if distance >= total => Reach::TooFar,
            () => Reach::TooNear,
        });
    }
    bow(points, target, total, lengths);
    None
}

/// Lays a chain that is straight on the line to its target out as an arc that ends near the target,
/// always to the same side: without a sideways start neither method leaves the line.
fn bow(points: &mut [Vec3], target: Vec3, total: f32, lengths: &[f32; MAX_CHAIN]) {
    let root = points[0];
    let along = (target - root).normalize_or((points[1] - root).normalize_or(Vec3::X));
    let off = |p: &Vec3| (*p - root - along * (*p - root).dot(along)).length();
    if points.iter().any(|p| off(p) > 1e-3 * total) {
        return;
    }
    let square = |v: Vec3| v - along * v.dot(along);
    let side = if along.z.abs() < 0.99 { square(Vec3::Z) } else { square(Vec3::Y) };
    let side = side.normalize_or(Vec3::Y);
    // An arc of this length over an angle θ has the chord total · sin(θ/2)/(θ/2), which falls with θ.
    let chord = root.distance(target) / total;
    let (mut low, mut high) = (0.0f32, core::f32::consts::TAU);
    for _ in 0..20 {
        let half = 0.25 * (low + high);
        if sin(half) > chord * half { low = 2.0 * half } else { high = 2.0 * half }
    }
    let (mut gone, mut at) = (0.0, root);
    for (p, length) in points[1..].iter_mut().zip(lengths) {
        let (s, c) = sin_cos(low * (0.5 - (gone + 0.5 * *length) / total));
        at += (along * c + side * s) * *length;
        gone += *length;
        *p = at;
    }
}

/// `to` moved along the line from `from` until it is `length` away.
#[inline(always)]
fn at_length(from: Vec3, to: Vec3, length: f32) -> Vec3 {
    from + (to - from).normalize_or(Vec3::Z) * length
}

/// Moves the joints of a chain, root first, until the tip meets `target`; the root stays and the
/// lengths are kept. FABRIK: the chain is laid out from the target back to the root and forth again
/// (Aristidou and Lasenby 2011).
///
/// The result depends on the arguments alone and is always finite if they are; what is no chain (one
/// joint, more than [`MAX_CHAIN`], no length, NaN) stays as it is. Allocates nothing.
pub fn solve_fabrik(points: &mut [Vec3], target: Vec3, limits: ChainLimits) -> Reach {
    let tolerance = clamp(limits.tolerance, 0.0, f32::MAX);
    let mut lengths = [0.0; MAX_CHAIN];
    if let Some(reach) = begin(points, target, tolerance, &mut lengths) {
        return reach;
    }
    let (root, last) = (points[0], points.len() - 1);
    for _ in 0..limits.iterations {
        points[last] = target;
        for i in (0..last).rev() {
            points[i] = at_length(points[i + 1], points[i], lengths[i]);
        }
        points[0] = root;
        for i in 0..last {
            points[i + 1] = at_length(points[i], points[i + 1], lengths[i]);
        }
        if points[last].distance(target) <= tolerance {
            break;
        }
    }
    finish(points, root, target, &lengths, tolerance)
}

/// As [`solve_fabrik`] by cyclic coordinate descent (Wang and Chen 1991): joint by joint from the tip
/// to the root, all beyond it turns so that the tip looks at the target.
pub fn solve_ccd(points: &mut [Vec3], target: Vec3, limits: ChainLimits) -> Reach {
    let tolerance = clamp(limits.tolerance, 0.0, f32::MAX);
    let mut lengths = [0.0; MAX_CHAIN];
    if let Some(reach) = begin(points, target, tolerance, &mut lengths) {
        return reach;
    }
    let (root, last) = (points[0], points.len() - 1);
    for _ in 0..limits.iterations {
        for i in (0..last).rev() {
            let pivot = points[i];
            let turn = Quat::from_to(points[last] - pivot, target - pivot);
            for p in &mut points[i + 1..] {
                *p = pivot + turn * (*p - pivot);
            }
        }
        if points[last].distance(target) <= tolerance {
            break;
        }
    }
    finish(points, root, target, &lengths, tolerance)
}

/// Turns a solution to its target and, where it is too short, straightens it by as much as is missing.
///
/// Near the full length both methods converge ever more slowly; left there, the joints would jump to
/// the line once the target is out of reach. This step meets it smoothly.
fn finish(
    points: &mut [Vec3],
    root: Vec3,
    target: Vec3,
    lengths: &[f32; MAX_CHAIN],
    tolerance: f32,
) -> Reach {
    lay_out(points, root, lengths);
    let last = points.len() - 1;
    turn_to(points, root, target);
    let distance = root.distance(target);
    if points[last].distance(root) < distance {
        let along = (target - root).normalize_or(Vec3::X);
        // The part of each bone across the line, times `k`: 1 is the chain as it is, 0 a line.
        let direction = |from: Vec3, to: Vec3, k: f32| {
            let bone = to - from;
            let on = along * bone.dot(along);
            (on + (bone - on) * k).normalize_or(along)
        };
        let chord = |points: &[Vec3], k: f32| {
            let bones = points.windows(2).zip(lengths);
            bones.fold(Vec3::ZERO, |sum, (p, l)| sum + direction(p[0], p[1], k) * *l).length()
        };
        let (mut low, mut high) = (0.0f32, 1.0f32);
        for _ in 0..24 {
            let k = 0.5 * (low + high);
            if chord(points, k) >= distance { low = k } else { high = k }
        }
        let (mut from, mut at) = (root, root);
        for (p, length) in points[1..].iter_mut().zip(lengths) {
            at += direction(from, *p, low) * *length;
            from = core::mem::replace(p, at);
        }
        turn_to(points, root, target);
        lay_out(points, root, lengths);
    }
    if points[last].distance(target) <= tolerance { Reach::Reached } else { Reach::Unsolved }
}

/// Turns a chain about its root so that the tip looks at the target.
fn turn_to(points: &mut [Vec3], root: Vec3, target: Vec3) {
    let tip = points.last().copied().unwrap_or(root);
    let turn = Quat::from_to(tip - root, target - root);
    for p in &mut points[1..] {
        *p = root + turn * (*p - root);
    }
}

/// Gives the bones their lengths again, along the directions that they have.
fn lay_out(points: &mut [Vec3], root: Vec3, lengths: &[f32; MAX_CHAIN]) {
    let (mut from, mut at) = (points[0], root);
    points[0] = root;
    for (p, length) in points[1..].iter_mut().zip(lengths) {
        let direction = *p - from;
        from = *p;
        at += direction.normalize_or(Vec3::Z) * *length;
        *p = at;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    type Solver = fn(&mut [Vec3], Vec3, ChainLimits) -> Reach;
    const SOLVERS: [Solver; 2] = [solve_fabrik, solve_ccd];

    fn lengths(points: &[Vec3]) -> Vec<f32> {
        points.windows(2).map(|p| p[0].distance(p[1])).collect()
    }

    #[test]
    fn a_straight_chain_leaves_its_line() {
        let straight: Vec<Vec3> = (0..5).map(|i| Vec3::X * (i as f32 * 0.5)).collect();
        for solve in SOLVERS {
            for target in [Vec3::X * 0.8, -Vec3::X] {
                let mut points = straight.clone();
                let reach = solve(&mut points, target, ChainLimits { tolerance: 1e-2, iterations: 60 });
                assert!(points[4].distance(target) <= 1.1e-2, "{target:?}: {points:?}");
                assert_eq!(reach, Reach::Reached);
            }
        }
    }

    #[test]
    fn out_of_reach_is_a_line_toward_the_target() {
        for solve in SOLVERS {
            let mut points = [Vec3::ZERO, Vec3::X, Vec3::new(1.0, 1.0, 0.0)];
            assert_eq!(solve(&mut points, Vec3::Y * 9.0, ChainLimits::default()), Reach::TooFar);
            assert_eq!(points, [Vec3::ZERO, Vec3::Y, Vec3::Y * 2.0]);
            let mut points = [Vec3::ZERO, Vec3::X * 3.0, Vec3::new(3.0, 1.0, 0.0)];
            assert_eq!(solve(&mut points, Vec3::Y, ChainLimits::default()), Reach::TooNear);
            assert_eq!(points, [Vec3::ZERO, Vec3::Y * 3.0, Vec3::Y * 2.0]);
        }
    }

    #[test]
    fn joints_do_not_jitter_near_the_full_length() {
        let given =
            [Vec3::ZERO, Vec3::new(0.1, 0.5, 0.0), Vec3::new(0.0, 1.0, 0.1), Vec3::new(0.2, 1.4, 0.0)];
        let total: f32 = lengths(&given).iter().sum();
        for solve in SOLVERS {
            let mut last: Option<[Vec3; 4]> = None;
            let mut worst = 0.0f32;
            for i in 0..=400 {
                let d = total * (0.9 + i as f32 * 0.0005);
                let mut points = given;
                let target = Vec3::new(0.6, 0.8, 0.0) * d;
                solve(&mut points, target, ChainLimits { tolerance: 1e-3, iterations: 20 });
                if let Some(last) = last {
                    for (a, b) in points.iter().zip(last) {
                        worst = if a.distance(b) > worst { a.distance(b) } else { worst };
                    }
                }
                last = Some(points);
            }
            assert!(worst < 0.03 * total, "{worst}");
        }
    }

    #[test]
    fn no_chain_stays_as_it_is() {
        for solve in SOLVERS {
            let bad = Vec3::splat(f32::NAN);
            for points in [vec![], vec![Vec3::X], vec![Vec3::X; 3], vec![Vec3::X, bad], vec![Vec3::X; 65]] {
                let mut moved = points.clone();
                assert_eq!(solve(&mut moved, Vec3::Y, ChainLimits::default()), Reach::Degenerate);
                assert_eq!(format!("{moved:?}"), format!("{points:?}"));
            }
        }
    }

    #[test]
    fn ten_thousand_solutions_of_one_pose_are_one() {
        let given = [Vec3::ZERO, Vec3::Y, Vec3::new(0.2, 2.0, 0.0), Vec3::new(0.2, 2.5, 0.5)];
        for solve in SOLVERS {
            let run = || {
                let mut points = given;
                solve(&mut points, Vec3::new(1.0, 1.0, 0.4), ChainLimits::default());
                points
            };
            let first = run();
            assert!((0..10_000).all(|_| run() == first));
        }
    }

    fn point() -> impl Strategy<Value = Vec3> {
        (-1.0f32..1.0, -1.0f32..1.0, -1.0f32..1.0).prop_map(|(x, y, z)| Vec3::new(x, y, z))
    }

    proptest! {
        #[test]
        fn the_root_and_the_lengths_are_kept(
            points in proptest::collection::vec(point(), 2..12),
            target in point(),
            tolerance in 0.0f32..0.1,
            iterations in 0u32..30,
        ) {
            for solve in SOLVERS {
                let mut moved = points.clone();
                let reach = solve(&mut moved, target, ChainLimits { tolerance, iterations });
                prop_assert!(moved.iter().all(|p| p.is_finite()));
                prop_assert_eq!(moved[0], points[0]);
                for (was, is) in lengths(&points).iter().zip(lengths(&moved)) {
                    prop_assert!((was - is).abs() < 2e-5, "{} {}", was, is);
                }
                if reach == Reach::Reached {
                    prop_assert!(moved[moved.len() - 1].distance(target) <= tolerance + 2e-5);
                }
            }
        }
    }
}
