//! Steps of flows: flow events, and slices with a `bind_id` or a list of flows.

use std::hash::BuildHasher;

use bytemuck::Zeroable;
use foldhash::HashSet;
use foldhash::fast::FixedState;

use crate::trace_events::text::event::Event;
use crate::trace_events::text::ids::{Id, IdKind, NONE, TextId};
use crate::trace_events::text::trace::Trace;
use crate::trace_events::tracks::slice::Slice;
use flowline_profile::{Ns, Reach, TimeRange};

/// Role of a step in its flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::trace_events) enum Role {
    /// The start of a flow: `s`, or `flow_out` alone.
    Start,
    /// An intermediate step: `t`, or `flow_in` with `flow_out`.
    Step,
    /// A target, from which the flow does not continue: `f`, or `flow_in` alone.
    Target,
    /// The end of a flow: `terminating_flow_ids`. Later steps with the same id are another flow.
    End,
}

/// Match between a flow event and the slice that starts at its time on its thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::trace_events) enum SliceMatch {
    /// No slice with its category starts at its time.
    None,
    /// Equal category.
    Category,
    /// Equal category and name.
    Name,
    /// The end event of the slice states the step.
    OwnEnd,
}

/// Identity of a flow: the id with its kind, and for flow events name, category, and the process of a local id.
///
/// The first hash is the same in every run and defines the order of flows. The second contains [`Id::check`], which has
/// a random seed, so that two identities with equal hashes cannot be constructed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Zeroable)]
pub(in crate::trace_events) struct Identity {
    pub(in crate::trace_events) hash: u64,
    check: u64,
}

impl Identity {
    fn new(by_bind: bool, (name, cat): (TextId, TextId), pid: TextId, id: &Id) -> Self {
        let hash = |of_id: u64| FixedState::default().hash_one((by_bind, cat, name, pid, id.kind(), of_id));
        Self { hash: hash(id.hash), check: hash(id.check()) }
    }
}

/// A step, 64 bytes.
#[derive(Clone, Copy, Debug, Zeroable)]
pub(in crate::trace_events) struct Step {
    pub(in crate::trace_events) identity: Identity,
    /// Hash of the id.
    id_hash: u64,
    pub(in crate::trace_events) ts: Ns,
    /// Byte offset of the event in 48 bits, then the high bits of the byte offset of the id.
    packed: u64,
    /// The low bits of the byte offset of the id.
    id_low: u32,
    /// Number of the name and category of a flow event; [`NONE`] for a slice with a `bind_id`.
    label: u32,
    /// Index of the track, then role and exactness in the high bits.
    track: u32,
    /// Index of the slice in the track that the step binds to; [`NONE`] without a slice.
    pub(in crate::trace_events) slice: u32,
    /// Extent of the slice around the step; for a step of an end event, the length of its slice in nanoseconds.
    reach: Reach,
}

/// Bits of a byte offset.
const OFFSET_BITS: u32 = 48;
/// Bits of a track index. Steps on tracks beyond that limit bind to nothing.
const TRACK_BITS: u32 = 28;
/// Bits of a role.
const ROLE_BITS: u32 = 2;
const _: () = assert!(size_of::<Step>() == 64);

impl Step {
    /// Creates the step of a flow event on a track. `number` and `slice` are the slice that it binds to, if any, and
    /// `exactness` how well they match.
    #[inline]
    pub(in crate::trace_events) fn of_event(
        trace: &Trace,
        track: u32,
        event: &Event,
        (number, slice, exactness): (u32, Option<&Slice>, SliceMatch),
    ) -> Self {
        let id = &trace.extra(event).id;
        let pid = if id.kind() == IdKind::Local { trace.pid(event) } else { NONE };
        let role = match event.ph() {
            b's' => Role::Start,
            b't' => Role::Step,
            _ => Role::Target,
        };
        let step = Self {
            identity: Identity::new(false, trace.labels.get(event.label), pid, id),
            ts: event.ts,
            label: event.label,
            slice: number,
            reach: slice.map_or(Reach::UNKNOWN, |slice| reach(event.ts, slice)),
            ..Self::new(id, event.offset())
        };
        step.on_track(track, role, exactness)
    }

