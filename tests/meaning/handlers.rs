//! The functions that handled an interaction: from stated calls, else from samples.

use flowline::index::{Derived, Index};
use flowline::insights::insights::{InsightName, InsightState};
use flowline::insights::interactions::{Handler, Interactions};
use flowline::profile::Ns;
use serde_json::{Value, json};

use crate::page_trace::{Trace, data, finding, only};

/// A page with a click from 200 to 500 ms, which is handled from 210 to 450 ms.
fn clicked() -> Trace {
    let mut trace = Trace::page();
    let data = json!({"type": "click", "interactionId": 5, "timeStamp": 1_200, "processingStart": 1_210,
        "processingEnd": 1_450, "duration": 300, "frame": "MAIN"});
    for (phase, us, args) in [("b", 200_000, json!({"data": data})), ("e", 500_000, json!({}))] {
        trace.0.push(
            json!({"name": "EventTiming", "ph": phase, "cat": "devtools.timeline", "id": "0x5", "pid": 7, "tid": 7,
            "ts": us, "args": args}),
        );
    }
    trace
}

fn call(name: &str, line: i64) -> Value {
    let url = "http://shop.test/js/app.js?v=3";
    json!({"data": {"functionName": name, "url": url, "scriptId": "3", "lineNumber": line, "columnNumber": 18}})
}

fn handlers(index: &Index) -> Vec<Handler> {
    let all = Interactions::of(index).list();
    Handler::of(index.profile(), all.first().expect("an interaction"))
}

#[test]
fn stated_calls_name_the_handlers() {
    let mut trace = clicked();
    trace.slice(7, "EventDispatch", (210_000, 240_000), json!({"data": {"type": "click"}}));
    trace.slice(7, "FunctionCall", (211_000, 60_000), call("onClick", 12));
    // A call inside another one belongs to it.
    trace.slice(7, "FunctionCall", (212_000, 50_000), call("inner", 99));
    trace.slice(7, "FunctionCall", (280_000, 100_000), call("save", 3));
    trace.slice(7, "FunctionCall", (390_000, 50_000), call("onClick", 12));
    // Calls outside of the handling, on other threads, or of nothing known do not count.
    trace.slice(7, "FunctionCall", (100_000, 90_000), call("before", 1));
    trace.slice(7, "FunctionCall", (451_000, 30_000), call("after", 1));
    trace.slice(9, "FunctionCall", (220_000, 200_000), call("other", 1));
    trace.slice(7, "FunctionCall", (445_000, 1_000), json!({"data": {}}));
    let index = trace.index();
    let found = handlers(&index);
    let seen: Vec<_> = found.iter().map(|own| (own.short_text(), own.time, own.calls, own.samples)).collect();
    let ms = |ms: i64| Ns(ms * 1_000_000);
    assert_eq!(
        seen,
        [("onClick, app.js:12:18".to_owned(), ms(110), 2, 0), ("save, app.js:3:18".to_owned(), ms(100), 1, 0)]
    );
    let profile = index.profile();
    let start = |own: &Handler| {
        let (thread, local) = profile.locate(own.marker).expect("a marker");
        (profile.marker_name(thread, local).to_owned(), profile.thread(thread).markers.start(local).0 / 1_000)
    };
    assert_eq!(start(&found[0]), ("FunctionCall".to_owned(), 211_000), "the longest call");
    let inp = finding(&index, InsightName::InpBreakdown);
    assert_eq!(inp.state, InsightState::Fail);
    assert!(inp.summary.ends_with("; most time in onClick, app.js:12:18: 110.00 ms"), "{}", inp.summary);
    let listed = data(inp, "handlers");
    let first = only(&listed[0], &["name", "url", "line", "column", "total_ns", "calls", "samples", "marker"]);
    assert_eq!(
        first,
        json!({"name": "onClick", "url": "http://shop.test/js/app.js?v=3", "line": 12, "column": 18,
            "total_ns": 110_000_000, "calls": 2, "samples": null, "marker": found[0].marker.0})
    );
    assert!(inp.markers.contains(&found[0].marker), "the chart shows it");
}

#[test]
fn without_calls_samples_name_the_handler() {
    let mut trace = clicked();
    trace.slice(7, "EventDispatch", (210_000, 240_000), json!({"data": {"type": "click"}}));
    let frame = |name: &str, url: &str, line: i64| json!({"functionName": name, "url": url, "lineNumber": line, "columnNumber": 4, "scriptId": 1});
    let app = "http://shop.test/js/app.js";
    let nodes = json!([
        {"id": 1, "callFrame": frame("(root)", "", -1)},
        {"id": 2, "parent": 1, "callFrame": frame("onClick", app, 11)},
        {"id": 3, "parent": 2, "callFrame": frame("compute", app, 40)},
        {"id": 4, "parent": 1, "callFrame": frame("(idle)", "", -1)},
        {"id": 5, "parent": 1, "callFrame": frame("other", app, 70)},
    ]);
    trace.0.push(json!({"name": "Profile", "ph": "P", "id": "0x1", "pid": 7, "tid": 7, "ts": 1, "cat": "x",
        "args": {"data": {"startTime": 200_000}}}));
    let samples: Vec<u32> = (0..30).map(|at| [3, 3, 2, 5, 4][at % 5]).collect();
    let chunk = json!({"cpuProfile": {"nodes": nodes, "samples": samples}, "timeDeltas": vec![10_000; 30]});
    trace.0.push(json!({"name": "ProfileChunk", "ph": "P", "id": "0x1", "pid": 7, "tid": 7, "ts": 2, "cat": "x",
        "args": {"data": chunk}}));
    let index = trace.index();
    let found = handlers(&index);
    let names: Vec<&str> = found.iter().map(|own| own.name.as_str()).collect();
    assert_eq!(names, ["onClick", "other"], "the outermost functions: {found:?}");
    assert!(found[0].samples > 2 * found[1].samples && found[0].calls == 0, "{found:?}");
    let sum: i64 = found.iter().map(|own| own.time.0).sum();
    assert!(sum <= 240_000_000, "shares of the handling: {found:?}");
    let (thread, local) = index.profile().locate(found[0].marker).expect("a marker");
    assert_eq!(index.profile().marker_name(thread, local), "EventDispatch");
}

#[test]
fn nothing_is_named_without_calls_and_samples() {
    let index = clicked().index();
    assert!(handlers(&index).is_empty());
    let inp = finding(&index, InsightName::InpBreakdown);
    assert!(!inp.summary.contains("most time in"), "{}", inp.summary);
    assert_eq!(data(inp, "handlers"), json!([]));
}
