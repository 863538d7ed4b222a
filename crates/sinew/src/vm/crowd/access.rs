//! Variables and poses of members: one at a time, or all of a program as slices.

use super::group::AnyGroup;
use super::{Crowd, CrowdError, Member, ProgramId};
use crate::hierarchy::ElementId;
use crate::math::Transform;
use crate::value::PinType;
use crate::vm::Handle;

/// No pin type that has a handle is larger.
const WORDS: usize = 16;

impl Crowd {
    /// Reads a variable of a member.
    ///
    /// # Errors
    ///
    /// [`CrowdError::Gone`]; [`CrowdError::OtherProgram`] for a handle of another bound program.
    pub fn get<T: PinType>(&self, member: Member, handle: Handle<T>) -> Result<T, CrowdError> {
        let (group, index) = self.at(member)?;
        check(group, handle)?;
        let mut words = [0; WORDS];
        Ok(read(group, index, handle, &mut words))
    }

    /// Writes a variable of a member.
    ///
    /// # Errors
    ///
    /// As [`Crowd::get`].
    pub fn set<T: PinType>(&mut self, member: Member, handle: Handle<T>, value: T) -> Result<(), CrowdError> {
        let (group, index) = self.at_mut(member)?;
        check(group, handle)?;
        let mut words = [0; WORDS];
        write(group, index, handle, value, &mut words);
        Ok(())
    }

    /// Reads a variable of all members of a program, in the order of [`Crowd::members`].
    ///
    /// # Errors
    ///
    /// [`CrowdError::UnknownProgram`], [`CrowdError::OtherProgram`], and [`CrowdError::Length`] if
    /// `values` is not as long as there are members.
    pub fn read<T: PinType>(
        &self,
        program: ProgramId,
        handle: Handle<T>,
        values: &mut [T],
    ) -> Result<(), CrowdError> {
        let group = &*self.part(program)?.group;
        check(group, handle)?;
        exactly(values.len(), group.len())?;
        let mut words = [0; WORDS];
        for (index, value) in values.iter_mut().enumerate() {
            *value = read(group, index, handle, &mut words);
        }
        Ok(())
    }

    /// Writes a variable of all members of a program, in the order of [`Crowd::members`].
    ///
    /// # Errors
    ///
    /// As [`Crowd::read`].
    pub fn write<T: PinType>(
        &mut self,
        program: ProgramId,
        handle: Handle<T>,
        values: &[T],
    ) -> Result<(), CrowdError> {
        let group = &mut *self.part_mut(program)?.group;
        check(group, handle)?;
        exactly(values.len(), group.len())?;
        let mut words = [0; WORDS];
        for (index, value) in values.iter().enumerate() {
            write(group, index, handle, *value, &mut words);
        }
        Ok(())
    }

    /// Loads a pose into a member's bones: locals in the skeleton's order, from the first on.
    ///
    /// # Errors
    ///
    /// [`CrowdError::Gone`]; [`CrowdError::Length`] for more locals than elements.
    pub fn set_pose(&mut self, member: Member, locals: &[Transform]) -> Result<(), CrowdError> {
        let (group, index) = self.at_mut(member)?;
        at_most(locals.len(), elements(group))?;
        group.set_pose(index, locals);
        Ok(())
    }

    /// Loads a pose into each member of a program: `each` locals for each, one member after another
    /// in the order of [`Crowd::members`].
    ///
    /// # Errors
    ///
    /// [`CrowdError::UnknownProgram`]; [`CrowdError::Length`] if `locals` is not `each` times the
    /// number of members, or `each` more than there are elements.
    pub fn set_poses(
        &mut self,
        program: ProgramId,
        locals: &[Transform],
        each: usize,
    ) -> Result<(), CrowdError> {
        let group = &mut *self.part_mut(program)?.group;
        at_most(each, elements(group))?;
        exactly(locals.len(), each * group.len())?;
        group.set_poses(locals, each);
        Ok(())
    }

    /// A local of a member as its last run left it; `None` of an element it does not have.
    ///
    /// # Errors
    ///
    /// [`CrowdError::Gone`].
    pub fn local(&self, member: Member, id: ElementId) -> Result<Option<Transform>, CrowdError> {
        let (group, index) = self.at(member)?;
        Ok((id.index() < elements(group)).then(|| group.local(index, id)))
    }

    /// The locals of a member as its last run left them, bones first, as many as `out` has room for.
    ///
    /// # Errors
    ///
    /// [`CrowdError::Gone`]; [`CrowdError::Length`] for more room than elements.
    pub fn pose_into(&self, member: Member, out: &mut [Transform]) -> Result<(), CrowdError> {
        let (group, index) = self.at(member)?;
        at_most(out.len(), elements(group))?;
        group.pose(index, out);
        Ok(())
    }

    /// The locals to show of a member: for one that does not run in every frame those between its
    /// last two runs, by the time that has gone by, so one run late; else those of its last run.
    /// Translation and scale go straight, rotation on the shortest arc at a nearly even rate.
    ///
    /// # Errors
    ///
    /// As [`Crowd::pose_into`].
    pub fn shown_into(&self, member: Member, out: &mut [Transform]) -> Result<(), CrowdError> {
        let (group, index) = self.at(member)?;
        at_most(out.len(), elements(group))?;
        group.shown(index, out);
        Ok(())
    }

    /// The globals of a member, as many as `out` has room for.
    ///
    /// # Errors
    ///
    /// As [`Crowd::pose_into`].
    pub fn globals_into(&mut self, member: Member, out: &mut [Transform]) -> Result<(), CrowdError> {
        let (group, index) = self.at_mut(member)?;
        at_most(out.len(), elements(group))?;
        group.globals(index, out);
        Ok(())
    }

    /// The globals of all members of a program, `each` for each one, in the order of
    /// [`Crowd::members`]; computed for a block at a time.
    ///
    /// # Errors
    ///
    /// As [`Crowd::set_poses`].
    pub fn all_globals_into(
        &mut self,
        program: ProgramId,
        out: &mut [Transform],
        each: usize,
    ) -> Result<(), CrowdError> {
        let group = &mut *self.part_mut(program)?.group;
        at_most(each, elements(group))?;
        exactly(out.len(), each * group.len())?;
        group.all_globals(out, each);
        Ok(())
    }
}

fn elements(group: &dyn AnyGroup) -> usize {
    group.bound().hierarchy.len()
}

fn check<T>(group: &dyn AnyGroup, handle: Handle<T>) -> Result<(), CrowdError> {
    if handle.is_of(group.bound()) { Ok(()) } else { Err(CrowdError::OtherProgram) }
}

fn exactly(found: usize, want: usize) -> Result<(), CrowdError> {
    if found == want { Ok(()) } else { Err(CrowdError::Length { found, want }) }
}

fn at_most(found: usize, want: usize) -> Result<(), CrowdError> {
    if found <= want { Ok(()) } else { Err(CrowdError::Length { found, want }) }
}

fn read<T: PinType>(group: &dyn AnyGroup, index: usize, handle: Handle<T>, words: &mut [u32; WORDS]) -> T {
    group.read(index, handle.at, &mut words[..T::WORDS]);
    T::read(|i| words[i])
}

fn write<T: PinType>(
    group: &mut dyn AnyGroup,
    index: usize,
    handle: Handle<T>,
    value: T,
    words: &mut [u32; WORDS],
) {
    const { assert!(T::WORDS <= WORDS) };
    value.write(|i, word| words[i] = word);
    group.write(index, handle.at, &words[..T::WORDS]);
}
