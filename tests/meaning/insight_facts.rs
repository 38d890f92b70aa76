//! Insights about the work and the bytes of real pages, compared with facts of the engine of Chrome DevTools, if available.
//! [`insights_of_work`](crate::insights_of_work) checks the same rules on small traces.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use flowline::index::{Arrangement, Index};
use flowline::insights::insights::{Fact, InsightName, Insights};
use serde_json::Value;

use crate::recording::real::{open, shared};

const NAMES: [InsightName; 8] = [
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
            for (key, value) in members {
                compare(&format!("{what}.{key}"), key, value, &found[key], (same, differences));
            }
            return;
        }
        (Value::Array(expected), Value::Array(found)) => {
            for value in expected {
                let is_it = |own: &&Value| IDS.iter().all(|id| is_near(id, &value[*id], &own[*id]));
                match found.iter().find(is_it) {
                    Some(own) => compare(what, key, value, own, (same, differences)),
                    None => differences.push(format!("{what}: {value} is missing")),
                }
            }
            expected.len() == found.len()
        }
        _ => is_near(key, expected, found),
    };
    if is_same {
        *same += 1;
    } else {
        differences.push(format!("{what}: {expected} expected, {found} found"));
    }
}

fn is_near(key: &str, expected: &Value, found: &Value) -> bool {
    let tolerance = match key {
        "wasted_ns" => 1e6,
        key if SUMS.contains(&key) => 1e6,
        key if key.ends_with("_ns") => 3_000.0,
        key if key.ends_with("bytes") => 1.0,
        _ => 1e-6,
    };
    match (expected, found) {
        (Value::Null, _) => true,
        (Value::Number(_), Value::String(found)) => expected.to_string() == *found,
        (Value::Number(expected), Value::Number(found)) => {
            expected.as_f64().zip(found.as_f64()).is_some_and(|(expected, found)| (expected - found).abs() <= tolerance)
        }
        _ => expected == found,
    }
}

#[test]
fn insights_about_work_and_bytes_agree_with_devtools() {
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
        for fact in &facts {
            let what = format!("{name}: {} of {}", fact["insight"], fact["navigation"]);
            let list = Insights::of(&index).list();
            let own = list.iter().find(|own| {
                own.name.name() == fact["insight"] && own.navigation.map(u64::from) == fact["navigation"].as_u64()
            });
            let Some(own) = own else {
                differences.push(format!("{what} is missing"));
                continue;
            };
            let finding = &own.finding;
            let count = (&mut same, &mut differences);
            compare(&what, "state", &fact["state"], &finding.state.name().into(), count);
            let data = value(&Fact::Group(finding.data.clone()));
            compare(&what, "", &fact["data"], &data, (&mut same, &mut differences));
            let range = finding.range.map_or(Value::Null, |range| vec![range.start.0, range.end.0].into());
            for end in [0, 1] {
                compare(&what, "range_ns", &fact["range_ns"][end], &range[end], (&mut same, &mut differences));
            }
            assert_eq!(finding.state.name() == "unknown", !finding.unknown.is_empty(), "{what}");
            let markers = finding.markers.iter().chain(&finding.late);
            assert!(markers.into_iter().all(|marker| index.profile().locate(*marker).is_some()), "{what}");
        }
    }
    assert!(differences.is_empty(), "{same} agree, but {differences:#?}");
    assert!(same > 800, "{same}");
}

fn recording(shared: &Path, name: &str) -> Option<PathBuf> {
    let folders = ["cases/insights", "cases/insights/small", "traces", "profiles", "cases/devtools"];
    let files = folders.iter().flat_map(|folder| ["json.gz", "json"].map(|end| format!("{folder}/{name}.{end}")));
    files.map(|file| shared.join(file)).find(|file| file.exists())
}
