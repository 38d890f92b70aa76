//! Trees of trace events and calls, and asynchronous stacks: a small trace with known results, and comparison with the
//! engine of Chrome DevTools on real recordings, if available.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;
use std::sync::Arc;

use flowline::index::samples::entries::{EntrySet, default_entries};
use flowline::index::samples::{CallTree, Cost, Grouping, Groups, InvertedTree, Measure, TreeRequest, groups_of};
use flowline::index::{Arrangement, Index, StackTarget};
use flowline::profile::{CallRef, FuncId, Implementation, LocalMarker, Ns, Profile, ThreadId, TimeRange};
use serde_json::Value;

use crate::recording::read;
use crate::recording::real::{list, open, shared};

/// The engine computes in floating-point milliseconds.
const TOLERANCE: i64 = 5000;

/// A path in a tree with its total, self time and number of entries.
type Row = (Vec<String>, [i64; 2], u64);

fn request(thread: ThreadId, set: EntrySet, range: Option<TimeRange>, grouping: Grouping) -> TreeRequest {
    let (entries, measure) = (Some(set), Measure::Time);
    TreeRequest { threads: vec![thread], entries, range, measure, grouping, ..TreeRequest::default() }
}

/// Name of a function or event in the engine's spelling.
fn name(profile: &Profile, func: u32) -> String {
    profile.func_name(FuncId(func)).to_owned()
}

/// All rows of a tree. Groups are the first part of each path.
fn rows(profile: &Profile, request: &TreeRequest, inverted: bool) -> Vec<Row> {
    let tree = Arc::new(request.tree(profile, Arc::new(request.nodes(profile))));
    let groups = Groups::new(profile, request.grouping, &tree);
    let mut rows = Vec::new();
    let numbers = |[total, own]: [Cost; 2]| ([total.time.0, own.time.0], own.samples);
    let mut add = |path: &[String], costs: [Cost; 2]| {
        let (times, count) = numbers(costs);
        rows.push((path.to_vec(), times, count));
    };
    if inverted {
        let mut inverted = InvertedTree::grouped(Arc::clone(&tree), groups.as_ref());
        let roots = inverted.children(None).to_vec();
        let of = |inverted: &InvertedTree, node| [inverted.total(node), inverted.own(node)];
        let mut pending: Vec<(u32, Vec<String>)> = match &groups {
            None => roots.iter().map(|root| (*root, Vec::new())).collect(),
            Some(groups) => {
                let nodes = roots.iter().map(|root| (*root, inverted.group(*root), of(&inverted, *root)));
                let mut pending = Vec::new();
                for group in groups_of(nodes, Measure::Time) {
                    let above = vec![groups.name(group.group).to_owned()];
                    add(&above, [group.own, group.own]);
                    pending.extend(group.nodes.iter().map(|node| (*node, above.clone())));
                }
                pending
            }
        };
        while let Some((node, mut path)) = pending.pop() {
            path.push(name(profile, inverted.func(node)));
            add(&path, of(&inverted, node));
            if path.len() < 9 {
                pending.extend(inverted.children(Some(node)).iter().map(|child| (*child, path.clone())));
            }
        }
        return rows;
    }
    let of = |node: u32| [tree.total[node as usize], tree.own[node as usize]];
    let mut pending: Vec<(u32, Vec<String>)> = match &groups {
        None => tree.children(None).into_iter().map(|root| (root, Vec::new())).collect(),
        Some(groups) => {
            let roots = tree.children(None).into_iter();
            let nodes = roots.map(|root| (root, groups.of_root(&tree.nodes, root), of(root)));
            let mut pending = Vec::new();
            for group in groups_of(nodes, Measure::Time) {
                let above = vec![groups.name(group.group).to_owned()];
                add(&above, [group.total, group.own]);
                pending.extend(group.nodes.iter().map(|node| (*node, above.clone())));
            }
            pending
        }
    };
    while let Some((node, mut path)) = pending.pop() {
        path.push(name(profile, tree.nodes.func[node as usize]));
        add(&path, of(node));
        pending.extend(tree.children(Some(node)).into_iter().map(|child| (child, path.clone())));
    }
    rows
}

