//! Resolves hiding notes to hidden entries in one pass over the entries of a thread in nesting order, independent of
//! the number of notes.
//!
//! Entries are ordered as in [`nesting`](crate::nesting): by start, longer first, then by number. An entry is
//! inside another one if it comes later in this order and ends no later.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use flowline_profile::notes::HiddenPart;
use flowline_profile::samples::CallTable;
use flowline_profile::{LocalMarker, MarkerFlags, Profile, Thread};

/// A hide request: an entry, or, with a part, the entries related to it.
pub(super) type Hide = (u32, Option<HiddenPart>);

/// The entries of a thread by number.
pub(super) trait Entries {
    /// Number of entries.
    fn len(&self) -> usize;
    /// Start and end in nanoseconds.
    fn times(&self, entry: u32) -> (i64, i64);
    /// A number that identifies the name.
    fn name(&self, entry: u32) -> u32;
    /// The nesting group of an entry. Entries nest only within a group; `None` for an entry that does not nest.
    fn group(&self, entry: u32) -> Option<u32>;
}

/// The markers of a thread.
pub(super) struct Markers<'a>(pub(super) &'a Thread);

impl Entries for Markers<'_> {
    fn len(&self) -> usize {
        self.0.markers.len()
    }

    fn times(&self, entry: u32) -> (i64, i64) {
        let range = self.0.markers.range(LocalMarker(entry));
        (range.start.0, range.end.0)
    }

    fn name(&self, entry: u32) -> u32 {
        self.0.markers.name(LocalMarker(entry)).0
    }

    fn group(&self, entry: u32) -> Option<u32> {
        let nests = self.0.markers.flags(LocalMarker(entry)).has(MarkerFlags::STACK_BASED);
        self.0.groups.get(entry as usize).copied().or(nests.then_some(0))
    }
}

/// The calls of a thread's stack chart.
pub(super) struct Calls<'a>(pub(super) &'a Profile, pub(super) &'a CallTable);

impl Entries for Calls<'_> {
    fn len(&self) -> usize {
        self.1.len()
    }

    fn times(&self, entry: u32) -> (i64, i64) {
        let (start, end) = (self.1.start[entry as usize].0, self.1.end[entry as usize].0);
        (start, end.max(start))
    }

    fn name(&self, entry: u32) -> u32 {
        self.0.stacks.func(self.1.stack[entry as usize]).0
    }

    fn group(&self, _entry: u32) -> Option<u32> {
        Some(0)
    }
}

/// The hidden entries among the entries of a thread.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Hidden {
    /// The hidden entries, ascending.
    pub(super) entries: Vec<u32>,
    /// Visible entries with the number of hidden entries whose innermost visible parent they are, ascending.
    pub(super) inside: Vec<(u32, u32)>,
    /// Hidden entries with their innermost visible parents, ascending. Entries without such a parent are omitted.
    parents: Vec<(u32, u32)>,
}

impl Hidden {
    /// The innermost visible parent of a hidden entry.
    pub(super) fn parent(&self, entry: u32) -> Option<u32> {
        let at = self.parents.binary_search_by_key(&entry, |(entry, _)| *entry).ok()?;
        Some(self.parents[at].1)
    }
}

/// The entries in nesting order.
fn nesting_order(entries: &impl Entries) -> Vec<u32> {
    let mut order: Vec<u32> = (0..u32::try_from(entries.len()).unwrap_or(u32::MAX)).collect();
    let key = |entry: u32| {
        let (start, end) = entries.times(entry);
        (start, Reverse(end), entry)
    };
    if !order.is_sorted_by_key(|entry| key(*entry)) {
        order.sort_by_key(|entry| key(*entry));
    }
    order
}

/// Finds the hidden entries. Requests that refer to no entry are ignored.
pub(super) fn hidden(entries: &impl Entries, hides: &[Hide]) -> Hidden {
    let mut is_hidden = vec![false; entries.len()];
    let mut names: HashSet<u32> = HashSet::new();
    let mut around: HashMap<u32, [bool; 2]> = HashMap::new();
    for (entry, part) in hides.iter().filter(|(entry, _)| (*entry as usize) < entries.len()) {
        match part {
            None => is_hidden[*entry as usize] = true,
            Some(HiddenPart::Name) => _ = names.insert(entries.name(*entry)),
            Some(HiddenPart::Children) => around.entry(*entry).or_default()[0] = true,
            Some(HiddenPart::Repeating) => around.entry(*entry).or_default()[1] = true,
        }
    }
    let order = nesting_order(entries);
    // Latest end of the entries that hide their children, by group; and of those that hide a repeated name, by group
    // and name.
    let mut until: HashMap<(u32, Option<u32>), i64> = HashMap::new();
    for &entry in &order {
        let ((start, end), name) = (entries.times(entry), entries.name(entry));
        if names.contains(&name) {
            is_hidden[entry as usize] = true;
        }
        let Some(group) = entries.group(entry).filter(|_| !around.is_empty()) else { continue };
        let covers = |key: &(u32, Option<u32>)| until.get(key).is_some_and(|until| *until >= end);
        if covers(&(group, None)) || covers(&(group, Some(name))) {
            is_hidden[entry as usize] = true;
        }
        // An instant contains nothing.
        let Some([children, repeating]) = around.get(&entry).filter(|_| start < end) else { continue };
        for key in [(*children, None), (*repeating, Some(name))].into_iter().filter_map(|(on, name)| on.then_some(name))
        {
            let latest = until.entry((group, key)).or_insert(end);
            *latest = end.max(*latest);
        }
    }
    let hidden = is_hidden.iter().enumerate().filter(|(_, hidden)| **hidden);
    let hidden: Vec<u32> = hidden.filter_map(|(entry, _)| u32::try_from(entry).ok()).collect();
    let parents = if hidden.is_empty() { Vec::new() } else { visible_parents(entries, &order, &is_hidden) };
    let mut all: Vec<u32> = parents.iter().map(|(_, parent)| *parent).collect();
    all.sort_unstable();
    let count = |same: &[u32]| (same[0], u32::try_from(same.len()).unwrap_or(u32::MAX));
    let inside = all.chunk_by(|a, b| a == b).map(count).collect();
    Hidden { entries: hidden, inside, parents }
}

/// The innermost visible parents of hidden entries, ascending.
fn visible_parents(entries: &impl Entries, order: &[u32], is_hidden: &[bool]) -> Vec<(u32, u32)> {
    let mut parents: Vec<(u32, u32)> = Vec::new();
    // The visible entries of each group that may contain later ones: end and number.
    let mut open: HashMap<u32, Vec<(i64, u32)>> = HashMap::new();
    for &entry in order {
        let Some(group) = entries.group(entry) else { continue };
        let (start, end) = entries.times(entry);
        let open = open.entry(group).or_default();
        let is_over = |until: i64| until < end || until < start;
        while open.pop_if(|(until, _)| is_over(*until)).is_some() {}
        if is_hidden[entry as usize] {
            parents.extend(open.last().map(|(_, parent)| (entry, *parent)));
        } else if start < end {
            open.push((end, entry));
        }
    }
    parents.sort_unstable();
    parents
}

impl Markers<'_> {
    /// Start and end of a marker; `None` for an unknown marker.
    pub(super) fn times_of(&self, entry: u32) -> Option<(i64, i64)> {
        ((entry as usize) < self.len()).then(|| self.times(entry))
    }
}

impl Calls<'_> {
    /// Start and end of a call; `None` for an unknown call.
    pub(super) fn times_of(&self, entry: u32) -> Option<(i64, i64)> {
        ((entry as usize) < self.len()).then(|| self.times(entry))
    }
}
