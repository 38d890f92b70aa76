//! Arguments of calls that JavaScript tracing recorded: raw and processed profiles, details, search, dump.

use std::sync::Arc;

use flowline::index::samples::arguments::arguments_of;
use flowline::index::search::Query;
use flowline::index::{Arrangement, Index};
use flowline::profile::{CallRef, Implementation, Ns, Profile, ThreadId};
use flowline::session::call_card;
use flowline::view::ViewState;
use serde_json::{Value, json};

use crate::recording::{Recording, instant, read};

/// Version 2; at 6 a mouse event, at 24 the number 0, at 31 `"key-7", true`.
const VALUES: &str = "AgAAABIAAQAAAAwHAAAAAAYAAAABAAcAAQAAABEPAAIAAAAGBQBrZXktNxI=";

/// Samples after each call began or ended: milliseconds and stack.
const SAMPLES: [(f64, &[&str]); 7] = [
    (1.0, &["main"]),
    (2.0, &["main", "press"]),
    (3.0, &["main", "press", "store"]),
    (4.0, &["main", "press"]),
    (5.0, &["main", "press", "store"]),
    (6.0, &["main", "idle"]),
    (7.0, &["main", "lost"]),
];

/// The places of the arguments of the innermost function of each sample.
fn places() -> [Value; 7] {
    [Value::Null, json!(6), json!(31), Value::Null, json!(24), json!(-2), json!(-1)]
}

