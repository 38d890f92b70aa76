//! Kinds of marker tracks.

use crate::persist::persist;

/// The kind of a [`super::Thread`]'s track. Firefox profiles only have threads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TrackKind {
    /// Instants of the whole recording.
    Global,
    /// Instants of a process.
    Process,
    /// A thread.
    #[default]
    Thread,
    /// Asynchronous operations of a process, which do not belong to a thread; or a track that the recording describes.
    Async,
}
persist!(enum TrackKind { 0 => Global, 1 => Process, 2 => Thread, 3 => Async });

impl TrackKind {
    /// Name in `dump`.
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