/// Name of a path step in the facts.
fn expected_name(step: &Value) -> String {
    let text = |key: &str| step[key].as_str().unwrap_or_default().to_owned();
    match (step.get("group"), step["name"].as_str()) {
        (Some(group), _) => group.as_str().unwrap_or_default().to_owned(),
        (None, Some("ProfileCall")) if text("functionName").is_empty() => "(anonymous)".to_owned(),
        (None, Some("ProfileCall")) => text("functionName"),
        (None, name) => name.unwrap_or_default().to_owned(),
    }
}

/// A number as text, without reformatting.
fn text(number: &Value) -> String {
    number.to_string()
}

fn ns(ms: &Value) -> i64 {
    Ns::from_ms(ms.as_f64().expect("a number")).expect("in range").0
}

/// Rows without their groups, and the sums of those with equal paths.
fn without_groups(rows: Vec<Row>) -> Vec<Row> {
    let rows = rows.into_iter().filter(|(path, ..)| path.len() > 1);
    let mut rows: Vec<Row> = rows.map(|(path, times, count)| (path[1..].to_vec(), times, count)).collect();
    let mut sums: BTreeMap<Vec<String>, ([i64; 2], u64)> = BTreeMap::new();
    for (path, [total, own], count) in &rows {
        let (times, counted) = sums.entry(path.clone()).or_default();
        *times = [times[0] + total, times[1] + own];
        *counted += count;
    }
    rows.extend(sums.into_iter().map(|(path, (times, count))| (path, times, count)));
    rows
}

/// Facts about the same: those about groups are left out.
fn facts_without_groups(facts: &[Value]) -> Vec<Value> {
    let mut kept: Vec<Value> = facts.iter().filter(|fact| list(fact, "path").len() > 1).cloned().collect();
    kept.iter_mut().for_each(|fact| fact["path"] = list(fact, "path")[1..].into());
    kept
}

/// Facts without a matching row. Functions with equal names produce several rows with the same path.
///
/// `callers` marks the rows of a bottom-up tree. The engine measures the total of a caller from the last end that it
/// counted, so recursion loses the time before that. Flowline counts all of it.
fn missing(rows: &[Row], facts: &[Value], counts: bool, callers: bool) -> Vec<String> {
    let mut of_path: HashMap<&[String], Vec<&Row>> = HashMap::new();
    for row in rows {
        of_path.entry(&row.0).or_default().push(row);
    }
    let mut missing = Vec::new();
    for fact in facts {
        let path: Vec<String> = list(fact, "path").iter().map(expected_name).collect();
        let wanted = [ns(&fact["total_ms"]), ns(&fact["self_ms"])];
        let found = of_path.get(path.as_slice()).map_or(&[][..], Vec::as_slice);
        let count = fact["count"].as_u64().filter(|_| counts && found.len() == 1);
        // The engine starts a range at its last task, so surrounding entries are missing there.
        let near = |found: i64, other: i64| (found - other).abs() <= TOLERANCE.max(wanted[0] / 500);
        let is_it = |row: &&&Row| {
            let is_total = near(row.1[0], wanted[0]) || (callers && path.len() > 1 && row.1[0] > wanted[0]);
            is_total && near(row.1[1], wanted[1]) && count.is_none_or(|count| count == row.2)
        };
        // Entries shorter than the engine's precision are optional.
        let is_nothing = found.is_empty() && wanted[0] <= 20_000;
        if !found.iter().any(|row| is_it(&row)) && !is_nothing {
            missing.push(format!("{path:?}: expected {wanted:?} {count:?}, found {found:?}"));
        }
    }
    missing
}

fn facts_of(file: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(file).expect("readable")).expect("JSON")
}

