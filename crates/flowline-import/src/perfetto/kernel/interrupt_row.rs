//! Rows of CPUs with interrupts.

use crate::perfetto::event::{Owner, OwnerId};
use flowline_profile::CPUS_PID;

/// A row of a CPU with interrupts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::perfetto) struct InterruptRow {
    pub(in crate::perfetto) cpu: u32,
    /// True for softirqs.
    pub(in crate::perfetto) is_soft: bool,
}

impl InterruptRow {
    pub(in crate::perfetto) fn owner(self) -> Owner {
        let kind = if self.is_soft { "softirq" } else { "irq" };
        Owner {
            process: OwnerId::Name(CPUS_PID.into()),
            thread: Some(OwnerId::Name(format!("{} {kind}", self.cpu).into())),
        }
    }
}
