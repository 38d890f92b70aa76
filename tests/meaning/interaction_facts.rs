//! Interactions, layout shifts and their insights of real recordings, compared with facts of other programs (the engine of
//! Chrome DevTools, and a plain reader of Firefox profiles), if available.

use std::sync::Arc;

use flowline::index::{Arrangement, Derived, Index};
use flowline::insights::insights::{Fact, Facts, Insight, InsightName, Insights, fact};
use flowline::insights::interactions::{Interaction, Interactions};
use flowline::insights::layout_shifts::{LayoutShifts, rate_shifts};
use flowline::insights::page_load::PageId;
use serde_json::Value;

use crate::recording::real::{list, open, shared};

pub(crate) const NAMES: [&str; 27] = [
    "chrome-69-simple",
    "chromium-156-2s",
    "devtools-web-dev",
    "firefox-153-raw-1s",
    "lh-art-iframe",
    "lh-art-render-blocking",
    "lh-cutoff-load-m83",
    "lh-frame-metrics-m90",
    "lh-jumpy-cls-m90",
    "lh-lcp-m78",
    "lh-timespan-responsiveness-m103",
    "lighthouse-load",
    "page-cls",
    "page-fcp-without-navigation-id",
    "page-firefox-rich",
    "page-good",
    "page-midway",
    "page-missing-document-requests",
    "page-multi",
    "page-rich",
    "rec-a-annotated",
    "s4-network",
    "small/c1-forced-reflow-two-tasks",
    "small/c2-interaction-across-navigation",
    "small/c3-clusters",
    "small/c4-paints-without-navigation-id",
    "small/c5-frames",
];

/// Counts the facts that were compared.
struct Agreement {
    name: &'static str,
    tolerance: i64,
    compared: usize,
}

impl Agreement {
    fn near(&mut self, expected: &Value, found: Option<i64>, what: &str) {
        let Some(expected) = expected.as_i64() else { return };
        let is_near = found.is_some_and(|found| (found - expected).abs() <= self.tolerance);
        assert!(is_near, "{}: {what}: {expected}, found {found:?}", self.name);
        self.compared += 1;
    }

    fn same<T: PartialEq + std::fmt::Debug>(&mut self, expected: Option<T>, found: T, what: &str) {
        let Some(expected) = expected else { return };
        assert_eq!(expected, found, "{}: {what}", self.name);
        self.compared += 1;
    }

    fn score(&mut self, expected: &Value, found: Option<f64>, what: &str) {
        let Some(expected) = expected.as_f64() else { return };
        let is_near = found.is_some_and(|found| (found - expected).abs() <= 1e-6);
        assert!(is_near, "{}: {what}: {expected}, found {found:?}", self.name);
        self.compared += 1;
    }
}

pub(crate) fn recording(name: &str) -> Option<std::path::PathBuf> {
    let places = ["cases/insights", "traces", "profiles", "cases/devtools"];
    let files = places.iter().flat_map(|place| ["json.gz", "json"].map(|end| format!("{place}/{name}.{end}")));
    files.filter_map(|file| shared(&file)).next()
}

