//! Splits the steps of each identity into flows, in the order of (time, start before step before target, file).
//!
//! Arrows go from the slice that starts first. Therefore a step that the end event of a slice states precedes the steps
//! of its flow whose slices start later, as in Perfetto (`src/trace_processor/importers/common/flow_tracker.cc`).
//!
//! The steps are already distributed (`step_pieces`), so each piece is sorted separately and nearly fits into a core's
//! cache.

use std::cmp::Reverse;

use rayon::prelude::*;

use super::flow_step_partitions::StepPartitions;
use super::flow_steps::{Role, Step};
use crate::trace_events::text::ids::{NONE, TextId};
use crate::trace_events::text::trace::Trace;
use flowline_profile::{FlowStep, MarkerId, Ns, Reach, TimeRange};

/// A flow: its id and its name.
#[derive(Clone, Copy, Debug)]
pub(in crate::trace_events) struct Flow {
    /// Byte offset and hash of the id.
    pub(in crate::trace_events) id: (u64, u64),
    /// The name of the flow events.
    pub(in crate::trace_events) name: TextId,
    /// Number of steps.
    pub(in crate::trace_events) steps: u32,
    /// True if the first step continues or ends a flow that began before the recording.
    pub(in crate::trace_events) is_unposted: bool,
}

/// The flows of a piece.
#[derive(Debug, Default)]
pub(in crate::trace_events) struct Flows {
    pub(in crate::trace_events) flows: Vec<Flow>,
    /// For each step, true if it is a target, from which the flow does not continue.
    pub(in crate::trace_events) targets: Vec<bool>,
}

/// The steps of all flows, flow by flow, and the extent of each step's marker.
pub(in crate::trace_events) struct StepLists {
    pub(in crate::trace_events) steps: Vec<FlowStep>,
    pub(in crate::trace_events) reaches: Vec<Reach>,
}

/// Collects the flows of a piece step by step. The steps are written to their final position in the lists of all steps.
struct Splitter<'a, 's> {
    trace: &'a Trace,
    first_markers: &'a [MarkerId],
    flows: Flows,
    steps: &'s mut [FlowStep],
    reaches: &'s mut [Reach],
    /// Number of steps of all ended flows.
    ended: usize,
    /// The first step since the last flow; unlike the steps of flows, it can be without a slice.
    first: Option<FirstStep>,
    /// Positions and slices of the steps of the flow that end events state.
    ended_slices: Vec<(usize, TimeRange)>,
}

/// The first step of a flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FirstStep {
    /// A posting, or a step of which the trace does not state whether it is one.
    Posting,
    /// A step that continues or ends an earlier flow.
    Later,
}

impl FirstStep {
    /// A flow event `t` continues a flow. Slices with a `bind_id` have both directions even if they begin one.
    fn of(step: &Step, trace: &Trace) -> Self {
        match (step.role(), step.label(trace)) {
            (Role::Target | Role::End, _) | (Role::Step, Some(_)) => Self::Later,
            (Role::Start, _) | (Role::Step, None) => Self::Posting,
        }
    }
}

impl Splitter<'_, '_> {
    /// Splits steps that are sorted by hash.
    fn split_all(&mut self, sorted: &mut [Step]) {
        for run in sorted.chunk_by_mut(|a, b| a.identity.hash == b.identity.hash) {
            // At equal times, a start precedes the steps that it leads to, regardless of file order.
            run.sort_unstable_by_key(Step::order);
            self.split(run);
        }
    }

    /// Splits the steps with one hash into flows.
    fn split(&mut self, run: &[Step]) {
        let Some(first) = run.first() else { return };
        if run.iter().all(|step| step.identity == first.identity) {
            for step in run {
                // Only a start begins another flow. Steps after a target belong to the same flow, because one launch
                // may have many targets.
                if step.role() == Role::Start {
                    self.end(first);
                }
                self.first = self.first.or_else(|| Some(FirstStep::of(step, self.trace)));
                if step.slice != NONE {
                    let first = self.first_markers[step.track()];
                    let marker = MarkerId(first.0.saturating_add(step.slice));
                    let at = self.flows.targets.len();
                    self.steps[at] = FlowStep { time: step.ts, marker };
                    self.reaches[at] = step.reach();
                    self.ended_slices.extend(step.ended_slice().map(|slice| (at, slice)));
                    self.flows.targets.push(matches!(step.role(), Role::Target | Role::End));
                }
                if step.role() == Role::End {
                    self.end(first);
                }
            }
            self.end(first);
            return;
        }
        // Hash collision: split by identity.
        let (same, others): (Vec<Step>, Vec<Step>) = run.iter().partition(|step| step.identity == first.identity);
        self.split(&same);
        self.split(&others);
    }

    /// Ends the flow of the steps since the last flow. `identified` has its identity.
    fn end(&mut self, identified: &Step) {
        let count = self.flows.targets.len();
        let steps = u32::try_from(count - self.ended).unwrap_or(u32::MAX);
        if !self.ended_slices.is_empty() {
            self.order_by_slices();
        }
        if steps > 0 {
            let is_unposted = self.first == Some(FirstStep::Later);
            self.flows.flows.push(Flow { id: identified.id(), name: identified.name(self.trace), steps, is_unposted });
            self.ended = count;
        }
        self.first = None;
    }
}

/// A step while the steps of its flow are ordered.
#[derive(Clone, Copy)]
struct OrderedStep {
    /// Start of the slice whose end event states the step; time of another step.
    start: Ns,
    step: FlowStep,
    reach: Reach,
    is_target: bool,
    ended: Option<TimeRange>,
}

impl OrderedStep {
    /// By start. Of two slices that start together, the longer one contains the other.
    fn order(&self) -> (Ns, Reverse<Ns>) {
        (self.start, Reverse(self.ended.map_or(Ns(i64::MAX), |slice| slice.end)))
    }
}

