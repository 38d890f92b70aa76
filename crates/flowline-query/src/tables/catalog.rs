//! All tables of recordings.

use std::sync::Arc;

use super::args::Args;
use super::builders::Columns;
use super::counters::CounterSamples;
use super::flows::{FlowArrows, FlowMembers};
use super::listed::Listed;
use super::rows::Rows;
use super::slices::Slices;
use super::stacks::{StackFrames, StackSamples};
use super::whole::Whole;
use super::{lists, page, timelines};
use crate::recording::Recording;
use crate::schema::{
    CRITICAL_PATH, FLOW_TIMELINE, INSIGHT, MILESTONE, NETWORK_REQUEST, PROCESS, RECORDING, THREAD, TRACK, TableSpec,
};

/// The rows of a table. `path_to` names slices that `critical_path` has a path to.
pub(crate) fn open_table(spec: &'static TableSpec, recording: &Arc<Recording>, path_to: &[String]) -> Arc<dyn Rows> {
    let whole = |table: &'static TableSpec, build: fn(&Recording) -> Columns| -> Arc<dyn Rows> {
        Arc::new(Whole::new(table, build(recording)))
    };
    match spec.name {
        "recording" => whole(RECORDING, lists::recording),
        "process" => whole(PROCESS, lists::processes),
        "thread" => whole(THREAD, lists::threads),
        "track" => whole(TRACK, lists::tracks),
        "slice" => Arc::new(Slices::new(recording)),
        "args" => Arc::new(Args::new(recording)),
        "counter" => Arc::new(Listed::<CounterSamples>::new(recording)),
        "flow" => Arc::new(Listed::<FlowArrows>::new(recording)),
        "flow_member" => Arc::new(Listed::<FlowMembers>::new(recording)),
        "flow_timeline" => whole(FLOW_TIMELINE, timelines::flow_timelines),
        "critical_path" => Arc::new(Whole::new(CRITICAL_PATH, timelines::critical_paths(recording, path_to))),
        "stack_sample" => Arc::new(Listed::<StackSamples>::new(recording)),
        "stack_frame" => Arc::new(Listed::<StackFrames>::new(recording)),
        "network_request" => whole(NETWORK_REQUEST, page::requests),
        "milestone" => whole(MILESTONE, page::milestones),
        "insight" => whole(INSIGHT, page::insights),
        name => unreachable!("no table {name}"),
    }
}
