//! Depths, parents and self times of the slices of a track, computed for whole tracks.
//!
//! Queries read tracks in order, on a few threads, so only the last few results are kept.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use flowline_index::nesting::{parents, self_times};
use flowline_index::row_depths;
use flowline_profile::{LocalMarker, Ns, Profile, ThreadId};

/// Number of results kept.
const KEPT: usize = 32;

/// Which value of a slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    Depth,
    Parent,
    SelfTime,
}

/// The values of a track.
#[derive(Clone, Debug)]
enum Values {
    Depths(Arc<Vec<Option<u32>>>),
    Parents(Arc<Vec<Option<LocalMarker>>>),
    SelfTimes(Arc<Vec<Ns>>),
}

/// A cache of the values of tracks.
#[derive(Debug, Default)]
pub(crate) struct NestingCache {
    kept: Mutex<VecDeque<(ThreadId, Wanted, Values)>>,
}

impl NestingCache {
    /// A value may be computed twice if two threads need it at once; the pool is used meanwhile, so no lock is held.
    fn get(&self, track: ThreadId, wanted: Wanted, compute: impl FnOnce() -> Values) -> Values {
        let lock = || self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let found =
            lock().iter().find(|(own, kind, _)| (*own, *kind) == (track, wanted)).map(|(.., values)| values.clone());
        found.unwrap_or_else(|| {
            let values = compute();
            let mut kept = lock();
            kept.truncate(KEPT - 1);
            kept.push_front((track, wanted, values.clone()));
            values
        })
    }

    /// Depth of each slice of a track; `None` for slices that are not nested.
    pub(crate) fn depths(&self, profile: &Profile, track: ThreadId) -> Arc<Vec<Option<u32>>> {
        let compute = || Values::Depths(Arc::new(row_depths(profile, profile.thread(track))));
        let Values::Depths(depths) = self.get(track, Wanted::Depth, compute) else { unreachable!("asked for depths") };
        depths
    }

    /// The slice that encloses each slice of a track.
    pub(crate) fn parents(&self, profile: &Profile, track: ThreadId) -> Arc<Vec<Option<LocalMarker>>> {
        let compute = || Values::Parents(Arc::new(parents(profile.thread(track))));
        let Values::Parents(parents) = self.get(track, Wanted::Parent, compute) else {
            unreachable!("asked for parents")
        };
        parents
    }

    /// Self time of each slice of a track.
    pub(crate) fn self_times(&self, profile: &Profile, track: ThreadId) -> Arc<Vec<Ns>> {
        let compute = || Values::SelfTimes(Arc::new(self_times(profile.thread(track))));
        let Values::SelfTimes(times) = self.get(track, Wanted::SelfTime, compute) else {
            unreachable!("asked for self times")
        };
        times
    }
}
