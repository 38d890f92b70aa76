//! `flowline dump frames`: one line per frame, in start order.

use serde_json::{Value, json};

use crate::tracks::DumpLine;
use flowline_index::{Derived, Index};
use flowline_insights::frames::{FrameCause, FramePart, FrameThreads, Frames, PageFrame};
use flowline_profile::{MarkerId, Ns, Profile};

/// The frames with their markers. If the frames of a page are unknown, one line gives the reason.
pub(super) fn lines(index: &Index) -> impl Iterator<Item = DumpLine> + '_ {
    let (frames, threads) = (Frames::of(index), FrameThreads::of(index));
    let line = move |(number, frame): (usize, &PageFrame)| {
        let markers: Vec<MarkerId> = std::iter::once(frame.marker).chain(frame.markers.iter().copied()).collect();
        DumpLine { markers, json: line(index, frames, threads, (number, frame)) }
    };
    let unknown = frames.reason().map(|reason| DumpLine {
        markers: Vec::new(),
        json: json!({
            "frame": null, "seq": null, "state": "unknown", "start_ns": null, "end_ns": null, "budget_ns": null,
            "budget_assumed": null, "late": null, "reason": null, "late_part": null, "busy_ns": null,
            "ran": null, "content": null, "content_start_ns": null,
            "composite_start_ns": null, "vsync_ns": null, "main_frame_id": null, "pid": null, "marker": null,
            "markers": [], "unknown": reason,
        }),
    });
    unknown.into_iter().chain(frames.list().iter().enumerate().map(line))
}

fn line(index: &Index, frames: &Frames, threads: &FrameThreads, (number, frame): (usize, &PageFrame)) -> Value {
    let (profile, cause) = (index.profile(), threads.cause(index, frames, frame));
    let part = cause.as_ref().and_then(|cause| cause.late);
    json!({
        "frame": number,
        "seq": frame.sequence,
        "state": frame.state.name(),
        "start_ns": frame.times.start.0,
        "end_ns": frame.times.end.0,
        "budget_ns": frames.budget().0,
        "budget_assumed": frames.is_budget_assumed(),
        "late": frame.is_late,
        "reason": frame.reason.map(|reason| reason.name()),
        "late_part": part.map(FramePart::name),
        "busy_ns": cause.as_ref().and_then(|cause| cause.busy).map(|busy| busy.0),
        "ran": cause.map(|cause| ran(profile, &cause)),
        "content": frame.content,
        "content_start_ns": frame.content_start.map(|time| time.0),
        "composite_start_ns": frame.composite_start.map(|time| time.0),
        "vsync_ns": frame.vsync.map(|time| time.0),
        "main_frame_id": frame.main_frame,
        "pid": profile.processes[frame.page.unwrap_or(profile.thread(frame.thread).process).index()].pid.as_str(),
        "marker": frame.marker.0,
        "markers": frame.markers.iter().map(|marker| marker.0).collect::<Vec<_>>(),
        "unknown": null,
    })
}

/// The slices that the main thread ran meanwhile.
fn ran(profile: &Profile, cause: &FrameCause) -> Vec<Value> {
    let slice = |(marker, time): &(MarkerId, Ns)| {
        let (thread, local) = profile.locate(*marker)?;
        Some(json!({"name": profile.marker_name(thread, local), "marker": marker.0, "time_ns": time.0}))
    };
    cause.slices.iter().filter_map(slice).collect()
}
