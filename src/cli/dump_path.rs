//! `flowline dump path`: the critical path to the end of a marker, oldest segment first.

use std::io::Write;

use anyhow::Context;
use serde_json::json;

use super::dump_args::DumpArgs;
use crate::index::Index;
use crate::index::waits::{Behind, CriticalPath, HeldUp, PathOptions};
use crate::profile::MarkerId;

/// What the time is called in which a thread slept.
const IDLE: &str = "(idle)";
/// What the time is called of which the recording says nothing.
const UNKNOWN: &str = "(unknown)";

pub(super) fn path(out: &mut impl Write, index: &Index, options: &DumpArgs) -> anyhow::Result<()> {
    let number = options.marker.context("dump path needs --marker N; dump markers prints the numbers")?;
    let marker = MarkerId(number);
    let count = index.profile().marker_count();
    anyhow::ensure!(marker.index() < count, "there is no marker {number}: the recording has {count} markers");
    let path = CriticalPath::to_marker(index, marker, PathOptions { assume_followed: !options.no_follow });
    for segment in &path.segments {
        let behind: Vec<_> = segment.held_up.iter().flat_map(|held_up| parts(index, held_up)).collect();
        let line = json!({
            "start_ns": segment.range.start.0,
            "end_ns": segment.range.end.0,
            "kind": segment.kind.name(),
            "marker": segment.marker.0,
            "thread": segment.thread.0,
            "behind": behind,
        });
        writeln!(out, "{line}")?;
    }
    Ok(())
}

fn parts(index: &Index, held_up: &HeldUp) -> Vec<serde_json::Value> {
    let strings = &index.profile().strings;
    let named = |behind: &Behind| match &behind.task {
        Some(task) => json!({"name": strings.get(behind.name), "task": task, "ns": behind.ns}),
        None => json!({"name": strings.get(behind.name), "ns": behind.ns}),
    };
    let rest = [(IDLE, held_up.idle), (UNKNOWN, held_up.unknown)].into_iter().filter(|(_, ns)| *ns > 0);
    held_up.behind.iter().map(named).chain(rest.map(|(name, ns)| json!({"name": name, "ns": ns}))).collect()
}
