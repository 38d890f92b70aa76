//! Writes a part of a Perfetto trace as a smaller Perfetto trace.
//!
//! The events of the part are selected on the same trace as JSON (`twin`), with the rules for Chrome traces, and then
//! mapped to their packets (`selection`). Packets are copied in file order, so that their order means the same (`copy`):
//! whole where their events are kept; with only what changes the state of their sequence if another packet of the same
//! generation of interned data is kept; and always if they describe clocks, tracks, processes or the recording.
//!
//! Deltas count from the previous packet, which may be missing. Two readers therefore follow the whole trace and the
//! part, and each delta is changed by the difference of their sums (`deltas`). Bundles of kernel events are written
//! again with the kept events (`bundle`); `kernel` determines which context switches the kept rows need. `statements`
//! writes facts that follow from packets that the part lacks.
//!
//! Field numbers are those of `trace_packet.proto`, `track_event.proto`, `ftrace_event_bundle.proto`, `sched.proto` and
//! `process_tree.proto` of Perfetto.

mod bundle;
mod copy;
mod deltas;
mod kernel;
mod kernel_item;
mod message;
mod packet_filter;
mod packet_list;
mod selection;
mod statements;
mod twin;

pub(crate) use copy::cut;
pub(crate) use packet_filter::PacketFilter;
