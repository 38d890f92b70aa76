//! How long each thread was busy: the time that it ran according to its samples, otherwise the time that its markers cover.

use rayon::prelude::*;

use crate::long_intervals::long_in;
use crate::rows::Clock;
use crate::samples::CpuTracks;
use flowline_profile::persist::persist;
use flowline_profile::{Column, MarkerFlags, Ns, Profile, Thread, ThreadId, TimeRange, parallel_chunk_size};

/// Busy time of each thread.
#[derive(Clone, Debug, Default)]
pub struct ThreadWork {
    /// Nanoseconds by thread.
    busy: Column<i64>,
    /// Threads that were busy for less than this many nanoseconds and have few markers are idle.
    idle_below: i64,
}
persist!(ThreadWork { busy, idle_below });

/// Threads with more markers than this are not idle, even if the markers take no time.
const FEW_MARKERS: usize = 100;

impl ThreadWork {
    /// Measures all threads, in parallel. If any thread has samples, threads without samples count half, because markers
    /// also cover time in which a thread waits. Long intervals that do not nest, such as network requests, are not counted.
    pub(crate) fn build(profile: &Profile, cpu: &CpuTracks, clock: Clock, extent: TimeRange) -> Self {
        let long = long_in(extent);
        let sampled = !cpu.is_empty();
        let job_len = parallel_chunk_size(profile.threads.len());
        let busy_of = |(index, thread): (usize, &Thread)| match cpu.get(ThreadId::new(index)) {
            Some(track) => clock.duration(track.busy_ticks()).0,
            None => covered(thread, long) / if sampled { 2 } else { 1 },
        };
        let threads = profile.threads.par_iter().with_max_len(job_len).enumerate();
        let busy: Vec<i64> = threads.map(busy_of).collect();
        let most = busy.iter().copied().max().unwrap_or(0);
        Self { idle_below: (extent.len() / 1000).min(most / 100), busy: busy.into() }
    }

    /// True for a thread that did next to nothing: it was busy for less than a thousandth of the recording and less than a
    /// hundredth of the busiest thread's time, and it has few markers.
    #[must_use]
    pub fn is_idle(&self, profile: &Profile, thread: ThreadId) -> bool {
        self.busy(thread).0 < self.idle_below && profile.thread(thread).markers.len() <= FEW_MARKERS
    }

    /// Busy time of a thread.
    #[must_use]
    pub fn busy(&self, thread: ThreadId) -> Ns {
        Ns(self.busy.get(thread.index()).copied().unwrap_or(0))
    }

    /// True if there is a time for each thread.
    pub(crate) fn is_consistent(&self, threads: usize) -> bool {
        self.busy.len() == threads
    }
}

/// Nanoseconds that markers cover, without long intervals that do not nest.
fn covered(thread: &Thread, long: Ns) -> i64 {
    let attributes = thread.markers.attributes();
    let nests: Vec<bool> = attributes.items().iter().map(|own| own.flags.has(MarkerFlags::STACK_BASED)).collect();
    let (mut covered, mut until) = (0_i64, i64::MIN);
    for (marker, range) in thread.markers.times().ranges().enumerate() {
        if range.len() > long.0 && !nests[attributes.number(marker)] {
            continue;
        }
        let from = range.start.0.max(until);
        if range.end.0 > from {
            covered = covered.saturating_add(range.end.0 - from);
            until = range.end.0;
        }
    }
    covered
}
