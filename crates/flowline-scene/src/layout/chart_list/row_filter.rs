//! The choice of listed rows.

use super::in_view::InViewFilter;
use super::stack_rows::StackRows;

/// The rows that are listed, depending on what is in view.
#[derive(Clone, Copy, Debug)]
pub struct RowFilter<'a> {
    /// Required contents of listed rows; `None` also lists empty rows.
    pub in_view: Option<InViewFilter>,
    /// The rows of stacks.
    pub stacks: &'a StackRows,
}
