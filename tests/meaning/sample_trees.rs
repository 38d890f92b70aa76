//! Trees of samples, compared with results of the Firefox Profiler for small and for real recordings, if available.

use std::collections::BTreeMap;
use std::sync::Arc;

use flowline::index::samples::{
    CallTree, Cost, FunctionList, Implementation, InvertedTree, Transform, TreeRequest, calls, func_name,
};
use flowline::profile::samples::CallTable;
use flowline::profile::{Ns, Profile, SampleTable, ThreadId, TimeRange};
use serde_json::Value;

use crate::recording::read;
use crate::recording::real::{by_key, list, ns, open, shared, thread_of};

fn tree(profile: &Profile, request: &TreeRequest) -> Arc<CallTree> {
    Arc::new(request.tree(profile, Arc::new(request.nodes(profile))))
}

fn text(value: &Value) -> &str {
    value.as_str().expect("text")
}

/// The most expensive function with a name.
fn func(profile: &Profile, request: &TreeRequest, name: &str) -> u32 {
    let rows = FunctionList::new(&tree(profile, request)).rows;
    rows.iter().find(|row| func_name(&profile.stacks, row.func) == name).unwrap_or_else(|| panic!("no {name}")).func
}

/// Functions on a path of names, starting at the root.
fn path(profile: &Profile, request: &TreeRequest, names: &[Value]) -> Vec<u32> {
    let tree = tree(profile, request);
    let (mut at, mut path) = (None, Vec::new());
    for name in names {
        let named = |node: &u32| func_name(&profile.stacks, tree.nodes.func[*node as usize]) == text(name);
        let child = tree.children(at).into_iter().find(named).unwrap_or_else(|| panic!("no {name} at {path:?}"));
        path.push(tree.nodes.func[child as usize]);
        at = Some(child);
    }
    path
}

fn transform(profile: &Profile, request: &TreeRequest, wanted: &Value) -> Transform {
    let func = || func(profile, request, text(&wanted["function"]));
    let all = TreeRequest { implementation: Implementation::All, ..request.clone() };
    // Paths refer to the displayed tree.
    let path = || path(profile, if wanted["path"].is_array() { request } else { &all }, list(wanted, "path"));
    let implementation = request.implementation;
    match text(&wanted["type"]) {
        "focus-function" => Transform::FocusFunction(func()),
        "merge-function" => Transform::MergeFunction(func()),
        "drop-function" => Transform::DropFunction(func()),
        "collapse-function-subtree" => Transform::CollapseFunctionSubtree(func()),
        "collapse-recursion" => Transform::CollapseRecursion(func()),
        "collapse-direct-recursion" => Transform::CollapseDirectRecursion(func(), implementation),
        "focus-subtree" => Transform::FocusSubtree(path(), implementation),
        "merge-call-node" => Transform::MergeCallNode(path(), implementation),
        other => panic!("unknown transform {other}"),
    }
}

/// The request for one run of a case.
fn request(profile: &Profile, args: &Value, zero: Ns) -> TreeRequest {
    let thread = ThreadId::new(usize::try_from(args["thread"].as_u64().unwrap_or(0)).expect("small"));
    let range = args["range"].as_array().map(|range| {
        let time = |at: usize| zero + ns(&range[at]).expect("a time");
        TimeRange::new(time(0), time(1))
    });
    let mut request = TreeRequest {
        threads: vec![thread],
        range,
        without_idle: args["includeIdle"] == false,
        implementation: match args["impl"].as_str() {
            None => Implementation::All,
            Some("js") => Implementation::Js,
            Some("cpp") => Implementation::Native,
            Some(other) => panic!("unknown implementation {other}"),
        },
        ..TreeRequest::default()
    };
    for wanted in args["transforms"].as_array().into_iter().flatten() {
        let transform = transform(profile, &request, wanted);
        request.transforms.push(transform);
    }
    request.search = args["search"].as_str().unwrap_or_default().to_owned();
    request
}

/// Path, total, self, total time and self time.
type NodeFacts = (Vec<String>, f64, f64, Option<Ns>, Option<Ns>);

