//! Background work of a browser: preferences, timers, garbage collections, telemetry, and the counters.

use super::processes::ThreadRole;
use super::recording::{CounterSamples, LENGTH, Payload, Value};
use super::scripts::minor_gc;
use super::simulation::{MS, Simulation, US};
use crate::firefox::Category;
use crate::json::Nanos;
use crate::random::pick;

/// Names, types and values of the preferences to read.
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

/// Posts the background tasks.
pub(super) fn begin(sim: &mut Simulation) {
    preferences(sim, ThreadRole::Parent, Nanos(6 * MS), 22);
    preferences(sim, ThreadRole::Content, Nanos(150 * MS), 30);
    timers(sim);
    parent_tasks(sim);
    collections(sim);
    sim.post(ThreadRole::Content, Nanos(1_960 * MS), |sim, start| {
        sim.stack_interval(ThreadRole::Content, start, 3_300 * US, "Idle task", Category::Idle);
        3_300 * US
    });
}

fn preferences(sim: &mut Simulation, thread: ThreadRole, from: Nanos, count: u64) {
    let mut at = from;
    for number in 0..count {
        at = at.plus(sim.random_us(20, 800));
        let (name, kind, value) = pick(&PREFERENCES, number * 7);
        sim.post(thread, at, move |sim, start| {
            let payload = Payload::new("Preference")
                .text("prefName", name)
                .text("prefKind", "User")
                .text("prefType", kind)
                .text("prefValue", value);
            sim.instant(thread, start, "Preference Read", Category::Other, payload);
            2 * US
        });
    }
}

fn timers(sim: &mut Simulation) {
    const NAMES: [(&str, u64, bool); 5] = [
        ("nsHttpConnectionMgr", 1_000, true),
        ("CaptivePortalService", 600, false),
        ("CCGCScheduler::EnsureGCRunner", 160, false),
        ("IdleRunnableWrapper::SetTimer", 90, true),
        ("SessionStore._saveDelayed", 320, false),
    ];
    for number in 0..26 {
        let (name, delay, is_canceled) = pick(&NAMES, number);
        let start = Nanos((15 + number * 61) * MS).plus(sim.random_us(0, 900));
        let end = Nanos(start.plus(delay * MS).0.min(LENGTH.0 - MS));
        let payload = Payload::new("AddRemoveTimer")
            .text("name", name)
            .number("delay", delay)
            .number("threadId", ThreadRole::Parent.tid());
        sim.instant(ThreadRole::ParentTimer, start, "AddTimer", Category::Other, payload);
        let payload = Payload::new("Timer")
            .number("delay", delay)
            .with("ttype", Value::Unique("One shot low priority".to_owned()))
            .with("canceled", Value::Flag(is_canceled));
        sim.interval(ThreadRole::ParentTimer, start, end.0 - start.0, name, Category::Timer, payload);
        if !is_canceled && end.0 < LENGTH.0 - 2 * MS {
            let to = (ThreadRole::Parent, end.plus(40 * US));
            sim.dispatch((ThreadRole::ParentTimer, end), to, "nsTimerEvent", None, move |sim, start, _| {
                let length = sim.random_us(60, 400);
                sim.text_interval(ThreadRole::Parent, start, length, "NotifyObservers", Category::Other, name);
                length
            });
        }
    }
}

/// Posts small tasks of the browser's own window, and telemetry.
fn parent_tasks(sim: &mut Simulation) {
    const TOPICS: [&str; 4] =
        ["http-on-modify-request", "http-on-examine-response", "browser-delayed-startup", "sessionstore-state-write"];
    for number in 0..24 {
        let at = Nanos((20 + number * 97) * MS).plus(sim.random_us(0, 2_000));
        let from = (ThreadRole::IpcParent, at.minus(200 * US));
        sim.dispatch(from, (ThreadRole::Parent, at), "nsObserverService", None, move |sim, start, _| {
            let length = sim.random_us(120, 900);
            sim.text_interval(
                ThreadRole::Parent,
                start,
                length,
                "NotifyObservers",
                Category::Other,
                pick(&TOPICS, number),
            );
            let payload = Payload::new("Hist")
                .with("id", Value::Unique("HTTP_PAGE_TLS_HANDSHAKE".to_owned()))
                .number("val", 27 + number);
            sim.instant(ThreadRole::Parent, start.plus(length / 3), "Histogram::Add", Category::Telemetry, payload);
            if number % 6 == 4 {
                minor_gc(sim, ThreadRole::Parent, start.plus(length / 2), length / 4);
            }
            length
        });
    }
    sim.post(ThreadRole::Parent, Nanos(1_140 * MS), |sim, start| {
        sim.text_interval(ThreadRole::Parent, start, 6_400 * US, "nsCycleCollector", Category::Gc, "forget skippable");
        6_400 * US
    });
}

/// Posts an incremental garbage collection of the page's objects, in slices.
fn collections(sim: &mut Simulation) {
    for slice in 0..4 {
        let at = Nanos((818 + slice * 34) * MS);
        let to = (ThreadRole::Content, at.plus(90 * US));
        sim.dispatch((ThreadRole::ContentTimer, at), to, "IdleTaskRunner", None, move |sim, start, _| {
            let length = sim.random_us(2_800, 1_500);
            let timings = format!(
                r#"{{"slice":{slice},"reason":"INTER_SLICE_GC","pause":{:.3},"budget":"5ms"}}"#,
                length as f64 / 1e6
            );
            sim.interval(
                ThreadRole::Content,
                start,
                length,
                "GCSlice",
                Category::Gc,
                Payload::new("GCSlice").with("timings", Value::Json(timings)),
            );
            sim.memory.push((start.plus(length), -2_400_000, 1));
            length
        });
    }
}

/// Adds the counters after the simulation has ended.
pub(super) fn end(sim: &mut Simulation) {
    let mut memory = std::mem::take(&mut sim.memory);
    memory.extend((0..96).map(|number| (Nanos(number * 25 * MS), 60_000 + sim.random.below(90_000).cast_signed(), 40)));
    memory.push((Nanos(0), 48_300_000, 1));
    let bytes_received = std::mem::take(&mut sim.bytes_received);
    sim.counter(3, ["malloc", "Memory", "Amount of allocated memory"], sorted(memory));
    sim.counter(0, ["Bandwidth", "Bandwidth", "Amount of data transferred"], sorted(bytes_received));
}

fn sorted(mut samples: CounterSamples) -> CounterSamples {
    samples.sort_by_key(|sample| sample.0);
    samples
}
