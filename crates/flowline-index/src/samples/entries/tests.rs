//! Compares entries with a naive reference that examines every nanosecond.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::entry_log::EntryLog;
use super::*;
use crate::samples::trees::{CallTree, InvertedTree, Measure, NodeId, TreeRequest};
use flowline_profile::samples::CallTable;
use flowline_profile::samples::{FuncFlags, NONE};
use flowline_profile::{
    CategoryId, Marker, MarkerFlags, MarkerTable, PayloadRef, StackTablesBuilder, Thread, ThreadSamples,
};
use flowline_profile::{Ns, Profile, ThreadId, TimeRange};

const END: i64 = 60;

/// Events, of which `Paint` and `Layout` are visible in recordings of browsers, and functions.
const EVENTS: [&str; 4] = ["RunTask", "Internal", "Paint", "Layout"];
const FUNCS: [&str; 3] = ["f", "g", "Paint"];

/// Events and calls as (start, end, true for a call, name). Some overlap others partially, some have zero length.
type Item = (i64, i64, bool, usize);

fn random_items(random: &mut fastrand::Rng) -> Vec<Item> {
    let item = |random: &mut fastrand::Rng| {
        let start = random.i64(0..END);
        let is_call = random.bool();
        let name = random.usize(..if is_call { FUNCS.len() } else { EVENTS.len() });
        (start, (start + random.i64(0..25)).min(END), is_call, name)
    };
    (0..random.usize(..25)).map(|_| item(random)).collect()
}

fn profile_of(items: &[Item]) -> Profile {
    let mut profile = Profile::default();
    profile.meta.capabilities.trees_of_entries = true;
    let mut builder = StackTablesBuilder::default();
    let funcs = FUNCS.map(|name| builder.named_stack([name]).expect("a frame"));
    profile.stacks = builder.finish();
    profile.strings.intern("TracingStartedInBrowser");
    let names = EVENTS.map(|name| {
        profile.stacks.push_event(name, CategoryId(0));
        profile.strings.intern(name)
    });
    let marker = |(start, end, _, name): &Item| Marker {
        start: Ns(*start),
        end: Ns(*end),
        name: names[*name],
        category: CategoryId(0),
        kind: None,
        flags: MarkerFlags::STACK_BASED,
        payload: PayloadRef::NONE,
        begin: PayloadRef::NONE,
        supplement: None,
    };
    let markers = MarkerTable::build(items.iter().filter(|item| !item.2).map(marker).collect());
    let mut list: Vec<&Item> = items.iter().filter(|item| item.2).collect();
    list.sort_by_key(|(start, end, ..)| (*start, Reverse(*end)));
    let mut calls = CallTable::default();
    for (start, end, _, name) in list {
        calls.push([Ns(*start), Ns(*end)], funcs[*name], 0, NONE);
    }
    let samples = Some(Box::new(ThreadSamples { calls: Some(calls), ..ThreadSamples::default() }));
    profile.threads = vec![Thread { markers, samples, ..Thread::default() }];
    profile
}

/// Names of the entries around each nanosecond, outermost first; names of calls end with `()`.
fn naive(items: &[Item], set: EntrySet) -> Vec<Vec<String>> {
    let mut sorted: Vec<&Item> = items.iter().filter(|item| item.1 > item.0).collect();
    // Equal extents: calls come before events.
    sorted.sort_by_key(|(start, end, is_call, _)| (*start, Reverse(*end), !is_call));
    let mut kept: Vec<&Item> = Vec::new();
    for item in sorted {
        let around = kept.iter().rfind(|around| around.1 > item.0);
        if around.is_none_or(|around| around.1 >= item.1) {
            kept.push(item);
        }
    }
    let is_shown = |item: &Item| match set {
        EntrySet::Calls => item.2,
        EntrySet::All => true,
        EntrySet::Shown => item.2 || item.3 >= 2,
    };
    let name = |item: &Item| if item.2 { format!("{}()", FUNCS[item.3]) } else { EVENTS[item.3].to_owned() };
    let at = |time: i64| {
        let around = kept.iter().filter(|item| item.0 <= time && time < item.1 && is_shown(item));
        around.map(|item| name(item)).collect()
    };
    (0..END).map(at).collect()
}

fn name(profile: &Profile, func: u32) -> String {
    let text = profile.stacks.name(flowline_profile::FuncId(func));
    let is_event = profile.stacks.funcs[func as usize].flags.has(FuncFlags::IS_EVENT);
    if is_event { text.to_owned() } else { format!("{text}()") }
}

