//! Properties of any rig and any edits.

use super::tests::full;
use super::*;
use crate::hierarchy::{ElementKey, ElementKind};
use proptest::collection::{btree_map, vec};
use proptest::option;
use proptest::prelude::*;

// Few names, so that they meet.
fn name() -> BoxedStrategy<String> {
    prop_oneof![4 => "[a-d]", 1 => "[A-Za-z_][A-Za-z0-9_]{0,12}"]
        .prop_filter("reserved", |n| check_name(n).is_ok() && n != "from")
        .boxed()
}

fn text() -> BoxedStrategy<String> {
    prop_oneof![Just(String::new()), any::<String>()].boxed()
}

fn number() -> BoxedStrategy<f64> {
    prop_oneof![
        (-1000i32..1000).prop_map(f64::from),
        any::<f32>().prop_map(f64::from),
        any::<f64>(),
        Just(-0.0),
        Just(f64::MIN_POSITIVE)
    ]
    .prop_filter("finite", |f| f.is_finite())
    .boxed()
}

fn literal() -> BoxedStrategy<Literal> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(Literal::Bool),
        any::<i64>().prop_map(Literal::Int),
        number().prop_map(Literal::Float),
        text().prop_map(Literal::String),
        name().prop_map(|n| Literal::String(format!("control:{n}"))),
    ];
    leaf.prop_recursive(4, 40, 8, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..8).prop_map(Literal::Array),
            btree_map(text().prop_filter("link", |k| k != "from"), inner, 0..4).prop_map(Literal::Object),
        ]
    })
    .boxed()
}

fn pin() -> BoxedStrategy<String> {
    (name(), vec(prop_oneof![name(), "[0-9]{1,3}"], 0..3))
        .prop_map(|(first, rest)| std::iter::once(first).chain(rest).collect::<Vec<_>>().join("."))
        .boxed()
}

fn pin_ref() -> BoxedStrategy<PinRef> {
    (prop_oneof![5 => name(), 1 => Just("inputs".to_owned())], pin())
        .prop_map(|(n, p)| PinRef::new(n, p))
        .boxed()
}

fn input() -> BoxedStrategy<Input> {
    prop_oneof![literal().prop_map(Input::Literal), pin_ref().prop_map(Input::Link)].boxed()
}

fn ty() -> BoxedStrategy<String> {
    prop_oneof![name(), name().prop_map(|n| format!("Array<{n}>")), Just("Float".to_owned())].boxed()
}

fn node() -> BoxedStrategy<Node> {
    let op = prop_oneof![
        "[A-Z][a-z]{0,5}(\\.[A-Z][a-z]{0,5})?".prop_map(NodeOp::Unit),
        name().prop_map(NodeOp::Call),
        name().prop_map(NodeOp::Get),
        name().prop_map(NodeOp::Set),
        ty().prop_map(NodeOp::Const),
    ];
    (op, btree_map(pin(), input(), 0..4), btree_map(name(), name(), 0..3), option::of(any::<u32>()), text())
        .prop_map(|(op, inputs, exec, capacity, note)| Node { op, inputs, exec, capacity, note })
        .boxed()
}

fn pin_decl() -> BoxedStrategy<PinDecl> {
    (ty(), option::of(literal()), text()).prop_map(|(ty, default, doc)| PinDecl { ty, default, doc }).boxed()
}

fn graph_kind() -> BoxedStrategy<GraphKind> {
    let pins = || btree_map(name(), pin_decl(), 0..3);
    let function =
        (pins(), pins(), btree_map(pin(), input(), 0..3), any::<bool>()).prop_map(|(i, o, results, all)| {
            let order = if all { i.keys().rev().cloned().collect() } else { vec![] };
            GraphKind::Function(FunctionDecl { inputs: i, outputs: o, order, results })
        });
    prop_oneof![Just(GraphKind::Event), function].boxed()
}

