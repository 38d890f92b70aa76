//! The raw markers of one thread as columns, before pairing, and its samples; shared by raw and processed profiles.

use super::sampled::Sampled;
use super::sentinels::{NO_TIME, NO_TYPE};
use super::type_names::TypeNames;
use crate::firefox::document::damage;
use flowline_json::JsonError;
use flowline_profile::{Ns, WarningKind, Warnings};

/// Maximum number of rows to reserve at once.
const MAX_RESERVED_ROWS: usize = 1 << 24;

/// Raw marker columns. All have the same length once the thread is finished.
#[derive(Debug, Default)]
pub(in crate::firefox) struct RawMarkerTable {
    pub(in crate::firefox) name: Vec<u32>,
    pub(in crate::firefox) start: Vec<Ns>,
    pub(in crate::firefox) end: Vec<Ns>,
    pub(in crate::firefox) phase: Vec<u32>,
    pub(in crate::firefox) category: Vec<u32>,
    pub(in crate::firefox) payload: Vec<u64>,
    pub(in crate::firefox) kind: Vec<u16>,
}

impl RawMarkerTable {
    pub(in crate::firefox) fn len(&self) -> usize {
        self.name.len()
    }

    /// Length of the longest column.
    pub(in crate::firefox) fn longest(&self) -> usize {
        let Self { name, start, end, phase, category, payload, kind } = self;
        let lengths = [name.len(), start.len(), end.len(), phase.len(), category.len(), payload.len(), kind.len()];
        lengths.into_iter().max().unwrap_or(0)
    }

    /// Before each row that is read individually: reserves space for all remaining rows if there is none for the next
    /// one. The rows so far took `read` bytes, and `left` bytes follow. Reserved space that stays unused is never
    /// touched, so it takes no physical memory.
    #[inline]
    pub(in crate::firefox) fn reserve_remaining(&mut self, read: usize, left: usize) {
        let rows = self.name.len();
        if rows >= 64 && rows == self.name.capacity() {
            self.reserve((left / (read / rows).max(1) + rows / 16).min(MAX_RESERVED_ROWS));
        }
    }

    #[cold]
    fn reserve(&mut self, more: usize) {
        let Self { name, start, end, phase, category, payload, kind } = self;
        name.reserve_exact(more);
        start.reserve_exact(more);
        end.reserve_exact(more);
        phase.reserve_exact(more);
        category.reserve_exact(more);
        payload.reserve_exact(more);
        kind.reserve_exact(more);
    }

    /// Keeps the rows for which `keep` returns true.
    pub(in crate::firefox) fn retain(&mut self, keep: impl Fn(usize) -> bool) {
        fn column<T>(column: &mut Vec<T>, keep: &impl Fn(usize) -> bool) {
            let mut row = 0;
            column.retain(|_| {
                row += 1;
                keep(row - 1)
            });
        }
        column(&mut self.name, &keep);
        column(&mut self.start, &keep);
        column(&mut self.end, &keep);
        column(&mut self.phase, &keep);
        column(&mut self.category, &keep);
        column(&mut self.payload, &keep);
        column(&mut self.kind, &keep);
    }

    /// Truncates all columns to the shortest. Optional columns are padded first if they are missing, or if the text of
    /// the thread `is_damaged`: its last markers are then kept without payload. Returns true if any column was
    /// truncated.
    fn equalize_lengths(&mut self, is_damaged: bool) -> bool {
        let longest = self.name.len().max(self.start.len()).max(self.phase.len());
        let fills = |length: usize| length == 0 || (is_damaged && length < longest);
        if fills(self.payload.len()) {
            self.payload.resize(longest, u64::MAX);
            self.kind.resize(longest, NO_TYPE);
        }
        if fills(self.category.len()) {
            self.category.resize(longest, 0);
        }
        if fills(self.end.len()) {
            self.end.resize(longest, NO_TIME);
        }
        let lengths = [
            self.name.len(),
            self.start.len(),
            self.end.len(),
            self.phase.len(),
            self.category.len(),
            self.payload.len(),
        ];
        let shortest = lengths.into_iter().min().unwrap_or(0);
        self.name.truncate(shortest);
        self.start.truncate(shortest);
        self.end.truncate(shortest);
        self.phase.truncate(shortest);
        self.category.truncate(shortest);
        self.payload.truncate(shortest);
        self.kind.truncate(shortest);
        lengths.iter().any(|&length| length != shortest)
    }
}

/// One thread as read, before derivation.
#[derive(Debug, Default)]
pub(in crate::firefox) struct RawThread {
    pub(in crate::firefox) name: String,
    pub(in crate::firefox) process_name: String,
    pub(in crate::firefox) site: Option<String>,
    pub(in crate::firefox) pid: String,
    pub(in crate::firefox) tid: String,
    pub(in crate::firefox) is_main: bool,
    pub(in crate::firefox) register: Option<Ns>,
    pub(in crate::firefox) unregister: Option<Ns>,
    /// First and last sample.
    pub(in crate::firefox) samples: Option<(Ns, Ns)>,
    pub(in crate::firefox) markers: RawMarkerTable,
    pub(in crate::firefox) kinds: TypeNames,
    /// Samples; boxed because there may be many threads and few samples.
    pub(in crate::firefox) sampled: Option<Box<Sampled>>,
    /// Offsets of the thread's own string table (raw profiles, and processed ones before version 56).
    pub(in crate::firefox) strings: Option<Vec<u64>>,
    /// Byte offset of its object.
    pub(in crate::firefox) offset: usize,
    /// The offset after its object, if known while the thread is read.
    pub(in crate::firefox) end: Option<usize>,
    /// Rows removed from the markers because they are allocations, and their times, ascending by row. The row numbers
    /// are those of the text.
    pub(in crate::firefox) allocation_rows: Vec<(u32, Ns)>,
    /// Offset from its process's clock to the recording's clock.
    pub(in crate::firefox) shift: Ns,
    /// Index of its process's meta, whose categories its numbers refer to.
    pub(in crate::firefox) meta_index: usize,
    pub(in crate::firefox) warnings: Warnings,
    /// True if its text is damaged or ends early.
    pub(in crate::firefox) is_damaged: bool,
}

impl RawThread {
    /// Turns the error for a skipped value of the wrong type into a warning, so that reading continues after it.
    pub(in crate::firefox) fn skip_wrong_type<T>(
        &mut self,
        what: &str,
        result: Result<T, JsonError>,
    ) -> Result<Option<T>, JsonError> {
        let name = &self.name;
        damage::skip_wrong_type(&mut self.warnings, || format!("{what} of thread \"{name}\""), result)
    }

    /// Equalizes the column lengths after reading, and adds the warnings.
    pub(in crate::firefox) fn finish(&mut self) {
        let uneven = self.markers.equalize_lengths(self.is_damaged);
        let (name, unnumbered) = (&self.name, self.kinds.unnumbered());
        if uneven {
            self.warnings.add(WarningKind::ColumnLength, || format!("markers of thread \"{name}\""));
        }
        if unnumbered > 0 {
            let place = || format!("{unnumbered} payloads of thread \"{name}\"");
            self.warnings.add(WarningKind::TooManyTypes, place);
        }
    }

    /// Marks the thread as damaged, with a warning.
    pub(in crate::firefox) fn note_damage(&mut self, error: JsonError) {
        self.is_damaged = true;
        let row = self.markers.len();
        damage::warn_damage(&mut self.warnings, error, || format!("thread \"{}\", event {row}", self.name));
    }
}
