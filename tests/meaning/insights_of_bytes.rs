//! Insights about the bytes of a page of Chrome, on small traces, with facts derived by hand.

use flowline::index::Derived;
use flowline::insights::insights::{InsightName, InsightState, Insights};
use serde_json::{Value, json};

use crate::page_trace::{Response, Trace, data, finding, markers, only};

/// Name of a file, headers of its response, and the lifetime in seconds and the bytes to load again if it is short.
type Lifetime<'a> = (&'a str, &'a [(&'a str, &'a str)], Option<(i64, f64)>);

#[test]
fn files_with_short_lifetimes_are_loaded_again() {
    let date = ("Date", "Thu, 26 Nov 2026 09:00:00 GMT");
    let cases: [Lifetime<'_>; 10] = [
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
    // The late moment is the end of the first of these requests.
    let request = |marker| index.network().request_of(marker).expect("a request");
    let late = found.late.expect("a late moment");
    assert_ne!(late, found.markers[0]);
    assert_eq!(request(late), request(found.markers[0]));
    assert_eq!(finding(&Trace::page().index(), InsightName::Cache).state, InsightState::Unknown);
}

/// Facts of a document of 10,000 bytes that took 47 ms.
#[test]
fn a_document_fails_only_by_what_is_recorded() {
    use InsightState::{Fail, Pass, Unknown};
    let html = ("Content-Type", "text/html");
    let utf8 = ("Content-Type", "text/html; charset=utf-8");
    let (early, never) = (Some("found-in-first-1024-bytes"), Some("not-found"));
    let states = |headers: &[(&str, &str)], check: Option<&str>| {
        let mut trace = Trace::page();
        let response = Response { headers, encoded: 10_100, decoded: 10_000 };
        trace.request("one", 2_000, ("http://shop.test/", "Document", "text/html"), response);
        if let Some(disposition) = check {
            trace.instant("MetaCharsetCheck", 120_000, json!({"data": {"disposition": disposition, "frame": "MAIN"}}));
        }
        let index = trace.index();
        [InsightName::CharacterSet, InsightName::DocumentLatency].map(|name| {
            let found = finding(&index, name);
            assert_eq!(found.state == Unknown, !found.unknown.is_empty(), "{name:?}: {:?}", found.unknown);
            found.state
        })
    };
    assert_eq!(states(&[], None), [Unknown, Unknown]);
    assert_eq!(states(&[], never), [Unknown, Unknown], "the headers may state the encoding");
    assert_eq!(states(&[], early), [Pass, Unknown]);
    assert_eq!(states(&[html], None), [Unknown, Fail], "a meta element may state the encoding");
    assert_eq!(states(&[html], never), [Fail, Fail]);
    assert_eq!(states(&[utf8, ("Content-Encoding", "gzip")], None), [Pass, Pass]);
}

#[test]
fn recordings_without_a_browser_have_no_insights() {
    let mut trace = Trace::default();
    for at in 0..8 {
        trace.slice(2, "compile", (at * 100_000, 90_000), json!({}));
    }
    assert_eq!(Insights::of(&trace.index()).list(), []);
    // The same in a browser: its events are missing.
    trace.0.push(json!({"ph": "M", "name": "thread_name", "pid": 7, "tid": 2, "args": {"name": "CrRendererMain"}}));
    assert!(!Insights::of(&trace.index()).list().is_empty());
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
        ("7", "still", "image/gif", 50_000),
        ("8", "both", "image/webp", 10_000),
    ] {
        let url = format!("http://shop.test/{name}");
        let response = Response { encoded: bytes + 100, decoded: bytes, ..Response::default() };
        trace.request(&format!("7.{id}"), 10_000, (&url, "Image", mime), response);
        if name != "unpainted" {
            trace.slice(7, "PaintImage", (200_000, 10), paint(&url, 50.0, if name == "choice" { "a 1x" } else { "" }));
            trace.slice(7, "PaintImage", (210_000, 10), paint(&url, 100.0, if name == "choice" { "a 1x" } else { "" }));
        }
    }
    // A larger paint on the next page does not count, and the last one of equal ones does.
    let equal = json!({"data": {"url": "http://shop.test/large", "width": 100.0, "height": 100.0, "srcWidth": 200,
        "srcHeight": 200, "isCSS": false, "isPicture": false, "frame": "MAIN"}});
    trace.slice(7, "PaintImage", (220_000, 10), equal);
    trace.navigation("two", 500_000);
    trace.slice(7, "PaintImage", (510_000, 10), paint("http://shop.test/large", 200.0, ""));
    let index = trace.index();
    let found = finding(&index, InsightName::ImageDelivery);
    assert!(markers(&index, found).contains(&("PaintImage".to_owned(), 220_000)));
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
    // A small moving image has no better format.
    assert_eq!(of("still").expect("an image")["wasted_bytes"], json!(37_500.0));
    // 3,333 bytes by compression, which do not matter alone, and three quarters of the rest.
    let both = of("both").expect("an image");
    let kinds: Vec<&Value> = both["optimizations"].as_array().expect("a list").iter().map(|own| &own["kind"]).collect();
    assert_eq!((kinds, &both["wasted_bytes"]), (vec![&json!("size")], &json!(3_333.0 + 5_000.0)));

    // On a dense screen, the page shows more pixels than events state.
    let viewport = json!({"data": {"dpr": 2, "viewport_rect": [0, 0, 9, 0, 9, 9, 0, 9]}});
    trace.instant("PaintTimingVisualizer::Viewport", 190_000, viewport);
    let dense = trace.index_with(json!({"hostDPR": 1}));
    let found = data(finding(&dense, InsightName::ImageDelivery), "images");
    assert!(found.as_array().expect("a list").iter().all(|own| own["url"] != "http://shop.test/good"), "{found}");
}