fn comment() -> BoxedStrategy<Comment> {
    (text(), proptest::collection::btree_set(name(), 0..3), option::of(Just([0.25, 1.0, 0.0, 1.0])))
        .prop_map(|(text, nodes, color)| Comment { text, nodes: nodes.into_iter().collect(), color })
        .boxed()
}

fn graph() -> BoxedStrategy<Graph> {
    let nodes = btree_map(name(), node(), 0..5);
    (graph_kind(), text(), option::of(name()), nodes, btree_map(name(), comment(), 0..3))
        .prop_map(|(kind, doc, start, nodes, mut comments)| {
            comments.retain(|n, _| !nodes.contains_key(n));
            Graph { kind, doc, start, nodes, comments }
        })
        .boxed()
}

fn place() -> BoxedStrategy<Place> {
    (number(), number(), option::of((number(), number())))
        .prop_map(|(x, y, size)| Place { at: [x, y], size: size.map(|(w, h)| [w, h]) })
        .boxed()
}

fn transform() -> BoxedStrategy<TransformDecl> {
    let three = || option::of((number(), number(), number()).prop_map(|(x, y, z)| [x, y, z]));
    (three(), option::of((number(), number()).prop_map(|(x, w)| [x, 0.0, -0.0, w])), three())
        .prop_map(|(translation, rotation, scale)| TransformDecl { translation, rotation, scale })
        .boxed()
}

fn element() -> BoxedStrategy<(ElementKey, ElementDecl)> {
    let key = || {
        (0..5usize, any::<String>()).prop_map(|(k, n)| ElementKey::new(ElementKind::ALL[k], format!("e{n}")))
    };
    let control = (0..8usize, option::of(literal()), option::of(literal()), option::of(transform()), text());
    let control = control.prop_map(|(kind, value, min, offset, shape)| ControlDecl {
        kind: ControlKind::from_word(ControlKind::WORDS[kind]).unwrap(),
        value,
        min,
        offset,
        shape,
        ..ControlDecl::default()
    });
    let space = (option::of(text()), option::of(key()), option::of(0.0..10.0))
        .prop_map(|(name, parent, weight)| SpaceDecl { name, parent, weight });
    (
        key(),
        option::of(key()),
        option::of(transform()),
        option::of(control),
        vec(space, 0..3),
        option::of(number()),
        text(),
    )
        .prop_map(|(key, parent, transform, control, spaces, value, doc)| {
            let is = |k| key.kind == k;
            let curve = is(ElementKind::Curve);
            let decl = ElementDecl {
                parent: parent.filter(|_| !curve),
                transform: transform.filter(|_| !curve),
                control: control.filter(|_| is(ElementKind::Control)),
                spaces: if curve { vec![] } else { spaces },
                value: value.filter(|_| curve),
                doc,
            };
            (key, decl)
        })
        .boxed()
}

fn curve() -> BoxedStrategy<CurveDecl> {
    let key = (number(), number(), 0..3usize, option::of(number()));
    (vec(key, 0..5), 0..4usize, text())
        .prop_map(|(mut keys, before, doc)| {
            keys.sort_by(|a, b| a.0.total_cmp(&b.0));
            keys.dedup_by(|a, b| a.0 == b.0);
            let keys = keys.into_iter().map(|(time, value, i, arrive)| CurveKey {
                time,
                value,
                interpolation: Interpolation::from_word(Interpolation::WORDS[i]).unwrap(),
                arrive,
                leave: None,
            });
            let before = Extrapolation::from_word(Extrapolation::WORDS[before]).unwrap();
            CurveDecl { keys: keys.collect(), before, after: Extrapolation::Hold, doc }
        })
        .boxed()
}

