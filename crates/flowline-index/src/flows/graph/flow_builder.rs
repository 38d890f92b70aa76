//! Builds flows from flow field references.
//!
//! `docs/flows.md` specifies one walk over all flow markers in start order. But the flows of an id depend only on its
//! own references. So references are grouped by id (a counting sort), ids are walked in parallel, and flows are
//! numbered in start order. The result is the same, without sorting all markers by time.
//!
//! An id that is an address may be reused without a terminating field. So markers that post something also begin
//! another flow; see [`Postings`].

use rayon::prelude::*;

use super::field_references::{FlowReference, ThreadReferences};
use crate::flows::rules::{Posting, Postings, Stages};
use flowline_profile::persist::persist;
use flowline_profile::{Column, MarkerId, Ns, Profile, Thread, TimeRange};

/// A reference with its sort key.
#[derive(Clone, Copy, Debug, Default)]
struct ReferenceEvent {
    start: Ns,
    end: Ns,
    marker: MarkerId,
    /// Position among the marker's references in the low [`ORDER_BITS`]; above, the number of the marker's posting
    /// stage, and [`TERMINATING`] if the field terminates the flow.
    order: u32,
}

/// Set in the order of an event whose field terminates the flow.
const TERMINATING: u32 = 1 << 31;
/// Number of low bits of an event's order that contain the position.
const ORDER_BITS: u32 = 24;
const _: () = assert!(Posting::LIMIT as u32 <= TERMINATING >> ORDER_BITS);

impl ReferenceEvent {
    /// Start order; ties are broken by marker id, then by the order of fields.
    #[inline]
    fn key(&self) -> (Ns, MarkerId, u32) {
        (self.start, self.marker, self.order & ((1 << ORDER_BITS) - 1))
    }

    /// Posting stage of the marker, if it posts something.
    #[inline]
    fn posting(&self) -> Option<Posting> {
        Posting::from_number((self.order & !TERMINATING) >> ORDER_BITS)
    }

    #[inline]
    const fn is_terminating(&self) -> bool {
        self.order & TERMINATING != 0
    }
}

/// A flow: its sort key, its id and its range in the list of events.
struct FlowRun {
    key: (Ns, MarkerId, u32),
    id: u32,
    first: u32,
    count: u32,
    members: u32,
    last: MarkerId,
}

/// All flows in start order.
#[derive(Clone, Debug, Default)]
pub(crate) struct Flows {
    /// Id of each flow.
    pub(crate) id_of: Column<u32>,
    /// Member of each flow that ends last.
    pub(crate) last: Column<MarkerId>,
    /// Position of the first member of each flow, and finally the number of all members.
    pub(crate) offsets: Column<u32>,
    /// Members, flow by flow, in start order, each marker once.
    pub(crate) members: Column<MarkerId>,
}
persist!(Flows { id_of, last, offsets, members });

impl Flows {
    #[inline]
    pub(crate) fn bytes(&self) -> usize {
        self.id_of.heap_bytes() + self.last.heap_bytes() + self.offsets.heap_bytes() + self.members.heap_bytes()
    }
}

/// Ids per job.
const BATCH: usize = 1 << 12;

/// Walks all ids. `numbers` contains the id of each entry of each thread's list.
pub(crate) fn walk(
    profile: &Profile,
    threads: &[ThreadReferences],
    numbers: &[Vec<u32>],
    id_count: usize,
    postings: &Postings,
) -> Flows {
    let (mut events, starts) = by_id(profile, threads, numbers, id_count, postings);
    let mut found = walk_ids(&mut events, &starts, postings);
    found.par_sort_unstable_by_key(|flow| flow.key);
    let mut flows = Flows {
        id_of: found.iter().map(|flow| flow.id).collect(),
        last: found.iter().map(|flow| flow.last).collect(),
        offsets: Column::with_capacity(found.len() + 1),
        members: Column::new(),
    };
    let mut total = 0;
    flows.offsets.push(0);
    for flow in &found {
        total += flow.members;
        flows.offsets.push(total);
    }
    let events = &events;
    let parts: Vec<Vec<MarkerId>> = found
        .par_chunks(BATCH)
        .map(|chunk| {
            let count = chunk.iter().map(|flow| flow.members as usize).sum();
            let mut members = Vec::with_capacity(count);
            for flow in chunk {
                let events = &events[flow.first as usize..(flow.first + flow.count) as usize];
                members.extend(events.chunk_by(|a, b| a.marker == b.marker).map(|run| run[0].marker));
            }
            members
        })
        .collect();
    flows.members = parts.concat().into();
    flows
}