fn facts(path: Vec<String>, total: Cost, own: Cost, has_time: bool) -> NodeFacts {
    let time = |cost: Cost| has_time.then_some(cost.time);
    (path, total.weight, own.weight, time(total), time(own))
}

fn expected_facts(node: &Value) -> NodeFacts {
    let path = list(node, "path").iter().map(|name| text(name).to_owned()).collect();
    let number = |key: &str| node[key].as_f64().expect("a number");
    (path, number("total"), number("self"), ns(&node["totalMs"]), ns(&node["selfMs"]))
}

fn names(profile: &Profile, path: &[u32]) -> Vec<String> {
    path.iter().map(|func| func_name(&profile.stacks, *func).to_owned()).collect()
}

/// All nodes in display order.
fn shown(profile: &Profile, request: &TreeRequest, is_inverted: bool) -> Vec<NodeFacts> {
    let (tree, has_time) = (tree(profile, request), request.selection(profile).has_time());
    if !is_inverted {
        let node = |(node, _): (u32, usize)| {
            let at = node as usize;
            facts(names(profile, &tree.nodes.path(node)), tree.total[at], tree.own[at], has_time)
        };
        return tree.walk().map(node).collect();
    }
    let mut inverted = InvertedTree::new(tree);
    let mut pending: Vec<u32> = inverted.children(None).iter().rev().copied().collect();
    let mut found = Vec::new();
    while let Some(node) = pending.pop() {
        let path = names(profile, &inverted.path(node));
        found.push(facts(path, inverted.total(node), inverted.own(node), has_time));
        pending.extend(inverted.children(Some(node)).iter().rev());
    }
    found
}

/// Calls of the samples of a request.
fn chart(profile: &Profile, request: &TreeRequest) -> CallTable {
    let samples = &profile.thread(request.threads[0]).samples.as_ref().expect("samples").cpu;
    let range = request.range.unwrap_or(TimeRange::new(Ns(i64::MIN), Ns(i64::MAX)));
    let within: Vec<usize> =
        (0..samples.len()).filter(|at| range.start <= samples.time[*at] && samples.time[*at] < range.end).collect();
    let time = within.iter().map(|at| samples.time[*at]).collect();
    let part = SampleTable::new(time, within.iter().map(|at| samples.stack[*at]).collect());
    calls::of_nodes(&request.nodes(profile), &part, profile.meta.interval)
}

#[test]
fn cases_match_upstream() {
    let Some(folder) = shared("cases/samples") else { return };
    let mut runs = 0;
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let case: Value = serde_json::from_slice(&std::fs::read(&path).expect("readable")).expect("JSON");
        let profile = read(&case["input"]["profile"]);
        let zero = ns(&case["expected"]["zeroAtMs"]).expect("a time");
        for run in list(&case["expected"], "runs") {
            let place = format!("{} {}", case["id"], run["args"]);
            let request = request(&profile, &run["args"], zero);
            let is_inverted = run["args"]["invert"] == true;
            let found = shown(&profile, &request, is_inverted);
            let expected: Vec<NodeFacts> = list(run, "callTree").iter().map(expected_facts).collect();
            assert_eq!(found, expected, "{place}");
            if !is_inverted {
                let rows = FunctionList::new(&tree(&profile, &request)).rows;
                let found: Vec<(&str, f64, f64)> = rows
                    .iter()
                    .map(|row| (func_name(&profile.stacks, row.func), row.total.weight, row.own.weight))
                    .collect();
                let number = |row: &Value, key: &str| row[key].as_f64().expect("a number");
                let expected: Vec<(&str, f64, f64)> = list(run, "functionList")
                    .iter()
                    .map(|row| (text(&row["name"]), number(row, "total"), number(row, "self")))
                    .collect();
                assert_eq!(found, expected, "{place}: functions");
                same_chart(&profile, &request, list(run, "stackChart"), &place);
            }
            runs += 1;
        }
    }
    assert!(runs > 20, "{runs} runs");
}

/// Name, start, end and depth of a call.
type CallFacts = (String, Ns, Ns, u32);

