//! Milestones: markers that state when a part of a page load was complete. They are no work, although many of them are
//! spans from the start of the navigation; and the task that happened to run at their time did not complete them,
//! because browsers write many of them later, with the time of the moment that they describe.

use super::content_frame::is_composite;
use super::open_interval::innermost_open;
use crate::Index;
use crate::flows::{end_of, start_of};
use flowline_profile::text::WINDOW_KEY;
use flowline_profile::{LocalMarker, MarkerId, Ns, ProcessId, Profile, StringId, ThreadId, Value};

/// The event that completes a milestone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Completion {
    /// The task that ran at the end of the span, after the last request of the page.
    Load,
    /// The last frame that the thread produced before.
    Frame,
    /// The task that wrote it, after the last request that the page's load waits for.
    Fired,
    /// The task that wrote it, after the document and the scripts that its parser waited for.
    Parsed,
    /// The paint after an input and its handlers.
    Paint,
    /// The request whose end it states.
    Delivered,
    /// The frame that shows content, after the tick that made it.
    Content,
    /// Nothing in the recording.
    Unknown,
}

/// Milestones of Firefox profiles: spans from the start of the navigation.
const FIREFOX: [(&str, Completion); 9] = [
    ("DocumentLoad", Completion::Load),
    ("Load", Completion::Load),
    ("DOMContentLoaded", Completion::Load),
    ("FirstNonBlankPaint", Completion::Frame),
    ("FirstContentfulPaint", Completion::Frame),
    ("FirstContentfulComposite", Completion::Frame),
    ("LargestContentfulPaint", Completion::Frame),
    ("TimeToFirstInteractive (TTFI)", Completion::Unknown),
    ("TimeToInteractive (TTI)", Completion::Unknown),
];

/// Milestones of Chrome traces: instants at the time of a presented frame, and spans of the browser process. (`MarkLoad`
/// and `MarkDOMContent` are written by the task that they belong to.)
const CHROME: [(&str, Completion); 15] = [
    ("firstPaint", Completion::Frame),
    ("firstImagePaint", Completion::Frame),
    ("firstContentfulPaint", Completion::Frame),
    ("firstMeaningfulPaint", Completion::Frame),
    ("firstMeaningfulPaintCandidate", Completion::Frame),
    ("largestContentfulPaint::Candidate", Completion::Frame),
    ("largestContentfulPaint::CandidateForSoftNavigation", Completion::Frame),
    ("LargestImagePaint::Candidate", Completion::Frame),
    ("LargestTextPaint::Candidate", Completion::Frame),
    ("InteractiveTime", Completion::Unknown),
    ("PageLoadMetrics.NavigationToFirstPaint", Completion::Unknown),
    ("PageLoadMetrics.NavigationToFirstContentfulPaint", Completion::Unknown),
    ("PageLoadMetrics.NavigationToLargestContentfulPaint", Completion::Unknown),
    ("PageLoadMetrics.NavigationToDOMContentLoadedEventFired", Completion::Unknown),
    ("PageLoadMetrics.NavigationToMainFrameOnLoad", Completion::Unknown),
];

/// Markers that are no milestones, but have a cause that is not on their thread.
const OTHERS: [(&str, Completion); 6] = [
    ("ResourceFinish", Completion::Delivered),
    ("MarkLoad", Completion::Fired),
    ("MarkDOMContent", Completion::Parsed),
    ("EventTiming", Completion::Paint),
    ("MouseUpFollowedByClick Payload Presented", Completion::Paint),
    ("KeyPress Payload Presented", Completion::Paint),
];

/// Intervals that produce a frame, on the thread of the milestone.
const FRAMES: [&str; 5] = ["RefreshDriverTick", "Paint", "Layerize", "CompositeLayers", "Commit"];
/// Those that hand the frame on.
const COMMITS: [&str; 3] = ["RefreshDriverTick", "CompositeLayers", "Commit"];
/// The event of Chrome traces at which a frame is drawn after its commit.
const DRAWN: &str = "DrawFrame";

/// The milestones of a recording, by name.
#[derive(Debug)]
pub(super) struct Milestones(Vec<(StringId, Completion)>);

impl Milestones {
    /// Looks the names up.
    pub(super) fn new(profile: &Profile) -> Self {
        let table = if profile.source.holds_events() { &CHROME[..] } else { &FIREFOX[..] };
        Self(table.iter().filter_map(|(name, completion)| Some((profile.strings.find(name)?, *completion))).collect())
    }

    /// The completion of markers with a name, if they are milestones.
    pub(super) fn of_name(&self, name: StringId) -> Option<Completion> {
        self.0.iter().find(|(known, _)| *known == name).map(|(_, completion)| *completion)
    }

    /// The completion of a marker, if it is a milestone.
    pub(super) fn of(&self, profile: &Profile, marker: MarkerId) -> Option<Completion> {
        let (thread, local) = profile.locate(marker)?;
        self.of_name(profile.thread(thread).markers.name(local))
    }
}