fn compare_trees(file: &Path, facts: &Path) {
    let (profile, facts) = (open(file).expect("readable"), facts_of(facts));
    let main = &facts["main"];
    let is_main =
        |id: &ThreadId, tid: &str| profile.process_of(*id).pid == text(&main["pid"]) && tid == text(&main["tid"]);
    let found = profile.threads_with_ids().find(|(id, thread)| is_main(id, &thread.tid) && thread.samples.is_some());
    let Some((thread, _)) = found else { panic!("{}: no main thread", file.display()) };
    assert_eq!(default_entries(&profile, &[thread]), Some(EntrySet::Shown));
    let mut compared = 0;
    for (range_name, range_facts) in facts["trees"]["ranges"].as_object().expect("ranges") {
        let time = |key: &str| Ns::from_ms(range_facts[key].as_f64().expect("a time") / 1000.0).expect("in range");
        let range = TimeRange::new(time("start_us"), time("end_us"));
        for (variant, set) in [("devtools", EntrySet::Shown), ("all", EntrySet::All), ("calls", EntrySet::Calls)] {
            let Some(variant_facts) = range_facts[variant].as_object() else { continue };
            // The engine starts a range at its last task and omits the surrounding entries.
            if variant == "all" && range_name != "whole" {
                continue;
            }
            for (grouping, suffix) in
                [(Grouping::None, ""), (Grouping::File, "By_url"), (Grouping::Category, "By_category")]
            {
                for (inverted, kind) in [(false, "topDown"), (true, "bottomUp")] {
                    let Some(facts) = variant_facts.get(&format!("{kind}{suffix}")) else { continue };
                    let facts = facts.as_array().map_or_else(|| list(facts, "nodes"), Vec::as_slice);
                    let rows = rows(&profile, &request(thread, set, Some(range), grouping), inverted);
                    // The engine puts all events of a name in the group of the first one, and built-in functions in none;
                    // `work_totals` checks the groups.
                    let has_other_groups = inverted && grouping == Grouping::File;
                    let (rows, facts) = match has_other_groups {
                        true => (without_groups(rows), facts_without_groups(facts)),
                        false => (rows, facts.to_vec()),
                    };
                    let facts = facts.as_slice();
                    let missing = missing(&rows, facts, !inverted && grouping == Grouping::None, inverted);
                    assert!(
                        missing.is_empty(),
                        "{} {range_name} {variant} {kind}{suffix}: {} of {}: {missing:#?}",
                        file.display(),
                        missing.len(),
                        facts.len()
                    );
                    compared += facts.len();
                }
            }
        }
    }
    assert!(compared > 0, "{}", file.display());
}

#[test]
fn trees_of_real_recordings_match_devtools() {
    let names = [
        "chrome-65-simple.cpuprofile",
        "chrome-69-simple.json",
        "chromium-156-2s.json",
        "devtools-web-dev.json",
        "rec-a-annotated.json",
    ];
    for name in names {
        let facts = format!("cases/real/{}-devtools.expected.json", name.split('.').next().unwrap_or_default());
        if let Some((file, facts)) = shared(&format!("traces/{name}.gz")).zip(shared(&facts)) {
            compare_trees(&file, &facts);
        }
    }
}

