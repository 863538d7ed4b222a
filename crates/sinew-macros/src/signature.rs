//! What the attribute and the function say: pins, state, contexts, results.

use syn::parse::{Parse, ParseStream};
use syn::spanned::Spanned;
use syn::{Error, Expr, FnArg, Ident, ItemFn, LitStr, Meta, Pat, Result, ReturnType, Token, Type};

/// `"Category.Name", outputs(a, b)`.
pub struct Attribute {
    pub name: LitStr,
    pub outputs: Vec<Ident>,
}

impl Parse for Attribute {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let name: LitStr = input.parse()?;
        let mut outputs = Vec::new();
        while input.parse::<Option<Token![,]>>()?.is_some() && !input.is_empty() {
            let word: Ident = input.parse()?;
            if word != "outputs" {
                return Err(Error::new(word.span(), "expected `outputs(name, …)`"));
            }
            let list;
            syn::parenthesized!(list in input);
            outputs = list.parse_terminated(Ident::parse, Token![,])?.into_iter().collect();
        }
        Ok(Self { name, outputs })
    }
}

/// What a parameter stands for.
pub enum Role {
    /// A pin passed by value.
    Value(Box<Type>),
    /// A pin of the type variable.
    Any,
    /// `Items<'_, T>`.
    Items(Box<Type>),
    /// `ItemsMut<'_, T>`, in place or as a result.
    ItemsMut {
        elem: Box<Type>,
        out: bool,
    },
    Hierarchy {
        mutable: bool,
    },
    /// `&Joint` or `&mut Joint`: an element's pin, read before the body and written after it.
    Joint {
        mutable: bool,
    },
    Frame {
        mutable: bool,
    },
    State(Box<Type>),
}

pub struct Parameter {
    pub ident: Ident,
    pub role: Role,
    pub default: Option<Expr>,
    pub min: Option<Expr>,
    pub max: Option<Expr>,
    /// Of a joint: which of its transforms are needed, and where.
    pub needs: Vec<(Ident, Expr)>,
    pub doc: String,
}

pub struct Output {
    pub name: String,
    pub ty: Type,
    pub any: bool,
}

pub struct Signature {
    pub name: LitStr,
    pub function: ItemFn,
    pub doc: String,
    pub parameters: Vec<Parameter>,
    pub outputs: Vec<Output>,
    pub tuple: bool,
    pub fallible: bool,
}

impl Signature {
    pub fn read(attribute: Attribute, mut function: ItemFn) -> Result<Self> {
        let doc = docs(&function.attrs);
        if doc.is_empty() {
            return Err(Error::new(
                function.sig.ident.span(),
                "a unit needs a doc comment: it is the node's help text",
            ));
        }
        if !function.sig.generics.params.is_empty() {
            return Err(Error::new(
                function.sig.generics.span(),
                "a unit has no generic parameters; use `Any`",
            ));
        }
        let mut parameters = Vec::new();
        for input in &mut function.sig.inputs {
            parameters.push(parameter(input)?);
        }
        let (results, tuple, fallible) = results(&function.sig.output)?;
        let names = output_names(&attribute, results.len(), &function)?;
        let outputs = results.into_iter().zip(names);
        let outputs = outputs.map(|(ty, name)| Output { name, any: is_word(&ty, "Any"), ty }).collect();
        Ok(Self { name: attribute.name, doc, parameters, outputs, tuple, fallible, function })
    }

    pub fn generic(&self) -> bool {
        let elem_any = |t: &Type| is_word(t, "Any");
        self.outputs.iter().any(|o| o.any)
            || self.parameters.iter().any(|p| match &p.role {
                Role::Any => true,
                Role::Items(t) | Role::ItemsMut { elem: t, .. } => elem_any(t),
                _ => false,
            })
    }
}