fn tree_of(profile: &Profile, set: EntrySet, range: Option<TimeRange>) -> CallTree {
    let entries = Some(set);
    let request =
        TreeRequest { threads: vec![ThreadId(0)], entries, range, measure: Measure::Time, ..TreeRequest::default() };
    request.tree(profile, Arc::new(request.nodes(profile)))
}

fn for_random(mut check: impl FnMut(u64, &[Item], &Profile, EntrySet, Option<TimeRange>)) {
    let mut random = fastrand::Rng::with_seed(4);
    for round in 0..800 {
        let items = random_items(&mut random);
        let profile = profile_of(&items);
        let set = [EntrySet::Shown, EntrySet::All, EntrySet::Calls][random.usize(..3)];
        let start = random.i64(0..END);
        let range = random.bool().then(|| TimeRange { start: Ns(start), end: Ns(random.i64(start..=END)) });
        if has_entries(&profile, ThreadId(0)) {
            check(round, &items, &profile, set, range);
        }
    }
}

/// Nanoseconds of a range.
fn ticks(range: Option<TimeRange>) -> std::ops::Range<usize> {
    let (start, end) = range.map_or((0, END), |range| (range.start.0, range.end.0));
    usize::try_from(start).expect("small")..usize::try_from(end).expect("small")
}

#[test]
fn each_nanosecond_belongs_to_the_innermost_visible_entry() {
    for_random(|round, items, profile, set, range| {
        let around = naive(items, set);
        let mut expected: BTreeMap<Vec<String>, i64> = BTreeMap::new();
        for path in ticks(range).map(|at| &around[at]).filter(|path| !path.is_empty()) {
            *expected.entry(path.clone()).or_default() += 1;
        }
        let tree = tree_of(profile, set, range);
        let mut found = BTreeMap::new();
        for node in 0..u32::try_from(tree.nodes.len()).expect("few") {
            let path: Vec<String> = tree.nodes.path(node).into_iter().map(|func| name(profile, func)).collect();
            let (own, total) = (tree.own[node as usize].time.0, tree.total[node as usize].time.0);
            let below = around[ticks(range)].iter().filter(|other| other.starts_with(&path)).count();
            assert_eq!(usize::try_from(total), Ok(below), "{round}: total of {path:?}");
            if own != 0 {
                found.insert(path, own);
            }
        }
        assert_eq!(found, expected, "{round}");
    });
}

#[test]
fn the_bottom_up_tree_counts_each_nanosecond_of_a_function_once() {
    for_random(|round, items, profile, set, range| {
        let around = naive(items, set);
        let mut tree = InvertedTree::new(Arc::new(tree_of(profile, set, range)));
        for root in tree.children(None).to_vec() {
            let own_name = name(profile, tree.func(root));
            let count = |has: &dyn Fn(&Vec<String>) -> bool| {
                i64::try_from(around[ticks(range)].iter().filter(|path| has(path)).count()).expect("few")
            };
            assert_eq!(tree.total(root).time.0, count(&|path| path.contains(&own_name)), "{round}: {own_name}");
            assert_eq!(tree.own(root).time.0, count(&|path| path.last() == Some(&own_name)), "{round}: {own_name}");
            for caller in tree.children(Some(root)).to_vec() {
                let pair = [name(profile, tree.func(caller)), own_name.clone()];
                let total = count(&|path| path.windows(2).any(|two| two == pair));
                assert_eq!(tree.total(caller).time.0, total, "{round}: {pair:?}");
                assert_eq!(tree.own(caller).time.0, count(&|path| path.ends_with(&pair)), "{round}: {pair:?}");
            }
        }
        let names: BTreeSet<&String> = around[ticks(range)].iter().filter_map(|path| path.last()).collect();
        assert_eq!(tree.children(None).len(), names.len(), "{round}: only functions with self time");
    });
}

