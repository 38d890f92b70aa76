//! Real recordings, compared with reference results of another program (the Firefox Profiler's own code).
//!
//! If the recordings are missing, each test prints a notice and runs the same comparison on its own small recording.
//!
//! Intentional differences: IPC messages with reused sequence numbers (the reference mixes two uses), Start/End pairs
//! with different flows (47), and the "Jank" markers that the reference generates from samples.

#![expect(clippy::print_stdout, reason = "reports missing files and the number of matches")]

use std::collections::BTreeMap;
use std::path::Path;

use crate::recording::real::{self, by_key, list, ns, open, shared, thread_of};
use crate::recording::{self, Recording, Track, closing, instant, interval, opening};
use flowline::import::ImportError;
use flowline::index::FlowGraph;
use flowline::index::search::{Hits, Query, run};
use flowline::index::{GroupKind, ThreadRows};
use flowline::profile::{Arrangement, LocalMarker, MarkerFlags, Ns, Profile, Thread, ThreadId};
use serde_json::{Value, json};

fn both_forms() -> &'static (Profile, Profile) {
    real::both_forms(own_recording)
}

fn expected(name: &str) -> Option<(Value, &'static Profile)> {
    Some((real::expected(name)?, &both_forms().0))
}

fn own_recording() -> Recording {
    let rows = vec![interval("Styles", 1.0, 2.0).of(4), instant("Log", 1.5), opening("Run", 3.0), closing("Run", 4.25)];
    let mut own = Recording::of(rows);
    own.starts.push(1812.5);
    own.tracks.push(Track { name: "Child".into(), process: 1, samples: vec![0.0], rows: vec![opening("Open", 0.5)] });
    own
}

fn is_ipc(profile: &Profile, thread: &Thread, marker: LocalMarker) -> bool {
    let kind = thread.markers.kind(marker).and_then(|kind| profile.types.get(kind));
    kind.is_some_and(|kind| profile.strings.get(kind.name) == "IPC")
}

/// Counts of a set of markers: all, instants, incomplete, total length in nanoseconds.
fn facts(thread: &Thread, markers: impl Iterator<Item = LocalMarker>) -> (u64, u64, u64, i64) {
    markers.fold((0, 0, 0, 0), |(count, instants, incomplete, sum), marker| {
        let flags = thread.markers.flags(marker);
        let length = thread.markers.end(marker) - thread.markers.start(marker);
        let one = |flag: MarkerFlags| u64::from(flags.has(flag));
        (count + 1, instants + one(MarkerFlags::INSTANT), incomplete + one(MarkerFlags::INCOMPLETE), sum + length.0)
    })
}

fn all(thread: &Thread) -> impl Iterator<Item = LocalMarker> + use<> {
    (0..thread.markers.len()).map(LocalMarker::new)
}

/// Sums in the reference are floats over many markers: equal to a microsecond.
fn close(sum_ns: i64, ms: &Value) -> bool {
    (Ns(sum_ns).as_ms() - ms.as_f64().expect("a sum")).abs() < 1e-3
}

#[test]
fn raw_and_processed_form_are_equal() {
    let (raw, processed) = both_forms();
    assert_eq!(raw.threads.len(), processed.threads.len());
    assert_eq!((raw.meta.range, raw.meta.interval), (processed.meta.range, processed.meta.interval));
    let keys = by_key(processed);
    for (key, id) in by_key(raw) {
        let other = keys[&key];
        let (a, b) = (raw.thread(id), processed.thread(other));
        assert_eq!((a.markers.len(), a.raw_markers), (b.markers.len(), b.raw_markers), "{key}");
        assert!(a.markers.times().ranges().eq(b.markers.times().ranges()), "{key}");
        let flags = |thread: &Thread| thread.markers.attributes().iter().map(|own| own.flags).collect::<Vec<_>>();
        assert_eq!(flags(a), flags(b), "{key}");
        for marker in all(a) {
            let what = |profile: &Profile, id: ThreadId| {
                let markers = &profile.thread(id).markers;
                let category = profile.category_name(markers.category(marker)).to_owned();
                (profile.marker_name(id, marker).to_owned(), category, plain(&payload(profile, id, marker)))
            };
            let (one, two) = (what(raw, id), what(processed, other));
            // The Firefox Profiler rewrites garbage collector statistics when it processes a profile.
            let rewritten = one.2["type"].as_str().is_some_and(|kind| kind.starts_with("GC"));
            assert!(
                (&one.0, &one.1) == (&two.0, &two.1) && (rewritten || one.2 == two.2),
                "{key} {marker:?}: {one:?} {two:?}"
            );
        }
    }
}

