//! Insights about the work of a page of Chrome, on small traces, with facts derived by hand.

use flowline::index::Derived;
use flowline::insights::harm::Harm;
use flowline::insights::insights::{InsightName, InsightState};
use flowline::profile::Ns;
use serde_json::{Value, json};

use crate::page_trace::{Response, Trace, data, finding, finding_of, markers, only};

#[test]
fn layout_in_scripts_is_forced_from_30_ms_in_one_task() {
    let mut trace = Trace::page();
    trace.forcing_task(7, 10_000, 20_000, "MAIN");
    trace.forcing_task(7, 40_000, 20_000, "MAIN");
    // Long layout without a script is not forced.
    trace.slice(7, "RunTask", (70_000, 45_000), json!({}));
    trace.slice(7, "Layout", (71_000, 40_000), json!({"beginData": {"frame": "MAIN"}}));
    let passed = trace.index();
    assert_eq!(finding(&passed, InsightName::ForcedReflow).state, InsightState::Pass);
    assert_eq!(Harm::of(&passed).forced().all(), []);

    trace.forcing_task(7, 200_000, 30_000, "MAIN");
    trace.forcing_task(7, 300_000, 90_000, "INNER");
    let index = trace.index();
    let found = finding(&index, InsightName::ForcedReflow);
    assert_eq!(found.state, InsightState::Fail);
    assert_eq!(found.summary, "read forced 1 layout, 30.00 ms");
    assert_eq!((data(found, "count"), data(found, "total_ns")), (json!(1), json!(30_000_000)));
    let read = json!([{"name": "read", "url": "http://shop.test/a.js", "line": 1, "column": 4,
        "location": "http://shop.test/a.js:2:5", "total_ns": 30_000_000, "count": 1}]);
    assert_eq!(data(found, "by_frame"), read);
    let grow = json!({"name": "grow", "url": "http://shop.test/a.js", "line": 4, "column": 9, "total_ns": 30_000_000});
    assert_eq!(data(found, "top"), grow);
    let expected = [("FunctionCall", 200_100), ("Layout", 200_150)].map(|(name, us)| (name.to_owned(), us));
    assert_eq!(markers(&index, found), expected);
    // Frames inside the page do harm as well.
    let forced = Harm::of(&index).forced().all();
    assert_eq!(forced.iter().map(|slice| slice.times.start.0 / 1_000).collect::<Vec<_>>(), [200_150, 300_150]);
    assert_eq!(found.late, Some(forced[0].marker));
}

#[test]
fn tasks_over_50_ms_are_long_unless_a_worker_ran_them() {
    let mut trace = Trace::page();
    trace.slice(7, "RunTask", (10_000, 50_000), json!({}));
    trace.slice(7, "RunTask", (100_000, 50_001), json!({}));
    trace.slice(8, "RunTask", (200_000, 80_000), json!({}));
    trace.slice(9, "RunTask", (300_000, 90_000), json!({}));
    let worker =
        json!({"data": {"workerThreadId": 8, "workerId": "w", "frame": "MAIN", "url": "http://shop.test/w.js"}});
    trace.instant("TracingSessionIdForWorker", 5_000, worker);
    trace.navigation("two", 500_000);
    let index = trace.index();
    let found = finding(&index, InsightName::LongTasks);
    let tasks = data(found, "tasks");
    let starts: Vec<i64> =
        tasks.as_array().expect("a list").iter().filter_map(|task| task["start_ns"].as_i64()).collect();
    assert_eq!(starts, [100_000_000, 300_000_000]);
    assert_eq!(only(&tasks[0], &["pid", "tid"]), json!({"pid": "7", "tid": "7"}));
    assert_eq!(data(found, "total_ns"), json!(140_001_000));
    assert_eq!(finding_of(&index, InsightName::LongTasks, 1).state, InsightState::Pass);
    let profile = index.profile();
    let main = profile.threads_with_ids().find(|(_, thread)| thread.name == "CrRendererMain").expect("a thread").0;
    assert_eq!(Harm::of(&index).long().of_thread(profile, main).len(), 1);
    assert_eq!(Harm::of(&index).blocking(profile, main), Ns(1_000));
}