fn same_chart(profile: &Profile, request: &TreeRequest, expected: &[Value], place: &str) {
    let calls = chart(profile, request);
    // A collapsed function has the name of its node; these transforms keep names here.
    let name = |at: usize| profile.stacks.name(profile.stacks.func(calls.stack[at])).to_owned();
    let mut found: Vec<CallFacts> =
        (0..calls.len()).map(|at| (name(at), calls.start[at], calls.end[at], calls.depth[at])).collect();
    let time = |call: &Value, key: &str| ns(&call[key]).expect("a time");
    let depth = |call: &Value| u32::try_from(call["depth"].as_u64().expect("a depth")).expect("small");
    let mut expected: Vec<CallFacts> = expected
        .iter()
        .map(|call| (text(&call["name"]).to_owned(), time(call, "start"), time(call, "end"), depth(call)))
        .collect();
    found.sort();
    expected.sort();
    assert_eq!(found, expected, "{place}: stack chart");
}

/// True if two nodes are equal. Times since 1970 in milliseconds are exact only to a microsecond.
fn is_same(a: &NodeFacts, b: &NodeFacts) -> bool {
    let near = |a: Option<Ns>, b: Option<Ns>| match (a, b) {
        (Some(a), Some(b)) => (a - b).0.abs() <= 1_000,
        (a, b) => a == b,
    };
    (&a.0, a.1, a.2) == (&b.0, b.1, b.2) && near(a.3, b.3) && near(a.4, b.4)
}

/// Compares the listed nodes and the sums of a real recording's tree.
fn same_tree(profile: &Profile, request: &TreeRequest, expected: &Value, place: &str) {
    let found = shown(profile, request, false);
    assert_eq!(expected["nodeCount"].as_u64(), Some(found.len() as u64), "{place}: nodes");
    let number = |key: &str| expected[key].as_f64().expect("a number");
    assert!((found.iter().map(|node| node.1).sum::<f64>() - number("sumTotal")).abs() < 0.5, "{place}: sum of totals");
    let whole = tree(profile, request).whole;
    assert!((whole.weight - number("rootTotalSummary")).abs() < 0.5, "{place}: {} in total", whole.weight);
    let mut by_path: BTreeMap<Vec<String>, Vec<NodeFacts>> = BTreeMap::new();
    for node in found {
        by_path.entry(node.0.clone()).or_default().push(node);
    }
    let mut path: Vec<String> = Vec::new();
    for node in list(expected, "nodes") {
        path.truncate(usize::try_from(node["depth"].as_u64().expect("a depth")).expect("small"));
        path.push(text(&node["name"]).to_owned());
        let number = |key: &str| node[key].as_f64().expect("a number");
        let wanted: NodeFacts =
            (path.clone(), number("total"), number("self"), ns(&node["totalMs"]), ns(&node["selfMs"]));
        let same = by_path.get(&path).is_some_and(|nodes| nodes.iter().any(|node| is_same(node, &wanted)));
        assert!(same, "{place}: {wanted:?} is missing, there are {:?}", by_path.get(&path));
    }
}

#[test]
fn trees_of_real_recordings_match_upstream() {
    let names = [
        ("firefox-1s", "firefox-153-raw-1s.json.gz"),
        ("firefox-1s", "firefox-153-processed-1s.json.gz"),
        ("vernier-gvl_sleep", "vernier-gvl_sleep.json"),
        ("jfrtofp-flight_marker_track", "jfrtofp-flight_marker_track.json.gz"),
    ];
    for (name, file) in names {
        let paths =
            shared(&format!("cases/real/{name}-samples.expected.json")).zip(shared(&format!("profiles/{file}")));
        let Some((facts, path)) = paths else { continue };
        let facts: Value = serde_json::from_slice(&std::fs::read(facts).expect("readable")).expect("JSON");
        let profile = open(&path).expect("readable");
        let keys = by_key(&profile);
        for busy in list(&facts, "busiest") {
            same_thread(&profile, thread_of(&keys, &busy["key"]), busy, &facts, file);
        }
    }
}

