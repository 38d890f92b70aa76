//! Insights about the work and the bytes of a page of Chrome, on small traces, with facts derived by hand.

use std::sync::Arc;

use flowline::index::{Arrangement, Index};
use flowline::insights::harm::Harm;
use flowline::insights::insights::{Finding, InsightName, InsightState, Insights, fact};
use flowline::profile::Ns;
use serde_json::{Value, json};

use crate::insight_facts::value;
use crate::recording::read_bytes;

/// Adds up the events of a trace.
#[derive(Clone, Default)]
struct Trace(Vec<Value>);

impl Trace {
    /// A page at `http://shop.test/` whose main thread is thread 7 of process 7, with a navigation after 1 ms.
    fn page() -> Self {
        let frames = json!([{"frame": "MAIN", "url": "http://shop.test/", "processId": 7, "isOutermostMainFrame": true,
            "isInPrimaryMainFrame": true}]);
        let mut trace = Self::default();
        trace.instant("TracingStartedInBrowser", 0, json!({"data": {"frames": frames}}));
        trace.0.push(json!({"ph": "M", "name": "thread_name", "pid": 7, "tid": 7, "args": {"name": "CrRendererMain"}}));
        trace.navigation("one", 1_000);
        trace
    }

    fn navigation(&mut self, id: &str, us: i64) {
        let data = json!({"navigationId": id, "documentLoaderURL": "http://shop.test/"});
        self.instant("navigationStart", us, json!({"frame": "MAIN", "data": data}));
    }

    fn instant(&mut self, name: &str, us: i64, args: Value) {
        let event = json!({"name": name, "ph": "I", "cat": "loading", "pid": 7, "tid": 7, "ts": us, "args": args});
        self.0.push(event);
    }

    /// A slice on a thread of process 7.
    fn slice(&mut self, tid: u32, name: &str, (us, dur): (i64, i64), args: Value) {
        let event = json!({"name": name, "ph": "X", "cat": "devtools.timeline", "pid": 7, "tid": tid, "ts": us, "dur": dur,
            "args": args});
        self.0.push(event);
    }

    /// A task with a script that forces one layout.
    fn forcing_task(&mut self, tid: u32, us: i64, layout: i64, frame: &str) {
        self.slice(tid, "RunTask", (us, layout + 300), json!({}));
        let call = json!({"functionName": "grow", "url": "http://shop.test/a.js", "lineNumber": 4, "columnNumber": 9});
        self.slice(tid, "FunctionCall", (us + 100, layout + 100), json!({"data": call}));
        let stack = [json!({"functionName": "read", "url": "http://shop.test/a.js", "scriptId": "3", "lineNumber": 2,
            "columnNumber": 5})];
        let begin = json!({"frame": frame, "dirtyObjects": 9, "stackTrace": stack});
        self.slice(tid, "Layout", (us + 150, layout), json!({"beginData": begin}));
    }

    /// A request that takes 100 ms.
    fn request(&mut self, id: &str, us: i64, (url, resource, mime): (&str, &str, &str), response: Response<'_>) {
        let sent = json!({"requestId": id, "url": url, "resourceType": resource, "frame": "MAIN", "requestMethod": "GET",
            "priority": "High"});
        self.instant("ResourceSendRequest", us, json!({"data": sent}));
        let headers = response.headers.iter().map(|(name, value)| json!({"name": name, "value": value}));
        let timing = json!({"requestTime": us as f64 / 1e6, "sendStart": 2, "sendEnd": 3, "receiveHeadersEnd": 50,
            "dnsStart": -1, "dnsEnd": -1, "connectStart": -1, "connectEnd": -1, "sslStart": -1, "sslEnd": -1});
        let data = json!({"requestId": id, "statusCode": 200, "mimeType": mime, "headers": headers.collect::<Vec<_>>(),
            "timing": timing});
        self.instant("ResourceReceiveResponse", us + 50_000, json!({"data": data}));
        let finish = json!({"requestId": id, "encodedDataLength": response.encoded, "decodedBodyLength": response.decoded,
            "didFail": false, "finishTime": (us + 100_000) as f64 / 1e6});
        self.instant("ResourceFinish", us + 100_000, json!({"data": finish}));
    }

    fn index(&self) -> Index {
        self.index_with(json!({}))
    }

    fn index_with(&self, metadata: Value) -> Index {
        let text = json!({"metadata": metadata, "traceEvents": self.0}).to_string().into_bytes();
        Index::build(Arc::new(read_bytes(text).expect("a trace")), Arrangement::Stack)
    }
}

/// The response of a request.
#[derive(Clone, Copy, Default)]
struct Response<'a> {
    headers: &'a [(&'a str, &'a str)],
    encoded: i64,
    decoded: i64,
}

