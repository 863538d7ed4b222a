//! What the attribute writes: the function as it was, and its definition with its entry point.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Type;

use crate::entry::entries;
use crate::signature::{Parameter, Role, Signature, is_word};

pub fn expand(s: &Signature) -> TokenStream {
    let function = &s.function;
    let ident = &function.sig.ident;
    let vis = &function.vis;
    let (name, doc, function_name) = (&s.name, &s.doc, ident.to_string());
    let pins = s.parameters.iter().filter_map(parameter_pin).chain(output_pins(s));
    let kind = format_ident!("{}", kind(s));
    let hierarchy = format_ident!("{}", hierarchy(s));
    let state = state(s);
    let (entries, lanes) = entries(s);
    let fallible = s.fallible;
    let told = s.parameters.iter().any(|p| matches!(p.role, Role::Frame { mutable: true }));
    quote! {
        #[inline(always)]
        #[allow(clippy::too_many_arguments)]
        #function

        #[doc = #doc]
        #[allow(non_camel_case_types)]
        #vis enum #ident {}

        impl ::sinew::vm::Unit for #ident {
            fn def() -> ::sinew::vm::UnitDef {
                #entries
                ::sinew::vm::UnitDef {
                    name: #name,
                    doc: #doc,
                    kind: ::sinew::vm::UnitKind::#kind,
                    hierarchy: ::sinew::vm::HierarchyUse::#hierarchy,
                    pins: vec![#(#pins),*],
                    state: #state,
                    fallible: #fallible,
                    told: #told,
                    source: ::sinew::vm::Source {
                        file: file!(),
                        line: line!(),
                        function: concat!(module_path!(), "::", #function_name),
                    },
                    entry: one_,
                    lanes: #lanes,
                }
            }
        }
    }
}

fn kind(s: &Signature) -> &'static str {
    let has = |f: &dyn Fn(&Role) -> bool| s.parameters.iter().any(|p| f(&p.role));
    if has(&|r| matches!(r, Role::State(_))) {
        "Stateful"
    } else if has(&|r| {
        matches!(
            r,
            Role::Hierarchy { mutable: true }
                | Role::Joint { mutable: true }
                | Role::Frame { mutable: true }
                | Role::ItemsMut { out: false, .. }
        )
    }) {
        "Writing"
    } else if has(&|r| matches!(r, Role::Hierarchy { .. } | Role::Joint { .. })) {
        "Reading"
    } else if has(&|r| matches!(r, Role::Frame { .. })) {
        "Frame"
    } else {
        "Pure"
    }
}

fn hierarchy(s: &Signature) -> &'static str {
    let uses = s.parameters.iter().filter_map(|p| match p.role {
        Role::Hierarchy { mutable } | Role::Joint { mutable } => Some(mutable),
        _ => None,
    });
    match uses.max() {
        None => "None",
        Some(false) => "Reads",
        Some(true) => "Writes",
    }
}

fn state(s: &Signature) -> TokenStream {
    let ty = s.parameters.iter().find_map(|p| match &p.role {
        Role::State(ty) => Some(ty),
        _ => None,
    });
    match ty {
        Some(ty) => quote!(Some(::sinew::vm::words_of::<#ty>(<#ty as ::core::default::Default>::default()))),
        None => quote!(None),
    }
}

fn pin_type(ty: &Type) -> TokenStream {
    if is_word(ty, "Any") {
        quote!(::sinew::value::Type::Any)
    } else {
        quote!(<#ty as ::sinew::value::PinType>::pin_type())
    }
}

fn array_type(elem: &Type) -> TokenStream {
    let elem = pin_type(elem);
    quote!(::sinew::value::Type::Array(Box::new(#elem), 0))
}

fn number(e: &Option<syn::Expr>) -> TokenStream {
    match e {
        Some(e) => quote!(Some((#e) as f64)),
        None => quote!(None),
    }
}

fn parameter_pin(p: &Parameter) -> Option<TokenStream> {
    let (direction, ty) = match &p.role {
        Role::Value(ty) => ("In", pin_type(ty)),
        Role::Joint { .. } => ("In", quote!(::sinew::value::Type::Element)),
        Role::Any => ("In", quote!(::sinew::value::Type::Any)),
        Role::Items(elem) => ("In", array_type(elem)),
        Role::ItemsMut { elem, out: false } => ("InOut", array_type(elem)),
        Role::ItemsMut { elem, out: true } => ("Out", array_type(elem)),
        _ => return None,
    };
    let direction = format_ident!("{direction}");
    let default = match (&p.role, &p.default) {
        (Role::Value(ty), Some(e)) => quote!(::sinew::vm::words_of::<#ty>(#e)),
        (Role::Value(ty), None) => {
            quote!(::sinew::vm::words_of::<#ty>(<#ty as ::sinew::value::PinType>::pin_default()))
        }
        (Role::Joint { .. }, _) => {
            quote!(::sinew::vm::words_of(
                <::sinew::hierarchy::ElementId as ::sinew::value::PinType>::pin_default()
            ))
        }
        _ => quote!(Vec::new()),
    };
    let (name, doc) = (p.ident.to_string(), &p.doc);
    let name = name.strip_prefix('_').unwrap_or(&name);
    let (min, max) = (number(&p.min), number(&p.max));
    Some(quote!(::sinew::vm::Pin {
        name: #name,
        direction: ::sinew::vm::Direction::#direction,
        ty: #ty,
        default: #default,
        min: #min,
        max: #max,
        doc: #doc,
    }))
}

fn output_pins(s: &Signature) -> impl Iterator<Item = TokenStream> + '_ {
    s.outputs.iter().map(|o| {
        let (name, ty) = (&o.name, pin_type(&o.ty));
        quote!(::sinew::vm::Pin {
            name: #name,
            direction: ::sinew::vm::Direction::Out,
            ty: #ty,
            default: Vec::new(),
            min: None,
            max: None,
            doc: "",
        })
    })
}
