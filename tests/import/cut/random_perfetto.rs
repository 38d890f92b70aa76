//! Random Perfetto traces.

use crate::support::protobuf::{Message, message};

pub(super) const BEGIN: u64 = 1;
pub(super) const END: u64 = 2;
pub(super) const INSTANT: u64 = 3;
const COUNTER: u64 = 4;
const STATE: u64 = 5;

/// Tracks of the random traces.
const THREADS: [u64; 3] = [1, 2, 3];
const NAMED: u64 = 11;
pub(super) const UNNAMED: u64 = 12;
const SUM: u64 = 13;
const DOUBLE_SUM: u64 = 14;
const VALUE: u64 = 15;
const THREAD_TIME: u64 = 16;
const STATES: u64 = 17;

/// Sequences: times of the trace clock, differences on an own clock, and old events with differences.
pub(super) const PLAIN: u64 = 1;
pub(super) const INCREMENTAL: u64 = 2;
const OLD: u64 = 3;

pub(super) fn thread(uuid: u64, tid: u64) -> Message {
    let thread = message().number(1, 7).number(2, tid).text(5, &format!("thread {tid}"));
    message().message(60, &message().number(1, uuid).message(4, &thread))
}

pub(super) fn track(uuid: u64, parent: u64, name: &str, counter: Option<&Message>) -> Message {
    let track = message().number(1, uuid).number(5, parent);
    let track = if name.is_empty() { track } else { track.text(2, name) };
    message().message(60, &counter.map_or(track.clone(), |counter| track.message(8, counter)))
}

/// A random trace. Times are small multiples of a microsecond, so that parts often start and end at events.
pub(super) struct RandomTrace<'r> {
    random: &'r mut fastrand::Rng,
    pub(super) packets: Vec<Message>,
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
    /// Cookies of the frames that have not ended, and the next one.
    frames: (Vec<u64>, u64),
}

impl<'r> RandomTrace<'r> {
    pub(super) fn new(random: &'r mut fastrand::Rng) -> Self {
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
            frames: (Vec::new(), 1),
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
        match self.random.u8(0..28) {
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
            20..=22 => self.frame(),
            _ => self.bundle(),
        }
    }

    /// The beginning of a frame of Android's frame timeline, or the end of one that began any time ago.
    fn frame(&mut self) {
        let (open, next) = &mut self.frames;
        let (field, frame) = if !open.is_empty() && self.random.bool() {
            let cookie = open.swap_remove(self.random.usize(0..open.len()));
            (5, message().number(1, cookie))
        } else {
            open.push(*next);
            *next += 1;
            let frame =
                message().number(1, *next - 1).number(2, *next * 10).number(3, 90).number(4, 7).text(5, "layer");
            (self.random.u64(3..5), frame)
        };
        self.packets.push(self.at(9).message(76, &message().message(field, &frame)));
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
            let content = match self.random.u8(0..7) {
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
                4 => {
                    let task = self.random.u64(1..6);
                    let flags = if self.random.bool() { 0x1_0000 } else { 0 };
                    let task = message().number(1, task).text(2, &format!("task {task}")).number(3, flags);
                    message().message(235, &task)
                }
                5 => message().message(11, &message().number(1, self.random.u64(0..9)).number(2, cpu as u64)),
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
