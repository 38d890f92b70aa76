//! The notes of a recording, with their rows, and the contents of the lane of milestones and notes.

use std::sync::Arc;

use super::chart_list::Item;
use super::placed_flag::PlacedFlag;
use super::placed_notes::PlacedNote;
use crate::geometry::PixelRect;
use flowline_profile::notes::Note;
use flowline_profile::{MarkerId, Ns, TimeRange};
use flowline_view::NoteId;

/// A note that has times, and the rows of the entries it refers to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct IndexedNote {
    pub(crate) note: NoteId,
    pub(crate) times: TimeRange,
    pub(crate) rows: [Option<EntryRow>; 2],
}

/// The row on which an entry is shown, and the times of its box.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EntryRow {
    pub(crate) item: Item,
    pub(crate) times: TimeRange,
}

/// Inputs of the last placement.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PlacedKey {
    pub(crate) axis: ((Ns, f64), f64),
    pub(crate) scroll: f64,
    pub(crate) chart: PixelRect,
    pub(crate) lane: PixelRect,
    pub(crate) scale: f32,
    pub(crate) shown: bool,
    /// True once the milestones have been read.
    pub(crate) has_milestones: bool,
    pub(crate) zero: Option<MarkerId>,
}

/// The notes of a recording and their positions over the chart.
#[derive(Clone, Debug, Default)]
pub(crate) struct NoteLayout {
    pub(crate) notes: Arc<Vec<Note>>,
    /// Number of the track list that the rows belong to.
    pub(crate) list: Option<u64>,
    /// Number of row lookups so far.
    pub(crate) number: u64,
    /// Ordered by start.
    pub(crate) known: Vec<IndexedNote>,
    /// For each note, the latest end of the notes up to it.
    pub(crate) ends: Vec<Ns>,
    pub(crate) key: Option<PlacedKey>,
    pub(crate) placed: Vec<PlacedNote>,
    pub(crate) flags: Vec<PlacedFlag>,
    /// Number of lines that flags and notes need.
    pub(crate) lines: u8,
}
