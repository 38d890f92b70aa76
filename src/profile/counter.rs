//! Counters: values over time, drawn as stepped areas.

use super::ids::ProcessId;
use super::time::Ns;

/// A counter track: one or several series on one line, stacked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Counter {
    /// Its name.
    pub name: String,
    /// Its category word.
    pub category: String,
    /// Owner's process id as written.
    pub pid: String,
    /// Owner, if the recording knows it.
    pub process: Option<ProcessId>,
    /// Unit of its values as the recording words it (`bytes`, `percent`, ...); empty if unknown.
    pub unit: String,
    /// The recording's colour word for it; empty if it has none.
    pub color: String,
    /// Its series, the lowest of the stack first.
    pub series: Vec<Series>,
}

/// One value of a counter over time. A value holds until the next sample.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// Its name.
    pub name: String,
    /// Times, ascending, and values; for counters of differences the running sum.
    pub samples: Vec<(Ns, f64)>,
}

impl Counter {
    /// Heap bytes of its samples.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.series.iter().map(|series| series.samples.capacity() * size_of::<(Ns, f64)>()).sum()
    }

    /// The samples of its only series, made if there is none yet.
    pub fn single(&mut self) -> &mut Vec<(Ns, f64)> {
        if self.series.is_empty() {
            self.series.push(Series::default());
        }
        &mut self.series[0].samples
    }
}
