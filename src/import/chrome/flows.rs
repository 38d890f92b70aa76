//! Flows: which slice each step binds to, and which steps make a flow.
//!
//! Flow events (`s`, `t`, `f`) bind to a slice of their thread; `bind_id` makes the event's own slice a step; the slices
//! of one async id are a flow, too. Steps of one identity follow each other in the order of time; `f` ends a flow.

use std::hash::BuildHasher;

use foldhash::HashMap;
use foldhash::fast::FixedState;
use rayon::prelude::*;

use super::event::{Event, NONE, TextId};
use super::ids::{Id, IdKind};
use super::slices::Slice;
use super::trace::Trace;
use crate::profile::{Ns, WarningKind, Warnings};

/// A step: a flow event or a slice with a `bind_id`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// Hash of its identity.
    hash: u64,
    pub(super) ts: Ns,
    /// Place of its event.
    offset: u64,
    identity: Identity,
    /// Number of the track and position of the slice that it binds to; the latter [`NONE`] if there is none.
    pub(super) track: u32,
    pub(super) slice: u32,
    ph: u8,
}

/// A flow: its id and its name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flow {
    /// Place of its id's text.
    pub(super) id: u64,
    /// What the flow is called: the name of its flow events.
    pub(super) name: TextId,
    /// Number of its steps.
    pub(super) steps: u32,
}

/// Where a step stands: its time, the number of its line, the position there.
pub(super) type Stand = (Ns, u32, u32);

/// What tells flows apart.
#[derive(Clone, Copy, Debug)]
struct Identity {
    /// Number of the extra that holds the id.
    extra: u32,
    cat: TextId,
    name: TextId,
    pid: TextId,
    /// It is the `bind_id` that identifies it.
    by_bind: bool,
}

impl Identity {
    fn of_event(trace: &Trace, event: &Event) -> Self {
        let (name, cat) = trace.labels.get(event.label);
        let pid = if trace.extra(event).id.kind() == IdKind::Local { trace.pid(event) } else { NONE };
        Self { extra: event.extra, cat, name, pid, by_bind: false }
    }

    const fn of_bind(slice: &Slice) -> Self {
        Self { extra: slice.extra, cat: NONE, name: NONE, pid: NONE, by_bind: true }
    }

    fn id<'a>(&self, trace: &'a Trace) -> &'a Id {
        let extra = trace.extra_of(self.extra);
        if self.by_bind { &extra.bind } else { &extra.id }
    }

    fn hash(&self, trace: &Trace) -> u64 {
        let id = self.id(trace);
        FixedState::default().hash_one((self.by_bind, self.cat, self.name, self.pid, id.kind(), id.hash))
    }

    fn is(&self, trace: &Trace, other: &Self) -> bool {
        (self.by_bind, self.cat, self.name, self.pid) == (other.by_bind, other.cat, other.name, other.pid)
            && self.id(trace).is(other.id(trace))
    }
}

/// The slice that each flow event of a thread binds to; `slices` are the thread's, in their order.
/// `events` are in file order.
pub(super) fn bind(trace: &Trace, number: u32, events: &mut [Event], slices: &[Slice]) -> Vec<Step> {
    if events.is_empty() {
        return Vec::new();
    }
    events.sort_by_key(|event| event.ts);
    // Positions of what has a length or could have one: instants contain nothing.
    let solid: Vec<u32> = (0_u32..).zip(slices).filter(|(_, slice)| !slice.is_instant()).map(|(at, _)| at).collect();
    let mut sweep = Sweep::new(slices);
    let mut encloses: HashMap<TextId, bool> = HashMap::default();
    let step = |event: &Event| {
        sweep.advance(event.ts);
        let identity = Identity::of_event(trace, event);
        let category = || {
            let cat = trace.texts.get(identity.cat);
            cat.contains("input") || cat.contains("ipc.flow")
        };
        let enclosing = event.ph() != b'f'
            || event.has(Event::BIND_ENCLOSING)
            || *encloses.entry(identity.cat).or_insert_with(category);
        let found = sweep.exact(event.ts, identity.cat).or_else(|| {
            if enclosing {
                return sweep.innermost(event.ts);
            }
            let after = solid.partition_point(|at| slices[*at as usize].start < event.ts);
            solid.get(after).copied()
        });
        Step {
            hash: identity.hash(trace),
            ts: event.ts,
            offset: event.offset(),
            identity,
            track: number,
            slice: found.unwrap_or(NONE),
            ph: event.ph(),
        }
    };
    events.iter().map(step).collect()
}

/// Categories at one time that are searched one by one.
const FEW: usize = 16;

