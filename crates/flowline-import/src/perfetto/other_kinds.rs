//! Field numbers of the packets of other data sources than events of programs and of the kernel (`trace_packet.proto`).

pub(super) const SYSTEM_STATS: u64 = 7;
pub(super) const HEAP_PROFILE: u64 = 37;
pub(super) const BATTERY: u64 = 38;
pub(super) const ANDROID_LOG: u64 = 39;
pub(super) const POWER_RAILS: u64 = 40;
pub(super) const TRIGGER: u64 = 46;
pub(super) const GPU_COUNTERS: u64 = 52;
pub(super) const MODULE_SYMBOLS: u64 = 61;
pub(super) const GPU_LOG: u64 = 63;
pub(super) const MAPPINGS: u64 = 68;
pub(super) const DISPLAY_STATE: u64 = 70;
pub(super) const GPU_MEMORY: u64 = 71;
pub(super) const FRAME_TIMELINE: u64 = 76;
pub(super) const ENERGY: u64 = 77;
pub(super) const SYSTEM_PROPERTIES: u64 = 86;
pub(super) const ENTITY_STATES: u64 = 91;
pub(super) const CHROME_TRIGGER: u64 = 109;
pub(super) const CLONE_TRIGGER: u64 = 113;
pub(super) const CPU_FREQUENCY: u64 = 118;
pub(super) const GPU_FREQUENCY: u64 = 129;
pub(super) const JOURNAL: u64 = 132;

/// All of them.
pub(super) const ALL: [u64; 21] = [
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
