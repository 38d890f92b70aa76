//! Splits the steps of each identity into flows, in the order of (time, start before step before target, file).

use rayon::prelude::*;

use super::flows::{Identity, Role, Step};
use super::ids::{NONE, TextId};
use super::trace::Trace;
use crate::profile::{Ns, WarningKind, Warnings};

/// A flow: its id and its name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flow {
    /// Byte offset and hash of its id.
    pub(super) id: (u64, u64),
    /// The name of its flow events.
    pub(super) name: TextId,
    /// Number of its steps.
    pub(super) steps: u32,
}

/// Where a step is.
#[derive(Clone, Copy, Debug)]
pub(super) struct StepLocation {
    pub(super) time: Ns,
    /// Index of the track.
    pub(super) track: u32,
    /// Index of the slice in the track.
    pub(super) slice: u32,
}

/// Flows, and their steps flow by flow.
#[derive(Debug, Default)]
pub(super) struct Flows {
    pub(super) flows: Vec<Flow>,
    pub(super) steps: Vec<StepLocation>,
    /// Whether each step is a target, from which nothing goes on.
    pub(super) targets: Vec<bool>,
}

impl Flows {
    /// Adds the flow with the steps `members`, and empties them.
    fn end(&mut self, trace: &Trace, identity: &Identity, members: &mut Vec<(StepLocation, Role)>) {
        if let Some(steps) = u32::try_from(members.len()).ok().filter(|steps| *steps > 0) {
            self.flows.push(Flow { id: identity.id(trace).place(), name: identity.name, steps });
            self.targets.extend(members.iter().map(|(_, role)| *role == Role::Target));
            self.steps.extend(members.drain(..).map(|(location, _)| location));
        }
    }

    /// Splits the steps of one hash into flows.
    fn split(&mut self, trace: &Trace, run: &[&Step], members: &mut Vec<(StepLocation, Role)>) {
        let Some(first) = run.first() else { return };
        let location = |step: &Step| StepLocation { time: step.ts, track: step.track, slice: step.slice };
        if run.iter().all(|step| first.identity.matches(&step.identity)) {
            for step in run {
                // Only a start begins another flow. What follows a target belongs to the same flow: one launch has many
                // targets.
                if step.role == Role::Start {
                    self.end(trace, &first.identity, members);
                }
                if step.slice != NONE {
                    members.push((location(step), step.role));
                }
            }
            self.end(trace, &first.identity, members);
            return;
        }
        // A hash collision: split by identity.
        let (same, others): (Vec<&Step>, Vec<&Step>) =
            run.iter().partition(|step| first.identity.matches(&step.identity));
        self.split(trace, &same, members);
        self.split(trace, &others, members);
    }
}

/// Groups steps by identity and splits them into flows, which come in some lists. Steps of one identity, time, role and event
/// are in the order of `lists`.
pub(super) fn split(trace: &Trace, lists: &[Vec<Step>], warnings: &mut Warnings) -> Vec<Flows> {
    let unbound = |steps: &Vec<Step>| {
        let unbound = steps.iter().filter(|step| step.slice == NONE);
        unbound.map(|step| step.offset).collect::<Vec<u64>>()
    };
    let unbound: Vec<Vec<u64>> = lists.par_iter().map(unbound).collect();
    for offset in unbound.into_iter().flatten() {
        warnings.add(WarningKind::UnboundFlow, || format!("the event at byte {offset}"));
    }
    // Keys of hash, list and position are small and compare without branches.
    let mut order: Vec<u128> = bytemuck::zeroed_vec(lists.iter().map(Vec::len).sum());
    let mut left = &mut order[..];
    let mut of_lists = Vec::with_capacity(lists.len());
    for (list, steps) in lists.iter().enumerate() {
        of_lists.push((list, steps, left.split_off_mut(..steps.len()).unwrap_or_default()));
    }
    of_lists.into_par_iter().for_each(|(list, steps, keys)| {
        for (at, (step, key)) in steps.iter().zip(keys).enumerate() {
            *key = u128::from(step.hash) << 64 | (list as u128) << 32 | at as u128;
        }
    });
    order.par_sort_unstable();
    let same_hash = |a: &u128, b: &u128| a >> 64 == b >> 64;
    let word = |key: u128| usize::try_from(key & u128::from(u32::MAX)).unwrap_or_default();
    let step = |key: &u128| &lists[word(key >> 32)][word(*key)];
    let split_piece = |piece: &[u128]| {
        let mut flows = Flows::default();
        let (mut run, mut members): (Vec<&Step>, _) = (Vec::new(), Vec::new());
        for keys in piece.chunk_by(same_hash) {
            run.clear();
            run.extend(keys.iter().map(step));
            // At one time, a start comes before what it leads to, wherever it stands in the file.
            run.sort_by_key(|step| (step.ts, step.role, step.offset));
            flows.split(trace, &run, &mut members);
        }
        flows
    };
    pieces(&order, same_hash).into_par_iter().map(split_piece).collect()
}

/// Splits a list into pieces of some thousands, never within a run.
fn pieces<T>(mut list: &[T], same_run: impl Fn(&T, &T) -> bool) -> Vec<&[T]> {
    let mut pieces = Vec::new();
    while !list.is_empty() {
        let minimum = list.len().min(1 << 13);
        let more = list[minimum - 1..].windows(2).take_while(|pair| same_run(&pair[0], &pair[1])).count();
        let (piece, rest) = list.split_at(minimum + more);
        pieces.push(piece);
        list = rest;
    }
    pieces
}
