//! The humanoid's pose in an animator's terms, and how it becomes joint transforms.

use sinew::math::{Quat, Transform, Vec3};

use super::skeleton::{ARM, Bones, PALM, forearm_direction};
use crate::feet::FootPose;
use crate::figure::Figure;
use crate::model::SkeletonBuilder;
use crate::rotation::{about, about_x, about_y, about_z, deg, slerp};

/// An arm's angles in degrees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ArmPose {
    /// Shoulder up.
    pub shrug: f32,
    /// Shoulder forward.
    pub shoulder: f32,
    /// Upper arm forward from hanging.
    pub swing: f32,
    /// Upper arm out to the side from hanging.
    pub abduct: f32,
    /// Upper arm about itself, forearm inward.
    pub twist: f32,
    /// Elbow flexion.
    pub elbow: f32,
    /// Palm turned down or back.
    pub pronate: f32,
    /// Wrist towards the palm.
    pub wrist: f32,
    /// Fingers: 0 straight, 90 a fist.
    pub curl: f32,
}

/// A whole pose apart from root and feet; metres and degrees. Sides are left, right.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body {
    /// Shift of the pelvis from rest: left, up, forward.
    pub shift: [f32; 3],
    /// Pelvis pitch (forward), yaw (left), roll (left side up).
    pub pelvis: [f32; 3],
    /// The same for the trunk above the pelvis, over the whole spine.
    pub spine: [f32; 3],
    /// The same for the head, against the root and not the chest: a head keeps itself level.
    pub head: [f32; 3],
    /// Arms.
    pub arms: [ArmPose; 2],
    /// Eyes down and left.
    pub eyes: [f32; 2],
    /// Jaw open.
    pub jaw: f32,
    /// Breath, from -1 out to 1 in.
    pub breath: f32,
    /// Knees outward from where the feet point.
    pub knees: f32,
}

/// Mixes arrays.
fn mix<const N: usize>(a: [f32; N], b: [f32; N], w: f32) -> [f32; N] {
    core::array::from_fn(|i| a[i] + (b[i] - a[i]) * w)
}

impl ArmPose {
    fn to_array(self) -> [f32; 9] {
        let s = self;
        [s.shrug, s.shoulder, s.swing, s.abduct, s.twist, s.elbow, s.pronate, s.wrist, s.curl]
    }

    fn from_array([shrug, shoulder, swing, abduct, twist, elbow, pronate, wrist, curl]: [f32; 9]) -> Self {
        Self { shrug, shoulder, swing, abduct, twist, elbow, pronate, wrist, curl }
    }

    /// Straight mixture of all angles.
    pub fn mix(self, o: Self, w: f32) -> Self {
        Self::from_array(mix(self.to_array(), o.to_array(), w))
    }
}

impl Body {
    /// Standing at ease.
    pub fn stand() -> Self {
        let arm = ArmPose {
            shrug: 0.0,
            shoulder: 2.0,
            swing: -2.0,
            abduct: 11.0,
            twist: 12.0,
            elbow: 13.0,
            pronate: 18.0,
            wrist: 4.0,
            curl: 24.0,
        };
        Self {
            shift: [0.0, -0.012, 0.002],
            pelvis: [1.0, 0.0, 0.0],
            spine: [-2.0, 0.0, 0.0],
            head: [1.0, 0.0, 0.0],
            arms: [arm; 2],
            eyes: [0.0; 2],
            jaw: 0.0,
            breath: 0.0,
            knees: 2.0,
        }
    }

    /// Straight mixture of all angles.
    pub fn mix(self, o: Self, w: f32) -> Self {
        Self {
            shift: mix(self.shift, o.shift, w),
            pelvis: mix(self.pelvis, o.pelvis, w),
            spine: mix(self.spine, o.spine, w),
            head: mix(self.head, o.head, w),
            arms: core::array::from_fn(|i| self.arms[i].mix(o.arms[i], w)),
            eyes: mix(self.eyes, o.eyes, w),
            jaw: self.jaw + (o.jaw - self.jaw) * w,
            breath: self.breath + (o.breath - self.breath) * w,
            knees: self.knees + (o.knees - self.knees) * w,
        }
    }
}

/// Yaw, then pitch, then roll, from degrees as `[pitch, yaw, roll]`.
fn angles([pitch, yaw, roll]: [f32; 3]) -> Quat {
    about_y(deg(yaw)) * about_x(deg(pitch)) * about_z(deg(roll))
}

/// A turn of the left side on the given side.
fn mirror(q: Quat, right: bool) -> Quat {
    if right { Quat::new(q.x, -q.y, -q.z, q.w) } else { q }
}

