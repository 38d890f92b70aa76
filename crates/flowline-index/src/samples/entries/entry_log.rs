//! The entries of a selection in time order, nested: the event log of DevTools.

use std::sync::Arc;

use super::entry::EntryId;
use super::list::EntryList;
use crate::samples::trees::CallNodes;
use flowline_profile::samples::NONE;
use flowline_profile::{Ns, TimeRange};

/// Listed entries in time order. Nested entries follow the entry that contains them.
#[derive(Clone, Debug, Default)]
pub struct EntryLog {
    /// All entries.
    pub list: Arc<EntryList>,
    /// The listed entries.
    shown: Vec<EntryId>,
    /// Time of each listed entry within the range, and its self time: without the entries directly inside.
    times: Vec<[Ns; 2]>,
}

impl EntryLog {
    /// Lists the entries that overlap a range for at least `least` and are in the tree of `nodes`, after filters and
    /// transforms. `None` if `nodes` come from samples.
    #[must_use]
    pub fn new(nodes: &CallNodes, range: Option<TimeRange>, least: Ns) -> Option<Self> {
        let list = Arc::clone(nodes.entries.as_ref()?);
        let within = |entry: usize| match range {
            Some(range) => list.end[entry].min(range.end) - list.start[entry].max(range.start),
            None => list.end[entry] - list.start[entry],
        };
        let mut inside = vec![Ns(0); list.len()];
        let mut lengths = vec![Ns(0); list.len()];
        for (entry, length) in lengths.iter_mut().enumerate() {
            *length = within(entry).max(Ns(0));
            if let Some(sum) = inside.get_mut(list.parent[entry] as usize) {
                *sum = *sum + *length;
            }
        }
        let mut log = Self { list: Arc::clone(&list), ..Self::default() };
        for (entry, length) in lengths.into_iter().enumerate() {
            let is_found = nodes.of_stack(list.path(entry)).is_some();
            if is_found && length > Ns(0) && length >= least {
                log.shown.push(u32::try_from(entry).unwrap_or(NONE));
                log.times.push([length, length - inside[entry]]);
            }
        }
        Some(log)
    }

    /// Number of listed entries.
    #[must_use]
    #[inline]
    pub const fn len(&self) -> usize {
        self.shown.len()
    }

    /// True if no entry is listed.
    #[must_use]
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.shown.is_empty()
    }

    /// Entry at a position of the list.
    #[must_use]
    #[inline]
    pub fn entry(&self, at: u32) -> EntryId {
        self.shown[at as usize]
    }

    /// Time of an entry within the range, and its self time: without the entries directly inside.
    #[must_use]
    #[inline]
    pub fn times(&self, at: u32) -> [Ns; 2] {
        self.times[at as usize]
    }

    /// First position after an entry and all entries inside it.
    fn after(&self, at: u32) -> usize {
        let (first, end) = (at as usize + 1, self.list.after(self.entry(at)));
        first + self.shown[first..].partition_point(|entry| *entry < end)
    }

    /// Positions of the entries directly inside an entry or, for `None`, of the outermost entries.
    #[inline]
    pub fn inside(&self, at: Option<u32>) -> impl Iterator<Item = u32> {
        let (first, end) = at.map_or((0, self.len()), |at| (at as usize + 1, self.after(at)));
        let place = move |place: usize| (place < end).then(|| u32::try_from(place).unwrap_or(NONE));
        std::iter::successors(place(first), move |at| place(self.after(*at)))
    }

    /// Position of the innermost listed entry that contains an entry.
    #[must_use]
    pub fn around(&self, at: u32) -> Option<u32> {
        let mut entry = self.list.parent[self.entry(at) as usize];
        while entry != NONE {
            if let Ok(place) = self.shown.binary_search(&entry) {
                return u32::try_from(place).ok();
            }
            entry = self.list.parent[entry as usize];
        }
        None
    }

    /// True if listed entries are inside an entry.
    #[must_use]
    #[inline]
    pub fn has_inside(&self, at: u32) -> bool {
        self.after(at) > at as usize + 1
    }
}
