//! State of the canvas between frames: the current drag and the tooltip.

use std::sync::Arc;

use egui::Pos2;

use super::sticky::StickyTooltip;
use crate::profile::{CallRef, MarkerId, Ns, TimeRange};
use crate::session::MarkerCard;

/// The current drag on the canvas.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Drag {
    /// None.
    #[default]
    None,
    /// Chart: the content follows the pointer, from this last position.
    Pan(Pos2),
    /// Chart or ruler: selects from this time on.
    Range(Ns),
    /// Overview: moves the window; nanoseconds from its start to the pointer.
    Window(Ns),
    /// Overview: moves the window's start; its end stays.
    WindowStart(Ns),
    /// Overview: moves the window's end; its start stays.
    WindowEnd(Ns),
}

/// State of the canvas between frames.
#[derive(Clone, Debug, Default)]
pub(crate) struct CanvasState {
    pub(crate) drag: Drag,
    pub(crate) sticky: Option<StickyTooltip>,
    /// Cached card of the tooltip's call, and the range whose costs it has.
    pub(crate) call_card: Option<(CallRef, Option<TimeRange>, Arc<MarkerCard>)>,
    /// Cached card of the tooltip's marker.
    pub(crate) hover_card: Option<(MarkerId, Arc<MarkerCard>)>,
}
