//! The frames of an app of Android that were late, by the frame timeline.

use flowline_index::{ACTUAL_FRAMES, Index};
use flowline_profile::{LocalMarker, Ns, Thread, ThreadId, TimeRange, TrackKind, Value};

/// The cause of jank of a frame without jank.
const NO_JANK: &str = "None";
/// At most this many frames of a track are read.
const MOST_READ: usize = 100_000;

/// The frames of the app in the foreground.
#[derive(Clone, Debug, Default)]
pub struct LateFrames {
    /// The late ones, by start and without overlap.
    pub late: Vec<TimeRange>,
    /// Number of late ones.
    pub count: usize,
    /// Number of all frames.
    pub frames: usize,
}

impl LateFrames {
    /// The frames of the app in the foreground; `None` without a frame timeline.
    pub(super) fn of(index: &Index) -> Option<Self> {
        let (profile, app) = (index.profile(), index.foreground_process()?);
        let is_own = |thread: &Thread| {
            thread.process == app && thread.kind == TrackKind::Async && thread.name.starts_with(ACTUAL_FRAMES)
        };
        let mut found = Self::default();
        let mut times: Vec<TimeRange> = Vec::new();
        for (id, thread) in profile.threads_with_ids().filter(|(_, thread)| is_own(thread)) {
            let frames = (0..thread.markers.len().min(MOST_READ)).map(LocalMarker::new);
            found.frames += thread.markers.len();
            times.extend(frames.filter(|frame| is_late(index, id, *frame)).map(|frame| thread.markers.range(frame)));
        }
        found.count = times.len();
        times.sort_unstable_by_key(|own| (own.start, own.end));
        let mut until = Ns(i64::MIN);
        for own in times {
            let start = own.start.max(until);
            if start < own.end {
                found.late.push(TimeRange::new(start, own.end));
                until = own.end;
            }
        }
        (found.frames > 0).then_some(found)
    }
}

/// True for a frame with a cause of jank, or for one without any statement about jank that finished late.
fn is_late(index: &Index, thread: ThreadId, frame: LocalMarker) -> bool {
    let payload = index.profile().payload(thread, frame);
    match payload.get("jank_type").and_then(Value::as_str) {
        Some(cause) => cause != NO_JANK,
        None => payload.get("finish").and_then(Value::as_str) == Some("Late"),
    }
}
