//! Flows: which slice each step binds to, and which steps make a flow.
//!
//! Flow events (`s`, `t`, `f`) bind to a slice of their thread; `bind_id` makes the event's own slice a step; the slices
//! of one async id are a flow, too. Steps of one identity follow each other in the order of time; `f` ends a flow.

use std::hash::{Hash, Hasher};

use foldhash::HashMap;
use rayon::prelude::*;

use super::event::{Event, Id, IdKind, NONE, TextId};
use super::slices::Slice;
use super::texts::{Events, same_id};
use super::tracks::Track;
use crate::profile::{Ns, WarningKind, Warnings};

/// A step: a flow event or a slice with a `bind_id`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// Hash of its identity.
    hash: u64,
    pub(super) ts: Ns,
    /// Number of its event.
    event: u32,
    /// Number of the track and position of the slice that it binds to; the latter [`NONE`] if there is none.
    pub(super) track: u32,
    pub(super) slice: u32,
    /// It is the `bind_id` of its event that identifies it.
    by_bind: bool,
}

/// A flow: its id, the event that began it, its steps.
#[derive(Debug)]
pub(super) struct Flow {
    pub(super) id: Id,
    /// What the flow is called: the name of its flow events.
    pub(super) name: TextId,
    pub(super) steps: Vec<Step>,
}

/// What tells flows apart.
struct Identity<'a> {
    id: &'a Id,
    cat: TextId,
    name: TextId,
    pid: TextId,
    by_bind: bool,
}

impl<'a> Identity<'a> {
    fn of(events: &'a Events, event: &Event, by_bind: bool) -> Self {
        let extra = events.extra(event);
        if by_bind {
            return Self { id: &extra.bind, cat: NONE, name: NONE, pid: NONE, by_bind };
        }
        let pid = if extra.id.kind == IdKind::Local { events.pid(event) } else { NONE };
        Self { id: &extra.id, cat: event.cat, name: event.name, pid, by_bind }
    }

    fn hash(&self) -> u64 {
        let mut hasher = std::hash::DefaultHasher::new();
        (self.by_bind, self.cat, self.name, self.pid, self.id.kind, self.id.hash).hash(&mut hasher);
        hasher.finish()
    }

    fn is(&self, text: &[u8], other: &Self) -> bool {
        (self.by_bind, self.cat, self.name, self.pid) == (other.by_bind, other.cat, other.name, other.pid)
            && same_id(text, self.id, other.id)
    }
}

/// The slice that each flow event of a thread binds to; `slices` are the thread's, in their order.
pub(super) fn bind(events: &Events, number: u32, track: &Track, slices: &[Slice]) -> Vec<Step> {
    if track.flows.is_empty() {
        return Vec::new();
    }
    // Positions of what has a length or could have one: instants contain nothing.
    let solid: Vec<u32> = (0_u32..).zip(slices).filter(|(_, slice)| !slice.is_instant()).map(|(at, _)| at).collect();
    let mut sweep = Sweep::new(slices);
    let mut encloses: HashMap<TextId, bool> = HashMap::default();
    let step = |&flow: &u32| {
        let event = &events.list[flow as usize];
        sweep.advance(event.ts);
        let category = |cat: TextId| {
            let cat = events.texts.get(cat);
            cat.contains("input") || cat.contains("ipc.flow")
        };
        let enclosing = event.ph != b'f'
            || event.has(Event::BIND_ENCLOSING)
            || *encloses.entry(event.cat).or_insert_with(|| category(event.cat));
        let found = sweep.exact(event).or_else(|| {
            if enclosing {
                return sweep.innermost(event.ts);
            }
            let after = solid.partition_point(|at| slices[*at as usize].start < event.ts);
            solid.get(after).copied()
        });
        Step {
            hash: Identity::of(events, event, false).hash(),
            ts: event.ts,
            event: flow,
            track: number,
            slice: found.unwrap_or(NONE),
            by_bind: false,
        }
    };
    track.flows.iter().map(step).collect()
}

/// Goes over a thread's slices in the order of time.
struct Sweep<'a> {
    slices: &'a [Slice],
    next: usize,
    /// Slices that have begun, and how deep each lies; those that are over are taken off when they come up.
    open: Vec<(u32, u32)>,
    /// Ends and depths of what the next slice may lie in.
    nest: Vec<(Ns, u32)>,
    /// What begins at `now_ts`, by category: the deepest.
    now: HashMap<TextId, u32>,
    now_ts: Ns,
    /// The latest instant and its depth: it contains nothing but its own time.
    point: Option<(Ns, u32, u32)>,
    /// The time that was asked for last, and the innermost slice then.
    asked: (Ns, Option<u32>),
}

impl<'a> Sweep<'a> {
    fn new(slices: &'a [Slice]) -> Self {
        let never = Ns(i64::MIN);
        Self {
            slices,
            next: 0,
            open: Vec::new(),
            nest: Vec::new(),
            now: HashMap::default(),
            now_ts: never,
            point: None,
            asked: (never, None),
        }
    }

