//! Tables whose rows are in lists of lists: samples of counters and threads, arrows and members of flows.

use std::fmt::Debug;
use std::ops::Range;
use std::sync::Arc;

use datafusion::arrow::array::ArrayRef;
use datafusion::error::Result;

use super::bounds::Bounds;
use super::builders::Columns;
use super::rows::Rows;
use crate::recording::Recording;
use crate::schema::TableSpec;

/// Lists of rows.
pub(crate) trait Lists: Debug + Send + Sync {
    /// Name and columns of the table.
    const SPEC: &'static TableSpec;

    /// Number of rows of each list.
    fn lengths(recording: &Recording) -> Vec<usize>;

    /// The part of a list, of this length, that is within the bounds.
    fn part(recording: &Recording, list: usize, length: usize, bounds: &Bounds) -> Range<usize>;

    /// Adds rows of a list.
    fn push(recording: &Recording, list: usize, rows: &mut dyn Iterator<Item = usize>, to: &mut Columns);
}

/// A table of lists. Units are rows.
#[derive(Debug)]
pub(crate) struct Listed<L> {
    recording: Arc<Recording>,
    /// Number of rows before and in each list.
    ends: Vec<usize>,
    lists: std::marker::PhantomData<L>,
}

impl<L: Lists> Listed<L> {
    pub(crate) fn new(recording: &Arc<Recording>) -> Self {
        let mut sum = 0;
        let ends = L::lengths(recording).into_iter().map(|length| {
            sum += length;
            sum
        });
        Self { ends: ends.collect(), recording: Arc::clone(recording), lists: std::marker::PhantomData }
    }

    fn start(&self, list: usize) -> usize {
        list.checked_sub(1).map_or(0, |before| self.ends[before])
    }
}

impl<L: Lists + 'static> Rows for Listed<L> {
    fn spec(&self) -> &'static TableSpec {
        L::SPEC
    }

    fn units(&self) -> usize {
        self.ends.last().copied().unwrap_or(0)
    }

    fn is_cheap(&self, _column: usize) -> bool {
        true
    }

    fn ranges(&self, bounds: &Bounds) -> Vec<Range<usize>> {
        let part = |list: usize| {
            let start = self.start(list);
            let own = L::part(&self.recording, list, self.ends[list] - start, bounds);
            start + own.start..start + own.end
        };
        (0..self.ends.len()).map(part).filter(|range| !range.is_empty()).collect()
    }

    fn read(&self, units: &[u32], columns: &[usize]) -> Result<(Vec<ArrayRef>, usize)> {
        let mut rows = Columns::new(L::SPEC);
        let mut left = units;
        while let Some(first) = left.first() {
            let list = self.ends.partition_point(|end| *end <= *first as usize);
            let (start, end) = (self.start(list), self.ends[list]);
            let (own, rest) = left.split_at(left.partition_point(|unit| (*unit as usize) < end));
            L::push(&self.recording, list, &mut own.iter().map(|unit| *unit as usize - start), &mut rows);
            left = rest;
        }
        let count = rows.rows();
        let all = rows.finish();
        Ok((columns.iter().map(|column| Arc::clone(&all[*column])).collect(), count))
    }
}
