//! The hierarchy of tracks: named tracks are below their threads and below other tracks, and so are the states of threads.

use foldhash::{HashMap, HashSet};

use super::marker_tracks::MarkerTrack;
use crate::trace_events::text::ids::{NONE, TextId};
use crate::trace_events::text::metadata::TraceMetadata;
use crate::trace_events::text::trace::Trace;
use flowline_profile::{Ns, Profile, THREAD_STATE_SUFFIX, TrackKind, is_cpus_pid};

/// Returns the thread id of a track with thread states.
pub(super) fn states_of<'a>(track: &MarkerTrack, trace: &'a Trace) -> Option<&'a str> {
    trace.texts.get(track.tid).strip_suffix(THREAD_STATE_SUFFIX)
}

/// Returns tracks for threads that have a name but no events, and for threads and tracks that only contain other tracks.
pub(in crate::trace_events) fn tracks_without_events(
    tracks: &[MarkerTrack],
    trace: &Trace,
    names: &TraceMetadata,
) -> Vec<MarkerTrack> {
    let mut seen: HashSet<(TextId, TextId)> = tracks.iter().map(|track| (track.pid, track.tid)).collect();
    let mut added = Vec::new();
    let mut add = |owner: (TextId, TextId)| {
        let kind = if names.tracks.contains_key(&owner) { TrackKind::Async } else { TrackKind::Thread };
        added.push(MarkerTrack::empty(kind, owner.0, owner.1));
    };
    for track in tracks {
        let mut owner = (track.pid, track.tid);
        while let Some(parent) = names.tracks.get(&owner).and_then(|named| named.parent) {
            owner = (owner.0, parent);
            if !seen.insert(owner) {
                break;
            }
            add(owner);
        }
    }
    // A named track without events and without other tracks is not listed.
    let is_thread =
        |owner: &&(TextId, TextId)| names.threads.contains_key(*owner) && !names.tracks.contains_key(*owner);
    for owner in trace.pairs.list.iter().filter(is_thread) {
        if seen.insert(*owner) {
            add(*owner);
        }
    }
    added
}

/// A track in the hierarchy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TreeItem {
    /// Index of the track.
    pub(super) track: usize,
    /// Position of the parent.
    pub(super) parent: Option<usize>,
    /// Number of tracks below it, which follow it.
    pub(super) nested: u32,
}

/// The parents of tracks.
pub(super) struct TrackTree {
    parents: Vec<Option<usize>>,
    /// The first time on each track or below it, for tracks that are sorted by it.
    firsts: Vec<Option<Ns>>,
}

impl TrackTree {
    pub(super) fn new(tracks: &[MarkerTrack], trace: &Trace, names: &TraceMetadata) -> Self {
        let has_parents = !names.tracks.is_empty() || tracks.iter().any(|track| states_of(track, trace).is_some());
        if !has_parents {
            return Self { parents: vec![None; tracks.len()], firsts: vec![None; tracks.len()] };
        }
        let owned = || tracks.iter().enumerate().filter(|(_, track)| track.tid != NONE);
        let by_id: HashMap<(TextId, TextId), usize> = owned().map(|(at, track)| ((track.pid, track.tid), at)).collect();
        let by_text: HashMap<(TextId, &str), usize> =
            owned().map(|(at, track)| ((track.pid, trace.texts.get(track.tid)), at)).collect();
        let parent = |track: &MarkerTrack| match states_of(track, trace) {
            // The numbers in the process of the CPUs are not ids of threads.
            Some(_) if is_cpus_pid(trace.texts.get(track.pid)) => None,
            Some(thread) => by_text.get(&(track.pid, thread)).copied(),
            None => by_id.get(&(track.pid, names.tracks.get(&(track.pid, track.tid))?.parent?)).copied(),
        };
        let parents: Vec<Option<usize>> = tracks.iter().map(parent).collect();
        let is_sorted = |at: usize| {
            let track: &MarkerTrack = &tracks[at];
            names.tracks.get(&(track.pid, track.tid)).is_some_and(|named| named.is_chronological)
        };
        let mut firsts = vec![None; tracks.len()];
        for (at, track) in tracks.iter().enumerate() {
            let Some(first) = track.range.map(|range| range.start) else { continue };
            let mut next = Some(at);
            for _ in 0..=Profile::MAX_TRACK_DEPTH {
                let Some(at) = next else { break };
                if is_sorted(at) {
                    firsts[at] = firsts[at].into_iter().chain([first]).min();
                }
                next = parents[at];
            }
        }
        Self { parents, firsts }
    }

