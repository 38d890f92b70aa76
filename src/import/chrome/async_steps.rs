//! Flow events that belong to async events: what shares time, process, thread and category with a flow event is what the
//! flow event speaks of, so its step stands on that async slice.

use foldhash::{HashMap, HashSet};

use super::event::Event;
use super::event_tracks::EventTrack;
use super::flows::{Exactness, Step};
use super::ids::TextId;
use super::marker_tracks::MarkerTrack;
use super::slices::Slice;
use super::trace::Trace;
use crate::profile::Ns;

/// Time, process, thread and category of an event.
type Key = (Ns, TextId, TextId, TextId);

fn key(trace: &Trace, event: &Event) -> Key {
    let (pid, tid) = trace.pairs.get(event.pair);
    (event.ts, pid, tid, trace.cat(event.label))
}

/// The keys of all flow events.
#[derive(Debug, Default)]
pub(super) struct FlowEventKeys(HashSet<Key>);

/// An async event that shares its key with a flow event.
#[derive(Debug)]
pub(super) struct StepCandidate {
    key: Key,
    name: TextId,
    /// Whether the event ends its slice; an event that begins one, or an instant, is preferred.
    is_end: bool,
    /// Offset of the event that began the slice.
    slice: u64,
}

impl FlowEventKeys {
    pub(super) fn new(trace: &Trace, tracks: &[EventTrack]) -> Self {
        Self(tracks.iter().flat_map(|track| &track.flows).map(|event| key(trace, event)).collect())
    }

    /// The candidate that an async event with its slice is, if there is a flow event of its key.
    #[inline]
    pub(super) fn candidate(&self, trace: &Trace, event: &Event, slice: &Slice) -> Option<StepCandidate> {
        if self.0.is_empty() {
            return None;
        }
        let key = key(trace, event);
        self.0.contains(&key).then(|| StepCandidate {
            key,
            name: trace.name(event.label),
            is_end: slice.offset() != event.offset(),
            slice: slice.offset(),
        })
    }
}

impl StepCandidate {
    /// Offset of the event that began the slice.
    pub(super) const fn slice(&self) -> u64 {
        self.slice
    }
}

/// Async slices by the offsets of the events that began them: index of the track, position in it.
pub(super) type SlicePlaces = HashMap<u64, (u32, u32)>;

/// A candidate with the place of its slice.
type PlacedCandidate = (StepCandidate, (u32, u32));

/// The async slices that flow events may stand on, by key.
#[derive(Debug, Default)]
pub(super) struct AsyncSteps(HashMap<Key, Vec<PlacedCandidate>>);

impl AsyncSteps {
    pub(super) fn new(candidates: Vec<StepCandidate>, places: &SlicePlaces) -> Self {
        let mut by_key: HashMap<Key, Vec<_>> = HashMap::default();
        for candidate in candidates {
            if let Some(place) = places.get(&candidate.slice) {
                by_key.entry(candidate.key).or_default().push((candidate, *place));
            }
        }
        Self(by_key)
    }

    /// Moves the steps of flow events to the async slices that share their keys. A slice of the thread with the same key
    /// stays, unless only the async slice has the flow event's name, too. `tracks` are those that the steps bind to.
    pub(super) fn rebind(&self, tracks: &[MarkerTrack], steps: &mut [Step]) {
        if self.0.is_empty() {
            return;
        }
        for step in steps {
            let Some((name, cat)) = step.label() else { continue };
            let Some(track) = tracks.get(step.track as usize) else { continue };
            let Some(found) = self.0.get(&(step.ts, track.pid, track.tid, cat)) else { continue };
            // Events that begin something before those that end it, then those of the same name.
            let best = found.iter().min_by_key(|(candidate, _)| (candidate.is_end, candidate.name != name));
            let Some((candidate, (track, slice))) = best else { continue };
            let is_better = match step.exactness {
                Exactness::None => true,
                Exactness::Category => candidate.name == name,
                Exactness::Name => false,
            };
            if is_better {
                (step.track, step.slice) = (*track, *slice);
            }
        }
    }
}
