//! Steps of flows, and the slices that they bind to. Flow events (`s`, `t`, `f`) bind to a slice of their thread, or to an
//! async slice (`async_steps`); `bind_id` makes the event's own slice a step.

use std::hash::BuildHasher;

use foldhash::HashMap;
use foldhash::fast::FixedState;

use super::event::Event;
use super::ids::{Id, IdKind, NONE, TextId};
use super::slices::Slice;
use super::trace::Trace;
use crate::profile::Ns;

/// A step: a flow event or a slice with a `bind_id`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// Hash of its identity.
    pub(super) hash: u64,
    pub(super) ts: Ns,
    /// Byte offset of its event.
    pub(super) offset: u64,
    pub(super) identity: Identity,
    /// Index of the track, and of the slice in it that the step binds to; [`NONE`] without such a slice.
    pub(super) track: u32,
    pub(super) slice: u32,
    pub(super) role: Role,
    pub(super) exactness: Exactness,
}

/// What a step is in its flow, in the order of steps of one time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Role {
    /// It begins a flow: `s`, or `flow_out` alone.
    Start,
    /// It goes on: `t`, or `flow_in` with `flow_out`.
    Step,
    /// It is a target, from which nothing goes on: `f`, or `flow_in` alone.
    Target,
}

/// What a flow event shares with the slice that begins at its time on its thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Exactness {
    /// No slice begins at its time with its category.
    None,
    /// The category.
    Category,
    /// Category and name.
    Name,
}

impl Step {
    /// Name and category of a flow event; `None` if the step is a slice with a `bind_id`.
    pub(super) fn label(&self) -> Option<(TextId, TextId)> {
        (!self.identity.by_bind).then_some((self.identity.name, self.identity.cat))
    }
}

/// What the steps of a flow have in common.
#[derive(Clone, Copy, Debug)]
pub(super) struct Identity {
    /// Number of the extra with the id.
    extra: u32,
    cat: TextId,
    pub(super) name: TextId,
    pid: TextId,
    /// Whether the id is a `bind_id`.
    by_bind: bool,
    /// The id's kind.
    kind: IdKind,
    /// The id's [`Id::check`]: with it, comparing two identities reads no extras, which lie far apart.
    check: u64,
}

impl Identity {
    fn for_event(trace: &Trace, event: &Event) -> Self {
        let (name, cat) = trace.labels.get(event.label);
        let id = &trace.extra(event).id;
        let pid = if id.kind() == IdKind::Local { trace.pid(event) } else { NONE };
        Self { extra: event.extra, cat, name, pid, by_bind: false, kind: id.kind(), check: id.check() }
    }

    const fn for_bind_id(slice: &Slice, id: &Id) -> Self {
        let (kind, check) = (id.kind(), id.check());
        Self { extra: slice.extra, cat: NONE, name: NONE, pid: NONE, by_bind: true, kind, check }
    }

    pub(super) fn id(&self, trace: &Trace) -> Id {
        let extra = trace.extra_at(self.extra);
        if self.by_bind { extra.bind } else { extra.id }
    }

    fn hash(&self, trace: &Trace) -> u64 {
        let id = self.id(trace);
        FixedState::default().hash_one((self.by_bind, self.cat, self.name, self.pid, id.kind(), id.hash))
    }

    /// Whether two identities with equal hashes are the same.
    pub(super) fn matches(&self, other: &Self) -> bool {
        (self.by_bind, self.cat, self.name, self.pid, self.kind, self.check)
            == (other.by_bind, other.cat, other.name, other.pid, other.kind, other.check)
    }
}

