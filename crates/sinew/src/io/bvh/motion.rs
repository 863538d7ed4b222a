//! The MOTION part, and the model that the file makes.

use super::super::model::Model;
use super::tree::{Channel, Tree};
use super::words::{Words, scaled};
use super::{BvhError, Options};
use crate::anim::{self, Clip, Interpolation, Skeleton, Track};
use crate::math::{Quat, Transform, Vec3};

/// Rows of channel values.
pub(super) struct Frames {
    pub time: f64,
    pub columns: usize,
    pub values: Vec<f32>,
    pub count: usize,
}

/// Reads the rows. `scale` is only checked: positions times it must fit an `f32`.
pub(super) fn read(
    words: &mut Words<'_>,
    tree: &Tree,
    scale: f32,
    warnings: &mut Vec<String>,
) -> Result<Frames, BvhError> {
    let channels: Vec<Channel> = tree.joints.iter().flat_map(|j| j.channels.iter().copied()).collect();
    let columns = channels.len();
    words.expect("MOTION")?;
    words.expect("Frames:")?;
    let stated = words.whole("the number of frames")?;
    words.expect("Frame")?;
    words.expect("Time:")?;
    let time = words.float("the frame time")?;
    if !(time as f32 > 0.0 && time < 1e6) {
        return words.fail(format!("a frame time of {time} s: it must be above 0"));
    }
    // A number takes a byte and the blank before it.
    let most = words.left() / 2 + 1;
    let mut values = Vec::with_capacity(stated.saturating_mul(columns).min(most));
    let mut count = 0;
    while count < stated && columns > 0 {
        if words.peek().is_none() {
            break;
        }
        let start = values.len();
        for (column, channel) in channels.iter().enumerate() {
            if words.peek().is_none() {
                warnings
                    .push(format!("frame {count} ends after {column} of {columns} values and is left out"));
                values.truncate(start);
                break;
            }
            let value = words.float("a channel")? as f32;
            if matches!(channel, Channel::Position(_)) {
                words.fits(f64::from(value), scale)?;
            }
            values.push(value);
        }
        if values.len() == start {
            break;
        }
        count += 1;
    }
    if count < stated && columns > 0 {
        warnings.push(format!("`Frames:` says {stated}, but there are {count}"));
    } else if words.peek().is_some() {
        warnings
            .push(format!("there is more behind the {stated} frames that `Frames:` says; it is left out"));
    }
    if columns == 0 {
        count = stated.min(1);
    }
    Ok(Frames { time, columns, values, count })
}

fn axis(index: usize) -> Vec3 {
    [Vec3::X, Vec3::Y, Vec3::Z][index.min(2)]
}

pub(super) fn model(
    tree: &Tree,
    frames: &Frames,
    name: &str,
    options: &Options,
    mut warnings: Vec<String>,
) -> Result<Model, BvhError> {
    // What the file can get wrong was refused where it stands.
    let broken = |e: String| BvhError::Line { line: 1, what: e };
    let mut index = Vec::with_capacity(tree.joints.len());
    let mut joints = Vec::new();
    for joint in &tree.joints {
        if joint.is_end && !options.end_sites {
            index.push(None);
            continue;
        }
        let [x, y, z] = joint.offset.map(|v| scaled(v, options.scale));
        let parent = joint.parent.and_then(|p| index.get(p).copied().flatten());
        index.push(Some(joints.len()));
        let rest = Transform::from_translation(Vec3::new(x, y, z));
        joints.push(anim::Joint { name: joint.name.clone(), parent, rest });
    }
    let skeleton = Skeleton::new(joints).map_err(|e| broken(e.to_string()))?;
    let mut tracks = Vec::new();
    let mut column = 0;
    for (joint, to) in tree.joints.iter().zip(&index) {
        let from = column;
        column += joint.channels.len();
        let Some(to) = to else { continue };
        tracks.extend(
            Tracks::of(joint, from, frames, options.scale).write(*to).map_err(|e| broken(e.to_string()))?,
        );
    }
    let mut clips = Vec::new();
    if !tracks.is_empty() {
        clips.push(Clip::new(name, tracks).map_err(|e| broken(e.to_string()))?);
    } else {
        warnings.push("the file has no motion".into());
    }
    Ok(Model { skeleton, clips, warnings, ..Model::default() })
}

/// Keys of one joint.
struct Tracks {
    positions: Option<(Vec<f32>, Vec<f32>)>,
    rotations: Option<(Vec<f32>, Vec<f32>)>,
}

