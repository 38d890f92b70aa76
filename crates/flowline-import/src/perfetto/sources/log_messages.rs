//! Log messages as instants: those of Android (`android_log.proto`), of GPU drivers (`gpu_log.proto`) and of the systemd
//! journal (`journald_event.proto`).
//!
//! An instant has the tag of its message as name and the priority as category, so that rows, statistics and the search
//! group messages by their source.

use std::borrow::Cow;

use super::groups::Group;
use crate::perfetto::event::{Args, EventId, Owner, OwnerId, TraceEvent};
use crate::perfetto::json_text::{float, integer, string, text};
use crate::perfetto::output::Output;
use crate::perfetto::wire::{Field, Fields};
use crate::perfetto::writer::{Writer, emit};

/// The clock of Android's log: the time since 1970.
const REALTIME: u32 = 1;

/// Priority of a message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Priority(&'static str);

impl Priority {
    /// Returns the priority of Android's number; empty if unknown.
    fn android(number: u64) -> Self {
        const NAMES: [&str; 6] = ["Verbose", "Debug", "Info", "Warn", "Error", "Fatal"];
        Self::nth(&NAMES, number.checked_sub(2))
    }

    fn gpu(number: u64) -> Self {
        const NAMES: [&str; 5] = ["Verbose", "Debug", "Info", "Warn", "Error"];
        Self::nth(&NAMES, number.checked_sub(1))
    }

    /// Returns the priority of a number of syslog.
    fn syslog(number: u64) -> Self {
        const NAMES: [&str; 8] = ["Fatal", "Fatal", "Fatal", "Error", "Warn", "Info", "Info", "Debug"];
        Self::nth(&NAMES, Some(number))
    }

    fn nth(names: &[&'static str], number: Option<u64>) -> Self {
        let name = number.and_then(|number| names.get(usize::try_from(number).ok()?));
        Self(name.copied().unwrap_or_default())
    }

    /// Returns a reserved color name of trace viewers.
    fn color(self) -> &'static str {
        match self.0 {
            "Warn" => "bad",
            "Error" | "Fatal" => "terrible",
            _ => "",
        }
    }
}

/// A message.
#[derive(Default)]
struct LogMessage<'a> {
    ts: i64,
    pid: i64,
    tid: i64,
    tag: Cow<'a, str>,
    priority: Priority,
    message: Cow<'a, str>,
    /// The name of the log within its source.
    log: &'static str,
    /// Named values of the message.
    values: Vec<Field<'a>>,
}

impl LogMessage<'_> {
    /// Appends the arguments of the instant as an object.
    fn write(&self, out: &mut String) {
        out.push_str("{\"tag\":");
        string(out, self.tag.as_bytes());
        for (member, value) in
            [(",\"priority\":", self.priority.0), (",\"message\":", &*self.message), (",\"log\":", self.log)]
        {
            if !value.is_empty() {
                out.push_str(member);
                string(out, value.as_bytes());
            }
        }
        if self.tid > 0 {
            out.push_str(",\"tid\":");
            integer(out, self.tid);
        }
        if !self.values.is_empty() {
            out.push_str(",\"values\":{");
            for (number, value) in self.values.iter().enumerate() {
                out.push_str(if number > 0 { "," } else { "" });
                log_value(out, *value, number);
            }
            out.push('}');
        }
        out.push('}');
    }
}

/// Appends a named value of a message as a member. Values without a name have their number.
fn log_value(out: &mut String, value: Field<'_>, number: usize) {
    let (mut name, mut shown) = (Cow::Borrowed(""), String::new());
    for field in value.message() {
        match field.number {
            1 => name = text(field.bytes()),
            2 => shown = field.signed().to_string(),
            3 => {
                shown.clear();
                float(&mut shown, f64::from(field.float()));
            }
            4 => {
                shown.clear();
                string(&mut shown, field.bytes());
            }
            _ => {}
        }
    }
    if name.is_empty() {
        name = number.to_string().into();
    }
    string(out, name.as_bytes());
    out.push(':');
    out.push_str(if shown.is_empty() { "null" } else { &shown });
}

