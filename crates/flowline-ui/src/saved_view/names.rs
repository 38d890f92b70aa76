//! Stable names that identify threads, markers and flows in a saved view.
//!
//! Numbers of threads, markers and flows are valid for one import of a recording only. A saved view identifies a thread
//! by pid, tid and name, a marker by its thread, start and name, and a flow by its id and start. Duplicate names get a
//! suffix: the second is `name #2`. A set that contains most items is written as `*` followed by the missing ones.

use std::cell::Cell;
use std::collections::{BTreeSet, HashMap, HashSet};

use super::format::SavedRange;
use super::marker_format::SavedMarker;
use flowline_index::Index;
use flowline_index::flows::{FlowName, FlowTrack};
use flowline_index::modifications::{Modifications, key_of};
use flowline_profile::notes::EntryLocation;
use flowline_profile::{
    CounterId, FlowId, GroupKind, Implementation, LocalMarker, MarkerId, Ns, ProcessId, SelectedCall, StringId,
    ThreadId, TimeRange,
};

/// Represents all items in a set.
const ALL: &str = "*";
/// Name for the counters without a process.
const NO_PROCESS: &str = "";

/// Items of one kind by name.
#[derive(Debug, Default)]
struct NameTable {
    names: Vec<String>,
    numbers: HashMap<String, usize>,
}

impl NameTable {
    /// Builds the table; duplicate names get a number.
    fn new(given: impl Iterator<Item = String>) -> Self {
        let (mut names, mut seen): (Vec<String>, HashSet<String>) = (Vec::new(), HashSet::new());
        let mut repeated: HashMap<String, usize> = HashMap::new();
        for name in given {
            let mut unique = name.clone();
            while seen.contains(&unique) {
                let count = repeated.entry(name.clone()).or_insert(1);
                *count += 1;
                unique = format!("{name} #{count}");
            }
            seen.insert(unique.clone());
            names.push(unique);
        }
        let numbers = names.iter().enumerate().map(|(number, name)| (name.clone(), number)).collect();
        Self { names, numbers }
    }

    fn name(&self, number: usize) -> String {
        self.names.get(number).cloned().unwrap_or_default()
    }

    fn set(&self, numbers: &BTreeSet<usize>) -> Vec<String> {
        if numbers.len() * 2 <= self.names.len() {
            return numbers.iter().map(|number| self.name(*number)).collect();
        }
        let others = (0..self.names.len()).filter(|number| !numbers.contains(number));
        std::iter::once(ALL.to_owned()).chain(others.map(|number| self.name(number))).collect()
    }
}

/// Names of all items of a recording. They are built once per recording.
#[derive(Debug, Default)]
pub(crate) struct StableNames {
    threads: NameTable,
    processes: NameTable,
    counters: NameTable,
    flow_tracks: NameTable,
}

impl StableNames {
    pub(crate) fn new(index: &Index, tracks: &[FlowTrack]) -> Self {
        let profile = index.profile();
        let thread = |(id, thread): (ThreadId, &flowline_profile::Thread)| {
            format!("{}/{} {}", profile.process_of(id).pid, thread.tid, profile.long_name(id))
        };
        let process = |number: usize| {
            let process = &profile.processes[number];
            format!("{} {}", process.pid, process.name)
        };
        let counter = |counter: &flowline_profile::Counter| format!("{} {}", counter.pid, counter.title());
        let track = |track: &FlowTrack| format!("{} {}", process(track.process.index()), track.name);
        Self {
            threads: NameTable::new(profile.threads_with_ids().map(thread)),
            processes: NameTable::new((0..profile.processes.len()).map(process)),
            counters: NameTable::new(profile.counters.iter().map(counter)),
            flow_tracks: NameTable::new(tracks.iter().map(track)),
        }
    }
}

/// Names items of a recording, and finds items by name.
pub(super) struct Names<'a> {
    pub(super) index: &'a Index,
    tables: &'a StableNames,
    missing: Cell<usize>,
}

impl<'a> Names<'a> {
    pub(super) const fn new(index: &'a Index, tables: &'a StableNames) -> Self {
        Self { index, tables, missing: Cell::new(0) }
    }

    /// Number of names that were not found.
    pub(super) const fn missing(&self) -> usize {
        self.missing.get()
    }

    /// Returns a lookup result, and counts it if nothing was found.
    fn found<T>(&self, found: Option<T>) -> Option<T> {
        if found.is_none() {
            self.missing.set(self.missing.get() + 1);
        }
        found
    }

