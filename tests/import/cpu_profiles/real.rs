//! Real recordings and small cases, compared with the engine of Chrome DevTools.

use std::collections::BTreeMap;
use std::path::Path;

use flowline::profile::samples::NONE;
use flowline::profile::{Ns, Profile, Thread};
use serde_json::Value;

use super::samples;
use crate::chrome::real_content;
use crate::recording::real::{list, open, shared};

/// The engine computes in floating-point milliseconds.
const TOLERANCE: i64 = 2000;

#[test]
fn samples_and_calls_of_real_recordings_match_devtools() {
    let names = [
        "chrome-65-simple.cpuprofile",
        "chrome-69-simple.json",
        "chromium-156-2s.json",
        "devtools-web-dev.json",
        "rec-a-annotated.json",
    ];
    for name in names {
        let facts = format!("cases/real/{}-devtools.expected.json", name.split('.').next().unwrap_or_default());
        if let Some((file, facts)) = shared(&format!("traces/{name}.gz")).zip(shared(&facts)) {
            compare(&file, &facts);
        }
    }
}

#[test]
fn samples_and_calls_of_small_cases_match_devtools() {
    let Some(folder) = shared("cases/devtools") else { return };
    let mut count = 0;
    for entry in std::fs::read_dir(&folder).expect("a folder") {
        let file = entry.expect("an entry").path();
        let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let Some(stem) = name.strip_suffix(".json").or(name.strip_suffix(".cpuprofile")) else { continue };
        let facts = folder.join(format!("{stem}-devtools.expected.json"));
        if facts.exists() {
            compare(&file, &facts);
            count += 1;
        }
    }
    assert!(count > 0);
}

fn compare(file: &Path, facts: &Path) {
    let profile = open(file).expect("readable");
    let facts: Value = serde_json::from_slice(&real_content(facts)).expect("the facts are JSON");
    for fact in list(&facts, "samples") {
        let text = |key: &str| fact[key].to_string();
        let of_thread = |(id, thread): &(_, &Thread)| {
            profile.process_of(*id).pid == text("pid") && thread.tid == text("tid") && thread.samples.is_some()
        };
        let (_, thread) = profile.threads_with_ids().find(of_thread).expect("the thread has samples");
        let differences = differences(&profile, thread, fact);
        assert!(differences.is_empty(), "{} {}: {differences:#?}", file.display(), thread.tid);
    }
}

fn ns(us: &Value) -> i64 {
    Ns::from_ms(us.as_f64().expect("a number") / 1000.0).expect("in range").0
}

/// All differences, one per line.
#[derive(Default)]
struct Differences(Vec<String>);

impl Differences {
    fn expect(&mut self, what: &str, expected: &Value, found: &Value) {
        if expected != found {
            self.0.push(format!("{what}: expected {expected}, found {found}"));
        }
    }

    /// Compares a sum of `count` times.
    fn expect_time(&mut self, what: &str, expected: &Value, found: i64, count: usize) {
        if !is_near(ns(expected), found, count) {
            self.0.push(format!("{what}: expected {}, found {found}", ns(expected)));
        }
    }
}

fn is_near(expected: i64, found: i64, count: usize) -> bool {
    (expected - found).abs() <= TOLERANCE * i64::try_from(count.max(1)).unwrap_or(1)
}

fn differences(profile: &Profile, thread: &Thread, fact: &Value) -> Vec<String> {
    let mut found = Differences::default();
    compare_samples(profile, thread, &fact["profile"], &mut found);
    compare_calls(profile, thread, fact, &mut found);
    found.0
}

fn compare_samples(profile: &Profile, thread: &Thread, facts: &Value, found: &mut Differences) {
    let table = &samples(thread).cpu;
    found.expect("samples", &facts["samples"], &table.len().into());
    let mut kinds: BTreeMap<&str, u64> = BTreeMap::new();
    for sample in 0..table.len() {
        let kind = match table.stack(sample) {
            None => "unknown",
            Some(stack) => match profile.stacks.name(profile.stacks.func(stack)) {
                special @ ("(program)" | "(idle)" | "(garbage collector)") => special,
                _ => "js",
            },
        };
        *kinds.entry(kind).or_default() += 1;
    }
    found.expect("kinds of samples", &facts["sampleKinds"], &serde_json::to_value(kinds).expect("JSON"));
    for (expected, time) in list(facts, "firstSampleTimes_us").iter().zip(&table.time) {
        found.expect_time("first samples", expected, time.0, 1);
    }
    // The last time is the end of the last sample.
    let last = list(facts, "lastSampleTimes_us").split_last().map_or(&[][..], |(_, others)| others);
    for (expected, time) in last.iter().rev().zip(table.time.iter().rev()) {
        found.expect_time("last samples", expected, time.0, 1);
    }
}

fn compare_calls(profile: &Profile, thread: &Thread, fact: &Value, found: &mut Differences) {
    let calls = samples(thread).calls.as_ref().expect("calls");
    found.expect("calls", &fact["profileCalls"], &calls.len().into());
    // For calls without length, the engine uses the depth in their stack.
    if fact["zeroDuration"] == 0 {
        let depth = calls.depth.iter().max().map_or(0, |depth| depth + 1);
        found.expect("depth of calls", &fact["maxCallDepth"], &depth.into());
    }
    let length = |call: usize| (calls.end[call] - calls.start[call]).0;
    let total: i64 = (0..calls.len()).map(length).sum();
    found.expect_time("sum of durations", &fact["sumDurations_us"], total, calls.len() / 50);
    let stacks = &profile.stacks;
    let is_function = |call: usize, wanted: &Value| {
        let func = stacks.func(calls.stack[call]);
        let of_func = &stacks.funcs[func.index()];
        let place = |number: u32| if number == NONE { -1 } else { i64::from(number) };
        stacks.name(func) == wanted["functionName"]
            && stacks.file(func) == wanted["url"]
            && place(of_func.line) == wanted["lineNumber"]
            && place(of_func.column) == wanted["columnNumber"]
    };
    for wanted in list(fact, "byFunction") {
        let own: Vec<usize> = (0..calls.len()).filter(|call| is_function(*call, wanted)).collect();
        let time: i64 = own.iter().map(|call| length(*call)).sum();
        let what = format!("{} {}:{}", wanted["functionName"], wanted["url"], wanted["lineNumber"]);
        found.expect_time(&what, &wanted["total_us"], time, own.len());
        found.expect(&what, &wanted["count"], &own.len().into());
    }
    for wanted in list(fact, "random") {
        let sample = |call: usize| if calls.sample[call] == NONE { -1 } else { i64::from(calls.sample[call]) };
        let is_same = |call: usize| {
            is_near(ns(&wanted["ts_us"]), calls.start[call].0, 1)
                && is_near(ns(&wanted["dur_us"]), length(call), 2)
                && is_function(call, wanted)
                && wanted["callDepth"] == calls.depth[call]
                && wanted["sampleIndex"] == sample(call)
        };
        if !(0..calls.len()).any(is_same) {
            found.0.push(format!("no call {wanted}"));
        }
    }
}
