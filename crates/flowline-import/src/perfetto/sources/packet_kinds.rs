//! Field numbers of the packets of other data sources than events of programs and of the kernel (`trace_packet.proto`).

pub(in crate::perfetto) const SYSTEM_STATS: u64 = 7;
pub(in crate::perfetto) const HEAP_PROFILE: u64 = 37;
pub(in crate::perfetto) const BATTERY: u64 = 38;
pub(in crate::perfetto) const ANDROID_LOG: u64 = 39;
pub(in crate::perfetto) const POWER_RAILS: u64 = 40;
pub(in crate::perfetto) const TRIGGER: u64 = 46;
pub(in crate::perfetto) const GPU_COUNTERS: u64 = 52;
pub(in crate::perfetto) const MODULE_SYMBOLS: u64 = 61;
pub(in crate::perfetto) const GPU_LOG: u64 = 63;
pub(in crate::perfetto) const MAPPINGS: u64 = 68;
pub(in crate::perfetto) const DISPLAY_STATE: u64 = 70;
pub(in crate::perfetto) const GPU_MEMORY: u64 = 71;
pub(in crate::perfetto) const FRAME_TIMELINE: u64 = 76;
pub(in crate::perfetto) const ENERGY: u64 = 77;
pub(in crate::perfetto) const SYSTEM_PROPERTIES: u64 = 86;
pub(in crate::perfetto) const ENTITY_STATES: u64 = 91;
pub(in crate::perfetto) const CHROME_TRIGGER: u64 = 109;
pub(in crate::perfetto) const CLONE_TRIGGER: u64 = 113;
pub(in crate::perfetto) const CPU_FREQUENCY: u64 = 118;
pub(in crate::perfetto) const GPU_FREQUENCY: u64 = 129;
pub(in crate::perfetto) const JOURNAL: u64 = 132;

/// All of them.
pub(in crate::perfetto) const ALL: [u64; 21] = [
    SYSTEM_STATS,
    HEAP_PROFILE,
    BATTERY,
    ANDROID_LOG,
    POWER_RAILS,
    TRIGGER,
    GPU_COUNTERS,
    MODULE_SYMBOLS,
    GPU_LOG,
    MAPPINGS,
    DISPLAY_STATE,
    GPU_MEMORY,
    FRAME_TIMELINE,
    ENERGY,
    SYSTEM_PROPERTIES,
    ENTITY_STATES,
    CHROME_TRIGGER,
    CLONE_TRIGGER,
    CPU_FREQUENCY,
    GPU_FREQUENCY,
    JOURNAL,
];
