//! Samples and stacks of real recordings and of small cases, compared with the Firefox Profiler's own code.
//!
//! If these are missing, each test prints a notice and checks its own recording instead.

use std::path::PathBuf;

use crate::firefox_samples::{raw, raw_thread};
use crate::recording::read;
use crate::recording::real::{by_key, list, ns, open, shared, thread_of};
use crate::stacks::{frames, samples_of};
use flowline::index::samples::cpu;
use flowline::profile::samples::NONE;
use flowline::profile::{CpuUnit, LocalMarker, Ns, Profile, SampleTable, StackId, Thread, ThreadId};
use serde_json::{Value, json};

/// Recordings, and names of their reference results.
const RECORDINGS: [(&str, &str); 5] = [
    ("firefox-153-raw-1s.json.gz", "firefox-1s"),
    ("firefox-153-processed-1s.json.gz", "firefox-1s"),
    ("vernier-gvl_sleep.json", "vernier-gvl_sleep"),
    ("jfrtofp-flight_marker_track.json.gz", "jfrtofp-flight_marker_track"),
    ("samply-flow-marker-v66.json", "samply-flow-marker-v66"),
];

/// Calls `check` for every available recording with its reference results; calls `own` if there is none.
fn for_each_recording(check: impl Fn(&str, &Profile, &Value), own: impl Fn()) {
    let mut found = false;
    for (file, name) in RECORDINGS {
        let facts: Option<PathBuf> = shared(&format!("cases/real/{name}-samples.expected.json"));
        let Some((facts, file)) = facts.zip(shared(&format!("profiles/{file}"))) else { continue };
        let facts = serde_json::from_slice(&std::fs::read(facts).expect("readable")).expect("JSON");
        let profile = open(&file).expect("a recording");
        found = true;
        check(&file.display().to_string(), &profile, &facts);
    }
    if !found {
        own();
    }
}

fn own_recording() -> Profile {
    read(&raw(vec![raw_thread(
        &json!([[2, 1, 0, null, 9], [0, 2, 0, null, 500], [null, 3, 0, null, 250]]),
        &json!([]),
    )]))
}

fn cpu_table(thread: &Thread) -> SampleTable {
    thread.samples.as_ref().map_or_else(SampleTable::default, |samples| samples.cpu.clone())
}

/// Compares times. The reference uses floats of milliseconds.
fn same_time(own: Option<Ns>, reference: &Value) -> bool {
    match (own, ns(reference)) {
        (Some(own), Some(reference)) => (own.0 - reference.0).abs() <= 1500,
        (own, reference) => own == reference,
    }
}

/// CPU units of all samples after the first.
fn sum(table: &SampleTable) -> u64 {
    (1..table.len()).filter_map(|sample| table.cpu_delta(sample)).sum()
}

/// Distinct stacks of samples as lists of functions, and the number of functions on them.
fn distinct(profile: &Profile, table: &SampleTable) -> (usize, usize) {
    let tables = &profile.stacks;
    let mut funcs = std::collections::BTreeSet::new();
    let paths: std::collections::BTreeSet<Vec<u32>> = (0..table.len())
        .filter_map(|sample| table.stack(sample))
        .map(|stack| tables.walk(stack).map(|stack| tables.func(stack).0).collect())
        .collect();
    paths.iter().for_each(|path| funcs.extend(path.iter().copied()));
    (paths.len(), funcs.len())
}

