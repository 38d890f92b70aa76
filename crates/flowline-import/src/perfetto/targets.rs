//! The destinations of events, which all readers of a trace share.

use std::sync::{OnceLock, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use foldhash::HashMap;

use super::machine_ids::MAX_MACHINES;
use super::named_tracks::NamedTracks;
use super::owner_descriptor::ThreadKey;
use super::tracks::EventTarget;
use flowline_profile::get_or_build;

/// The destinations of all events that were read in order. Readers of parts look theirs up.
#[derive(Debug, Default)]
pub(super) struct Targets {
    pub(super) places: RwLock<HashMap<u64, EventTarget>>,
    pub(super) threads: RwLock<HashMap<ThreadKey, EventTarget>>,
    pub(super) named: RwLock<NamedTracks>,
    /// Those of other machines, in the order of their facts.
    machines: [OnceLock<Box<Self>>; MAX_MACHINES],
}

impl Targets {
    /// The destinations of the events of another machine.
    pub(super) fn of_machine(&self, number: usize, machine: u32) -> Option<&Self> {
        let named = || RwLock::new(NamedTracks::of_machine(machine));
        let own = self.machines.get(number)?;
        let own = get_or_build(own, || Box::new(Self { named: named(), ..Self::default() }));
        Some(&**own)
    }
}

/// Locks a table for reading.
pub(super) fn read<T>(table: &RwLock<T>) -> RwLockReadGuard<'_, T> {
    table.read().unwrap_or_else(PoisonError::into_inner)
}

/// Locks a table for a new entry.
pub(super) fn write<T>(table: &RwLock<T>) -> RwLockWriteGuard<'_, T> {
    table.write().unwrap_or_else(PoisonError::into_inner)
}
