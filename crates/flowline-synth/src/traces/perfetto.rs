//! Perfetto traces, as written by Chrome: a sequence of packets per thread, with an incremental sequence clock, a
//! default track and interned names. Overlapping operations have separate tracks.

use std::collections::HashMap;
use std::io::{self, Write};

use super::catalog::{ASYNC, Args, Form, HOPS, LONG, Palette, palette};
use super::framed::Output;
use super::protobuf::Message;
use super::threads::{CLOCK, thread_name};
use crate::json::Nanos;
use crate::plan::{
    Family, Hop, MarkerShape, Message as PlannedMessage, Plan, Position, Process, Request, START, Sink, Thread, Walk,
};
use crate::random::{mix, pick};

/// Clock ids: the system clock and the sequence clocks.
const BOOTTIME: u64 = 6;
const OWN: u64 = 64;
/// Number of steps between two samples of a counter.
const COUNTER_STEPS: u64 = 8;
/// Types of track events.
const BEGIN: u64 = 1;
const END: u64 = 2;
const INSTANT: u64 = 3;
const COUNTER: u64 = 4;

/// Writes the recording of `plan`, which must have no samples.
pub(crate) fn write<W: Write>(plan: &Plan, out: W) -> io::Result<()> {
    if plan.samples > 0 {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "synthetic Perfetto traces cannot contain samples"));
    }
    let mut output = Output::new(out);
    let mut packet = Message::default();
    for (index, process) in plan.processes.iter().enumerate() {
        packet.clear();
        packet.inside(60, |track| {
            track.number(1, process.pid).inside(3, |described| {
                described.number(1, process.pid).text(6, if index == 0 { "Browser" } else { "Renderer" });
                described.number(3, index as u64);
            });
        });
        output.packet(&packet)?;
    }
    for index in 0..plan.threads.len() {
        thread(&mut output, plan, index)?;
    }
    output.flush()
}

fn thread<W: Write>(output: &mut Output<W>, plan: &Plan, index: usize) -> io::Result<()> {
    let (thread, process) = (&plan.threads[index], &plan.processes[plan.threads[index].process]);
    let mut events = Events {
        output,
        thread,
        process,
        palette: palette(thread.role),
        sequence: index as u64 + 1,
        now: CLOCK,
        ran: 0,
        interned: HashMap::new(),
        new: Message::default(),
        event: Message::default(),
        next_track: (index as u64 + 1) << 32,
        error: None,
    };
    events.begin(index as u64);
    let mut walk = Walk::new(plan, index);
    let (mut time, mut step) = (START, 0);
    while walk.step(&mut events) {
        if step % COUNTER_STEPS == 0 && thread.tid == process.pid {
            events.counters(time, mix(plan.seed, step));
        }
        time = time.plus(plan.step_length(step));
        step += 1;
        events.error.take().map_or(Ok(()), Err)?;
    }
    Ok(())
}

/// An interned text: its field and its text.
type Text = (u64, &'static str);
const CATEGORIES: u64 = 1;
const NAMES: u64 = 2;
const ANNOTATIONS: u64 = 3;

/// Writes the packets of a thread.
struct Events<'a, W: Write> {
    output: &'a mut Output<W>,
    thread: &'a Thread,
    process: &'a Process,
    palette: &'static Palette,
    sequence: u64,
    /// Time of the last packet on the sequence's clock.
    now: u64,
    /// CPU time of the thread in µs.
    ran: u64,
    interned: HashMap<Text, u64>,
    /// Interned data of the next packet.
    new: Message,
    event: Message,
    /// Id of the next track for overlapping operations.
    next_track: u64,
    error: Option<io::Error>,
}