    /// Creates the step of a slice with a `bind_id`, if its flow is incoming or outgoing.
    pub(in crate::trace_events) fn of_slice(trace: &Trace, track: u32, number: u32, slice: &Slice) -> Option<Self> {
        let role = match slice.flow_direction() {
            (false, false) => return None,
            (false, true) => Role::Start,
            (true, true) => Role::Step,
            (true, false) => Role::Target,
        };
        let id = trace.extra_at(slice.extra).bind;
        (id.kind() != IdKind::None).then(|| {
            Self::bound(&id, number, (slice, slice.start, slice.offset())).on_track(track, role, SliceMatch::Name)
        })
    }

    /// Creates the steps of a slice with a list of flows.
    pub(in crate::trace_events) fn of_flow_ids<'a>(
        trace: &'a Trace,
        track: u32,
        number: u32,
        slice: &Slice,
    ) -> impl Iterator<Item = Self> + use<'a> {
        let slice = *slice;
        let lists = slice.flow_lists().into_iter().zip([SliceMatch::Name, SliceMatch::OwnEnd]);
        lists.filter(|((extra, ..), _)| *extra != NONE).flat_map(move |((extra, ts, event), stated)| {
            (1..=trace.extra_at(extra).more).map(move |at| {
                let flow = trace.extra_at(extra + at);
                let role = if flow.more > 0 { Role::End } else { Role::Step };
                let mut step = Self::bound(&flow.bind, number, (&slice, ts, event));
                if stated == SliceMatch::OwnEnd {
                    step.reach = bytemuck::cast((slice.end.0 - slice.start.0).cast_unsigned());
                }
                step.on_track(track, role, stated)
            })
        })
    }

    /// Returns the slice of a step that its end event states; `None` for other steps.
    pub(in crate::trace_events) fn ended_slice(&self) -> Option<TimeRange> {
        let length: u64 = bytemuck::cast(self.reach);
        (self.exactness() == SliceMatch::OwnEnd)
            .then(|| TimeRange { start: Ns(self.ts.0 - length.cast_signed()), end: self.ts })
    }

    /// Returns the extent of the slice around the step.
    pub(in crate::trace_events) fn reach(&self) -> Reach {
        self.ended_slice().map_or(self.reach, |slice| Reach::around(self.ts, slice))
    }

    /// Creates the step for an id of a slice.
    fn bound(id: &Id, number: u32, (slice, ts, event): (&Slice, Ns, u64)) -> Self {
        Self {
            identity: Identity::new(true, (NONE, NONE), NONE, id),
            ts,
            label: NONE,
            slice: number,
            reach: reach(ts, slice),
            ..Self::new(id, event)
        }
    }

    /// Creates a step with this id for the event at an offset.
    #[inline]
    fn new(id: &Id, event: u64) -> Self {
        let (offset, id_hash) = id.place();
        let (high, low) = (offset >> u32::BITS, offset & u64::from(u32::MAX));
        let packed = event | high << OFFSET_BITS;
        Self { id_hash, packed, id_low: u32::try_from(low).unwrap_or_default(), ..Self::zeroed() }
    }

    #[inline]
    const fn on_track(self, track: u32, role: Role, exactness: SliceMatch) -> Self {
        let (track, slice) = if track >> TRACK_BITS == 0 { (track, self.slice) } else { (0, NONE) };
        let track = track | (role as u32) << TRACK_BITS | (exactness as u32) << (TRACK_BITS + ROLE_BITS);
        Self { track, slice, ..self }
    }

    /// Moves the step to another slice of the given track.
    pub(in crate::trace_events) const fn rebind(&mut self, track: u32, slice: u32) {
        if track >> TRACK_BITS == 0 {
            self.track = self.track >> TRACK_BITS << TRACK_BITS | track;
            (self.slice, self.reach) = (slice, Reach::UNKNOWN);
        }
    }

    #[inline]
    /// Returns the index of the track.
    pub(in crate::trace_events) const fn track(&self) -> usize {
        (self.track & ((1 << TRACK_BITS) - 1)) as usize
    }

    /// Returns the byte offset and hash of the id.
    #[inline]
    pub(in crate::trace_events) const fn id(&self) -> (u64, u64) {
        ((self.packed >> OFFSET_BITS) << u32::BITS | self.id_low as u64, self.id_hash)
    }

    /// Returns the byte offset of the event.
    #[inline]
    pub(in crate::trace_events) const fn offset(&self) -> u64 {
        self.packed & ((1 << OFFSET_BITS) - 1)
    }

    #[inline]
    pub(in crate::trace_events) const fn role(&self) -> Role {
        match self.track >> TRACK_BITS & ((1 << ROLE_BITS) - 1) {
            0 => Role::Start,
            1 => Role::Step,
            2 => Role::Target,
            _ => Role::End,
        }
    }

    #[inline]
    pub(in crate::trace_events) const fn exactness(&self) -> SliceMatch {
        match self.track >> (TRACK_BITS + ROLE_BITS) {
            0 => SliceMatch::None,
            1 => SliceMatch::Category,
            2 => SliceMatch::Name,
            _ => SliceMatch::OwnEnd,
        }
    }

    /// Returns the sort key of steps with one identity: time, then start before step before target, then file order. Of
    /// one event, continuing steps precede ending steps.
    pub(in crate::trace_events) const fn order(&self) -> (Ns, u8, u64, Role) {
        let rank = match self.role() {
            Role::Start => 0,
            Role::Step | Role::End => 1,
            Role::Target => 2,
        };
        (self.ts, rank, self.offset(), self.role())
    }

    /// Returns name and category of a flow event; `None` for the step of a slice with a `bind_id`.
    pub(in crate::trace_events) fn label(&self, trace: &Trace) -> Option<(TextId, TextId)> {
        (self.label != NONE).then(|| trace.labels.get(self.label))
    }

    /// Returns the name of the flow.
    pub(in crate::trace_events) fn name(&self, trace: &Trace) -> TextId {
        self.label(trace).map_or(NONE, |(name, _)| name)
    }
}

