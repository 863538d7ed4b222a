//! Members and crowds as plain bytes: what an [`Instance`](crate::vm::Instance) in the same state
//! gives, and takes.

use super::group::AnyGroup;
use super::slots::{Place, Slots};
use super::{Crowd, CrowdError, Member};
use crate::vm::Frame;
use crate::vm::snapshot::{HEADER, Hash, Reader, SnapshotError, Writer};

/// Slot, rate, phase, seconds since the last run.
const MEMBER: usize = 4;

/// Why a member cannot be taken back.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RestoreError {
    /// It is the member that is wrong.
    #[error(transparent)]
    Member(#[from] CrowdError),
    /// It is the bytes.
    #[error(transparent)]
    Bytes(#[from] SnapshotError),
}

impl Crowd {
    /// All that makes a member's next frames what they are, as bytes: those that an
    /// [`Instance`](crate::vm::Instance) in the same state gives.
    ///
    /// # Errors
    ///
    /// [`CrowdError::Gone`].
    pub fn member_snapshot(&self, member: Member) -> Result<Vec<u8>, CrowdError> {
        let (group, index) = self.at(member)?;
        let mut bytes = vec![0; member_len(group)];
        let mut writer = Writer::new(&mut bytes, group.bound().fingerprint());
        group.each_word(index, true, &mut |word| writer.word(word));
        Ok(bytes)
    }

    /// Takes a member back to bytes of [`Crowd::member_snapshot`] or
    /// [`Instance::snapshot`](crate::vm::Instance::snapshot), of this or another member.
    ///
    /// # Errors
    ///
    /// Then nothing has changed.
    pub fn restore_member(&mut self, member: Member, bytes: &[u8]) -> Result<(), RestoreError> {
        let (group, index) = self.at_mut(member)?;
        let mut reader = Reader::new(bytes, group.bound().fingerprint(), member_len(group))?;
        let same = {
            let mut reader = reader.clone();
            (0..group.words_before_initials()).for_each(|_| _ = reader.word());
            let mut same = true;
            group.each_initial_word(&mut |word| same &= word == reader.word());
            same
        };
        if !same {
            return Err(SnapshotError::Initials.into());
        }
        group.take_words(index, true, &mut || reader.word());
        Ok(())
    }

    /// A number for a member's whole state, that of an [`Instance`](crate::vm::Instance) in the same
    /// state.
    ///
    /// # Errors
    ///
    /// [`CrowdError::Gone`].
    pub fn member_hash(&self, member: Member) -> Result<u64, CrowdError> {
        let (group, index) = self.at(member)?;
        let mut hash = Hash::new();
        group.each_word(index, true, &mut |word| hash.word(word));
        Ok(hash.end())
    }

    /// Which members there are, and all that makes their next frames what they are. The bytes do not
    /// depend on the instruction set. Poses shown in between by members that do not run in every
    /// frame are not kept: they begin again at the last run.
    pub fn snapshot(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        self.snapshot_into(&mut bytes);
        bytes
    }

    /// As [`Crowd::snapshot`], into a buffer that is used again: it allocates only where that is too
    /// small.
    pub fn snapshot_into(&self, bytes: &mut Vec<u8>) {
        bytes.clear();
        bytes.resize(HEADER + 4 * self.words(), 0);
        let mut writer = Writer::new(bytes, self.fingerprint());
        self.each_word(&mut |word| writer.word(word));
    }

    /// A number for the whole state: equal crowds give equal ones, on every machine and with every
    /// instruction set.
    pub fn hash(&self) -> u64 {
        let mut hash = Hash::new();
        self.each_word(&mut |word| hash.word(word));
        hash.end()
    }

    /// Goes back to a snapshot of a crowd with the same programs in the same order: members that
    /// have left are back under their old names, those that came later are gone.
    ///
    /// # Errors
    ///
    /// Then nothing has changed.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), SnapshotError> {
        let mut reader = Reader::open(bytes, self.fingerprint())?;
        let slots = self.check(reader.clone(), bytes.len())?;
        self.frame = reader.long();
        self.slots = slots;
        let words = self.slots.words();
        (0..words).for_each(|_| _ = reader.word());
        for part in &mut self.parts {
            part.group.clear();
            part.slots.clear();
            for index in 0..reader.word() as usize {
                part.slots.push(reader.word());
                part.group.add(reader.word(), reader.word());
                part.group.set_pending(index, Frame::sane(f32::from_bits(reader.word())));
                part.group.take_words(index, false, &mut || reader.word());
            }
        }
        Ok(())
    }

    /// The members that bytes speak of, if they do not contradict themselves. They begin after the
    /// header.
    fn check(&self, mut reader: Reader<'_>, found: usize) -> Result<Slots, SnapshotError> {
        // Every count stands before what it counts: bytes that are too few for it are told as such.
        let short = SnapshotError::Length { found, want: HEADER + 4 * self.words() };
        if reader.left() < 4 {
            return Err(short);
        }
        reader.long();
        let left = reader.left();
        let mut slots = Slots::take_words(left, || reader.word()).ok_or(SnapshotError::Members)?;
        for (group, part) in self.parts.iter().enumerate() {
            if reader.left() == 0 {
                return Err(short);
            }
            let each = MEMBER + part.group.words();
            let members = reader.word();
            if reader.left() / each < members as usize {
                return Err(short);
            }
            for index in 0..members {
                let (slot, rate, phase) = (reader.word(), reader.word(), reader.word());
                let place = Place { group: group as u32, index };
                if !(1..=Self::MAX_RATE).contains(&rate) || phase >= rate || !slots.put(slot, place) {
                    return Err(SnapshotError::Members);
                }
                (3..each).for_each(|_| _ = reader.word());
            }
        }
        if reader.left() != 0 {
            return Err(short);
        }
        if slots.is_whole() { Ok(slots) } else { Err(SnapshotError::Members) }
    }

    fn words(&self) -> usize {
        let part = |p: &super::Part| 1 + p.slots.len() * (MEMBER + p.group.words());
        2 + self.slots.words() + self.parts.iter().map(part).sum::<usize>()
    }

    fn each_word(&self, put: &mut dyn FnMut(u32)) {
        put(self.frame as u32);
        put((self.frame >> 32) as u32);
        self.slots.each_word(&mut *put);
        for part in &self.parts {
            put(part.slots.len() as u32);
            for (index, slot) in part.slots.iter().enumerate() {
                let (rate, phase) = part.group.rate_and_phase(index);
                let pending = part.group.pending(index).to_bits();
                [*slot, rate, phase, pending].into_iter().for_each(&mut *put);
                part.group.each_word(index, false, put);
            }
        }
    }

    /// Of all programs, in their order.
    fn fingerprint(&self) -> u64 {
        let mut hash = Hash::new();
        self.parts.iter().for_each(|p| hash.long(p.group.bound().fingerprint()));
        hash.end()
    }
}

fn member_len(group: &dyn AnyGroup) -> usize {
    HEADER + 4 * (group.words() + group.initial_words())
}