/// The profile in both forms; `order` is that of its samples.
fn profiles(order: &[usize]) -> [(&'static str, Profile); 2] {
    let mut names: Vec<&str> = Vec::new();
    let (mut prefix, mut frame): (Vec<Value>, Vec<usize>) = (Vec::new(), Vec::new());
    let mut stack_of: Vec<usize> = Vec::new();
    for (_, functions) in &SAMPLES {
        let mut caller = Value::Null;
        for function in *functions {
            let at = names.iter().position(|name| name == function).unwrap_or_else(|| {
                names.push(function);
                names.len() - 1
            });
            prefix.push(caller);
            frame.push(at);
            caller = json!(frame.len() - 1);
        }
        stack_of.push(frame.len() - 1);
    }
    let shapes = json!([["MouseEvent"]]);
    let base = Recording::of(vec![instant("Ready", 1.0)]);
    let mut raw = base.raw();
    let thread = &mut raw["threads"][0];
    let texts: Vec<Value> = std::iter::once(json!("Ready")).chain(names.iter().map(|name| json!(name))).collect();
    thread["stringTable"] = Value::from(texts);
    thread["markers"]["data"] = json!([[0, 1.0, 0, 0, 0]]);
    let rows = order.iter().map(|at| json!([stack_of[*at], SAMPLES[*at].0, places()[*at]])).collect::<Vec<_>>();
    thread["samples"] = json!({"schema": {"stack": 0, "time": 1, "argumentValues": 2}, "data": rows});
    let stacks: Vec<Value> = prefix.iter().zip(&frame).map(|(prefix, frame)| json!([prefix, frame])).collect();
    thread["stackTable"] = json!({"schema": {"prefix": 0, "frame": 1}, "data": stacks});
    let frames: Vec<Value> = (0..names.len()).map(|name| json!([name + 1])).collect();
    thread["frameTable"] = json!({"schema": {"location": 0}, "data": frames});
    thread["tracedValues"] = json!(VALUES);
    thread["tracedObjectShapes"] = shapes.clone();

    let mut processed = base.processed();
    let known = processed["shared"]["stringArray"].as_array().expect("texts").len();
    processed["shared"]["stringArray"].as_array_mut().expect("texts").extend(names.iter().map(|name| json!(name)));
    let numbers: Vec<usize> = (0..names.len()).collect();
    let functions: Vec<usize> = numbers.iter().map(|name| name + known).collect();
    processed["shared"]["stackTable"] = json!({"prefix": prefix, "frame": frame, "length": frame.len()});
    processed["shared"]["frameTable"] = json!({"func": numbers, "length": names.len()});
    processed["shared"]["funcTable"] = json!({"name": functions, "length": names.len()});
    let column = |of: &dyn Fn(usize) -> Value| order.iter().map(|at| of(*at)).collect::<Vec<Value>>();
    let thread = &mut processed["threads"][0];
    thread["samples"] = json!({
        "stack": column(&|at| json!(stack_of[at])),
        "time": column(&|at| json!(SAMPLES[at].0)),
        "argumentValues": column(&|at| places()[at].clone()),
        "length": order.len(),
    });
    thread["tracedValuesBuffer"] = json!(VALUES);
    thread["tracedObjectShapes"] = shapes;
    [("raw", read(&raw)), ("processed", read(&processed))]
}

/// Name and arguments of all calls.
fn calls(index: &Index) -> Vec<(String, Option<String>)> {
    let (profile, thread) = (index.profile(), ThreadId(0));
    let chart = index.charts().showing(Implementation::All).build(thread);
    let calls = chart.calls(profile);
    let text = |call: usize| {
        let name = profile.func_name(profile.stacks.func(calls.stack[call])).to_owned();
        (name, arguments_of(profile, thread, calls, call).map(|own| own.text()))
    };
    (0..calls.len()).map(text).collect()
}

fn index(profile: Profile) -> Index {
    Index::build(Arc::new(profile), Arrangement::Stack)
}

#[test]
fn calls_have_their_arguments_in_both_forms_and_in_any_order_of_samples() {
    let expected = [
        ("main", None),
        ("press", Some("MouseEvent")),
        ("store", Some("\"key-7\", true")),
        ("store", Some("0")),
        ("idle", Some("")),
        ("lost", None),
    ];
    let expected = expected.map(|(name, text)| (name.to_owned(), text.map(str::to_owned)));
    for order in [[0, 1, 2, 3, 4, 5, 6], [3, 6, 0, 5, 1, 4, 2]] {
        for (form, profile) in profiles(&order) {
            assert_eq!(calls(&index(profile)), expected, "{form} {order:?}");
        }
    }
}

#[test]
fn details_list_each_argument() {
    let [(_, profile), _] = profiles(&[0, 1, 2, 3, 4, 5, 6]);
    let index = index(profile);
    index.charts().showing(Implementation::All).build(ThreadId(0));
    let clock = ViewState::new(Arc::clone(index.profile()), index.extent(), 800.0).clock();
    let card = |call| {
        let call = CallRef { thread: ThreadId(0), functions: Implementation::All, call };
        call_card(&index, call, None, clock).expect("a card").to_text()
    };
    let store = card(2);
    for line in ["Arguments: \"key-7\", true", "Argument 1: \"key-7\"", "Argument 2: true"] {
        assert!(store.contains(line), "{line} in {store}");
    }
    assert!(card(1).contains("Arguments: MouseEvent") && !card(1).contains("Argument 1"), "{}", card(1));
    assert!(card(4).contains("Arguments: none"), "{}", card(4));
    assert!(!card(0).contains("Arguments"), "{}", card(0));
}

#[test]
fn a_search_finds_calls_by_name_and_arguments() {
    let query = |text: &str, name: &str, arguments: &[&str]| {
        let arguments: Vec<String> = arguments.iter().map(|text| (*text).to_owned()).collect();
        Query::parse(text).matches_call(name, &arguments)
    };
    assert!(query("mouse", "press", &["MouseEvent"]) && query("press mouse", "press", &["MouseEvent"]));
    assert!(!query("press -mouse", "press", &["MouseEvent"]) && !query("name:mouse", "press", &["MouseEvent"]));
    let [(_, profile), _] = profiles(&[0, 1, 2, 3, 4, 5, 6]);
    let index = index(profile);
    index.charts().showing(Implementation::All).build(ThreadId(0));
    let found = |text: &str| {
        let matching = index.charts().find(&Query::parse(text));
        let (_, rows, _) = matching.rows(ThreadId(0))?;
        let calls = (0..rows.len()).flat_map(|row| rows.row(row).to_vec()).collect::<Vec<_>>();
        Some((matching.has(ThreadId(0)), calls))
    };
    assert_eq!(found("key-7"), Some((true, vec![2])));
    assert_eq!(found("store"), Some((true, vec![2, 3])));
    assert_eq!(found("store -key"), Some((true, vec![3])));
    assert_eq!(found("nothing"), None);
    assert!(index.extent().start <= Ns(2_000_000));
}
