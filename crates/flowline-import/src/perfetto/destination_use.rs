//! Tracks, threads and processes in the order of their first events, which decides their numbers and names.

use super::event::OwnerId;
use super::owner_descriptor::ThreadKey;
use flowline_profile::CompactString;

/// The first use of a destination.
#[derive(Debug)]
pub(super) enum Use {
    /// A track, and the name of its first event.
    Track(u64, CompactString),
    Thread(ThreadKey),
    /// A track of a process or a group that is identified only by name.
    Named(OwnerId, String),
    Process(i64),
    /// That of another machine.
    OfMachine(u32, Box<Self>),
}