/// Binds the flow events of a thread, which are in file order, to the thread's sorted slices.
pub(super) fn bind(trace: &Trace, number: u32, events: &mut [Event], slices: &[Slice]) -> Vec<Step> {
    if events.is_empty() {
        return Vec::new();
    }
    events.sort_by_key(|event| event.ts);
    // Instants contain nothing.
    let intervals: Vec<u32> =
        (0_u32..).zip(slices).filter(|(_, slice)| !slice.is_instant()).map(|(at, _)| at).collect();
    let mut sweep = Sweep::new(slices);
    let mut encloses: HashMap<TextId, bool> = HashMap::default();
    let step = |event: &Event| {
        sweep.advance(event.ts);
        let identity = Identity::for_event(trace, event);
        let category = || {
            let cat = trace.texts.get(identity.cat);
            cat.contains("input") || cat.contains("ipc.flow")
        };
        let enclosing = event.ph() != b'f'
            || event.has(Event::BIND_ENCLOSING)
            || *encloses.entry(identity.cat).or_insert_with(category);
        let exact = sweep.exact(event.ts, identity.cat);
        let exactness = match exact {
            None => Exactness::None,
            Some(slice) if slices[slice as usize].name == identity.name => Exactness::Name,
            Some(_) => Exactness::Category,
        };
        let found = exact.or_else(|| {
            if enclosing {
                return sweep.innermost(event.ts);
            }
            let after = intervals.partition_point(|at| slices[*at as usize].start < event.ts);
            intervals.get(after).copied()
        });
        Step {
            hash: identity.hash(trace),
            ts: event.ts,
            offset: event.offset(),
            identity,
            track: number,
            slice: found.unwrap_or(NONE),
            role: match event.ph() {
                b's' => Role::Start,
                b't' => Role::Step,
                _ => Role::Target,
            },
            exactness,
        }
    };
    events.iter().map(step).collect()
}

/// Categories at one time that are searched linearly.
const MAX_LINEAR_CATEGORIES: usize = 16;

/// Sweeps over a thread's slices in time order.
struct Sweep<'a> {
    slices: &'a [Slice],
    next: usize,
    /// Slices that have begun, with their depth. Slices that have ended are removed lazily.
    open: Vec<(u32, u32)>,
    /// Ends and depths of the slices that may contain the next one.
    nest: Vec<(Ns, u32)>,
    /// The deepest slice that begins at `now_ts`, by category.
    now: Vec<(TextId, u32)>,
    /// The same, for further categories.
    more: HashMap<TextId, u32>,
    now_ts: Ns,
    /// The latest instant: time, index, depth.
    point: Option<(Ns, u32, u32)>,
    /// The last result of [`Sweep::innermost`], with its time.
    cached: (Ns, Option<u32>),
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
            cached: (never, None),
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
                None if self.now.len() < MAX_LINEAR_CATEGORIES => self.now.push((slice.cat, number)),
                None => drop(self.more.insert(slice.cat, number)),
            }
            let is_outside = |end: Ns| end < slice.start || (end == slice.start && slice.end > end);
            while self.nest.pop_if(|(end, _)| is_outside(*end)).is_some() {}
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

    /// The deepest slice that begins at the time of a flow event and has its category.
    fn exact(&self, ts: Ns, cat: TextId) -> Option<u32> {
        if self.now_ts != ts {
            return None;
        }
        let known = self.now.iter().find(|(known, _)| *known == cat).map(|(_, number)| *number);
        known.or_else(|| self.more.get(&cat).copied())
    }

    /// The deepest slice that is open at `ts`, ends included, or an instant at that time. Where one slice ends and another
    /// begins, both are open.
    fn innermost(&mut self, ts: Ns) -> Option<u32> {
        if self.cached.0 == ts {
            return self.cached.1;
        }
        let mut deepest = self.point.filter(|(time, _, _)| *time == ts).map(|(_, number, depth)| (number, depth));
        for &(open, depth) in self.open.iter().rev() {
            let slice = &self.slices[open as usize];
            if slice.end < ts {
                continue;
            }
            if deepest.is_none_or(|(number, deepest)| (depth, open) > (deepest, number)) {
                deepest = Some((open, depth));
            }
            // Slices below one that began earlier contain it.
            if slice.start < ts {
                break;
            }
        }
        self.cached = (ts, deepest.map(|(open, _)| open));
        self.cached.1
    }
}

/// The steps of slices with a `bind_id`.
pub(super) fn bound_slices<'a>(
    trace: &'a Trace,
    number: u32,
    slices: &'a [Slice],
) -> impl Iterator<Item = Step> + use<'a> {
    let step = move |(at, slice): (u32, &Slice)| {
        let role = match slice.flow_direction() {
            (false, false) => return None,
            (false, true) => Role::Start,
            (true, true) => Role::Step,
            (true, false) => Role::Target,
        };
        let id = &trace.extra_at(slice.extra).bind;
        if id.kind() == IdKind::None {
            return None;
        }
        let identity = Identity::for_bind_id(slice, id);
        Some(Step {
            hash: identity.hash(trace),
            ts: slice.event_time(),
            offset: slice.offset(),
            identity,
            track: number,
            slice: at,
            role,
            exactness: Exactness::Name,
        })
    };
    (0_u32..).zip(slices).filter_map(step)
}
