//! Global facts about a recording.

use crate::persist::persist;
use crate::samples::CpuUnit;
use crate::{Arrangement, Capabilities, MainCluster, SourceKind};
use flowline_format::{Ns, TimeRange};

/// Global facts about the recording.
#[derive(Clone, Debug, Default)]
pub struct Meta {
    /// Format of the input.
    pub kind: SourceKind,
    /// Conventions of the data.
    pub capabilities: Capabilities,
    /// Version number of the format.
    pub version: u32,
    /// The recorded program; empty if unknown.
    pub product: String,
    /// Wall-clock time at the recording's time zero, in milliseconds since 1970; 0 if unknown.
    pub start_epoch_ms: f64,
    /// Time range of the recording.
    pub range: TimeRange,
    /// The cluster with the most markers. If the recording is a single cluster, no markers are outside it.
    pub main_cluster: MainCluster,
    /// Sampling interval.
    pub interval: Ns,
    /// File size in bytes.
    pub file_bytes: u64,
    /// Size of the JSON text in bytes, after unpacking.
    pub json_bytes: u64,
    /// Events that are not drawn, as phase and count.
    pub not_drawn: Vec<(char, u64)>,
    /// Unit of the CPU deltas of samples; `None` if samples have none.
    pub cpu_unit: Option<CpuUnit>,
}
persist!(Meta {
    kind,
    capabilities,
    version,
    product,
    start_epoch_ms,
    range,
    main_cluster,
    interval,
    file_bytes,
    json_bytes,
    not_drawn,
    cpu_unit
});

impl Meta {
    /// Display name of the input format, with its version if it has one.
    #[must_use]
    #[inline]
    pub fn format_name(&self) -> String {
        let label = self.kind.label();
        if self.version == 0 { label.to_owned() } else { format!("{label}, version {}", self.version) }
    }

    /// The initial arrangement.
    #[must_use]
    #[inline]
    pub const fn arrangement(&self) -> Arrangement {
        let own = &self.capabilities;
        if own.nests_slices || own.stacks_samples { Arrangement::Stack } else { Arrangement::ByName }
    }
}
