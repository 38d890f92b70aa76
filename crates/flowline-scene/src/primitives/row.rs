//! Rows of a frame, and the bits of the style word that refer to them. Markers, flow shapes and counters share them.
//!
//! The upper half of the style word belongs to the frame: the row in ten bits starting at [`ROW_SHIFT`], the emphasis
//! in the four bits starting at [`EMPHASIS_SHIFT`].

use bytemuck::{Pod, Zeroable};

/// The first bit of the row number in the style word.
pub const ROW_SHIFT: u32 = 16;
/// Maximum number of rows of a frame.
pub const MAX_ROWS: usize = 1024;
/// The first bit of the emphasis in the style word.
pub const EMPHASIS_SHIFT: u32 = 28;

/// Emphasis of a marker or a flow shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u32)]
pub enum Emphasis {
    /// No emphasis.
    Normal = 0,
    /// Faded, because it does not match the search.
    Dimmed = 1,
    /// Under the pointer.
    Hovered = 2,
    /// Selected.
    Selected = 3,
    /// The backdrop of a collapsed thread.
    Faint = 4,
    /// Connected with the marker or flow under the pointer, or an entry of the table row under the pointer or cursor.
    Linked = 5,
    /// A match of the search.
    Match = 6,
    /// An entry with the name of the selected one.
    Alike = 7,
}

/// The frame's bits of a style word.
#[expect(clippy::cast_possible_truncation, reason = "rows are limited to MAX_ROWS")]
pub(super) const fn row_bits(row: usize, emphasis: Emphasis) -> u32 {
    ((row % MAX_ROWS) as u32) << ROW_SHIFT | (emphasis as u32) << EMPHASIS_SHIFT
}

/// The row number in a style word.
pub(super) const fn row_of(style: u32) -> usize {
    (style >> ROW_SHIFT) as usize % MAX_ROWS
}

/// The emphasis in a style word, as a number.
pub(super) const fn emphasis_of(style: u32) -> u32 {
    style >> EMPHASIS_SHIFT
}

/// Vertical position of a row in device pixels.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct RowBounds {
    /// Top, a whole pixel.
    pub y: f32,
    /// Height, a whole number of pixels.
    pub height: f32,
    /// Palette entry of markers whose own entry is the first one, `System`; 0 for that one.
    pub system: f32,
    /// Padding for the WGSL layout.
    pub padding: f32,
}

impl RowBounds {
    /// A row at a whole pixel, with a whole number of pixels.
    #[must_use]
    pub const fn new(y: f32, height: f32) -> Self {
        Self { y, height, system: 0.0, padding: 0.0 }
    }

    /// The palette entry of a marker on the row.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a palette entry")]
    pub fn entry(self, entry: u8) -> u8 {
        if entry == 0 { self.system as u8 } else { entry }
    }
}
