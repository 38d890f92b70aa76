//! A real two-second recording of Chromium, compared with facts from Perfetto's trace processor.
//!
//! Intentional differences: in Perfetto, unfinished slices have a duration of -1; here they end at their thread's last
//! time, so durations are compared only for finished slices. Simultaneous slices without length nest differently, so
//! depth is compared only for slices with a length. Perfetto counts instants as slices without length.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read as _;
use std::path::Path;

use serde_json::Value;

use super::compare::difference;
use super::importer::{Importer, read_in_chunks};
use super::reference::{Naive, Read, Reference, Slice, Track};
use crate::recording::real::shared;

/// Number of flows that may bind differently from Perfetto. Perfetto takes the topmost slice even if another slice with
/// the flow's category starts at the same time (67 here), or if the topmost slice has already ended (2 of the random
/// ones).
const OTHER_ENDS: i64 = 67;
const OTHER_RANDOM_FLOWS: usize = 2;

#[test]
fn two_seconds_of_chromium_match_perfetto() {
    let found = shared("traces/chromium-156-2s.json.gz").zip(shared("cases/real/chrome-2s.expected.json"));
    let Some((trace, facts)) = found else { return };
    let text = content(&trace);
    let facts: Value = serde_json::from_slice(&content(&facts)).expect("the facts are JSON");
    for (name, found) in [(Naive::NAME, Naive::read(&text)), (Importer::NAME, Importer::read(&text))] {
        let differences = differences(&found, &facts);
        assert!(differences.is_empty(), "{name}: {} differences: {:#?}", differences.len(), differences);
    }
}

#[test]
fn every_available_recording_matches_the_naive_reader() {
    for folder in ["traces", "traces/malformed"] {
        let Some(folder) = shared(folder) else { return };
        let files = std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
        let is_trace = |path: &std::path::PathBuf| path.to_string_lossy().contains(".json");
        for path in files.filter(is_trace) {
            let text = content(&path);
            let expected = Naive::read(&text);
            for chunk in [10_007, 1 << 21] {
                let found = read_in_chunks(&text, chunk);
                assert_eq!(difference(&expected, &found), None, "{}", path.display());
            }
        }
    }
}

/// A file's content, decompressed if necessary.
pub(crate) fn content(path: &Path) -> Vec<u8> {
    let bytes = std::fs::read(path).expect("readable");
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        return bytes;
    }
    let mut text = Vec::new();
    flate2::read::GzDecoder::new(&bytes[..]).read_to_end(&mut text).expect("complete gzip data");
    text
}

/// All differences, one per line.
pub(crate) fn differences(found: &Reference, facts: &Value) -> Vec<String> {
    let mut lines = Vec::new();
    names(found, facts, &mut lines);
    threads(found, facts, &mut lines);
    depths(found, facts, &mut lines);
    totals(found, facts, &mut lines);
    asyncs(found, facts, &mut lines);
    flows(found, facts, &mut lines);
    random_slices(found, facts, &mut lines);
    windows(found, facts, &mut lines);
    lines
}

fn expect<T: PartialEq + std::fmt::Debug>(lines: &mut Vec<String>, what: &str, expected: T, found: T) {
    if expected != found {
        lines.push(format!("{what}: expected {expected:?}, found {found:?}"));
    }
}

fn int(fact: &Value, key: &str) -> i64 {
    fact[key].as_i64().unwrap_or_else(|| panic!("{key} is a whole number in {fact}"))
}

fn count(items: usize) -> i64 {
    i64::try_from(items).expect("a count fits")
}

fn list<'a>(facts: &'a Value, key: &str) -> &'a [Value] {
    facts[key].as_array().unwrap_or_else(|| panic!("{key} is a list"))
}

fn length(slice: &Slice) -> i64 {
    slice.end() - slice.start_ns
}

/// The end of a slice for Perfetto, which assigns unfinished slices no end.
fn end_there(slice: &Slice) -> i64 {
    if slice.incomplete { slice.start_ns } else { slice.end() }
}

