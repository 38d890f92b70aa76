//! Imports Chrome trace events: an array of events, an object with `traceEvents`, or JSON Lines (one event per line).
//! Chrome, Node, Bazel, clang, PyTorch and many other programs write them. The format is the "Trace Event Format" of
//! the Catapult project; where its tools disagree, the functions document the rule.
//!
//! `top_level` and `event_list` read the events in parallel (`event_reader`, mostly through `fast_path`); `batch` and
//! `trace` number their strings; `event_tracks` assigns events to tracks. Then every track is built in parallel
//! (`slices`, async slices by id in `asyncs`), flow events bind to slices (`flows`) and form flows (`split_flows`), and
//! `assemble` builds a profile from the tracks.
//!
//! `thread_samples` adds samples to threads: V8 CPU profiles (`cpu_profiles`), which `calls` combines with events into
//! calls, or samples in the formats of trace events (`plain_samples`).

mod assemble;
mod async_begins;
mod async_bindings;
mod async_key;
mod async_tracks;
mod asyncs;
mod batch;
mod build_tracks;
mod calls;
mod clock;
mod clusters;
mod colors;
mod counter_values;
mod counters;
mod cpu_profiles;
mod cut;
mod derive;
mod event;
mod event_links;
mod event_list;
mod event_names;
mod event_reader;
mod event_tracks;
mod fast_path;
mod flow_builder;
mod flow_segmentation;
mod flow_step_partitions;
mod flow_steps;
mod flows;
mod frame_table;
mod ids;
mod implicit_ends;
mod importer;
mod marker_tracks;
mod metadata;
mod perfetto_info;
mod recent_values;
mod sample_trace_ids;
mod slice;
mod slice_order;
mod slices;
mod thread_samples;
mod top_level;
mod trace;
mod trace_event_samples;
mod track_events;

pub(super) use assemble::THREAD_STATE_SUFFIX;
pub(super) use cut::cut;
pub(super) use importer::Chrome;
