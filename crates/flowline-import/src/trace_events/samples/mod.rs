//! Samples of threads, and the calls that follow from samples and events.

pub(super) mod calls;
pub(super) mod cpu_profiles;
pub(super) mod frame_table;
pub(super) mod sample_trace_ids;
pub(super) mod thread_samples;
pub(super) mod trace_event_samples;