#[test]
fn counts_match_on_every_thread() {
    let check = |name: &str, profile: &Profile, facts: &Value| {
        let keys = by_key(profile);
        for wanted in list(facts, "threads") {
            let key = &wanted["key"];
            let thread = profile.thread(thread_of(&keys, key));
            let table = cpu_table(thread);
            let nulls = table.stack.iter().filter(|stack| **stack == NONE).count();
            assert_eq!(json!([table.len(), nulls]), json!([wanted["samples"], wanted["nullStacks"]]), "{name} {key}");
            assert!(same_time(table.time.first().copied(), &wanted["first"]), "{name} {key}");
            assert!(same_time(table.time.last().copied(), &wanted["last"]), "{name} {key}");
            let weight: f64 = (0..table.len()).map(|sample| table.weight(sample)).sum();
            assert_eq!(Some(weight), wanted["weightSum"].as_f64(), "{name} {key}");
            assert_eq!(table.weight_unit.name(), wanted["weightType"], "{name} {key}");
            if !table.is_empty() {
                assert_eq!(table.has_cpu_deltas(), !wanted["cpuDeltaSum"].is_null(), "{name} {key}");
                assert_eq!(sum(&table), wanted["cpuDeltaSum"].as_u64().unwrap_or(0), "{name} {key}");
            }
            if table.has_cpu_deltas() {
                let nulls = (0..table.len()).filter(|sample| table.cpu_delta(*sample).is_none()).count();
                assert_eq!(json!(nulls), wanted["cpuDeltaNulls"], "{name} {key}");
                let reference = cpu::reference_per_ms(profile).expect("a unit");
                assert_eq!(Some(reference), facts["referenceCPUDeltaPerMs"].as_f64(), "{name}");
                let all = as_in_firefox(&table, cpu::per_cent(&table, reference).expect("CPU times"));
                let sum: u32 = all.iter().map(|per_cent| u32::from(*per_cent)).sum();
                assert_eq!(json!(sum), wanted["cpuPercentSum"], "{name} {key}");
            }
            let depth = |sample| table.stack(sample).map_or(0, |stack| profile.stacks.walk(stack).count());
            assert_eq!(json!((0..table.len()).map(depth).max().unwrap_or(0)), wanted["maxDepth"], "{name} {key}");
            let (paths, funcs) = distinct(profile, &table);
            assert_eq!(
                json!([paths, funcs]),
                json!([wanted["distinctCallPaths"], wanted["distinctFuncs"]]),
                "{name} {key}"
            );
            let of_markers = thread.samples.as_ref().map_or(0, |samples| samples.marker_stacks.marker.len());
            assert_eq!(json!(of_markers), wanted["markersWithStack"], "{name} {key}");
            for (own, wanted) in thread.samples.iter().flat_map(|samples| {
                [(&samples.js_allocations, "jsAllocations"), (&samples.native_allocations, "nativeAllocations")]
                    .map(|(table, key)| (table, &wanted[key]))
            }) {
                assert_eq!(own.len() as u64, wanted["count"].as_u64().unwrap_or(0), "{name} {key}");
                let bytes: f64 = own.weight.iter().sum();
                assert_eq!(bytes, wanted["bytes"].as_f64().unwrap_or(0.0), "{name} {key}");
            }
        }
    };
    for_each_recording(check, || {
        let profile = own_recording();
        let table = &samples_of(&profile, 0).cpu;
        assert_eq!((table.len(), sum(table), distinct(&profile, table)), (3, 750, (2, 3)));
        assert_eq!(profile.meta.cpu_unit, Some(CpuUnit::Microseconds));
        assert_eq!(cpu::per_cent(table, 1000.0), Some(vec![0, 50, 25, 0]));
    });
}

/// The reason why frames differ from the reference; `None` if they are equal.
fn difference(profile: &Profile, stack: StackId, wanted: &[Value]) -> Option<String> {
    let own = frames(profile, stack);
    if own.len() != wanted.len() {
        return Some(format!("{} frames, not {}", own.len(), wanted.len()));
    }
    let keys = ["function", "file", "line", "column", "isJS", "relevantForJS", "address", "inlineDepth"];
    own.iter().zip(wanted).find_map(|(own, wanted)| {
        let mut differing: Vec<&str> = keys.into_iter().filter(|key| own[*key] != wanted[*key]).collect();
        // In the reference environment, add-on URLs have no origin.
        if own["resource"] != wanted["resource"] && wanted["resource"] != "null" {
            differing.push("resource");
        }
        let category = usize::try_from(own["category"].as_u64().expect("a number")).expect("small");
        if category >= profile.categories.len() || own["category"] != wanted["category"] {
            differing.push("category");
        }
        (!differing.is_empty()).then(|| format!("{differing:?}: {own} {wanted}"))
    })
}

#[test]
fn random_samples_match() {
    let check = |name: &str, profile: &Profile, facts: &Value| {
        let keys = by_key(profile);
        for busy in list(facts, "busiest") {
            let table = &cpu_table(profile.thread(thread_of(&keys, &busy["key"])));
            for wanted in list(busy, "randomSamples") {
                let sample = usize::try_from(wanted["sample"].as_u64().expect("a number")).expect("small");
                assert!(same_time(Some(table.time[sample]), &wanted["time"]), "{name} {}", busy["key"]);
                let stack = table.stack(sample).expect("a stack");
                assert_eq!(json!(profile.stacks.category[stack.index()]), wanted["category"], "{name}");
                assert_eq!(difference(profile, stack, list(wanted, "frames")), None, "{name} {} {sample}", busy["key"]);
            }
        }
    };
    for_each_recording(check, || {
        let profile = own_recording();
        let stack = samples_of(&profile, 0).cpu.stack(0).expect("a stack");
        assert_eq!(frames(&profile, stack).len(), 3);
    });
}

