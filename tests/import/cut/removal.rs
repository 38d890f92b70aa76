//! Parts without URLs and without screenshots.

use std::path::Path;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::random_perfetto::{INSTANT, PLAIN, UNNAMED, thread, track};
use super::{CutOptions, Removal, read};
use crate::recording::real::open;
use crate::recording::{Recording, flows, instant, interval};
use crate::support::protobuf::{message, trace};
use flowline::profile::Profile;

const URLS: Removal = Removal { urls: true, screenshots: false };
const SCREENSHOTS: Removal = Removal { urls: false, screenshots: true };

/// All of a recording without private content, as bytes and read again.
fn without(whole: &Profile, removal: Removal) -> (Vec<u8>, Profile) {
    let cut = CutOptions { removal, ..CutOptions::EVERYTHING }.cut(whole);
    let again = read(&cut);
    (cut, again)
}

/// All strings of a JSON value, keys included, with their escapes decoded.
fn strings(value: &Value, all: &mut Vec<String>) {
    match value {
        Value::String(text) => all.push(text.clone()),
        Value::Array(list) => list.iter().for_each(|value| strings(value, all)),
        Value::Object(members) => members.iter().for_each(|(key, value)| {
            all.push(key.clone());
            strings(value, all);
        }),
        _ => {}
    }
}

fn texts(json: &[u8]) -> Vec<String> {
    let mut all = Vec::new();
    strings(&serde_json::from_slice(json).expect("JSON"), &mut all);
    all
}

fn has_url(text: &str) -> bool {
    let text = text.to_ascii_lowercase().replace('\\', "");
    ["http://", "https://", "http%3a%2f%2f", "https%3a%2f%2f"].iter().any(|scheme| text.contains(scheme))
}

/// An image in base64.
fn image() -> String {
    format!("/9j/{}", "4AAQSkZJRg".repeat(20))
}

#[test]
fn real_recordings_lose_their_urls_but_no_marker() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    for name in [
        "example.json.gz",
        "recorded/chrome-click.json.gz",
        "recorded/chrome-late.json.gz",
        "recorded/firefox-click.json.gz",
        "recorded/firefox-late.json.gz",
    ] {
        let whole = open(&folder.join(name)).expect("a recording");
        let plain = CutOptions::EVERYTHING.cut(&whole);
        assert!(texts(&plain).iter().any(|text| has_url(text)), "{name} has URLs");
        let (cut, again) = without(&whole, URLS);
        let left: Vec<String> = texts(&cut).into_iter().filter(|text| has_url(text)).collect();
        assert_eq!(left, [""; 0], "{name}");
        assert_eq!(again.marker_count(), whole.marker_count(), "{name}");
        assert_eq!((again.meta.range, again.time_zero()), (whole.meta.range, whole.time_zero()), "{name}");
        assert!(again.warnings.list().len() <= whole.warnings.list().len(), "{name}: {:?}", again.warnings);
        assert!(without(&again, URLS).0 == cut, "{name}: removing twice equals removing once");
    }
}

/// A text with a URL in one of the forms that recordings have.
fn url_text() -> impl Strategy<Value = String> {
    let host = prop::sample::select(vec!["a.example", "cdn.a.example", "b.example:8080", "127.0.0.1"]);
    let path =
        prop::sample::select(vec!["", "/", "/private", "/x(1).js:3:4", "/it's?to=https%3A%2F%2Fc.example%2Fz", "/é#f"]);
    let form = prop::sample::select(vec![
        "{}",
        "Load 1: {}",
        "f ({})",
        r#"{"url":"{}","n":1}"#,
        r#"{\"url\":\"{}\"}"#,
        "blob:{}",
        "line\n{}\tend",
        "{}, {}.",
    ]);
    (host, path, form, prop::sample::select(vec!["https://", "HTTP://", r"https:\/\/"]))
        .prop_map(|(host, path, form, scheme)| form.replace("{}", &format!("{scheme}{host}{path}")))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_url_is_left_in_any_text_of_any_format(all in prop::collection::vec(url_text(), 1..6)) {
        let row = |(at, text): (usize, &String)| {
            let data = json!({"type": "F", "name": text, text: [text]});
            interval(text, at as f64, at as f64 + 0.5).with(data)
        };
        let mut recordings: Vec<Profile> =
            Recording::of(all.iter().enumerate().map(row).collect()).read_both().into_iter().map(|(_, whole)| whole).collect();
        let event = |(at, text): (usize, &String)| {
            json!({"ph": "X", "name": text, "pid": 1, "tid": 1, "ts": at * 10, "dur": 5, "args": {"data": {"url": text}}})
        };
        let events: Vec<Value> = all.iter().enumerate().map(event).collect();
        recordings.push(read(json!({"traceEvents": events, "metadata": {all[0].clone(): 1}}).to_string().as_bytes()));
        for whole in &recordings {
            let (cut, again) = without(whole, URLS);
            let left: Vec<String> = texts(&cut).into_iter().filter(|text| has_url(text) || text.contains("example")).collect();
            prop_assert_eq!(left, Vec::<String>::new());
            prop_assert_eq!(again.marker_count(), whole.marker_count());
        }
    }

    #[test]
    fn no_url_is_left_in_any_packet(all in prop::collection::vec(url_text(), 1..6)) {
        let packet = |(at, text): (usize, &String)| {
            let value = message().text(10, "url").text(6, text);
            let event = message().number(9, INSTANT).number(11, UNNAMED).text(23, text).message(4, &value);
            message().number(8, at as u64 * 1000).number(10, PLAIN).message(11, &event)
        };
        let mut packets = vec![thread(1, 101), track(UNNAMED, 0, &all[0], None)];
        packets.extend(all.iter().enumerate().map(packet));
        let whole = read(&trace(&packets));
        let (cut, again) = without(&whole, URLS);
        let cut = String::from_utf8_lossy(&cut).into_owned();
        prop_assert!(!has_url(&cut) && !cut.contains("example"), "{}", cut);
        prop_assert_eq!(again.marker_count(), whole.marker_count());
        prop_assert_eq!(again.meta.kind, whole.meta.kind);
        let names = |profile: &Profile| flows::names(profile, flows::all_markers(profile));
        let (before, after) = (names(&whole), names(&again));
        for (a, b) in (0..before.len()).flat_map(|a| (0..a).map(move |b| (a, b))) {
            if before[a] == before[b] {
                prop_assert_eq!(&after[a], &after[b], "equal texts stay equal");
            }
        }
    }
}

