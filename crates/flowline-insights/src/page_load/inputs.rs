//! Inputs of the user in a trace of Chrome, after which a page has no larger paints.

use crate::markers_by_name::{Named, all_markers_named_in};
use crate::read_limit::MAX_READ;
use flowline_profile::{LocalMarker, Ns, Profile, ThreadId, TimeRange, Value};

/// Names of the events that state an input and its type.
const NAMES: [&str; 2] = ["EventTiming", "EventDispatch"];
/// Types of inputs. A pointer that only moves is none.
const TYPES: [&str; 9] =
    ["pointerdown", "mousedown", "touchstart", "click", "keydown", "keypress", "wheel", "mousewheel", "scroll"];

/// Time of the last input that begins after a time.
pub(super) fn last_input(profile: &Profile, after: Ns) -> Option<Ns> {
    let is_later = |times: TimeRange| times.start > after;
    let found = all_markers_named_in(profile, &NAMES, |thread| thread.range.end > after, is_later);
    let time = |(_, id, marker): Named| (profile.thread(id).markers.start(marker), id, marker);
    let mut later: Vec<_> = found.into_iter().map(time).collect();
    later.sort_unstable();
    let is_input = |(_, id, marker): &(Ns, ThreadId, LocalMarker)| {
        let payload = profile.payload_in(profile.thread(*id), *marker);
        let kind = payload.get("data").and_then(|data| data.get("type")).and_then(Value::as_str);
        kind.is_some_and(|kind| TYPES.contains(&kind))
    };
    later.into_iter().rev().take(MAX_READ).find(is_input).map(|(time, ..)| time)
}
