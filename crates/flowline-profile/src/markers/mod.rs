//! The markers of one thread as columns, in start order: 14 bytes per marker, plus more for a few.
//!
//! Starts and payload offsets are stored as offsets within blocks, ends as durations. Name, category, type and flags
//! occur in few distinct combinations, so each marker stores the number of its combination.
//!
//! A table is a part of columns that it may share with other tables: a recording can have millions of threads with a
//! few markers each, and separate columns would take more memory than the markers.

mod attributes;
mod begins;
mod build;
mod columns;
mod flags;
mod marker;
mod shared_tables;
mod start_order;
mod table;
mod times;

pub use attributes::Attributes;
pub use begins::Begins;
pub use flags::MarkerFlags;
pub use marker::Marker;
pub use shared_tables::{Labels, MarkerTablesBuilder, relabel_tables};
pub use start_order::StartOrder;
pub use table::MarkerTable;
pub use times::Times;
