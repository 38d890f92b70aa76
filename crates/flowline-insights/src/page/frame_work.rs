//! The work of the processes that hosted a frame, which ranks the pages of a recording. It is never shown.

use std::collections::BTreeMap;

use crate::intervals::Intervals;
use flowline_profile::{MarkerFlags, Ns, Profile, Thread};

/// The time that the nesting events of the busiest thread of a process cover.
pub(super) struct FrameWork<'a> {
    profile: &'a Profile,
    by_pid: BTreeMap<String, Ns>,
}

impl<'a> FrameWork<'a> {
    pub(super) const fn new(profile: &'a Profile) -> Self {
        Self { profile, by_pid: BTreeMap::new() }
    }

    /// The work of the processes with these ids.
    pub(super) fn of<'p>(&mut self, pids: impl Iterator<Item = &'p String>) -> Ns {
        pids.fold(Ns(0), |sum, pid| Ns(sum.0.saturating_add(self.of_process(pid).0)))
    }

    fn of_process(&mut self, pid: &str) -> Ns {
        let profile = self.profile;
        let measure = || {
            let is_own = |thread: &&Thread| profile.processes[thread.process.index()].pid == pid;
            profile.threads.iter().filter(is_own).map(|thread| covered(profile, thread)).max().unwrap_or_default()
        };
        *self.by_pid.entry(pid.to_owned()).or_insert_with(measure)
    }
}

/// The time that the nesting events of a thread cover.
fn covered(profile: &Profile, thread: &Thread) -> Ns {
    let attributes = thread.markers.attributes();
    let nests: Vec<bool> = attributes.items().iter().map(|own| own.flags.has(MarkerFlags::STACK_BASED)).collect();
    let ranges = thread.markers.times().ranges().enumerate();
    let nesting = ranges.filter(|(marker, _)| nests[attributes.number(*marker)]).map(|(_, range)| range);
    Intervals::new(nesting).union_within(profile.meta.range)
}
