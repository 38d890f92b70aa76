//! The jank of each process as periods without overlap, with what its thread ran in each of them.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::periods::Jank;
use crate::frames::BusyThread;
use flowline_index::samples::{
    Cost, SampleKind, SampleSelection, is_library, name_or_library, named_func, sampled_idle,
};
use flowline_index::{Derived, Index};
use flowline_profile::{FuncId, Ns, ProcessId, Profile, ThreadId, TimeRange};

/// The function or marker that took most of a period.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ran {
    /// Function and place, a library, or the name of a slice.
    pub name: String,
    /// Self time of the function, or time of the slice within the period.
    pub time: Ns,
}

/// A time in which a thread did not react to events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JankPeriod {
    /// The thread.
    pub thread: ThreadId,
    /// The time. Periods that overlap in the recording are one.
    pub times: TimeRange,
    /// The function with the longest self time in the samples of the period, or the library of functions without a
    /// name; without samples, the longest slice.
    pub ran: Option<Ran>,
}

/// The periods of all processes, by process and start. A process has those of one thread, of its main thread if that has
/// any.
#[derive(Clone, Debug, Default)]
pub struct JankPeriodList {
    all: Vec<JankPeriod>,
    /// The first period of each process, and one past the last.
    places: BTreeMap<ProcessId, (usize, usize)>,
}

impl JankPeriodList {
    /// True if a recording may have jank. This reads no samples.
    #[must_use]
    pub fn may_have(profile: &Profile) -> bool {
        !profile.source.holds_events()
            && profile.threads.iter().any(|thread| thread.samples.as_ref().is_some_and(|own| !own.jank.is_empty()))
    }

    /// All periods.
    #[must_use]
    pub fn all(&self) -> &[JankPeriod] {
        &self.all
    }

    /// Position of the first period of a process among all.
    #[must_use]
    pub fn first(&self, process: ProcessId) -> Option<usize> {
        self.places.get(&process).map(|place| place.0)
    }

    /// The periods of a process by start, without overlap; empty if it has none.
    #[must_use]
    pub fn of_process(&self, process: ProcessId) -> &[JankPeriod] {
        self.places.get(&process).map_or(&[], |place| &self.all[place.0..place.1])
    }

    /// The processes with periods.
    pub fn processes(&self) -> impl Iterator<Item = (ProcessId, &[JankPeriod])> {
        self.places.keys().map(|process| (*process, self.of_process(*process)))
    }

    /// Position of the period with exactly these times.
    #[must_use]
    pub fn with_times(&self, times: TimeRange) -> Option<usize> {
        self.all.iter().position(|own| own.times == times)
    }
}

impl Derived for JankPeriodList {
    fn derive(index: &Index) -> Self {
        let profile = index.profile();
        let mut list = Self::default();
        if !Self::may_have(profile) {
            return list;
        }
        for (process, thread) in threads(profile) {
            let Some(jank) = Jank::of(profile, thread) else { continue };
            let busy = BusyThread::new(profile, thread);
            let first = list.all.len();
            let period =
                |times: &TimeRange| JankPeriod { thread, times: *times, ran: ran(profile, (thread, &busy), *times) };
            list.all.extend(jank.union().iter().map(period));
            list.places.insert(process, (first, list.all.len()));
        }
        list
    }
}

/// The thread whose jank counts as that of its process.
fn threads(profile: &Profile) -> BTreeMap<ProcessId, ThreadId> {
    let mut best: BTreeMap<ProcessId, ((bool, Ns), ThreadId)> = BTreeMap::new();
    for (number, thread) in (0_u32..).zip(profile.threads.iter()) {
        let id = ThreadId(number);
        let has_any = thread.samples.as_ref().is_some_and(|own| !own.jank.is_empty());
        let Some(jank) = has_any.then(|| Jank::of(profile, id)).flatten() else { continue };
        let rank = (thread.is_main, jank.covered());
        let own = best.entry(thread.process).or_insert((rank, id));
        if rank > own.0 {
            *own = (rank, id);
        }
    }
    best.into_iter().map(|(process, (_, thread))| (process, thread)).collect()
}

/// The function or marker that took most of a range of a thread.
fn ran(profile: &Profile, (thread, busy): (ThreadId, &BusyThread), range: TimeRange) -> Option<Ran> {
    busiest_function(profile, thread, range).or_else(|| {
        let (marker, time) = busy.longest(profile, range, 1).into_iter().next()?;
        let (thread, local) = profile.locate(marker)?;
        Some(Ran { name: profile.marker_title(thread, local).into_owned(), time })
    })
}

/// The function or library with the longest self time among the samples in a range.
fn busiest_function(profile: &Profile, thread: ThreadId, range: TimeRange) -> Option<Ran> {
    let threads = [thread];
    let selection = SampleSelection { profile, threads: &threads, kind: SampleKind::Cpu, range: Some(range) };
    let (stacks, idle) = (&profile.stacks, sampled_idle(profile));
    let mut costs: BTreeMap<u32, Cost> = BTreeMap::new();
    selection.each(|_, stack, cost| {
        if Some(stacks.category_of(stack)) != idle {
            *costs.entry(named_func(stacks, stacks.func(stack))).or_default() += cost;
        }
    });
    let (func, cost) = costs.into_iter().max_by_key(|(func, cost)| (cost.time, cost.samples, Reverse(*func)))?;
    let is_named = !is_library(stacks, func);
    let name = if is_named { profile.func_title(FuncId(func)) } else { name_or_library(stacks, func) };
    Some(Ran { name, time: cost.time })
}
