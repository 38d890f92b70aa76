//! The owner of a track of markers.

use super::persist::persist;

/// The owner of a [`super::Thread`]'s markers. Firefox profiles have threads only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TrackKind {
    /// Instants of the whole recording.
    Global,
    /// Instants of a process.
    Process,
    /// A thread.
    #[default]
    Thread,
    /// Asynchronous operations of a process, which belong to no thread.
    Async,
}
persist!(enum TrackKind { 0 => Global, 1 => Process, 2 => Thread, 3 => Async });

impl TrackKind {
    /// Its name in `dump`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Global => "global",
            Self::Process => "process",
            Self::Thread => "thread",
            Self::Async => "async",
        }
    }
}
