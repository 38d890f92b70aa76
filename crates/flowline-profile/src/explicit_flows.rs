//! Explicit flows, which a recording lists step by step, as in trace events. Flows of Firefox profiles are derived from
//! flow fields of payloads instead (see `index::flows`).

use std::ops::Deref;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytemuck::{Pod, Zeroable};

use crate::Column;
use crate::persist::persist;
use crate::{MarkerId, StringId};
use flowline_format::{Ns, TimeRange};

/// A flow step, in 12 bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C, packed(4))]
pub struct FlowStep {
    /// Time of the step, which can differ from the start of its marker.
    pub time: Ns,
    /// The marker that the step binds to.
    pub marker: MarkerId,
}

/// A flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct ExplicitFlow {
    /// Byte offset of the scalar (string or number) with the flow's id.
    pub id: u64,
    /// Name in the recording; empty if it has none.
    pub name: StringId,
    /// Position after the last step of the flow.
    pub end: u32,
}

/// All explicit flows and their steps, grouped by flow, each in time order.
#[derive(Clone, Debug, Default)]
pub struct ExplicitFlows {
    /// The flows.
    pub flows: Column<ExplicitFlow>,
    /// Steps of all flows.
    pub steps: Column<FlowStep>,
    /// One bit per step, lowest first; set if the step is a target, from which no arrow continues.
    targets: Column<u64>,
    /// One bit per flow, lowest first; set if the recording does not contain the posting that began the flow. Flows
    /// beyond its end were posted, or nothing is known about their posting.
    unposted: Column<u64>,
    found: FlowHintSlot,
}
persist!(ExplicitFlows { flows, steps, targets, unposted; found });

/// Facts about flows that the importer already has. They save the index random memory accesses.
#[derive(Clone, Debug, Default)]
pub struct FlowHints {
    /// Hash of each flow's id: foldhash with a fixed seed over the bytes of the decoded text.
    pub hashes: Vec<u64>,
    /// Reach of each step's marker. There may be fewer than steps.
    pub reaches: Vec<Reach>,
}

/// Present until it is taken.
#[derive(Clone, Debug, Default)]
struct FlowHintSlot(Arc<Mutex<FlowHints>>);

/// Reach of a step's marker in nanoseconds: from its start to the step, and from the step to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
#[repr(C)]
pub struct Reach([u32; 2]);

impl Reach {
    /// Unknown reach.
    pub const UNKNOWN: Self = Self([u32::MAX; 2]);

    /// The reach of a marker around a step at `time`; [`Reach::UNKNOWN`] if either part exceeds four seconds, or if the
    /// step is outside the marker.
    #[must_use]
    #[inline]
    pub fn around(time: Ns, marker: TimeRange) -> Self {
        let length =
            |from: Ns, to: Ns| u32::try_from(to.0.checked_sub(from.0)?).ok().filter(|length| *length < u32::MAX);
        match (length(marker.start, time), length(time, marker.end)) {
            (Some(before), Some(after)) => Self([before, after]),
            _ => Self::UNKNOWN,
        }
    }

    /// Start and end of the marker of a step at `time`, if known.
    #[must_use]
    #[inline]
    pub fn range(self, time: Ns) -> Option<TimeRange> {
        let [before, after] = self.0.map(|length| Ns(i64::from(length)));
        (self != Self::UNKNOWN).then(|| TimeRange { start: time - before, end: time + after })
    }
}

impl ExplicitFlows {
    /// Flows with their steps, and one bit per step, lowest first, which is set if the step is a target.
    #[must_use]
    #[inline]
    pub fn new(flows: Vec<ExplicitFlow>, steps: Vec<FlowStep>, targets: Vec<u64>) -> Self {
        Self { flows: flows.into(), steps: steps.into(), targets: targets.into(), ..Self::default() }
    }

    /// Sets the flows whose posting is not recorded: one bit per flow, lowest first.
    #[must_use]
    pub fn with_unposted(self, unposted: Vec<u64>) -> Self {
        Self { unposted: unposted.into(), ..self }
    }

    /// True if the recording contains later steps of a flow, but not the posting that began it.
    #[must_use]
    pub fn is_unposted(&self, flow: usize) -> bool {
        self.unposted.get(flow / WORD).is_some_and(|word| word >> (flow % WORD) & 1 == 1)
    }

    /// True if there are no flows.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.flows.is_empty()
    }

    /// Adds a flow with its steps in time order; the flag of each step marks targets. A flow without steps is ignored.
    pub fn push(&mut self, id: u64, name: StringId, steps: impl IntoIterator<Item = (FlowStep, bool)>) {
        let before = self.steps.len();
        let (list, targets) = (self.steps.make_mut(), self.targets.make_mut());
        for (step, is_target) in steps {
            let bit = list.len() % WORD;
            if bit == 0 {
                targets.push(0);
            }
            if let Some(word) = targets.last_mut().filter(|_| is_target) {
                *word |= 1 << bit;
            }
            list.push(step);
        }
        if list.len() > before {
            let end = u32::try_from(list.len()).unwrap_or(u32::MAX);
            self.flows.push(ExplicitFlow { id, name, end });
        }
    }

    fn found(&self) -> MutexGuard<'_, FlowHints> {
        self.found.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Stores the importer's facts for [`ExplicitFlows::take_hints`], if they contain a hash for each flow.
    #[inline]
    pub fn set_hints(&self, found: FlowHints) {
        if found.hashes.len() == self.flows.len() {
            *self.found() = found;
        }
    }

    /// The importer's facts. Only the first call returns them; later calls, and calls on a restored profile, return
    /// nothing.
    #[must_use]
    #[inline]
    pub fn take_hints(&self) -> FlowHints {
        std::mem::take(&mut *self.found())
    }

    /// The steps of a flow in time order; empty for an unknown flow.
    #[must_use]
    #[inline]
    pub fn steps(&self, flow: usize) -> FlowSteps<'_> {
        let first = flow.checked_sub(1).and_then(|before| self.flows.get(before)).map_or(0, |flow| flow.end as usize);
        let list = self.flows.get(flow).and_then(|flow| self.steps.get(first..flow.end as usize)).unwrap_or_default();
        FlowSteps { list, first, targets: &self.targets }
    }

    /// Size of the heap memory in bytes.
    #[must_use]
    #[inline]
    pub fn bytes(&self) -> usize {
        let found = self.found();
        let found = found.hashes.capacity() * size_of::<u64>() + found.reaches.capacity() * size_of::<Reach>();
        self.flows.heap_bytes()
            + self.steps.heap_bytes()
            + self.targets.heap_bytes()
            + self.unposted.heap_bytes()
            + found
    }
}