fn interactions(check: &mut Agreement, index: &Index, expected: &Value) {
    let found = Interactions::of(index).list();
    let all = list(expected, "interactions");
    assert_eq!(found.len(), all.len(), "{}", check.name);
    for fact in all {
        let is_it = |own: &&Interaction| {
            let is_near = |expected: &Value, own: i64| {
                expected.as_i64().is_none_or(|expected| (own - expected).abs() <= check.tolerance)
            };
            own.event == fact["type"]
                && is_near(&fact["start_ns"], own.start.0)
                && fact["interaction_id"].as_i64().is_none_or(|id| own.id == Some(id))
                && own.end.is_none_or(|end| is_near(&fact["end_ns"], end.0))
        };
        let own = found.iter().find(is_it).unwrap_or_else(|| panic!("{}: {fact} is missing", check.name));
        let what = format!("{} at {}", own.event, own.start.0);
        let of = |length: Option<flowline::profile::Ns>| length.map(|length| length.0);
        check.near(&fact["end_ns"], of(own.end), &what);
        check.near(&fact["processing_start_ns"], Some(own.processing_start.0), &what);
        check.near(&fact["processing_end_ns"], Some(own.processing_end.0), &what);
        check.near(&fact["input_delay_ns"], Some(own.input_delay().0), &what);
        check.near(&fact["processing_ns"], Some(own.processing().0), &what);
        check.near(&fact["presentation_ns"], of(own.presentation()), &what);
        check.same(fact["category"].as_str(), own.category.name(), &what);
        check.same(fact["nested"].as_bool(), own.is_nested, &what);
        check.same(fact["long"].as_bool(), own.is_long(), &what);
        check.same(fact["press"].as_u64().map(Some), own.press.map(u64::from), &what);
        let page = match &own.page {
            PageId::Frame(frame) => frame.clone(),
            PageId::Window(window) => window.to_string(),
            PageId::None => String::new(),
        };
        check.same(fact["frame"].as_str().map(str::to_owned), page.clone(), &what);
        check.same(fact["window"].as_i64().map(|window| window.to_string()), page, &what);
        check.same(fact.get("navigation").map(Value::as_u64), own.navigation.map(u64::from), &what);
        assert_eq!(own.end.is_none(), fact["end_ns"].is_null(), "{}: {what}", check.name);
    }
}

fn layout_shifts(check: &mut Agreement, index: &Index, expected: &Value) {
    let own = LayoutShifts::of(index);
    let all = list(expected, "layout_shifts");
    let of_kind = |kind: &'static str| all.iter().filter(move |fact| fact["kind"] == kind);
    assert_eq!(own.clusters().len(), of_kind("cluster").count(), "{}", check.name);
    let counted = own.shifts().iter().filter(|shift| !shift.is_after_input).count();
    assert_eq!(counted, of_kind("shift").count(), "{}", check.name);
    check.same(expected["layout_shifts_with_input"].as_u64(), (own.shifts().len() - counted) as u64, "after input");
    for fact in of_kind("cluster") {
        let number = usize::try_from(fact["cluster"].as_u64().expect("a number")).expect("few");
        let cluster = &own.clusters()[number];
        let what = format!("cluster {number}");
        check.near(&fact["start_ns"], Some(cluster.times.start.0), &what);
        check.near(&fact["end_ns"], Some(cluster.times.end.0), &what);
        check.score(&fact["score"], Some(cluster.score), &what);
        check.same(fact["rating"].as_str(), rate_shifts(cluster.score).name(), &what);
        check.same(fact["shifts"].as_u64(), cluster.shifts.len() as u64, &what);
        check.same(fact.get("navigation").map(Value::as_u64), cluster.navigation.map(u64::from), &what);
    }
    for fact in of_kind("shift") {
        let is_it = |shift: &&flowline::insights::layout_shifts::LayoutShift| {
            !shift.is_after_input && fact["t_ns"].as_i64() == Some(shift.time.0)
        };
        let shift = own.shifts().iter().find(is_it).unwrap_or_else(|| panic!("{}: {fact} is missing", check.name));
        let what = format!("shift at {}", shift.time.0);
        check.score(&fact["score"], Some(shift.score), &what);
        check.same(fact["frame"].as_str(), shift.frame.as_str(), &what);
        check.same(fact.get("cluster").map(Value::as_u64), shift.cluster.map(|cluster| cluster as u64), &what);
    }
}

/// A fact in the form of the expected ones.
fn json(fact: &Fact) -> Value {
    match fact {
        Fact::Unknown => Value::Null,
        Fact::Duration(time) | Fact::Moment(time) => time.0.into(),
        Fact::Bytes(value) | Fact::Number(value) => (*value).into(),
        Fact::Count(count) => (*count).into(),
        Fact::Flag(flag) => (*flag).into(),
        Fact::Text(text) | Fact::Url(text) => text.clone().into(),
        Fact::Marker(marker) => marker.0.into(),
        Fact::Thread(thread) => thread.0.into(),
        Fact::List(facts) => facts.iter().map(json).collect(),
        Fact::Group(facts) => facts.iter().map(|(name, fact)| ((*name).to_owned(), json(fact))).collect(),
    }
}

