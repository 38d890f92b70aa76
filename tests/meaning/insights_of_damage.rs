//! Insights about damaged and random events of a page.

use std::sync::Arc;

use flowline::index::{Arrangement, Derived, Index};
use flowline::insights::harm::Harm;
use flowline::insights::insights::{InsightName, Insights};
use flowline::insights::page_load::{MilestoneKind, Milestones};
use flowline::insights::warnings::PageWarnings;
use flowline::profile::{Ns, WarningKind};
use serde_json::{Value, json};

use crate::insight_facts::NAMES;
use crate::page_trace::{Trace, data, finding};
use crate::recording::{Recording, closing, instant, interval, opening, read};

#[test]
fn damaged_events_drop_only_themselves() {
    let mut trace = Trace::page();
    for name in ["Layout", "UpdateLayoutTree", "FunctionCall", "PaintImage", "BeginRemoteFontLoad", "RemoteFontLoaded"]
    {
        for args in
            [json!(null), json!(7), json!({"data": null}), json!({"beginData": []}), json!({"data": {"url": 5}})]
        {
            trace.slice(7, name, (20_000, 90_000), args.clone());
            trace.slice(7, name, (i64::MAX / 1_000, 90_000), args.clone());
            trace.slice(7, name, (30_000, -5), args);
        }
    }
    for name in ["DOMStats", "SelectorStats", "TracingSessionIdForWorker", "ResourceReceiveResponse"] {
        for args in [json!(null), json!({"data": []}), json!({"selector_stats": {"selector_timings": [null, 1, {}]}})] {
            trace.instant(name, 25_000, args);
        }
    }
    trace.forcing_task(7, 200_000, 30_000, "MAIN");
    let index = trace.index();
    assert!(Harm::of(&index).forced().all().iter().any(|slice| slice.times.start == Ns(200_150_000)));
    let last = finding(&index, InsightName::ForcedReflow);
    assert!(data(last, "count").as_i64().is_some_and(|count| count >= 1));
    for insight in Insights::of(&index).list() {
        for marker in insight.finding.markers.iter().chain(&insight.finding.late) {
            assert!(index.profile().locate(*marker).is_some(), "{:?}", insight.name);
        }
    }
}

#[test]
fn random_events_never_panic() {
    let names = [
        "RunTask",
        "Layout",
        "UpdateLayoutTree",
        "FunctionCall",
        "EvaluateScript",
        "PaintImage",
        "DOMStats",
        "SelectorStats",
        "BeginRemoteFontLoad",
        "RemoteFontLoaded",
        "ResourceSendRequest",
        "ResourceReceiveResponse",
        "ResourceFinish",
        "ResourceMarkAsCached",
        "navigationStart",
        "TracingSessionIdForWorker",
    ];
    let seed = std::env::var("FLOWLINE_FUZZ_SEED").ok().and_then(|seed| seed.parse().ok());
    let mut random = fastrand::Rng::with_seed(seed.unwrap_or(46));
    for _ in 0..60 {
        let mut trace = Trace::page();
        for _ in 0..80 {
            let times = (random.i64(-50_000..400_000), random.i64(-10..120_000));
            let (tid, name, args) = (random.u32(7..9), names[random.usize(..names.len())], arguments(&mut random, 3));
            trace.slice(tid, name, times, args);
        }
        let index = trace.index_with(arguments(&mut random, 2));
        for insight in Insights::of(&index).list() {
            let finding = &insight.finding;
            let markers = finding.markers.iter().chain(&finding.late);
            assert!(markers.into_iter().all(|marker| index.profile().locate(*marker).is_some()));
            let is_forward = finding.range.is_none_or(|range| range.start <= range.end);
            assert!(is_forward || !NAMES.contains(&insight.name), "{:?}: {finding:?}", insight.name);
        }
    }
}

/// Arguments with known keys and values of any kind.
fn arguments(random: &mut fastrand::Rng, depth: u32) -> Value {
    let keys = [
        "data",
        "beginData",
        "frame",
        "url",
        "stackTrace",
        "dirtyObjects",
        "elementCount",
        "selector_stats",
        "selector_timings",
        "id",
        "display",
        "width",
        "height",
        "srcWidth",
        "srcHeight",
        "totalElements",
        "requestId",
        "encodedDataLength",
        "decodedBodyLength",
        "finishTime",
        "headers",
        "name",
        "value",
        "timing",
        "requestTime",
        "sendStart",
        "resourceType",
        "hostDPR",
        "statusCode",
        "elapsed (us)",
        "match_attempts",
        "navigationId",
        "documentLoaderURL",
    ];
    match random.u32(..if depth == 0 { 7 } else { 12 }) {
        0 => Value::Null,
        1 => json!(random.i64(-5..200_000)),
        2 => json!(random.f64() * 1e30 - 5e29),
        3 => json!(
            [
                "MAIN",
                "http://shop.test/a.js",
                "https://www.googletagmanager.com/gtm.js",
                "block",
                "",
                "Image",
                "Font",
                "cache-control"
            ][random.usize(..8)]
        ),
        4 => json!(i64::MAX),
        5 => json!(random.bool()),
        6 => json!("7.1"),
        7 => (0..random.usize(..4)).map(|_| arguments(random, depth - 1)).collect(),
        _ => {
            let key = |random: &mut fastrand::Rng| keys[random.usize(..keys.len())].to_owned();
            (0..random.usize(1..12)).map(|_| (key(random), arguments(random, depth - 1))).collect()
        }
    }
}

/// Rules read a bounded number of markers; the warnings tell how many they left out.
#[test]
fn markers_beyond_the_read_limit_are_counted() {
    let rows = |name: &str, number: u32| {
        let rows = (0..number).map(|at| interval(name, f64::from(at) * 60.0, f64::from(at) * 60.0 + 55.0));
        Recording::of(rows.collect()).raw()
    };
    for (name, number, beyond) in
        [("LongTask", 100_002, 2), ("Reflow (sync)", 100_001, 1), ("LongTask", 100_000, 0), ("Styles", 100_002, 0)]
    {
        let profile = read(&rows(name, number));
        let index = Index::build(Arc::new(profile), Arrangement::Stack);
        let warnings = PageWarnings::with_import(&index);
        assert_eq!(warnings.count(WarningKind::PageEventLimit), beyond, "{name}");
        let first = warnings.list().into_iter().find(|own| own.kind == WarningKind::PageEventLimit);
        assert!(first.is_none_or(|own| own.first.starts_with(name)), "{name}");
    }
}

/// A pair whose end is missing ends with the recording, which says nothing about the page.
#[test]
fn milestones_of_firefox_need_both_halves() {
    let data = json!({"type": "tracing", "category": "Navigation", "innerWindowID": 7});
    let rows = vec![
        opening("DOMContentLoaded", 10.0).with(data.clone()),
        opening("Load", 20.0).with(data.clone()),
        closing("Load", 25.0).with(data),
        instant("end", 500.0),
    ];
    let index = Index::build(Arc::new(read(&Recording::of(rows).raw())), Arrangement::Stack);
    let kinds: Vec<MilestoneKind> = Milestones::of(&index).all().iter().map(|own| own.kind).collect();
    assert_eq!(kinds, [MilestoneKind::Load]);
    assert_eq!(PageWarnings::with_import(&index).count(WarningKind::PageEvents), 1);
}
