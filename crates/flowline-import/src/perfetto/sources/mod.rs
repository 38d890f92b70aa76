//! Packets of other data sources than events of programs and of the kernel: logs, frames, counters, memory and symbols.

pub(super) mod chrome_events;
pub(super) mod counter_descriptors;
pub(super) mod frame;
pub(super) mod frame_timeline;
pub(super) mod gpu_counters;
pub(super) mod groups;
pub(super) mod heap_history;
pub(super) mod heap_profiles;
pub(super) mod log_messages;
pub(super) mod module_symbols;
pub(super) mod named_groups;
pub(super) mod packet_kinds;
pub(super) mod packets;
pub(super) mod power_counters;
pub(super) mod process_memory;
pub(super) mod skipped_packets;
pub(super) mod system_counters;
pub(super) mod triggers;