/// The Firefox Profiler draws unknown CPU use as full; here it is a gap.
fn as_in_firefox(table: &SampleTable, mut per_cent: Vec<u8>) -> Vec<u8> {
    for sample in (1..table.len()).filter(|sample| table.cpu_delta(*sample).is_none()) {
        per_cent[sample] = 100;
    }
    per_cent
}

#[test]
fn cpu_use_and_category_weights_match() {
    let check = |name: &str, profile: &Profile, facts: &Value| {
        let keys = by_key(profile);
        for busy in list(facts, "busiest") {
            let table = &cpu_table(profile.thread(thread_of(&keys, &busy["key"])));
            if let Some(random) = busy.get("cpuPercent").filter(|facts| facts.is_object()) {
                let reference = cpu::reference_per_ms(profile).expect("a unit");
                let all = as_in_firefox(table, cpu::per_cent(table, reference).expect("CPU times"));
                for wanted in list(random, "random") {
                    let sample = usize::try_from(wanted[0].as_u64().expect("a number")).expect("small");
                    let delta = table.cpu_delta(sample);
                    let reference = wanted[3].as_f64().map(f64::round);
                    #[expect(clippy::cast_precision_loss, reason = "small numbers")]
                    let own = delta.map(|delta| delta as f64);
                    assert_eq!((json!(all[sample]), own), (wanted[2].clone(), reference), "{name} {wanted}");
                }
            }
            let mut weights = std::collections::BTreeMap::<(String, String), f64>::new();
            for sample in 0..table.len() {
                let Some(stack) = table.stack(sample) else { continue };
                let category = &profile.categories[usize::from(profile.stacks.category[stack.index()])];
                let sub = usize::from(profile.stacks.subcategory[stack.index()]);
                let sub = category.subcategories.get(sub).cloned().unwrap_or_default();
                *weights.entry((category.name.clone(), sub)).or_default() += table.weight(sample);
            }
            let sums = list(&busy["categories"], "sums");
            assert_eq!(weights.len(), sums.len(), "{name} {weights:?}");
            for sum in sums {
                let text = |key: &str| sum[key].as_str().unwrap_or_default().to_owned();
                let own = weights.get(&(text("category"), text("subcategory")));
                assert_eq!(own.copied(), sum["weight"].as_f64(), "{name} {sum}");
            }
        }
    };
    for_each_recording(check, || {
        let profile = own_recording();
        assert_eq!(cpu::reference_per_ms(&profile), Some(1000.0));
    });
}

#[test]
fn stacks_of_random_markers_match() {
    let check = |name: &str, profile: &Profile, facts: &Value| {
        let keys = by_key(profile);
        for wanted in list(facts, "randomMarkersWithStack") {
            let id = thread_of(&keys, &wanted["thread"]);
            let thread = profile.thread(id);
            let start = ns(&wanted["start"]).expect("a start");
            let near = |marker: &LocalMarker| (thread.markers.start(*marker).0 - start.0).abs() <= 1500;
            let candidates = (0..thread.markers.len()).map(LocalMarker::new).filter(near);
            let mut reasons = Vec::new();
            let found = candidates.filter(|marker| profile.marker_name(id, *marker) == wanted["name"]).any(|marker| {
                let Some((stack, time)) = samples_of(profile, id.index()).marker_stacks.get(marker) else {
                    return false;
                };
                // Times since 1970 in milliseconds are exact only to a microsecond.
                let is_async = time.is_some_and(|time| time + Ns(1000) < thread.markers.start(marker));
                let reason = difference(profile, stack, list(wanted, "frames"))
                    .or_else(|| (!same_time(time, &wanted["stackTime"])).then(|| format!("{time:?}")))
                    .or_else(|| (json!(is_async) != wanted["async"]).then(|| "async".into()));
                let same = reason.is_none();
                reasons.extend(reason);
                same
            });
            assert!(found, "{name} {} {} {}: {reasons:?}", wanted["thread"], wanted["name"], wanted["start"]);
        }
    };
    for_each_recording(check, || assert!(samples_of(&own_recording(), 0).marker_stacks.marker.is_empty()));
}

