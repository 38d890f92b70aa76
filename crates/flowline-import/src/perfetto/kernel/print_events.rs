//! Lines that programs print to the kernel trace, as Android does: slices, instants and counters, with fields separated
//! by `|`.
//!
//! | line | meaning |
//! |---|---|
//! | `B`, process, name | begin of a slice of the thread |
//! | `E`, process | end of its innermost slice |
//! | `I`, process, name | instant of the thread |
//! | `C`, process, name, value, category | counter; the category may be missing |
//! | `S`, `F`, process, name, cookie | begin and end of an operation |
//! | `G`, process, track, name, cookie and `H`, process, track, cookie | the same on a named track |
//! | `N`, process, track, name | instant on a named track |
//!
//! Processes and cookies are numbers. An operation that runs begins no second time: the phases `S` and `F` with a track as
//! id pair a begin with the next end (Android's `atrace.h`, and Perfetto's `systrace_parser`).

use crate::perfetto::event::{EventId, OwnerId, TraceEvent};
use crate::perfetto::json_text::text;
use crate::perfetto::output::Output;
use crate::perfetto::owner_descriptor::ThreadKey;
use crate::perfetto::wire::Field;
use crate::perfetto::writer::{Writer, emit};

/// Lines that are not imported.
const OTHER_LINES: &str = "lines printed to the kernel trace";

impl<O: Output> Writer<'_, O> {
    /// Returns the thread of a line. The process comes from the system's list or from the lines of the thread.
    pub(in crate::perfetto) fn printing(&self, tid: i64) -> ThreadKey {
        (self.facts.process_of(tid).unwrap_or(tid), tid)
    }

    /// Writes the event of a printed line: kind, process, and more fields, separated by `|`.
    pub(in crate::perfetto) fn print(&mut self, (ts, tid): (i64, i64), print: Field<'_>) {
        let line = print.message().field(2).map(|line| text(line.bytes())).unwrap_or_default();
        let line = line.trim_end_matches(['\n', '\0']);
        let mut parts = line.splitn(3, '|');
        let (kind, pid) = (parts.next().unwrap_or_default(), parts.next());
        let pid = pid.and_then(|pid| pid.trim().parse::<i64>().ok());
        let rest = parts.next().unwrap_or_default();
        let (first, second) = rest.split_once('|').unwrap_or((rest, ""));
        let (phase, name) = match kind {
            "B" => (b'B', rest),
            "E" => (b'E', ""),
            "I" => (b'i', rest),
            "C" => return self.printed_counter(ts, (tid, pid), first, second),
            // Name and number of an async slice.
            "S" => return self.printed_slice(b'S', ts, (tid, pid), [first, first, second]),
            "F" => return self.printed_slice(b'F', ts, (tid, pid), [first, first, second]),
            // Async slice on a named track.
            "G" => {
                let (name, number) = second.rsplit_once('|').unwrap_or((second, ""));
                return self.printed_slice(b'S', ts, (tid, pid), [first, name, number]);
            }
            "H" => return self.printed_slice(b'F', ts, (tid, pid), [first, "", second]),
            "N" => return self.printed_slice(b'n', ts, (tid, pid), [first, second, ""]),
            _ => {
                if !line.starts_with("trace_event_clock_sync") {
                    self.omit(OTHER_LINES);
                }
                return;
            }
        };
        let thread = self.printing(tid);
        let place = self.thread_target(thread);
        if O::EVENTS {
            let name = (phase != b'E').then(|| name.into());
            let event = TraceEvent { name, ..TraceEvent::new(phase, ts, &place.owner) };
            emit(&mut self.output, self.facts, &mut self.place, &event);
        }
    }

    fn printed_counter(&mut self, ts: i64, (tid, stated_pid): (i64, Option<i64>), name: &str, value: &str) {
        let (pid, _) = self.printing(tid);
        let pid = stated_pid.filter(|pid| *pid > 0).unwrap_or(pid);
        let value = value.split_once('|').map_or(value, |(value, _category)| value);
        let Ok(value) = value.trim().parse::<i64>() else { return self.omit(OTHER_LINES) };
        self.name_process(pid);
        self.counter(ts, OwnerId::Number(pid), name, "", value);
    }

    fn printed_slice(
        &mut self,
        phase: u8,
        ts: i64,
        (tid, stated_pid): (i64, Option<i64>),
        [track, name, number]: [&str; 3],
    ) {
        let (pid, _) = self.printing(tid);
        let pid = stated_pid.filter(|pid| *pid > 0).unwrap_or(pid);
        let owner = self.named_target(OwnerId::Number(pid), track);
        if O::EVENTS {
            let id = format!("{pid} {track} {number}");
            let name = (phase != b'F').then(|| name.into());
            let event = TraceEvent { id: EventId::Track(&id), name, ..TraceEvent::new(phase, ts, &owner) };
            emit(&mut self.output, self.facts, &mut self.place, &event);
        }
    }
}