/// The answer of an insight for the first navigation.
fn finding(index: &Index, name: InsightName) -> &Finding {
    finding_of(index, name, 0)
}

fn finding_of(index: &Index, name: InsightName, navigation: u32) -> &Finding {
    let own = |insight: &&flowline::insights::insights::Insight| {
        insight.name == name && insight.navigation == Some(navigation)
    };
    &Insights::of(index).list().iter().find(own).expect("the rule").finding
}

/// A fact of a finding as JSON.
fn data(finding: &Finding, key: &str) -> Value {
    value(fact(&finding.data, key).unwrap_or_else(|| panic!("{key} of {:?}", finding.data)))
}

/// Some members of an object.
fn only(of: &Value, keys: &[&str]) -> Value {
    keys.iter().map(|key| ((*key).to_owned(), of[*key].clone())).collect()
}

/// Names and starts of the markers of a finding, in microseconds.
fn markers(index: &Index, finding: &Finding) -> Vec<(String, i64)> {
    let profile = index.profile();
    let of = |marker: &flowline::profile::MarkerId| {
        let (thread, local) = profile.locate(*marker).expect("a marker");
        let markers = &profile.thread(thread).markers;
        (profile.strings.get(markers.name(local)).to_owned(), markers.start(local).0 / 1_000)
    };
    finding.markers.iter().map(of).collect()
}

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
        entity("other.test", 0, 40, false),
    ];
    assert_eq!(data(found, "entities"), json!(expected));
    assert_eq!(found.summary, "Google Tag Manager and 1 other: 6.00 ms on the main thread, 2.0 KB");
    assert_eq!(markers(&index, found), [("FunctionCall".to_owned(), 20_000)]);
    assert_eq!(finding_of(&index, InsightName::ThirdParties, 1).state, InsightState::Pass);
}

#[test]
fn files_with_short_lifetimes_are_loaded_again() {
    let date = ("Date", "Thu, 26 Nov 2026 09:00:00 GMT");
    let cases: [(&str, &[(&str, &str)], Option<(i64, f64)>); 10] = [
        ("none", &[date], Some((0, 1_000.0))),
        ("age", &[("Cache-Control", "public, max-age=720")], Some((720, 900.0))),
        ("old", &[("Cache-Control", "max-age=0")], None),
        ("month", &[("Cache-Control", "max-age=2592000")], None),
        ("forbidden", &[("cache-control", "max-age=60"), ("Cache-Control", "no-store")], None),
        ("pragma", &[("Pragma", "no-cache")], None),
        ("expires", &[date, ("Expires", "Thu, 26 Nov 2026 21:00:00 GMT")], Some((43_200, 500.0))),
        ("expired", &[date, ("Expires", "-1")], None),
        ("undated", &[("Expires", "Thu, 26 Nov 2026 21:00:00 GMT")], None),
        ("unrecorded", &[], None),
    ];
    let mut trace = Trace::page();
    for (at, (name, headers, _)) in (0..).zip(&cases) {
        let url = format!("http://shop.test/{name}.js");
        let response = Response { headers, encoded: 1_000, decoded: 3_000 - at };
        trace.request(&format!("7.{at}"), 10_000 + at, (&url, "Script", "text/javascript"), response);
        // Documents are not kept.
        let response = Response { headers: &[date], encoded: 1_000, decoded: 1 };
        trace.request(&format!("8.{at}"), 10_000 + at, (&url, "Document", "text/html"), response);
    }
    let index = trace.index();
    let found = finding(&index, InsightName::Cache);
    let expected: Vec<Value> = cases
        .iter()
        .filter_map(|(name, _, short)| short.map(|short| (name, short)))
        .map(|(name, (lifetime, wasted))| {
            json!({"url": format!("http://shop.test/{name}.js"), "ttl_s": lifetime, "wasted_bytes": wasted})
        })
        .collect();
    let requests = data(found, "requests");
    let requests = requests.as_array().expect("a list").iter();
    let requests: Vec<Value> = requests.map(|own| only(own, &["url", "ttl_s", "wasted_bytes"])).collect();
    assert_eq!((found.state, requests), (InsightState::Fail, expected));
    assert_eq!(found.summary, "3 files with short lifetimes, 2.4 KB to load again");
    assert_eq!(found.late, Some(found.markers[0]));
    assert_eq!(finding(&Trace::page().index(), InsightName::Cache).state, InsightState::Unknown);
}

