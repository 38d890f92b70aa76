//! The selection summary: sums of the selected range and rows, or of everything, updated while they are being dragged.
//! The details panel shows it while nothing is selected, and the drawer has a tab for it.

mod answer;
mod panel;
mod sheet;
mod stacked_bar;
mod state;
mod text;

pub(crate) use panel::{Place, show};
pub(crate) use state::SelectionTable;
pub(crate) use state::has_selection;