impl<W: Write> Events<'_, W> {
    /// Returns the id of the thread's track.
    const fn track(&self) -> u64 {
        self.sequence << 48
    }

    /// Returns the id of a counter of the thread or its process.
    const fn counter(&self, number: u64) -> u64 {
        self.track() + 1 + number
    }

    fn send(&mut self, packet: &Message) {
        let sent = self.output.packet(packet);
        self.error = self.error.take().or(sent.err());
    }

    /// Starts the sequence: its clock, defaults and tracks.
    fn begin(&mut self, index: u64) {
        let (track, ran) = (self.track(), self.counter(0));
        let mut packet = Message::default();
        packet.number(10, self.sequence).number(13, 1).inside(6, |snapshot| {
            snapshot.inside(1, |clock| {
                clock.number(1, BOOTTIME).number(2, CLOCK);
            });
            snapshot.inside(1, |clock| {
                clock.number(1, OWN).number(2, CLOCK).number(3, 1);
            });
        });
        packet.inside(59, |defaults| {
            defaults.number(58, OWN).inside(11, |events| {
                events.number(11, track).number(31, ran);
            });
        });
        self.send(&packet);
        let (pid, tid) = (self.process.pid, self.thread.tid);
        self.describe(track, |described| {
            described.inside(4, |own| {
                own.number(1, pid).number(2, tid).number(3, index).text(5, thread_name(self.thread));
            });
        });
        // CPU time in µs, as differences.
        self.describe(ran, |described| {
            described.number(5, track).inside(8, |counter| {
                counter.number(1, 1).number(4, 1000).number(5, 1);
            });
        });
        if tid == pid {
            for (number, name, unit) in [(1, "Memory.ResidentSet", 3), (2, "Nodes", 2)] {
                self.describe(self.counter(number), |described| {
                    described.text(10, name).number(5, pid).inside(8, |counter| {
                        counter.number(3, unit);
                    });
                });
            }
        }
    }

    /// Describes a track.
    fn describe(&mut self, track: u64, write: impl FnOnce(&mut Message)) {
        let mut packet = Message::default();
        packet.number(10, self.sequence).inside(60, |described| {
            described.number(1, track);
            write(described);
        });
        self.send(&packet);
    }

    /// Returns the interning id of a text.
    fn intern(&mut self, text: Text) -> u64 {
        let next = self.interned.len() as u64 + 1;
        let number = *self.interned.entry(text).or_insert(next);
        if number == next {
            self.new.inside(text.0, |entry| {
                entry.number(1, next).text(2, text.1);
            });
        }
        number
    }

    /// Starts an event of a type.
    fn start(&mut self, kind: u64) {
        self.event.clear();
        self.event.number(9, kind);
    }

    fn label(&mut self, name: &'static str, category: &'static str) {
        let (name, category) = (self.intern((NAMES, name)), self.intern((CATEGORIES, category)));
        self.event.number(3, category).number(10, name);
    }

    /// Adds the CPU time of the thread since the previous event.
    fn ran(&mut self, at: Nanos) {
        let until = at.0 / 1000 * 7 / 8;
        self.event.number(12, until.saturating_sub(self.ran));
        self.ran = self.ran.max(until);
    }

    /// Finishes the event and writes it.
    fn finish(&mut self, at: Nanos) {
        let at = at.plus(CLOCK).0;
        let mut packet = Message::default();
        // The sequence's clock cannot run backwards.
        match at.checked_sub(self.now) {
            Some(difference) => {
                packet.number(8, difference);
                self.now = at;
            }
            None => {
                packet.number(8, at).number(58, BOOTTIME);
            }
        }
        packet.number(10, self.sequence).number(13, 2);
        if !self.new.is_empty() {
            packet.message(12, &self.new);
            self.new.clear();
        }
        packet.message(11, &self.event);
        self.send(&packet);
    }

    fn annotate(&mut self, name: &'static str, write: impl FnOnce(&mut Message)) {
        let name = self.intern((ANNOTATIONS, name));
        self.event.inside(4, |annotation| {
            annotation.number(1, name);
            write(annotation);
        });
    }

    fn args(&mut self, args: Args, random_bits: u64) {
        const SOURCES: [(&str, &str); 3] = [
            ("mojo/public/cpp/system/simple_watcher.cc", "ArmOrNotify"),
            ("base/task/sequence_manager/task_queue.cc", "PostDelayedTask"),
            ("net/socket/socket_posix.cc", "Connect"),
        ];
        let small = (random_bits >> 24) % 4_000;
        match args {
            Args::None => {}
            Args::Source => {
                let (file, function) = pick(&SOURCES, random_bits >> 24);
                self.annotate("src_file", |value| {
                    value.text(6, file);
                });
                self.annotate("src_func", |value| {
                    value.text(6, function);
                });
                self.annotate("src_line", |value| {
                    value.number(4, small);
                });
            }
            Args::Url => {
                self.annotate("url", |value| {
                    value.text(6, &format!("https://shop.example/item/{small}"));
                });
                self.annotate("encodedDataLength", |value| {
                    value.number(4, small * 7);
                });
            }
            Args::Function => {
                self.annotate("functionName", |value| {
                    value.text(6, "update");
                });
                self.annotate("lineNumber", |value| {
                    value.number(4, small);
                });
            }
            Args::Layout => self.annotate("totalObjects", |value| {
                value.number(4, small);
            }),
        }
    }

    /// Adds the name, category, arguments and flows of a marker.
    fn write_flow_marker(&mut self, marker: &MarkerShape, kind: (&'static str, &'static str, Args)) {
        let Some(hop) = &marker.hop else {
            self.label(kind.0, kind.1);
            return self.args(kind.2, marker.random_bits);
        };
        let (name, category) = match hop.family {
            _ if marker.is_hub => ("RunLoop::Run", "toplevel"),
            Family::Brief(family) => (HOPS[family][hop.index], "toplevel"),
            Family::Long(level) => LONG[level],
        };
        self.label(name, category);
        for hop in std::iter::once(hop).chain(&marker.starts) {
            let field = if hop.position == Position::End { 48 } else { 47 };
            self.event.word(field, flow_id(hop));
        }
        self.args(Args::Source, marker.random_bits);
    }

    /// Describes a separate track for an overlapping slice.
    fn apart(&mut self, track: u64, name: &'static str) {
        let pid = self.process.pid;
        self.describe(track, |described| {
            described.text(10, name).number(5, pid);
        });
    }

    fn apart_event(&mut self, track: u64, kind: u64, (name, category): (&'static str, &'static str), at: Nanos) {
        self.start(kind);
        self.event.number(11, track);
        if kind == BEGIN {
            self.label(name, category);
        }
        self.finish(at);
    }

    fn counters(&mut self, at: Nanos, random_bits: u64) {
        for (number, value) in [(1, 80_000_000 + random_bits % 40_000_000), (2, (random_bits >> 20) % 9_000)] {
            self.start(COUNTER);
            self.event.number(11, self.counter(number)).number(30, value);
            self.finish(at);
        }
    }
}