fn variable() -> BoxedStrategy<VariableDecl> {
    (ty(), 0..3usize, option::of(literal()), option::of(number()), option::of(any::<u32>()), text())
        .prop_map(|(ty, role, default, min, capacity, doc)| VariableDecl {
            ty,
            role: Role::from_word(Role::WORDS[role]).unwrap(),
            default,
            min,
            max: None,
            capacity,
            doc,
        })
        .boxed()
}

fn rig() -> BoxedStrategy<Rig> {
    let field =
        (ty(), option::of(literal()), text()).prop_map(|(ty, default, doc)| FieldDecl { ty, default, doc });
    let structs =
        btree_map(name(), btree_map(name(), field, 0..3).prop_map(|fields| StructDecl { fields }), 0..3);
    let values =
        proptest::collection::btree_set(name(), 0..4).prop_map(|s| s.into_iter().rev().collect::<Vec<_>>());
    let layout = btree_map(name(), btree_map(name(), place(), 1..4), 0..3);
    (
        (text(), text()),
        btree_map(name(), vec("[a-z]{1,8}", 1..3), 0..2),
        vec(element(), 0..4),
        btree_map(name(), values, 0..3),
        structs,
        btree_map(name(), curve(), 0..3),
        btree_map(name(), variable(), 0..4),
        btree_map(name(), graph(), 0..4),
        layout,
    )
        .prop_map(|((name, doc), bones, elements, mut enums, structs, curves, variables, graphs, layout)| {
            enums.retain(|n, _| !structs.contains_key(n));
            let elements = elements.into_iter().collect();
            Rig { name, doc, bones, elements, enums, structs, curves, variables, graphs, layout }
        })
        .boxed()
}