    fn find(&self, table: &NameTable, name: &str) -> Option<usize> {
        self.found(table.numbers.get(name).copied())
    }

    /// Reads a set of numbers by name: all except some, or some.
    fn find_set(&self, table: &NameTable, named: &[String]) -> BTreeSet<usize> {
        match named.split_first() {
            Some((first, others)) if first == ALL => {
                let others: BTreeSet<usize> = others.iter().filter_map(|name| self.find(table, name)).collect();
                (0..table.names.len()).filter(|number| !others.contains(number)).collect()
            }
            _ => named.iter().filter_map(|name| self.find(table, name)).collect(),
        }
    }

    pub(super) fn thread(&self, id: ThreadId) -> String {
        self.tables.threads.name(id.index())
    }

    pub(super) fn find_thread(&self, name: &str) -> Option<ThreadId> {
        self.find(&self.tables.threads, name).map(ThreadId::new)
    }

    pub(super) fn threads<'b>(&self, ids: impl IntoIterator<Item = &'b ThreadId>) -> Vec<String> {
        self.tables.threads.set(&ids.into_iter().map(|id| id.index()).collect())
    }

    pub(super) fn find_threads(&self, named: &[String]) -> BTreeSet<ThreadId> {
        self.find_set(&self.tables.threads, named).into_iter().map(ThreadId::new).collect()
    }

    pub(super) fn process(&self, id: ProcessId) -> String {
        self.tables.processes.name(id.index())
    }

    pub(super) fn find_process(&self, name: &str) -> Option<ProcessId> {
        self.find(&self.tables.processes, name).map(ProcessId::new)
    }

    pub(super) fn processes<'b>(&self, ids: impl IntoIterator<Item = &'b ProcessId>) -> Vec<String> {
        self.tables.processes.set(&ids.into_iter().map(|id| id.index()).collect())
    }

    pub(super) fn find_processes(&self, named: &[String]) -> BTreeSet<ProcessId> {
        self.find_set(&self.tables.processes, named).into_iter().map(ProcessId::new).collect()
    }

    /// The owners of counters: processes, or `None`.
    pub(super) fn owners(&self, owners: &BTreeSet<Option<ProcessId>>) -> Vec<String> {
        let name = |owner: &Option<ProcessId>| owner.map_or_else(|| NO_PROCESS.to_owned(), |id| self.process(id));
        owners.iter().map(name).collect()
    }

    pub(super) fn find_owners(&self, named: &[String]) -> BTreeSet<Option<ProcessId>> {
        let find = |name: &String| match name.as_str() {
            NO_PROCESS => Some(None),
            name => self.find_process(name).map(Some),
        };
        named.iter().filter_map(find).collect()
    }

    pub(super) fn counters(&self, ids: &BTreeSet<CounterId>) -> Vec<String> {
        self.tables.counters.set(&ids.iter().map(|id| id.index()).collect())
    }

    pub(super) fn find_counters(&self, named: &[String]) -> BTreeSet<CounterId> {
        self.find_set(&self.tables.counters, named).into_iter().map(CounterId::new).collect()
    }

    pub(super) fn flow_tracks(&self, tracks: &BTreeSet<u32>) -> Vec<String> {
        self.tables.flow_tracks.set(&tracks.iter().map(|track| *track as usize).collect())
    }

    pub(super) fn find_flow_tracks(&self, named: &[String]) -> BTreeSet<u32> {
        let found = self.find_set(&self.tables.flow_tracks, named);
        found.into_iter().filter_map(|track| u32::try_from(track).ok()).collect()
    }

    /// An interned string.
    pub(super) fn string(&self, id: StringId) -> String {
        self.index.profile().strings.get(id).to_owned()
    }

    pub(super) fn find_string(&self, text: &str) -> Option<StringId> {
        self.found(self.index.profile().strings.find(text))
    }

    /// A group of rows: its kind, and its name if it has one.
    pub(super) fn group(&self, group: GroupKind) -> Vec<String> {
        let (kind, name) = match group {
            GroupKind::Name(name) => ("name", Some(name)),
            GroupKind::Operations(name) => ("operations", Some(name)),
            GroupKind::Network => ("network", None),
            GroupKind::Stack => ("stack", None),
            GroupKind::Internals => ("internals", None),
        };
        std::iter::once(kind.to_owned()).chain(name.map(|name| self.string(name))).collect()
    }

    pub(super) fn find_group(&self, parts: &[String]) -> Option<GroupKind> {
        Some(match (parts.first()?.as_str(), parts.get(1)) {
            ("name", Some(name)) => GroupKind::Name(self.find_string(name)?),
            ("operations", Some(name)) => GroupKind::Operations(self.find_string(name)?),
            ("network", None) => GroupKind::Network,
            ("stack", None) => GroupKind::Stack,
            ("internals", None) => GroupKind::Internals,
            _ => return None,
        })
    }

    pub(super) fn flow(&self, flow: FlowId) -> String {
        self.index.flows().name(self.index.profile(), flow).to_string()
    }

    pub(super) fn find_flow(&self, name: &str) -> Option<FlowId> {
        self.found(self.index.flows().find(self.index.profile(), &FlowName::parse(name)).first().copied())
    }

    pub(super) fn flows(&self, flows: &[FlowId]) -> Vec<String> {
        flows.iter().map(|flow| self.flow(*flow)).collect()
    }

    pub(super) fn find_flows(&self, named: &[String]) -> Vec<FlowId> {
        named.iter().filter_map(|name| self.find_flow(name)).collect()
    }

    /// The markers of a thread with a name and a start, in their order.
    fn same_markers(&self, thread: ThreadId, start: Ns, name: &str) -> impl Iterator<Item = MarkerId> {
        let (profile, name) = (self.index.profile(), self.index.profile().strings.find(name));
        let own = profile.thread(thread);
        let times = own.markers.times();
        let first = times.partition_point(|other| other < start);
        let same = (first..times.len()).take_while(move |at| times.start(*at) == start).map(LocalMarker::new);
        same.filter(move |marker| Some(own.markers.name(*marker)) == name).map(|marker| own.global(marker))
    }

    pub(super) fn marker(&self, marker: MarkerId) -> Option<SavedMarker> {
        let profile = self.index.profile();
        let (thread, local) = profile.locate(marker)?;
        let (start, name) = (profile.thread(thread).markers.start(local), profile.marker_name(thread, local));
        let nth = self.same_markers(thread, start, name).take_while(|same| *same != marker).count();
        Some(SavedMarker { thread: self.thread(thread), start_ns: start.0, name: name.to_owned(), nth })
    }

    pub(super) fn find_marker(&self, saved: &SavedMarker) -> Option<MarkerId> {
        let find = || {
            // If the thread is missing, count only the marker, not the thread too.
            let thread = self.tables.threads.numbers.get(&saved.thread).copied().map(ThreadId::new)?;
            self.same_markers(thread, Ns(saved.start_ns), &saved.name).nth(saved.nth)
        };
        self.found(find())
    }

    /// A call with a stable name. Other calls get new numbers in each import.
    pub(super) fn call(&self, selected: SelectedCall) -> Option<String> {
        let is_named = selected.call.functions == Implementation::All;
        is_named.then(|| key_of(self.index.profile(), selected.call))?
    }

    pub(super) fn find_call(&self, key: &str) -> Option<SelectedCall> {
        let entry = Modifications::entry_of_key(self.index, key);
        let call = entry.and_then(|entry| match (entry.place, entry.times) {
            (EntryLocation::Call(call), Some(times)) => Some(SelectedCall { call, times }),
            _ => None,
        });
        self.found(call)
    }
}

/// A time.
pub(super) fn time(ns: i64) -> Option<Ns> {
    Some(Ns(ns)).filter(|time| time.is_supported())
}

/// A range, as its start and its end.
pub(super) const fn range(range: TimeRange) -> SavedRange {
    (range.start.0, range.end.0)
}

pub(super) fn read_range((start, end): SavedRange) -> Option<TimeRange> {
    Some(TimeRange::new(time(start)?, time(end)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn duplicate_names_get_numbers() {
        let given = ["a", "b", "a", "a #2", "a", ""].map(str::to_owned);
        let table = NameTable::new(given.into_iter());
        assert_eq!(table.names, ["a", "b", "a #2", "a #2 #2", "a #3", ""]);
        assert_eq!(table.numbers.len(), table.names.len());
        let written = |numbers: &[usize]| table.set(&numbers.iter().copied().collect());
        assert_eq!(written(&[1]), ["b"]);
        assert_eq!(written(&[0, 1, 2, 3, 5]), ["*", "a #3"]);
    }
}