/// A payload as plain JSON with resolved strings and numbers as floats, without stacks.
fn payload(profile: &Profile, thread: ThreadId, marker: LocalMarker) -> Value {
    let mut text = String::new();
    profile.payload_resolved(thread, marker).to_json(&mut text);
    serde_json::from_str(&text).expect("JSON")
}

/// Members of the reference that Flowline omits (stacks, tids and thread names of a message, its raw phase), and the
/// pid, which is a number in raw profiles and text in processed ones.
const LEFT_OUT: [&str; 11] = [
    "cause",
    "stack",
    "phase",
    "otherPid",
    "sendTid",
    "recvTid",
    "sendThreadName",
    "recvThreadName",
    "niceDirection",
    "sender",
    "receiver",
];

fn plain(value: &Value) -> Value {
    match value {
        // Flowline uses whole nanoseconds; in the reference, times of child processes are sums of floats.
        Value::Number(number) => json!(number.as_f64().map(|number| (number * 1e6).round() / 1e6)),
        Value::Array(items) => items.iter().map(plain).collect(),
        Value::Object(members) => {
            let shown = members.iter().filter(|(key, _)| !LEFT_OUT.contains(&key.as_str()));
            shown.map(|(key, value)| (key.clone(), plain(value))).collect::<serde_json::Map<_, _>>().into()
        }
        other => other.clone(),
    }
}

#[test]
fn threads_and_counts_match() {
    let Some((expected, profile)) = expected("firefox-1s") else { return own_counts() };
    let keys = by_key(profile);
    assert_eq!(keys.len(), list(&expected, "threads").len());
    for facts_of in list(&expected, "threads") {
        let id = thread_of(&keys, &facts_of["key"]);
        let thread = profile.thread(id);
        let without = &facts_of["withoutIpcCorrelations"];
        let (count, instants, incomplete, sum) =
            facts(thread, all(thread).filter(|marker| !is_ipc(profile, thread, *marker)));
        let key = &facts_of["key"];
        assert_eq!(json!(thread.raw_markers), facts_of["rawMarkers"], "{key}");
        assert_eq!(
            json!([count, instants, incomplete]),
            json!([without["count"], without["instants"], without["incomplete"]]),
            "{key}"
        );
        assert!(close(sum, &without["sumDurationMs"]), "{key}: {sum} {without}");
        assert_eq!(thread.markers.times().starts().next(), ns(&facts_of["minStart"]), "{key}");
        let ipc = all(thread).filter(|marker| is_ipc(profile, thread, *marker)).count() as u64;
        assert!(ipc >= facts_of["ipcMarkers"].as_u64().expect("a count"), "{key}: no message is missing");
    }
    let global = &expected["global"];
    let (start, end) = (profile.meta.range.start, profile.meta.range.end);
    assert_eq!((Some(start), Some(end)), (ns(&global["profilingStartTime"]), ns(&global["profilingEndTime"])));
    assert_eq!(json!(profile.processes.len()), global["processes"]);
}

fn own_counts() {
    let profile = &both_forms().0;
    let thread = &profile.threads[0];
    assert_eq!(facts(thread, all(thread)), (3, 1, 0, 2_250_000));
    let child = &profile.threads[1];
    assert_eq!(facts(child, all(child)), (1, 0, 1, 500_000));
}