/// Number of bits in a word of `targets`.
const WORD: usize = u64::BITS as usize;

/// The steps of a flow in time order, and the arrows between them.
///
/// The arrow to a step comes from the latest earlier step that is not a target, so several targets fan out from the
/// same step. The first step, and targets without an earlier source, have no arrow.
#[derive(Clone, Copy, Debug, Default)]
pub struct FlowSteps<'a> {
    list: &'a [FlowStep],
    /// Position of the first step among the steps of all flows.
    first: usize,
    targets: &'a [u64],
}

impl Deref for FlowSteps<'_> {
    type Target = [FlowStep];

    #[inline]
    fn deref(&self) -> &[FlowStep] {
        self.list
    }
}

impl<'a> FlowSteps<'a> {
    /// True if a step is a target, from which no arrow continues.
    #[must_use]
    #[inline]
    pub fn is_target(&self, step: usize) -> bool {
        let at = self.first + step;
        self.targets.get(at / WORD).is_some_and(|word| word >> (at % WORD) & 1 == 1)
    }

    /// The step from which the arrow to a step comes: the latest earlier step that is not a target. Checks 64 steps at
    /// once.
    #[must_use]
    pub fn source(&self, step: usize) -> Option<usize> {
        let mut end = self.first + step;
        while end > self.first {
            let (word, bits) = ((end - 1) / WORD, (end - 1) % WORD + 1);
            let sources = !self.targets.get(word)? & (u64::MAX >> (WORD - bits));
            if sources != 0 {
                let at = word * WORD + sources.ilog2() as usize;
                return at.checked_sub(self.first);
            }
            end = word * WORD;
        }
        None
    }

    /// All arrows, ordered by their end: the step where each begins and the step where it ends.
    pub fn arrows(self) -> impl Iterator<Item = (&'a FlowStep, &'a FlowStep)> {
        let mut source = None;
        self.list.iter().enumerate().filter_map(move |(at, step)| {
            let arrow = source.map(|source| (source, step));
            if !self.is_target(at) {
                source = Some(step);
            }
            arrow
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reach_restores_the_marker_or_is_unknown() {
        let marker = |start: i64, end: i64| TimeRange { start: Ns(start), end: Ns(end) };
        let far = i64::from(u32::MAX);
        for (time, range) in [(5, marker(5, 5)), (5, marker(0, 9)), (-3, marker(-9, far - 4)), (far, marker(1, far))] {
            assert_eq!(Reach::around(Ns(time), range).range(Ns(time)), Some(range));
        }
        for (time, range) in [(4, marker(5, 9)), (10, marker(5, 9)), (0, marker(0, far)), (far, marker(0, far))] {
            assert_eq!(Reach::around(Ns(time), range), Reach::UNKNOWN);
        }
        assert_eq!(Reach::UNKNOWN.range(Ns(0)), None);
        assert_eq!(Reach::around(Ns(i64::MAX), marker(i64::MIN, i64::MAX)), Reach::UNKNOWN);
    }

    #[test]
    fn arrows_come_from_the_latest_step_that_is_not_a_target() {
        let mut flows = ExplicitFlows::default();
        let step = |time: i64| FlowStep { time: Ns(time), marker: MarkerId(u32::try_from(time).unwrap_or(0)) };
        // Flows of several lengths, so that their first steps are at every bit position of a word.
        let mut random = 7_u64;
        let mut kinds: Vec<Vec<bool>> = Vec::new();
        for length in 1..150 {
            let mut target = || {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                random >> 61 != 0
            };
            kinds.push((0..length).map(|_| target()).collect());
        }
        for kinds in &kinds {
            flows.push(0, StringId(0), (0..).zip(kinds).map(|(time, target)| (step(time), *target)));
        }
        for (flow, kinds) in kinds.iter().enumerate() {
            let steps = flows.steps(flow);
            assert_eq!(steps.len(), kinds.len());
            let mut arrows = Vec::new();
            for at in 0..kinds.len() {
                assert_eq!(steps.is_target(at), kinds[at]);
                let expected = (0..at).rev().find(|before| !kinds[*before]);
                assert_eq!(steps.source(at), expected, "step {at} of flow {flow}");
                arrows.extend(expected.map(|from| (from, at)));
            }
            let found: Vec<(usize, usize)> =
                steps.arrows().map(|(from, to)| (from.marker.0 as usize, to.marker.0 as usize)).collect();
            assert_eq!(found, arrows);
        }
        assert!(flows.steps(1000).is_empty());
    }
}
