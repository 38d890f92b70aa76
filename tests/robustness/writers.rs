//! Written recordings, read again: a cut of everything equals the whole, a copy with notes has all markers, and
//! statistics count the dumped markers. This also holds for damaged traces: the written data equals the data that was
//! read.
//!
//! The seed is fixed; `./dev fuzz` sets `FLOWLINE_FUZZ_SEED` and `FLOWLINE_FUZZ_STEPS`.

use std::sync::Arc;

use flowline::import::cut::{CutScope, Removal, check_format};
use flowline::import::{Progress, read, write_annotated, write_part};
use flowline::index::Index;
use flowline::index::statistics::{Columns, Grouping, Subject, run};
use flowline::profile::{Arrangement, LocalMarker, Ns, Profile, TimeRange, WarningKind};
use flowline_synth::{Format, Options};

/// Number of damaged, written and reread recordings.
const ROUNDS: u64 = 600;

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// A marker: process, thread, name, start and end.
type Fact = (String, String, String, Ns, Ns);

fn facts(profile: &Profile) -> Vec<Fact> {
    let mut facts = Vec::new();
    for (id, thread) in profile.threads_with_ids() {
        let process = profile.process_of(id);
        for marker in (0..thread.markers.len()).map(LocalMarker::new) {
            let name = profile.marker_name(id, marker).to_owned();
            let range = thread.markers.range(marker);
            facts.push((process.pid.to_string(), thread.tid.to_string(), name, range.start, range.end));
        }
    }
    facts.sort();
    facts
}

fn text(random: &mut fastrand::Rng) -> String {
    let format = if random.u8(..3) == 0 { Format::Firefox } else { Format::Chrome };
    let options = Options {
        markers: random.u64(1..120),
        format,
        threads: Some(random.u32(1..5)),
        flows: None,
        samples: 0,
        seed: random.u64(..1 << 20),
    };
    let mut text = Vec::new();
    flowline_synth::write(&options, &mut text).expect("writing to memory succeeds");
    let text = String::from_utf8(text).expect("UTF-8");
    if format == Format::Firefox {
        return text;
    }
    let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let events = value.as_array().or_else(|| value["traceEvents"].as_array()).expect("events");
    let lines: Vec<String> = events.iter().map(serde_json::Value::to_string).collect();
    match random.u8(..4) {
        0 => lines.join("\n"),
        1 => format!("[{}]", lines.join(",\n")),
        2 => format!("{{\"metadata\":{{\"x\":[1]}},\"traceEvents\":[\n{}\n],\"y\":{{}}}}", lines.join(",\n")),
        _ => text,
    }
}

/// Changes bytes, removes or doubles parts, or cuts the end off. Only traces are damaged: in a damaged Firefox profile,
/// halves that lost their partner may be paired differently in the part.
fn damage(random: &mut fastrand::Rng, text: &mut Vec<u8>) {
    if text.starts_with(b"{\"meta\"") {
        return;
    }
    for _ in 0..random.u8(..4) {
        if text.is_empty() {
            return;
        }
        let at = random.usize(..text.len());
        let to = (at + random.usize(..60)).min(text.len());
        match random.u8(..6) {
            0 => text[at] = random.u8(..),
            1 => drop(text.drain(at..to)),
            2 => {
                let part = text[at..to].to_vec();
                text.splice(at..at, part);
            }
            3 => text[at] = *random.choice(b"{}[]\",:\\\n").expect("some"),
            4 => text.truncate(at),
            _ => text.insert(at, b'\n'),
        }
    }
}

/// A cut of everything.
fn cut(profile: &Profile) -> Option<Vec<u8>> {
    check_format(profile).ok()?;
    let of = |thread: &flowline::profile::Thread| (0..thread.markers.len()).map(LocalMarker::new).collect();
    let scope = CutScope {
        profile,
        range: TimeRange { start: Ns(i64::MIN + 1), end: Ns(i64::MAX) },
        threads: vec![true; profile.threads.len()],
        markers: profile.threads.iter().map(of).collect(),
        is_searched: false,
        removal: Removal::default(),
    };
    let mut out = Vec::new();
    write_part(&scope, &mut out, &Progress::default()).ok()?;
    Some(out)
}

#[test]
fn written_recordings_equal_the_recordings_read() {
    let seed = setting("FLOWLINE_FUZZ_SEED", 9);
    let (mut cuts, mut copies, mut damaged) = (0, 0, 0);
    for round in 0..setting("FLOWLINE_FUZZ_STEPS", ROUNDS) {
        let mut random = fastrand::Rng::with_seed(seed.wrapping_add(round * 7919));
        let mut text = text(&mut random).into_bytes();
        damage(&mut random, &mut text);
        let Ok(imported) = read(text.clone(), &Progress::default()) else { continue };
        let profile = Arc::new(imported.profile);
        let whole = facts(&profile);
        let shown = || String::from_utf8_lossy(&text).into_owned();
        damaged += usize::from(!profile.warnings.list().is_empty());

        let index = Index::build(Arc::clone(&profile), Arrangement::Stack);
        let subject = Subject::everything(&index);
        let found = run(&subject, &Grouping::default(), Columns::ALL, &|| true, |_| {}).expect("not canceled");
        let counted: u64 = found.groups.iter().map(|group| group.count).sum();
        assert_eq!(
            (found.totals.count, counted),
            (whole.len() as u64, whole.len() as u64),
            "seed {seed} round {round}"
        );

        if let Some(part) = cut(&profile).filter(|_| !whole.is_empty()) {
            cuts += 1;
            let again = read(part.clone(), &Progress::default());
            let again = again.unwrap_or_else(|error| panic!("seed {seed} round {round}: {error}\n{}", shown()));
            let part = String::from_utf8_lossy(&part).into_owned();
            assert!(facts(&again.profile) == whole, "seed {seed} round {round}:\n{}\n--- cut ---\n{part}", shown());
        }
        let mut copy = Vec::new();
        if profile.source.member().is_some() && write_annotated(&text, b"{}", &mut copy).is_ok() {
            copies += 1;
            let again = read(copy.clone(), &Progress::default());
            let again = again.unwrap_or_else(|error| panic!("seed {seed} round {round}: {error}\n{}", shown()));
            // Closing brackets may complete an event that lacks its own, so broken events may be read differently.
            if profile.warnings.count(WarningKind::BrokenJson) > 0 {
                continue;
            }
            let copy = String::from_utf8_lossy(&copy).into_owned();
            assert!(facts(&again.profile) == whole, "seed {seed} round {round}:\n{}\n--- copy ---\n{copy}", shown());
        }
    }
    assert!(cuts > 100 && copies > 50 && damaged > 50, "{cuts} cuts, {copies} copies, {damaged} damaged");
}
