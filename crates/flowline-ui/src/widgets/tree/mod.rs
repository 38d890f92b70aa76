//! A tree inside a panel, for values, stacks and slices: collapsible rows, long lists in pages, keys, and
//! accessibility. The tree is one focusable widget, and the cursor's row is its active descendant. The caller builds
//! the visible rows from top to bottom. The expansion state is stored by row id. Ids derive from names, so the state
//! carries over to the next marker.

mod expansion;
mod paint;
mod tree_row;
mod tree_widget;

pub(crate) use expansion::{ExpansionState, PAGE};
pub(crate) use tree_row::{RowStyle, TreeRow};
pub(crate) use tree_widget::{RowAction, TreeIdentity, show};
