//! The text of a trace: its events, and the tables of strings and ids that they refer to.

pub(super) mod batch;
pub(super) mod clock;
pub(super) mod event;
pub(super) mod event_list;
pub(super) mod event_reader;
pub(super) mod far_times;
pub(super) mod fast_path;
pub(super) mod ids;
pub(super) mod messages;
pub(super) mod metadata;
pub(super) mod perfetto_info;
pub(super) mod recent_values;
pub(super) mod system_events;
pub(super) mod top_level;
pub(super) mod trace;