/// Goes over a thread's slices in the order of time.
struct Sweep<'a> {
    slices: &'a [Slice],
    next: usize,
    /// Slices that have begun, and how deep each lies; those that are over are taken off when they come up.
    open: Vec<(u32, u32)>,
    /// Ends and depths of what the next slice may lie in.
    nest: Vec<(Ns, u32)>,
    /// What begins at `now_ts`, by category: the deepest.
    now: Vec<(TextId, u32)>,
    /// Beyond the first few categories.
    more: HashMap<TextId, u32>,
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
            now: Vec::new(),
            more: HashMap::default(),
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
                if !self.more.is_empty() {
                    self.more.clear();
                }
                self.now_ts = slice.start;
            }
            match self.now.iter().position(|(cat, _)| *cat == slice.cat) {
                Some(known) => self.now[known].1 = number,
                None if self.now.len() < FEW => self.now.push((slice.cat, number)),
                None => drop(self.more.insert(slice.cat, number)),
            }
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
    fn exact(&self, ts: Ns, cat: TextId) -> Option<u32> {
        if self.now_ts != ts {
            return None;
        }
        let known = self.now.iter().find(|(known, _)| *known == cat).map(|(_, number)| *number);
        known.or_else(|| self.more.get(&cat).copied())
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
pub(super) fn bound_slices<'a>(
    trace: &'a Trace,
    number: u32,
    slices: &'a [Slice],
) -> impl Iterator<Item = Step> + use<'a> {
    let step = move |(at, slice): (u32, &Slice)| {
        if !slice.is_step() || trace.extra_of(slice.extra).bind.kind() == IdKind::None {
            return None;
        }
        let identity = Identity::of_bind(slice);
        Some(Step {
            hash: identity.hash(trace),
            ts: slice.stated(),
            offset: slice.place(),
            identity,
            track: number,
            slice: at,
            ph: 0,
        })
    };
    (0_u32..).zip(slices).filter_map(step)
}

/// Flows and their steps, one flow after the other.
#[derive(Debug, Default)]
pub(super) struct Flows {
    pub(super) flows: Vec<Flow>,
    pub(super) steps: Vec<Stand>,
}

impl Flows {
    /// Ends the flow whose steps are `members`, and begins anew.
    fn end(&mut self, trace: &Trace, identity: &Identity, members: &mut Vec<Stand>) {
        if let Some(steps) = u32::try_from(members.len()).ok().filter(|steps| *steps > 0) {
            self.flows.push(Flow { id: identity.id(trace).offset(), name: identity.name, steps });
            self.steps.append(members);
        }
    }

    /// Cuts the steps of one hash.
    fn cut(&mut self, trace: &Trace, run: &[&Step], members: &mut Vec<Stand>) {
        let Some(first) = run.first() else { return };
        let stand = |step: &Step| (step.ts, step.track, step.slice);
        if run.iter().all(|step| first.identity.is(trace, &step.identity)) {
            for step in run {
                // A flow that begins again while it goes on: what leads to what cannot be told, so it is two.
                if step.ph == b's' {
                    self.end(trace, &first.identity, members);
                }
                if step.slice != NONE {
                    members.push(stand(step));
                }
                if step.ph == b'f' {
                    self.end(trace, &first.identity, members);
                }
            }
            self.end(trace, &first.identity, members);
            return;
        }
        // Texts of one hash meet: each by itself.
        let (same, others): (Vec<&Step>, Vec<&Step>) =
            run.iter().partition(|step| first.identity.is(trace, &step.identity));
        self.cut(trace, &same, members);
        self.cut(trace, &others, members);
    }
}

/// Puts steps of one identity together and cuts them into flows.
pub(super) fn cut(trace: &Trace, steps: &[Step], warnings: &mut Warnings) -> Flows {
    for step in steps.iter().filter(|step| step.slice == NONE) {
        let offset = step.offset;
        warnings.add(WarningKind::UnboundFlow, || format!("the event at byte {offset}"));
    }
    // Hashes with numbers are what is sorted: few bytes, and compared without branches.
    let key = |(number, step): (usize, &Step)| u128::from(step.hash) << 64 | number as u128;
    let mut order: Vec<u128> = steps.par_iter().enumerate().map(key).collect();
    order.par_sort_unstable();
    let of_run = |a: &u128, b: &u128| a >> 64 == b >> 64;
    let step = |key: &u128| &steps[usize::try_from(key & u128::from(u64::MAX)).unwrap_or_default()];
    let of_piece = |piece: &[u128]| {
        let mut flows = Flows::default();
        let (mut run, mut members): (Vec<&Step>, _) = (Vec::new(), Vec::new());
        for keys in piece.chunk_by(of_run) {
            run.clear();
            run.extend(keys.iter().map(step));
            // Those of one time follow each other as in the file.
            run.sort_by_key(|step| (step.ts, step.offset));
            flows.cut(trace, &run, &mut members);
        }
        flows
    };
    let parts: Vec<Flows> = pieces(&order, of_run).into_par_iter().map(of_piece).collect();
    drop(order);
    let mut flows = Flows::default();
    flows.flows.reserve_exact(parts.iter().map(|part| part.flows.len()).sum());
    flows.steps.reserve_exact(parts.iter().map(|part| part.steps.len()).sum());
    for mut part in parts {
        flows.flows.append(&mut part.flows);
        flows.steps.append(&mut part.steps);
    }
    flows
}

/// Cuts a list into pieces of some thousands, never within a run.
fn pieces<T>(mut list: &[T], of_run: impl Fn(&T, &T) -> bool) -> Vec<&[T]> {
    let mut pieces = Vec::new();
    while !list.is_empty() {
        let least = list.len().min(1 << 13);
        let more = list[least - 1..].windows(2).take_while(|pair| of_run(&pair[0], &pair[1])).count();
        let (piece, rest) = list.split_at(least + more);
        pieces.push(piece);
        list = rest;
    }
    pieces
}
