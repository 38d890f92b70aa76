//! Critical paths of Firefox profiles to what the browser reports about work: long tasks and network requests.

use std::sync::Arc;

use flowline::index::waits::{CriticalPath, PathOptions};
use flowline::index::{Arrangement, Index};
use serde_json::json;

use crate::recording::flows::{recording_of, span};
use crate::recording::{Row, Track, interval, read};
use crate::waits::{PUT, firefox, listed, marker, path_to, post, task, work};

/// A finished request as the rows of its process.
fn request(id: u32, url: &str, start: f64, end: f64) -> [Row; 2] {
    let row = |status: &str, from: f64, to: f64| {
        let data = json!({
            "type": "Network", "id": id, "URI": url, "requestMethod": "GET", "status": status,
            "startTime": from, "endTime": to,
        });
        interval(&format!("Load {id}: {url}"), from, to).with(data)
    };
    let mut stop = row("STATUS_STOP", start + 1.0, end);
    for (key, time) in [("requestStart", start + 1.0), ("responseStart", start + 5.0), ("responseEnd", end)] {
        stop.data[key] = json!(time);
    }
    [row("STATUS_START", start, start + 1.0), stop]
}

#[test]
fn the_path_to_a_long_task_shows_the_work_inside() {
    for report in ["LongTask", "LongIdleTask"] {
        let index = firefox(vec![vec![
            span(report, 10.0, 100.0, "Plain", json!({})),
            work("Timer", 11.0, 99.0),
            work("Reflow", 20.0, 60.0),
        ]]);
        let expected = [
            ("unknown", "Timer", 10_000, 10_000),
            ("run", report, 10_000, 11_000),
            ("run", "Timer", 11_000, 20_000),
            ("run", "Reflow", 20_000, 60_000),
            ("run", "Timer", 60_000, 99_000),
            ("run", report, 99_000, 100_000),
        ];
        assert_eq!(path_to(&index, report), listed(&expected), "{report}");
    }
}

#[test]
fn the_path_to_a_long_task_continues_with_what_posted_its_work() {
    let index = firefox(vec![
        vec![work("Poster", 0.0, 6.0), post(PUT, 5.0, 1)],
        vec![
            span("LongTask", 10.0, 100.0, "Plain", json!({})),
            task("Runnable", 11.0, 99.0, 1),
            work("Later", 99.5, 99.8),
        ],
    ]);
    let path = path_to(&index, "LongTask");
    let expected = [
        ("run", "Poster", 0, 5_000),
        ("wait", "Runnable", 5_000, 11_000),
        ("run", "Runnable", 11_000, 99_000),
        ("run", "LongTask", 99_000, 99_500),
        ("run", "Later", 99_500, 99_800),
        ("run", "LongTask", 99_800, 100_000),
    ];
    assert_eq!(path[1..], listed(&expected));
}

#[test]
fn a_long_task_without_recorded_work_is_its_own_path() {
    let index = firefox(vec![vec![work("Before", 0.0, 1.0), span("LongTask", 10.0, 100.0, "Plain", json!({}))]]);
    let expected = [("unknown", "LongTask", 10_000, 10_000), ("run", "LongTask", 10_000, 100_000)];
    assert_eq!(path_to(&index, "LongTask"), listed(&expected));
}

#[test]
fn a_request_continues_with_the_work_that_sent_it() {
    let mut rows = vec![work("Earlier", 0.0, 1.0), work("Tick", 5.0, 30.0), work("Flush", 10.0, 25.0)];
    rows.extend(request(1, "http://a.test/font", 20.0, 90.0));
    rows.push(work("Later", 40.0, 50.0));
    let index = firefox(vec![rows]);
    let name = "Load 1: http://a.test/font";
    let expected = [
        ("unknown", "Tick", 5_000, 5_000),
        ("run", "Tick", 5_000, 10_000),
        ("run", "Flush", 10_000, 20_000),
        ("wait", name, 20_000, 21_000),
        ("network", name, 21_000, 90_000),
    ];
    assert_eq!(path_to(&index, name), listed(&expected));
    // Nothing ran when this one was sent.
    let mut rows = vec![work("Earlier", 0.0, 1.0)];
    rows.extend(request(1, "http://a.test/font", 20.0, 90.0));
    let index = firefox(vec![rows]);
    assert_eq!(path_to(&index, name)[0], listed(&[("unknown", name, 20_000, 20_000)])[0]);
}

