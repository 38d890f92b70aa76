//! Notes over the chart and their targets.

use crate::geometry::PixelRect;
use flowline_view::NoteId;

/// A note over the chart.
#[derive(Clone, Debug, PartialEq)]
pub struct PlacedNote {
    /// The note; the first one of several in one dot.
    pub note: NoteId,
    /// Rectangle of the plate or the dot.
    pub rect: PixelRect,
    /// True if the note is drawn as a dot.
    pub is_dot: bool,
    /// Number of other notes in the same dot.
    pub others: usize,
    /// First line of the note's text, or a default.
    pub text: String,
    /// Target of the note.
    pub anchor: Anchor,
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

impl Anchor {
    /// The attachment point of the plate, and true if the plate is above it.
    pub(crate) fn point(self, chart: PixelRect) -> ([f32; 2], bool) {
        let inside = |x: f32| x.clamp(chart.x, chart.right().max(chart.x));
        match self {
            Self::Entry(rect) => ([inside(rect.x), rect.y], true),
            Self::Range(left, right) => ([inside(left).midpoint(inside(right)), chart.y], false),
            Self::Moment(x) => ([x, chart.y], false),
            Self::Span(left, right, y) => ([left.midpoint(right), y], true),
            Self::Link(from, to) => {
                let [from, to] = [from, to].map(|rect| [inside(rect.x), rect.y + rect.height / 2.0]);
                ([from[0].midpoint(to[0]), from[1].midpoint(to[1])], true)
            }
        }
    }
}