    /// The first time on a track or below it; `None` for a track that is not sorted by it.
    pub(super) fn first(&self, track: usize) -> Option<Ns> {
        self.firsts[track]
    }

    /// Arranges tracks in the order of the hierarchy. `order` is the order of tracks with the same parent. Parents in a
    /// circle are ignored, and tracks below too many others are listed at the deepest possible level.
    pub(super) fn arrange(&self, order: &[usize]) -> Vec<TreeItem> {
        let mut children: HashMap<usize, Vec<usize>> = HashMap::default();
        for at in order.iter().rev() {
            if let Some(parent) = self.parents[*at] {
                children.entry(parent).or_default().push(*at);
            }
        }
        let mut items: Vec<TreeItem> = Vec::with_capacity(order.len());
        let mut is_listed = vec![false; order.len()];
        let mut pending: Vec<(usize, usize)> = Vec::new();
        // Tracks in a circle are not below a root, so they follow.
        let roots = order.iter().filter(|at| self.parents[**at].is_none()).chain(order);
        for root in roots {
            pending.push((*root, 0));
            // Positions of the items above, by depth.
            let mut above: Vec<usize> = Vec::new();
            while let Some((track, depth)) = pending.pop() {
                if std::mem::replace(&mut is_listed[track], true) {
                    continue;
                }
                above.truncate(depth);
                items.push(TreeItem { track, parent: above.last().copied(), nested: 0 });
                above.iter().for_each(|parent| items[*parent].nested += 1);
                above.push(items.len() - 1);
                let below = (depth + 1).min(Profile::MAX_TRACK_DEPTH);
                pending.extend(children.remove(&track).unwrap_or_default().into_iter().map(|child| (child, below)));
            }
        }
        items
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arranged(parents: &[Option<usize>], order: &[usize]) -> Vec<(usize, Option<usize>, u32)> {
        let tree = TrackTree { parents: parents.to_vec(), firsts: vec![None; parents.len()] };
        tree.arrange(order).into_iter().map(|item| (item.track, item.parent, item.nested)).collect()
    }

    #[test]
    fn tracks_follow_their_parents() {
        let parents = [None, Some(2), None, Some(1), Some(2), Some(0)];
        let expected = [(2, None, 3), (4, Some(0), 0), (1, Some(0), 1), (3, Some(2), 0), (0, None, 1), (5, Some(4), 0)];
        assert_eq!(arranged(&parents, &[2, 5, 4, 3, 1, 0]), expected);
    }

    #[test]
    fn circles_are_cut_and_depth_is_limited() {
        let mut circle = arranged(&[Some(1), Some(2), Some(0), Some(3), None], &[0, 1, 2, 3, 4]);
        assert_eq!(circle[0], (4, None, 0), "roots first");
        circle.sort_unstable();
        assert_eq!(circle, [(0, None, 2), (1, Some(2), 0), (2, Some(1), 1), (3, None, 0), (4, None, 0)]);
        let count = 10_000;
        let parents: Vec<Option<usize>> = (0..count).map(|at: usize| at.checked_sub(1)).collect();
        let order: Vec<usize> = (0..count).collect();
        let chain = arranged(&parents, &order);
        assert_eq!((chain.len(), chain[0].2, chain[Profile::MAX_TRACK_DEPTH].2), (count, 9_999, 0));
        assert!(chain[Profile::MAX_TRACK_DEPTH..].iter().all(|item| item.1 == Some(Profile::MAX_TRACK_DEPTH - 1)));
    }
}