#[test]
fn asynchronous_stacks_of_a_real_recording_match_devtools() {
    let facts = shared("cases/real/rec-a-annotated-devtools.expected.json");
    let Some((file, facts)) = shared("traces/rec-a-annotated.json.gz").zip(facts) else { return };
    let facts = facts_of(&facts);
    let index = Index::build(Arc::new(open(&file).expect("readable")), Arrangement::Stack);
    let profile = index.profile();
    let examples = list(&facts["asyncJSCalls"], "examples");
    for example in examples {
        let is_thread = |(id, tid): (ThreadId, &str)| {
            profile.process_of(id).pid == text(&example["pid"]) && tid == text(&example["tid"])
        };
        let thread = profile.threads_with_ids().find(|(id, thread)| is_thread((*id, &thread.tid))).expect("known").0;
        let calls = profile.samples(thread).and_then(|samples| samples.calls.as_ref()).expect("calls");
        let start = ns(&example["call"]["ts_us"]) / 1000;
        let wanted = example["call"]["functionName"].as_str().expect("a name");
        let is_it = |call: &usize| {
            let own = profile.func_name(profile.stacks.func(calls.stack[*call]));
            (calls.start[*call].0 - start).abs() <= 2000 && own == wanted
        };
        let call = (0..calls.len()).find(is_it).expect("the call exists");
        let call = CallRef { thread, functions: Implementation::All, call: u32::try_from(call).expect("few") };
        let parts = index.async_stack(StackTarget::Call(call));
        let found: Vec<(&str, Vec<&str>)> = parts
            .iter()
            .map(|part| (part.title.as_str(), part.frames.iter().map(|frame| frame.name.as_str()).collect()))
            .collect();
        let name = |frame: &Value| match frame["functionName"].as_str().unwrap_or_default() {
            "" => "(anonymous)".to_owned(),
            name => name.to_owned(),
        };
        let expected: Vec<(&str, Vec<String>)> = list(example, "stack")
            .iter()
            .map(|part| {
                let frames = list(part, "frames").iter().map(name).collect();
                (part["description"].as_str().unwrap_or_default(), frames)
            })
            .collect();
        assert!(
            found.len() == expected.len()
                && found.iter().zip(&expected).all(|(a, b)| a.0 == b.0 && a.1.iter().eq(b.1.iter())),
            "{wanted} at {start}: expected {expected:?}, found {found:?}"
        );
    }
    assert!(examples.len() > 20);
}

/// A page that sets a timer, which runs `later`, while `Layout` takes part of the time.
const TRACE: &str = r#"[{"ph":"I","name":"TracingStartedInBrowser","cat":"d","pid":1,"tid":1,"ts":1,"s":"t"},
{"ph":"X","name":"RunTask","cat":"d","pid":1,"tid":9,"ts":1000,"dur":400},
{"ph":"X","name":"EvaluateScript","cat":"d","pid":1,"tid":9,"ts":1010,"dur":300,"args":{"data":{"url":"a.js"}}},
{"ph":"X","name":"v8::Debugger::AsyncTaskScheduled","cat":"v","pid":1,"tid":9,"ts":1150,"dur":4,"args":{"taskName":"setTimeout"}},
{"ph":"s","name":"task","cat":"v","id":7,"pid":1,"tid":9,"ts":1150},
{"ph":"X","name":"RunTask","cat":"d","pid":1,"tid":9,"ts":2000,"dur":500},
{"ph":"X","name":"v8::Debugger::AsyncTaskRun","cat":"v","pid":1,"tid":9,"ts":2010,"dur":480},
{"ph":"f","name":"task","cat":"v","id":7,"pid":1,"tid":9,"ts":2010,"bp":"e"},
{"ph":"X","name":"FunctionCall","cat":"d","pid":1,"tid":9,"ts":2020,"dur":460,"args":{"data":{"url":"b.js"}}},
{"ph":"X","name":"Layout","cat":"d","pid":1,"tid":9,"ts":2200,"dur":100,"args":{}},
{"ph":"P","name":"Profile","cat":"d","pid":1,"tid":9,"ts":1000,"id":1},
{"ph":"P","name":"ProfileChunk","cat":"d","pid":1,"tid":5,"ts":1,"id":1,"args":{"data":{"timeDeltas":[100,100,60,800,100,100,100,140],
"cpuProfile":{"samples":[2,2,1,3,3,3,3,1],"nodes":[{"id":1,"callFrame":{"functionName":"(root)"}},
{"id":2,"parent":1,"callFrame":{"functionName":"ask","url":"a.js","scriptId":"4","lineNumber":0,"columnNumber":7}},
{"id":3,"parent":1,"callFrame":{"functionName":"later","url":"b.js","scriptId":"5","lineNumber":2,"columnNumber":1}}]}}}}]"#;