#[test]
fn names_and_categories_match() {
    let Some((expected, profile)) = expected("firefox-1s") else {
        let found: Vec<&str> =
            all(&both_forms().0.threads[0]).map(|m| both_forms().0.marker_name(ThreadId(0), m)).collect();
        return assert_eq!(found, ["Styles", "Log", "Run"]);
    };
    let mut by_name: BTreeMap<&str, (u64, u64, i64)> = BTreeMap::new();
    let mut by_category: BTreeMap<&str, u64> = BTreeMap::new();
    for thread in &profile.threads {
        for marker in all(thread).filter(|marker| !is_ipc(profile, thread, *marker)) {
            let (count, instants, _, sum) = facts(thread, std::iter::once(marker));
            let name = by_name.entry(profile.strings.get(thread.markers.name(marker))).or_default();
            *name = (name.0 + instants, name.1 + count - instants, name.2 + sum);
            *by_category.entry(profile.category_name(thread.markers.category(marker))).or_default() += 1;
        }
    }
    let messages = ["IPCIn", "IPCOut", "SyncIPCIn", "SyncIPCOut"];
    for (name, facts) in expected["byName"].as_object().expect("names") {
        let (instants, intervals, sum) = by_name.remove(name.as_str()).unwrap_or_default();
        if !messages.contains(&name.as_str()) {
            assert_eq!(json!([instants, intervals]), json!([facts["instants"], facts["intervals"]]), "{name}");
            assert!(close(sum, &facts["sumDurationMs"]), "{name}: {sum} {facts}");
        }
    }
    assert!(by_name.is_empty(), "names missing from the reference: {by_name:?}");
    let global = &expected["global"];
    for category in list(global, "categories") {
        let found = by_category.get(category["name"].as_str().expect("a name")).copied().unwrap_or(0);
        let ipc = if category["name"] == "IPC" { global["ipcMarkers"].as_u64().expect("a count") } else { 0 };
        assert_eq!(json!(found + ipc), category["markers"], "{}", category["name"]);
    }
}

#[test]
fn complete_markers_match() {
    let Some((expected, profile)) = expected("firefox-1s") else {
        return assert_eq!(payload(&both_forms().0, ThreadId(0), LocalMarker(0)), Value::Null);
    };
    let keys = by_key(profile);
    let undisturbed: Vec<&Value> = list(&expected, "threads")
        .iter()
        .filter(|thread| thread["ipcMarkers"] == 0)
        .map(|thread| &thread["key"])
        .collect();
    let mut missing = Vec::new();
    for wanted in list(&expected, "randomMarkers") {
        let id = thread_of(&keys, &wanted["thread"]);
        let thread = profile.thread(id);
        let start = ns(&wanted["start"]).expect("a start");
        let first = thread.markers.times().partition_point(|time| time < start);
        let same_time =
            (first..thread.markers.len()).take_while(|&index| thread.markers.start(LocalMarker::new(index)) == start);
        let end = |marker: LocalMarker| (!thread.markers.is_instant(marker)).then(|| thread.markers.end(marker));
        let same = |marker: &LocalMarker| {
            profile.marker_name(id, *marker) == wanted["name"]
                && profile.category_name(thread.markers.category(*marker)) == wanted["category"]
                && end(*marker) == ns(&wanted["end"])
                && plain(&payload(profile, id, *marker)) == plain(&wanted["data"])
        };
        match same_time.map(LocalMarker::new).find(same) {
            Some(marker) => {
                let in_order = undisturbed.contains(&&wanted["thread"]);
                assert!(!in_order || wanted["indexInThread"] == json!(marker.0), "{wanted}");
            }
            None => missing.push(wanted),
        }
    }
    assert!(missing.is_empty(), "{missing:#?}");
}