/// Compares values; members and elements that are null are not compared.
fn compare(check: &mut Agreement, expected: &Value, found: &Value, what: &str) {
    match expected {
        Value::Null => {}
        Value::Object(members) => {
            members.iter().for_each(|(name, value)| compare(check, value, &found[name], &format!("{what}.{name}")));
        }
        Value::Array(values) => {
            let own = found.as_array().unwrap_or_else(|| panic!("{}: {what} is no list", check.name));
            assert_eq!(values.len(), own.len(), "{}: {what}: {expected} {found}", check.name);
            values.iter().zip(own).for_each(|(value, own)| compare(check, value, own, what));
        }
        Value::Number(number) if number.is_i64() && found.is_i64() => check.near(expected, found.as_i64(), what),
        Value::Number(_) => check.score(expected, found.as_f64(), what),
        _ => check.same(Some(expected), found, what),
    }
}

fn insights(check: &mut Agreement, index: &Index, expected: &Value) {
    let wanted = [InsightName::InpBreakdown, InsightName::ClsCulprits];
    let of_kind = |fact: &&Value| wanted.iter().any(|name| fact["insight"] == name.name());
    for fact in expected["insights"].as_array().into_iter().flatten().filter(of_kind) {
        let is_it = |own: &&Insight| {
            own.name.name() == fact["insight"] && own.navigation.map(u64::from) == fact["navigation"].as_u64()
        };
        let own = Insights::of(index).list().iter().find(is_it);
        let own = own.unwrap_or_else(|| panic!("{}: {fact} is missing", check.name));
        let what = format!("{} of {:?}", own.name.name(), own.navigation);
        check.same(fact["state"].as_str(), own.finding.state.name(), &what);
        assert_eq!(own.finding.unknown.is_empty(), fact["state"] != "unknown", "{}: {what}", check.name);
        compare(check, &fact["data"], &json(&Fact::Group(own.finding.data.clone())), &what);
        let range = own.finding.range.map(|range| [range.start.0, range.end.0]);
        check.near(&fact["range_ns"][0], range.map(|range| range[0]), &what);
        check.near(&fact["range_ns"][1], range.map(|range| range[1]), &what);
    }
}

#[test]
fn real_recordings_agree_with_other_programs() {
    let mut compared = 0;
    for name in NAMES {
        let facts = shared(&format!("cases/insights/{name}.insights.expected.json"));
        let Some((facts, file)) = facts.zip(recording(name)) else { continue };
        let expected: Value = serde_json::from_slice(&std::fs::read(facts).expect("readable")).expect("JSON");
        let index = Index::build(Arc::new(open(&file).expect("a recording")), Arrangement::Stack);
        let is_firefox = expected["about"]["reader"] == "firefox_facts.py";
        let mut check = Agreement { name, tolerance: if is_firefox { 6 } else { 3_000 }, compared: 0 };
        interactions(&mut check, &index, &expected);
        if !is_firefox {
            layout_shifts(&mut check, &index, &expected);
            insights(&mut check, &index, &expected);
        }
        compared += check.compared;
    }
    if shared("cases/insights").is_some() {
        assert!(compared > 1_500, "{compared}");
    }
}

/// The data of an insight, for tests of rules.
pub(crate) fn data(index: &Index, name: InsightName, navigation: Option<u32>) -> (Insight, Facts) {
    let all = Insights::of(index).list();
    let own = all.iter().find(|own| own.name == name && own.navigation == navigation).expect("an insight").clone();
    let data = own.finding.data.clone();
    (own, data)
}

/// A fact of an insight as JSON.
pub(crate) fn value(facts: &Facts, name: &str) -> Value {
    json(fact(facts, name).expect("a fact"))
}
