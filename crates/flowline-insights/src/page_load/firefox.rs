//! Milestones of Firefox profiles. Most are intervals from the start of the navigation to the milestone, on the main
//! thread of the page's process, joined by window.

use std::collections::BTreeMap;

use super::milestone::{Milestone, MilestoneKind, PageId};
use crate::dropped::Dropped;
use crate::markers_by_name::markers_named;
use flowline_profile::text::WINDOW_KEY;
use flowline_profile::{LocalMarker, MarkerFlags, MarkerId, Ns, Profile, ThreadId, TimeRange, Value};

/// Name of the threads with page loads.
pub(super) const MAIN_THREAD: &str = "GeckoMain";

/// Names of the markers; the first six are intervals from the navigation to the milestone.
const NAMES: [&str; 11] = [
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
];
/// Number of names of intervals.
const INTERVALS: usize = 6;
const KINDS: [MilestoneKind; 11] = [
    MilestoneKind::FirstNonBlankPaint,
    MilestoneKind::FirstContentfulPaint,
    MilestoneKind::FirstContentfulComposite,
    MilestoneKind::LargestContentfulPaint,
    MilestoneKind::TimeToFirstInteractive,
    MilestoneKind::Load,
    MilestoneKind::DomContentLoaded,
    MilestoneKind::Load,
    MilestoneKind::DomInteractive,
    MilestoneKind::DomComplete,
    MilestoneKind::Navigation,
];
/// Position of [`MilestoneKind::Load`] from the event, which an interval replaces.
const LOAD_EVENT: usize = 7;

/// A marker of a window.
struct Found {
    name: usize,
    thread: ThreadId,
    marker: MarkerId,
    times: TimeRange,
    text: String,
}

/// The milestones of a profile, in no order, and the events that were left out.
pub(super) fn read(profile: &Profile) -> (Vec<Milestone>, Dropped) {
    let mut dropped = Dropped::default();
    let mut windows: BTreeMap<(u32, i64), Vec<Found>> = BTreeMap::new();
    for (name, id, marker) in markers_named(profile, &NAMES, |thread| thread.name == MAIN_THREAD) {
        let thread = profile.thread(id);
        let payload = profile.payload_in(thread, marker);
        let Some(window) = payload.get(WINDOW_KEY).and_then(Value::as_i64) else { continue };
        // Other markers have these names, too.
        let is_event = matches!(NAMES[name], "DOMContentLoaded" | "Load");
        if is_event && payload.get("category").and_then(Value::as_str) != Some("Navigation") {
            continue;
        }
        // The end of the event is what counts; without it, or without its begin, nothing is known.
        if thread.markers.flags(marker).has(MarkerFlags::INCOMPLETE) {
            dropped.add(Some(thread.global(marker)));
            continue;
        }
        let text = payload.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
        let (marker, times) = (thread.global(marker), thread.markers.range(marker));
        windows.entry((thread.process.0, window)).or_default().push(Found { name, thread: id, marker, times, text });
    }
    let mut requests = Requests::default();
    let of_window = |((_, window), found): ((u32, i64), Vec<Found>)| of_window(profile, &mut requests, window, &found);
    (windows.into_iter().flat_map(of_window).collect(), dropped)
}

/// The milestones of a window.
fn of_window(profile: &Profile, requests: &mut Requests, window: i64, found: &[Found]) -> Vec<Milestone> {
    let interval = found.iter().find(|found| found.name < INTERVALS);
    let earliest = found.iter().filter(|found| KINDS[found.name] != MilestoneKind::Navigation);
    let earliest = earliest.map(|found| found.times.start).min();
    let stated = found.iter().find(|found| {
        KINDS[found.name] == MilestoneKind::Navigation && earliest.is_none_or(|first| found.times.start <= first)
    });
    let begin = interval.or(stated.filter(|_| earliest.is_some()));
    let page = profile.page_of(window);
    let is_loaded = |found: &&Found| NAMES[found.name] == "DocumentLoad";
    let loaded = found.iter().find(is_loaded).and_then(|found| address(&found.text));
    let url = loaded.map(str::to_owned).or_else(|| page.map(|page| page.url.clone())).unwrap_or_default();
    let is_main = page.is_none_or(|page| page.embedder == 0);
    let new = |kind, time: Ns, found: &Found| {
        let since = begin.map(|begin| time - begin.times.start);
        Milestone {
            kind,
            is_soft: false,
            time: Some(time),
            since,
            value: None,
            rating: since.and_then(|since: Ns| kind.rate(since)),
            is_main,
            page: PageId::Window(window),
            url: url.clone(),
            thread: found.thread,
            marker: Some(found.marker),
            navigation: None,
            is_so_far: false,
            is_prerendered: false,
            inactive: None,
            unknown: None,
            mark: String::new(),
        }
    };
    let mut all: Vec<Milestone> =
        begin.map(|begin| new(MilestoneKind::Navigation, begin.times.start, begin)).into_iter().collect();
    let has_interval = found.iter().any(|found| is_loaded(&found));
    for own in found.iter().filter(|own| KINDS[own.name] != MilestoneKind::Navigation) {
        if own.name == LOAD_EVENT && has_interval {
            continue;
        }
        let inactive = own.text.contains("this tab was inactive");
        let milestone = new(KINDS[own.name], own.times.end, own);
        let rating = milestone.rating.filter(|_| !inactive);
        all.push(Milestone { inactive: Some(inactive), rating, ..milestone });
    }
    if let Some(begin) = begin
        && let Some((time, marker)) = requests.first_byte(profile, begin.thread, &url, begin.times.start)
    {
        all.push(Milestone { marker: Some(marker), ..new(MilestoneKind::FirstByte, time, begin) });
    }
    all
}

/// The address in the text of a `DocumentLoad`.
fn address(text: &str) -> Option<&str> {
    text.strip_prefix("Document ")?.split(" loaded after ").next().filter(|url| !url.is_empty())
}

/// The finished requests of threads: address, time of the first byte, marker.
#[derive(Default)]
struct Requests(BTreeMap<ThreadId, Vec<(String, Ns, MarkerId)>>);

impl Requests {
    /// The first byte of the first request for an address that was answered after a time.
    fn first_byte(&mut self, profile: &Profile, thread: ThreadId, url: &str, after: Ns) -> Option<(Ns, MarkerId)> {
        let requests = self.0.entry(thread).or_insert_with(|| finished(profile, thread));
        let own = requests.iter().find(|(address, time, _)| address == url && *time >= after)?;
        Some((own.1, own.2))
    }
}

fn finished(profile: &Profile, id: ThreadId) -> Vec<(String, Ns, MarkerId)> {
    let Some(network) = profile.strings.find("Network").and_then(|name| profile.types.find(name)) else {
        return Vec::new();
    };
    let thread = profile.thread(id);
    let markers = (0..thread.markers.len()).map(LocalMarker::new);
    let requests = markers.filter(|marker| thread.markers.kind(*marker) == Some(network));
    let read = |marker: LocalMarker| {
        let payload = profile.payload_in(thread, marker);
        let status = payload.get("status").and_then(Value::as_str)?;
        let time = payload.get("responseStart").and_then(Value::as_f64).and_then(Ns::from_ms)?;
        let url = payload.get("URI").and_then(Value::as_str)?.to_owned();
        (status == "STATUS_STOP").then(|| (url, time, thread.global(marker)))
    };
    requests.filter_map(read).collect()
}