#[test]
fn the_size_of_the_document_is_that_of_the_main_frame_in_the_period() {
    let stats = |elements: i64, frame: &str| {
        json!({"data": {"frame": frame, "totalElements": elements, "maxDepth": {"depth": 4},
            "maxChildren": {"numChildren": 12}}})
    };
    let mut trace = Trace::page();
    trace.instant("DOMStats", 20_000, stats(100, "MAIN"));
    trace.instant("DOMStats", 30_000, stats(250, "MAIN"));
    trace.instant("DOMStats", 40_000, stats(9_000, "INNER"));
    trace.slice(7, "Layout", (50_000, 40_000), json!({"beginData": {"frame": "MAIN", "dirtyObjects": 101}}));
    trace.slice(7, "Layout", (100_000, 90_000), json!({"beginData": {"frame": "MAIN", "dirtyObjects": 100}}));
    trace.slice(7, "UpdateLayoutTree", (200_000, 60_000), json!({"beginData": {"frame": "MAIN"}, "elementCount": 301}));
    trace.slice(7, "UpdateLayoutTree", (300_000, 39_999), json!({"beginData": {"frame": "MAIN"}, "elementCount": 999}));
    trace.navigation("two", 900_000);
    trace.instant("DOMStats", 950_000, stats(5_000, "MAIN"));
    let index = trace.index();
    let found = finding(&index, InsightName::DomSize);
    assert_eq!(found.state, InsightState::Informative);
    assert_eq!(found.summary, "250 elements, 2 long layouts, the longest 60.00 ms");
    assert_eq!(
        (data(found, "elements"), data(found, "depth"), data(found, "children")),
        (json!(250), json!(4), json!(12))
    );
    let kinds: Vec<Value> =
        data(found, "large").as_array().expect("a list").iter().map(|own| only(own, &["kind", "size"])).collect();
    assert_eq!(kinds, [json!({"kind": "style", "size": 301}), json!({"kind": "layout", "size": 101})]);
    assert_eq!(found.range.map(|range| (range.start.0, range.end.0)), Some((50_000_000, 260_000_000)));
    let second = finding_of(&index, InsightName::DomSize, 1);
    assert_eq!((second.state, data(second, "elements")), (InsightState::Pass, json!(5_000)));
    assert_eq!(finding(&Trace::page().index(), InsightName::DomSize).state, InsightState::Unknown);
}

#[test]
fn selectors_belong_to_the_style_update_before_them() {
    let timing = |selector: &str, us: f64, attempts: i64| {
        json!({"selector": selector, "style_sheet_id": "s", "elapsed (us)": us, "match_attempts": attempts, "match_count": 1,
            "fast_reject_count": 0})
    };
    let stats = |timings: &[Value]| json!({"selector_stats": {"selector_timings": timings}});
    let mut trace = Trace::page();
    trace.slice(7, "UpdateLayoutTree", (10_000, 5_000), json!({"beginData": {"frame": "MAIN"}, "elementCount": 3}));
    trace.instant("SelectorStats", 15_100, stats(&[timing(".a", 300.0, 7), timing(".b *", 100.0, 70)]));
    trace.slice(7, "UpdateLayoutTree", (20_000, 5_000), json!({"beginData": {"frame": "MAIN"}, "elementCount": 3}));
    trace.instant("SelectorStats", 25_100, stats(&[timing(".a", 250.0, 7)]));
    trace.slice(7, "UpdateLayoutTree", (30_000, 5_000), json!({"beginData": {"frame": "INNER"}, "elementCount": 3}));
    trace.instant("SelectorStats", 35_100, stats(&[timing(".inner", 9_000.0, 900)]));
    let index = trace.index();
    let found = finding(&index, InsightName::SlowCssSelector);
    assert_eq!(found.state, InsightState::Informative);
    assert_eq!(data(found, "elapsed_ns"), json!(650_000));
    assert_eq!((data(found, "attempts"), data(found, "matches")), (json!(84), json!(3)));
    let slowest = only(&data(found, "slowest"), &["selector", "elapsed_ns", "attempts"]);
    assert_eq!(slowest, json!({"selector": ".a", "elapsed_ns": 550_000, "attempts": 14}));
    assert_eq!(data(found, "most_attempts")["selector"], ".b *");
    let expected = [("UpdateLayoutTree", 10_000), ("UpdateLayoutTree", 20_000)].map(|(name, us)| (name.to_owned(), us));
    assert_eq!(markers(&index, found), expected);
    let unknown = finding(&Trace::page().index(), InsightName::SlowCssSelector).clone();
    assert_eq!(unknown.unknown, ["no SelectorStats in the recording: record with selector statistics"]);
}

