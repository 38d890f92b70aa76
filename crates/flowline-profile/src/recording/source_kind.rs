//! Formats of recordings, and the conventions of their data.

use crate::persist::persist;
use flowline_format::AxisUnit;

/// Format of a recording.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SourceKind {
    /// Not read from a file.
    #[default]
    Unknown,
    /// Profile written by Firefox.
    FirefoxRaw,
    /// Profile saved by the Firefox Profiler or a compatible tool.
    FirefoxProcessed,
    /// The same in the binary container JSLB.
    FirefoxJslb,
    /// Chrome trace events.
    ChromeTrace,
    /// Perfetto trace, converted to trace events.
    PerfettoTrace,
    /// V8 CPU profile.
    CpuProfile,
    /// speedscope profile.
    Speedscope,
    /// Collapsed stacks.
    Collapsed,
    /// Output of `perf script`.
    PerfScript,
    /// Sampled allocations of V8.
    HeapProfile,
}
persist!(enum SourceKind {
    0 => Unknown,
    1 => FirefoxRaw,
    2 => FirefoxProcessed,
    3 => FirefoxJslb,
    4 => ChromeTrace,
    5 => PerfettoTrace,
    6 => CpuProfile,
    7 => Speedscope,
    8 => Collapsed,
    9 => PerfScript,
    10 => HeapProfile,
});

impl SourceKind {
    /// The kinds that are read from files.
    pub const ALL: [Self; 10] = [
        Self::FirefoxRaw,
        Self::FirefoxProcessed,
        Self::FirefoxJslb,
        Self::ChromeTrace,
        Self::PerfettoTrace,
        Self::CpuProfile,
        Self::Speedscope,
        Self::Collapsed,
        Self::PerfScript,
        Self::HeapProfile,
    ];

    /// Stable identifier for scripts. A Perfetto trace has the identifier of the trace events that it is converted to.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Unknown => "",
            Self::FirefoxRaw => "firefox-raw",
            Self::FirefoxProcessed => "firefox-processed",
            Self::FirefoxJslb => "firefox-processed-jslb",
            Self::ChromeTrace | Self::PerfettoTrace => "chrome",
            Self::CpuProfile => "cpuprofile",
            Self::Speedscope => "speedscope",
            Self::Collapsed => "collapsed",
            Self::PerfScript => "perf-script",
            Self::HeapProfile => "heapprofile",
        }
    }

    /// True if recordings of this kind contain markers; others contain only samples. Parts of them can be saved as
    /// recordings of the same format.
    #[must_use]
    pub const fn has_markers(self) -> bool {
        match self {
            Self::FirefoxRaw | Self::FirefoxProcessed | Self::FirefoxJslb | Self::ChromeTrace | Self::PerfettoTrace => {
                true
            }
            Self::Unknown
            | Self::CpuProfile
            | Self::Speedscope
            | Self::Collapsed
            | Self::PerfScript
            | Self::HeapProfile => false,
        }
    }

    /// Display name.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Unknown => "",
            Self::FirefoxRaw => "Firefox (raw)",
            Self::FirefoxProcessed => "Firefox Profiler",
            Self::FirefoxJslb => "Firefox Profiler (JSLB)",
            Self::ChromeTrace => "Chrome trace events",
            Self::PerfettoTrace => "Perfetto trace",
            Self::CpuProfile => "V8 CPU profile",
            Self::Speedscope => "speedscope",
            Self::Collapsed => "collapsed stacks",
            Self::PerfScript => "perf script output",
            Self::HeapProfile => "V8 heap profile",
        }
    }
}

/// Conventions of a recording's data and of the tools for its format. Importers set them; all other code asks for one
/// of them instead of comparing formats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Capabilities {
    /// Slices of a thread nest. Rows are initially arranged as stacks.
    pub nests_slices: bool,
    /// Markers that nest share a stack with the calls of the thread's samples. Rows are initially arranged as stacks.
    pub stacks_samples: bool,
    /// Threads are stored in display order. Otherwise, the main thread of a process moves to its top.
    pub threads_are_sorted: bool,
    /// Markers in JSON have the keys `cat`, `track` and `depth` of trace events.
    pub trace_event_keys: bool,
    /// Slices and calls are initially colored by file instead of by kind: calls have no kinds.
    pub color_by_file: bool,
    /// Lines and columns of functions and frames count from 0, as in V8; they are displayed from 1.
    pub lines_from_zero: bool,
    /// Call trees of threads with calls initially contain events and calls instead of samples.
    pub trees_of_entries: bool,
    /// Idle threads are sampled, too. Call trees initially leave out idle samples.
    pub idle_is_sampled: bool,
    /// Call trees initially add up the time of samples instead of their weights.
    pub sums_by_time: bool,
    /// The weights of samples are CPU time if their unit is a time: a clock of the CPU took the samples.
    pub weights_are_cpu_time: bool,
    /// The quantity along the axis. Samples without times begin where the weights before them end; a unit of weight takes
    /// a microsecond of the axis.
    pub axis: AxisUnit,
}
persist!(Capabilities {
    nests_slices,
    stacks_samples,
    threads_are_sorted,
    trace_event_keys,
    color_by_file,
    lines_from_zero,
    trees_of_entries,
    idle_is_sampled,
    sums_by_time,
    weights_are_cpu_time,
    axis
});

impl Capabilities {
    /// Recordings without categories of their own: names and files distinguish slices and calls.
    pub const STACKS: Self = Self {
        nests_slices: true,
        stacks_samples: false,
        threads_are_sorted: true,
        trace_event_keys: true,
        color_by_file: true,
        lines_from_zero: false,
        trees_of_entries: false,
        idle_is_sampled: false,
        sums_by_time: false,
        weights_are_cpu_time: false,
        axis: AxisUnit::Time,
    };

    /// Recordings of Firefox and of other programs that write its formats.
    pub const FIREFOX: Self = Self {
        nests_slices: false,
        stacks_samples: true,
        threads_are_sorted: false,
        trace_event_keys: false,
        color_by_file: false,
        ..Self::STACKS
    };

    /// Recordings of V8 and Chrome, which are shown as in Chrome DevTools.
    pub const DEVTOOLS: Self = Self {
        color_by_file: false,
        lines_from_zero: true,
        trees_of_entries: true,
        idle_is_sampled: true,
        sums_by_time: true,
        ..Self::STACKS
    };
}

#[cfg(test)]
mod tests {
    use super::SourceKind;

    #[test]
    fn scripts_find_the_identifiers_of_earlier_versions() {
        let ids = [
            "firefox-raw",
            "firefox-processed",
            "firefox-processed-jslb",
            "chrome",
            "chrome",
            "cpuprofile",
            "speedscope",
            "collapsed",
            "perf-script",
            "heapprofile",
        ];
        assert_eq!(SourceKind::ALL.map(SourceKind::id), ids);
    }
}
