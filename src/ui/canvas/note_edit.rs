//! A note that is being moved or written.

use egui::Pos2;

use crate::profile::notes::NoteKind;
use crate::view::NoteId;

/// A note that is being dragged.
#[derive(Clone, Debug)]
pub(crate) struct NoteDrag {
    pub(super) note: NoteId,
    /// Where it was before.
    pub(super) before: NoteKind,
    /// Where the button went down, in points.
    pub(super) press: Pos2,
    /// Whether it has been moved already.
    pub(super) moved: bool,
}

/// A text that is being edited.
#[derive(Clone, Debug)]
pub(crate) struct NoteText {
    pub(super) note: NoteId,
    pub(super) text: String,
}
