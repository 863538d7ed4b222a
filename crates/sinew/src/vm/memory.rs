//! An instance's registers, as units see them.

use core::marker::PhantomData;

use crate::value::Plain;

/// The registers: Literal, Work, External and State one after another, each word once per lane.
///
/// Operands of a bound program are positions in here; the verifier has proved that they lie
/// inside, so a position beyond the end never occurs and reads as 0.
#[derive(Debug)]
pub struct Memory<'a, const L: usize = 1> {
    words: &'a mut [[u32; L]],
    /// Where the running function's own block of state begins.
    pub(super) state: usize,
    mask: [u32; L],
    full: bool,
}

/// A value of the type variable `T`: where its words lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Any {
    at: u32,
    words: u32,
}

impl Any {
    /// A value of zeros: false, 0, the empty array.
    pub const ZERO: Self = Self { at: u32::MAX, words: 0 };
}

impl<'a, const L: usize> Memory<'a, L> {
    pub(super) fn new(words: &'a mut [[u32; L]], state: usize) -> Self {
        Self { words, state, mask: [u32::MAX; L], full: true }
    }

    /// Which lanes take part: all ones in those that do, else 0.
    #[inline(always)]
    pub fn mask(&self) -> &[u32; L] {
        &self.mask
    }

    /// The lanes that take part from now on.
    pub(super) fn set_mask(&mut self, mask: [u32; L]) {
        self.mask = mask;
        self.full = mask == [u32::MAX; L];
    }

    /// The words of the register at operand `index`, a row of lanes for each.
    #[inline(always)]
    pub fn row<const W: usize>(&self, args: &[u32], index: usize) -> [[u32; L]; W] {
        self.rows(args[index] as usize)
    }

    /// Writes the register at operand `index` in the lanes that take part.
    #[inline(always)]
    pub fn store_row<const W: usize>(&mut self, args: &[u32], index: usize, rows: &[[u32; L]; W]) {
        self.store_rows(args[index] as usize, rows);
    }

    /// The words of the unit's state, its last operand.
    #[inline(always)]
    pub fn state_row<const W: usize>(&self, args: &[u32]) -> [[u32; L]; W] {
        self.rows(self.state + args[args.len() - 1] as usize)
    }

    /// Writes the unit's state in the lanes that take part.
    #[inline(always)]
    pub fn store_state_row<const W: usize>(&mut self, args: &[u32], rows: &[[u32; L]; W]) {
        self.store_rows(self.state + args[args.len() - 1] as usize, rows);
    }

    #[inline(always)]
    fn rows<const W: usize>(&self, at: usize) -> [[u32; L]; W] {
        let mut rows = [[0; L]; W];
        rows.copy_from_slice(&self.words[at..at + W]);
        rows
    }

    #[inline(always)]
    fn store_rows<const W: usize>(&mut self, at: usize, rows: &[[u32; L]; W]) {
        let words = &mut self.words[at..at + W];
        if L == 1 || self.full {
            words.copy_from_slice(rows);
        } else {
            for (to, from) in words.iter_mut().zip(rows) {
                *to = core::array::from_fn(|i| (from[i] & self.mask[i]) | (to[i] & !self.mask[i]));
            }
        }
    }
}

/// What the interpreter over blocks does with registers itself. Positions are those of a bound
/// program: inside.
impl<const L: usize> Memory<'_, L> {
    /// One word of every lane.
    #[inline(always)]
    pub(super) fn lanes_of(&self, at: u32) -> [u32; L] {
        self.words.get(at as usize).copied().unwrap_or([0; L])
    }

    /// Writes one word in the lanes that take part.
    #[inline(always)]
    pub(super) fn set_lanes_of(&mut self, at: u32, word: &[u32; L]) {
        self.store_rows(at as usize, &[*word]);
    }

    /// Copies words in the lanes that take part; the two places may overlap.
    #[inline]
    pub(super) fn copy_rows(&mut self, to: u32, from: u32, words: u32) {
        let (to, from, words) = (to as usize, from as usize, words as usize);
        if self.full {
            self.words.copy_within(from..from + words, to);
            return;
        }
        let mut copy = |i: usize| {
            let row = self.words[from + i];
            self.store_rows(to + i, &[row]);
        };
        if to <= from { (0..words).for_each(&mut copy) } else { (0..words).rev().for_each(&mut copy) }
    }

    /// One lane's words into the same place of a memory of one lane.
    #[inline]
    pub(super) fn take_lane(&self, at: u32, words: u32, lane: usize, one: &mut [[u32; 1]]) {
        let place = at as usize..(at + words) as usize;
        for (to, from) in one[place.clone()].iter_mut().zip(&self.words[place]) {
            *to = [from[lane]];
        }
    }

    /// And back.
    #[inline]
    pub(super) fn put_lane(&mut self, at: u32, words: u32, lane: usize, one: &[[u32; 1]]) {
        let place = at as usize..(at + words) as usize;
        for (to, from) in self.words[place.clone()].iter_mut().zip(&one[place]) {
            to[lane] = from[0];
        }
    }
}

