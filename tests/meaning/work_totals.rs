//! The same quantity has the same total everywhere: self times by third party in insights and in trees, by file in both
//! directions of a tree, and by name in trees and in statistics.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use flowline::index::samples::entries::EntrySet;
use flowline::index::samples::{
    CallTree, Cost, Grouping, Groups, InvertedTree, Measure, TreeRequest, func_name, groups_of,
};
use flowline::index::statistics::{Columns, Grouping as Keys, Key, KeyValue, RangeRule, Subject, Tracks, run};
use flowline::index::{Arrangement, Derived, Index};
use flowline::insights::insights::{InsightName, Insights};
use flowline::insights::page::Page;
use flowline::profile::{LocalMarker, MarkerFlags, Profile, ThreadId};
use serde_json::json;

use crate::insight_facts::value;
use crate::page_trace::Trace;
use crate::recording::real::{open, shared};
use crate::recording::samples::{INTERVAL, Sampled, profile};

/// Self times by name of their group.
type Totals = BTreeMap<String, i64>;

fn tree(profile: &Profile, threads: &[ThreadId], set: Option<EntrySet>, grouping: Grouping) -> Arc<CallTree> {
    let request = TreeRequest {
        threads: threads.to_vec(),
        entries: set,
        measure: Measure::Time,
        grouping,
        ..TreeRequest::default()
    };
    Arc::new(request.tree(profile, Arc::new(request.nodes(profile))))
}

/// Totals of the groups of the bottom-up tree, without those of no time.
fn bottom_up(profile: &Profile, threads: &[ThreadId], set: Option<EntrySet>, grouping: Grouping) -> Totals {
    let tree = tree(profile, threads, set, grouping);
    let groups = Groups::new(profile, grouping, &tree).expect("groups");
    let mut inverted = InvertedTree::grouped(tree, Some(&groups));
    let roots = inverted.children(None).to_vec();
    let roots = roots.into_iter().map(|root| (root, inverted.group(root), inverted.group_costs(root)));
    let totals = groups_of(roots, Measure::Time).into_iter();
    totals.map(|group| (groups.name(group.group).to_owned(), group.own.time.0)).filter(|(_, time)| *time > 0).collect()
}

/// The same from the nodes of the tree itself.
fn by_node(profile: &Profile, threads: &[ThreadId], set: EntrySet, grouping: Grouping) -> Totals {
    let tree = tree(profile, threads, Some(set), grouping);
    let groups = Groups::new(profile, grouping, &tree).expect("groups");
    let mut totals = Totals::new();
    for (node, own) in (0..).zip(&tree.own).filter(|(_, own)| own.time.0 > 0) {
        *totals.entry(groups.name(groups.of_leaf(&tree.nodes, node)).to_owned()).or_default() += own.time.0;
    }
    totals
}

/// Main-thread times by entity in all periods.
fn of_insights(index: &Index) -> Totals {
    let mut totals = Totals::new();
    let findings = Insights::of(index).list().iter().filter(|insight| insight.name == InsightName::ThirdParties);
    for fact in findings.flat_map(|insight| &insight.finding.data).filter(|(key, _)| *key == "entities") {
        for entity in value(&fact.1).as_array().expect("a list") {
            let time = entity["main_thread_ns"].as_i64().expect("a time");
            *totals.entry(entity["name"].as_str().expect("a name").to_owned()).or_default() += time;
        }
    }
    totals.retain(|_, time| *time > 0);
    totals
}

/// The main threads of the page.
fn main_threads(index: &Index) -> Vec<ThreadId> {
    let (profile, page) = (index.profile(), Page::of(index));
    let Some(main) = page.frames().main() else { return Vec::new() };
    let is_own = |id: &ThreadId| {
        profile.thread(*id).name == "CrRendererMain" && page.frames().is_hosted(main, &profile.process_of(*id).pid)
    };
    profile.threads_with_ids().map(|(id, _)| id).filter(is_own).collect()
}

