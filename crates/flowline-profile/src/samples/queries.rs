//! Queries about the samples of a thread and the stacks of its markers.

use super::sample_table::SampleTable;
use super::thread_samples::ThreadSamples;
use crate::stack::{MAX_FRAMES, StackFrame, StackTrace};
use crate::{LocalMarker, Profile, StackId, ThreadId};
use flowline_format::{Ns, format_duration_ns};

/// Text for functions without a name.
pub const ANONYMOUS: &str = "(anonymous)";

impl Profile {
    /// The stack of a sample, innermost frame first, with at most [`MAX_FRAMES`] frames.
    #[must_use]
    pub fn stack_trace(&self, stack: StackId) -> StackTrace {
        let frame = |stack: StackId| {
            let name = self.func_name(self.stacks.func(stack)).to_owned();
            StackFrame { name, place: self.frame_location(stack) }
        };
        let frames: Vec<StackFrame> = self.stacks.walk(stack).take(MAX_FRAMES).map(frame).collect();
        let is_cut = self.stacks.walk(stack).nth(MAX_FRAMES).is_some();
        StackTrace { frames, is_cut, ..StackTrace::default() }
    }

    /// Samples of a thread.
    #[must_use]
    #[inline]
    pub fn samples(&self, thread: ThreadId) -> Option<&ThreadSamples> {
        self.thread(thread).samples.as_deref()
    }

    /// Length on the axis of a sample that no other one follows: an interval, or, without times, its weight.
    #[must_use]
    pub fn sample_length(&self, table: &SampleTable, sample: usize) -> Ns {
        let axis = self.meta.capabilities.axis;
        if axis.is_time() {
            return self.meta.interval;
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "saturates")]
        let length = (table.weight(sample).max(0.0) * axis.least_step() as f64).round() as i64;
        Ns(length.min(Ns::LIMIT))
    }

    /// [`Profile::sample_length`] of the last sample.
    #[must_use]
    pub fn last_sample_length(&self, table: &SampleTable) -> Ns {
        table.len().checked_sub(1).map_or(Ns(0), |last| self.sample_length(table, last))
    }

    /// The stack of a marker. Its title contains the delay if it was captured before the marker started.
    #[must_use]
    pub fn marker_stack(&self, thread: ThreadId, marker: LocalMarker) -> Option<StackTrace> {
        let (stack, taken) = self.samples(thread)?.marker_stacks.get(marker)?;
        let start = self.thread(thread).markers.start(marker);
        let before = taken.map_or(Ns(0), |taken| start - taken);
        let title = if before > Ns(0) {
            format!("Stack trace, {} before", format_duration_ns(before.0))
        } else {
            "Stack trace".to_owned()
        };
        Some(StackTrace { title, ..self.stack_trace(stack) })
    }

    /// Number of samples of a marker's thread during the marker; `None` for instants and threads without samples.
    #[must_use]
    pub fn samples_during(&self, thread: ThreadId, marker: LocalMarker) -> Option<usize> {
        let (samples, markers) = (self.samples(thread)?, &self.thread(thread).markers);
        if markers.is_instant(marker) || samples.cpu.is_empty() {
            return None;
        }
        let before = |time: Ns| samples.cpu.time.partition_point(|sample| *sample < time);
        Some(before(markers.end(marker)).saturating_sub(before(markers.start(marker))))
    }
}