#[test]
fn incomplete_markers_match() {
    let Some((expected, profile)) = expected("firefox-1s") else {
        return assert_eq!(both_forms().0.incomplete_count(), 1);
    };
    let keys = by_key(profile);
    let (mut same, mut completed) = (0, 0);
    for wanted in list(&expected, "incompleteSample") {
        let id = thread_of(&keys, &wanted["thread"]);
        let thread = profile.thread(id);
        let at = |marker: &LocalMarker| Some(thread.markers.start(*marker)) == ns(&wanted["start"]);
        let found: Vec<_> =
            all(thread).filter(at).filter(|marker| profile.marker_name(id, *marker) == wanted["name"]).collect();
        let open = |marker: &&LocalMarker| thread.markers.flags(**marker).has(MarkerFlags::INCOMPLETE);
        match found.iter().find(open) {
            Some(marker) => {
                same += 1;
                assert_eq!(Some(thread.markers.end(*marker)), ns(&wanted["end"]), "{wanted}");
            }
            None => {
                completed += 1;
                assert!(wanted["type"] == "IPC", "{wanted}");
            }
        }
    }
    println!("{same} incomplete markers match; {completed} messages have a partner here");
    let backwards = |thread: &Thread| thread.markers.times().ranges().any(|range| range.end < range.start);
    assert!(!profile.threads.iter().any(backwards), "nothing ends before it starts");
}

#[test]
fn rows_by_name_match() {
    let Some((expected, profile)) = expected("firefox-1s-rows") else {
        let profile = &both_forms().0;
        return assert_eq!(ThreadRows::build(profile, &profile.threads[0], Arrangement::ByName).len(), 3);
    };
    let keys = by_key(profile);
    for wanted in list(&expected, "threads") {
        let thread = profile.thread(thread_of(&keys, &wanted["thread"]));
        let rows = ThreadRows::build(profile, thread, Arrangement::ByName);
        let messages = ["IPCIn", "IPCOut", "SyncIPCIn", "SyncIPCOut"];
        let (mut found, mut internals) = (Vec::new(), BTreeMap::<&str, u64>::new());
        for group in &rows.groups {
            let name = match group.kind {
                GroupKind::Name(name) | GroupKind::Operations(name) => profile.strings.get(name),
                GroupKind::Network => "Network Requests",
                GroupKind::Stack => "Stack",
                GroupKind::Internals => {
                    let markers = rows.markers_in(group).into_iter();
                    let names = markers.map(|marker| profile.strings.get(thread.markers.name(marker)));
                    names.for_each(|name| *internals.entry(name).or_default() += 1);
                    continue;
                }
            };
            if !messages.contains(&name) {
                let range = group.first_row as usize..(group.first_row + group.rows) as usize;
                let sizes: Vec<usize> = range.map(|row| rows.row(row).len()).collect();
                found.push(json!([profile.category_name(group.category), name, sizes]));
            }
        }
        let sum = |row: &Value| row[2].as_array().expect("sizes").iter().filter_map(Value::as_u64).sum::<u64>();
        let reference = list(&wanted["allMarkers"], "rows").iter();
        let reference = reference.filter(|row| !messages.contains(&row["name"].as_str().expect("a name")));
        let reference = reference.map(|row| json!([row["bucket"], row["name"], row["markersPerRow"]]));
        // The reference has no group for bookkeeping.
        let (folded, mut reference): (Vec<Value>, Vec<Value>) =
            reference.partition(|row| internals.contains_key(row[1].as_str().expect("a name")));
        for row in &folded {
            *internals.get_mut(row[1].as_str().expect("a name")).expect("found") -= sum(row);
        }
        assert!(internals.values().all(|left| *left == 0), "{}: {internals:?}", wanted["thread"]);
        // The reference orders its rows by name, not by time.
        let key = |row: &Value| (row[0].to_string(), row[1].to_string());
        found.sort_by_key(key);
        reference.sort_by_key(key);
        assert_eq!(found.len(), reference.len(), "{}", wanted["thread"]);
        for (found, reference) in found.iter().zip(&reference) {
            if found == reference {
                continue;
            }
            // Pairs of overlapping starts with one name: in Flowline both belong to one flow, in the reference not
            // always.
            let name = reference[1].as_str().expect("a name");
            assert!(paired_by_flow(profile, thread, name), "{}: {found} {reference}", wanted["thread"]);
            assert_eq!((&found[0], &found[1], sum(found)), (&reference[0], &reference[1], sum(reference)));
            println!("{}: rows of {name} differ by pairs of different flows", wanted["thread"]);
        }
    }
}

