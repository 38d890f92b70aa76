//! Binds the steps of flows to slices. Flow events (`s`, `t`, `f`) bind to a slice of their thread, or to an async
//! slice (`async_steps`). A slice with a `bind_id` is a step itself.

use foldhash::HashMap;

use super::flow_steps::{SliceMatch, Step};
use crate::trace_events::text::event::Event;
use crate::trace_events::text::ids::{NONE, TextId};
use crate::trace_events::text::trace::Trace;
use crate::trace_events::tracks::slice::{Slice, is_outside};
use flowline_profile::{Ns, StartOrder};

/// Binds the flow events of a thread, in file order, to the thread's sorted slices.
pub(in crate::trace_events) fn bind<'a>(
    trace: &'a Trace,
    number: u32,
    events: &'a [Event],
    slices: &'a [Slice],
) -> impl Iterator<Item = Step> + use<'a> {
    let order = (!events.is_sorted_by_key(|event| event.ts))
        .then(|| StartOrder::new(events.iter().map(|event| event.ts), <[u128]>::sort_unstable));
    let in_order = if order.is_some() { 0 } else { events.len() };
    // Instants contain nothing.
    let intervals = move || (0_u32..).zip(slices).filter(|(_, slice)| !slice.is_instant()).map(|(at, _)| at).collect();
    let mut known_intervals: Option<Vec<u32>> = None;
    let mut sweep = Sweep::new(slices);
    let mut encloses: HashMap<TextId, bool> = HashMap::default();
    let step = move |event: &Event| {
        sweep.advance(event.ts);
        let (name, cat) = trace.labels.get(event.label);
        let category = || {
            let cat = trace.texts.get(cat);
            cat.contains("input") || cat.contains("ipc.flow")
        };
        let enclosing =
            event.ph() != b'f' || event.has(Event::BIND_ENCLOSING) || *encloses.entry(cat).or_insert_with(category);
        let exact = sweep.exact(event.ts, cat);
        let exactness = match exact {
            None => SliceMatch::None,
            Some(slice) if slices[slice as usize].name == name => SliceMatch::Name,
            Some(_) => SliceMatch::Category,
        };
        let found = exact.or_else(|| {
            if enclosing {
                return sweep.innermost(event.ts);
            }
            let intervals = known_intervals.get_or_insert_with(intervals);
            let after = intervals.partition_point(|at| slices[*at as usize].start < event.ts);
            intervals.get(after).copied()
        });
        let slice = found.and_then(|found| slices.get(found as usize));
        Step::of_event(trace, number, event, (found.unwrap_or(NONE), slice, exactness))
    };
    order.into_iter().flat_map(StartOrder::positions).chain(0..in_order).map(move |at| &events[at]).map(step)
}

/// Number of categories at one time that are searched linearly.
const MAX_LINEAR_CATEGORIES: usize = 16;

/// Sweeps over a thread's slices in time order.
struct Sweep<'a> {
    slices: &'a [Slice],
    next: usize,
    /// Started slices with their depth. Ended slices are removed lazily.
    open: Vec<(u32, u32)>,
    /// Ends and depths of the slices that may contain the next one.
    nest: Vec<(Ns, u32)>,
    /// The deepest slice that starts at `now_ts`, by category.
    now: Vec<(TextId, u32)>,
    /// More categories like `now`, beyond [`MAX_LINEAR_CATEGORIES`].
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
            while self.nest.pop_if(|(end, _)| is_outside(slice.range(), *end)).is_some() {}
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

    /// Returns the deepest slice that starts at the time of a flow event and has its category.
    fn exact(&self, ts: Ns, cat: TextId) -> Option<u32> {
        if self.now_ts != ts {
            return None;
        }
        let known = self.now.iter().find(|(known, _)| *known == cat).map(|(_, number)| *number);
        known.or_else(|| self.more.get(&cat).copied())
    }

    /// Returns the deepest slice that is open at `ts`, ends included, or an instant at that time. Where one slice ends
    /// and another begins, both are open.
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
            // The slices below a slice that started earlier contain it.
            if slice.start < ts {
                break;
            }
        }
        self.cached = (ts, deepest.map(|(open, _)| open));
        self.cached.1
    }
}

/// Iterates over the steps of slices with a `bind_id` or a list of flows.
pub(in crate::trace_events) fn bound_slices<'a>(
    trace: &'a Trace,
    number: u32,
    slices: &'a [Slice],
) -> impl Iterator<Item = Step> + use<'a> {
    (0_u32..).zip(slices).flat_map(move |(at, slice)| {
        Step::of_slice(trace, number, at, slice).into_iter().chain(Step::of_flow_ids(trace, number, at, slice))
    })
}
