//! `flowline dump threads` and `flowline dump streams`: the threads, tracks and streams of GPUs with their times.

use std::io::Write;

use serde_json::{Value, json};

use flowline_index::{Derived, Index, ThreadTimes, TimedKind};
use flowline_profile::ThreadId;

/// Writes one line per thread and per other track.
pub(super) fn threads(out: &mut impl Write, index: &Index) -> std::io::Result<()> {
    let (times, page) = (ThreadTimes::of(index), index.page_process());
    for (id, thread) in index.profile().threads_with_ids() {
        let time = times.thread(id);
        let mut line = named(index, id);
        line["cpu_ns"] = json!(time.cpu.map(|cpu| cpu.time.0));
        line["busy_ns"] = json!(time.busy.map(|busy| busy.0));
        line["tab"] = json!(index.pages().tabs().of_process(thread.process).map(|tab| tab.id.0));
        line["is_page"] = json!(Some(thread.process) == page);
        line["measured_share"] = json!(time.cpu.map(|cpu| cpu.measured_share()));
        if let Some(parent) = thread.parent {
            line["parent"] = json!(parent.0);
        }
        writeln!(out, "{line}")?;
    }
    Ok(())
}

/// Writes one line per stream of a GPU.
pub(super) fn streams(out: &mut impl Write, index: &Index) -> std::io::Result<()> {
    let times = ThreadTimes::of(index);
    for (id, thread) in index.profile().threads_with_ids() {
        let time = times.thread(id);
        if time.kind != TimedKind::Stream {
            continue;
        }
        let mut line = named(index, id);
        line["cpu_ns"] = Value::Null;
        line["busy_ns"] = json!(time.busy.map(|busy| busy.0));
        line["measured_share"] = Value::Null;
        line["gpu_busy_ns"] = json!(times.of_process(thread.process).map(|gpu| gpu.time.0));
        writeln!(out, "{line}")?;
    }
    Ok(())
}

fn named(index: &Index, id: ThreadId) -> Value {
    let (thread, process) = (index.profile().thread(id), index.profile().process_of(id));
    json!({
        "thread": id.0,
        "pid": process.pid.as_str(),
        "tid": thread.tid.as_str(),
        "name": thread.name.as_str(),
        "process": process.name.as_str(),
        "markers": thread.markers.len(),
    })
}
