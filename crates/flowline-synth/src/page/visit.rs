//! A visit of a page: frame after frame, with a navigation every ten seconds and a click every two.

use std::io::{self, Write};

use super::events::{Events, FRAME, PAGE, Track};
use super::frames::{FREE, Frame, LENGTH};
use super::interactions::click;
use super::navigations::Navigation;
use super::samples::Samples;
use crate::options::Options;
use crate::random::Random;

/// Frames between navigations.
const NAVIGATION: u64 = 600;
/// Frames between clicks.
const CLICK: u64 = 100;
/// The first click after a navigation, in frames.
const FIRST_CLICK: u64 = 250;

/// Writes the recording; see [`Format::Page`](crate::Format::Page).
pub(crate) fn write<W: Write>(options: &Options, out: W) -> io::Result<()> {
    let mut events = Events::new(out, options.markers);
    let mut random = Random::new(options.seed);
    let mut samples = Samples::new(options.samples);
    let started = format!(
        r#"{{"data":{{"frameTreeNodeId":3,"frames":[{{"frame":"{FRAME}","isInPrimaryMainFrame":true,"isOutermostMainFrame":true,"name":"","processId":{PAGE},"url":"about:blank"}}],"persistentIds":true}}}}"#
    );
    events.instant(Track::Browser, ("TracingStartedInBrowser", "disabled-by-default-devtools.timeline"), 100, &started);
    let (mut number, mut busy_until) = (0, 0);
    let mut navigation = Navigation::new(0, 0);
    while !events.is_complete() {
        let frame = Frame { number: number + 1, start: number * LENGTH };
        let since = number % NAVIGATION;
        if since == 0 {
            navigation = Navigation::new(number / NAVIGATION, frame.start);
            navigation.begin(&mut events);
        }
        // The main thread reaches the free part of the frame unless a task lasts beyond its begin.
        let is_busy = busy_until > frame.start;
        frame.begin(&mut events, is_busy);
        if !is_busy {
            frame.show(&mut events, &mut random);
            navigation.frame(&mut events, frame, since, &mut random);
        }
        let is_free = busy_until <= frame.start + FREE;
        let is_click = is_free && since >= FIRST_CLICK && since % CLICK == FIRST_CLICK % CLICK;
        frame.tasks(&mut events, is_busy || is_click);
        if is_click {
            // One handler of each navigation takes long.
            let is_long = since == FIRST_CLICK + CLICK;
            busy_until = click(&mut events, frame, is_long, &mut random);
        }
        let is_last = events.is_complete();
        samples.chunk(&mut events, frame, is_last, &mut random);
        events.check()?;
        number += 1;
    }
    events.finish()
}
