//! A recording of samples alone, and its conversion to a profile.

use std::sync::Arc;

use super::weights::time_unit;
use crate::error::ImportError;
use crate::importer::ImportContext;
use flowline_profile::{
    AxisUnit, Capabilities, Category, Meta, Ns, Process, ProcessId, Profile, Source, SourceKind, StackTables, Thread,
    ThreadSamples, TimeRange, parse_decimal,
};

/// Maximum number of threads; further threads are omitted with a warning. An empty thread takes three bytes in a file
/// but several hundred in memory.
pub(crate) const MAX_THREADS: usize = 1 << 18;

/// Upper bound of the memory for deriving and indexing a sample, in bytes.
const BYTES_PER_SAMPLE: u64 = 64;
/// The same for a thread.
const BYTES_PER_THREAD: u64 = 1 << 10;

/// A thread as read.
#[derive(Debug, Default)]
pub(crate) struct SampledThread {
    pub(crate) process: usize,
    pub(crate) tid: String,
    pub(crate) name: String,
    pub(crate) is_main: bool,
    /// From the first sample to the end of the last one, if that end is known.
    pub(crate) range: TimeRange,
    pub(crate) samples: ThreadSamples,
}

/// A recording as read.
#[derive(Debug)]
pub(crate) struct Sampled {
    pub(crate) kind: SourceKind,
    pub(crate) product: String,
    pub(crate) processes: Vec<Process>,
    pub(crate) threads: Vec<SampledThread>,
    pub(crate) stacks: StackTables,
    pub(crate) categories: Vec<Category>,
    pub(crate) interval: Ns,
    /// The quantity along the axis.
    pub(crate) axis: AxisUnit,
}

impl Sampled {
    /// An empty recording.
    pub(crate) fn new(kind: SourceKind) -> Self {
        Self {
            kind,
            product: String::new(),
            processes: Vec::new(),
            threads: Vec::new(),
            stacks: StackTables::default(),
            categories: vec![category("Other", "grey")],
            interval: Ns(0),
            axis: AxisUnit::Time,
        }
    }

    /// Checks that enough memory is available to derive and index the recording.
    ///
    /// # Errors
    /// If memory is insufficient.
    pub(crate) fn check_memory(&self, context: &ImportContext<'_>) -> Result<(), ImportError> {
        let samples: usize = self.threads.iter().map(|thread| thread.samples.cpu.len()).sum();
        let needed = samples as u64 * BYTES_PER_SAMPLE + self.threads.len() as u64 * BYTES_PER_THREAD;
        context.options.budget.check(needed)
    }

    /// The sampling interval of a recording whose weights are durations: the duration of the last sample in the thread
    /// that ends last. Charts draw the last sample one interval long, so they end where the samples end.
    pub(crate) fn last_length(&self) -> Ns {
        let sampled = self.threads.iter().map(|thread| &thread.samples.cpu).filter(|table| !table.is_empty());
        let Some(table) = sampled.max_by_key(|table| table.time.last().copied()) else { return Ns(0) };
        let unit = parse_decimal(b"1", time_unit(table.weight_unit)).unwrap_or_default();
        Ns::from_ms(table.weight(table.len() - 1).max(0.0) * unit.as_ms()).unwrap_or_default()
    }

    /// Sets the axis of a recording whose samples are as long as their weights: times if any weights are times, otherwise
    /// the unit that all weights have, or plain numbers.
    ///
    /// Weights that are no times have no place on an axis of times, so such samples are at its start.
    pub(crate) fn set_axis_of_weights(&mut self) {
        let unit = |thread: &SampledThread| thread.samples.cpu.weight_unit.axis();
        let is_time = |thread: &SampledThread| unit(thread).is_time();
        let has_samples = |thread: &&SampledThread| !thread.samples.cpu.is_empty();
        let mut units = self.threads.iter().filter(has_samples).map(unit);
        let first = units.next().unwrap_or_default();
        if !first.is_time() && units.clone().all(|unit| !unit.is_time()) {
            self.axis = if units.all(|unit| unit == first) { first } else { AxisUnit::Plain };
            return;
        }
        let timed = self.threads.iter().filter(|thread| is_time(thread)).map(|thread| thread.range);
        let start = timed.reduce(TimeRange::union).unwrap_or_default().start;
        for thread in self.threads.iter_mut().filter(|thread| !is_time(thread)) {
            thread.range = TimeRange { start, end: start };
            thread.samples.cpu.time = vec![start; thread.samples.cpu.len()].into();
            if let Some(calls) = &mut thread.samples.calls {
                calls.start = vec![start; calls.len()].into();
                calls.end = calls.start.clone();
            }
        }
    }

    /// Converts the recording to a profile.
    pub(crate) fn into_profile(self, source: &Source) -> Profile {
        let thread = |thread: SampledThread| Thread {
            process: ProcessId::new(thread.process),
            tid: thread.tid.into(),
            name: thread.name.into(),
            is_main: thread.is_main,
            range: thread.range,
            strings: Arc::default(),
            samples: Some(Box::new(thread.samples)),
            ..Thread::default()
        };
        let range = self.threads.iter().map(|thread| thread.range).reduce(TimeRange::union).unwrap_or_default();
        Profile {
            meta: Meta {
                kind: self.kind,
                capabilities: Capabilities {
                    axis: self.axis,
                    weights_are_cpu_time: self.kind == SourceKind::PerfScript,
                    ..Capabilities::STACKS
                },
                product: self.product,
                range,
                interval: self.interval,
                ..Meta::default()
            },
            processes: self.processes,
            threads: self.threads.into_iter().map(thread).collect(),
            categories: self.categories,
            stacks: self.stacks,
            source: source.clone(),
            ..Profile::default()
        }
    }
}

/// A category with the single subcategory "Other".
pub(crate) fn category(name: &str, color: &str) -> Category {
    Category { name: name.to_owned(), color: color.to_owned(), subcategories: vec!["Other".to_owned()] }
}
