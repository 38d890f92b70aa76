//! Flow events that belong to async events. A flow event refers to the async event with the same time, process, thread
//! and category, so its step binds to that async slice.

use std::hash::BuildHasher as _;
use std::sync::atomic::{AtomicU64, Ordering};

use foldhash::HashMap;
use foldhash::fast::FixedState;
use rayon::prelude::*;

use crate::trace_events::flows::flow_steps::{SliceMatch, Step};
use crate::trace_events::text::event::Event;
use crate::trace_events::text::ids::TextId;
use crate::trace_events::text::trace::Trace;
use crate::trace_events::tracks::event_tracks::EventTrack;
use crate::trace_events::tracks::marker_tracks::MarkerTrack;
use crate::trace_events::tracks::slice::Slice;
use flowline_profile::Ns;

/// Time, process, thread and category of an event.
type Key = (Ns, TextId, TextId, TextId);

fn key(trace: &Trace, event: &Event) -> Key {
    let (pid, tid) = trace.pairs.get(event.pair);
    (event.ts, pid, tid, trace.cat(event.label))
}

/// A set of keys as a Bloom filter: false positives are possible, false negatives are not.
#[derive(Debug, Default)]
struct KeyFilter {
    /// A power of two of words; empty for a filter without keys.
    bits: Vec<AtomicU64>,
}

impl KeyFilter {
    /// Creates a filter for about `count` keys, with a quarter of a word per key.
    fn for_count(count: usize) -> Self {
        let words = if count == 0 { 0 } else { (count / 4 + 1).next_power_of_two() };
        Self { bits: (0..words).map(|_| AtomicU64::new(0)).collect() }
    }

    fn insert(&self, key: &Key) {
        for (word, bit) in places(key, self.bits.len()) {
            self.bits[word].fetch_or(bit, Ordering::Relaxed);
        }
    }

    #[inline]
    fn contains(&self, key: &Key) -> bool {
        let has = |(word, bit): (usize, u64)| self.bits[word].load(Ordering::Relaxed) & bit != 0;
        !self.bits.is_empty() && places(key, self.bits.len()).into_iter().all(has)
    }
}

/// The keys that flow events share with async events. A false positive only adds a candidate that no flow event uses.
#[derive(Debug, Default)]
pub(in crate::trace_events) struct FlowEventKeys(KeyFilter);

/// Returns the two words of a key with one bit each.
fn places(key: &Key, words: usize) -> [(usize, u64); 2] {
    let hash = FixedState::default().hash_one(key);
    let (low, high) = (hash & u64::from(u32::MAX), hash >> 32);
    [low, high].map(|half| ((half >> 6) as usize & (words - 1), 1 << (half & 63)))
}

/// An async event that shares its key with a flow event.
#[derive(Debug)]
pub(in crate::trace_events) struct BindingCandidate {
    key: Key,
    name: TextId,
    /// True if the event ends its slice. Events that begin a slice and instants are preferred.
    is_end: bool,
    /// Offset of the event.
    event: u64,
    /// Offset of the event that began the slice.
    slice: u64,
}

impl FlowEventKeys {
    pub(in crate::trace_events) fn new(trace: &Trace, tracks: &[EventTrack], asyncs: &[Event]) -> Self {
        let flows: usize = tracks.iter().map(|track| track.flows.len()).sum();
        if flows == 0 || asyncs.is_empty() {
            return Self::default();
        }
        // Few flow events share a key with an async event, so a small filter rejects most of them.
        let of_asyncs = KeyFilter::for_count(asyncs.len());
        asyncs.par_iter().for_each(|event| of_asyncs.insert(&key(trace, event)));
        let shared = KeyFilter::for_count(flows.min(asyncs.len() + flows / 16));
        let keys = tracks.par_iter().flat_map(|track| &track.flows).map(|event| key(trace, event));
        keys.filter(|key| of_asyncs.contains(key)).for_each(|key| shared.insert(&key));
        Self(shared)
    }

    /// Returns a candidate for an async event and its slice if a flow event has the same key.
    #[inline]
    pub(in crate::trace_events) fn candidate(
        &self,
        trace: &Trace,
        event: &Event,
        slice: &Slice,
    ) -> Option<BindingCandidate> {
        let key = key(trace, event);
        self.0.contains(&key).then(|| BindingCandidate {
            key,
            name: trace.name(event.label),
            is_end: slice.offset() != event.offset(),
            event: event.offset(),
            slice: slice.offset(),
        })
    }
}

impl BindingCandidate {
    /// Returns the offset of the event that began the slice.
    pub(in crate::trace_events) const fn slice(&self) -> u64 {
        self.slice
    }
}

/// Async slices by the offset of their begin event: track index, and index in the track.
pub(in crate::trace_events) type SliceLocations = HashMap<u64, (u32, u32)>;

/// A candidate with the location of its slice.
type PlacedCandidate = (BindingCandidate, (u32, u32));

/// The async slices that flow events may bind to, by key.
#[derive(Debug, Default)]
pub(in crate::trace_events) struct AsyncBindings(HashMap<Key, Vec<PlacedCandidate>>);

impl AsyncBindings {
    pub(in crate::trace_events) fn new(candidates: Vec<BindingCandidate>, places: &SliceLocations) -> Self {
        let mut by_key: HashMap<Key, Vec<_>> = HashMap::default();
        for candidate in candidates {
            if let Some(place) = places.get(&candidate.slice) {
                by_key.entry(candidate.key).or_default().push((candidate, *place));
            }
        }
        Self(by_key)
    }

    /// Moves the steps of flow events to the async slices that share their keys. A thread slice with the same key has
    /// priority unless only the async slice also has the flow event's name. `tracks` are the tracks that the steps bind
    /// to.
    pub(in crate::trace_events) fn rebind(&self, trace: &Trace, tracks: &[MarkerTrack], steps: &mut [Step]) {
        if self.0.is_empty() {
            return;
        }
        steps.par_iter_mut().filter(|step| step.exactness() != SliceMatch::Name).for_each(|step| {
            let Some((name, cat)) = step.label(trace) else { return };
            let Some(track) = tracks.get(step.track()) else { return };
            let Some(found) = self.0.get(&(step.ts, track.pid, track.tid, cat)) else { return };
            // Begin events and instants precede end events, then equal names precede others, then file order decides.
            let rank = |candidate: &BindingCandidate| (candidate.is_end, candidate.name != name, candidate.event);
            let best = found.iter().min_by_key(|(candidate, _)| rank(candidate));
            let Some((candidate, (track, slice))) = best else { return };
            if step.exactness() == SliceMatch::None || candidate.name == name {
                step.rebind(*track, *slice);
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_filter_finds_every_key_and_few_others() {
        let key = |number: i64| (Ns(number * 1000), 1, 2, 3);
        for count in [1, 10, 10_000] {
            let filter = KeyFilter::for_count(count);
            let keys = i64::try_from(count).expect("a small number");
            (0..keys).for_each(|number| filter.insert(&key(number)));
            assert!((0..keys).all(|number| filter.contains(&key(number))), "{count}");
            let others = (keys..keys + 10_000).filter(|number| filter.contains(&key(*number))).count();
            assert!(others < 500, "{others} of 10,000 with {count} keys");
        }
        assert!(!KeyFilter::for_count(0).contains(&key(1)));
    }
}
