//! Posing by turns in model axes.
//!
//! At rest every joint's *turn* is the identity, whatever its own axes are; a joint's turn is the
//! rotation that took it away from rest, seen in model space. That lets motion be written without
//! a thought for bone axes; [`Figure::locals`] brings it into them at the end.

use sinew::math::{Quat, Transform, Vec3};

use crate::model::SampleJoint;
use crate::rotation::{from_columns, twist_about};

/// A skeleton being posed.
pub struct Figure<'a> {
    joints: &'a [SampleJoint],
    rest: &'a [Transform],
    /// Turn from rest in model space, by joint.
    turn: Vec<Quat>,
    /// Place in model space, by joint.
    place: Vec<Vec3>,
}

impl<'a> Figure<'a> {
    /// At rest. `rest` are model-space transforms by joint.
    pub fn new(joints: &'a [SampleJoint], rest: &'a [Transform]) -> Self {
        Self {
            joints,
            rest,
            turn: vec![Quat::IDENTITY; joints.len()],
            place: rest.iter().map(|r| r.translation).collect(),
        }
    }

    /// Rest place of a joint.
    pub fn rest_place(&self, joint: usize) -> Vec3 {
        self.rest[joint].translation
    }

    /// Current turn of a joint from rest.
    pub fn turn(&self, joint: usize) -> Quat {
        self.turn[joint]
    }

    /// Sets a joint by place and turn in model space. Joints must be set parents first.
    pub fn set(&mut self, joint: usize, place: Vec3, turn: Quat) {
        self.place[joint] = place;
        self.turn[joint] = turn;
    }

    /// Lets a joint follow its parent, with an own turn (in model axes at rest) on top.
    pub fn follow(&mut self, joint: usize, own: Quat) {
        self.place[joint] = self.attached(joint);
        let parent = self.joints[joint].parent.map_or(Quat::IDENTITY, |p| self.turn[p]);
        self.turn[joint] = (parent * own).normalize();
    }

    /// Lets a joint follow its parent's place, with a given turn in model space.
    pub fn point(&mut self, joint: usize, turn: Quat) {
        self.place[joint] = self.attached(joint);
        self.turn[joint] = turn;
    }

    fn attached(&self, joint: usize) -> Vec3 {
        let at = self.rest[joint].translation;
        self.joints[joint]
            .parent
            .map_or(at, |p| self.place[p] + self.turn[p] * (at - self.rest[p].translation))
    }

    /// Closed-form two-bone reach: turns `upper` and `lower` so that `end` stands at `target`,
    /// bending towards `pole` (a direction in model space). The triangle of the two lengths and the
    /// distance gives the bend by the law of cosines. Near its full length the limb falls softly
    /// short of the target, so that a knee never snaps straight.
    pub fn reach(&mut self, [upper, lower, end]: [usize; 3], target: Vec3, pole: Vec3) {
        self.place[upper] = self.attached(upper);
        let from = self.place[upper];
        let rest = |j: usize| self.rest[j].translation;
        let (a, b) = (rest(lower).distance(rest(upper)), rest(end).distance(rest(lower)));
        let span = target - from;
        let full = span.length();
        let d = sinew::math::max(soft_limit(full / (a + b)) * (a + b), (a - b).abs() + 1e-4);
        let along = span.normalize_or(-Vec3::Y);
        let side = (pole - along * pole.dot(along)).normalize_or(Vec3::Z);
        let x = (a * a - b * b + d * d) / (2.0 * d);
        let h = sinew::math::max(a * a - x * x, 0.0).sqrt();
        let knee = from + along * x + side * h;
        let hinge = side.cross(along).normalize_or(Vec3::X);
        // At rest the limb bends in the plane of its two bones; a straight one about the X axis.
        let (u0, l0) = (rest(lower) - rest(upper), rest(end) - rest(lower));
        let (plane, line) = (u0.cross(l0), u0 + l0);
        let rest_hinge = if plane.length() > 1e-5 { plane.normalize_or(Vec3::X) } else { Vec3::X };
        let bulge = u0 - line * (u0.dot(line) / line.length_squared());
        let rest_hinge = if bulge.cross(line).dot(rest_hinge) < 0.0 { -rest_hinge } else { rest_hinge };
        self.turn[upper] = between(u0, rest_hinge, knee - from, hinge);
        self.place[lower] = knee;
        self.turn[lower] = between(l0, rest_hinge, from + along * d - knee, hinge);
    }

    /// Local transforms, joint by joint.
    pub fn locals(&self) -> Vec<Transform> {
        let global = |j: usize| {
            Transform::new(self.place[j], (self.turn[j] * self.rest[j].rotation).normalize(), Vec3::ONE)
        };
        (0..self.joints.len())
            .map(|j| {
                let Some(p) = self.joints[j].parent else { return global(j) };
                let mut local = global(p).to_local(global(j));
                local.rotation = local.rotation.normalize();
                // Places that follow the parent are exactly those of rest, without rounding.
                if (local.translation - self.joints[j].rest.translation).length() < 1e-5 {
                    local.translation = self.joints[j].rest.translation;
                }
                local
            })
            .collect()
    }

    /// The turn of `joint` against its parent, about the unit model-space axis `axis` at rest.
    pub fn twist(&self, joint: usize, axis: Vec3) -> Quat {
        let parent = self.joints[joint].parent.map_or(Quat::IDENTITY, |p| self.turn[p]);
        twist_about(parent.conjugate() * self.turn[joint], axis)
    }
}

/// The share of its length that a limb reaches when asked for `x`: `x` itself up to 0.985, then
/// ever more slowly towards 0.998, with a continuous slope.
fn soft_limit(x: f32) -> f32 {
    const FROM: f32 = 0.985;
    const ROOM: f32 = 0.013;
    if x <= FROM { x } else { FROM + ROOM * (1.0 - sinew::math::exp((FROM - x) / ROOM)) }
}

/// The turn that takes direction `d0` to `d1` and the hinge `h0` to `h1`; hinges are made
/// perpendicular to the directions.
fn between(d0: Vec3, h0: Vec3, d1: Vec3, h1: Vec3) -> Quat {
    let frame = |d: Vec3, h: Vec3| {
        let y = d.normalize_or(Vec3::Y);
        let x = (h - y * h.dot(y)).normalize_or(Vec3::X);
        from_columns(x, y, x.cross(y))
    };
    (frame(d1, h1) * frame(d0, h0).conjugate()).normalize()
}
