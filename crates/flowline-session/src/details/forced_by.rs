//! The function that forced style or layout work.

use super::slice_analysis::is_style_or_layout;
use flowline_profile::stack::{FrameTable, StackFrame, StackTrace};
use flowline_profile::{LocalMarker, Profile, ThreadId};

/// A frame as text: name, and the last part of its place.
fn frame_text(frame: &StackFrame) -> String {
    let place = frame.place.rsplit('/').next().filter(|last| !last.is_empty()).unwrap_or(&frame.place);
    if place.is_empty() { frame.name.clone() } else { format!("{}, {place}", frame.name) }
}

/// The innermost function of a script; without scripts, the innermost one with a name.
fn culprit(stack: &StackTrace) -> Option<&StackFrame> {
    let is_script = |frame: &&StackFrame| frame.place.contains("://");
    let is_named = |frame: &&StackFrame| !frame.name.is_empty() && !frame.name.starts_with("0x");
    stack.frames.iter().find(is_script).or_else(|| stack.frames.iter().find(is_named))
}

/// The function that forced the work of a marker, or that made it necessary: "Forced by measure, app.js:1:46880".
pub(super) fn forced_by(profile: &Profile, thread: ThreadId, marker: LocalMarker) -> Option<String> {
    let name = profile.marker_name(thread, marker);
    let innermost = |stack: &StackTrace| culprit(stack).map(frame_text);
    if profile.source.holds_events() {
        if !is_style_or_layout(name) {
            return None;
        }
        let refs = profile.stack_refs(thread, marker, &profile.payload(thread, marker));
        // The stacks of scripts are in the payload; the table of all frames takes too long to read here.
        if refs.need_table() {
            return None;
        }
        let stacks = refs.resolve(&profile.source, &FrameTable::default());
        return Some(format!("Forced by {}", stacks.iter().find_map(innermost)?));
    }
    // The stack of a flush is taken when it ends, that of its parts when they became necessary.
    let relation = match name {
        "DoFlushPendingNotifications" => "Forced by",
        "Styles" | "Reflow" | "Reflow (sync)" | "Reflow (interruptible)" => "Made necessary by",
        _ => return None,
    };
    Some(format!("{relation} {}", innermost(&profile.marker_stack(thread, marker)?)?))
}
