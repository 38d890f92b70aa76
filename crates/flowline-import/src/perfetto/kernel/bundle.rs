//! A bundle of kernel events of one CPU (`FtraceEventBundle`, packet field 1).
//!
//! Fields: 1 `cpu`, 2 `event`, 3 `lost_events`, 4 `compact_sched`, 5 `ftrace_clock`, 6 `ftrace_timestamp`,
//! 7 `boot_timestamp`, 9 `last_read_event_timestamp` and its successor 10 `previous_bundle_end_timestamp`.

use crate::perfetto::clocks::Clocks;
use crate::perfetto::packet::id;
use crate::perfetto::wire::Fields;

/// Bundle clock without adjustments.
const RAW_CLOCK: u64 = 4;

/// The fields of a bundle that precede its events.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::perfetto) struct Bundle<'a> {
    pub(in crate::perfetto) cpu: u32,
    /// The clock of the events; 0 for the time since boot.
    clock: u64,
    /// The same moment on the clock of the events and since boot.
    own: Option<i64>,
    boot: Option<i64>,
    /// True if the kernel lost events of the CPU before the first event of the bundle.
    pub(in crate::perfetto) follows_loss: bool,
    /// The end of the previous bundle of the CPU, which may not be in the trace: the data begins after it.
    previous_end: Option<i64>,
    message: &'a [u8],
}

impl<'a> Bundle<'a> {
    pub(in crate::perfetto) fn read(message: &'a [u8]) -> Self {
        let mut bundle = Self { message, ..Self::default() };
        for field in Fields::new(message) {
            match field.number {
                1 => bundle.cpu = id(&field),
                3 => bundle.follows_loss = field.is_true(),
                5 => bundle.clock = field.number(),
                6 => bundle.own = Some(field.signed()),
                7 => bundle.boot = Some(field.signed()),
                9 | 10 => bundle.previous_end = Some(field.signed()),
                _ => {}
            }
        }
        bundle
    }

    pub(in crate::perfetto) const fn fields(&self) -> Fields<'a> {
        Fields::new(self.message)
    }

    /// Returns the difference of the time since boot to the clock of the events, if that is another one.
    pub(in crate::perfetto) fn shift(&self) -> Option<i64> {
        let (own, boot) = self.own.zip(self.boot).filter(|_| self.clock > 0)?;
        Some(boot.saturating_sub(own))
    }

    /// Returns the clock of the events. The default clock counts since boot; for others, the first bundle with both times
    /// defines the `shift`.
    pub(in crate::perfetto) const fn clock(&self, shift: i64) -> BundleClock {
        BundleClock { is_raw: self.clock == RAW_CLOCK, shift: if self.clock == 0 { 0 } else { shift } }
    }

    /// Returns the end of the previous bundle of the CPU.
    pub(in crate::perfetto) fn previous_end(&self, clock: BundleClock) -> Option<KernelTime> {
        self.previous_end.filter(|end| *end > 0).map(|end| clock.time(end))
    }
}

/// The clock of the events of a bundle.
#[derive(Clone, Copy, Debug)]
pub(in crate::perfetto) struct BundleClock {
    is_raw: bool,
    shift: i64,
}

/// A time on a clock of the kernel.
#[derive(Clone, Copy, Debug)]
pub(in crate::perfetto) struct KernelTime {
    is_raw: bool,
    ns: i64,
}

impl BundleClock {
    fn time(self, stated: i64) -> KernelTime {
        let ns = if self.is_raw { stated } else { stated.saturating_add(self.shift) };
        KernelTime { is_raw: self.is_raw, ns }
    }

    /// Converts a time in the bundle to the trace clock.
    pub(in crate::perfetto) fn to_trace(self, clocks: &Clocks, stated: i64) -> i64 {
        self.time(stated).to_trace(clocks)
    }
}

impl KernelTime {
    pub(in crate::perfetto) fn to_trace(self, clocks: &Clocks) -> i64 {
        if self.is_raw { clocks.raw_to_trace(self.ns) } else { clocks.kernel_to_trace(self.ns) }
    }
}
