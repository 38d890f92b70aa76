//! Facts that the whole trace implies and the part would lack, as packets at its start: the processes of threads that
//! only printed lines name, the names of tracks that are named after their first event, and the clock of the whole.

use super::message::MessageBytes;
use crate::perfetto::cut_clock::{CLOCK, stated_clock};
use crate::perfetto::output::Output;
use crate::perfetto::packet::kind;
use crate::perfetto::writer::Writer;
use crate::trace_events::CutClock;

/// Field of a packet with its machine.
const MACHINE: u64 = 98;

fn packet(kind: u64, payload: &MessageBytes) -> Vec<u8> {
    let mut out = MessageBytes::default();
    out.bytes(kind, &payload.0);
    out.0
}

/// A packet that lists threads with their processes (`ProcessTree`): pairs of thread and process.
pub(super) fn thread_list(threads: &[(i64, i64)]) -> Vec<u8> {
    let mut tree = MessageBytes::default();
    for (tid, pid) in threads {
        let mut thread = MessageBytes::default();
        thread.signed(1, *tid);
        thread.signed(3, *pid);
        tree.bytes(2, &thread.0);
    }
    packet(kind::PROCESS_TREE, &tree)
}

/// A packet that names a track of a machine (`TrackDescriptor`).
pub(super) fn track_name((machine, track): (u32, u64), name: &str) -> Vec<u8> {
    let mut descriptor = MessageBytes::default();
    descriptor.number(1, track);
    descriptor.bytes(2, name.as_bytes());
    let mut out = packet(kind::TRACK_DESCRIPTOR, &descriptor);
    if machine > 0 {
        let mut of_machine = MessageBytes::default();
        of_machine.number(MACHINE, machine.into());
        out.extend(of_machine.0);
    }
    out
}

/// A packet with the clock of the whole trace.
pub(super) fn clock(clock: CutClock) -> Vec<u8> {
    let (mut entry, mut bundle) = (MessageBytes::default(), MessageBytes::default());
    let text = clock.0.map(|range| format!("{} {}", range.start.0, range.end.0)).unwrap_or_default();
    entry.bytes(1, CLOCK);
    entry.bytes(2, text.as_bytes());
    bundle.bytes(2, &entry.0);
    packet(kind::CHROME_EVENTS, &bundle)
}

impl<O: Output> Writer<'_, O> {
    /// Passes the clock on that a cut states.
    pub(in crate::perfetto) fn cut_clock(&mut self, bundle: &[u8]) {
        if let Some(clock) = stated_clock(bundle).filter(|_| O::NAMES) {
            self.output.metadata(&clock.event());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::perfetto::wire::Fields;
    use flowline_profile::{Ns, TimeRange};

    #[test]
    fn the_clock_is_read_as_written() {
        let range = TimeRange { start: Ns(-5), end: Ns(1_000_000_000_000_000_000) };
        for stated in [CutClock(None), CutClock(Some(range))] {
            let packet = clock(stated);
            let bundle = Fields::new(&packet).field(kind::CHROME_EVENTS).expect("a bundle").bytes();
            assert_eq!(stated_clock(bundle), Some(stated));
        }
        let reversed = clock(CutClock(Some(TimeRange { start: Ns(2), end: Ns(1) })));
        assert_eq!(stated_clock(Fields::new(&reversed).field(kind::CHROME_EVENTS).expect("a bundle").bytes()), None);
    }
}
