//! Names of members that stay theirs: a slot and how often it was taken before.

/// One character of a [`Crowd`](super::Crowd). Once the character is taken away its name is never
/// given to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Member {
    slot: u32,
    generation: u32,
}

impl Member {
    /// Which slot it has.
    pub(super) fn slot(self) -> u32 {
        self.slot
    }
}

/// Where a member is kept: its group, and its place in the order of the group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub group: u32,
    pub index: u32,
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    generation: u32,
    place: Option<Place>,
}

/// All slots, and those that are free.
#[derive(Clone, Debug, Default)]
pub(super) struct Slots {
    slots: Vec<Slot>,
    /// The one that was freed last is taken first.
    free: Vec<u32>,
}

impl Slots {
    /// Gives a place a name.
    pub fn take(&mut self, place: Place) -> Member {
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots.push(Slot { generation: 0, place: None });
            self.slots.len() as u32 - 1
        });
        self.slots[slot as usize].place = Some(place);
        self.member(slot)
    }

    /// Where a member is, if it still is.
    pub fn place(&self, member: Member) -> Option<Place> {
        let slot = self.slots.get(member.slot as usize)?;
        slot.place.filter(|_| slot.generation == member.generation)
    }

    /// Takes a name back, for good.
    pub fn free(&mut self, slot: u32) {
        let free = &mut self.slots[slot as usize];
        free.generation = free.generation.wrapping_add(1);
        free.place = None;
        self.free.push(slot);
    }

    /// A member has moved within its group.
    pub fn set_index(&mut self, slot: u32, index: u32) {
        if let Some(place) = &mut self.slots[slot as usize].place {
            place.index = index;
        }
    }

    /// Whose slot it is now.
    pub fn member(&self, slot: u32) -> Member {
        Member { slot, generation: self.slots[slot as usize].generation }
    }

    /// How many words [`Slots::each_word`] gives.
    pub fn words(&self) -> usize {
        2 + self.slots.len() + self.free.len()
    }

    /// Generations and free slots; places are the groups' to tell.
    pub fn each_word(&self, mut put: impl FnMut(u32)) {
        put(self.slots.len() as u32);
        put(self.free.len() as u32);
        self.slots.iter().for_each(|s| put(s.generation));
        self.free.iter().for_each(|s| put(*s));
    }

    /// Takes that back, with no places yet; `None` if `left` words cannot hold it, or if it
    /// contradicts itself.
    pub fn take_words(left: usize, mut next: impl FnMut() -> u32) -> Option<Self> {
        let (slots, free) = (next() as usize, next() as usize);
        if slots.checked_add(free)?.checked_add(2)? > left || free > slots {
            return None;
        }
        let slots: Vec<Slot> = (0..slots).map(|_| Slot { generation: next(), place: None }).collect();
        let free: Vec<u32> = (0..free).map(|_| next()).collect();
        let mut seen = vec![false; slots.len()];
        for slot in &free {
            let seen = seen.get_mut(*slot as usize)?;
            if core::mem::replace(seen, true) {
                return None;
            }
        }
        Some(Self { slots, free })
    }

    /// A place for a slot that has none; false if there is no such slot, or if it has one.
    pub fn put(&mut self, slot: u32, place: Place) -> bool {
        match self.slots.get_mut(slot as usize) {
            Some(slot) if slot.place.is_none() => {
                slot.place = Some(place);
                true
            }
            _ => false,
        }
    }

    /// True if each slot either is free or has a place.
    pub fn is_whole(&self) -> bool {
        let placed = self.slots.iter().filter(|s| s.place.is_some()).count();
        let free_placed = self.free.iter().any(|s| self.slots[*s as usize].place.is_some());
        placed + self.free.len() == self.slots.len() && !free_placed
    }
}