fn all(found: &Reference) -> impl Iterator<Item = (&Track, &Slice)> {
    found.tracks.iter().flat_map(|track| track.slices.iter().map(move |slice| (track, slice)))
}

/// Thread slices, for which Perfetto uses the same depth.
fn of_threads(found: &Reference) -> impl Iterator<Item = &Slice> {
    all(found).filter(|(track, _)| track.kind == "thread").map(|(_, slice)| slice)
}

fn names(found: &Reference, facts: &Value, lines: &mut Vec<String>) {
    let named = |list: &[Value], key: fn(&Value) -> (String, String)| -> BTreeMap<(String, String), String> {
        let named = list.iter().filter(|fact| fact["name"].is_string() && fact["pid"] != 0);
        named.map(|fact| (key(fact), fact["name"].as_str().expect("a name").to_owned())).collect()
    };
    let processes = named(list(facts, "processes"), |fact| (fact["pid"].to_string(), String::new()));
    let threads = named(list(facts, "threads"), |fact| (fact["pid"].to_string(), fact["tid"].to_string()));
    let ours = found.names.processes.iter();
    let ours: BTreeMap<_, _> =
        ours.filter_map(|(pid, of)| Some(((pid.clone(), String::new()), of.name.clone()?))).collect();
    expect(lines, "process names", processes, ours);
    let ours = found.names.threads.iter().filter_map(|(id, of)| Some((id.clone(), of.name.clone()?)));
    expect(lines, "thread names", threads, ours.filter(|((pid, _), _)| pid != "0").collect());
}

fn threads(found: &Reference, facts: &Value, lines: &mut Vec<String>) {
    let threads = list(facts, "perThread");
    expect(
        lines,
        "threads",
        threads.len(),
        found.tracks.iter().filter(|track| track.kind == "thread" && !track.slices.is_empty()).count(),
    );
    for fact in threads {
        let place = ("thread", fact["pid"].to_string(), fact["tid"].to_string());
        let is_it = |track: &&Track| (track.kind, &track.pid, &track.tid) == (place.0, &place.1, &place.2);
        let Some(track) = found.tracks.iter().find(is_it) else {
            lines.push(format!("no thread for {fact}"));
            continue;
        };
        let slices = &track.slices;
        let finished = || slices.iter().filter(|slice| !slice.incomplete);
        let unfinished = int(fact, "unfinished");
        let depth = slices.iter().filter_map(|slice| slice.depth).max().unwrap_or(0);
        let pairs = [
            ("slices", count(slices.len()), 0),
            ("unfinished", count(slices.iter().filter(|slice| slice.incomplete).count()), 0),
            ("sumDur", finished().map(length).sum(), unfinished),
            ("zeroDur", count(finished().filter(|slice| length(slice) == 0).count()), 0),
            ("maxDepth", count(depth), 0),
            ("minTs", slices.iter().map(|slice| slice.start_ns).min().unwrap_or(0), 0),
            ("maxEnd", slices.iter().map(end_there).max().unwrap_or(0), 0),
        ];
        for (key, ours, off) in pairs {
            expect(lines, &format!("{key} of {}/{}", track.pid, track.tid), int(fact, key) + off, ours);
        }
    }
}

/// Time spent at each depth of the threads. Slices without length do not contribute.
fn depths(found: &Reference, facts: &Value, lines: &mut Vec<String>) {
    for fact in list(facts, "byDepthThreadTracksOnly") {
        let depth = int(fact, "depth");
        let here = || of_threads(found).filter(|slice| slice.depth.map(count) == Some(depth));
        // Perfetto counts one nanosecond less for each unfinished slice.
        let sum: i64 = here().map(|slice| if slice.incomplete { -1 } else { length(slice) }).sum();
        expect(lines, &format!("time at depth {depth}"), int(fact, "sumDur"), sum);
    }
}

