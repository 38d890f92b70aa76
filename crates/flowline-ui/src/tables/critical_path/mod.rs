//! The critical path table: the path's target and length, its segments, and their totals and shares by kind, name and
//! thread.

mod panel;
mod rows;

pub(crate) use panel::PathTable;
pub(crate) use panel::{path_id, show};
pub(crate) use rows::{blockers_text, share};
