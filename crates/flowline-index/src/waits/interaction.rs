//! The times of an input and its handlers, which the paint after them ends.

use crate::Index;
use crate::flows::{end_of, start_of};
use flowline_profile::{LocalMarker, MarkerId, Ns, Profile, Thread, ThreadId, TimeRange, Value};

/// Greatest difference between two recorded times of the same input.
const SAME_INPUT: i64 = 100_000;
/// The events of Firefox, with the time since their input.
const DOM_EVENT: &str = "DOMEvent";
/// At most this many events are read between an input and its paint.
const MAX_EVENTS: usize = 10_000;

/// The times of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct InputTimes {
    /// The thread that handled it.
    pub(super) thread: ThreadId,
    /// The input.
    pub(super) start: Ns,
    /// From the first handler to the last.
    pub(super) handled: TimeRange,
}

impl InputTimes {
    /// The times of the input whose paint a marker ends at.
    pub(super) fn of(index: &Index, marker: MarkerId) -> Option<Self> {
        let profile = index.profile();
        if profile.source.holds_events() { chrome(profile, marker) } else { firefox(profile, marker) }
    }
}

/// `EventTiming` of Chrome has the times of handlers on the page's clock, of which `timeStamp` is its own start.
fn chrome(profile: &Profile, marker: MarkerId) -> Option<InputTimes> {
    let (track, local) = profile.locate(marker)?;
    let of_track = profile.thread(track);
    let times = of_track.markers.range(local);
    let [began, _] = of_track.event_threads_of(local);
    let own = handled_by(profile, of_track, local)?;
    // The events of one interaction end with the same paint, and each has handlers of its own.
    let name = of_track.markers.name(local);
    let later = (local.index()..of_track.markers.len()).map(LocalMarker::new).take(MAX_EVENTS);
    let later = later.take_while(|other| of_track.markers.start(*other) <= times.end);
    let is_same = |other: &LocalMarker| {
        let ends = of_track.markers.end(*other) == times.end && of_track.markers.name(*other) == name;
        ends && of_track.event_threads_of(*other)[0] == began
    };
    let others = later.filter(is_same).filter_map(|other| handled_by(profile, of_track, other));
    let handled = others.fold(own, |all, own| TimeRange { start: all.start.min(own.start), end: all.end.max(own.end) });
    Some(InputTimes { thread: began.unwrap_or(track), start: times.start, handled })
}

/// The time of the handlers of one event, within its own.
fn handled_by(profile: &Profile, track: &Thread, local: LocalMarker) -> Option<TimeRange> {
    let times = track.markers.range(local);
    let payload = profile.payload_in(track, local);
    let data = payload.get("data")?;
    let number = |key: &str| data.get(key).and_then(Value::as_f64).filter(|value| *value != 0.0);
    let stamp = number("timeStamp")?;
    let time = |key: &str| Ns::from_ms(number(key)? - stamp).map(|since| times.start + since);
    let start = time("processingStart")?.clamp(times.start, times.end);
    let end = time("processingEnd")?.clamp(start, times.end);
    Some(TimeRange { start, end })
}

/// The events of Firefox that state the same time of their input as the marker of its paint does; of several threads, the
/// one that handled it last, which is that of the page.
fn firefox(profile: &Profile, marker: MarkerId) -> Option<InputTimes> {
    let (start, end) = (start_of(profile, marker), end_of(profile, marker));
    let name = profile.strings.find(DOM_EVENT)?;
    let of_thread = |(id, thread): (ThreadId, &Thread)| {
        let count = thread.markers.len();
        let first = first_from(count, |at| thread.markers.start(LocalMarker::new(at)) < start);
        let later = (first..count).map(LocalMarker::new).take_while(|own| thread.markers.start(*own) <= end);
        let events = later.filter(|own| thread.markers.name(*own) == name).take(MAX_EVENTS);
        let is_own = |own: &LocalMarker| {
            let latency = profile.payload_in(thread, *own).get("latency").and_then(Value::as_f64).and_then(Ns::from_ms);
            latency.is_some_and(|latency| (thread.markers.start(*own) - latency - start).0.abs() <= SAME_INPUT)
        };
        let ranges = events.filter(is_own).map(|own| thread.markers.range(own));
        let handled =
            ranges.reduce(|all, own| TimeRange { start: all.start.min(own.start), end: all.end.max(own.end) })?;
        Some(InputTimes { thread: id, start, handled })
    };
    let found = profile.threads_with_ids().filter(|(_, thread)| !thread.markers.is_empty()).filter_map(of_thread);
    found.max_by_key(|own| (own.handled.end, own.thread))
}

/// The first position for which a condition, true for all before it, is false.
fn first_from(count: usize, is_before: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = low + (high - low) / 2;
        if is_before(middle) { low = middle + 1 } else { high = middle }
    }
    low
}