impl Splitter<'_, '_> {
    /// Moves the steps of end events before the steps whose slices start later. Their times become those of the next
    /// steps, so that times still ascend.
    fn order_by_slices(&mut self) {
        let own = self.ended..self.flows.targets.len();
        let mut ended = std::mem::take(&mut self.ended_slices).into_iter().peekable();
        let ordered = |at: usize| {
            let step = self.steps[at];
            let ended = ended.next_if(|(place, _)| *place == at).map(|(_, slice)| slice);
            let (reach, is_target) = (self.reaches[at], self.flows.targets[at]);
            OrderedStep { start: ended.map_or(step.time, |slice| slice.start), step, reach, is_target, ended }
        };
        let mut list: Vec<OrderedStep> = own.clone().map(ordered).collect();
        if list.is_sorted_by_key(OrderedStep::order) {
            return;
        }
        // The flow ends with its last step, whichever event states that it does.
        let ends = list.last_mut().is_some_and(|last| last.ended.is_some() && std::mem::take(&mut last.is_target));
        list.sort_by_key(OrderedStep::order);
        if let Some(last) = list.last_mut() {
            last.is_target |= ends;
        }
        let mut next = Ns(i64::MAX);
        for step in list.iter_mut().rev() {
            if let Some(slice) = step.ended {
                step.step.time = step.step.time.min(next);
                step.reach = Reach::around(step.step.time, slice);
            }
            next = step.step.time;
        }
        for (at, step) in own.zip(list) {
            (self.steps[at], self.reaches[at], self.flows.targets[at]) = (step.step, step.reach, step.is_target);
        }
    }
}

/// Splits the steps of each identity into flows, piece by piece. `first_markers` contains the first marker of each
/// track; the list of steps has additional capacity for `more` steps.
pub(in crate::trace_events) fn split(
    trace: &Trace,
    first_markers: &[MarkerId],
    pieces: &StepPartitions,
    more: usize,
) -> (Vec<Flows>, StepLists) {
    let counts: Vec<usize> = (0..pieces.count()).map(|piece| pieces.len(piece)).collect();
    let total = counts.iter().sum();
    let mut lists = StepLists { steps: zeroed(total, more), reaches: zeroed(total, 0) };
    let (mut steps_left, mut reaches_left) = (&mut lists.steps[..], &mut lists.reaches[..]);
    let mut places = Vec::with_capacity(counts.len());
    for count in &counts {
        places.push((
            steps_left.split_off_mut(..*count).unwrap_or_default(),
            reaches_left.split_off_mut(..*count).unwrap_or_default(),
        ));
    }
    let split_piece = |(piece, (own_steps, reaches)): (usize, (&mut [FlowStep], &mut [Reach]))| {
        // The keys are small and compare without branches.
        let steps: Vec<&Step> = pieces.piece(piece).collect();
        let mut order: Vec<u128> =
            (0..).zip(&steps).map(|(at, step)| u128::from(step.identity.hash) << 64 | at).collect();
        order.sort_unstable();
        let at = |key: u128| usize::try_from(key & u128::from(u32::MAX)).unwrap_or_default();
        let mut sorted: Vec<Step> = order.into_iter().map(|key| *steps[at(key)]).collect();
        let flows = Flows { flows: Vec::new(), targets: Vec::with_capacity(sorted.len()) };
        let mut splitter = Splitter {
            trace,
            first_markers,
            flows,
            steps: own_steps,
            reaches,
            ended: 0,
            first: None,
            ended_slices: Vec::new(),
        };
        splitter.split_all(&mut sorted);
        splitter.flows
    };
    let parts: Vec<Flows> = places.into_par_iter().enumerate().map(split_piece).collect();
    lists.close_gaps(counts.iter().zip(&parts).map(|(count, part)| (*count, part.targets.len())));
    (parts, lists)
}

impl StepLists {
    /// Moves pieces together. Each piece has its capacity and the number of steps that bind to a marker.
    fn close_gaps(&mut self, pieces: impl Iterator<Item = (usize, usize)>) {
        let (mut from, mut to) = (0, 0);
        for (place, used) in pieces {
            if to < from {
                self.steps.copy_within(from..from + used, to);
                self.reaches.copy_within(from..from + used, to);
            }
            (from, to) = (from + place, to + used);
        }
        self.steps.truncate(to);
        self.reaches.truncate(to);
    }
}

/// Returns `count` zeros, which the system provides lazily, with capacity for `more`.
pub(in crate::trace_events) fn zeroed<T: bytemuck::Zeroable>(count: usize, more: usize) -> Vec<T> {
    let mut list = bytemuck::zeroed_vec(count + more);
    list.truncate(count);
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_are_closed_piece_by_piece() {
        let step = |number: usize| FlowStep { time: Ns(number as i64), marker: MarkerId::new(number) };
        let mut random = fastrand::Rng::with_seed(2);
        for _ in 0..100 {
            let mut piece = || {
                let place = random.usize(0..5);
                (place, random.usize(0..=place))
            };
            let pieces: Vec<(usize, usize)> = (0..8).map(|_| piece()).collect();
            let total = pieces.iter().map(|(place, _)| place).sum();
            let steps: Vec<FlowStep> = (0..total).map(step).collect();
            let mut lists = StepLists { steps, reaches: vec![Reach::UNKNOWN; total] };
            lists.close_gaps(pieces.iter().copied());
            let mut first = 0;
            let mut expected = Vec::new();
            for (place, used) in pieces {
                expected.extend((first..first + used).map(step));
                first += place;
            }
            assert_eq!((lists.reaches.len(), lists.steps), (expected.len(), expected));
        }
    }
}
