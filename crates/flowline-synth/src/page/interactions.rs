//! Clicks, with a handler that may take long and that forces layout.

use std::io::Write;

use super::events::{Events, FRAME, Track};
use super::frames::{CALL, FREE, Frame, LAYOUT, LENGTH, STYLE, TASK, call_args, layout_args, style_args};
use crate::random::Random;

/// Handlers of the page's longest interactions take this long, in microseconds.
const LONGEST: u64 = 280_000;
/// Time between two forced layouts of a handler.
const FORCED_EVERY: u64 = 3_000;

/// Writes a click and its handler, which begins in the free part of a frame. Returns the time until which the main
/// thread is busy.
pub(super) fn click<W: Write>(events: &mut Events<W>, frame: Frame, is_long: bool, random: &mut Random) -> u64 {
    let input = frame.start + FREE - 2_000;
    let begin = frame.start + FREE + 10;
    let length = if is_long { 60_000 + random.below(LONGEST - 60_000) } else { 2_000 + random.below(3_500) };
    events.slice(Track::Main, TASK, (begin, length + 200), "{}");
    for (number, kind) in ["pointerdown", "mousedown", "pointerup", "mouseup"].into_iter().enumerate() {
        dispatch(events, kind, (begin + 20 + 100 * number as u64, 80));
    }
    let handler = (begin + 500, length - 400);
    dispatch(events, "click", handler);
    events.slice(Track::Main, CALL, (handler.0 + 10, handler.1 - 20), &call_args(2));
    let mut at = handler.0 + 100;
    while is_long && at + FORCED_EVERY < handler.0 + handler.1 {
        events.slice(Track::Main, STYLE, (at, 600), &style_args(120));
        events.slice(Track::Main, LAYOUT, (at + 700, 1_500), &layout_args(180));
        at += FORCED_EVERY;
    }
    let until = begin + length + 200;
    let paint = until.div_ceil(LENGTH) * LENGTH + 12_000;
    let id = events.id();
    for (kind, number) in [
        ("pointerover", 0),
        ("pointerenter", 0),
        ("pointerdown", id),
        ("pointerup", id),
        ("click", id),
        ("pointerout", 0),
    ] {
        let (first, last) = if kind == "click" { handler } else { (begin + 20, 80) };
        event_timing(events, kind, number, (input, first, first + last, paint));
    }
    until
}

fn dispatch<W: Write>(events: &mut Events<W>, kind: &str, times: (u64, u64)) {
    let args = format!(r#"{{"data":{{"type":"{kind}"}}}}"#);
    events.slice(Track::Main, ("EventDispatch", "devtools.timeline"), times, &args);
}

/// An event with the times of the input, of its handlers, and of the next paint. Times in the arguments are
/// milliseconds on the page's clock, which begins with the recording.
fn event_timing<W: Write>(
    events: &mut Events<W>,
    kind: &str,
    interaction: u64,
    (input, first, last, paint): (u64, u64, u64, u64),
) {
    let ms = |us: u64| format!("{}.{:03}", us / 1_000, us % 1_000);
    let args = format!(
        r#"{{"data":{{"cancelable":true,"commitFinishTime":{},"duration":{},"enqueuedToMainThreadTime":{},"frame":"{FRAME}","interactionId":{interaction},"interactionOffset":0,"nodeId":31,"processingEnd":{},"processingStart":{},"timeStamp":{},"type":"{kind}"}}}}"#,
        ms(paint - 4_000),
        ms(paint - input),
        ms(input + 400),
        ms(last),
        ms(first),
        ms(input),
    );
    events.operation(Track::Main, ("EventTiming", "devtools.timeline"), (input, paint - input), &args);
    debug_assert!(input < first && last < paint, "an input precedes its handlers and its paint");
}
