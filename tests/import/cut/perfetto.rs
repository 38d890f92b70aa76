//! Parts of Perfetto traces are Perfetto traces.

use flowline::import::cut::CutScope;
use flowline::import::{Progress, write_json_part};
use flowline::profile::{SourceKind, ThreadId, WarningKind};

use super::{CutOptions, check, flows, markers, read};
use crate::support::protobuf::{Message, message, trace};

const BEGIN: u64 = 1;
const END: u64 = 2;
const INSTANT: u64 = 3;
const COUNTER: u64 = 4;
const STATE: u64 = 5;

/// Tracks of the random traces.
const THREADS: [u64; 3] = [1, 2, 3];
const NAMED: u64 = 11;
const UNNAMED: u64 = 12;
const SUM: u64 = 13;
const DOUBLE_SUM: u64 = 14;
const VALUE: u64 = 15;
const THREAD_TIME: u64 = 16;
const STATES: u64 = 17;

/// Sequences: times of the trace clock, differences on an own clock, and old events with differences.
const PLAIN: u64 = 1;
const INCREMENTAL: u64 = 2;
const OLD: u64 = 3;

fn thread(uuid: u64, tid: u64) -> Message {
    let thread = message().number(1, 7).number(2, tid).text(5, &format!("thread {tid}"));
    message().message(60, &message().number(1, uuid).message(4, &thread))
}

fn track(uuid: u64, parent: u64, name: &str, counter: Option<&Message>) -> Message {
    let track = message().number(1, uuid).number(5, parent);
    let track = if name.is_empty() { track } else { track.text(2, name) };
    message().message(60, &counter.map_or(track.clone(), |counter| track.message(8, counter)))
}

/// A random trace. Times are small multiples of a microsecond, so that parts often start and end at events.
struct RandomTrace<'r> {
    random: &'r mut fastrand::Rng,
    packets: Vec<Message>,
    /// Time in microseconds.
    now: u64,
    /// The last time of the incremental sequence, and of the old one.
    last: [u64; 2],
    open: [usize; 20],
    /// True if the plain sequence has lost data since it was cleared.
    is_lost: bool,
    generation: u64,
    /// The running thread of each processor.
    running: [u64; 2],
}

impl<'r> RandomTrace<'r> {
    fn new(random: &'r mut fastrand::Rng) -> Self {
        let clocks = |own: u64| {
            let boot = message().number(1, 6).number(2, 0);
            let other = message().number(1, own).number(2, 0);
            let other = if own == 64 { other.number(3, 1).number(4, 100) } else { other };
            message().message(6, &message().message(1, &boot).message(1, &other).number(2, 6))
        };
        let sum = message().number(5, 1);
        let mut packets = vec![clocks(3), clocks(64).number(10, INCREMENTAL)];
        packets.extend(THREADS.map(|at| thread(at, 100 + at)));
        packets.extend([
            message().message(60, &message().number(1, 10).message(3, &message().number(1, 7).text(6, "app"))),
            track(NAMED, 10, "named", None),
            track(SUM, 10, "sum", Some(&sum.clone().number(3, 3))),
            track(DOUBLE_SUM, 10, "double sum", Some(&sum)),
            track(VALUE, 10, "value", Some(&message().number(4, 10))),
            track(THREAD_TIME, 1, "", Some(&sum.number(1, 1))),
            track(STATES, 10, "states", None),
        ]);
        let old = message().number(1, 7).number(2, 105).text(5, "old").number(6, 0).number(7, 3);
        packets.push(message().number(10, OLD).message(44, &old));
        let defaults = message().number(58, 64).message(11, &message().number(11, 2).number(31, THREAD_TIME));
        packets.push(message().number(10, INCREMENTAL).number(13, 1).message(59, &defaults));
        let mut trace = Self {
            random,
            packets,
            now: 1,
            last: [0; 2],
            open: [0; 20],
            is_lost: false,
            generation: 0,
            running: [0; 2],
        };
        trace.clear();
        for _ in 0..trace.random.u64(1..90) {
            trace.now += trace.random.u64(0..3);
            trace.add();
        }
        trace
    }

    /// Clears the state of the plain sequence and defines its strings.
    fn clear(&mut self) {
        self.generation += 1;
        self.is_lost = false;
        let text = |iid: u64, text: &str| message().number(1, iid).text(2, text);
        let mut interned = message();
        for iid in 1..4 {
            let name = if self.random.bool() { "a".to_owned() } else { format!("name {iid} of {}", self.generation) };
            interned = interned.message(2, &text(iid, &name)).message(1, &text(iid, &format!("category {iid}")));
            interned = interned.message(3, &text(iid, &format!("field {iid}")));
        }
        self.packets.push(message().number(10, PLAIN).number(13, 1).message(12, &interned));
    }

    fn add(&mut self) {
        match self.random.u8(0..24) {
            0 => self.clear(),
            1 => {
                self.packets.push(message().number(10, PLAIN).number(42, 1));
                self.is_lost = true;
            }
            2..=8 => self.slice(),
            9 | 10 => self.counter(),
            11..=13 => self.incremental(),
            14..=16 => self.old(),
            17 => {
                let name = ["on", "off", ""][self.random.usize(0..3)];
                let event = message().number(9, STATE).number(11, STATES);
                let event = if name.is_empty() { event } else { event.text(23, name) };
                self.packets.push(self.at(PLAIN).message(11, &event));
            }
            18 => {
                let process = message().number(1, 7).number(3, self.random.u64(0..9));
                self.packets.push(self.at(9).message(9, &message().message(1, &process)));
            }
            19 => self.packets.push(self.at(9).message(38, &message().number(1, 5))),
            _ => self.bundle(),
        }
    }

