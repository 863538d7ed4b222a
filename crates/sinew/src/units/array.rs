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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::Vec3;
    use crate::vm::testing::{Bench, array_of, array_words};
    use crate::vm::{FaultKind, Unit, words_of};

    const ITEMS: [Vec3; 3] = [Vec3::X, Vec3::Y, Vec3::Z];

    /// Runs a unit over an array of vectors; the words of all pins.
    fn run<U: Unit>(items: &[Vec3], inputs: &[(&str, Vec<u32>)]) -> Result<Vec<Vec<u32>>, FaultKind> {
        let unit = U::def();
        Bench::new().run(&unit, |i, words| {
            let name = unit.pins[i].name;
            let given = inputs.iter().find(|(n, _)| *n == name).map(|(_, w)| w.clone());
            let given = given.or_else(|| (name == ARRAY).then(|| array_words(items)));
            if let Some(given) = given {
                words[..given.len()].copy_from_slice(&given);
            }
        })
    }

    const ARRAY: &str = "array";

    fn value<U: Unit>(items: &[Vec3], inputs: &[(&str, Vec<u32>)]) -> Vec3 {
        let out = run::<U>(items, inputs).unwrap().pop().unwrap();
        <Vec3 as crate::value::Plain>::read(|i| out[i])
    }

    fn number<U: Unit>(items: &[Vec3], inputs: &[(&str, Vec<u32>)]) -> i32 {
        run::<U>(items, inputs).unwrap().pop().unwrap()[0] as i32
    }

    fn changed<U: Unit>(items: &[Vec3], inputs: &[(&str, Vec<u32>)]) -> Vec<Vec3> {
        array_of(&run::<U>(items, inputs).unwrap()[0])
    }

    #[test]
    fn an_index_beyond_either_end_reads_zeros_or_the_fallback() {
        let five = Vec3::splat(5.0);
        for (index, right) in
            [(0, Some(Vec3::X)), (2, Some(Vec3::Z)), (3, None), (-1, None), (i32::MIN, None)]
        {
            let at = ("index", words_of(index));
            assert_eq!(
                value::<get>(&ITEMS, std::slice::from_ref(&at)),
                right.unwrap_or(Vec3::ZERO),
                "{index}"
            );
            assert_eq!(value::<get_or>(&ITEMS, &[at, ("fallback", words_of(five))]), right.unwrap_or(five));
        }
        assert_eq!((value::<first>(&ITEMS, &[]), value::<last>(&ITEMS, &[])), (Vec3::X, Vec3::Z));
        assert_eq!((value::<first>(&[], &[]), value::<last>(&[], &[])), (Vec3::ZERO, Vec3::ZERO));
    }

    #[test]
    fn counts_and_places() {
        assert_eq!((number::<length>(&ITEMS, &[]), number::<capacity>(&ITEMS, &[])), (3, 4));
        assert_eq!((number::<is_empty>(&ITEMS, &[]), number::<is_empty>(&[], &[])), (0, 1));
        let of = |v: Vec3| [("value", words_of(v))];
        assert_eq!((number::<find>(&ITEMS, &of(Vec3::Z)), number::<find>(&ITEMS, &of(Vec3::ONE))), (2, -1));
        assert_eq!(
            (number::<contains>(&ITEMS, &of(Vec3::Y)), number::<contains>(&[], &of(Vec3::ZERO))),
            (1, 0)
        );
    }

    #[test]
    fn changes_in_place() {
        let v = ("value", words_of(Vec3::ONE));
        let at = |i: i32| ("index", words_of(i));
        assert_eq!(changed::<set>(&ITEMS, &[at(1), v.clone()]), [Vec3::X, Vec3::ONE, Vec3::Z]);
        assert_eq!(changed::<set>(&ITEMS, &[at(3), v.clone()]), ITEMS);
        assert_eq!(changed::<set>(&ITEMS, &[at(-1), v.clone()]), ITEMS);
        assert_eq!(changed::<add>(&ITEMS, std::slice::from_ref(&v)), [Vec3::X, Vec3::Y, Vec3::Z, Vec3::ONE]);
        assert_eq!(number::<add>(&ITEMS, std::slice::from_ref(&v)), 3);
        assert_eq!(changed::<insert>(&ITEMS, &[at(1), v.clone()]), [Vec3::X, Vec3::ONE, Vec3::Y, Vec3::Z]);
        assert_eq!(changed::<insert>(&ITEMS, &[at(-5), v.clone()]), [Vec3::ONE, Vec3::X, Vec3::Y, Vec3::Z]);
        assert_eq!(changed::<insert>(&ITEMS, &[at(99), v]), [Vec3::X, Vec3::Y, Vec3::Z, Vec3::ONE]);
        assert_eq!(changed::<remove>(&ITEMS, &[at(0)]), [Vec3::Y, Vec3::Z]);
        assert_eq!(changed::<remove>(&ITEMS, &[at(-1)]), ITEMS);
        assert_eq!(changed::<reset>(&ITEMS, &[]), []);
    }

    #[test]
    fn growth_past_the_capacity_is_a_fault() {
        let four = [Vec3::ZERO; 4];
        let full = Err(FaultKind::ArrayFull(ArrayFull { capacity: 4 }));
        assert_eq!(run::<add>(&four, &[]), full);
        assert_eq!(run::<insert>(&four, &[]), full);
    }

    #[test]
    fn made_of_its_elements() {
        let [a, b, c] = ITEMS.map(words_of);
        let made = |pins: Vec<Vec<u32>>| array_of::<Vec3>(pins.last().unwrap());
        let inputs = [("a", a), ("b", b), ("c", c.clone()), ("d", c)];
        assert_eq!(made(run::<make_1>(&[], &inputs).unwrap()), ITEMS[..1]);
        assert_eq!(made(run::<make_2>(&[], &inputs).unwrap()), ITEMS[..2]);
        assert_eq!(made(run::<make_3>(&[], &inputs).unwrap()), ITEMS);
        assert_eq!(made(run::<make_4>(&[], &inputs).unwrap()).len(), 4);
    }
}
