//! Figures beside threads, groups of threads and processes: one time with its measure, so that a label never promises more
//! than was measured.

use super::cpu_time::CpuTime;
use super::thread_time::{ThreadTime, TimedKind};
use flowline_profile::Ns;

/// How a time was measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Measure {
    /// Time on a CPU.
    Cpu,
    /// Time that slices or samples of threads cover.
    #[default]
    Busy,
    /// Time with work on a GPU.
    Gpu,
    /// Time in which any thread ran on a core.
    Core,
    /// Time that the operations of a track cover.
    Covered,
    /// Weights of samples, on an axis without times.
    Amount,
}

impl Measure {
    /// Name in tables and tooltips.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Cpu => "CPU time",
            Self::Busy | Self::Gpu | Self::Core => "Busy",
            Self::Covered => "Covered",
            Self::Amount => "Total",
        }
    }

    /// Identifier in `dump`.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Cpu => "cpu",
            Self::Busy => "busy",
            Self::Gpu => "gpu",
            Self::Core => "core",
            Self::Covered => "covered",
            Self::Amount => "amount",
        }
    }
}

/// A time of one or several threads, with its measure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProcessTime {
    /// The time; a sum if there are several threads.
    pub time: Ns,
    /// How all of it was measured.
    pub measure: Measure,
    /// Number of threads, streams or cores that had any.
    pub threads: usize,
    /// Elapsed times for which the CPU time is known, and for which it should be.
    pub measured: [Ns; 2],
    /// True if the range cuts slices, whose CPU time then counts in proportion.
    pub is_estimate: bool,
}

impl ProcessTime {
    /// The figure of a thread or track; `None` if it has neither a measurement nor anything that could be busy.
    #[must_use]
    pub fn of_thread(thread: &ThreadTime) -> Option<Self> {
        Self::sum(std::iter::once(thread)).or_else(|| {
            let measure = match thread.kind {
                TimedKind::Thread => return None,
                TimedKind::Stream => Measure::Gpu,
                TimedKind::Core => Measure::Core,
                TimedKind::Track if thread.cpu.is_some() => Measure::Cpu,
                TimedKind::Track => Measure::Covered,
            };
            let time = if measure == Measure::Cpu { thread.cpu.map(|cpu| cpu.time) } else { thread.busy };
            Some(Self { time: time?, measure, threads: 1, ..Self::default() })
        })
    }

    /// The sum over the threads among some threads and tracks: CPU time if all that worked have it, or else the sum of their
    /// busy times. `None` without such threads.
    #[must_use]
    pub fn sum<'t>(threads: impl Iterator<Item = &'t ThreadTime>) -> Option<Self> {
        let worked = |thread: &&ThreadTime| {
            let is_above = |time: Option<Ns>| time.is_some_and(|time| time.0 > 0);
            thread.kind == TimedKind::Thread
                && (thread.cpu.is_some() || is_above(thread.busy) || is_above(thread.amount))
        };
        let threads: Vec<&ThreadTime> = threads.filter(worked).collect();
        if threads.is_empty() {
            return None;
        }
        let cpu: Option<Vec<CpuTime>> = threads.iter().map(|thread| thread.cpu).collect();
        let mut sum = Self::default();
        if threads.iter().any(|thread| thread.amount.is_some()) {
            sum.measure = Measure::Amount;
            threads.iter().for_each(|thread| sum.add(thread.amount.unwrap_or_default()));
        } else if let Some(cpu) = cpu {
            sum.measure = Measure::Cpu;
            for own in cpu {
                sum.add(own.time);
                sum.is_estimate |= own.is_estimate;
                for (all, own) in sum.measured.iter_mut().zip([own.measured, own.expected]) {
                    all.0 = all.0.saturating_add(own.0);
                }
            }
        } else {
            for thread in threads {
                sum.add(thread.busy.unwrap_or_default());
            }
        }
        Some(sum)
    }

    /// The sum of the times of cores.
    pub(super) fn of_cores<'t>(cores: impl Iterator<Item = &'t ThreadTime>) -> Option<Self> {
        let mut sum = Self { measure: Measure::Core, ..Self::default() };
        let mut found = false;
        for core in cores.filter(|core| core.kind == TimedKind::Core) {
            found = true;
            sum.add(core.busy.unwrap_or_default());
        }
        found.then_some(sum)
    }

    fn add(&mut self, time: Ns) {
        self.threads += usize::from(time.0 > 0);
        self.time = Ns(self.time.0.saturating_add(time.0));
    }

    /// Share of the elapsed time for which the time is known, 0 to 1.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a share")]
    pub fn measured_share(self) -> f64 {
        let [measured, expected] = self.measured;
        if expected.0 <= 0 { 1.0 } else { measured.0 as f64 / expected.0 as f64 }
    }
}
