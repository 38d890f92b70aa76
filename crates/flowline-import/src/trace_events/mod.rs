//! Imports Chrome trace events: an array of events, an object with `traceEvents`, or JSON Lines (one event per line).
//! Chrome, Node, Bazel, clang, PyTorch and many other programs write them. The format is the "Trace Event Format" of
//! the Catapult project; where its tools disagree, the functions document the rule.
//!
//! `text` reads the events in parallel, mostly through a fast path, and numbers their strings. `tracks` assigns events
//! to tracks and then builds every track in parallel: slices here, async slices by id in `asyncs`. Flow events bind to
//! slices and form flows in `flows`. `derive` assembles a profile from the tracks.
//!
//! `samples` adds samples to threads: V8 CPU profiles, which are combined with events into calls, or samples in the
//! formats of trace events. `cut` writes a part of a trace.

mod asyncs;
mod cut;
mod derive;
mod flows;
mod importer;
mod samples;
mod text;
mod tracks;

pub(super) use cut::{cut, kept_events};
pub(super) use derive::Parsed;
pub(super) use importer::{Chrome, Collector, read_document};
pub(super) use text::batch::Batch;
pub(super) use text::clock::CutClock;
pub(super) use text::event::{Draft, Event};
pub(super) use text::ids::{Id, IdIdentity, IdKind, NO_TIME, NONE, TextId};
pub(super) use text::messages::are_at as are_messages;
pub(super) use tracks::counter_values::{Count, CounterArgValue};
