//! Data of a trace that is not imported.

use std::collections::BTreeMap;

/// Skipped data: number of items per kind.
#[derive(Debug, Default)]
pub(super) struct SkippedData(BTreeMap<&'static str, u64>);

impl SkippedData {
    pub(super) fn add(&mut self, what: &'static str) {
        *self.0.entry(what).or_default() += 1;
    }

    /// Adds the counts of another part of the trace.
    pub(super) fn merge(&mut self, other: &Self) {
        for (what, count) in &other.0 {
            *self.0.entry(what).or_default() += count;
        }
    }

    /// Each kind with its number of items.
    pub(super) fn counts(&self) -> impl Iterator<Item = (&'static str, u64)> + '_ {
        self.0.iter().map(|(what, count)| (*what, *count))
    }
}
