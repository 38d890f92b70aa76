//! The limit of reading payloads, which keeps adversarial recordings cheap, and the number of markers beyond it.

use rayon::prelude::*;

use flowline_profile::{Profile, StringId, Thread, TrackKind};

/// At most this many markers per name and thread are read.
pub(crate) const MAX_READ: usize = 100_000;

/// Names of the markers of threads whose payloads are read.
const NAMES: &[&str] = &[
    // Pages and milestones of Chrome.
    "TracingStartedInBrowser",
    "FrameCommittedInBrowser",
    "CommitLoad",
    "navigationStart",
    "SoftNavigationStart",
    "firstPaint",
    "firstContentfulPaint",
    "largestContentfulPaint::Candidate",
    "largestContentfulPaint::CandidateForSoftNavigation",
    "MarkDOMContent",
    "MarkLoad",
    "InteractiveTime",
    "ResourceSendRequest",
    "RenderFrameHostImpl::DidCommitSameDocumentNavigation",
    // Their documents.
    "LargestImagePaint::Candidate",
    "MetaCharsetCheck",
    "ParseMetaViewport",
    "BeginCommitCompositorFrame",
    "LinkPreconnect",
    // Work of pages.
    "DOMStats",
    "SelectorStats",
    "BeginRemoteFontLoad",
    "RemoteFontLoaded",
    "PaintImage",
    "PaintTimingVisualizer::Viewport",
    "TracingSessionIdForWorker",
    // Frames.
    "SetLayerTreeId",
    "BeginFrame",
    "DroppedFrame",
    "DrawFrame",
    "RequestMainThreadFrame",
    "ActivateLayerTree",
    "NeedsBeginFrameChanged",
    "Commit",
    "CompositeLayers",
    "BeginMainThreadFrame",
    "ScheduleStyleRecalculation",
    "InvalidateLayout",
    "ScrollLayer",
    "PipelineReporter",
    "VsyncTimestamp",
    "CONTENT_FRAME_TIME",
    "SkippedComposite",
    "RefreshDriverTick",
    "DisplayList",
    // Interactions and layout shifts.
    "LayoutShift",
    "LayoutImageUnsized",
    "RenderFrameImpl::createChildFrame",
    "domLoading",
    "DOMEvent",
    "MouseUpFollowedByClick Payload Presented",
    "KeyPress Payload Presented",
    // Milestones and insights of Firefox.
    "FirstNonBlankPaint",
    "FirstContentfulPaint",
    "FirstContentfulComposite",
    "LargestContentfulPaint",
    "TimeToFirstInteractive (TTFI)",
    "DocumentLoad",
    "DOMContentLoaded",
    "Load",
    "Navigation::DOMInteractive",
    "Navigation::DOMComplete",
    "Navigation::Start",
    "DoFlushPendingNotifications",
    "Reflow (sync)",
    "LongTask",
    "LongIdleTask",
    "FileIO",
    "SyncIPCOut",
];

/// Names of the asynchronous operations whose payloads are read.
const OPERATIONS: &[&str] = &["Animation", "EventTiming", "PipelineReporter"];

/// True if the markers with a name that are beyond the limit are counted.
pub(crate) fn is_counted(name: &str) -> bool {
    NAMES.contains(&name) || OPERATIONS.contains(&name)
}

/// Number of markers beyond the limit, and the first name and thread with some. Without a thread of that many markers,
/// this reads none.
pub(crate) fn beyond_limit(profile: &Profile) -> (u64, String) {
    let large: Vec<&Thread> = profile.threads.iter().filter(|thread| thread.markers.len() > MAX_READ).collect();
    if large.is_empty() {
        return (0, String::new());
    }
    let ids_of = |names: &[&'static str]| -> Vec<(StringId, &'static str)> {
        names.iter().filter_map(|name| Some((profile.strings.find(name)?, *name))).collect()
    };
    let (of_threads, of_operations) = (ids_of(NAMES), ids_of(OPERATIONS));
    let of_thread = |thread: &&Thread| -> (u64, Option<String>) {
        let ids = if thread.kind == TrackKind::Async { &of_operations } else { &of_threads };
        let attributes = thread.markers.attributes();
        let position = |name: StringId| ids.iter().position(|(id, _)| *id == name);
        let found: Vec<Option<usize>> = attributes.items().iter().map(|own| position(own.name)).collect();
        if found.iter().all(Option::is_none) {
            return (0, None);
        }
        let mut counts = vec![0_usize; ids.len()];
        for name in attributes.numbers().filter_map(|number| found[number]) {
            counts[name] += 1;
        }
        let first = counts.iter().position(|count| *count > MAX_READ);
        let beyond = counts.iter().map(|count| count.saturating_sub(MAX_READ) as u64).sum();
        (beyond, first.map(|name| format!("{} of thread {}", ids[name].1, thread.name)))
    };
    let parts: Vec<(u64, Option<String>)> = large.par_iter().map(of_thread).collect();
    let beyond = parts.iter().map(|(count, _)| count).sum();
    (beyond, parts.into_iter().find_map(|(_, first)| first).unwrap_or_default())
}
