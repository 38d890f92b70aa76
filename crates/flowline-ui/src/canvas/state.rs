//! State of the canvas between frames: the current drag and the tooltip.

use std::sync::Arc;

use egui::Pos2;

use super::sticky::StickyTooltip;
use flowline_profile::notes::NoteKind;
use flowline_profile::{CallRef, MarkerId, Ns, TimeRange};
use flowline_scene::ScrollMarks;
use flowline_session::MarkerCard;
use flowline_view::{MeasureEdge, NoteId, RowChoice};

/// The current drag on the canvas.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Drag {
    /// None.
    #[default]
    None,
    /// Chart: the content follows the pointer, from this last position.
    Pan(Pos2),
    /// Critical path: the time axis follows the pointer, from this last position.
    Path(Pos2),
    /// Chart or ruler: selects from this time on.
    Range(Ns),
    /// Chart: selects a box, [`CanvasState::boxed`].
    Box,
    /// Chart: moves an edge of the measuring tool.
    Measure(MeasureEdge),
    /// A scroll bar: points from the top of its thumb to the pointer.
    Bar(f32),
    /// Overview: moves the window; nanoseconds from its start to the pointer.
    Window(Ns),
    /// Overview: moves the window's start; its end stays.
    WindowStart(Ns),
    /// Overview: moves the window's end; its start stays.
    WindowEnd(Ns),
}

/// A box that is being dragged.
#[derive(Clone, Debug)]
pub(crate) struct BoxDrag {
    /// Where the button went down, in points.
    pub(crate) press: Pos2,
    /// The time there.
    pub(crate) start: Ns,
    /// Distance of the press from the top of the content in points.
    pub(crate) top: f64,
    /// The range before the drag.
    pub(crate) range: Option<TimeRange>,
    /// The rows to which the box is added.
    pub(crate) rows: RowChoice,
    /// Whether it adds to what was chosen before.
    pub(crate) adds: bool,
}

/// A note that is being dragged.
#[derive(Clone, Debug)]
pub(crate) struct NoteDrag {
    pub(crate) note: NoteId,
    /// Where it was before.
    pub(crate) before: NoteKind,
    /// Where the button went down, in points.
    pub(crate) press: Pos2,
    /// Whether it has been moved already.
    pub(crate) moved: bool,
}

/// A text that is being edited.
#[derive(Clone, Debug)]
pub(crate) struct NoteText {
    pub(crate) note: NoteId,
    pub(crate) text: String,
}

/// State of the canvas between frames.
#[derive(Clone, Debug, Default)]
pub(crate) struct CanvasState {
    pub(crate) drag: Drag,
    pub(crate) boxed: Option<BoxDrag>,
    /// The range that was selected when one was begun to be dragged.
    pub(crate) range_before: Option<TimeRange>,
    /// Whether a plain drag on the chart selects a box.
    pub(crate) box_mode: bool,
    pub(crate) sticky: Option<StickyTooltip>,
    /// Whether a click keeps no tooltip.
    pub(crate) keeps_no_tooltip: bool,
    /// What the chart's scroll bar marks.
    pub(crate) marks: ScrollMarks,
    /// The note that is being dragged.
    pub(crate) note_drag: Option<NoteDrag>,
    /// The text of a note that is being edited.
    pub(crate) note_text: Option<NoteText>,
    /// The marker that the times in the cached cards are relative to.
    pub(crate) zero: Option<MarkerId>,
    /// Cached card of the tooltip's call, and the range whose costs it has.
    pub(crate) call_card: Option<(CallRef, Option<TimeRange>, Arc<MarkerCard>)>,
    /// Cached card of the tooltip's marker.
    pub(crate) hover_card: Option<(MarkerId, Arc<MarkerCard>)>,
}

impl CanvasState {
    /// The same without what is kept of a recording: notes have numbers of their own in each index, and cards say what is known.
    pub(crate) fn without_cards(self) -> Self {
        let Self { drag, boxed, box_mode, sticky, keeps_no_tooltip, zero, .. } = self;
        Self { drag, boxed, box_mode, sticky, keeps_no_tooltip, zero, ..Self::default() }
    }
}