#[test]
fn the_log_lists_all_entries_of_a_range_nested() {
    for_random(|round, _, profile, set, range| {
        let tree = tree_of(profile, set, range);
        let costs = tree.nodes.entries.as_ref().expect("entries").costs(range);
        let log = EntryLog::new(&tree.nodes, range, Ns(0)).expect("entries");
        assert_eq!(log.len(), costs.count, "{round}");
        let mut pending: Vec<Option<u32>> = vec![None];
        let mut seen: Vec<u32> = Vec::new();
        while let Some(at) = pending.pop() {
            let inside: Vec<u32> = log.inside(at).collect();
            assert!(inside.iter().all(|own| log.around(*own) == at), "{round}");
            assert!(at.is_none_or(|at| log.has_inside(at) != inside.is_empty()), "{round}");
            if let Some(at) = at {
                let sum: i64 = inside.iter().map(|own| log.times(*own)[0].0).sum();
                assert_eq!(log.times(at)[1].0, log.times(at)[0].0 - sum, "{round}");
            }
            pending.extend(inside.iter().map(|own| Some(*own)));
            seen.extend(inside);
        }
        seen.sort_unstable();
        assert!(seen.iter().copied().eq(0..u32::try_from(log.len()).expect("few")), "{round}: each once");
        let long = EntryLog::new(&tree.nodes, range, Ns(7)).expect("entries");
        let expected = (0..u32::try_from(log.len()).expect("few")).filter(|at| log.times(*at)[0] >= Ns(7)).count();
        assert_eq!(long.len(), expected, "{round}");
    });
}

#[test]
fn transforms_and_filters_work_on_events() {
    let items =
        [(0, 50, false, 0), (5, 40, false, 2), (10, 30, true, 0), (12, 20, false, 3), (32, 36, false, 1)].to_vec();
    let profile = profile_of(&items);
    let shown = |tree: &CallTree| -> Vec<(Vec<String>, i64)> {
        let path = |node: NodeId| tree.nodes.path(node).into_iter().map(|func| name(&profile, func)).collect();
        tree.walk().map(|(node, _)| (path(node), tree.total[node as usize].time.0)).collect()
    };
    let names = |names: &[&str]| names.iter().map(ToString::to_string).collect::<Vec<_>>();
    let all = tree_of(&profile, EntrySet::Shown, None);
    let expected = [(names(&["Paint"]), 35), (names(&["Paint", "f()"]), 20), (names(&["Paint", "f()", "Layout"]), 8)];
    assert_eq!(shown(&all), expected);
    assert_eq!(all.whole.time, Ns(35), "without a range, the whole is the time from the first entry to the last");
    let func = |wanted: &str| {
        let funcs = 0..u32::try_from(profile.stacks.funcs.len()).expect("few");
        funcs.into_iter().find(|func| name(&profile, *func) == wanted).expect("known")
    };
    let mut request = TreeRequest {
        threads: vec![ThreadId(0)],
        entries: Some(EntrySet::Shown),
        measure: Measure::Time,
        transforms: vec![crate::samples::Transform::MergeFunction(func("f()"))],
        ..TreeRequest::default()
    };
    let merged = request.tree(&profile, Arc::new(request.nodes(&profile)));
    assert_eq!(shown(&merged), [(names(&["Paint"]), 35), (names(&["Paint", "Layout"]), 8)]);
    request = TreeRequest { transforms: Vec::new(), search: "lay".to_owned(), ..request };
    let found = request.tree(&profile, Arc::new(request.nodes(&profile)));
    assert_eq!(found.total.iter().map(|cost| cost.time.0).max(), Some(8));
    let summary = all.nodes.entries.as_ref().expect("entries").summary(&profile, None);
    assert_eq!(summary, [(Work::Painting, Ns(15)), (Work::Scripting, Ns(12)), (Work::Rendering, Ns(8))]);
    assert_eq!(all.times_by_work(&profile), summary);
    assert_eq!(merged.times_by_work(&profile), [(Work::Painting, Ns(27)), (Work::Rendering, Ns(8))]);
}

#[test]
fn the_first_entry_of_each_node_is_known() {
    let items = [(0, 10, false, 2), (20, 30, false, 2), (22, 24, true, 0)].to_vec();
    let profile = profile_of(&items);
    let first = |range: Option<TimeRange>| {
        let tree = tree_of(&profile, EntrySet::Shown, range);
        let list = Arc::clone(tree.nodes.entries.as_ref().expect("entries"));
        tree.first_entry.iter().map(|entry| (*entry != NONE).then(|| list.start[*entry as usize].0)).collect::<Vec<_>>()
    };
    assert_eq!(first(None), [Some(0), Some(22)]);
    assert_eq!(first(Some(TimeRange { start: Ns(10), end: Ns(22) })), [Some(20), None]);
}
