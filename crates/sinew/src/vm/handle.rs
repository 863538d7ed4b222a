//! Variables found once by name, to be read and written in every frame.

use core::marker::PhantomData;

use super::BoundProgram;
use crate::value::{PinType, Type};

/// Why a variable cannot be used as asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VariableError {
    /// There is none of that name.
    #[error("the rig has no variable `{0}`; it has {1}")]
    Unknown(String, String),
    /// It has another type.
    #[error("variable `{name}` is {is}, not {asked}")]
    Type {
        /// The variable.
        name: String,
        /// Its type.
        is: String,
        /// The type that was asked for.
        asked: String,
    },
}

/// A variable found once by name, for reading and writing in every frame.
#[derive(Clone, Copy, Debug)]
pub struct Handle<T> {
    /// Place in an instance's memory.
    pub(super) at: usize,
    of: usize,
    _t: PhantomData<T>,
}

impl<T> Handle<T> {
    /// True if it was found in this bound program.
    #[inline]
    pub(super) fn is_of(&self, bound: &BoundProgram) -> bool {
        self.of == place_of(bound)
    }
}

/// What tells bound programs apart for as long as they live.
fn place_of(bound: &BoundProgram) -> usize {
    core::ptr::from_ref(bound) as usize
}

impl BoundProgram {
    /// Finds a variable of a type.
    pub fn handle<T: PinType>(&self, name: &str) -> Result<Handle<T>, VariableError> {
        let program = &self.program;
        let Some(v) = program.variable(name) else {
            let known: Vec<_> = program.variables.iter().map(|v| v.name.as_str()).collect();
            return Err(VariableError::Unknown(name.into(), known.join(", ")));
        };
        let asked = T::pin_type();
        // A program keeps types as text; an enum of the rig's is read as an Int.
        let same = v.ty == asked.to_string() || (asked == Type::Int && !v.variants.is_empty());
        if !same || v.words != T::WORDS as u32 {
            return Err(VariableError::Type {
                name: name.into(),
                is: v.ty.clone(),
                asked: asked.to_string(),
            });
        }
        Ok(Handle { at: self.layout.external + v.offset as usize, of: place_of(self), _t: PhantomData })
    }
}