/// True if markers with a name consist of two halves that contain flows.
fn paired_by_flow(profile: &Profile, thread: &Thread, name: &str) -> bool {
    let of_name = |marker: &LocalMarker| profile.strings.get(thread.markers.name(*marker)) == name;
    let by_flow = |marker: LocalMarker| {
        let schema = thread.markers.kind(marker).and_then(|kind| profile.types.schema(kind));
        let halves = thread.markers.begin(marker).is_some();
        halves && schema.is_some_and(|schema| schema.flow_fields().next().is_some())
    };
    all(thread).filter(of_name).any(by_flow)
}

fn hits(profile: &Profile, query: &str) -> Hits {
    run(profile, &FlowGraph::build(profile), &Query::parse(query), &|| true).expect("not canceled")
}

fn count<T>(items: impl Iterator<Item = T>) -> i64 {
    i64::try_from(items.count()).expect("a count")
}

#[test]
fn search_hits_match() {
    let Some((expected, profile)) = expected("firefox-1s-search") else {
        let profile = &both_forms().0;
        return assert_eq!((hits(profile, "styles").total(), hits(profile, "cat:dom").total()), (1, 1));
    };
    // The reference does not search the URLs of pages.
    let profile = &Profile { pages: Vec::new(), ..profile.clone() };
    let keys = by_key(profile);
    let mut exact = 0;
    for wanted in list(&expected, "results") {
        let id = thread_of(&keys, &wanted["thread"]);
        let thread = profile.thread(id);
        let messages = count(all(thread).filter(|marker| is_ipc(profile, thread, *marker)));
        let reference_total = wanted["markersExcludingJank"].as_i64().expect("a count");
        // All other markers match (see `threads_and_counts_match`), so the difference is due to messages.
        let reference_messages = reference_total - (count(all(thread)) - messages);
        for query in list(wanted, "queries") {
            let text = query["query"].as_str().expect("a query");
            let reference = query["matchesExcludingJank"].as_i64().expect("a count");
            let found = hits(profile, text);
            let of_messages = count(found.thread(id).iter().filter(|marker| is_ipc(profile, thread, **marker)));
            let others = count(found.thread(id).iter()) - of_messages;
            let context = format!(
                "\"{text}\" in {}: {others} and {of_messages} messages, reference {reference}",
                wanted["thread"]
            );
            match of_messages {
                0 => assert_eq!(others, reference, "{context}"),
                all if all == messages => assert_eq!(others + reference_messages, reference, "{context}"),
                some => {
                    // The reference also matches the thread name on the other side, which payloads do not contain.
                    let reference_part = reference - others;
                    let lost = messages - reference_messages;
                    assert!((some - lost..=reference_messages).contains(&reference_part), "{context}");
                    continue;
                }
            }
            exact += 1;
        }
    }
    println!("{exact} searches match exactly");
}

#[test]
fn every_recording_opens_and_too_old_ones_are_refused() {
    let Some(folder) = shared("profiles") else {
        let old = json!({"meta": {"version": 3}, "threads": []}).to_string().into_bytes();
        return assert!(matches!(recording::read_bytes(old), Err(ImportError::TooOld { found: 3, .. })));
    };
    let files = |folder: &Path| {
        let entries = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
        entries.filter(|path| path.is_file()).collect::<Vec<_>>()
    };
    for path in files(&folder) {
        let profile = open(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert!(profile.marker_count() > 0, "{}", path.display());
        let damage: Vec<_> =
            profile.warnings.list().into_iter().filter(|warning| !warning.kind.is_ordinary()).collect();
        assert!(damage.is_empty(), "{}: {damage:?}", path.display());
    }
    for path in files(&folder.join("too-old")) {
        let error = open(&path).expect_err("too old").to_string();
        assert!(error.contains("version 3") && error.contains("Firefox Profiler") && !error.contains('\n'), "{error}");
    }
}