impl Memory<'_, 1> {
    /// Reads the register at operand `index`.
    #[inline(always)]
    pub fn load<T: Plain>(&self, args: &[u32], index: usize) -> T {
        let at = args[index] as usize;
        let words = &self.words[at..at + T::WORDS];
        T::read(|i| words[i][0])
    }

    /// Writes the register at operand `index`.
    #[inline(always)]
    pub fn store<T: Plain>(&mut self, args: &[u32], index: usize, value: T) {
        let at = args[index] as usize;
        let words = &mut self.words[at..at + T::WORDS];
        value.write(|i, w| words[i] = [w]);
    }

    /// Reads the unit's state, its last operand.
    #[inline(always)]
    pub fn load_state<T: Plain>(&self, args: &[u32]) -> T {
        let at = self.state + args[args.len() - 1] as usize;
        let words = &self.words[at..at + T::WORDS];
        T::read(|i| words[i][0])
    }

    /// Writes the unit's state.
    #[inline(always)]
    pub fn store_state<T: Plain>(&mut self, args: &[u32], value: T) {
        let at = self.state + args[args.len() - 1] as usize;
        let words = &mut self.words[at..at + T::WORDS];
        value.write(|i, w| words[i] = [w]);
    }

    /// One word; 0 beyond the end.
    #[inline(always)]
    pub(super) fn word(&self, at: u32) -> u32 {
        self.words.get(at as usize).map_or(0, |w| w[0])
    }

    #[inline(always)]
    pub(super) fn set_word(&mut self, at: u32, value: u32) {
        if let Some(w) = self.words.get_mut(at as usize) {
            *w = [value];
        }
    }

    #[inline(always)]
    pub(super) fn copy(&mut self, to: u32, from: u32, count: u32) {
        let (to, from, count) = (to as usize, from as usize, count as usize);
        self.words.copy_within(from..from + count, to);
    }

    /// The words from `at` on, for a probe to look at.
    pub fn words(&self, at: u32, count: u32) -> &[[u32; 1]] {
        self.words.get(at as usize..(at as usize).saturating_add(count as usize)).unwrap_or(&[])
    }

    /// The value of the type variable at operand `index`.
    #[inline(always)]
    pub fn any(&self, args: &[u32], index: usize) -> Any {
        Any { at: args[index], words: args[0] }
    }

    /// Writes a value of the type variable to operand `index`.
    #[inline(always)]
    pub fn store_any(&mut self, args: &[u32], index: usize, value: Any) {
        let (to, words) = (args[index] as usize, args[0] as usize);
        copy_any(self.words, to, words, value);
    }

    /// The array at operand `index`.
    #[inline(always)]
    pub fn items<T: Element>(&self, args: &[u32], index: usize) -> Items<'_, T> {
        Items { array: Array::new(args, index, T::words(args)), words: self.words, _t: PhantomData }
    }

    /// The array at operand `index`, to change; emptied first where it is a result.
    #[inline(always)]
    pub fn items_mut<T: Element>(&mut self, args: &[u32], index: usize, clear: bool) -> ItemsMut<'_, T> {
        let array = Array::new(args, index, T::words(args));
        if clear {
            // All of it: what lies behind the last element counts where words are compared.
            let end = array.position(array.capacity).min(self.words.len());
            self.words[array.at.min(end)..end].fill([0]);
        }
        ItemsMut { array, words: self.words, _t: PhantomData }
    }
}