fn same_thread(profile: &Profile, thread: ThreadId, busy: &Value, facts: &Value, file: &str) {
    let place = |what: &str| format!("{file} {} {what}", busy["key"]);
    let whole = TreeRequest { threads: vec![thread], ..TreeRequest::default() };
    same_tree(profile, &whole, &busy["callTree"], &place("tree"));
    let part = &facts["middleFifth"]["inputClockMs"];
    let time = |at: usize| ns(&part[at]).expect("a time");
    let range = Some(TimeRange::new(time(0), time(1)));
    same_tree(profile, &TreeRequest { range, ..whole.clone() }, &busy["callTreeRange"], &place("range"));
    for (key, implementation) in [("callTree_js", Implementation::Js), ("callTree_cpp", Implementation::Native)] {
        same_tree(profile, &TreeRequest { implementation, ..whole.clone() }, &busy[key], &place(key));
    }
    let without_idle = TreeRequest { without_idle: true, ..whole.clone() };
    let rest = tree(profile, &without_idle).whole.weight;
    assert!((rest - busy["withoutIdle"]["rootTotalSummary"].as_f64().expect("a number")).abs() < 0.5);
    for search in list(busy, "searches") {
        let request = TreeRequest { search: text(&search["search"]).to_owned(), ..whole.clone() };
        same_tree(profile, &request, search, &place(&request.search));
    }
    for wanted in
        list(busy, "transforms").iter().filter(|wanted| !wanted["function"].is_null() || wanted["path"].is_array())
    {
        let transform = transform(profile, &whole, wanted);
        let request = TreeRequest { transforms: vec![transform], ..whole.clone() };
        same_tree(profile, &request, wanted, &place(text(&wanted["type"])));
    }
    let rows = FunctionList::new(&tree(profile, &whole)).rows;
    let expected = &busy["functionList"];
    assert_eq!(expected["functions"].as_u64(), Some(rows.len() as u64), "{}", place("functions"));
    for row in list(expected, "heaviest") {
        let number = |key: &str| row[key].as_f64().expect("a number");
        let is_same = |found: &&flowline::index::samples::FunctionRow| {
            func_name(&profile.stacks, found.func) == text(&row["name"])
                && (found.total.weight, found.own.weight) == (number("total"), number("self"))
        };
        assert!(rows.iter().any(|found| is_same(&found)), "{}: {row}", place("functions"));
    }
    let mut inverted = InvertedTree::new(tree(profile, &whole));
    let roots = inverted.children(None).to_vec();
    assert_eq!(busy["inverted"]["roots"].as_u64(), Some(roots.len() as u64), "{}", place("inverted"));
    for (root, expected) in roots.iter().zip(list(&busy["inverted"], "heaviest")) {
        let total = expected["total"].as_f64().expect("a number");
        assert!((inverted.total(*root).weight - total).abs() < 0.5, "{}: {expected}", place("inverted"));
    }
    let expected = &busy["stackChart"];
    let calls = chart(profile, &whole);
    assert_eq!(expected["boxes"].as_u64(), Some(calls.len() as u64), "{}", place("stack chart"));
    for depth in list(expected, "depths") {
        let wanted = u32::try_from(depth["depth"].as_u64().expect("a depth")).expect("small");
        let lengths: Vec<i64> = (0..calls.len())
            .filter(|at| calls.depth[*at] == wanted)
            .map(|at| (calls.end[at] - calls.start[at]).0)
            .collect();
        assert_eq!(depth["boxes"].as_u64(), Some(lengths.len() as u64), "{}", place("boxes"));
        let sum = ns(&depth["sumMs"]).expect("a time").0;
        assert!((lengths.iter().sum::<i64>() - sum).abs() <= 1_000, "{}: {depth}", place("boxes"));
    }
    for wanted in list(expected, "randomBoxes") {
        let depth = u32::try_from(wanted["depth"].as_u64().expect("a depth")).expect("small");
        let is_same = |at: usize| {
            calls.depth[at] == depth
                && profile.stacks.name(profile.stacks.func(calls.stack[at])) == text(&wanted["name"])
                && ns(&wanted["start"]).is_some_and(|start| (start - calls.start[at]).0.abs() <= 1_000)
                && ns(&wanted["end"]).is_some_and(|end| (end - calls.end[at]).0.abs() <= 1_000)
        };
        assert!((0..calls.len()).any(is_same), "{}: {wanted}", place("box"));
    }
}
