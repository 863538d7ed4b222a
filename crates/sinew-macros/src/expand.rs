//! What the attribute writes: the function as it was, and its definition with its entry point.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Type;

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
    let (entry, width) = entry(s);
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
                #entry
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
                    entry: sinew_entry #width,
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
                | Role::Frame { mutable: true }
                | Role::ItemsMut { out: false, .. }
        )
    }) {
        "Writing"
    } else if has(&|r| matches!(r, Role::Hierarchy { .. })) {
        "Reading"
    } else if has(&|r| matches!(r, Role::Frame { .. })) {
        "Frame"
    } else {
        "Pure"
    }
}

fn hierarchy(s: &Signature) -> &'static str {
    let uses = s.parameters.iter().filter_map(|p| match p.role {
        Role::Hierarchy { mutable } => Some(mutable),
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

/// The entry point: inputs out of the registers, the body for each lane, results back.
///
/// Units over plain values are written for any number of lanes; those that see the hierarchy,
/// arrays or the log run at one lane.
fn entry(s: &Signature) -> (TokenStream, TokenStream) {
    let plain = !s.fallible
        && !s.generic()
        && s.parameters
            .iter()
            .all(|p| matches!(p.role, Role::Value(_) | Role::State(_) | Role::Frame { mutable: false }));
    let ident = &s.function.sig.ident;
    let mut at = usize::from(s.generic());
    let (mut loads, mut passed, mut stores) = (Vec::new(), Vec::new(), Vec::new());
    let lane = if plain { quote!(lane_) } else { quote!(0) };
    let state = s.parameters.iter().filter(|p| matches!(p.role, Role::State(_)));
    let mut items_mut = None;
    // A unit that only reads sees globals that are up to date; one that writes brings up to date
    // what it needs, as it may need nothing.
    let reads = s.parameters.iter().any(|p| matches!(p.role, Role::Hierarchy { mutable: false }));
    for p in &s.parameters {
        let (name, index) = (&format_ident!("pin_{}", p.ident), at);
        match &p.role {
            Role::Value(ty) => {
                loads.push(quote!(let #name = regs_.load::<#ty>(args_, #index);));
                if reads && is_word(ty, "ElementId") {
                    loads.push(quote!(rig_.prepare(#name[0]);));
                }
                passed.push(quote!(#name[#lane]));
                at += 1;
            }
            Role::Any => {
                loads.push(quote!(let #name = regs_.any(args_, #index);));
                passed.push(quote!(#name));
                at += 1;
            }
            Role::Items(elem) => {
                loads.push(quote!(let #name = regs_.items::<#elem>(args_, #index);));
                if reads && is_word(elem, "ElementId") {
                    loads.push(quote!(for item_ in #name.iter() { rig_.prepare(item_); }));
                }
                passed.push(quote!(#name));
                at += 2;
            }
            Role::ItemsMut { elem, out } => {
                items_mut = Some(quote!(let #name = regs_.items_mut::<#elem>(args_, #index, #out);));
                passed.push(quote!(#name));
                at += 2;
            }
            Role::Hierarchy { .. } => passed.push(quote!(rig_)),
            Role::Frame { .. } => passed.push(quote!(frame_)),
            Role::State(ty) => {
                loads.push(quote!(let mut state_ = regs_.load_state::<#ty>(args_);));
                passed.push(quote!(&mut state_[#lane]));
            }
        }
    }
    loads.extend(items_mut);
    let outputs: Vec<_> = (0..s.outputs.len()).map(|i| format_ident!("out_{i}")).collect();
    for (i, o) in s.outputs.iter().enumerate() {
        let (value, index, ty) = (&outputs[i], at + i, &o.ty);
        stores.push(match (o.any, plain) {
            (true, _) => quote!(regs_.store_any(args_, #index, #value);),
            (false, true) => quote!(regs_.store::<#ty>(args_, #index, #value);),
            (false, false) => quote!(regs_.store::<#ty>(args_, #index, [#value]);),
        });
    }
    if state.count() > 0 {
        stores.push(quote!(regs_.store_state(args_, state_);));
    }
    // Known to be of this length, so that no operand's index is checked on its own.
    let total =
        at + s.outputs.len() + usize::from(s.parameters.iter().any(|p| matches!(p.role, Role::State(_))));
    loads.insert(0, quote!(let Some(args_) = args_.first_chunk::<#total>() else { return };));
    let call = quote!(#ident(#(#passed),*));
    let pattern = if s.tuple { quote!((#(#outputs),*)) } else { quote!(#(#outputs)*) };
    if plain {
        let fill = if outputs.is_empty() {
            quote!(for lane_ in 0..L { #call; })
        } else {
            let tys: Vec<_> = s.outputs.iter().map(|o| &o.ty).collect();
            let set = outputs.iter();
            let temps: Vec<_> = (0..outputs.len()).map(|i| format_ident!("value_{i}")).collect();
            let temp_pattern = if s.tuple { quote!((#(#temps),*)) } else { quote!(#(#temps)*) };
            quote! {
                #(let mut #outputs = [<#tys as ::sinew::value::PinType>::pin_default(); L];)*
                for lane_ in 0..L {
                    let #temp_pattern = #call;
                    #(#set[lane_] = #temps;)*
                }
            }
        };
        let entry = quote! {
            #[allow(unused_variables)]
            fn sinew_entry<const L: usize>(cx_: &mut ::sinew::vm::Cx<'_, L>, args_: &[u32]) {
                let (regs_, rig_, frame_) = cx_.split();
                #(#loads)*
                #fill
                #(#stores)*
            }
        };
        return (entry, quote!(::<1>));
    }
    let run = if s.fallible {
        quote! {
            let result_ = #call;
            match result_ {
                Ok(#pattern) => { #(#stores)* }
                Err(fault_) => { cx_.fail(fault_); }
            }
        }
    } else if outputs.is_empty() {
        quote!(#call; #(#stores)*)
    } else {
        quote!(let #pattern = #call; #(#stores)*)
    };
    let entry = quote! {
        #[allow(unused_variables)]
        fn sinew_entry(cx_: &mut ::sinew::vm::Cx<'_, 1>, args_: &[u32]) {
            let (regs_, rig_, frame_) = cx_.split();
            #(#loads)*
            #run
        }
    };
    (entry, quote!())
}