fn copy_any(words: &mut [[u32; 1]], to: usize, count: usize, value: Any) {
    let from = value.at as usize;
    let fits = |at: usize| at.checked_add(count).is_some_and(|end| end <= words.len());
    if value.words as usize == count && fits(from) && fits(to) {
        words.copy_within(from..from + count, to);
    } else if fits(to) {
        words[to..to + count].fill([0]);
    }
}

/// What an array may hold: a plain value, or [`Any`].
pub trait Element {
    /// Words of one element; for [`Any`] the first operand says.
    fn words(args: &[u32]) -> usize;
}

impl<T: Plain> Element for T {
    #[inline(always)]
    fn words(_: &[u32]) -> usize {
        T::WORDS
    }
}

impl Element for Any {
    #[inline(always)]
    fn words(args: &[u32]) -> usize {
        args[0] as usize
    }
}

#[derive(Clone, Copy, Debug)]
struct Array {
    at: usize,
    capacity: usize,
    elem: usize,
}

impl Array {
    #[inline(always)]
    fn new(args: &[u32], index: usize, elem: usize) -> Self {
        Self { at: args[index] as usize, capacity: args[index + 1] as usize, elem }
    }

    fn len(&self, words: &[[u32; 1]]) -> usize {
        words.get(self.at).map_or(0, |n| (n[0] as usize).min(self.capacity))
    }

    fn position(&self, index: usize) -> usize {
        self.at + 1 + index * self.elem
    }

    fn item(&self, words: &[[u32; 1]], index: usize) -> Option<Any> {
        let inside = index < self.len(words);
        inside.then(|| Any { at: self.position(index) as u32, words: self.elem as u32 })
    }
}

/// A bounded array in the registers, to read.
#[derive(Clone, Copy, Debug)]
pub struct Items<'a, T> {
    array: Array,
    words: &'a [[u32; 1]],
    _t: PhantomData<T>,
}

impl<T> Items<'_, T> {
    /// How many elements.
    pub fn len(&self) -> usize {
        self.array.len(self.words)
    }
    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// The most elements it can hold.
    pub fn capacity(&self) -> usize {
        self.array.capacity
    }
}

impl<T: Plain> Items<'_, T> {
    /// The element at `index`, if there is one.
    #[inline]
    pub fn get(&self, index: usize) -> Option<T> {
        read(&self.array, self.words, index)
    }
    /// All elements in order.
    pub fn iter(&self) -> impl Iterator<Item = T> + '_ {
        (0..self.len()).filter_map(|i| self.get(i))
    }
}

impl Items<'_, Any> {
    /// The element at `index`, if there is one.
    pub fn get(&self, index: usize) -> Option<Any> {
        self.array.item(self.words, index)
    }
    /// The first element with the same words, from `start` on.
    pub fn position(&self, value: Any) -> Option<usize> {
        (0..self.len()).find(|&i| self.get(i).is_some_and(|item| same(self.words, item, value)))
    }
}

fn same(words: &[[u32; 1]], a: Any, b: Any) -> bool {
    let slice = |v: Any| words.get(v.at as usize..(v.at as usize).saturating_add(v.words as usize));
    matches!((slice(a), slice(b)), (Some(a), Some(b)) if a == b)
}

#[inline]
fn read<T: Plain>(array: &Array, words: &[[u32; 1]], index: usize) -> Option<T> {
    if index >= array.len(words) {
        return None;
    }
    let at = array.position(index);
    let words = words.get(at..at + T::WORDS)?;
    Some(T::read(|i| words[i][0]))
}

/// A bounded array in the registers, to change.
#[derive(Debug)]
pub struct ItemsMut<'a, T> {
    array: Array,
    words: &'a mut [[u32; 1]],
    _t: PhantomData<T>,
}

/// An array has no room for another element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the array is full: its capacity is {capacity}")]
pub struct ArrayFull {
    /// The capacity that its type states.
    pub capacity: u32,
}

