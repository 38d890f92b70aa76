//! The columns that one or many marker tables share.

use std::ops::Range;

use super::attributes::Attributes;
use super::times::TimeColumns;
use crate::columns::{Column, Dictionary, Offsets};
use crate::persist::persist;
use crate::{LocalMarker, Supplement};

/// Columns of equal length. Starts are ascending within each table; no end is before its start.
#[derive(Clone, Debug, Default)]
pub(super) struct MarkerColumns {
    pub(super) times: TimeColumns,
    pub(super) attributes: Dictionary<Attributes>,
    /// Payload offsets.
    pub(super) payloads: Offsets,
    /// Rows with a start payload, ascending, and the offsets of these payloads.
    pub(super) begun: Column<u32>,
    pub(super) begins: Offsets,
    /// IPC messages: row, and the delays from its start to the three transfer times ([`NO_DELAY`] if unknown);
    /// ascending by row.
    pub(super) messages: Column<[u32; 4]>,
    /// Other additions to payloads, ascending by row.
    pub(super) supplements: Vec<(LocalMarker, Supplement)>,
}
persist!(MarkerColumns { times, attributes, payloads, begun, begins, messages, supplements });

/// An unknown delay of a message.
pub(super) const NO_DELAY: u32 = u32::MAX;

impl MarkerColumns {
    pub(super) fn heap_bytes(&self) -> usize {
        self.times.heap_bytes()
            + self.attributes.heap_bytes()
            + self.payloads.heap_bytes()
            + self.begun.heap_bytes()
            + self.begins.heap_bytes()
            + self.messages.heap_bytes()
            + self.supplements.capacity() * size_of::<(LocalMarker, Supplement)>()
    }

    /// True if the columns have consistent lengths.
    pub(super) fn is_consistent(&self) -> bool {
        let lengths = [self.times.view().len(), self.attributes.len()];
        let places = self.payloads.is_consistent() && self.begins.is_consistent();
        let begins = self.begun.len() == self.begins.len();
        let are_equal = lengths.iter().all(|length| *length == self.payloads.len());
        are_equal && places && begins && self.times.is_consistent() && self.attributes.is_consistent()
    }
}

/// A part of a column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct TableRange {
    pub(super) first: u32,
    pub(super) len: u32,
}
persist!(TableRange { first, len });

impl TableRange {
    /// The first `len` items.
    pub(super) fn first(len: usize) -> Self {
        Self { first: 0, len: u32::try_from(len).unwrap_or(u32::MAX) }
    }

    pub(super) const fn range(self) -> Range<usize> {
        self.first as usize..self.first as usize + self.len as usize
    }
}