/// Poses the skeleton: root, body, feet. Returns local transforms.
pub fn pose(
    skeleton: &SkeletonBuilder,
    bones: &Bones,
    root: Transform,
    body: &Body,
    feet: [FootPose; 2],
) -> Vec<Transform> {
    let mut f = Figure::new(&skeleton.joints, &skeleton.globals);
    f.set(bones.root, root.translation, root.rotation);
    let [x, y, z] = body.shift;
    let pelvis = root.transform_point(f.rest_place(bones.pelvis) + Vec3::new(x, y, z));
    f.set(bones.pelvis, pelvis, root.rotation * angles(body.pelvis));
    for (joint, share) in bones.spine.into_iter().zip([0.2, 0.25, 0.3, 0.25]) {
        let mut a = body.spine.map(|v| v * share);
        // Breathing lifts the chest; the head below keeps level by itself.
        a[0] -= body.breath * share * 1.6;
        f.follow(joint, angles(a));
    }
    let chest = f.turn(bones.spine[3]);
    let head = root.rotation * angles(body.head);
    f.point(bones.neck[0], slerp(chest, head, 0.3));
    f.point(bones.neck[1], slerp(chest, head, 0.65));
    f.point(bones.head, head);
    f.follow(bones.jaw, about_x(deg(body.jaw)));
    for eye in bones.eyes {
        f.follow(eye, about_y(deg(body.eyes[1])) * about_x(deg(body.eyes[0])));
    }
    for i in 0..2 {
        arm(&mut f, skeleton, bones, i, &body.arms[i], body.breath);
    }
    for (i, foot) in feet.into_iter().enumerate() {
        let l = &bones.legs[i];
        let heading = root.rotation.conjugate() * foot.foot * Vec3::X;
        // Knees point where the feet do, seen from above; the foot's X axis is level at any pitch.
        let toe = sinew::math::atan2(-heading.z, heading.x);
        let out = deg(if i == 0 { body.knees } else { -body.knees });
        let pole = root.rotation * (about_y(toe + out) * Vec3::Z);
        // A raised thigh needs a pole that is not along the leg: tilt it upward.
        f.reach([l.thigh, l.calf, l.foot], foot.ankle, pole + Vec3::new(0.0, 0.15, 0.0));
        let axis = (f.rest_place(l.calf) - f.rest_place(l.thigh)).normalize_or(-Vec3::Y);
        let back = slerp(Quat::IDENTITY, f.twist(l.thigh, axis).conjugate(), 0.5);
        f.follow(l.thigh_twist, back);
        f.point(l.foot, foot.foot);
        let axis = (f.rest_place(l.foot) - f.rest_place(l.calf)).normalize_or(-Vec3::Y);
        let half = slerp(Quat::IDENTITY, f.twist(l.foot, axis), 0.5);
        f.follow(l.calf_twist, half);
        f.point(l.ball, foot.toes);
    }
    f.follow(bones.prop, Quat::IDENTITY);
    f.locals()
}

fn arm(f: &mut Figure, skeleton: &SkeletonBuilder, bones: &Bones, i: usize, p: &ArmPose, breath: f32) {
    let right = i == 1;
    let a = &bones.arms[i];
    let fore = forearm_direction();
    let elbow_axis = ARM.cross(Vec3::Z).normalize_or(Vec3::X);
    f.follow(a.clavicle, mirror(about_y(deg(-p.shoulder)) * about_z(deg(p.shrug + breath * 0.9)), right));
    let upper = about_x(deg(-p.swing)) * about_z(deg(p.abduct - 45.0)) * about(ARM, deg(p.twist));
    f.follow(a.upper, mirror(upper, right));
    let arm_axis = if right { Vec3::new(-ARM.x, ARM.y, ARM.z) } else { ARM };
    let back = slerp(Quat::IDENTITY, f.twist(a.upper, arm_axis).conjugate(), 0.5);
    f.follow(a.upper_twist, back);
    f.follow(a.lower, mirror(about(elbow_axis, deg(p.elbow - 11.0)), right));
    let pronate = deg(p.pronate);
    f.follow(a.lower_twist, mirror(about(fore, pronate * 0.5), right));
    let wrist_axis = fore.cross(PALM).normalize_or(Vec3::X);
    f.follow(a.hand, mirror(about(fore, pronate) * about(wrist_axis, deg(p.wrist)), right));
    for (k, finger) in a.fingers.iter().enumerate() {
        for (j, &joint) in finger.iter().enumerate() {
            let share = match (k, j) {
                (0, 0) => 0.50,
                (0, _) => 0.60,
                (_, 0) => 0.75 + 0.06 * k as f32,
                (_, 1) => 1.05,
                _ => 0.7,
            };
            let axis = skeleton.globals[joint].rotation * Vec3::X;
            f.follow(joint, about(axis, deg(p.curl * share)));
        }
    }
}