impl<T> ItemsMut<'_, T> {
    /// How many elements.
    pub fn len(&self) -> usize {
        self.array.len(self.words)
    }
    /// True if there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// The most elements it can hold.
    pub fn capacity(&self) -> usize {
        self.array.capacity
    }
    /// Drops all elements; their storage stays.
    pub fn clear(&mut self) {
        self.set_len(0);
    }
    fn set_len(&mut self, len: usize) {
        if let Some(n) = self.words.get_mut(self.array.at) {
            *n = [len as u32];
        }
    }
    fn full(&self) -> ArrayFull {
        ArrayFull { capacity: self.array.capacity as u32 }
    }
    /// Takes the element at `index` out and closes the gap; false if there is none.
    pub fn remove(&mut self, index: usize) -> bool {
        let len = self.len();
        if index >= len {
            return false;
        }
        let (to, end) = (self.array.position(index), self.array.position(len));
        self.words.copy_within(to + self.array.elem..end, to);
        self.set_len(len - 1);
        true
    }
    /// Opens a gap at `index` for one more element; past the end it appends.
    fn open(&mut self, index: usize) -> Result<usize, ArrayFull> {
        let len = self.len();
        if len >= self.array.capacity {
            return Err(self.full());
        }
        let index = index.min(len);
        let (from, end) = (self.array.position(index), self.array.position(len));
        self.words.copy_within(from..end, from + self.array.elem);
        self.set_len(len + 1);
        Ok(from)
    }
}

impl<T: Plain> ItemsMut<'_, T> {
    /// The element at `index`, if there is one.
    pub fn get(&self, index: usize) -> Option<T> {
        read(&self.array, self.words, index)
    }
    /// Changes the element at `index`; false if there is none.
    pub fn set(&mut self, index: usize, value: T) -> bool {
        if index >= self.len() {
            return false;
        }
        let at = self.array.position(index);
        value.write(|i, w| self.words[at + i] = [w]);
        true
    }
    /// Appends.
    pub fn push(&mut self, value: T) -> Result<(), ArrayFull> {
        let at = self.open(usize::MAX)?;
        value.write(|i, w| self.words[at + i] = [w]);
        Ok(())
    }
}

impl ItemsMut<'_, Any> {
    /// The element at `index`, if there is one.
    pub fn get(&self, index: usize) -> Option<Any> {
        self.array.item(self.words, index)
    }
    /// Changes the element at `index`; false if there is none.
    pub fn set(&mut self, index: usize, value: Any) -> bool {
        let inside = index < self.len();
        if inside {
            copy_any(self.words, self.array.position(index), self.array.elem, value);
        }
        inside
    }
    /// Inserts before `index`; past the end it appends.
    pub fn insert(&mut self, index: usize, value: Any) -> Result<(), ArrayFull> {
        let at = self.open(index)?;
        // The value may have stood in the part that moved up; pins never alias the array, so it
        // has not.
        copy_any(self.words, at, self.array.elem, value);
        Ok(())
    }
    /// Appends.
    pub fn push(&mut self, value: Any) -> Result<(), ArrayFull> {
        self.insert(usize::MAX, value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_grow_to_their_capacity_and_no_further() {
        // One array of 2 floats at word 0, a guard word behind it.
        let mut words = [[0u32; 1]; 4];
        words[3] = [77];
        let mut memory = Memory::new(&mut words, 0);
        let args = [0, 2];
        let mut items = memory.items_mut::<f32>(&args, 0, true);
        assert_eq!(items.push(1.0), Ok(()));
        assert_eq!(items.push(2.0), Ok(()));
        assert_eq!(items.push(3.0), Err(ArrayFull { capacity: 2 }));
        assert!(items.remove(0));
        assert_eq!(items.get(0), Some(2.0));
        assert!(!items.set(1, 5.0));
        assert_eq!(words[3], [77]);
    }

    #[test]
    fn a_length_beyond_the_capacity_reads_as_the_capacity() {
        let mut words = [[9u32; 1]; 3];
        let memory = Memory::new(&mut words, 0);
        let items = memory.items::<u32>(&[0, 2], 0);
        assert_eq!(items.len(), 2);
        assert_eq!(items.get(2), None);
    }
}
