//! The frame timeline of Android (`frame_timeline_event.proto`): for each frame of an app or of the compositor, the time
//! that it was expected to take, and the time that it took.
//!
//! A frame begins with a packet that describes it and ends with one that only has its cookie. The thread that sees the
//! whole trace joins both, because the packets of a part do not describe the frames that end in it.

use super::frame::{ACTUAL_SURFACE, END, EXPECTED_DISPLAY, Frame};
use crate::perfetto::event::{Args, EventId, OwnerId, TraceEvent};
use crate::perfetto::output::Output;
use crate::perfetto::wire::Fields;
use crate::perfetto::writer::{Writer, emit};

impl<O: Output> Writer<'_, O> {
    /// Reads the beginning or the end of a frame.
    pub(in crate::perfetto) fn frame_timeline(&mut self, ts: i64, event: &[u8]) {
        if !O::DERIVED {
            return;
        }
        for field in Fields::new(event) {
            match field.number {
                EXPECTED_DISPLAY..=ACTUAL_SURFACE => {
                    let (cookie, frame) = Frame::read(field, (ts, self.place));
                    if let Some(before) = self.open_frames.0.insert(cookie, frame) {
                        self.frame(cookie, &before, None);
                    }
                }
                END => {
                    let cookie = field.message().field(1).map_or(0, |cookie| cookie.signed());
                    match self.open_frames.0.remove(&cookie) {
                        Some(frame) => self.frame(cookie, &frame, Some(ts)),
                        None => self.omit_derived("ends of frames without a beginning"),
                    }
                }
                _ => self.omit_derived("events of the frame timeline of unknown type"),
            }
        }
    }

    /// Writes the frames that have not ended.
    pub(in crate::perfetto) fn end_frames(&mut self) {
        let mut open: Vec<(i64, Frame)> = std::mem::take(&mut self.open_frames.0).into_iter().collect();
        open.sort_unstable_by_key(|(cookie, frame)| (frame.since, *cookie));
        for (cookie, frame) in open {
            self.frame(cookie, &frame, None);
        }
    }

    fn frame(&mut self, cookie: i64, frame: &Frame, until: Option<i64>) {
        let owner = self.named_target(OwnerId::Number(frame.pid), &frame.track());
        // Frames overlap, so each is an operation of its own.
        let id = format!("frame {cookie} {}", frame.since);
        let id = EventId::Track(&id);
        let args = |out: &mut String| frame.write(out);
        let jank = frame.jank();
        let color = match &jank {
            Some(_) => "bad",
            None if frame.jank != 0 => "good",
            None => "",
        };
        let begin = TraceEvent {
            id,
            name: Some(jank.unwrap_or_else(|| "Frame".to_owned()).into()),
            categories: "frame timeline".into(),
            color,
            args: Args::Made(&args),
            ..TraceEvent::new(b'b', frame.since, &owner)
        };
        // A cut must know the packet that describes the frame, which may be far before its end.
        emit(&mut self.output, self.facts, &mut { frame.place }, &begin);
        if let Some(until) = until {
            let end = TraceEvent { id, ..TraceEvent::new(b'e', until.max(frame.since), &owner) };
            emit(&mut self.output, self.facts, &mut self.place, &end);
        }
    }
}
