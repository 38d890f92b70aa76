//! Layout shifts: content of a page that moved while somebody looked at it; the clusters that shifts form; their culprits.

mod chrome;
mod clusters;
mod culprit;
mod culprit_events;
mod culprits;
mod layout_shift;
mod left_out;
mod list;
mod viewports;

pub use culprit::{Culprit, CulpritKind};
pub use culprits::ShiftCulprits;
pub use layout_shift::{LayoutShift, ShiftCluster, ShiftedNode, rate_shifts};
pub use left_out::LeftOutShifts;
pub use list::LayoutShifts;
pub use viewports::{Viewport, Viewports};