impl<O: Output> Writer<'_, O> {
    /// Writes the messages of Android's log.
    pub(in crate::perfetto) fn android_log(&mut self, packet: &[u8]) {
        const LOGS: [&str; 8] = ["main", "radio", "events", "system", "crash", "stats", "security", "kernel"];
        const LOST: u64 = 2;
        for entry in Fields::new(packet) {
            match entry.number {
                1 => {}
                2 => {
                    if entry.message().any(|field| field.number == LOST && field.number() > 0) {
                        self.omit("losses of log messages");
                    }
                    continue;
                }
                _ => continue,
            }
            let (mut log, mut stated) = (LogMessage::default(), None);
            for field in entry.message() {
                match field.number {
                    1 => log.log = usize::try_from(field.number()).ok().and_then(|log| LOGS.get(log)).unwrap_or(&""),
                    2 => log.pid = field.signed(),
                    3 => log.tid = field.signed(),
                    5 => stated = Some(field.signed()),
                    6 => log.tag = text(field.bytes()),
                    7 => log.priority = Priority::android(field.number()),
                    8 => log.message = text(field.bytes()),
                    9 => log.values.push(field),
                    _ => {}
                }
            }
            match stated.and_then(|stated| self.facts.clocks.to_trace(0, REALTIME, stated)) {
                Some(ts) => self.log_message(&LogMessage { ts, ..log }, "Android log", None),
                None => self.omit("log messages without a time on the clock of the trace"),
            }
        }
    }

    /// Writes a message of a GPU driver.
    pub(in crate::perfetto) fn gpu_log(&mut self, ts: i64, packet: &[u8]) {
        let mut log = LogMessage { ts, ..LogMessage::default() };
        for field in Fields::new(packet) {
            match field.number {
                1 => log.priority = Priority::gpu(field.number()),
                2 => log.tag = text(field.bytes()),
                3 => log.message = text(field.bytes()),
                _ => {}
            }
        }
        self.log_message(&log, "GPU log", Some(Group::Gpu));
    }

    /// Writes a message of the systemd journal.
    pub(in crate::perfetto) fn journal(&mut self, ts: i64, packet: &[u8]) {
        const LOST: u64 = 21;
        let mut log = LogMessage { ts, ..LogMessage::default() };
        for field in Fields::new(packet) {
            match field.number {
                1 => log.pid = field.signed(),
                2 => log.tid = field.signed(),
                5 => log.priority = Priority::syslog(field.number()),
                6 => log.tag = text(field.bytes()),
                7 => log.message = text(field.bytes()),
                8 if log.tag.is_empty() => log.tag = text(field.bytes()),
                LOST if field.number() > 0 => self.omit("losses of log messages"),
                _ => {}
            }
        }
        // A packet with totals only.
        if !log.tag.is_empty() || !log.message.is_empty() {
            self.log_message(&log, "Journal", None);
        }
    }

    /// Writes a message on a track of its process, named after the thread if that has a name.
    fn log_message(&mut self, log: &LogMessage<'_>, track: &str, group: Option<Group>) {
        let pid = if log.pid > 0 { Some(log.pid) } else { self.facts.process_of(log.tid) };
        let process = match (group, pid) {
            (Some(group), _) => group.process(),
            (None, Some(pid)) => OwnerId::Number(pid),
            (None, None) => Group::System.process(),
        };
        let thread = pid.and_then(|pid| self.facts.threads.get(&(pid, log.tid)));
        let track = match thread.map(|thread| thread.name.as_str()) {
            Some(name) if !name.is_empty() => format!("{name}: {track}").into(),
            _ => Cow::Borrowed(track),
        };
        let owner = self.named_target(process, &track);
        self.log_instant(log, &owner, &track);
    }

    fn log_instant(&mut self, log: &LogMessage<'_>, owner: &Owner, track: &str) {
        if !O::EVENTS {
            return;
        }
        let args = |out: &mut String| log.write(out);
        let name = if log.tag.is_empty() { &log.message } else { &log.tag };
        let event = TraceEvent {
            id: EventId::Track(track),
            name: Some(Cow::Borrowed(&**name)),
            categories: log.priority.0.into(),
            color: log.priority.color(),
            args: Args::Made(&args),
            ..TraceEvent::new(b'n', log.ts, owner)
        };
        emit(&mut self.output, self.facts, &mut self.place, &event);
    }
}
