//! State of the canvas between frames: the current drag, the last click, and cached cards.

use std::sync::Arc;

use egui::Pos2;

use flowline_profile::notes::NoteKind;
use flowline_profile::{CallRef, MarkerId, Ns, SelectedCall, TimeRange};
use flowline_scene::ScrollMarks;
use flowline_session::MarkerCard;
use flowline_view::{MeasureEdge, NoteId, RowSelection};

/// The current drag on the canvas.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Drag {
    /// None.
    #[default]
    None,
    /// Chart: the content follows the pointer; the position is the last one.
    Pan(Pos2),
    /// Critical path: the time axis follows the pointer; the position is the last one.
    Path(Pos2),
    /// Chart or ruler: selects a range that starts at this time.
    Range(Ns),
    /// Chart: selects a box, [`CanvasState::boxed`].
    Box,
    /// Chart: moves an edge of the measuring tool.
    Measure(MeasureEdge),
    /// A scroll bar: distance in points from the top of its thumb to the pointer.
    Bar(f32),
    /// Overview: moves the window; the time is the distance from its start to the pointer.
    Window(Ns),
    /// Overview: moves the window's start; its end stays.
    WindowStart(Ns),
    /// Overview: moves the window's end; its start stays.
    WindowEnd(Ns),
}

/// A box being dragged.
#[derive(Clone, Debug)]
pub(crate) struct BoxDrag {
    /// Position of the button press, in points.
    pub(crate) press: Pos2,
    /// The time there.
    pub(crate) start: Ns,
    /// Distance in points from the top of the content to the press.
    pub(crate) top: f64,
    /// The range before the drag.
    pub(crate) range: Option<TimeRange>,
    /// The rows that the box adds to.
    pub(crate) rows: RowSelection,
    /// True if the box adds to the earlier selection.
    pub(crate) adds: bool,
}

/// A note being dragged.
#[derive(Clone, Debug)]
pub(crate) struct NoteDrag {
    pub(crate) note: NoteId,
    /// Its position before the drag.
    pub(crate) before: NoteKind,
    /// Position of the button press, in points.
    pub(crate) press: Pos2,
    /// True once it has moved.
    pub(crate) moved: bool,
}

/// A note's text being edited.
#[derive(Clone, Debug)]
pub(crate) struct NoteText {
    pub(crate) note: NoteId,
    pub(crate) text: String,
}

/// A marker or call that was clicked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum ClickTarget {
    Marker(MarkerId),
    Call(SelectedCall),
}

/// State of the canvas between frames.
#[derive(Clone, Debug, Default)]
pub(crate) struct CanvasState {
    pub(crate) drag: Drag,
    pub(crate) boxed: Option<BoxDrag>,
    /// The selected range before the current drag of a range.
    pub(crate) range_before: Option<TimeRange>,
    /// True if dragging on the chart selects a box.
    pub(crate) box_mode: bool,
    /// Target of the last click. A double click acts on it, because the first click may move the rows.
    pub(crate) clicked: Option<ClickTarget>,
    /// True while the details panel is open, so that tooltips are short.
    pub(crate) has_details: bool,
    /// Marks on the chart's scroll bar.
    pub(crate) marks: ScrollMarks,
    /// The note being dragged.
    pub(crate) note_drag: Option<NoteDrag>,
    /// The note text being edited.
    pub(crate) note_text: Option<NoteText>,
    /// The marker at the time origin of the cached cards.
    pub(crate) zero: Option<MarkerId>,
    /// Cached card of the tooltip's call, and the range that its costs cover.
    pub(crate) call_card: Option<(CallRef, Option<TimeRange>, Arc<MarkerCard>)>,
    /// Cached card of the tooltip's marker.
    pub(crate) hover_card: Option<(MarkerId, Arc<MarkerCard>)>,
}

impl CanvasState {
    /// The state without data that is specific to one index: note numbers, and cards, which depend on the loaded
    /// data.
    pub(crate) fn without_cards(self) -> Self {
        let Self { drag, boxed, box_mode, clicked, zero, .. } = self;
        Self { drag, boxed, box_mode, clicked, zero, ..Self::default() }
    }
}
