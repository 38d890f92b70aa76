//! Insights of real pages, compared with facts of the engine of Chrome DevTools, if available.
//! [`insights_of_work`](crate::insights_of_work) and [`insights_of_navigations`](crate::insights_of_navigations) check the
//! same rules on small traces.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use flowline::index::{Arrangement, Derived, Index};
use flowline::insights::insights::{Fact, Insight, InsightName, InsightState, Insights};
use flowline::insights::page_load::{Milestone, Milestones, PageId, Rating};
use serde_json::{Number, Value, json};

use crate::recording::real::{open, shared};

pub(crate) const NAMES: [InsightName; 16] = [
    InsightName::LcpBreakdown,
    InsightName::LcpDiscovery,
    InsightName::RenderBlocking,
    InsightName::NetworkDependencyTree,
    InsightName::DocumentLatency,
    InsightName::Viewport,
    InsightName::CharacterSet,
    InsightName::ModernHttp,
    InsightName::ImageDelivery,
    InsightName::FontDisplay,
    InsightName::DomSize,
    InsightName::ThirdParties,
    InsightName::SlowCssSelector,
    InsightName::ForcedReflow,
    InsightName::Cache,
    InsightName::LongTasks,
];
/// Members that tell the elements of a list apart.
const IDS: [&str; 5] = ["url", "start_ns", "name", "selector", "kind"];
/// Sums of many times that are rounded to microseconds.
const SUMS: [&str; 3] = ["total_ns", "elapsed_ns", "main_thread_ns"];

/// A fact as JSON.
pub(crate) fn value(fact: &Fact) -> Value {
    match fact {
        Fact::Unknown => Value::Null,
        Fact::Duration(time) | Fact::Moment(time) => time.0.into(),
        Fact::Bytes(number) | Fact::Number(number) => (*number).into(),
        Fact::Count(count) => (*count).into(),
        Fact::Flag(flag) => (*flag).into(),
        Fact::Text(text) | Fact::Url(text) => text.as_str().into(),
        Fact::Marker(marker) => marker.0.into(),
        Fact::Thread(thread) => thread.0.into(),
        Fact::List(list) => list.iter().map(value).collect(),
        Fact::Group(facts) => facts.iter().map(|(key, fact)| ((*key).to_owned(), value(fact))).collect(),
    }
}

/// Adds the differences of two values. Members that are null are not compared, and lists have no order.
fn compare(
    what: &str,
    key: &str,
    expected: &Value,
    found: &Value,
    (same, differences): (&mut usize, &mut Vec<String>),
) {
    let is_same = match (expected, found) {
        (Value::Null, _) => return,
        (Value::Object(members), _) => {
            // The event that a fact was read from is stated by the markers instead.
            for (key, value) in members.iter().filter(|(key, _)| *key != "event") {
                compare(&format!("{what}.{key}"), key, value, &found[key], (same, differences));
            }
            return;
        }
        (Value::Array(expected), Value::Array(found)) => {
            for value in expected {
                let is_it = |own: &&Value| match value {
                    Value::Object(_) => IDS.iter().all(|id| is_near(id, &value[*id], &own[*id])),
                    Value::Array(_) => *own == value,
                    _ => is_near(key, value, own),
                };
                match found.iter().find(is_it) {
                    Some(own) => compare(what, key, value, own, (same, differences)),
                    None => differences.push(format!("{what}: {value} is missing")),
                }
            }
            // DevTools lists a chain once for each of its ends.
            expected.len() == found.len() || distinct(expected) == distinct(found)
        }
        _ => is_near(key, expected, found),
    };
    if is_same {
        *same += 1;
    } else {
        differences.push(format!("{what}: {expected} expected, {found} found"));
    }
}

/// Number of different elements of a list.
fn distinct(list: &[Value]) -> usize {
    list.iter().map(Value::to_string).collect::<BTreeSet<String>>().len()
}

fn is_near(key: &str, expected: &Value, found: &Value) -> bool {
    let tolerance = match key {
        "wasted_ns" | "server_response_ns" | "redirect_ns" => 1e6,
        key if SUMS.contains(&key) => 1e6,
        key if key.ends_with("_ns") => 3_000.0,
        key if key.ends_with("bytes") => 1.0,
        _ => 1e-6,
    };
    match (expected, found) {
        (Value::Null, _) => true,
        // DevTools counts the built-in functions that a script calls for nobody.
        (Value::Number(expected), Value::Number(found)) if key == "main_thread_ns" => {
            expected.as_f64().zip(found.as_f64()).is_some_and(|(expected, found)| found >= expected - tolerance)
        }
        (Value::Number(expected), Value::String(found)) => found.parse().is_ok_and(|found: Number| found == *expected),
        (Value::Number(expected), Value::Number(found)) => {
            expected.as_f64().zip(found.as_f64()).is_some_and(|(expected, found)| (expected - found).abs() <= tolerance)
        }
        _ => expected == found,
    }
}

/// Facts of DevTools about what is not in the recording, by recording and insight: DevTools takes headers, initiators and
/// checks that were not recorded for missing ones. These insights are unknown here.
const NOT_RECORDED: [(&str, &str); 7] = [
    ("devtools-web-dev", "CharacterSet"),
    ("devtools-web-dev", "DocumentLatency"),
    ("devtools-web-dev", "LCPDiscovery"),
    ("lh-cutoff-load-m83", "CharacterSet"),
    ("lh-cutoff-load-m83", "DocumentLatency"),
    ("lh-frame-metrics-m90", "CharacterSet"),
    ("lh-jumpy-cls-m90", "CharacterSet"),
];

