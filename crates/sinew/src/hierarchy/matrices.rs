//! Matrices for skinning and export.

use super::compose::parent_of;
use super::{ElementId, Hierarchy};
use crate::math::Mat4;

impl Hierarchy {
    /// World matrices of the first elements, as many as `out` holds, in order of addition. False
    /// if there are fewer elements; the rest of `out` is then left alone.
    ///
    /// They are products of the matrices of locals, so they hold the shear that a turn under a
    /// non-uniform scale makes, and that [`Hierarchy::global`] leaves out. An element that follows
    /// several parents by weight has no such product: its parents' globals are averaged as
    /// [`Hierarchy::global`] does. Fastest after [`Hierarchy::update_all`]; needs no order of `out`.
    pub fn world_matrices(&self, out: &mut [Mat4]) -> bool {
        for &at in &self.topology.evaluation {
            if (at as usize) < out.len() {
                let matrix = self.matrix_after(at as usize, out);
                out[at as usize] = matrix;
            }
        }
        out.len() <= self.len()
    }

    /// The matrix of an element whose parents' are in `known`, if they have a place there.
    fn matrix_after(&self, id: usize, known: &[Mat4]) -> Mat4 {
        let local = Mat4::from_transform(self.local[id]);
        match self.only_parent(id) {
            Ok(ElementId::NONE) => local,
            Ok(parent) => match known.get(parent.index()) {
                Some(parent) => *parent * local,
                None => self.world_matrix(parent) * local,
            },
            Err(()) => self.blended_parent(id) * local,
        }
    }

    /// World matrix of one element, as [`Hierarchy::world_matrices`] has it. Climbs to the root.
    pub fn world_matrix(&self, id: ElementId) -> Mat4 {
        let mut matrix = Mat4::IDENTITY;
        let mut at = id;
        while at.index() < self.len() {
            matrix = Mat4::from_transform(self.local[at.index()]) * matrix;
            at = match self.only_parent(at.index()) {
                Ok(parent) => parent,
                Err(()) => return self.blended_parent(at.index()) * matrix,
            };
        }
        matrix
    }

    /// The only element that this one follows, `NONE` being the world; `Err` if it follows several.
    fn only_parent(&self, id: usize) -> Result<ElementId, ()> {
        if !self.topology.several[id] {
            return Ok(self.topology.parent(ElementId(id as u32)));
        }
        match self.active_parent(ElementId(id as u32)) {
            Some(index) => Ok(self.topology.elements[id].parents[index].id),
            None if self.parent_weights(ElementId(id as u32)).iter().all(|w| *w <= 0.0) => {
                Ok(ElementId::NONE)
            }
            None => Err(()),
        }
    }

    fn blended_parent(&self, id: usize) -> Mat4 {
        let global = |parent| self.global(ElementId(parent as u32));
        let parent = parent_of(&self.topology, &self.weights, id, global);
        Mat4::from_transform(parent.unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ElementKey, ElementSpec};
    use super::*;
    use crate::math::{Quat, Transform, Vec3};

    fn chain() -> Hierarchy {
        let locals = [
            Transform::new(Vec3::X, Quat::IDENTITY, Vec3::new(2.0, 1.0, 0.5)),
            Transform::new(Vec3::Y, Quat::new(0.0, 0.0, 0.6, 0.8), Vec3::new(1.0, -1.0, 3.0)),
            Transform::new(Vec3::new(0.1, 0.2, 0.3), Quat::new(0.8, 0.0, 0.0, 0.6), Vec3::splat(1.5)),
        ];
        let spec = |(i, t): (usize, Transform)| {
            ElementSpec::new(ElementKey::bone(format!("b{i}")), ElementId((i as u32).wrapping_sub(1))).at(t)
        };
        Hierarchy::new(locals.into_iter().enumerate().map(spec)).unwrap()
    }

    #[test]
    fn matrices_keep_the_shear_of_scaled_parents() {
        let h = chain();
        let mut m = [Mat4::default(); 3];
        assert!(h.world_matrices(&mut m));
        // Point by point through the locals: no matrix and no composed transform takes part.
        for p in [Vec3::ZERO, Vec3::X, Vec3::new(-3.0, 2.0, 0.7)] {
            let want = h.locals().iter().rev().fold(p, |p, t| t.transform_point(p));
            assert!(m[2].transform_point(p).distance(want) < 1e-5);
            assert!(h.world_matrix(ElementId(2)).transform_point(p).distance(want) < 1e-5);
        }
        let sheared = m[2].column(0).normalize_or(Vec3::X).dot(m[2].column(1).normalize_or(Vec3::Y));
        assert!(sheared.abs() > 0.01);
    }

    #[test]
    fn matrices_of_more_or_fewer_elements_than_there_are() {
        let h = chain();
        let mut more = [Mat4::default(); 5];
        assert!(!h.world_matrices(&mut more));
        assert_eq!(more[4], Mat4::IDENTITY);
        let mut fewer = [Mat4::default(); 2];
        assert!(h.world_matrices(&mut fewer));
        assert_eq!(fewer[..], more[..2]);
        assert_eq!(h.world_matrix(ElementId::NONE), Mat4::IDENTITY);
    }

    #[test]
    fn a_follower_of_one_space_gets_its_product_and_of_two_their_mean() {
        let mut h = chain();
        let key = ElementKey::bone("f");
        let at = Transform::from_translation(Vec3::Z);
        let spec = ElementSpec::new(key, ElementId(0)).follow(ElementId(2), 0.0).at(at);
        let id = h.add(&spec).unwrap();
        assert!(h.switch_parent(id, 1, false));
        let mut m = [Mat4::default(); 4];
        h.world_matrices(&mut m);
        assert_eq!(m[3], m[2] * Mat4::from_transform(at));
        h.set_parent_weight(id, 0, 1.0);
        h.world_matrices(&mut m);
        assert_eq!(m[3], Mat4::from_transform(h.parent_global(id)) * Mat4::from_transform(at));
    }
}
