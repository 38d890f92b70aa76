//! The markers from which frames are read.

use crate::markers_by_name::markers_named;
use flowline_profile::{LocalMarker, MarkerId, Ns, Profile, Thread, ThreadId, TimeRange};

/// The refresh of the display.
const VSYNC: &str = "VsyncTimestamp";
/// Names of the markers.
const NAMES: [&str; 5] = [VSYNC, "CONTENT_FRAME_TIME", "SkippedComposite", "RefreshDriverTick", "DisplayList"];
/// Name of the thread that draws, and the start of the names of its markers, which are numbered.
const RENDERER: &str = "Renderer";
const COMPOSITE: &str = "Composite #";
/// Name of the threads of pages.
const MAIN_THREAD: &str = "GeckoMain";

/// A marker.
#[derive(Clone, Copy, Debug)]
pub(super) struct Event {
    pub(super) times: TimeRange,
    pub(super) thread: ThreadId,
    pub(super) marker: MarkerId,
}

/// The markers, each list by start.
#[derive(Debug, Default)]
pub(super) struct Events {
    /// Refreshes of the display.
    pub(super) vsyncs: Vec<Event>,
    /// From the start of content to the screen.
    pub(super) contents: Vec<Event>,
    /// Frames that the compositor skipped.
    pub(super) skipped: Vec<Event>,
    /// Ticks of main threads, in which content is made.
    pub(super) ticks: Vec<Event>,
    /// Display lists that main threads made, with which content begins.
    pub(super) display_lists: Vec<Event>,
    /// Drawn frames.
    pub(super) composites: Vec<Event>,
}

/// True if a recording may have frames. This reads no markers.
pub(in crate::frames) fn may_have(profile: &Profile) -> bool {
    profile.strings.find(VSYNC).is_some()
}

impl Events {
    pub(super) fn new(profile: &Profile) -> Self {
        let named = markers_named(profile, &NAMES, |_| true);
        let mut events = Self::default();
        for (name, id, marker) in named {
            let thread = profile.thread(id);
            let event = event(thread, id, marker);
            let is_interval = !thread.markers.is_instant(marker);
            match name {
                0 => events.vsyncs.push(event),
                1 if is_interval => events.contents.push(event),
                2 => events.skipped.push(event),
                3 if is_interval && thread.name == MAIN_THREAD => events.ticks.push(event),
                4 if is_interval && thread.name == MAIN_THREAD => events.display_lists.push(event),
                _ => {}
            }
        }
        for (id, thread) in profile.threads_with_ids().filter(|(_, thread)| thread.name == RENDERER) {
            events.composites.extend(composites(profile, id, thread));
        }
        let lists = [
            &mut events.vsyncs,
            &mut events.contents,
            &mut events.skipped,
            &mut events.ticks,
            &mut events.display_lists,
            &mut events.composites,
        ];
        for list in lists {
            list.sort_by_key(|event| (event.times.start, event.times.end, event.marker));
        }
        events
    }
}

fn event(thread: &Thread, id: ThreadId, marker: LocalMarker) -> Event {
    Event { times: thread.markers.range(marker), thread: id, marker: thread.global(marker) }
}

/// The drawn frames of a thread.
fn composites(profile: &Profile, id: ThreadId, thread: &Thread) -> Vec<Event> {
    let attributes = thread.markers.attributes();
    let is_numbered = |name: &str| {
        let number = name.strip_prefix(COMPOSITE).unwrap_or_default();
        !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
    };
    let is_composite: Vec<bool> =
        attributes.items().iter().map(|own| is_numbered(profile.strings.get(own.name))).collect();
    let markers = attributes.numbers().enumerate().filter(|(_, number)| is_composite[*number]);
    let markers = markers.map(|(marker, _)| LocalMarker::new(marker));
    let intervals = markers.filter(|marker| !thread.markers.is_instant(*marker));
    intervals.map(|marker| event(thread, id, marker)).collect()
}

/// The events that start in a closed range.
pub(super) fn starting_in(events: &[Event], (from, to): (Ns, Ns)) -> &[Event] {
    let first = events.partition_point(|event| event.times.start < from);
    let end = events.partition_point(|event| event.times.start <= to);
    &events[first..end.max(first)]
}