/// Returns the id of a flow, unique across families.
fn flow_id(hop: &Hop) -> u64 {
    let family = match hop.family {
        Family::Brief(family) => family as u64,
        Family::Long(level) => 64 + level as u64,
    };
    mix(family, hop.number)
}

impl<W: Write> Sink for Events<'_, W> {
    fn open(&mut self, marker: &MarkerShape) {
        let kind = pick(self.palette.containers, marker.random_bits);
        self.start(BEGIN);
        self.ran(marker.span.start);
        self.write_flow_marker(marker, (kind.name, kind.category, kind.args));
        self.finish(marker.span.start);
    }

    fn close(&mut self, marker: &MarkerShape) {
        self.start(END);
        self.ran(marker.span.end);
        self.finish(marker.span.end);
    }

    fn leaf(&mut self, marker: &MarkerShape) {
        let kind = pick(self.palette.leaves, marker.random_bits);
        let is_instant = kind.form == Form::Instant && marker.hop.is_none();
        self.start(if is_instant { INSTANT } else { BEGIN });
        self.ran(marker.span.start);
        self.write_flow_marker(marker, (kind.name, kind.category, kind.args));
        self.finish(marker.span.start);
        if !is_instant {
            self.close(marker);
        }
    }

    fn overlap(&mut self, marker: &MarkerShape) {
        let what = pick(&ASYNC, marker.random_bits);
        self.next_track += 1;
        let track = self.next_track;
        self.apart(track, what.0);
        self.apart_event(track, BEGIN, what, marker.span.start);
        self.apart_event(track, END, what, marker.span.end);
    }

    fn request(&mut self, request: &Request) {
        let track = mix(u64::MAX, request.number);
        self.apart(track, "ResourceLoad");
        self.apart_event(track, BEGIN, ("ResourceLoad", "loading"), request.start);
    }

    fn stop(&mut self, request: &Request, end: Nanos) {
        let track = mix(u64::MAX, request.number);
        self.apart_event(track, END, ("ResourceLoad", "loading"), end);
    }

    fn message(&mut self, message: &PlannedMessage, at: Nanos) {
        self.start(INSTANT);
        self.ran(at);
        let name = if message.receiving { "Receive mojo message" } else { "Send mojo message" };
        self.label(name, "toplevel.flow,mojom.flow");
        self.args(Args::Source, message.random_bits);
        self.finish(at);
    }

    fn half(&mut self, at: Nanos, _is_start: bool) {
        self.next_track += 1;
        let track = self.next_track;
        self.apart(track, "Startup");
        self.apart_event(track, BEGIN, ("Startup.BrowserMessageLoopStartTime", "startup"), at);
    }
}
