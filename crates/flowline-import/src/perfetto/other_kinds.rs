//! Field numbers of the packets of other data sources than events of programs and of the kernel (`trace_packet.proto`).

pub(super) const ANDROID_LOG: u64 = 39;
pub(super) const GPU_LOG: u64 = 63;
pub(super) const FRAME_TIMELINE: u64 = 76;
pub(super) const JOURNAL: u64 = 132;

/// All of them.
pub(super) const ALL: [u64; 4] = [ANDROID_LOG, GPU_LOG, FRAME_TIMELINE, JOURNAL];