/// The completion of a marker, if something else than its own work completes it.
pub(super) fn completion(profile: &Profile, milestones: &Milestones, marker: MarkerId) -> Option<Completion> {
    let of_others = || {
        let (thread, local) = profile.locate(marker)?;
        let name = profile.marker_name(thread, local);
        let known = OTHERS.iter().find(|(known, _)| *known == name).map(|(_, completion)| *completion);
        known.or_else(|| is_composite(profile, name).then_some(Completion::Content))
    };
    milestones.of(profile, marker).or_else(of_others)
}

/// True if a marker is a milestone of a page load, which is no work itself.
#[must_use]
pub fn is_milestone(profile: &Profile, marker: MarkerId) -> bool {
    Milestones::new(profile).of(profile, marker).is_some()
}

/// The innermost interval that was open at a time on the thread of a milestone.
pub(super) fn task_at(index: &Index, milestones: &Milestones, milestone: MarkerId, time: Ns) -> Option<MarkerId> {
    let (thread, _) = index.profile().locate(milestone)?;
    innermost_open(index, std::iter::once(thread), time).filter(|task| milestones.of(index.profile(), *task).is_none())
}

/// The marker of the last request of a milestone's page that ended at or before a time, during the milestone.
pub(super) fn last_request(index: &Index, milestone: MarkerId, time: Ns) -> Option<MarkerId> {
    let profile = index.profile();
    let (thread, _) = profile.locate(milestone)?;
    let (process, start) = (profile.thread(thread).process, start_of(profile, milestone));
    let window = window_of(profile, milestone);
    let is_of_page = |marker| {
        let other = window_of(profile, marker);
        window.is_none() || other.is_none() || window == other
    };
    let requests = index.network().requests().iter();
    let requests = requests.filter(|request| request.process == process && request.start >= start);
    let requests = requests.filter(|request| request.end <= time && request.end > start && is_of_page(request.marker));
    requests.max_by_key(|request| (request.end, std::cmp::Reverse(request.marker))).map(|request| request.marker)
}

/// The window that a Firefox marker belongs to.
pub(super) fn window_of(profile: &Profile, marker: MarkerId) -> Option<i64> {
    let (thread, local) = profile.locate(marker)?;
    profile.payload_in(profile.thread(thread), local).get(WINDOW_KEY).and_then(Value::as_i64)
}

/// The interval on a thread that produced the frame presented at a time: the last one before the frame was drawn, or
/// before that time if drawing is not recorded.
pub(super) fn frame_before(index: &Index, id: ThreadId, time: Ns) -> Option<MarkerId> {
    let profile = index.profile();
    let thread = profile.thread(id);
    let drawn = last_drawn(profile, thread.process, time);
    let limit = drawn.unwrap_or(time);
    let frames: Vec<StringId> = FRAMES.iter().filter_map(|name| profile.strings.find(name)).collect();
    let is_before = |marker: &LocalMarker| {
        let range = thread.markers.range(*marker);
        range.start < limit && (drawn.is_none() || range.end <= limit)
    };
    let mut markers = (0..thread.markers.len()).map(LocalMarker::new).rev();
    let frame = markers.find(|marker| frames.contains(&thread.markers.name(*marker)) && is_before(marker))?;
    Some(thread.global(frame))
}

/// The interval on a thread that committed the first frame after a time and before another one.
pub(super) fn frame_after(index: &Index, id: ThreadId, from: Ns, until: Ns) -> Option<MarkerId> {
    let profile = index.profile();
    let thread = profile.thread(id);
    let names: Vec<StringId> = COMMITS.iter().filter_map(|name| profile.strings.find(name)).collect();
    let start = |at: usize| thread.markers.start(LocalMarker::new(at));
    let (mut first, mut end) = (0, thread.markers.len());
    while first < end {
        let middle = first + (end - first) / 2;
        if start(middle) < from { first = middle + 1 } else { end = middle }
    }
    let later = (first..thread.markers.len()).map(LocalMarker::new);
    let mut later = later.take_while(|marker| thread.markers.start(*marker) < until);
    later.find(|marker| names.contains(&thread.markers.name(*marker))).map(|frame| thread.global(frame))
}

/// The time of the last drawn frame in a process at or before a time.
fn last_drawn(profile: &Profile, process: ProcessId, time: Ns) -> Option<Ns> {
    let name = profile.strings.find(DRAWN)?;
    let threads = profile.threads.iter().filter(|thread| thread.process == process);
    let of_thread = |thread: &flowline_profile::Thread| {
        let markers = (0..thread.markers.len()).map(LocalMarker::new).rev();
        let mut starts = markers.filter(|marker| thread.markers.name(*marker) == name);
        starts.find_map(|marker| Some(thread.markers.start(marker)).filter(|start| *start <= time))
    };
    threads.filter_map(of_thread).max()
}

/// The time at which the frame of an interval was ready: its end, or `time` if it is still open then.
pub(super) fn ready(index: &Index, frame: MarkerId, time: Ns) -> Ns {
    end_of(index.profile(), frame).min(time)
}