#[test]
fn raw_and_processed_form_have_the_same_samples() {
    let find = |form: &str| shared(&format!("profiles/firefox-153-{form}-1s.json.gz"));
    let Some((raw, processed)) = find("raw").zip(find("processed")) else {
        assert!(own_recording().is_consistent());
        return;
    };
    let (raw, processed) = (open(&raw).expect("readable"), open(&processed).expect("readable"));
    assert_eq!(raw.stacks.funcs.len(), processed.stacks.funcs.len());
    let names = |profile: &Profile| -> Vec<String> {
        let all = (0..profile.stacks.funcs.len()).map(flowline::profile::FuncId::new);
        all.map(|func| profile.stacks.name(func).to_owned()).collect()
    };
    assert_eq!(names(&raw), names(&processed), "functions have the same numbers");
    let keys = by_key(&processed);
    let facts = |profile: &Profile, stack: Option<StackId>| -> Vec<Value> {
        let plain = |mut frame: Value| {
            // In the reference environment, add-on URLs have no origin.
            if frame["resource"].as_str().is_some_and(|name| name == "null" || name.starts_with("moz-extension:")) {
                frame["resource"] = Value::Null;
            }
            frame
        };
        stack.map_or_else(Vec::new, |stack| frames(profile, stack).into_iter().map(plain).collect())
    };
    for (key, id) in by_key(&raw) {
        let other: ThreadId = keys[&key];
        let (Some(a), Some(b)) = (&raw.thread(id).samples, &processed.thread(other).samples) else {
            assert!(raw.thread(id).samples.is_none() && processed.thread(other).samples.is_none(), "{key}");
            continue;
        };
        let close = |a: &[Ns], b: &[Ns]| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a.0 - b.0).abs() <= 1500);
        assert!(close(&a.cpu.time, &b.cpu.time), "{key}");
        for sample in 0..a.cpu.len() {
            assert_eq!(a.cpu.cpu_delta(sample), b.cpu.cpu_delta(sample), "{key} {sample}");
        }
        for sample in (0..a.cpu.len()).step_by(97) {
            assert_eq!(facts(&raw, a.cpu.stack(sample)), facts(&processed, b.cpu.stack(sample)), "{key} {sample}");
        }
        assert_eq!(a.marker_stacks.marker, b.marker_stacks.marker, "{key}");
        assert!(close(&a.marker_stacks.time, &b.marker_stacks.time), "{key}");
        for (one, two) in a.marker_stacks.stack.iter().zip(&b.marker_stacks.stack).step_by(23) {
            assert_eq!(facts(&raw, Some(*one)), facts(&processed, Some(*two)), "{key}");
        }
    }
}

#[test]
fn small_cases_match() {
    let Some(folder) = shared("cases/samples") else {
        return assert_eq!(samples_of(&own_recording(), 0).cpu.len(), 3);
    };
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|end| end != "json") {
            continue;
        }
        let case: Value = serde_json::from_slice(&std::fs::read(&path).expect("readable")).expect("JSON");
        let (name, profile) = (&case["id"], read(&case["input"]["profile"]));
        for wanted in list(&case["expected"], "threads") {
            let thread = usize::try_from(wanted["thread"].as_u64().expect("a number")).expect("small");
            let table = cpu_table(&profile.threads[thread]);
            let times: Vec<Value> = table.time.iter().map(|time| json!(time.as_ms())).collect();
            let reference: Vec<Value> = list(wanted, "timesMs").iter().map(|time| json!(time.as_f64())).collect();
            assert_eq!(times, reference, "{name}");
            let nulls = table.stack.iter().filter(|stack| **stack == NONE).count();
            assert_eq!(json!([table.len(), nulls]), json!([wanted["samples"], wanted["nullStacks"]]), "{name}");
            let weight: f64 = (0..table.len()).map(|sample| table.weight(sample)).sum();
            assert_eq!(Some(weight), wanted["weightSum"].as_f64(), "{name}");
            let per_cent = cpu::reference_per_ms(&profile).and_then(|reference| cpu::per_cent(&table, reference));
            let per_cent = per_cent.map(|per_cent| as_in_firefox(&table, per_cent));
            assert_eq!(json!(per_cent), wanted["cpuPercent"], "{name}");
            for (sample, stack) in list(wanted, "stacks").iter().enumerate() {
                match stack {
                    Value::Null => assert_eq!(table.stack(sample), None, "{name}"),
                    stack => {
                        let frames = stack.as_array().expect("frames");
                        assert_eq!(difference(&profile, table.stack(sample).expect("a stack"), frames), None, "{name}");
                    }
                }
            }
            for wanted in wanted.get("markersWithStack").and_then(Value::as_array).into_iter().flatten() {
                let stacks = &samples_of(&profile, thread).marker_stacks;
                let found = stacks.marker.iter().any(|marker| {
                    let (stack, time) = stacks.get(*marker).expect("a stack");
                    profile.marker_name(ThreadId::new(thread), *marker) == wanted["name"]
                        && same_time(time, &wanted["stackTime"])
                        && difference(&profile, stack, list(wanted, "frames")).is_none()
                });
                assert!(found, "{name} {wanted}");
            }
        }
    }
}