impl Tracks {
    fn of(joint: &super::tree::Joint, from: usize, frames: &Frames, scale: f32) -> Self {
        let time = |frame: usize| (frame as f64 * frames.time) as f32;
        let has = |f: fn(&Channel) -> bool| joint.channels.iter().any(f) && frames.count > 0;
        let moves = has(|c| matches!(c, Channel::Position(_)));
        let turns = has(|c| matches!(c, Channel::Rotation(_)));
        let (mut times, mut positions) = (Vec::new(), Vec::new());
        let (mut turn_times, mut rotations) = (Vec::new(), Vec::new());
        let mut before: Option<(f32, Vec<f32>, Quat)> = None;
        for frame in 0..frames.count {
            let row = &frames.values[frame * frames.columns..(frame + 1) * frames.columns];
            let values = row.get(from..from + joint.channels.len()).unwrap_or(&[]);
            if moves {
                let mut position = joint.offset;
                for (channel, value) in joint.channels.iter().zip(values) {
                    if let Channel::Position(a) = channel {
                        position[*a] = f64::from(*value);
                    }
                }
                times.push(time(frame));
                positions.extend(position.map(|v| scaled(v, scale)));
            }
            if turns {
                let angles: Vec<f32> = angles(&joint.channels, values);
                // No motion spins on and on at turns a frame: a file of such jumps stays small.
                let room = turn_times.len() < frame.saturating_mul(5).saturating_add(64);
                if let Some((t, last, _)) = before.as_ref().filter(|_| room) {
                    between(&joint.channels, *t, time(frame), last, &angles, &mut turn_times, &mut rotations);
                }
                let mut q = rotation(&joint.channels, &angles);
                if before.as_ref().is_some_and(|(.., b)| b.dot(q) < 0.0) {
                    q = -q;
                }
                turn_times.push(time(frame));
                rotations.extend([q.x, q.y, q.z, q.w]);
                before = Some((time(frame), angles, q));
            }
        }
        let keep = |wanted: bool, times, values| wanted.then_some((times, values));
        Self { positions: keep(moves, times, positions), rotations: keep(turns, turn_times, rotations) }
    }

    fn write(self, joint: usize) -> Result<Vec<Track>, anim::TrackError> {
        let parts = [(anim::Channel::Translation, self.positions), (anim::Channel::Rotation, self.rotations)];
        let present = parts.into_iter().filter_map(|(channel, keys)| Some((channel, keys?)));
        present
            .map(|(channel, (times, values))| {
                Track::new(joint, channel, Interpolation::Linear, times, values)
            })
            .collect()
    }
}

/// The angles of the rotation channels, in radians, in their order.
fn angles(channels: &[Channel], values: &[f32]) -> Vec<f32> {
    let turns = channels.iter().zip(values).filter(|(c, _)| matches!(c, Channel::Rotation(_)));
    turns.map(|(_, v)| v.to_radians()).collect()
}

fn rotation(channels: &[Channel], angles: &[f32]) -> Quat {
    let axes = channels.iter().filter_map(|c| match c {
        Channel::Rotation(a) => Some(*a),
        Channel::Position(_) => None,
    });
    axes.zip(angles)
        .fold(Quat::IDENTITY, |q, (a, angle)| q * Quat::from_axis_angle(axis(a), *angle))
        .normalize()
}

/// Two quaternions cannot hold a turn of half a circle or more, so keys are put between where an
/// angle changes by more than a quarter. A jump of nearly a full turn is a wrapped angle, not a
/// spin, as capture software writes them from -180° to 180°.
fn between(
    channels: &[Channel],
    from: f32,
    to: f32,
    before: &[f32],
    after: &[f32],
    times: &mut Vec<f32>,
    rotations: &mut Vec<f32>,
) {
    let quarter = core::f32::consts::FRAC_PI_2;
    let most = before.iter().zip(after).map(|(a, b)| (b - a).abs()).fold(0.0f32, crate::math::max);
    let direct = Quat::angle_between(rotation(channels, before), rotation(channels, after));
    // Where the shortest turn is small the angles merely wrapped round or passed a gimbal lock.
    if most <= quarter || direct <= quarter {
        return;
    }
    let steps = (most / quarter).min(63.0) as usize + 1;
    for step in 1..steps {
        let share = step as f32 / steps as f32;
        let angles: Vec<f32> = before.iter().zip(after).map(|(a, b)| a + (b - a) * share).collect();
        let time = from + (to - from) * share;
        if times.last().is_some_and(|t| *t >= time) || time >= to {
            return;
        }
        let mut q = rotation(channels, &angles);
        if let Some(last) = rotations.last_chunk::<4>()
            && Quat::new(last[0], last[1], last[2], last[3]).dot(q) < 0.0
        {
            q = -q;
        }
        times.push(time);
        rotations.extend([q.x, q.y, q.z, q.w]);
    }
}