    fn advance(&mut self, ts: Ns) {
        while let Some(slice) = self.slices.get(self.next).filter(|slice| slice.start <= ts) {
            let number = u32::try_from(self.next).unwrap_or(NONE);
            if slice.start != self.now_ts {
                self.now.clear();
                self.now_ts = slice.start;
            }
            self.now.insert(slice.cat, number);
            let beside = |end: Ns| end < slice.start || (end == slice.start && slice.end > end);
            while self.nest.pop_if(|(end, _)| beside(*end)).is_some() {}
            let depth = self.nest.last().map_or(0, |(_, depth)| depth + 1);
            if slice.is_instant() {
                self.point = Some((slice.start, number, depth));
            } else {
                self.nest.push((slice.end, depth));
                let slices = self.slices;
                while self.open.pop_if(|(open, _)| slices[*open as usize].end < slice.start).is_some() {}
                self.open.push((number, depth));
            }
            self.next += 1;
        }
        while self.open.pop_if(|(open, _)| self.slices[*open as usize].end < ts).is_some() {}
    }

    /// The deepest that begins with a flow event and has its category.
    fn exact(&self, event: &Event) -> Option<u32> {
        if self.now_ts == event.ts { self.now.get(&event.cat).copied() } else { None }
    }

    /// The deepest slice that is open at a time, ends included, or instant at that very time. Where one slice ends and
    /// another begins, both are open.
    fn innermost(&mut self, ts: Ns) -> Option<u32> {
        if self.asked.0 == ts {
            return self.asked.1;
        }
        let mut deepest = self.point.filter(|(time, _, _)| *time == ts).map(|(_, number, depth)| (number, depth));
        for &(open, depth) in self.open.iter().rev() {
            let slice = &self.slices[open as usize];
            if slice.end < ts {
                continue;
            }
            if deepest.is_none_or(|(last, least)| (depth, open) > (least, last)) {
                deepest = Some((open, depth));
            }
            // What lies below one that began earlier is what contains it.
            if slice.start < ts {
                break;
            }
        }
        self.asked = (ts, deepest.map(|(open, _)| open));
        self.asked.1
    }
}

/// The steps that slices make by their `bind_id`.
pub(super) fn bound_slices(events: &Events, number: u32, slices: &[Slice]) -> Vec<Step> {
    let step = |(at, slice): (u32, &Slice)| {
        let event = &events.list[slice.source as usize];
        let may_step = matches!(event.ph, b'X' | b'B' | b'b' | b'n') && event.flags & Event::IS_STEP != 0;
        if !may_step || events.extra(event).bind.kind == IdKind::None {
            return None;
        }
        Some(Step {
            hash: Identity::of(events, event, true).hash(),
            ts: event.ts,
            event: slice.source,
            track: number,
            slice: at,
            by_bind: true,
        })
    };
    (0_u32..).zip(slices).filter_map(step).collect()
}

/// Puts steps of one identity together and cuts them into flows.
pub(super) fn cut(text: &[u8], events: &Events, mut steps: Vec<Step>, warnings: &mut Warnings) -> Vec<Flow> {
    for step in steps.iter().filter(|step| step.slice == NONE) {
        let offset = events.list[step.event as usize].offset;
        warnings.add(WarningKind::UnboundFlow, || format!("the event at byte {offset}"));
    }
    steps.par_sort_unstable_by_key(|step| (step.hash, step.ts, step.event));
    let runs: Vec<&[Step]> = steps.chunk_by(|a, b| a.hash == b.hash).collect();
    let of_run = |run: &&[Step]| {
        let identity = |step: &Step| Identity::of(events, &events.list[step.event as usize], step.by_bind);
        // Nearly always one: only texts of one hash make more. Each with the flow that goes on.
        let mut open: Vec<(Identity<'_>, Vec<Step>)> = Vec::new();
        let mut flows = Vec::new();
        for step in *run {
            let wanted = identity(step);
            let at = open.iter().position(|(known, _)| known.is(text, &wanted)).unwrap_or_else(|| {
                open.push((wanted, Vec::new()));
                open.len() - 1
            });
            let (identity, members) = &mut open[at];
            let phase = events.list[step.event as usize].ph;
            // A flow that begins again while it goes on: what leads to what cannot be told, so it is two.
            if !step.by_bind && phase == b's' && !members.is_empty() {
                flows.push(Flow { id: *identity.id, name: identity.name, steps: std::mem::take(members) });
            }
            if step.slice != NONE {
                members.push(*step);
            }
            if !step.by_bind && phase == b'f' && !members.is_empty() {
                flows.push(Flow { id: *identity.id, name: identity.name, steps: std::mem::take(members) });
            }
        }
        for (identity, steps) in open.into_iter().filter(|(_, steps)| !steps.is_empty()) {
            flows.push(Flow { id: *identity.id, name: identity.name, steps });
        }
        flows
    };
    runs.par_iter().flat_map_iter(of_run).collect()
}
