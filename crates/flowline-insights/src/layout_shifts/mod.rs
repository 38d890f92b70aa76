//! Layout shifts: content of a page that moved while somebody looked at it.

mod chrome;
mod clusters;
mod layout_shift;
mod list;

pub use layout_shift::{LayoutShift, ShiftCluster, ShiftedNode, rate_shifts};
pub use list::LayoutShifts;
