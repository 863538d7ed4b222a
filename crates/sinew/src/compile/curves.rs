//! The rig's curves, as the program carries them.

use super::diagnostic::{At, Code, Problems};
use crate::graph::{self, Rig};
use crate::math::{Curve, CurveKey, Extrapolation, Interpolation};

/// All curves in order of their names, behind the empty one that stands for none.
pub(super) fn curves(rig: &Rig, problems: &mut Problems) -> Vec<Curve> {
    let mut out = vec![Curve::default()];
    for (name, decl) in &rig.curves {
        match curve(decl) {
            Ok(c) => out.push(c),
            Err(e) => {
                let remedy = "give every key finite numbers, times rising";
                problems.error(Code::BadLiteral, &At::rig(), format!("curve {name}: {e}"), remedy);
            }
        }
    }
    out
}

fn curve(decl: &graph::CurveDecl) -> Result<Curve, crate::math::CurveError> {
    let keys = |tangents: &[CurveKey]| {
        let smooth = |i: usize| tangents.get(i).map_or(0.0, |k| k.in_tangent);
        let key = |(i, k): (usize, &graph::CurveKey)| CurveKey {
            time: k.time as f32,
            value: k.value as f32,
            in_tangent: k.arrive.map_or(smooth(i), |v| v as f32),
            out_tangent: k.leave.map_or(smooth(i), |v| v as f32),
            interpolation: match k.interpolation {
                graph::Interpolation::Step => Interpolation::Constant,
                graph::Interpolation::Linear => Interpolation::Linear,
                graph::Interpolation::Cubic => Interpolation::Cubic,
            },
        };
        decl.keys.iter().enumerate().map(key).collect::<Vec<_>>()
    };
    let way = |e: graph::Extrapolation| match e {
        graph::Extrapolation::Hold => Extrapolation::Clamp,
        graph::Extrapolation::Linear => Extrapolation::Linear,
        graph::Extrapolation::Loop => Extrapolation::Loop,
        graph::Extrapolation::PingPong => Extrapolation::PingPong,
    };
    let (before, after) = (way(decl.before), way(decl.after));
    // Slopes that the rig leaves open are those of a smooth curve through the keys.
    let smooth = Curve::new(keys(&[]), before, after)?.with_auto_tangents();
    Curve::new(keys(smooth.keys()), before, after)
}
