//! Arrays of any type. An array holds no more than its type states.

use sinew_macros::unit;

use crate::vm::{Any, ArrayFull, Items, ItemsMut, UnitDef};

/// The units of this file.
pub fn all() -> Vec<UnitDef> {
    crate::units![
        make_1, make_2, make_3, make_4, get, get_or, first, last, length, capacity, is_empty, find, contains,
        set, add, insert, remove, reset,
    ]
}

/// An index as the field's arrays have it; a negative one is beyond the end.
fn place(index: i32) -> usize {
    usize::try_from(index).unwrap_or(usize::MAX)
}

/// An array of one element.
#[unit("Array.Make")]
pub fn make_1(a: Any, #[out] mut array: ItemsMut<'_, Any>) -> Result<(), ArrayFull> {
    array.push(a)
}

/// An array of two elements.
#[unit("Array.Make")]
pub fn make_2(a: Any, b: Any, #[out] mut array: ItemsMut<'_, Any>) -> Result<(), ArrayFull> {
    array.push(a)?;
    array.push(b)
}

/// An array of three elements.
#[unit("Array.Make")]
pub fn make_3(a: Any, b: Any, c: Any, #[out] mut array: ItemsMut<'_, Any>) -> Result<(), ArrayFull> {
    array.push(a)?;
    array.push(b)?;
    array.push(c)
}

/// An array of four elements.
#[unit("Array.Make")]
pub fn make_4(a: Any, b: Any, c: Any, d: Any, #[out] mut array: ItemsMut<'_, Any>) -> Result<(), ArrayFull> {
    array.push(a)?;
    array.push(b)?;
    array.push(c)?;
    array.push(d)
}

/// The element at an index, from 0. Where there is none a value of zeros (for rotations and
/// transforms that is no sensible one: use `Array.GetOr`).
#[unit("Array.Get")]
pub fn get(array: Items<'_, Any>, index: i32) -> Any {
    array.get(place(index)).unwrap_or(Any::ZERO)
}

/// The element at an index, from 0; `fallback` where there is none.
#[unit("Array.GetOr")]
pub fn get_or(array: Items<'_, Any>, index: i32, fallback: Any) -> Any {
    array.get(place(index)).unwrap_or(fallback)
}

/// The first element; a value of zeros where the array is empty.
#[unit("Array.First")]
pub fn first(array: Items<'_, Any>) -> Any {
    array.get(0).unwrap_or(Any::ZERO)
}

/// The last element; a value of zeros where the array is empty.
#[unit("Array.Last")]
pub fn last(array: Items<'_, Any>) -> Any {
    array.get(array.len().wrapping_sub(1)).unwrap_or(Any::ZERO)
}

/// How many elements an array holds.
#[unit("Array.Length")]
pub fn length(array: Items<'_, Any>) -> i32 {
    array.len() as i32
}

/// How many elements an array has room for.
#[unit("Array.Capacity")]
pub fn capacity(array: Items<'_, Any>) -> i32 {
    array.capacity() as i32
}

/// True if an array holds no element.
#[unit("Array.IsEmpty")]
pub fn is_empty(array: Items<'_, Any>) -> bool {
    array.is_empty()
}

/// Index of the first element equal to `value`, bit for bit (so 0 is not -0); -1 where there is
/// none.
#[unit("Array.Find")]
pub fn find(array: Items<'_, Any>, value: Any) -> i32 {
    array.position(value).map_or(-1, |i| i as i32)
}

/// True if an element equals `value`, bit for bit.
#[unit("Array.Contains")]
pub fn contains(array: Items<'_, Any>, value: Any) -> bool {
    array.position(value).is_some()
}

/// Changes the element at an index, from 0; false where there is none.
#[unit("Array.Set", outputs(done))]
pub fn set(mut array: ItemsMut<'_, Any>, index: i32, value: Any) -> bool {
    array.set(place(index), value)
}

/// Appends an element and gives its index. Ends the frame where the array is full.
#[unit("Array.Add", outputs(index))]
pub fn add(mut array: ItemsMut<'_, Any>, value: Any) -> Result<i32, ArrayFull> {
    array.push(value)?;
    Ok(array.len() as i32 - 1)
}

/// Inserts an element before an index, from 0; beyond the end it appends, below 0 it puts in front.
/// Ends the frame where the array is full.
#[unit("Array.Insert")]
pub fn insert(mut array: ItemsMut<'_, Any>, index: i32, value: Any) -> Result<(), ArrayFull> {
    array.insert(place(index.max(0)), value)
}

/// Takes the element at an index out, from 0, and closes the gap; false where there is none.
#[unit("Array.Remove", outputs(done))]
pub fn remove(mut array: ItemsMut<'_, Any>, index: i32) -> bool {
    array.remove(place(index))
}

/// Takes all elements out; the storage stays.
#[unit("Array.Reset")]
pub fn reset(mut array: ItemsMut<'_, Any>) {
    array.clear();
}