/// All references grouped by id, and the first position of each id.
fn by_id(
    profile: &Profile,
    threads: &[ThreadReferences],
    numbers: &[Vec<u32>],
    id_count: usize,
    postings: &Postings,
) -> (Vec<ReferenceEvent>, Vec<u32>) {
    let mut starts = vec![0_u32; id_count + 1];
    for (field_references, numbers) in threads.iter().zip(numbers) {
        for reference in &field_references.field_references {
            starts[numbers[reference.id as usize] as usize + 1] += 1;
        }
    }
    for id in 0..id_count {
        starts[id + 1] += starts[id];
    }
    let total = starts.last().copied().unwrap_or(0) as usize;
    let mut events = vec![ReferenceEvent::default(); total];
    // Each job has a range of the ids. Ids are numbered by hash, so the ranges have about equally many events.
    let step = id_count.div_ceil(2 * rayon::current_num_threads()).max(BATCH);
    let (mut parts, mut rest) = (Vec::new(), &mut events[..]);
    for first in (0..id_count).step_by(step) {
        let ids = first..(first + step).min(id_count);
        let (own, after) = rest.split_at_mut((starts[ids.end] - starts[ids.start]) as usize);
        rest = after;
        parts.push((ids, own));
    }
    parts.into_par_iter().for_each(|(ids, events)| {
        let base = starts[ids.start];
        let mut next: Vec<u32> = starts[ids.clone()].iter().map(|start| start - base).collect();
        for ((thread, field_references), numbers) in profile.threads.iter().zip(threads).zip(numbers) {
            for reference in &field_references.field_references {
                let id = numbers[reference.id as usize] as usize;
                let Some(slot) = id.checked_sub(ids.start).and_then(|id| next.get_mut(id)) else { continue };
                events[*slot as usize] = event_of(thread, reference, postings);
                *slot += 1;
            }
        }
    });
    (events, starts)
}

fn event_of(thread: &Thread, reference: &FlowReference, postings: &Postings) -> ReferenceEvent {
    let TimeRange { start, end } = thread.markers.range(reference.marker);
    let order = reference.order.min((1 << ORDER_BITS) - 1)
        | postings.number(thread.markers.name(reference.marker)) << ORDER_BITS
        | if reference.terminating { TERMINATING } else { 0 };
    ReferenceEvent { start, end, marker: thread.global(reference.marker), order }
}

fn walk_ids(events: &mut [ReferenceEvent], starts: &[u32], postings: &Postings) -> Vec<FlowRun> {
    let mut jobs = Vec::new();
    let mut rest = events;
    let mut id = 0;
    while id + 1 < starts.len() {
        // A batch ends when it has enough ids or enough events.
        let mut end = id + 1;
        while end + 1 < starts.len() && end - id < BATCH && (starts[end] - starts[id]) < (1 << 16) {
            end += 1;
        }
        let (mine, after) = rest.split_at_mut((starts[end] - starts[id]) as usize);
        rest = after;
        jobs.push((id, end, mine));
        id = end;
    }
    let of_job = |(first, end, events): (usize, usize, &mut [ReferenceEvent])| {
        let base = starts[first];
        let mut found = Vec::new();
        let mut stages = Stages::default();
        for id in first..end {
            let range = (starts[id] - base) as usize..(starts[id + 1] - base) as usize;
            let events = &mut events[range];
            events.sort_unstable_by_key(ReferenceEvent::key);
            let mut first = 0;
            while first < events.len() {
                let end = first + end_of_flow(&events[first..], postings, &mut stages);
                let place = starts[id] + u32::try_from(first).unwrap_or(u32::MAX);
                found.push(flow_of(&events[first..end], u32::try_from(id).unwrap_or(u32::MAX), place));
                first = end;
            }
        }
        found
    };
    let parts: Vec<Vec<FlowRun>> = jobs.into_par_iter().map(of_job).collect();
    parts.into_iter().flatten().collect()
}

/// Number of an id's events that belong to the flow that the first one begins: up to and including a terminating field,
/// or up to but excluding a posting that begins another flow.
fn end_of_flow(events: &[ReferenceEvent], postings: &Postings, stages: &mut Stages) -> usize {
    stages.clear();
    let mut marker = None;
    for (at, event) in events.iter().enumerate() {
        // Several fields of a marker may reference the flow, but the marker is only one posting.
        let is_new = marker.replace(event.marker) != Some(event.marker);
        if is_new && event.posting().is_some_and(|posting| !stages.add(posting, postings)) {
            return at;
        }
        if event.is_terminating() {
            return at + 1;
        }
    }
    events.len()
}

/// The flow of some events, which must not be empty and begin at position `first` of the list of events.
fn flow_of(run: &[ReferenceEvent], id: u32, first: u32) -> FlowRun {
    let members = run.chunk_by(|a, b| a.marker == b.marker).count();
    let last = run.iter().max_by_key(|event| event.end).unwrap_or(&run[0]);
    FlowRun {
        key: run[0].key(),
        id,
        first,
        count: u32::try_from(run.len()).unwrap_or(u32::MAX),
        members: u32::try_from(members).unwrap_or(u32::MAX),
        last: last.marker,
    }
}
