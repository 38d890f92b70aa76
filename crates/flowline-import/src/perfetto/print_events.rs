//! Lines that programs print to the kernel trace, as Android does: slices, instants and counters, with fields separated
//! by `|`.

use super::event::{EventId, OwnerId, TraceEvent};
use super::output::Output;
use super::owner_descriptor::ThreadKey;
use super::writer::{Writer, emit};

impl<O: Output> Writer<'_, O> {
    /// Returns the thread of a line. The process comes from the system's list or from the lines of the thread.
    fn printing(&self, tid: i64) -> ThreadKey {
        (self.facts.process_of(tid).unwrap_or(tid), tid)
    }

    /// Writes the event of a printed line: kind, process, and more fields, separated by `|`.
    pub(super) fn print(&mut self, ts: i64, tid: i64, line: &str) {
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
            "S" => return self.printed_slice(b'b', ts, (tid, pid), [first, first, second]),
            "F" => return self.printed_slice(b'e', ts, (tid, pid), [first, first, second]),
            // Async slice on a named track.
            "G" => {
                let (name, number) = second.rsplit_once('|').unwrap_or((second, ""));
                return self.printed_slice(b'b', ts, (tid, pid), [first, name, number]);
            }
            "H" => return self.printed_slice(b'e', ts, (tid, pid), [first, "", second]),
            "N" => return self.printed_slice(b'n', ts, (tid, pid), [first, second, ""]),
            _ => {
                if !line.starts_with("trace_event_clock_sync") {
                    self.omit("lines printed to the kernel trace");
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
        let Ok(value) = value.trim().parse::<i64>() else { return };
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
            let name = (phase != b'e').then(|| name.into());
            let event = TraceEvent { id: EventId::Track(&id), name, ..TraceEvent::new(phase, ts, &owner) };
            emit(&mut self.output, self.facts, &mut self.place, &event);
        }
    }
}
