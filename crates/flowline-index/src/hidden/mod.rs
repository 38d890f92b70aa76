//! Entries that the user hid from the chart, as in Chrome DevTools. The children of a hidden entry move up.
//!
//! Notes record hidden entries. `Hidden` resolves these notes, and [`FilteredRows`] contains the filtered rows of the
//! affected threads as they are drawn. The index itself never changes: tables, statistics, searches, and flows include
//! hidden entries.

mod filtered_rows;
mod nest;
mod notes;

pub use filtered_rows::{FilteredRows, FilteredRowsKey};
pub use notes::{HideScope, expanded, notes_hiding, notes_hiding_in};
