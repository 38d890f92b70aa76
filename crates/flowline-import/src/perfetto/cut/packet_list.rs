//! The packets of a trace as far as a cut must know them before it writes any.

use crate::perfetto::packet::{Packet, kind};
use crate::perfetto::sources::packet_kinds;
use crate::perfetto::sources::skipped_packets::skipped;
use crate::perfetto::wire::Fields;

/// The role of a packet in a cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PacketRole {
    /// Its events decide.
    Events,
    /// Each of its kernel events decides for itself.
    Kernel,
    /// It describes clocks, tracks, processes or the recording.
    Description,
    /// It contains data that is not imported. Its time decides.
    NotImported,
    /// It has no payload.
    Empty,
}

impl PacketRole {
    pub(super) fn of(packet: &Packet<'_>) -> Self {
        let Some((number, data)) = packet.data else { return Self::Empty };
        match number {
            kind::FTRACE => Self::Kernel,
            kind::CLOCK_SNAPSHOT
            | kind::TRACK_DESCRIPTOR
            | kind::PROCESS_TREE
            | kind::PROCESS_DESCRIPTOR
            | kind::THREAD_DESCRIPTOR
            | kind::EXTENSION_DESCRIPTOR
            | kind::CHROME_EVENTS
            | kind::SYSTEM_INFO => Self::Description,
            kind::TRACK_EVENT | kind::PROCESS_STATS | kind::PERF_SAMPLE | kind::STREAMING_PROFILE => Self::Events,
            // Allocations are derived from the whole profile.
            packet_kinds::HEAP_PROFILE | packet_kinds::MODULE_SYMBOLS => Self::Description,
            // Their first packets describe the counters.
            packet_kinds::POWER_RAILS | packet_kinds::GPU_COUNTERS if Fields::new(data).field(1).is_some() => {
                Self::Description
            }
            number if packet_kinds::ALL.contains(&number) => Self::Events,
            number if skipped(number).is_none() => Self::Description,
            _ => Self::NotImported,
        }
    }
}

/// A packet.
#[derive(Clone, Copy, Debug)]
pub(super) struct ListedPacket {
    pub(super) role: PacketRole,
    pub(super) sequence: u32,
    /// Time on the trace clock in nanoseconds; `None` without a time.
    pub(super) time: Option<i64>,
    /// True if it clears the state of its sequence.
    pub(super) is_cleared: bool,
    /// False if it refers to lost data, so that it was not read.
    pub(super) is_readable: bool,
    /// True if it enters a state, which ends another one.
    pub(super) is_state: bool,
    /// True for kernel events whose bundle relates two clocks.
    pub(super) relates_clocks: bool,
    /// Index of its track among those without a name.
    pub(super) unnamed_track: Option<u32>,
}
