//! `flowline dump path`: the critical path to the end of a marker or flow, or to a time, oldest segment first.

use std::io::Write;

use anyhow::Context;
use serde_json::json;

use crate::cli::args::{DumpArgs, PathEnd};
use flowline_index::Index;
use flowline_index::waits::{Blocker, WaitActivity};
use flowline_session::find_path;
use flowline_view::PathTarget;

/// Name for the time in which a thread slept.
const IDLE: &str = "(idle)";
/// Name for the time without recorded activity.
const UNKNOWN: &str = "(unknown)";

pub(super) fn path(out: &mut impl Write, index: &Index, options: &DumpArgs) -> anyhow::Result<()> {
    let end = options.marker.map(PathEnd::Marker).or_else(|| options.to.clone());
    let end = end.context("dump path needs --marker N or --to END; `dump markers` prints the marker numbers")?;
    let option = if options.marker.is_some() { "--marker" } else { "--to" };
    let target = PathTarget { assume_followed: !options.no_follow, ..end.resolve(index, option)? };
    let path = find_path(index, target);
    for segment in &path.segments {
        let blockers: Vec<_> = segment.blocking.iter().flat_map(|blocking| parts(index, blocking)).collect();
        let mut line = json!({
            "start_ns": segment.range.start.0,
            "end_ns": segment.range.end.0,
            "kind": segment.kind.name(),
            "marker": segment.marker.0,
            "thread": segment.thread.0,
            "behind": blockers,
        });
        let phases = segment.phases(index);
        if !phases.is_empty() {
            let phases = phases.into_iter().map(|(kind, ns)| (kind.name().to_owned(), ns.into()));
            line["phases"] = serde_json::Value::Object(phases.collect());
        }
        writeln!(out, "{line}")?;
    }
    Ok(())
}

fn parts(index: &Index, blocking: &WaitActivity) -> Vec<serde_json::Value> {
    let strings = &index.profile().strings;
    let named = |blocker: &Blocker| match &blocker.task {
        Some(task) => json!({"name": strings.get(blocker.name), "task": task, "ns": blocker.ns}),
        None => json!({"name": strings.get(blocker.name), "ns": blocker.ns}),
    };
    let rest = [(IDLE, blocking.idle), (UNKNOWN, blocking.unknown)].into_iter().filter(|(_, ns)| *ns > 0);
    blocking.blockers.iter().map(named).chain(rest.map(|(name, ns)| json!({"name": name, "ns": ns}))).collect()
}
