//! The entry points: inputs out of the registers, the body for each lane, results back.
//!
//! Units over plain values are written for any number of lanes, and built for the widths and
//! instruction sets that a block may have; those that see the hierarchy, arrays or the log are
//! written for one lane. The names here end in an underscore, so that no pin's or function's meets
//! them.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Type;

use crate::signature::{Role, Signature, is_word};

/// The functions `one_` and, where there are lanes, what `UnitDef::lanes` is to be.
pub fn entries(s: &Signature) -> (TokenStream, TokenStream) {
    let plain = !s.fallible
        && !s.generic()
        && s.parameters.iter().all(|p| {
            matches!(
                p.role,
                Role::Value(_) | Role::State(_) | Role::Joint { .. } | Role::Frame { mutable: false }
            )
        });
    if plain { lanes(s) } else { (one(s), quote!(None)) }
}

/// How many operands there are: known to be so many, none is checked on its own.
fn operands(s: &Signature, pins: usize) -> TokenStream {
    let state = s.parameters.iter().any(|p| matches!(p.role, Role::State(_)));
    let total = pins + s.outputs.len() + usize::from(state);
    quote!(let Some(args_) = args_.first_chunk::<#total>() else { return };)
}

fn words(ty: &Type) -> TokenStream {
    quote!({ <#ty as ::sinew::value::Plain>::WORDS })
}

/// Words stay apart, a row of lanes for each, and each lane's values are put together in the loop:
/// so loads and stores in it are of neighbours, and the loop vectorizes.
fn lanes(s: &Signature) -> (TokenStream, TokenStream) {
    let ident = &s.function.sig.ident;
    let (mut loads, mut passed, mut after, mut stores) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    // Joints are read last: what is needed of them may hang on other pins.
    let (mut joints, mut before) = (Vec::new(), Vec::new());
    let mut at = 0usize;
    for p in &s.parameters {
        match &p.role {
            Role::Value(ty) => {
                let (name, words) = (format_ident!("pin_{}", p.ident), words(ty));
                loads.push(quote!(let #name = regs_.row::<#words>(args_, #at);));
                passed.push(quote!(<#ty as ::sinew::value::Plain>::read(|i_| #name[i_][lane_])));
                at += 1;
            }
            Role::State(ty) => {
                let words = words(ty);
                loads.push(quote!(let mut state_ = regs_.state_row::<#words>(args_);));
                loads.push(quote!(let given_ = state_;));
                passed.push(quote!(&mut one_state_));
                after
                    .push(quote!(::sinew::value::Plain::write(one_state_, |i_, w_| state_[i_][lane_] = w_);));
                stores.push(quote!(regs_.store_state_row(args_, &state_);));
            }
            Role::Joint { mutable } => {
                let (rows, ids) = (format_ident!("rows_{}", p.ident), format_ident!("ids_{}", p.ident));
                let one = format_ident!("joint_{}", p.ident);
                let needs = needs(s, &p.needs);
                loads.push(quote!(let [#ids] = regs_.row::<1>(args_, #at);));
                joints.push(quote!(let mut #rows = rig_.joints(&#ids, &mask_, #needs);));
                before.push(quote!(let mut #one = #rows.lane(lane_);));
                if *mutable {
                    passed.push(quote!(&mut #one));
                    after.push(quote!(#rows.set_lane(lane_, &#one);));
                    stores.push(quote!(rig_.apply(&#ids, &mask_, &#rows);));
                } else {
                    passed.push(quote!(&#one));
                }
                at += 1;
            }
            _ => passed.push(quote!(&frames_[lane_])),
        }
    }
    let state = s.parameters.iter().filter_map(|p| match &p.role {
        Role::State(ty) => {
            Some(quote!(let mut one_state_ = <#ty as ::sinew::value::Plain>::read(|i_| given_[i_][lane_]);))
        }
        _ => None,
    });
    before.extend(state);
    let values: Vec<_> = (0..s.outputs.len()).map(|i| format_ident!("value_{i}_")).collect();
    for (i, (o, value)) in s.outputs.iter().zip(&values).enumerate() {
        let (out, words, index) = (format_ident!("out_{i}_"), words(&o.ty), at + i);
        loads.push(quote!(let mut #out = [[0u32; L]; #words];));
        after.push(quote!(::sinew::value::Plain::write(#value, |i_, w_| #out[i_][lane_] = w_);));
        stores.push(quote!(regs_.store_row(args_, #index, &#out);));
    }
    let operands = operands(s, at);
    let call = quote!(#ident(#(#passed),*));
    let call = match (s.tuple, values.as_slice()) {
        (_, []) => quote!(#call;),
        (true, values) => quote!(let (#(#values),*) = #call;),
        (false, values) => quote!(let #(#values)* = #call;),
    };
    let functions = quote! {
        #[inline(always)]
        #[allow(unused_variables, unused_mut, unused_assignments)]
        fn lanes_<const L: usize>(cx_: &mut ::sinew::vm::Cx<'_, L>, args_: &[u32]) {
            #operands
            let (regs_, rig_, frames_) = cx_.split();
            #(#loads)*
            let mask_ = *regs_.mask();
            #(#joints)*
            for lane_ in 0..L {
                #(#before)*
                #call
                #(#after)*
            }
            #(#stores)*
        }
        ::sinew::lane_entries!(lanes_);
    };
    (functions, quote!(Some(lane_entries_())))
}

/// What the lanes that take part need of a joint.
fn needs(s: &Signature, parts: &[(syn::Ident, syn::Expr)]) -> TokenStream {
    let always =
        |e: &syn::Expr| matches!(e, syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Bool(b), .. }) if b.value);
    let parts_always = parts.iter().filter(|(_, e)| always(e)).map(|(part, _)| quote!(needs_.#part = true;));
    let sometimes: Vec<_> = parts.iter().filter(|(_, e)| !always(e)).collect();
    let ask = if sometimes.is_empty() {
        quote!()
    } else {
        let pins = s.parameters.iter().filter_map(|p| match &p.role {
            Role::Value(ty) => {
                let (ident, row) = (&p.ident, format_ident!("pin_{}", p.ident));
                Some(quote!(let #ident = <#ty as ::sinew::value::Plain>::read(|i_| #row[i_][lane_]);))
            }
            _ => None,
        });
        let asked = sometimes.iter().map(|(part, e)| quote!(needs_.#part |= #e;));
        quote! {
            for lane_ in 0..L {
                if L == 1 || mask_[lane_] != 0 {
                    #(#pins)*
                    #(#asked)*
                }
            }
        }
    };
    quote!({
        let mut needs_ = ::sinew::hierarchy::Needs::default();
        #(#parts_always)*
        #ask
        needs_
    })
}

fn one(s: &Signature) -> TokenStream {
    let ident = &s.function.sig.ident;
    let mut at = usize::from(s.generic());
    let (mut loads, mut passed, mut stores) = (Vec::new(), Vec::new(), Vec::new());
    let mut items_mut = None;
    // A unit that only reads sees globals that are up to date; one that writes brings up to date
    // what it needs, as it may need nothing.
    let reads = s.parameters.iter().any(|p| matches!(p.role, Role::Hierarchy { mutable: false }));
    for p in &s.parameters {
        let (name, index) = (format_ident!("pin_{}", p.ident), at);
        match &p.role {
            Role::Value(ty) => {
                loads.push(quote!(let #name = regs_.load::<#ty>(args_, #index);));
                if reads && is_word(ty, "ElementId") {
                    loads.push(quote!(rig_.prepare(#name);));
                }
                passed.push(quote!(#name));
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
            // A joint with arrays or a fault: it too is read before and written after, at one lane.
            Role::Joint { mutable } => {
                let needs = needs_of_one(&p.needs);
                loads.push(quote!(let #name = regs_.load::<::sinew::hierarchy::ElementId>(args_, #index);));
                let one = format_ident!("joint_{}", p.ident);
                loads.push(quote!(let mut #one = rig_.joint(#name, #needs);));
                passed.push(if *mutable { quote!(&mut #one) } else { quote!(&#one) });
                if *mutable {
                    stores.push(quote!(rig_.apply(#name, &#one);));
                }
                at += 1;
            }
            Role::Frame { mutable: true } => passed.push(quote!(&mut frames_[0])),
            Role::Frame { mutable: false } => passed.push(quote!(&frames_[0])),
            Role::State(ty) => {
                loads.push(quote!(let mut state_ = regs_.load_state::<#ty>(args_);));
                passed.push(quote!(&mut state_));
                stores.push(quote!(regs_.store_state(args_, state_);));
            }
        }
    }
    loads.extend(items_mut);
    let values: Vec<_> = (0..s.outputs.len()).map(|i| format_ident!("value_{i}_")).collect();
    for (i, (o, value)) in s.outputs.iter().zip(&values).enumerate() {
        let (index, ty) = (at + i, &o.ty);
        stores.push(match o.any {
            true => quote!(regs_.store_any(args_, #index, #value);),
            false => quote!(regs_.store::<#ty>(args_, #index, #value);),
        });
    }
    let operands = operands(s, at);
    let call = quote!(#ident(#(#passed),*));
    let pattern = if s.tuple { quote!((#(#values),*)) } else { quote!(#(#values)*) };
    let run = if s.fallible {
        quote! {
            let result_ = #call;
            match result_ {
                Ok(#pattern) => { #(#stores)* }
                Err(fault_) => { cx_.fail(fault_); }
            }
        }
    } else if values.is_empty() {
        quote!(#call; #(#stores)*)
    } else {
        quote!(let #pattern = #call; #(#stores)*)
    };
    quote! {
        #[allow(unused_variables)]
        fn one_(cx_: &mut ::sinew::vm::Cx<'_, 1>, args_: &[u32]) {
            #operands
            let (regs_, rig_, frames_) = cx_.split();
            let Some(rig_) = rig_.one() else { return };
            #(#loads)*
            #run
        }
    }
}

/// At one lane and apart from the other pins, what may be needed is.
fn needs_of_one(parts: &[(syn::Ident, syn::Expr)]) -> TokenStream {
    let parts = parts.iter().map(|(part, _)| quote!(#part: true,));
    quote!(::sinew::hierarchy::Needs { #(#parts)* ..::core::default::Default::default() })
}