#[test]
fn a_response_waits_for_what_ran_on_its_thread() {
    let [sent, mut received] = request(1, "http://a.test/font", 20.0, 90.0);
    received.data["responseEnd"] = json!(40.0);
    let index = firefox(vec![vec![work("Tick", 5.0, 30.0), sent, received, work("Long", 45.0, 85.0)]]);
    let name = "Load 1: http://a.test/font";
    let path = path_to(&index, name);
    assert_eq!(path[path.len() - 2..], listed(&[("network", name, 21_000, 40_000), ("wait", name, 40_000, 90_000)]));
    let all = CriticalPath::to_marker(&index, marker(&index, name), PathOptions { assume_followed: false });
    let last = all.segments.last().and_then(|own| own.blocking.as_ref()).expect("a wait for a thread");
    let blockers: Vec<_> =
        last.blockers.iter().map(|own| (index.profile().strings.get(own.name), own.ns / 1_000_000)).collect();
    assert_eq!((blockers, last.unknown / 1_000_000), (vec![("Long", 40)], 10));
    assert_eq!(last.main().map(|own| own.ns), Some(40_000_000));
}

#[test]
fn a_request_of_the_parent_process_waits_from_the_one_it_fulfills() {
    let url = "http://a.test/font";
    let mut rows = vec![work("Earlier", 0.0, 1.0), work("Busy", 22.0, 39.0)];
    rows.extend(request(7, url, 40.0, 90.0));
    let mut recording = recording_of(vec![rows]);
    recording.starts = vec![1000.0, 1000.0];
    let mut rows = vec![work("Tick", 5.0, 30.0)];
    rows.extend(request(7, url, 20.0, 91.0));
    // Another request for the same address is unrelated.
    rows.extend(request(8, url, 25.0, 35.0));
    recording.tracks.push(Track { name: "GeckoMain".into(), process: 1, samples: vec![0.0, 100.0], rows });
    let index = Index::build(Arc::new(read(&recording.raw())), Arrangement::ByName);
    let name = "Load 7: http://a.test/font";
    assert_eq!(index.profile().locate(marker(&index, name)).map(|place| place.0.index()), Some(0));
    let expected = [
        ("unknown", "Tick", 5_000, 5_000),
        ("run", "Tick", 5_000, 20_000),
        ("wait", name, 20_000, 40_000),
        ("wait", name, 40_000, 41_000),
        ("network", name, 41_000, 90_000),
    ];
    assert_eq!(path_to(&index, name), listed(&expected));
}

#[test]
fn a_load_continues_with_the_document() {
    let page = json!({"tabID": 1, "innerWindowID": 12, "url": "http://a.test/", "embedderInnerWindowID": 0});
    let mut rows = vec![span("DocumentLoad", 5.0, 210.0, "Text", json!({"name": "loaded"}))];
    rows.extend(request(1, "http://a.test/", 10.0, 50.0));
    rows.extend(request(2, "http://a.test/font", 70.0, 200.0));
    rows.iter_mut().for_each(|row| row.data["innerWindowID"] = json!(12));
    rows.extend([work("Earlier", 0.0, 1.0), work("Tick", 60.0, 80.0)]);
    let mut text = recording_of(vec![rows]).raw();
    text["pages"] = json!([page]);
    let index = Index::build(Arc::new(read(&text)), Arrangement::ByName);
    let (document, font) = ("Load 1: http://a.test/", "Load 2: http://a.test/font");
    let expected = [
        ("unknown", "DocumentLoad", 5_000, 10_000),
        ("wait", document, 10_000, 11_000),
        ("network", document, 11_000, 15_000),
        ("unknown", "DocumentLoad", 15_000, 60_000),
        ("run", "Tick", 60_000, 70_000),
        ("wait", font, 70_000, 71_000),
        ("network", font, 71_000, 200_000),
        ("unknown", "DocumentLoad", 200_000, 210_000),
    ];
    assert_eq!(path_to(&index, "DocumentLoad"), listed(&expected));
}

#[test]
fn a_drawn_frame_continues_with_the_tick_that_made_its_content() {
    let content = |start, end| span("CONTENT_FRAME_TIME", start, end, "Plain", json!({}));
    let mut recording = recording_of(vec![vec![
        work("Earlier", 0.0, 1.0),
        // The older content is shown by this frame, the newer one by a later frame.
        content(12.0, 62.0),
        content(45.0, 90.0),
        span("Composite #3", 60.0, 64.0, "Plain", json!({})),
    ]]);
    let rows =
        vec![work("RefreshDriverTick", 10.0, 30.0), work("Reflow", 15.0, 20.0), work("RefreshDriverTick", 44.0, 50.0)];
    recording.starts = vec![1000.0, 1000.0];
    recording.tracks.push(Track { name: "GeckoMain".into(), process: 1, samples: vec![0.0, 100.0], rows });
    for (form, profile) in recording.read_both() {
        let index = Index::build(Arc::new(profile), Arrangement::ByName);
        let expected = [
            ("unknown", "RefreshDriverTick", 10_000, 10_000),
            ("run", "RefreshDriverTick", 10_000, 15_000),
            ("run", "Reflow", 15_000, 20_000),
            ("run", "RefreshDriverTick", 20_000, 30_000),
            ("wait", "Composite #3", 30_000, 60_000),
            ("run", "Composite #3", 60_000, 64_000),
        ];
        assert_eq!(path_to(&index, "Composite #3"), listed(&expected), "{form}");
    }
}