    fn at(&self, sequence: u64) -> Message {
        message().number(8, self.now * 1000).number(10, sequence)
    }

    /// A begin or an end on a track, or an instant.
    fn kind(&mut self, track: u64) -> u64 {
        let open = &mut self.open[usize::try_from(track).expect("few")];
        match self.random.u8(0..5) {
            0 => INSTANT,
            1 | 2 if *open > 0 => {
                *open -= 1;
                END
            }
            _ => {
                *open += 1;
                BEGIN
            }
        }
    }

    fn slice(&mut self) {
        let track = [1, 2, 3, NAMED, UNNAMED][self.random.usize(0..5)];
        let is_interned = self.random.bool() && !self.is_lost;
        let kind = self.kind(track);
        let mut event = message().number(9, kind).number(11, track);
        if kind != END {
            let iid = self.random.u64(1..4);
            event = match is_interned {
                true => event.number(10, iid).number(3, iid).message(4, &message().number(1, iid).number(3, self.now)),
                false => event.text(23, ["a", "b", "c"][self.random.usize(0..3)]).text(22, "d"),
            };
            if self.random.u8(0..3) == 0 {
                event = event.word(if self.random.bool() { 47 } else { 48 }, self.random.u64(1..4));
            }
        }
        if self.random.u8(0..3) == 0 {
            let (whole, double) = (self.random.u64(0..5), f64::from(self.random.u8(0..9)) * 0.25);
            event = event.numbers(12, &[whole, 1]).numbers(31, &[SUM, THREAD_TIME]);
            event = event.double(46, double).number(45, DOUBLE_SUM);
        }
        let packet = self.at(PLAIN).message(11, &event);
        self.packets.push(if is_interned { packet.number(13, 2) } else { packet });
    }

    fn counter(&mut self) {
        let event = message().number(9, COUNTER);
        let event = match self.random.u8(0..3) {
            0 => event.number(11, SUM).signed(30, self.random.i64(-5..9)),
            1 => event.number(11, DOUBLE_SUM).double(44, f64::from(self.random.u8(0..9)) * 0.25),
            _ => event.number(11, VALUE).number(30, self.random.u64(0..9)),
        };
        self.packets.push(self.at(PLAIN).message(11, &event));
    }

    /// An event whose time is a difference, in units of 100 ns.
    fn incremental(&mut self) {
        let kind = self.kind(2);
        let difference = (self.now - std::mem::replace(&mut self.last[0], self.now)) * 10;
        let event = message().number(9, kind).number(12, self.random.u64(0..4));
        let event = if kind == END { event } else { event.text(23, "b") };
        self.packets.push(message().number(8, difference).number(10, INCREMENTAL).message(11, &event));
    }

    /// An event of the old form, whose times are differences in microseconds.
    fn old(&mut self) {
        let kind = self.kind(0);
        let difference = self.now - std::mem::replace(&mut self.last[1], self.now);
        let event = message().number(1, difference).number(2, self.random.u64(0..3)).number(9, kind);
        let event = if kind == END { event } else { event.text(23, "old") };
        self.packets.push(message().number(10, OLD).message(11, &event));
    }

    /// A bundle of kernel events: one or two, or a switch in columns.
    fn bundle(&mut self) {
        let cpu = self.random.usize(0..2);
        let mut bundle = message().number(1, cpu as u64);
        if self.random.u8(0..4) == 0 {
            let next = self.random.u64(0..4);
            let columns = message().numbers(1, &[self.now * 1000]).numbers(2, &[1]).numbers(3, &[next]);
            let columns = columns.numbers(4, &[120]).text(5, &format!("comm {next}")).numbers(6, &[0]);
            let columns = columns.numbers(7, &[self.now * 1000]).numbers(8, &[self.random.u64(1..4)]);
            self.running[cpu] = next;
            self.packets.push(message().message(1, &bundle.message(4, &columns)));
            return;
        }
        for _ in 0..self.random.u8(1..3) {
            let content = match self.random.u8(0..6) {
                0..=2 => {
                    let next = self.random.u64(0..4);
                    let state = self.random.u64(0..3);
                    // Sometimes, the switch that started the thread was lost.
                    let lost = self.random.u8(0..9) == 0;
                    let before = if lost { 3 } else { self.running[cpu] };
                    self.running[cpu] = next;
                    let switch = message().number(2, before).number(4, state).text(5, &format!("comm {next}"));
                    message().message(4, &switch.number(6, next).number(7, 120))
                }
                3 => message().message(20, &message().number(2, self.random.u64(1..4))),
                4 => message().message(11, &message().number(1, self.random.u64(0..9)).number(2, cpu as u64)),
                _ => {
                    let line = ["B|300|a", "E|300", "I|300|now", "C|300|queue|3", "unknown"][self.random.usize(0..5)];
                    message().message(3, &message().text(2, line))
                }
            };
            let event = message().number(1, self.now * 1000).number(2, 301);
            bundle = bundle.message(2, &Message([event.0, content.0].concat()));
            self.now += self.random.u64(0..2);
        }
        self.packets.push(message().message(1, &bundle));
    }
}

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
