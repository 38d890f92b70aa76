//! `flowline dump frames`: one line per frame, in start order.

use serde_json::{Value, json};

use crate::tracks::DumpLine;
use flowline_index::{Derived, Index};
use flowline_insights::frames::{Frames, PageFrame};
use flowline_profile::{MarkerId, Profile};

/// The frames with their markers. If the frames of a page are unknown, one line gives the reason.
pub(super) fn lines(index: &Index) -> impl Iterator<Item = DumpLine> + '_ {
    let (profile, frames) = (index.profile(), Frames::of(index));
    let line = move |(number, frame): (usize, &PageFrame)| {
        let markers: Vec<MarkerId> = std::iter::once(frame.marker).chain(frame.markers.iter().copied()).collect();
        DumpLine { markers, json: line(profile, frames, (number, frame)) }
    };
    let unknown = frames.reason().map(|reason| DumpLine {
        markers: Vec::new(),
        json: json!({
            "frame": null, "seq": null, "state": "unknown", "start_ns": null, "end_ns": null, "budget_ns": null,
            "budget_assumed": null, "late": null, "reason": null, "content": null, "content_start_ns": null,
            "composite_start_ns": null, "vsync_ns": null, "main_frame_id": null, "pid": null, "marker": null,
            "markers": [], "unknown": reason,
        }),
    });
    unknown.into_iter().chain(frames.list().iter().enumerate().map(line))
}

fn line(profile: &Profile, frames: &Frames, (number, frame): (usize, &PageFrame)) -> Value {
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