fn small() -> (Index, ThreadId) {
    let profile = read(&serde_json::from_str(TRACE).expect("JSON"));
    let thread = profile.threads_with_ids().find(|(_, thread)| thread.samples.is_some()).expect("sampled").0;
    (Index::build(Arc::new(profile), Arrangement::Stack), thread)
}

#[test]
fn events_and_calls_form_one_tree() {
    let (index, thread) = small();
    let profile = index.profile();
    let rows_of = |set, grouping, inverted| {
        let mut rows = rows(profile, &request(thread, set, None, grouping), inverted);
        rows.sort();
        rows.into_iter().map(|(path, times, _)| (path.join(" > "), times.map(|time| time / 1000))).collect::<Vec<_>>()
    };
    let expected = [
        ("EvaluateScript", [300, 140]),
        ("EvaluateScript > ask", [160, 160]),
        ("FunctionCall", [460, 40]),
        ("FunctionCall > later", [420, 320]),
        ("FunctionCall > later > Layout", [100, 100]),
    ]
    .map(|(path, times)| (path.to_owned(), times));
    assert_eq!(rows_of(EntrySet::Shown, Grouping::None, false), expected);
    let by_file = rows_of(EntrySet::Shown, Grouping::File, true);
    let groups: Vec<_> = by_file.iter().filter(|(path, _)| !path.contains(" > ")).collect();
    let expected = [("", [100, 100]), ("a.js", [300, 300]), ("b.js", [360, 360])];
    assert_eq!(groups.len(), 3, "{by_file:?}");
    for (path, times) in expected {
        assert!(groups.iter().any(|group| group.0 == path && group.1 == times), "{path}: {groups:?}");
    }
    let all = rows_of(EntrySet::All, Grouping::None, false);
    assert!(all.iter().any(|(path, times)| path == "RunTask > EvaluateScript" && times[0] == 300), "{all:?}");
    let calls = rows_of(EntrySet::Calls, Grouping::None, false);
    assert_eq!(calls, [("ask".to_owned(), [160, 160]), ("later".to_owned(), [420, 420])]);
}

#[test]
fn the_total_of_an_entry_tree_is_the_range() {
    let (index, thread) = small();
    let range = TimeRange::new(Ns(1_000_000), Ns(3_000_000));
    let request = request(thread, EntrySet::Shown, Some(range), Grouping::None);
    let tree: CallTree = request.tree(index.profile(), Arc::new(request.nodes(index.profile())));
    assert_eq!(tree.whole.time, Ns(2_000_000));
    assert!(tree.first_entry.iter().all(|entry| *entry != u32::MAX));
}

#[test]
fn an_async_stack_continues_where_the_task_was_scheduled() {
    let (index, thread) = small();
    let profile = index.profile();
    let calls = profile.samples(thread).and_then(|samples| samples.calls.as_ref()).expect("calls");
    let later = (0..calls.len()).find(|call| profile.func_name(profile.stacks.func(calls.stack[*call])) == "later");
    let call =
        CallRef { thread, functions: Implementation::All, call: u32::try_from(later.expect("called")).expect("few") };
    let shown = |of: StackTarget| -> Vec<String> {
        let text = |part: flowline::profile::stack::StackTrace| {
            let frames: Vec<String> = part.frames.into_iter().map(|frame| frame.name).collect();
            format!("{}: {}", part.title, frames.join(", "))
        };
        index.async_stack(of).into_iter().map(text).collect()
    };
    assert_eq!(shown(StackTarget::Call(call)), [": later", "setTimeout: ask"]);
    let marker = |name: &str| {
        let markers = &profile.thread(thread).markers;
        let is_it = |marker: &LocalMarker| profile.strings.get(markers.name(*marker)) == name;
        let local = (0..markers.len()).map(LocalMarker::new).find(is_it).expect("there");
        StackTarget::Marker(profile.thread(thread).global(local))
    };
    assert_eq!(shown(marker("Layout")), [": later", "setTimeout: ask"], "the stack that forced the layout");
    assert_eq!(shown(marker("EvaluateScript")), [": "]);
}