fn totals(found: &Reference, facts: &Value, lines: &mut Vec<String>) {
    expect(lines, "slices", int(&facts["slices"], "count"), count(all(found).count()));
    let mut by_name: BTreeMap<&str, (i64, i64)> = BTreeMap::new();
    let mut by_category: BTreeMap<&str, i64> = BTreeMap::new();
    for (_, slice) in all(found) {
        let name = by_name.entry(&slice.name).or_default();
        *name = (name.0 + 1, name.1 + if slice.incomplete { -1 } else { length(slice) });
        *by_category.entry(&slice.cat).or_default() += 1;
    }
    for fact in list(facts, "topNames") {
        let name = fact["name"].as_str().expect("a name");
        let expected = (int(fact, "count"), int(fact, "sumDur"));
        expect(lines, name, expected, by_name.get(name).copied().unwrap_or_default());
    }
    expect(lines, "names", int(facts, "distinctNames"), count(by_name.len()));
    for fact in list(facts, "byCategory") {
        let category = fact["category"].as_str().expect("a category");
        expect(lines, category, int(fact, "count"), by_category.get(category).copied().unwrap_or_default());
    }
}

fn asyncs(found: &Reference, facts: &Value, lines: &mut Vec<String>) {
    let is_async = |fact: &&Value| fact["type"].as_str().is_some_and(|text| text.starts_with("legacy_async"));
    let sum =
        |key: &str| -> i64 { list(facts, "byTrackType").iter().filter(is_async).map(|fact| int(fact, key)).sum() };
    let slices: Vec<_> = all(found).filter(|(track, _)| track.kind == "async").collect();
    expect(lines, "asyncs", sum("slices"), count(slices.len()));
    let time: i64 = slices.iter().map(|(_, slice)| if slice.incomplete { -1 } else { length(slice) }).sum();
    expect(lines, "time of asyncs", sum("sumDur"), time);
    // Perfetto names a track by the first event of its id, so ids with several simultaneous first events are skipped. A
    // reused id starts a new operation here but not a new track in Perfetto. The importer does not keep the ids.
    let mut groups: BTreeMap<(&str, &str), Vec<&Slice>> = BTreeMap::new();
    for (track, slice) in &slices {
        let Some(key) = &slice.key else { return };
        groups.entry((&track.pid, key)).or_default().push(slice);
    }
    let mut by_track: BTreeMap<(String, &str), i64> = BTreeMap::new();
    let mut undecided = BTreeSet::new();
    for ((pid, _), slices) in &groups {
        let at_first = slices.iter().filter(|slice| slice.start_ns == slices[0].start_ns);
        let names: BTreeSet<&str> = at_first.map(|slice| &*slice.name).collect();
        *by_track.entry(((*pid).to_owned(), &slices[0].name)).or_default() += count(slices.len());
        if names.len() > 1 {
            undecided.extend(names);
        }
    }
    for fact in list(facts, "perProcessAsync") {
        let Some(name) = fact["track"].as_str().filter(|name| !undecided.contains(name)) else { continue };
        let ours = by_track.get(&(fact["pid"].to_string(), name)).copied().unwrap_or_default();
        expect(lines, name, int(fact, "slices"), ours);
    }
}

/// Name, start and location of both ends, from a fact or from the recording.
type Arrow = [(String, i64, String, String); 2];