fn parameter(input: &mut FnArg) -> Result<Parameter> {
    let FnArg::Typed(typed) = input else {
        return Err(Error::new(input.span(), "a unit is a free function"));
    };
    let Pat::Ident(pattern) = &*typed.pat else {
        return Err(Error::new(typed.pat.span(), "a pin needs a plain name"));
    };
    let ident = pattern.ident.clone();
    let doc = docs(&typed.attrs);
    let (mut default, mut min, mut max, mut out) = (None, None, None, false);
    let mut needs = Vec::new();
    for attribute in &typed.attrs {
        if attribute.path().is_ident("out") {
            out = true;
        } else if attribute.path().is_ident("joint") {
            attribute.parse_nested_meta(|meta| {
                let known = ["global", "parent", "initial_global"];
                match meta.path.get_ident().filter(|i| known.iter().any(|k| i == k)) {
                    Some(part) => needs.push((part.clone(), meta.value()?.parse()?)),
                    None => return Err(meta.error("expected global, parent or initial_global")),
                }
                Ok(())
            })?;
        } else if attribute.path().is_ident("pin") {
            attribute.parse_nested_meta(|meta| {
                let value: Expr = meta.value()?.parse()?;
                if meta.path.is_ident("default") {
                    default = Some(value);
                } else if meta.path.is_ident("min") {
                    min = Some(value);
                } else if meta.path.is_ident("max") {
                    max = Some(value);
                } else {
                    return Err(meta.error("expected default, min or max"));
                }
                Ok(())
            })?;
        } else if !attribute.path().is_ident("doc") {
            return Err(Error::new(attribute.span(), "expected #[pin(…)], #[joint(…)] or #[out]"));
        }
    }
    typed.attrs.clear();
    let role = role(&typed.ty, out)?;
    Ok(Parameter { ident, role, default, min, max, needs, doc })
}

fn role(ty: &Type, out: bool) -> Result<Role> {
    if let Type::Reference(reference) = ty {
        let mutable = reference.mutability.is_some();
        let inner = &*reference.elem;
        return match () {
            () if is_word(inner, "Hierarchy") => Ok(Role::Hierarchy { mutable }),
            () if is_word(inner, "Joint") => Ok(Role::Joint { mutable }),
            () if is_word(inner, "Frame") => Ok(Role::Frame { mutable }),
            () if mutable => Ok(Role::State(Box::new(inner.clone()))),
            () => Err(Error::new(
                ty.span(),
                "a shared reference is &Hierarchy, &Joint or &Frame; pins pass by value",
            )),
        };
    }
    if is_word(ty, "Any") {
        return Ok(Role::Any);
    }
    match element_of(ty) {
        Some(("Items", elem)) => Ok(Role::Items(Box::new(elem))),
        Some((_, elem)) => Ok(Role::ItemsMut { elem: Box::new(elem), out }),
        None => Ok(Role::Value(Box::new(ty.clone()))),
    }
}

fn element_of(ty: &Type) -> Option<(&'static str, Type)> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last()?;
    let word = ["Items", "ItemsMut"].into_iter().find(|w| last.ident == w)?;
    let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    arguments.args.iter().find_map(|a| match a {
        syn::GenericArgument::Type(t) => Some((word, t.clone())),
        _ => None,
    })
}

/// The types of the outputs, whether they stand in a tuple, whether in a `Result`.
fn results(output: &ReturnType) -> Result<(Vec<Type>, bool, bool)> {
    let ReturnType::Type(_, ty) = output else { return Ok((Vec::new(), false, false)) };
    let (ty, fallible) = match ok_type(ty) {
        Some(ok) => (ok, true),
        None => ((**ty).clone(), false),
    };
    match ty {
        Type::Tuple(tuple) => Ok((tuple.elems.into_iter().collect(), true, fallible)),
        Type::Reference(_) => Err(Error::new(ty.span(), "a unit returns values")),
        ty => Ok((vec![ty], false, fallible)),
    }
}

fn ok_type(ty: &Type) -> Option<Type> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last()?;
    if last.ident != "Result" {
        return None;
    }
    let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    match arguments.args.first()? {
        syn::GenericArgument::Type(t) => Some(t.clone()),
        _ => None,
    }
}

fn output_names(attribute: &Attribute, count: usize, function: &ItemFn) -> Result<Vec<String>> {
    if attribute.outputs.is_empty() && count == 1 {
        return Ok(vec!["result".to_string()]);
    }
    if attribute.outputs.len() != count {
        let message = format!("the function gives {count} results: name them with outputs(…)");
        return Err(Error::new(function.sig.output.span(), message));
    }
    Ok(attribute.outputs.iter().map(ToString::to_string).collect())
}

pub fn is_word(ty: &Type, word: &str) -> bool {
    matches!(ty, Type::Path(p) if p.path.segments.last().is_some_and(|s| s.ident == word && s.arguments.is_none()))
}

fn docs(attributes: &[syn::Attribute]) -> String {
    let mut lines = Vec::new();
    for attribute in attributes {
        if let Meta::NameValue(pair) = &attribute.meta
            && pair.path.is_ident("doc")
            && let Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) = &pair.value
        {
            lines.push(text.value().trim().to_string());
        }
    }
    lines.join("\n").trim().to_string()
}
