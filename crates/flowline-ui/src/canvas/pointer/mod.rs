//! Pointer input over the canvas.

pub(crate) mod box_selection;
pub(crate) mod measure;
pub(crate) mod pointer_input;
pub(crate) mod track_reordering;
