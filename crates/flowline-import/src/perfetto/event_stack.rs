//! The stacks of track events (`TrackEvent` in `protos/perfetto/trace/track_event/track_event.proto`): listed frames
//! (`callstack`, field 55) or a reference to interned ones (`callstack_iid`, field 56), outermost first. They become the
//! member `stack` of trace events, whose frames begin at the root, too.

use super::json_text::{string, text};
use super::sequence::Sequence;
use super::stacks::event_frame;
use super::wire::{Field, Fields};

/// Maximum number of frames, because a few bytes can refer to a long stack many times.
const MAX_FRAMES: usize = 1000;

/// Appends the stack of a track event as the member `stack`, if its frames are known.
pub(super) fn write(out: &mut String, event: &[u8], sequence: &Sequence) {
    let mut frames: Vec<String> = Vec::new();
    for field in Fields::new(event) {
        match field.number {
            55 => {
                let listed = field.message().filter(|frame| frame.number == 1).take(MAX_FRAMES);
                frames = listed.map(listed_frame).collect();
            }
            56 => {
                let interned = sequence.stacks.stacks.get(&field.number()).map(Vec::as_slice).unwrap_or_default();
                // The innermost frames are those that matter.
                let most = interned.len().saturating_sub(MAX_FRAMES);
                frames = interned[most..].iter().map(|frame| sequence.stacks.frame_text(*frame)).collect();
            }
            _ => {}
        }
    }
    let mut before = ",\"stack\":[";
    for frame in &frames {
        out.push_str(std::mem::replace(&mut before, ","));
        string(out, frame.as_bytes());
    }
    out.push_str(if frames.is_empty() { "" } else { "]" });
}

/// Returns the text of a listed frame.
fn listed_frame(frame: Field<'_>) -> String {
    let (mut function, mut source, mut line) = (String::new(), String::new(), 0);
    for field in frame.message() {
        match field.number {
            1 => function = text(field.bytes()).into_owned(),
            2 => source = text(field.bytes()).into_owned(),
            3 => line = field.number(),
            _ => {}
        }
    }
    let function = if function.is_empty() { "[unknown]" } else { &function };
    event_frame(function, &source, line)
}
