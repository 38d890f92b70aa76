//! The markers derived so far.

use super::context::ThreadContext;
use super::names::NameRef;
use super::rows::MarkerRows;
use flowline_profile::{Marker, WarningKind, Warnings};

/// The derived markers of a thread, in emission order, and their names.
#[derive(Debug, Default)]
pub(in crate::firefox) struct Derived {
    pub(in crate::firefox) markers: Vec<Marker>,
    /// Names, by the thread-local ids in the markers.
    pub(in crate::firefox) names: Vec<NameRef>,
    /// The raw rows of each marker, if requested.
    pub(in crate::firefox) rows: Vec<MarkerRows>,
}

/// Collects the markers and warnings of a thread.
pub(super) struct Output<'a> {
    pub(super) context: &'a ThreadContext<'a>,
    pub(super) warnings: Warnings,
    pub(super) derived: Derived,
}

impl Output<'_> {
    pub(super) fn emit(&mut self, marker: Marker, rows: MarkerRows) {
        self.derived.markers.push(marker);
        if self.context.wants_rows {
            self.derived.rows.push(rows);
        }
    }

    pub(super) fn warn(&mut self, kind: WarningKind, row: usize) {
        let context = self.context;
        self.warnings.add(kind, || {
            let place = match context.payload(row).offset() {
                Some(offset) => format!(", payload at byte {offset}"),
                None => String::new(),
            };
            format!("thread \"{}\" ({}), event {row}{place}", context.raw.name, context.raw.tid)
        });
    }
}
