//! The `#[unit]` attribute of Sinew: it turns one Rust function into a node.

mod entry;
mod expand;
mod signature;

use proc_macro::TokenStream;

/// Makes a function a unit.
///
/// `#[unit("Category.Name")]` stands on a documented free function. Its parameters are the node's
/// pins, its result the output pin `result`; a tuple needs names:
/// `#[unit("Category.Name", outputs(swing, twist))]`. Several functions may carry one name: they
/// are overloads, told apart by the types of their pins.
///
/// What a parameter is follows from its type:
///
/// | written | meaning |
/// |---|---|
/// | `&Hierarchy`, `&mut Hierarchy` | the character's elements, read or written |
/// | `&Frame`, `&mut Frame` | delta time, event; with `mut` the log, draw list and random stream |
/// | `&mut S` for any other `S` | the node's own state, kept from frame to frame; `S: Plain + Default` |
/// | `Items<'_, T>` | an array |
/// | `ItemsMut<'_, T>` | an array variable, changed in place; with `#[out]` an array result |
/// | `Any` | a value of any type, the same for all `Any` of the unit |
/// | any other | a pin; the type must be a `PinType` |
///
/// `#[pin(default = EXPR, min = NUMBER, max = NUMBER)]` before a parameter sets its default and
/// range, a doc comment its text. A `Result` may be returned: an error ends the frame with the
/// last good pose.
///
/// The attribute also makes an empty enum of the function's name that carries the definition:
/// `UnitDef::of::<the_function>()`.
#[proc_macro_attribute]
pub fn unit(attribute: TokenStream, item: TokenStream) -> TokenStream {
    let attribute = syn::parse_macro_input!(attribute as signature::Attribute);
    let function = syn::parse_macro_input!(item as syn::ItemFn);
    match signature::Signature::read(attribute, function) {
        Ok(signature) => expand::expand(&signature).into(),
        Err(error) => error.to_compile_error().into(),
    }
}
