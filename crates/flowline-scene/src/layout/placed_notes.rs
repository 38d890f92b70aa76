//! Notes in the lane of milestones and notes, and their targets in the chart.

use crate::geometry::PixelRect;
use flowline_view::NoteId;

/// A note in the lane.
#[derive(Clone, Debug, PartialEq)]
pub struct PlacedNote {
    /// The note; the first one of several in one dot.
    pub note: NoteId,
    /// Rectangle of the chip or the dot.
    pub rect: PixelRect,
    /// True if the note is drawn as a dot.
    pub is_dot: bool,
    /// Number of other notes in the same dot.
    pub others: usize,
    /// First line of the note's text, or a default.
    pub text: String,
    /// The line of the lane, from 0.
    pub line: u8,
    /// Target of the note, if it is on screen.
    pub anchor: Option<Anchor>,
}

/// Target of a note.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Anchor {
    /// The box of an entry.
    Entry(PixelRect),
    /// A range of the axis, from left to right.
    Range(f32, f32),
    /// A moment.
    Moment(f32),
    /// A horizontal span: left, right, height.
    Span(f32, f32, f32),
    /// From one entry to another.
    Link(PixelRect, PixelRect),
}
