//! The walk that turns mentions into flows.
//!
//! The rule speaks of one walk over all flow markers in start order, but an id's fate depends on its own mentions only:
//! they are brought together by id (a counting sort), each id is walked by itself on all cores, and the flows found are
//! then numbered by where they begin. The result is the walk's, without a sort of all markers by time.

use rayon::prelude::*;

use super::mentions::ThreadMentions;
use crate::profile::persist::persist;
use crate::profile::{Column, MarkerId, Ns, Profile};

/// A mention with what the walk orders by.
#[derive(Clone, Copy, Debug, Default)]
struct Event {
    start: Ns,
    end: Ns,
    marker: MarkerId,
    /// Field number, and above it whether the field terminates.
    field: u32,
}

/// Set in an event's field.
const TERMINATING: u32 = 1 << 31;

impl Event {
    /// Start order; ties by thread and index, which is the order of marker ids; within a marker by field.
    fn key(&self) -> (Ns, MarkerId, u32) {
        (self.start, self.marker, self.field & !TERMINATING)
    }

    const fn is_terminating(&self) -> bool {
        self.field & TERMINATING != 0
    }
}

/// A flow as found: where it begins in the walk, its id, its events in the list of all.
struct Found {
    key: (Ns, MarkerId, u32),
    id: u32,
    first: u32,
    count: u32,
    members: u32,
    last: MarkerId,
}

/// All flows in the order of their beginnings.
#[derive(Clone, Debug, Default)]
pub(super) struct Flows {
    /// Number of the id of each flow.
    pub(super) id_of: Column<u32>,
    /// The member that ends last, of each flow.
    pub(super) last: Column<MarkerId>,
    /// Where the members of each flow begin; one more entry at the end.
    pub(super) offsets: Column<u32>,
    /// Members, flow by flow, in start order, each marker once.
    pub(super) members: Column<MarkerId>,
}
persist!(Flows { id_of, last, offsets, members });

impl Flows {
    pub(super) fn bytes(&self) -> usize {
        self.id_of.heap_bytes() + self.last.heap_bytes() + self.offsets.heap_bytes() + self.members.heap_bytes()
    }
}

/// Ids handled by one job.
const BATCH: usize = 1 << 12;

/// Walks all ids. `numbers` gives the id of each thread's listings.
pub(super) fn walk(profile: &Profile, threads: &[ThreadMentions], numbers: &[Vec<u32>], id_count: usize) -> Flows {
    let (mut events, starts) = by_id(profile, threads, numbers, id_count);
    let mut found = walk_ids(&mut events, &starts);
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

/// All mentions, those of one id together, and where each id's begin.
fn by_id(
    profile: &Profile,
    threads: &[ThreadMentions],
    numbers: &[Vec<u32>],
    id_count: usize,
) -> (Vec<Event>, Vec<u32>) {
    let mut starts = vec![0_u32; id_count + 1];
    for (mentions, numbers) in threads.iter().zip(numbers) {
        for mention in &mentions.mentions {
            starts[numbers[mention.id as usize] as usize + 1] += 1;
        }
    }
    for id in 0..id_count {
        starts[id + 1] += starts[id];
    }
    let mut next = starts.clone();
    let total = starts.last().copied().unwrap_or(0) as usize;
    let mut events = vec![Event::default(); total];
    for ((thread, mentions), numbers) in profile.threads.iter().zip(threads).zip(numbers) {
        for mention in &mentions.mentions {
            let slot = &mut next[numbers[mention.id as usize] as usize];
            let at = mention.marker.index();
            events[*slot as usize] = Event {
                start: thread.markers.start[at],
                end: thread.markers.end[at],
                marker: thread.global(mention.marker),
                field: mention.field.min(TERMINATING - 1) | if mention.terminating { TERMINATING } else { 0 },
            };
            *slot += 1;
        }
    }
    (events, starts)
}

fn walk_ids(events: &mut [Event], starts: &[u32]) -> Vec<Found> {
    // Each job gets the events of its ids as a slice of its own.
    let mut jobs = Vec::new();
    let mut rest = events;
    let mut id = 0;
    while id + 1 < starts.len() {
        // A batch ends where it holds enough ids or enough events.
        let mut end = id + 1;
        while end + 1 < starts.len() && end - id < BATCH && (starts[end] - starts[id]) < (1 << 16) {
            end += 1;
        }
        let (mine, after) = rest.split_at_mut((starts[end] - starts[id]) as usize);
        rest = after;
        jobs.push((id, end, mine));
        id = end;
    }
    let of_job = |(first, end, events): (usize, usize, &mut [Event])| {
        let base = starts[first];
        let mut found = Vec::new();
        for id in first..end {
            let range = (starts[id] - base) as usize..(starts[id + 1] - base) as usize;
            walk_id(&mut events[range], u32::try_from(id).unwrap_or(u32::MAX), starts[id], &mut found);
        }
        found
    };
    let parts: Vec<Vec<Found>> = jobs.into_par_iter().map(of_job).collect();
    parts.into_iter().flatten().collect()
}

/// One id: an active flow is extended, a terminating field closes it, whatever comes next begins another.
fn walk_id(events: &mut [Event], id: u32, base: u32, found: &mut Vec<Found>) {
    events.sort_unstable_by_key(Event::key);
    let mut first = 0;
    while first < events.len() {
        let closing = events[first..].iter().position(Event::is_terminating);
        let end = closing.map_or(events.len(), |position| first + position + 1);
        let run = &events[first..end];
        let members = run.chunk_by(|a, b| a.marker == b.marker).count();
        let last = run.iter().max_by_key(|event| event.end).unwrap_or(&run[0]);
        found.push(Found {
            key: run[0].key(),
            id,
            first: base + u32::try_from(first).unwrap_or(u32::MAX),
            count: u32::try_from(run.len()).unwrap_or(u32::MAX),
            members: u32::try_from(members).unwrap_or(u32::MAX),
            last: last.marker,
        });
        first = end;
    }
}