fn reach(time: Ns, slice: &Slice) -> Reach {
    Reach::around(time, slice.range())
}

/// The steps of a track.
#[derive(Debug, Default)]
pub(in crate::trace_events) struct TrackSteps {
    pub(in crate::trace_events) list: Vec<Step>,
    /// The labels of the flow events; [`NONE`] for slices with a `bind_id`.
    labels: HashSet<u32>,
    /// Positions of the steps without a slice on their thread.
    unbound: Vec<u32>,
}

impl TrackSteps {
    /// Creates a list with capacity for `count` steps.
    pub(in crate::trace_events) fn with_capacity(count: usize) -> Self {
        Self { list: Vec::with_capacity(count), ..Self::default() }
    }

    /// Iterates over the names of all flows of these steps, possibly with repetitions.
    pub(in crate::trace_events) fn names(&self, trace: &Trace) -> impl Iterator<Item = TextId> {
        self.labels.iter().map(|label| trace.name(*label))
    }

    /// Iterates over the byte offsets of the events of all steps without a slice.
    pub(in crate::trace_events) fn unbound(&self) -> impl Iterator<Item = u64> {
        // The step may have been moved to an async slice since.
        let steps = self.unbound.iter().map(|at| &self.list[*at as usize]);
        steps.filter(|step| step.slice == NONE).map(Step::offset)
    }
}

impl Extend<Step> for TrackSteps {
    fn extend<I: IntoIterator<Item = Step>>(&mut self, steps: I) {
        let mut latest = None;
        for step in steps {
            if latest != Some(step.label) {
                latest = Some(step.label);
                self.labels.insert(step.label);
            }
            if step.slice == NONE {
                self.unbound.push(u32::try_from(self.list.len()).unwrap_or(NONE));
            }
            self.list.push(step);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flowline_json::RawString;

    #[test]
    fn a_packed_step_preserves_its_values() {
        let far = (1 << OFFSET_BITS) - 1;
        for (event, id) in [(0_usize, 1_usize), (70, 95), (far, far), (far - 9, 3), (1 << 33, (1 << 33) + 5)] {
            let id = Id::new(IdKind::Plain, RawString { bytes: b"7", offset: id });
            for role in [Role::Start, Role::Step, Role::Target, Role::End] {
                for exactness in [SliceMatch::None, SliceMatch::Category, SliceMatch::Name, SliceMatch::OwnEnd] {
                    for track in [0, 5, (1 << TRACK_BITS) - 1] {
                        let mut step = Step::new(&id, event as u64).on_track(track, role, exactness);
                        assert_eq!((step.offset(), step.id()), (event as u64, id.place()));
                        assert_eq!((step.track(), step.role(), step.exactness()), (track as usize, role, exactness));
                        step.rebind(3, 4);
                        assert_eq!((step.track(), step.role(), step.exactness()), (3, role, exactness));
                        assert_eq!((step.slice, step.id()), (4, id.place()));
                    }
                }
            }
        }
    }
}
