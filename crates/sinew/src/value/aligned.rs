//! Buffers whose rows start where the machine loads them best.

use core::fmt;
use core::marker::PhantomData;
use core::ops::{Deref, DerefMut};

use bytemuck::{Pod, Zeroable};

/// One cache line, which is also the widest row that blocks have.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C, align(64))]
struct Line([u32; 16]);

/// A list of plain values that begins at a cache line, so that rows of 8 or 16 words never lie
/// across two. Of fixed length: what works on it is sized when it is made.
///
/// `T` is to divide a cache line or to be made of whole ones; rows of 8 and 16 words and arrays of
/// them are.
#[derive(Clone)]
pub struct Aligned<T> {
    lines: Vec<Line>,
    len: usize,
    _t: PhantomData<T>,
}

impl<T: Pod> Aligned<T> {
    /// `len` values of `value`.
    pub fn new(value: T, len: usize) -> Self {
        let lines = (len * size_of::<T>()).div_ceil(size_of::<Line>());
        let mut list = Self { lines: vec![Line::zeroed(); lines], len, _t: PhantomData };
        list.fill(value);
        list
    }

    /// A copy of a list.
    pub fn from_slice(values: &[T]) -> Self {
        let mut list = Self::new(T::zeroed(), values.len());
        list.copy_from_slice(values);
        list
    }
}

impl<T: Pod> Default for Aligned<T> {
    fn default() -> Self {
        Self { lines: Vec::new(), len: 0, _t: PhantomData }
    }
}

impl<T: Pod> Deref for Aligned<T> {
    type Target = [T];
    #[inline(always)]
    fn deref(&self) -> &[T] {
        // A type of another size than promised gives the empty list.
        let all: &[T] = bytemuck::try_cast_slice(&self.lines).unwrap_or(&[]);
        all.get(..self.len).unwrap_or(&[])
    }
}

impl<T: Pod> DerefMut for Aligned<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        let all: &mut [T] = bytemuck::try_cast_slice_mut(&mut self.lines).unwrap_or(&mut []);
        all.get_mut(..self.len).unwrap_or(&mut [])
    }
}

impl<T: Pod + fmt::Debug> fmt::Debug for Aligned<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_begin_at_cache_lines_and_keep_their_values() {
        for len in [0, 1, 3, 64] {
            let mut list = Aligned::new([[7u32; 16]; 10], len);
            assert_eq!(list.len(), len);
            assert_eq!(list.as_ptr() as usize % 64, 0);
            if let Some(last) = list.last_mut() {
                last[9][15] = 1;
            }
            assert_eq!(list.clone().iter().flatten().flatten().filter(|w| **w != 7).count(), len.min(1));
        }
        let narrow = Aligned::from_slice(&[[1u32; 8], [2; 8], [3; 8]]);
        assert_eq!(&*narrow, [[1u32; 8], [2; 8], [3; 8]]);
    }
}