#[test]
fn screenshots_of_firefox_are_left_out() {
    let shot = |at: f64| {
        let data = json!({"type": "CompositorScreenshot", "windowID": "0x1", "windowWidth": 9, "windowHeight": 9,
            "url": format!("data:image/jpg;base64,{}", image())});
        instant("CompositorScreenshot", at).with(data)
    };
    let icon =
        interval("Icon", 2.0, 3.0).with(json!({"type": "Text", "name": "icon data:image/png;base64,iVBORw0 end"}));
    let mut recording =
        Recording::of(vec![interval("a", 0.0, 9.0), shot(1.0), icon, shot(4.0), interval("b", 5.0, 6.0)]);
    recording.tracks[0].samples = vec![0.0, 10.0];
    for (_, whole) in recording.read_both() {
        assert_eq!(whole.marker_count(), 5);
        let (cut, again) = without(&whole, SCREENSHOTS);
        let left: Vec<String> =
            texts(&cut).into_iter().filter(|text| text.contains("data:image") || text.contains(&image())).collect();
        assert_eq!(left, [""; 0]);
        assert!(texts(&cut).contains(&"icon data:<image> end".to_owned()));
        assert_eq!((again.marker_count(), again.meta.range), (3, whole.meta.range));
    }
}

#[test]
fn screenshots_of_traces_are_left_out_but_the_clock_stays() {
    let slice = |ts: u32| json!({"ph": "X", "name": "a", "cat": "c", "pid": 1, "tid": 1, "ts": ts, "dur": 5});
    let shot = |ts: u32| {
        json!({"ph": "O", "name": "Screenshot", "cat": "disabled-by-default-devtools.screenshot", "id": "0x1", "pid": 1,
            "tid": 1, "ts": ts, "args": {"snapshot": image()}})
    };
    let text = json!({"traceEvents": [slice(0), shot(10), slice(20), shot(30), shot(90)]}).to_string();
    let whole = read(text.as_bytes());
    let (cut, again) = without(&whole, SCREENSHOTS);
    assert!(!String::from_utf8_lossy(&cut).contains("/9j/"));
    // The last one ends the recording; it stays without its image.
    assert_eq!((again.marker_count(), again.meta.range), (3, whole.meta.range));
    assert_eq!(without(&whole, URLS).1.marker_count(), 5);
}

#[test]
fn screenshots_of_perfetto_traces_are_left_out() {
    let event = |ts: u64, name: &str, value: &str| {
        let argument = message().text(10, "snapshot").text(6, value);
        let event = message().number(9, INSTANT).number(11, UNNAMED).text(23, name).message(4, &argument);
        message().number(8, ts * 1000).number(10, PLAIN).message(11, &event)
    };
    let packets = [
        thread(1, 101),
        track(UNNAMED, 0, "t", None),
        event(1, "first", "1"),
        event(2, "Screenshot", &image()),
        event(3, "other", &image()),
        event(4, "last", "1"),
    ];
    let whole = read(&trace(&packets));
    assert_eq!(whole.marker_count(), 4);
    let (cut, again) = without(&whole, SCREENSHOTS);
    assert!(!String::from_utf8_lossy(&cut).contains("/9j/"));
    assert_eq!((again.marker_count(), again.meta.range), (3, whole.meta.range));
}
