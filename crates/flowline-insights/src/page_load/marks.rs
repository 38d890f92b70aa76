//! Marks that a page made itself: `performance.mark` of the main thread of the page.

use super::milestone::{Milestone, MilestoneKind, PageId};
use flowline_index::custom_tracks::is_browser_timing;
use flowline_profile::text::WINDOW_KEY;
use flowline_profile::{LocalMarker, Profile, Thread, ThreadId, Value};

/// At most this many marks are read.
const MAX_MARKS: usize = 10_000;

/// The marks of the threads with milestones of pages. Their times count from the latest navigation on that thread.
pub(super) fn read(profile: &Profile, loads: &[Milestone]) -> Vec<Milestone> {
    let mut threads: Vec<ThreadId> = loads.iter().map(|own| own.thread).collect();
    threads.sort_unstable();
    threads.dedup();
    let of_thread = |id: ThreadId| {
        let thread = profile.thread(id);
        let marks = marks(profile, thread);
        marks.into_iter().map(move |(marker, name, page)| {
            let time = thread.markers.start(marker);
            let begun = loads.iter().filter(|own| {
                own.kind == MilestoneKind::Navigation
                    && own.thread == id
                    && own.time.is_some_and(|begun| begun <= time)
                    && (page == PageId::None || own.page == page)
            });
            let begun = begun.max_by_key(|own| own.time);
            Milestone {
                kind: MilestoneKind::Mark,
                is_soft: false,
                time: Some(time),
                since: begun.and_then(|own| own.time).map(|begun| time - begun),
                value: None,
                rating: None,
                is_main: page == PageId::None || loads.iter().any(|own| own.page == page),
                page: begun.map_or(page, |own| own.page.clone()),
                url: begun.map(|own| own.url.clone()).unwrap_or_default(),
                thread: id,
                marker: Some(thread.global(marker)),
                navigation: begun.and_then(|own| own.navigation),
                is_so_far: false,
                is_prerendered: false,
                inactive: None,
                unknown: None,
                mark: name,
            }
        })
    };
    threads.into_iter().flat_map(of_thread).take(MAX_MARKS).collect()
}

/// The marks of a thread: marker, name, and the window that made it.
fn marks(profile: &Profile, thread: &Thread) -> Vec<(LocalMarker, String, PageId)> {
    if profile.source.holds_events() {
        return trace_marks(profile, thread);
    }
    let Some(kind) = profile.strings.find("UserTiming").and_then(|name| profile.types.find(name)) else {
        return Vec::new();
    };
    let markers = (0..thread.markers.len()).map(LocalMarker::new);
    let timings = markers.filter(|marker| thread.markers.kind(*marker) == Some(kind)).take(MAX_MARKS);
    let read = |marker| {
        let payload = profile.payload_in(thread, marker);
        let text = |key: &str| payload.get(key).and_then(Value::as_str);
        let window = payload.get(WINDOW_KEY).and_then(Value::as_i64).map_or(PageId::None, PageId::Window);
        (text("entryType") == Some("mark")).then(|| (marker, text("name").unwrap_or_default().to_owned(), window))
    };
    timings.filter_map(read).collect()
}

/// Instants of the category of user timings that the browser did not make itself.
fn trace_marks(profile: &Profile, thread: &Thread) -> Vec<(LocalMarker, String, PageId)> {
    let category = profile.categories.iter().position(|category| category.name == "blink.user_timing");
    let Some(category) = category else { return Vec::new() };
    let attributes = thread.markers.attributes();
    let is_mark: Vec<bool> = attributes
        .items()
        .iter()
        .map(|own| own.category().index() == category && !is_browser_timing(profile.strings.get(own.name)))
        .collect();
    if !is_mark.contains(&true) {
        return Vec::new();
    }
    let numbers = attributes.numbers().enumerate().filter(|(_, number)| is_mark[*number]);
    let markers = numbers.map(|(marker, _)| LocalMarker::new(marker));
    let instants = markers.filter(|marker| thread.markers.range(*marker).is_empty()).take(MAX_MARKS);
    let named = |marker| (marker, profile.strings.get(thread.markers.name(marker)).to_owned(), PageId::None);
    instants.map(named).collect()
}