#[test]
fn text_waits_for_fonts_that_block_it() {
    let mut trace = Trace::page();
    for (id, display) in [("1", "block"), ("2", "swap"), ("3", "auto")] {
        let url = format!("http://shop.test/{display}.woff2");
        trace.request(&format!("7.{id}"), 10_000, (&url, "Font", "font/woff2"), Response::default());
        let load = json!({"id": id.parse::<i32>().expect("a number"), "display": display, "url": url});
        trace.slice(7, "BeginRemoteFontLoad", (11_000, 100), load);
    }
    let loaded = json!({"name": "Sans", "url": "http://shop.test/block.woff2"});
    trace.slice(7, "RemoteFontLoaded", (130_000, 10), loaded);
    let index = trace.index();
    let found = finding(&index, InsightName::FontDisplay);
    let fonts = data(found, "fonts");
    let fonts: Vec<Value> =
        fonts.as_array().expect("a list").iter().map(|own| only(own, &["name", "display", "wasted_ns"])).collect();
    // Sent 2 ms after the start, received 100 ms after it.
    let expected = [
        json!({"name": "Sans", "display": "block", "wasted_ns": 95_000_000}),
        json!({"name": null, "display": "auto", "wasted_ns": 95_000_000}),
    ];
    assert_eq!((found.state, fonts), (InsightState::Fail, expected.to_vec()));
    assert_eq!(found.summary, "Text waited for 2 fonts, 95.00 ms for Sans");
}

#[test]
fn images_are_too_large_by_format_and_by_size() {
    let paint = |url: &str, shown: f64, choice: &str| {
        json!({"data": {"url": url, "width": shown, "height": shown, "srcWidth": 200, "srcHeight": 200, "isCSS": false,
            "isPicture": false, "srcsetAttribute": choice, "frame": "MAIN"}})
    };
    let mut trace = Trace::page();
    for (id, name, mime, bytes) in [
        ("1", "large", "image/png", 30_000),
        ("2", "good", "image/webp", 6_000),
        ("3", "choice", "image/webp", 15_000),
        ("4", "vector", "image/svg+xml", 90_000),
        ("5", "unpainted", "image/png", 90_000),
        ("6", "moving", "image/gif", 200_000),
    ] {
        let url = format!("http://shop.test/{name}");
        let response = Response { encoded: bytes + 100, decoded: bytes, ..Response::default() };
        trace.request(&format!("7.{id}"), 10_000, (&url, "Image", mime), response);
        if name != "unpainted" {
            trace.slice(7, "PaintImage", (200_000, 10), paint(&url, 50.0, if name == "choice" { "a 1x" } else { "" }));
            trace.slice(7, "PaintImage", (210_000, 10), paint(&url, 100.0, if name == "choice" { "a 1x" } else { "" }));
        }
    }
    let index = trace.index();
    let found = finding(&index, InsightName::ImageDelivery);
    let images = data(found, "images");
    let of = |name: &str| {
        let url = format!("http://shop.test/{name}");
        images.as_array().expect("a list").iter().find(|own| own["url"] == url.as_str()).cloned()
    };
    // 200 × 200 pixels need 6,667 bytes; three quarters of them are not shown.
    let large = of("large").expect("an image");
    assert_eq!(large["wasted_bytes"], json!(23_333.0 + 5_000.0));
    let kinds = [
        json!({"kind": "format", "wasted_bytes": 23_333.0, "file": null, "shown": null}),
        json!({"kind": "size", "wasted_bytes": 22_500.0, "file": [200.0, 200.0], "shown": [100.0, 100.0]}),
    ];
    assert_eq!(large["optimizations"], json!(kinds));
    assert_eq!(of("good").expect("an image")["optimizations"][0]["kind"], "size");
    // 11,250 bytes by size would count only without a choice of files.
    let choice = of("choice").expect("an image")["optimizations"].clone();
    assert_eq!(choice, json!([{"kind": "compression", "wasted_bytes": 8_333.0, "file": null, "shown": null}]));
    assert_eq!((of("vector"), of("unpainted")), (None, None));
    // 29.1 × log10(200,000) − 100.7 is 53.56 percent.
    let moving = of("moving").expect("an image");
    assert_eq!(
        moving["optimizations"][0],
        json!({"kind": "video", "wasted_bytes": 108_000.0, "file": null, "shown": null})
    );
    assert_eq!(images[0]["url"], "http://shop.test/moving");

    // On a dense screen, the page shows more pixels than events state.
    let viewport = json!({"data": {"dpr": 2, "viewport_rect": [0, 0, 9, 0, 9, 9, 0, 9]}});
    trace.instant("PaintTimingVisualizer::Viewport", 190_000, viewport);
    let dense = trace.index_with(json!({"hostDPR": 1}));
    let found = data(finding(&dense, InsightName::ImageDelivery), "images");
    assert!(found.as_array().expect("a list").iter().all(|own| own["url"] != "http://shop.test/good"), "{found}");
}

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
