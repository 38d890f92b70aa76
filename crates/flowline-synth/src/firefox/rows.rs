//! The rows of one thread's marker table.
//!
//! Times are milliseconds on the clock of the thread's process; columns that a row's phase does not use are 0.

use super::catalog::{FLOW_NAMES, HUB_NAME, Kind, LONG_NAMES, Palette, Payload, Shape, palette};
use super::schema::Category;
use super::strings::Strings;
use crate::json::{Nanos, Output};
use crate::plan::{Family, Hop, MarkerShape, Message, Plan, Position, Process, Request, Sink, Thread};
use crate::random::pick;
use std::io::Write;

/// Percentage of markers that have a stack.
const STACK_PERCENT: u64 = 18;
/// Functions of the stacks, outermost first.
pub(super) const FUNCTIONS: [&str; 8] = [
    "(root)",
    "XREMain::XRE_main",
    "nsAppShell::Run",
    "MessageLoop::Run",
    "NS_ProcessNextEvent",
    "mozilla::dom::CallbackObject::CallSetup",
    "js::RunScript",
    "mozilla::PresShell::DoFlushPendingNotifications",
];
/// The columns of a marker table.
pub(super) const COLUMNS: &str = r#"{"name":0,"startTime":1,"endTime":2,"phase":3,"category":4,"data":5}"#;
/// The columns of a sample table.
pub(super) const SAMPLE_COLUMNS: &str = r#"{"stack":0,"time":1,"eventDelay":2}"#;

/// Writes the rows of a thread.
#[derive(Debug)]
pub(super) struct Rows<'a, W: Write> {
    pub(super) output: &'a mut Output<W>,
    pub(super) strings: Strings,
    plan: &'a Plan,
    pub(super) process: &'a Process,
    thread: &'a Thread,
    palette: &'static Palette,
    /// Number of stacks.
    stacks: u64,
    is_first: bool,
}

impl<'a, W: Write> Rows<'a, W> {
    pub(super) fn new(output: &'a mut Output<W>, plan: &'a Plan, thread: &'a Thread, stacks: u64) -> Self {
        Self {
            output,
            strings: Strings::default(),
            plan,
            process: &plan.processes[thread.process],
            thread,
            palette: palette(thread.role),
            stacks,
            is_first: true,
        }
    }

    /// Converts a time to the clock of the thread's process.
    fn local(&self, time: Nanos) -> Nanos {
        time.minus(self.process.offset.0)
    }

    /// Writes the first five columns. The caller appends a payload, if any, and closes the row.
    fn row(&mut self, name: &'static str, category: Category, start: Option<Nanos>, end: Option<Nanos>, phase: Phase) {
        let name = self.strings.name(name);
        self.output.raw(if self.is_first { "\n[" } else { ",\n[" }).int(name).raw(",");
        self.is_first = false;
        for time in [start, end] {
            // Firefox writes 0 to columns that the phase does not use.
            let time = time.map_or(Nanos(0), |time| self.local(time));
            self.output.ms(time).raw(",");
        }
        self.output.int(phase as u64).raw(",").int(category as u64);
    }

    fn instant(&mut self, name: &'static str, category: Category, at: Nanos) {
        self.row(name, category, Some(at), None, Phase::Instant);
    }

    fn interval(&mut self, name: &'static str, category: Category, marker: &MarkerShape) {
        self.row(name, category, Some(marker.span.start), Some(marker.span.end), Phase::Interval);
    }

    fn plain(&mut self, kind: &Kind, marker: &MarkerShape) {
        match kind.shape {
            Shape::Instant => self.instant(kind.name, kind.category, marker.span.start),
            Shape::Interval => self.interval(kind.name, kind.category, marker),
            Shape::Pair => {
                self.start(kind, marker);
                self.row(kind.name, kind.category, None, Some(marker.span.end), Phase::End);
            }
        }
        self.payload(kind, marker);
    }

    fn start(&mut self, kind: &Kind, marker: &MarkerShape) {
        self.row(kind.name, kind.category, Some(marker.span.start), None, Phase::Start);
        self.payload(kind, marker);
    }