#[test]
fn other_companies_are_named_with_their_self_time_and_bytes() {
    let script = |url: &str| json!({"data": {"url": url, "functionName": "f", "lineNumber": 1, "columnNumber": 1}});
    let mut trace = Trace::page();
    trace.slice(7, "RunTask", (10_000, 50_000), json!({}));
    trace.slice(7, "EvaluateScript", (11_000, 40_000), script("http://www.shop.test/a.js"));
    trace.slice(7, "FunctionCall", (20_000, 10_000), script("https://www.googletagmanager.com/gtm.js"));
    trace.slice(7, "Layout", (21_000, 4_000), json!({"beginData": {"frame": "MAIN"}}));
    let tag = ("https://www.googletagmanager.com/gtm.js", "Script", "text/javascript");
    trace.request("7.1", 100_000, tag, Response { encoded: 2_000, decoded: 5_000, ..Response::default() });
    let pixel = ("https://t.other.test/p", "Image", "image/gif");
    trace.request("7.2", 110_000, pixel, Response { encoded: 40, decoded: 30, ..Response::default() });
    // The end of a request that failed states no bytes, although some came.
    for (id, url, part) in [("7.3", "https://gone.test/x.js", 300), ("7.4", "https://never.test/y.js", 0)] {
        let sent = json!({"requestId": id, "url": url, "resourceType": "Script", "frame": "MAIN"});
        trace.instant("ResourceSendRequest", 120_000, json!({"data": sent}));
        let part = json!({"requestId": id, "encodedDataLength": part});
        trace.instant("ResourceReceivedData", 130_000, json!({"data": part}));
        let finish = json!({"requestId": id, "encodedDataLength": 0, "decodedBodyLength": 0, "didFail": true});
        trace.instant("ResourceFinish", 140_000, json!({"data": finish}));
    }
    trace.navigation("two", 500_000);
    let index = trace.index();
    let found = finding(&index, InsightName::ThirdParties);
    assert_eq!((found.state, data(found, "first_party")), (InsightState::Informative, json!("shop.test")));
    let entity = |name: &str, time: i64, bytes: i64, first: bool| {
        json!({"name": name, "main_thread_ns": time, "bytes": f64::from(i32::try_from(bytes).expect("few")),
            "first_party": first})
    };
    let expected = [
        entity("shop.test", 30_000_000, 0, true),
        entity("Google Tag Manager", 6_000_000, 2_000, false),
        entity("gone.test", 0, 300, false),
        entity("other.test", 0, 40, false),
    ];
    assert_eq!(data(found, "entities"), json!(expected));
    assert_eq!(found.summary, "Google Tag Manager and 2 others: 6.00 ms on the main thread, 2.3 KB");
    assert_eq!(markers(&index, found), [("FunctionCall".to_owned(), 20_000)]);
    assert_eq!(finding_of(&index, InsightName::ThirdParties, 1).state, InsightState::Pass);
}
