//! Inputs of the user in a trace of Chrome, after which a page has no larger paints.

use crate::markers_by_name::markers_named;
use flowline_profile::{Ns, Profile, Value};

/// Names of the events that state an input and its type.
const NAMES: [&str; 2] = ["EventTiming", "EventDispatch"];
/// Types of inputs. A pointer that only moves is none.
const TYPES: [&str; 9] =
    ["pointerdown", "mousedown", "touchstart", "click", "keydown", "keypress", "wheel", "mousewheel", "scroll"];

/// Time of the last input that begins after a time.
pub(super) fn last_input(profile: &Profile, after: Ns) -> Option<Ns> {
    let found = markers_named(profile, &NAMES, |thread| thread.range.end > after);
    let inputs = found.into_iter().filter_map(|(_, id, marker)| {
        let thread = profile.thread(id);
        let time = Some(thread.markers.start(marker)).filter(|time| *time > after)?;
        let payload = profile.payload_in(thread, marker);
        let kind = payload.get("data")?.get("type").and_then(Value::as_str)?;
        TYPES.contains(&kind).then_some(time)
    });
    inputs.max()
}