    /// Writes the start of a payload object, up to its type; some payloads have a stack.
    fn object(&mut self, schema: &'static str, random_bits: u64, at: Nanos) {
        self.output.raw(",{");
        if (random_bits >> 8) % 100 < STACK_PERCENT {
            let at = self.local(at);
            self.output.raw(r#""stack":{"processType":"#).raw(process_type(self.thread.process).0);
            self.output.raw(r#","name":"","registerTime":null,"unregisterTime":null,"samples":{"schema":"#);
            self.output.raw(SAMPLE_COLUMNS).raw(r#","data":[["#);
            self.output.int((random_bits >> 16) % self.stacks).raw(",").ms(at);
            self.output.raw(r#"]]},"markers":{"schema":"#).raw(COLUMNS).raw(r#","data":[]},"pid":"#);
            self.output.int(self.process.pid).raw(r#","tid":"#).int(self.thread.tid).raw("},");
        }
        self.output.raw(r#""type":""#).raw(schema).raw("\"");
    }

    fn payload(&mut self, kind: &Kind, marker: &MarkerShape) {
        let random_bits = marker.random_bits;
        let schema = match kind.payload {
            Payload::Bare => {
                self.output.raw("]");
                return;
            }
            Payload::Stack => "StackMarker",
            Payload::TextStack(_) => "TextStack",
            Payload::Text(_) => "Text",
            Payload::DomEvent => "DOMEvent",
            Payload::UserTiming => "UserTiming",
            Payload::Preference => "Preference",
            Payload::Styles => "Styles",
            Payload::Nursery => "GCMinor",
            Payload::Slice => "GCSlice",
            Payload::Timer => "Timer",
            Payload::AddTimer => "AddRemoveTimer",
            Payload::Tracing(_) => "tracing",
            Payload::Histogram => "Hist",
            Payload::NetIo => "NetIO",
            Payload::Actor => "JSActorMessage",
            Payload::Tick => "VsyncTimestamp",
        };
        self.object(schema, random_bits, marker.span.start);
        self.fields(kind.payload, random_bits);
        self.output.raw("}]");
    }

    /// Writes the row of a marker that refers to one or two flows.
    fn write_flow_marker(&mut self, hop: &Hop, marker: &MarkerShape, is_container: bool) {
        let (name, category) = match hop.family {
            _ if marker.is_hub => HUB_NAME,
            Family::Brief(family) => FLOW_NAMES[family][hop.index],
            Family::Long(level) => LONG_NAMES[level][hop.index],
        };
        let ends = hop.position == Position::End;
        let opens = hop.position == Position::First || (hop.position == Position::End && !is_container);
        let is_message = hop.family == Family::Brief(1);
        if opens {
            self.instant(name, category, marker.span.start);
        } else {
            self.interval(name, category, marker);
        }
        let flow = self.strings.flow(hop);
        if let Some(started) = &marker.starts {
            let started = self.strings.flow(started);
            self.object("TaskFlow", marker.random_bits, marker.span.start);
            self.output.raw(if ends { r#","ended":"# } else { r#","flow":"# }).int(flow);
            self.output.raw(r#","started":"#).int(started);
        } else if is_message {
            self.object("IPCFlowMarker", marker.random_bits, marker.span.start);
            self.output.raw(r#","name":"#).text(message_type(marker.random_bits)).raw(r#","flow":"#).int(flow);
        } else {
            let (schema, key) = match (ends, opens) {
                (true, true) => ("TerminatingFlowMarker", r#","terminatingFlow":"#),
                (true, false) => ("TerminatingFlowStackMarker", r#","flow":"#),
                (false, true) => ("FlowMarker", r#","flow":"#),
                (false, false) => ("FlowStackMarker", r#","flow":"#),
            };
            self.object(schema, marker.random_bits, marker.span.start);
            self.output.raw(key).int(flow);
        }
        self.output.raw("}]");
    }

    fn network(&mut self, request: &Request, start: Nanos, end: Nanos, status: &str) {
        const HOSTS: [&str; 4] = [
            "https://shop.example/api/items?page=",
            "https://news.example/story/",
            "https://cdn.example/v2/chunk-",
            "https://fonts.example/face/",
        ];
        self.row("Load", Category::Network, Some(start), Some(end), Phase::Interval);
        let (start, end) = (self.local(start), self.local(end));
        self.object("Network", request.random_bits, request.start);
        self.output.raw(r#","startTime":"#).ms(start).raw(r#","endTime":"#).ms(end);
        self.output.raw(r#","id":"#).int(request.number).raw(r#","status":""#).raw(status);
        self.output
            .raw(r#"","cache":"Unresolved","pri":0,"URI":""#)
            .raw(pick(&HOSTS, request.random_bits))
            .int(request.number % 997);
        self.output.raw(r#"","requestMethod":"GET","contentType":"#);
        if status == "STATUS_STOP" {
            self.output
                .raw(r#""image/webp","count":"#)
                .int((request.random_bits >> 20) % 400_000)
                .raw(r#","responseStatus":200"#);
        } else {
            self.output.raw("null");
        }
        self.output.raw("}]");
    }
}

impl<W: Write> Sink for Rows<'_, W> {
    fn open(&mut self, marker: &MarkerShape) {
        let kind = pick(self.palette.containers, marker.random_bits);
        if marker.hop.is_none() && kind.shape == Shape::Pair {
            self.start(&kind, marker);
        }
    }

    fn close(&mut self, marker: &MarkerShape) {
        let kind = pick(self.palette.containers, marker.random_bits);
        match &marker.hop {
            Some(hop) => self.write_flow_marker(hop, marker, true),
            None if kind.shape == Shape::Pair => {
                self.row(kind.name, kind.category, None, Some(marker.span.end), Phase::End);
                self.payload(&kind, marker);
            }
            None => self.plain(&kind, marker),
        }
    }

    fn leaf(&mut self, marker: &MarkerShape) {
        match &marker.hop {
            Some(hop) => self.write_flow_marker(hop, marker, false),
            None => self.plain(&pick(self.palette.leaves, marker.random_bits), marker),
        }
    }

    fn overlap(&mut self, marker: &MarkerShape) {
        self.plain(&pick(self.palette.overlapping, marker.random_bits), marker);
    }

    fn request(&mut self, request: &Request) {
        self.network(request, request.start, request.start.plus(400_000), "STATUS_START");
    }

    fn stop(&mut self, request: &Request, end: Nanos) {
        let began = request.start.plus(400_000).0.min(end.0);
        self.network(request, Nanos(began), end, "STATUS_STOP");
    }

    fn message(&mut self, message: &Message, at: Nanos) {
        self.instant("IPC", Category::Ipc, at);
        let at = self.local(at);
        let other = self.plan.process_of_port(message.other_port).pid;
        let sender = if message.receiving { other } else { self.process.pid };
        self.object("IPC", 99 << 8, at);
        self.output.raw(r#","startTime":"#).ms(at).raw(r#","endTime":"#).ms(at).raw(r#","otherPid":"#).int(other);
        // Sequence numbers wrap around, like in a long-running browser; those of a child's messages are negative.
        let sign = if sender == self.plan.processes[0].pid { "" } else { "-" };
        self.output.raw(r#","messageSeqno":"#).raw(sign).int(1 + message.number % 100_000);
        self.output.raw(r#","messageType":"#).text(message_type(message.random_bits >> 8)).raw(r#","side":""#);
        self.output.raw(if self.thread.process == 0 { "parent" } else { "child" }).raw(r#"","direction":""#);
        self.output.raw(if message.receiving { "receiving" } else { "sending" });
        self.output.raw(r#"","phase":"endpoint","sync":false}]"#);
    }

    fn half(&mut self, at: Nanos, is_start: bool) {
        if is_start {
            self.row("AsyncShutdown", Category::Other, Some(at), None, Phase::Start);
        } else {
            self.row("ThreadSuspended", Category::Other, None, Some(at), Phase::End);
        }
        self.output.raw("]");
    }
}

/// Phase of a row, with its number in the format.
#[derive(Debug, Clone, Copy)]
enum Phase {
    Instant = 0,
    Interval = 1,
    Start = 2,
    End = 3,
}

/// Returns the quoted type of a process and its number.
pub(super) const fn process_type(process: usize) -> (&'static str, u64) {
    if process == 0 { ("\"default\"", 0) } else { ("\"tab\"", 2) }
}

fn message_type(random_bits: u64) -> &'static str {
    const TYPES: [&str; 5] = [
        "PHttpChannel::Msg_OnStartRequestSent",
        "PWindowGlobal::Msg_SetClientInfo",
        "PBackgroundIDBCursor::Msg_Continue",
        "PCompositorManager::Msg_NotifyMemoryPressure",
        "PContent::Msg_PreferenceUpdate",
    ];
    pick(&TYPES, random_bits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Walk;
    use crate::{Format, Options};

    #[test]
    fn memory_does_not_grow_with_the_number_of_markers() {
        let most = |markers| {
            let (format, threads) = (Format::Firefox, Some(12));
            let plan = Plan::new(&Options { markers, format, threads, flows: None, samples: 0, seed: 11 });
            let mut output = Output::new(std::io::sink());
            let mut rows = Rows::new(&mut output, &plan, &plan.threads[0], 1);
            let mut walk = Walk::new(&plan, 0);
            let (mut most, mut steps) = (0, 0_u64);
            while walk.step(&mut rows) {
                steps += 1;
                if steps.is_multiple_of(4) {
                    rows.strings.age();
                }
                most = most.max(rows.strings.remembered());
            }
            most
        };
        let (small, large) = (most(100_000), most(1_000_000));
        assert!(large < small * 2, "{small} then {large} remembered ids");
    }
}
