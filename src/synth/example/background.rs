//! What a browser does besides: preferences, timers, collections, telemetry, and the counters.

use super::cast::Place;
use super::recording::{CounterSamples, Data, LENGTH, Value};
use super::scripts::minor;
use super::story::{MS, Story, US};
use crate::synth::json::Nanos;
use crate::synth::random::pick;
use crate::synth::schema::Category;

/// Names, types and values of preferences that are read.
const PREFERENCES: [(&str, &str, &str); 10] = [
    ("browser.urlbar.suggest.history", "Bool", "true"),
    ("network.http.http2.enabled", "Bool", "true"),
    ("dom.ipc.processCount.webIsolated", "Int", "4"),
    ("network.dns.disablePrefetch", "Bool", "false"),
    ("image.mem.decode_bytes_at_a_time", "Int", "16384"),
    ("layout.css.devPixelsPerPx", "String", "-1.0"),
    ("gfx.webrender.all", "Bool", "true"),
    ("javascript.options.mem.nursery.max_kb", "Int", "16384"),
    ("dom.min_background_timeout_value", "Int", "1000"),
    ("privacy.trackingprotection.enabled", "Bool", "false"),
];

/// Posts it.
pub(super) fn begin(story: &mut Story) {
    preferences(story, Place::Parent, Nanos(6 * MS), 22);
    preferences(story, Place::Content, Nanos(150 * MS), 30);
    timers(story);
    parent_tasks(story);
    collections(story);
    story.post(Place::Content, Nanos(1_960 * MS), |story, start| {
        story.stack(Place::Content, start, 3_300 * US, "Idle task", Category::Idle);
        3_300 * US
    });
}

fn preferences(story: &mut Story, place: Place, from: Nanos, count: u64) {
    let mut at = from;
    for number in 0..count {
        at = at.plus(story.some_us(20, 800));
        let (name, kind, value) = pick(&PREFERENCES, number * 7);
        story.post(place, at, move |story, start| {
            let data = Data::new("Preference")
                .text("prefName", name)
                .text("prefKind", "User")
                .text("prefType", kind)
                .text("prefValue", value);
            story.point(place, start, "Preference Read", Category::Other, data);
            2 * US
        });
    }
}

fn timers(story: &mut Story) {
    const NAMES: [(&str, u64, bool); 5] = [
        ("nsHttpConnectionMgr", 1_000, true),
        ("CaptivePortalService", 600, false),
        ("CCGCScheduler::EnsureGCRunner", 160, false),
        ("IdleRunnableWrapper::SetTimer", 90, true),
        ("SessionStore._saveDelayed", 320, false),
    ];
    for number in 0..26 {
        let (name, delay, is_canceled) = pick(&NAMES, number);
        let start = Nanos((15 + number * 61) * MS).plus(story.some_us(0, 900));
        let end = Nanos(start.plus(delay * MS).0.min(LENGTH.0 - MS));
        let data = Data::new("AddRemoveTimer")
            .text("name", name)
            .number("delay", delay)
            .number("threadId", Place::Parent.tid());
        story.point(Place::ParentTimer, start, "AddTimer", Category::Other, data);
        let data = Data::new("Timer")
            .number("delay", delay)
            .with("ttype", Value::Unique("One shot low priority".to_owned()))
            .with("canceled", Value::Flag(is_canceled));
        story.span(Place::ParentTimer, start, end.0 - start.0, name, Category::Timer, data);
        if !is_canceled && end.0 < LENGTH.0 - 2 * MS {
            let to = (Place::Parent, end.plus(40 * US));
            story.dispatch((Place::ParentTimer, end), to, "nsTimerEvent", None, move |story, start, _| {
                let length = story.some_us(60, 400);
                story.text(Place::Parent, start, length, "NotifyObservers", Category::Other, name);
                length
            });
        }
    }
}

/// Small work of the browser's own window, and telemetry.
fn parent_tasks(story: &mut Story) {
    const TOPICS: [&str; 4] =
        ["http-on-modify-request", "http-on-examine-response", "browser-delayed-startup", "sessionstore-state-write"];
    for number in 0..24 {
        let at = Nanos((20 + number * 97) * MS).plus(story.some_us(0, 2_000));
        let from = (Place::IpcParent, at.minus(200 * US));
        story.dispatch(from, (Place::Parent, at), "nsObserverService", None, move |story, start, _| {
            let length = story.some_us(120, 900);
            story.text(Place::Parent, start, length, "NotifyObservers", Category::Other, pick(&TOPICS, number));
            let data = Data::new("Hist")
                .with("id", Value::Unique("HTTP_PAGE_TLS_HANDSHAKE".to_owned()))
                .number("val", 27 + number);
            story.point(Place::Parent, start.plus(length / 3), "Histogram::Add", Category::Telemetry, data);
            if number % 6 == 4 {
                minor(story, Place::Parent, start.plus(length / 2), length / 4);
            }
            length
        });
    }
    story.post(Place::Parent, Nanos(1_140 * MS), |story, start| {
        story.text(Place::Parent, start, 6_400 * US, "nsCycleCollector", Category::Gc, "forget skippable");
        6_400 * US
    });
}

/// An incremental collection of the page's objects, in slices.
fn collections(story: &mut Story) {
    for slice in 0..4 {
        let at = Nanos((818 + slice * 34) * MS);
        let to = (Place::Content, at.plus(90 * US));
        story.dispatch((Place::ContentTimer, at), to, "IdleTaskRunner", None, move |story, start, _| {
            let length = story.some_us(2_800, 1_500);
            let timings = format!(
                r#"{{"slice":{slice},"reason":"INTER_SLICE_GC","pause":{:.3},"budget":"5ms"}}"#,
                length as f64 / 1e6
            );
            story.span(
                Place::Content,
                start,
                length,
                "GCSlice",
                Category::Gc,
                Data::new("GCSlice").with("timings", Value::Json(timings)),
            );
            story.memory.push((start.plus(length), -2_400_000, 1));
            length
        });
    }
}

/// Adds the counters, once the story has run.
pub(super) fn end(story: &mut Story) {
    let mut memory = std::mem::take(&mut story.memory);
    memory
        .extend((0..96).map(|number| (Nanos(number * 25 * MS), 60_000 + story.random.below(90_000).cast_signed(), 40)));
    memory.push((Nanos(0), 48_300_000, 1));
    let arrived = std::mem::take(&mut story.arrived);
    story.counter(3, ["malloc", "Memory", "Amount of allocated memory"], sorted(memory));
    story.counter(0, ["Bandwidth", "Bandwidth", "Amount of data transferred"], sorted(arrived));
}

fn sorted(mut samples: CounterSamples) -> CounterSamples {
    samples.sort_by_key(|sample| sample.0);
    samples
}