/// Compares the insights of a recording with facts.
pub(crate) fn check(index: &Index, name: &str, facts: &[Value], (same, differences): (&mut usize, &mut Vec<String>)) {
    for fact in facts {
        let what = format!("{name}: {} of {}", fact["insight"], fact["navigation"]);
        let is_it = |own: &&Insight| {
            own.name.name() == fact["insight"] && own.navigation.map(u64::from) == fact["navigation"].as_u64()
        };
        let is_not_recorded = NOT_RECORDED.iter().any(|(of, insight)| *of == name && fact["insight"] == *insight);
        if fact["state"].is_null() && fact["data"].is_null() || is_not_recorded {
            continue;
        }
        let Some(own) = Insights::of(index).list().iter().find(is_it) else {
            differences.push(format!("{what} is missing"));
            continue;
        };
        let finding = &own.finding;
        compare(&what, "state", &fact["state"], &finding.state.name().into(), (same, differences));
        let data = value(&Fact::Group(finding.data.clone()));
        compare(&what, "", &fact["data"], &data, (same, differences));
        let range = finding.range.map_or(Value::Null, |range| vec![range.start.0, range.end.0].into());
        for end in [0, 1] {
            compare(&what, "range_ns", &fact["range_ns"][end], &range[end], (same, differences));
        }
        assert!(finding.state != InsightState::Unknown || !finding.unknown.is_empty(), "{what}");
        let markers = finding.markers.iter().chain(&finding.late);
        assert!(markers.into_iter().all(|marker| index.profile().locate(*marker).is_some()), "{what}");
    }
}

/// Compares the milestones of a trace with facts.
pub(crate) fn check_milestones(
    index: &Index,
    name: &str,
    facts: &Value,
    (same, differences): (&mut usize, &mut Vec<String>),
) {
    for fact in facts.as_array().into_iter().flatten() {
        let is_unknown = fact["must_be_unknown"] == true;
        let is_it = |own: &&Milestone| {
            let time = own.time.map_or(Value::Null, |time| time.0.into());
            let is_known = own.time.is_some() || own.value.is_some();
            let is_frame = |frame: &str| own.page == PageId::Frame(frame.to_owned());
            own.kind.name() == fact["milestone"]
                && is_known != is_unknown
                && (!is_known || is_near("t_ns", &fact["t_ns"], &time) && fact["frame"].as_str().is_some_and(is_frame))
                && (fact["navigation"].is_null() || fact["navigation"].as_u64() == own.navigation.map(u64::from))
        };
        let what = format!("{name}: {} of {} at {}", fact["milestone"], fact["navigation"], fact["t_ns"]);
        if fact["t_ns"].is_null() && fact["value_ns"].is_null() && !is_unknown {
            continue;
        }
        let Some(own) = Milestones::of(index).all().iter().find(is_it) else {
            differences.push(format!("{what} is missing"));
            continue;
        };
        let found = json!({"since_ns": own.since.map(|since| since.0), "value_ns": own.value.map(|value| value.0),
            "rating": own.rating.map(Rating::name), "main": own.is_main, "url": own.url,
            "kind": if own.is_soft { "soft" } else { "hard" }});
        for key in ["since_ns", "value_ns", "rating", "main", "url", "kind"] {
            compare(&what, key, &fact[key], &found[key], (same, differences));
        }
        assert_eq!(own.unknown.is_some(), is_unknown, "{what}");
    }
}

#[test]
fn insights_agree_with_devtools() {
    let Some(folder) = shared("cases/insights") else { return };
    let root = folder.ancestors().nth(2).expect("the shared folder");
    let (mut same, mut differences) = (0, Vec::new());
    let small = folder.join("small");
    let files = [&folder, &small].into_iter().flat_map(|folder| std::fs::read_dir(folder).expect("a folder"));
    let mut files: Vec<_> = files.map(|entry| entry.expect("a file").path()).collect();
    files.sort();
    for file in files {
        let Some(name) = file.file_name().and_then(|name| name.to_str()) else { continue };
        let Some(name) = name.strip_suffix(".insights.expected.json") else { continue };
        let expected: Value = serde_json::from_slice(&std::fs::read(&file).expect("readable")).expect("JSON");
        let facts = expected["insights"].as_array().cloned().unwrap_or_default();
        let is_own = |fact: &Value| NAMES.iter().any(|name| fact["insight"] == name.name());
        let is_firefox = expected["about"]["reader"] == "firefox_facts.py";
        let facts: Vec<Value> = facts.into_iter().filter(|fact| is_own(fact) && !is_firefox).collect();
        let Some(recording) = recording(root, name).filter(|_| !facts.is_empty()) else { continue };
        let index = Index::build(Arc::new(open(&recording).expect("a recording")), Arrangement::Stack);
        check(&index, name, &facts, (&mut same, &mut differences));
        check_milestones(&index, name, &expected["milestones"], (&mut same, &mut differences));
    }
    assert!(differences.is_empty(), "{same} agree, but {differences:#?}");
    assert!(same > 2_000, "{same}");
}

fn recording(shared: &Path, name: &str) -> Option<PathBuf> {
    let folders = ["cases/insights", "cases/insights/small", "traces", "profiles", "cases/devtools"];
    let files = folders.iter().flat_map(|folder| ["json.gz", "json"].map(|end| format!("{folder}/{name}.{end}")));
    files.map(|file| shared.join(file)).find(|file| file.exists())
}
