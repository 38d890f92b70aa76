//! The content that a frame of Firefox shows, and the tick of a main thread that made it.

use crate::Index;
use crate::flows::{end_of, start_of};
use flowline_profile::{LocalMarker, MarkerId, Ns, Profile, Thread, ThreadId};

/// The start of the names of drawn frames, which are numbered.
const COMPOSITE: &str = "Composite #";
/// Intervals from the start of content to the screen.
const CONTENT: &str = "CONTENT_FRAME_TIME";
/// Intervals in which a main thread makes content.
const TICK: &str = "RefreshDriverTick";
/// The name of main threads.
const MAIN_THREAD: &str = "GeckoMain";

/// True for the name of a drawn frame of a Firefox profile.
pub(super) fn is_composite(profile: &Profile, name: &str) -> bool {
    let number = name.strip_prefix(COMPOSITE).unwrap_or_default();
    !profile.source.holds_events() && !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
}

/// The tick that made the oldest content that reached the screen with a drawn frame.
pub(super) fn tick_of(index: &Index, composite: MarkerId) -> Option<MarkerId> {
    let profile = index.profile();
    let (from, to) = (start_of(profile, composite), end_of(profile, composite));
    let is_shown = |thread: &Thread, marker: LocalMarker| {
        let range = thread.markers.range(marker);
        range.end >= from && range.end <= to && !range.is_empty()
    };
    let shown = named(profile, CONTENT, |_| true).filter(|(_, thread, marker)| is_shown(thread, *marker));
    let oldest = shown.map(|(_, thread, marker)| thread.markers.start(marker)).min()?;
    let contains = |thread: &Thread, marker: LocalMarker, time: Ns| {
        let range = thread.markers.range(marker);
        range.start <= time && time <= range.end && !range.is_empty()
    };
    let ticks = named(profile, TICK, |thread| thread.name == MAIN_THREAD);
    let ticks = ticks.filter(|(_, thread, marker)| contains(thread, *marker, oldest));
    let last = ticks.max_by_key(|(id, thread, marker)| (thread.markers.start(*marker), *id, *marker));
    last.map(|(_, thread, marker)| thread.global(marker))
}

/// The markers with a name on the threads that are wanted.
fn named<'a>(
    profile: &'a Profile,
    name: &str,
    is_wanted: impl Fn(&Thread) -> bool,
) -> impl Iterator<Item = (ThreadId, &'a Thread, LocalMarker)> {
    let name = profile.strings.find(name);
    let threads = profile.threads_with_ids().filter(move |(_, thread)| name.is_some() && is_wanted(thread));
    threads.flat_map(move |(id, thread)| {
        let all = (0..thread.markers.len()).map(LocalMarker::new);
        all.filter(move |marker| Some(thread.markers.name(*marker)) == name).map(move |marker| (id, thread, marker))
    })
}
