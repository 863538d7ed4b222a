//! Foot paths over the ground: stances that stand still and swings between them.
//!
//! In a stance the sole first turns about the heel (heel strike), then rests flat, then turns about
//! the ball while the toes stay flat (heel off). The pivot does not move, whatever the pitch does,
//! so planted feet are planted by construction.

use sinew::math::{Quat, Vec3};

use crate::curve::{Curve, Key, ease, hold, key};
use crate::rotation::{about_x, about_y, deg};

/// Where the parts of a foot are at rest, model space.
#[derive(Clone, Copy, Debug)]
pub struct FootShape {
    /// Ankle joint.
    pub ankle: Vec3,
    /// Joint between foot and toes.
    pub ball: Vec3,
    /// Point of the sole under the heel; `None` for a paw that stands on its toes.
    pub heel: Option<Vec3>,
}

/// A time on the ground. Pitches in degrees, positive with the heel up.
#[derive(Clone, Copy, Debug)]
pub struct Stance {
    /// First and last moment, seconds.
    pub time: (f32, f32),
    /// Point of the ground under the ankle when the sole is flat, metres.
    pub at: (f32, f32),
    /// Heading of the foot, degrees; positive to the character's left.
    pub yaw: f32,
    /// Pitch at first touch: negative lands on the heel, positive on the ball.
    pub strike: f32,
    /// When the sole is flat.
    pub flat: f32,
    /// When the heel leaves.
    pub lift: f32,
    /// Pitch when the toes leave.
    pub off: f32,
}

/// How a foot travels between two stances.
#[derive(Clone, Debug)]
pub struct Swing {
    /// Share of the swing's time and height of the ball above the straight line, metres.
    pub heights: Vec<(f32, f32)>,
    /// Share of the swing's time and pitch, degrees.
    pub pitches: Vec<(f32, f32)>,
}

/// A foot's place and turn.
#[derive(Clone, Copy, Debug)]
pub struct FootPose {
    /// Ankle joint.
    pub ankle: Vec3,
    /// Turn of the foot from rest, model space.
    pub foot: Quat,
    /// Turn of the toes from rest, model space.
    pub toes: Quat,
}

/// The path of one foot through a clip.
#[derive(Debug)]
pub struct FootPath {
    shape: FootShape,
    stances: Vec<Stance>,
    heights: Vec<Curve>,
    pitch: Curve,
}

impl FootPath {
    /// From stances in order of time and the swings between them; one swing serves all if there is
    /// one. Before the first and after the last stance the foot rests.
    pub fn new(shape: FootShape, stances: Vec<Stance>, swings: &[Swing]) -> Self {
        let mut keys: Vec<Key> = Vec::new();
        let mut heights = Vec::new();
        for (i, s) in stances.iter().enumerate() {
            if s.flat > s.time.0 {
                keys.push(hold(s.time.0, s.strike));
            }
            keys.push(hold(s.flat, 0.0));
            if s.lift > s.flat {
                keys.push(hold(s.lift, 0.0));
            }
            let Some(next) = stances.get(i + 1) else { continue };
            let swing = &swings[i.min(swings.len() - 1)];
            if s.time.1 > s.lift {
                keys.push(key(s.time.1, s.off));
            }
            let span = next.time.0 - s.time.1;
            keys.extend(swing.pitches.iter().map(|&(u, p)| key(s.time.1 + u * span, p)));
            let mut h = vec![hold(0.0, 0.0)];
            h.extend(swing.heights.iter().map(|&(u, h)| key(u, h)));
            h.push(hold(1.0, 0.0));
            heights.push(Curve::new(&h));
        }
        Self { shape, stances, heights, pitch: Curve::new(&keys) }
    }

    /// Place of the ball when the sole is flat in a stance.
    fn flat_ball(&self, s: &Stance) -> Vec3 {
        let FootShape { ankle, ball, .. } = self.shape;
        let ground = Vec3::new(ankle.x, 0.0, ankle.z);
        Vec3::new(s.at.0, 0.0, s.at.1) + about_y(deg(s.yaw)) * (ball - ground)
    }

    /// Place of the ball in a stance at a pitch in degrees.
    fn stance_ball(&self, s: &Stance, pitch: f32) -> Vec3 {
        let flat = self.flat_ball(s);
        match self.shape.heel {
            Some(heel) if pitch < 0.0 => {
                let arm = self.shape.ball - heel;
                let yaw = about_y(deg(s.yaw));
                flat - yaw * arm + yaw * (about_x(deg(pitch)) * arm)
            }
            _ => flat,
        }
    }

    /// The foot at a moment.
    pub fn at(&self, t: f32) -> FootPose {
        let i = self.stances.iter().rposition(|s| s.time.0 <= t).unwrap_or(0);
        let s = &self.stances[i];
        let pitch = self.pitch.at(t);
        let (ball, yaw, toes) = match self.stances.get(i + 1) {
            Some(next) if t > s.time.1 => {
                let u = (t - s.time.1) / (next.time.0 - s.time.1);
                let (from, to) = (self.stance_ball(s, s.off), self.stance_ball(next, next.strike));
                let w = ease(u);
                let mut ball = from + (to - from) * w;
                ball.y += self.heights[i].at(u);
                let mut toes = pitch * ease(u / 0.4);
                if next.strike > 0.0 || self.shape.heel.is_none() {
                    toes *= 1.0 - ease((u - 0.55) / 0.45);
                }
                (ball, s.yaw + (next.yaw - s.yaw) * w, toes)
            }
            _ => {
                let toes = if self.shape.heel.is_some() { sinew::math::min(pitch, 0.0) } else { 0.0 };
                (self.stance_ball(s, pitch), s.yaw, toes)
            }
        };
        let yaw = about_y(deg(yaw));
        let foot = yaw * about_x(deg(pitch));
        let ankle = ball + foot * (self.shape.ankle - self.shape.ball);
        FootPose { ankle, foot, toes: yaw * about_x(deg(toes)) }
    }

    /// When heel and ball stand still within `[start, end]`: `(is_heel, from, to)`.
    pub fn contacts(&self, start: f32, end: f32) -> Vec<(bool, f32, f32)> {
        let mut out = Vec::new();
        let last = self.stances.len().saturating_sub(1);
        for (i, s) in self.stances.iter().enumerate() {
            // The path rests before the first stance and after the last.
            let from = if i == 0 { start } else { s.time.0 };
            let to = if i == last { end } else { s.time.1 };
            let heel = (if s.strike > 0.0 { s.flat } else { from }, if i == last { end } else { s.lift });
            let ball = (if s.strike < 0.0 && self.shape.heel.is_some() { s.flat } else { from }, to);
            for (is_heel, (a, b)) in [(true, heel), (false, ball)] {
                let (a, b) = (sinew::math::max(a, start), sinew::math::min(b, end));
                if b > a && (!is_heel || self.shape.heel.is_some()) {
                    out.push((is_heel, a, b));
                }
            }
        }
        out
    }
}
