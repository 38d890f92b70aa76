//! Parts of Perfetto traces are Perfetto traces.

use flowline::import::cut::{CutScope, Removal};
use flowline::import::{Progress, write_json_part};
use flowline::profile::{SourceKind, ThreadId, WarningKind};

use super::random_perfetto::{BEGIN, END, INCREMENTAL, INSTANT, PLAIN, RandomTrace, UNNAMED, thread, track};
use super::{CutOptions, check, flows, markers, read};
use crate::support::protobuf::{Message, message, trace};

#[test]
fn any_part_of_any_trace_matches_the_whole() {
    let seed = std::env::var("FLOWLINE_FUZZ_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(5);
    let mut random = fastrand::Rng::with_seed(seed);
    let mut smaller = 0;
    for _ in 0..500 {
        let bytes = trace(&RandomTrace::new(&mut random).packets);
        let whole = read(&bytes);
        let start = random.i64(-4..90);
        let range = CutOptions::range(start * 1000, (start + random.i64(1..30)) * 1000);
        let name = Some(if random.bool() { "a" } else { "b" });
        for part in [CutOptions::EVERYTHING, range, CutOptions { name, ..range }] {
            let cut = check(&whole, &part);
            smaller += usize::from(cut.len() < bytes.len() / 2);
            let again = read(&cut);
            assert_eq!(flows(&again, &part), flows(&whole, &part), "{part:?}");
        }
    }
    assert!(smaller > 200, "{smaller} parts are small");
}

/// A slice on a thread, in microseconds.
fn slice(track: u64, name: &str, start: u64, end: u64) -> [Message; 2] {
    let event = |ts: u64, kind: u64| {
        message().number(8, ts * 1000).number(10, PLAIN).message(11, &message().number(9, kind).number(11, track))
    };
    let begin = message().number(9, BEGIN).number(11, track).text(23, name);
    [message().number(8, start * 1000).number(10, PLAIN).message(11, &begin), event(end, END)]
}

/// True if bytes contain a packet unchanged.
fn has_packet(bytes: &[u8], packet: &Message) -> bool {
    let framed = trace(std::slice::from_ref(packet));
    bytes.windows(framed.len()).any(|part| part == framed)
}

#[test]
fn packets_are_copied_unchanged() {
    let [first, middle, last] = [slice(1, "first", 0, 1), slice(1, "middle", 10, 20), slice(2, "last", 40, 41)];
    let skipped = slice(1, "skipped", 30, 31);
    let packets = [vec![thread(1, 101), thread(2, 102)], [first, middle, skipped, last].concat()].concat();
    let whole = read(&trace(&packets));
    let cut = check(&whole, &CutOptions::range(12_000, 15_000));
    // The first and the last slice keep the clock.
    let kept: Vec<bool> = packets.iter().map(|packet| has_packet(&cut, packet)).collect();
    assert_eq!(kept, [true, true, true, true, true, true, false, false, true, true]);
    let again = read(&cut);
    assert_eq!((again.meta.kind, again.warnings.count(WarningKind::NotDrawn)), (SourceKind::PerfettoTrace, 0));
}

#[test]
fn packets_of_other_machines_keep_their_machine() {
    let of = |packets: &[Message]| packets.iter().map(|packet| packet.clone().number(98, 2)).collect::<Vec<_>>();
    let instant = |ts: u64, name: &str| {
        let event = message().number(9, INSTANT).number(11, UNNAMED).text(23, name);
        message().number(8, ts * 1000).number(10, PLAIN).message(11, &event)
    };
    let packets = [
        vec![thread(1, 101)],
        of(&[thread(1, 101), track(UNNAMED, 0, "", None)]),
        slice(1, "first", 0, 1).to_vec(),
        of(&slice(1, "middle", 10, 20)),
        of(&[instant(11, "named by its first event"), instant(14, "second")]),
        slice(1, "here", 12, 16).to_vec(),
        of(&slice(1, "skipped", 30, 31)),
        slice(1, "last", 40, 41).to_vec(),
    ];
    let whole = read(&trace(&packets.concat()));
    let cut = check(&whole, &CutOptions::range(13_000, 15_000));
    let kept = |packet: &Message| has_packet(&cut, packet);
    assert!(packets[3].iter().all(kept) && !packets[6].iter().any(kept));
}

#[test]
fn interned_strings_are_kept_for_the_generations_in_the_part() {
    let generation = |name: &str, ts: u64| {
        let interned = message().message(2, &message().number(1, 1).text(2, name));
        let event = message().number(9, INSTANT).number(11, 1).number(10, 1);
        [
            message().number(8, ts * 1000).number(10, PLAIN).number(13, 1).message(12, &interned).message(11, &event),
            message().number(8, (ts + 1) * 1000).number(10, PLAIN).number(13, 2).message(11, &event),
        ]
    };
    let generations = ["one", "two", "three", "four"];
    let mut packets = vec![thread(1, 101)];
    packets.extend((0..4).flat_map(|at| generation(generations[at], 10 * at as u64)));
    let whole = read(&trace(&packets));
    let cut = check(&whole, &CutOptions::range(20_500, 21_500));
    let has = |name: &str| cut.windows(name.len()).any(|part| part == name.as_bytes());
    // The first and the last event keep the clock. The event that defines the name is outside of the part.
    assert_eq!(generations.map(has), [true, false, true, true]);
    assert!(has_packet(&cut, &packets[6]) && !has_packet(&cut, &packets[5]));
}

#[test]
fn a_difference_makes_up_for_missing_packets() {
    let clocks =
        [message().number(1, 6).number(2, 0), message().number(1, 64).number(2, 0).number(3, 1).number(4, 1000)];
    let snapshot = clocks.iter().fold(message(), |all, clock| all.message(1, clock));
    let mut packets = vec![message().number(10, INCREMENTAL).message(6, &snapshot), thread(1, 101)];
    let event = |name: &str| message().number(9, INSTANT).number(11, 1).text(23, name);
    let names = ["zero", "one", "two", "three", "four"];
    packets.extend(
        names.map(|name| message().number(8, 10).number(58, 64).number(10, INCREMENTAL).message(11, &event(name))),
    );
    let whole = read(&trace(&packets));
    let cut = check(&whole, &CutOptions::range(40_000, 41_000));
    let at_40 = message().number(8, 30).number(58, 64).number(10, INCREMENTAL).message(11, &event("three"));
    assert!(has_packet(&cut, &at_40) && has_packet(&cut, &packets[6]), "10 + 30 + 10");
}

#[test]
fn a_part_may_be_written_as_json() {
    let packets = [vec![thread(1, 101)], [slice(1, "first", 0, 1), slice(1, "middle", 10, 20)].concat()].concat();
    let whole = read(&trace(&packets));
    let part = CutOptions::range(12_000, 15_000);
    let ids: Vec<ThreadId> = whole.threads_with_ids().map(|(id, _)| id).collect();
    let scope = CutScope {
        profile: &whole,
        range: part.range,
        threads: vec![true; ids.len()],
        markers: ids.iter().map(|id| part.markers(&whole, *id)).collect(),
        is_searched: false,
        removal: Removal::default(),
    };
    let mut json = Vec::new();
    write_json_part(&scope, &mut json, &Progress::default()).expect("writing to memory succeeds");
    serde_json::from_slice::<serde_json::Value>(&json).expect("JSON");
    assert_eq!(markers(&read(&json), &part), markers(&whole, &part));
}

#[test]
fn a_track_without_a_name_keeps_that_of_its_first_event() {
    let event = |name: &str, ts: u64| {
        let event = message().number(9, INSTANT).number(11, UNNAMED).text(23, name);
        message().number(8, ts * 1000).number(10, PLAIN).message(11, &event)
    };
    let packets = [slice(1, "start", 0, 90).to_vec(), vec![event("first", 10), event("second", 20)]].concat();
    let whole = read(&trace(&[vec![thread(1, 101)], packets].concat()));
    let again = read(&check(&whole, &CutOptions::range(20_000, 21_000)));
    assert!(again.threads.iter().any(|thread| thread.name == "first"));
}

#[test]
fn context_switches_state_only_the_rows_of_the_part() {
    let switch = |ts: u64, before: u64, next: u64| {
        let switch = message().number(2, before).number(4, 1).text(5, &format!("comm {next}")).number(6, next);
        let event = message().number(1, ts * 1000).number(2, before).message(4, &switch);
        message().message(1, &message().number(1, 0).message(2, &event))
    };
    let packets: Vec<Message> = (0..30).map(|at| switch(10 * at, 1 + at % 3, 1 + (at + 1) % 3)).collect();
    let bytes = trace(&packets);
    let cut = check(&read(&bytes), &CutOptions::range(101_000, 112_000));
    assert!(cut.len() < bytes.len() / 2, "{} of {}", cut.len(), bytes.len());
    // The switch that began the run at the start of the range is there, with its time.
    assert!(has_packet(&cut, &packets[10]) || has_packet(&cut, &packets[11]));
}