fn flows(found: &Reference, facts: &Value, lines: &mut Vec<String>) {
    let mut arrows: BTreeSet<Arrow> = BTreeSet::new();
    let mut pairs = Vec::new();
    for flow in &found.flows {
        for ends in flow.arrows.iter().map(|(from, to)| [flow.steps[*from], flow.steps[*to]]) {
            let end = |&(_, track, slice): &(i64, usize, usize)| {
                let track: &Track = &found.tracks[track];
                let slice = &track.slices[slice];
                (slice.name.clone(), slice.start_ns, track.pid.clone(), track.tid.clone())
            };
            arrows.insert([end(&ends[0]), end(&ends[1])]);
            pairs.push([end(&ends[0]), end(&ends[1])]);
        }
    }
    let all = &facts["flows"];
    expect(lines, "flows", int(all, "count"), count(pairs.len()));
    let across = pairs.iter().filter(|[out, into]| (&out.2, &out.3) != (&into.2, &into.3)).count();
    expect(lines, "flows across threads", int(all, "crossThread"), count(across));
    for (key, side) in [("topOutNames", 0), ("topInNames", 1)] {
        for fact in list(all, key) {
            let ours = pairs.iter().filter(|pair| fact["name"] == *pair[side].0).count();
            if (int(fact, "count") - count(ours)).abs() > OTHER_ENDS {
                lines.push(format!("{key} {fact}: found {ours}"));
            }
        }
    }
    let mut missing = Vec::new();
    for fact in list(facts, "randomFlows") {
        let end = |fact: &Value| {
            let name = fact["name"].as_str().expect("a name").to_owned();
            (name, int(fact, "ts"), fact["pid"].to_string(), fact["tid"].to_string())
        };
        if !arrows.contains(&[end(&fact["out"]), end(&fact["in"])]) {
            missing.push(format!("no flow {fact}"));
        }
    }
    if missing.len() > OTHER_RANDOM_FLOWS {
        lines.extend(missing);
    }
}

/// Complete slices: location, times, category, args, and depth for slices with a length.
fn random_slices(found: &Reference, facts: &Value, lines: &mut Vec<String>) {
    for fact in list(facts, "randomSlices") {
        let (kind, tid) =
            if fact["tid"].is_null() { ("async", String::new()) } else { ("thread", fact["tid"].to_string()) };
        let duration = int(fact, "dur");
        let is_it = |(track, slice): &(&Track, &Slice)| {
            (track.kind, &track.pid, &track.tid) == (kind, &fact["pid"].to_string(), &tid)
                && (slice.start_ns, &*slice.name) == (int(fact, "ts"), fact["name"].as_str().expect("a name"))
                && (if slice.incomplete { -1 } else { length(slice) }) == duration
        };
        let same_depth = |slice: &Slice| duration == 0 || slice.depth.map(count) == Some(int(fact, "depth"));
        let same = |(_, slice): (&Track, &Slice)| {
            let args = list(fact, "args").iter().all(|pair| is_argument(&slice.args, &pair[0], &pair[1]));
            args && fact["category"] == *slice.cat && same_depth(slice)
        };
        let mut candidates = all(found).filter(is_it).peekable();
        if candidates.peek().is_none() {
            lines.push(format!("no slice {fact}"));
        } else if !candidates.any(same) {
            lines.push(format!("another slice than {fact}"));
        }
    }
}

/// True if `args.a.b[0].c` has a value. Perfetto writes 0 and 1 for false and true, and large numbers as text.
fn is_argument(args: &Value, path: &Value, expected: &Value) -> bool {
    let path = path.as_str().and_then(|path| path.strip_prefix("args.")).expect("a path");
    let pointer = format!("/{}", path.replace('[', "/").replace(']', "").replace('.', "/"));
    match (args.pointer(&pointer), expected) {
        (Some(Value::Bool(flag)), expected) => *expected == u8::from(*flag),
        (Some(Value::Number(number)), Value::String(text)) => number.to_string() == *text,
        (found, expected) => found == Some(expected),
    }
}

/// Number of finished slices that touch a time range.
fn windows(found: &Reference, facts: &Value, lines: &mut Vec<String>) {
    for fact in list(facts, "zoomWindows") {
        let (start, end) = (int(fact, "start"), int(fact, "end"));
        let touching = || {
            all(found)
                .map(|(_, slice)| slice)
                .filter(|slice| !slice.incomplete && slice.start_ns <= end && slice.end() >= start)
        };
        expect(lines, "touching", int(fact, "touching"), count(touching().count()));
        let clipped: i64 = touching().map(|slice| slice.end().min(end) - slice.start_ns.max(start)).sum();
        expect(lines, "time clipped", int(fact, "clippedDur"), clipped);
    }
}
