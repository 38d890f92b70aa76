//! Headings of data that belongs to no process: the system, power, and GPUs.

use crate::perfetto::event::OwnerId;

/// A heading, which is the process of its counters and tracks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::perfetto) enum Group {
    System,
    Power,
    Gpu,
}

impl Group {
    pub(super) const ALL: [Self; 3] = [Self::System, Self::Power, Self::Gpu];

    pub(super) const fn id(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Power => "power",
            Self::Gpu => "gpu",
        }
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::System => "System",
            Self::Power => "Power",
            Self::Gpu => "GPU",
        }
    }

    /// The process of the group.
    pub(in crate::perfetto) fn process(self) -> OwnerId {
        OwnerId::Name(self.id().into())
    }
}

/// The groups that are named already.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::perfetto) struct NamedGroups(pub(super) u8);