/// Traces of pages: those of the project, and real ones if they are there.
fn traces() -> Vec<(String, Index)> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/recorded");
    let mut files: Vec<PathBuf> = ["chrome-click", "chrome-late", "chrome-shifts"]
        .into_iter()
        .map(|name| own.join(format!("{name}.json.gz")))
        .collect();
    for name in ["chromium-156-2s", "devtools-web-dev", "lighthouse-load", "rec-a-annotated"] {
        files.extend(shared(&format!("traces/{name}.json.gz")));
    }
    for name in ["page-rich", "page-multi", "page-cls"] {
        files.extend(shared(&format!("cases/insights/{name}.json.gz")));
    }
    let index = |file: PathBuf| {
        let index = Index::build(Arc::new(open(&file).expect("a trace")), Arrangement::Stack);
        (file.display().to_string(), index)
    };
    files.into_iter().map(index).chain([("two files".to_owned(), two_files().index())]).collect()
}

/// Functions of three files, one of them of another company, with a built-in function and work without an address.
fn two_files() -> Trace {
    let call = |name: &str, url: &str| json!({"data": {"functionName": name, "url": url, "lineNumber": 3}});
    let mut trace = Trace::page();
    trace.slice(7, "RunTask", (10_000, 100_000), json!({}));
    trace.slice(7, "FunctionCall", (11_000, 40_000), call("start", "http://shop.test/app.js"));
    trace.slice(7, "FunctionCall", (20_000, 10_000), call("tag", "https://www.googletagmanager.com/gtm.js"));
    trace.slice(7, "Layout", (21_000, 4_000), json!({"beginData": {"frame": "MAIN"}}));
    trace.slice(7, "FunctionCall", (60_000, 5_000), call("other", "http://shop.test/vendor.js"));
    trace.slice(7, "FunctionCall", (70_000, 5_000), call("again", "http://shop.test/app.js"));
    trace
}

#[test]
fn insights_and_trees_agree_by_third_party() {
    let mut compared = 0;
    for (name, index) in traces() {
        let threads = main_threads(&index);
        let wanted = of_insights(&index);
        let mut found = Totals::new();
        for thread in threads {
            for (group, time) in bottom_up(index.profile(), &[thread], Some(EntrySet::Shown), Grouping::ThirdParty) {
                *found.entry(group).or_default() += time;
            }
        }
        found.remove("");
        if Insights::of(&index).list().iter().all(|insight| insight.name != InsightName::ThirdParties) {
            continue;
        }
        assert_eq!(found, wanted, "{name}");
        compared += wanted.len();
    }
    assert!(compared >= 3, "{compared}");
}

#[test]
fn both_directions_of_a_tree_have_the_same_totals() {
    for (name, index) in traces() {
        let profile = index.profile();
        for id in main_threads(&index) {
            for grouping in [Grouping::File, Grouping::ThirdParty, Grouping::Category, Grouping::Library] {
                for set in [EntrySet::Shown, EntrySet::All] {
                    let found = bottom_up(profile, &[id], Some(set), grouping);
                    assert_eq!(found, by_node(profile, &[id], set, grouping), "{name} {id:?} {grouping:?} {set:?}");
                }
            }
        }
    }
}

#[test]
fn calls_of_several_files_are_in_their_own_groups() {
    let index = two_files().index();
    let threads = main_threads(&index);
    let found = bottom_up(index.profile(), &threads, Some(EntrySet::Shown), Grouping::File);
    let expected = [
        ("", 4_000_000),
        ("http://shop.test/app.js", 35_000_000),
        ("http://shop.test/vendor.js", 5_000_000),
        ("https://www.googletagmanager.com/gtm.js", 6_000_000),
    ];
    assert_eq!(found, expected.into_iter().map(|(file, time)| (file.to_owned(), time)).collect());
}