fn edit() -> BoxedStrategy<Edit> {
    let ids = || proptest::collection::btree_set(name(), 1..3);
    prop_oneof![
        (name(), name(), node(), option::of(place())).prop_map(|(graph, id, node, place)| Edit::AddNode {
            graph,
            id,
            node,
            place
        }),
        (name(), ids()).prop_map(|(graph, ids)| Edit::Remove { graph, ids }),
        (name(), name(), name()).prop_map(|(graph, from, to)| Edit::RenameNode { graph, from, to }),
        (name(), name(), pin(), option::of(input())).prop_map(|(graph, node, pin, input)| Edit::SetInput {
            graph,
            node,
            pin,
            input
        }),
        (name(), pin_ref(), pin_ref()).prop_map(|(graph, from, to)| Edit::Connect { graph, from, to }),
        (name(), name()).prop_map(|(graph, node)| Edit::DisconnectAll { graph, node }),
        (name(), name(), name(), option::of(name())).prop_map(|(graph, node, pin, target)| Edit::SetExec {
            graph,
            node,
            pin,
            target
        }),
        (name(), btree_map(name(), option::of(place()), 1..3))
            .prop_map(|(graph, places)| Edit::Move { graph, places }),
        (name(), name(), comment(), option::of(place()))
            .prop_map(|(graph, id, comment, place)| Edit::AddComment { graph, id, comment, place }),
        (name(), graph(), btree_map(name(), place(), 0..3))
            .prop_map(|(name, graph, places)| Edit::AddGraph { name, graph, places }),
        (name(), any::<bool>()).prop_map(|(name, with_nodes)| Edit::RemoveGraph { name, with_nodes }),
        (name(), name()).prop_map(|(from, to)| Edit::RenameGraph { from, to }),
        (name(), graph_kind()).prop_map(|(graph, kind)| Edit::SetGraphKind { graph, kind }),
        (name(), variable()).prop_map(|(name, variable)| Edit::AddVariable { name, variable }),
        (name(), any::<bool>()).prop_map(|(name, with_nodes)| Edit::RemoveVariable { name, with_nodes }),
        (name(), name()).prop_map(|(from, to)| Edit::RenameVariable { from, to }),
        (element(), any::<bool>())
            .prop_map(|((key, e), some)| Edit::SetElement { key, element: some.then_some(e) }),
        (name(), curve()).prop_map(|(name, c)| Edit::SetCurve { name, curve: Some(c) }),
    ]
    .boxed()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn any_rig_round_trips(rig in rig()) {
        let text = rig.to_text();
        let read = Rig::parse(text.as_bytes()).map_err(|e| TestCaseError::fail(format!("{e}\n{text}")))?;
        prop_assert_eq!(&read, &rig);
        prop_assert_eq!(read.to_text(), text.clone());
        // And any other JSON writer's form of it reads the same.
        let other = serde_json::from_str::<serde_json::Value>(&text).unwrap();
        prop_assert_eq!(Rig::parse(serde_json::to_string(&other).unwrap().as_bytes()).unwrap(), rig);
    }

    #[test]
    fn any_edits_are_undone_and_redone_to_the_byte(start in rig(), edits in vec(edit(), 1..12)) {
        let mut rig = start;
        let mut history = History::new();
        let mut texts = vec![rig.to_text()];
        for edit in edits {
            let before = rig.clone();
            let steps = history.undo_labels().len();
            match history.apply(&mut rig, edit) {
                Ok(()) if history.undo_labels().len() > steps => texts.push(rig.to_text()),
                Ok(()) => prop_assert_eq!(&rig, &before),
                Err(_) => prop_assert_eq!(&rig, &before),
            }
            prop_assert_eq!(Rig::parse(rig.to_text().as_bytes()), Ok(rig.clone()));
        }
        for text in texts.iter().rev().skip(1) {
            prop_assert!(history.undo(&mut rig).is_some());
            prop_assert_eq!(&rig.to_text(), text);
        }
        prop_assert!(history.undo(&mut rig).is_none());
        for text in texts.iter().skip(1) {
            prop_assert!(history.redo(&mut rig).is_some());
            prop_assert_eq!(&rig.to_text(), text);
        }
    }

    #[test]
    fn any_paste_can_be_made_and_undone(
        source in rig(), mut target in rig(), duplicate in any::<bool>(), keep in any::<bool>()
    ) {
        let variables = if duplicate { PasteVariables::Duplicate } else { PasteVariables::Auto };
        let options = PasteOptions { variables, keep_outside_links: keep, offset: [8.0, 8.0] };
        let before = target.to_text();
        for (name, graph) in &source.graphs {
            let all = graph.nodes.keys().chain(graph.comments.keys()).map(String::as_str);
            let clip = copy(&source, name, all).unwrap();
            prop_assert_eq!(&Clip::parse(clip.to_text().as_bytes()).unwrap(), &clip);
            for into in target.graphs.keys().cloned().collect::<Vec<_>>() {
                let mut history = History::new();
                let (edit, _) = paste(&target, &into, &clip, &options).unwrap();
                if let Err(e) = history.apply(&mut target, edit) {
                    return Err(TestCaseError::fail(e.to_string()));
                }
                prop_assert_eq!(Rig::parse(target.to_text().as_bytes()), Ok(target.clone()));
                history.undo(&mut target);
                prop_assert_eq!(target.to_text(), before.clone());
            }
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(
        edits in vec((any::<prop::sample::Index>(), any::<u8>(), 0..4u8), 1..20)
    ) {
        let mut bytes = full().to_text().into_bytes();
        for (at, byte, how) in edits {
            if bytes.is_empty() {
                break;
            }
            let at = at.index(bytes.len());
            match how {
                0 => bytes[at] = byte,
                1 => bytes.insert(at, b"{}[]\",:0.e-"[byte as usize % 11]),
                2 => { bytes.remove(at); }
                _ => bytes.truncate(at + 1),
            }
        }
        match Rig::parse(&bytes) {
            Ok(rig) => prop_assert_eq!(Rig::parse(rig.to_text().as_bytes()), Ok(rig)),
            Err(e) => prop_assert!(!e.problems.is_empty() && !e.to_string().is_empty()),
        }
    }
}
