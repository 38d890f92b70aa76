//! What the canvas remembers from frame to frame: the drag under way and the tooltip.

use std::sync::Arc;

use egui::Pos2;

use crate::profile::{MarkerId, Ns};
use crate::session::MarkerCard;

/// A drag on the canvas that is under way.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) enum Drag {
    /// None.
    #[default]
    None,
    /// Chart: the content follows the pointer, which was here before.
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

/// What the canvas remembers from frame to frame.
#[derive(Clone, Debug, Default)]
pub(crate) struct CanvasState {
    pub(crate) drag: Drag,
    /// A tooltip made sticky by a click, and where it stands.
    pub(crate) sticky: Option<(MarkerId, Pos2)>,
    /// What the tooltip says of the marker the pointer is, or was, over.
    pub(crate) card: Option<(MarkerId, Arc<MarkerCard>)>,
}