#[test]
fn a_tree_without_samples_has_a_node_per_called_function() {
    let index = two_files().index();
    let (profile, threads) = (index.profile(), main_threads(&index));
    let title = |tree: &CallTree, node: u32| {
        let name = || func_name(&profile.stacks, tree.nodes.func[node as usize]);
        tree.nodes.title(node).map_or_else(|| name().to_owned(), str::to_owned)
    };
    let calls = tree(profile, &threads, Some(EntrySet::Shown), Grouping::None);
    let path = |node: u32| {
        let mut path: Vec<String> = calls.nodes.walk(node).map(|node| title(&calls, node)).collect();
        path.reverse();
        (path.join(" > "), calls.total[node as usize].time.0 / 1_000_000, calls.own[node as usize].time.0 / 1_000_000)
    };
    let own = |path: &str, total, own| (path.to_owned(), total, own);
    let expected = [
        own("start, app.js:3", 40, 30),
        own("start, app.js:3 > tag, gtm.js:3", 10, 6),
        own("start, app.js:3 > tag, gtm.js:3 > Layout", 4, 4),
        own("other, vendor.js:3", 5, 5),
        own("again, app.js:3", 5, 5),
    ];
    assert_eq!(calls.walk().map(|(node, _)| path(node)).collect::<Vec<_>>(), expected);
    let mut inverted = InvertedTree::new(Arc::clone(&calls));
    let roots = inverted.children(None).to_vec();
    let roots: Vec<String> = roots.into_iter().map(|root| title(&calls, inverted.example(root))).collect();
    assert_eq!(roots, ["start, app.js:3", "tag, gtm.js:3", "other, vendor.js:3", "again, app.js:3", "Layout"]);
}

#[test]
fn trees_and_statistics_agree_by_name() {
    let mut compared = 0;
    for (name, index) in traces() {
        let profile = index.profile();
        for (id, thread) in profile.threads_with_ids() {
            // Calls from samples are no markers, and trees leave out markers whose end is not recorded.
            let is_cut = |marker: LocalMarker| thread.markers.flags(marker).has(MarkerFlags::INCOMPLETE);
            if thread.samples.as_ref().is_some_and(|samples| samples.calls.is_some())
                || (0..thread.markers.len()).map(LocalMarker::new).any(is_cut)
            {
                continue;
            }
            let tree = tree(profile, &[id], Some(EntrySet::All), Grouping::None);
            if tree.nodes.entries.as_ref().is_none_or(|entries| entries.omitted > 0) {
                continue;
            }
            let mut wanted = Totals::new();
            for (func, own) in tree.nodes.func.iter().zip(&tree.own) {
                let Cost { time, .. } = *own;
                *wanted.entry(func_name(&profile.stacks, *func).to_owned()).or_default() += time.0;
            }
            let subject = Subject::new(&index, Tracks::Threads(&[id]), None, RangeRule::Overlaps, None);
            let found = run(&subject, &Keys::by(&[Key::Name]), Columns::ALL, &|| true, |_| {}).expect("not canceled");
            for group in found.groups {
                let [KeyValue::Text(own)] = group.key.as_slice() else { panic!("{:?}", group.key) };
                let time = group.self_time.map_or(0, |time| i64::try_from(time).expect("a time"));
                let expected = wanted.get(own.as_str()).copied().unwrap_or(0);
                if expected > 0 {
                    assert_eq!(time, expected, "{name} {id:?} {own}");
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 3, "{compared}");
}

#[test]
fn samples_belong_to_the_nearest_script() {
    let stack = |time: i64, stack: &[u8]| Sampled { time: time * INTERVAL, stack: Some(stack.to_vec()), cpu: None };
    // Functions 2 and 3 are of a script, 1 is of a file without a site, 5 is native, 0 and 4 have no place.
    let samples =
        vec![stack(1, &[0, 2, 5]), stack(2, &[0, 3, 4, 5]), stack(3, &[0, 2]), stack(4, &[0, 1, 5]), stack(5, &[0, 5])];
    let profile = profile(&[samples], false);
    let threads = [ThreadId::new(0)];
    let totals = |grouping| {
        let totals = bottom_up(&profile, &threads, None, grouping).into_iter();
        totals.map(|(group, time)| (group, time / INTERVAL)).collect::<Vec<_>>()
    };
    let own = |group: &str, count| (group.to_owned(), count);
    assert_eq!(totals(Grouping::ThirdParty), [own("", 2), own("example.com", 3)]);
    assert_eq!(totals(Grouping::File), [own("", 1), own("https://example.com/app.js", 3), own("main.rs", 1)]);
}
