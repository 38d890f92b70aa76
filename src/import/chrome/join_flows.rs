//! The flows of all parts, and those of groups of async slices, with marker ids.

use foldhash::HashSet;
use rayon::prelude::*;

use super::async_tracks::{AsyncGroupLabel, GroupMembers};
use super::ids::TextId;
use super::split_flows::{Flows, StepLocation};
use super::trace::Trace;
use crate::profile::{ExplicitFlow, ExplicitFlows, FlowStep, MarkerId, StringId, Strings};

/// Joins the flows of `parts`, in their order, and those of groups. `first_markers` has the first marker of each track.
pub(super) fn join(
    trace: &Trace,
    first_markers: &[MarkerId],
    (labels, members): (&[AsyncGroupLabel], &GroupMembers),
    parts: &[Flows],
    strings: &mut Strings,
) -> ExplicitFlows {
    let step = |location: &StepLocation| {
        let first = first_markers[location.track as usize];
        FlowStep { time: location.time, marker: MarkerId(first.0.saturating_add(location.slice)) }
    };
    let names = intern_names(trace, parts, strings);
    let name_of = |name: TextId| names.get(name as usize).copied().flatten();
    // Interned if a flow has no name.
    let unnamed = strings.find("").unwrap_or(StringId(0));
    let counts = [
        parts.iter().map(|part| part.flows.len()).sum::<usize>(),
        parts.iter().map(|part| part.steps.len()).sum::<usize>(),
    ];
    // With room for groups.
    let (mut flows, mut hashes) = (zeroed(counts[0], labels.len()), zeroed(counts[0], labels.len()));
    let mut steps = zeroed(counts[1], members.len());
    let mut pieces = Vec::with_capacity(parts.len());
    let (mut flows_left, mut hashes_left, mut steps_left) = (&mut flows[..], &mut hashes[..], &mut steps[..]);
    let mut first = 0;
    for part in parts {
        let own = (
            flows_left.split_off_mut(..part.flows.len()).unwrap_or_default(),
            hashes_left.split_off_mut(..part.flows.len()).unwrap_or_default(),
            steps_left.split_off_mut(..part.steps.len()).unwrap_or_default(),
        );
        pieces.push((part, first, own));
        first += part.steps.len();
    }
    let (targets, ()) = rayon::join(
        || target_bits(parts, counts[1]),
        || {
            pieces.into_par_iter().for_each(|(part, first, (flows, hashes, steps))| {
                let mut end = first;
                for ((flow, hash), own) in flows.iter_mut().zip(hashes).zip(&part.flows) {
                    end += own.steps as usize;
                    let name = name_of(own.name).unwrap_or(unnamed);
                    *flow = ExplicitFlow { id: own.id.0, name, end: u32::try_from(end).unwrap_or(u32::MAX) };
                    *hash = own.id.1;
                }
                steps.iter_mut().zip(&part.steps).for_each(|(slot, location)| *slot = step(location));
            });
        },
    );
    let mut explicit = ExplicitFlows::new(flows, steps, targets);
    let mut hashes: Vec<u64> = hashes;
    for (label, members) in labels.iter().zip(members.groups()) {
        if let Some(id) = label.id.filter(|_| members.len() > 1) {
            hashes.push(id.1);
            // The parts of an operation are together, but none leads to the next.
            let name = strings.intern(trace.texts.get(label.name));
            explicit.push(id.0, name, members.iter().map(|location| (step(location), true)));
        }
    }
    explicit.give_hashes(hashes);
    // Space was reserved for groups of one slice, too.
    explicit.flows.shrink_to_fit();
    explicit.steps.shrink_to_fit();
    explicit
}

/// So many zeros, which the system provides when they are first written; and room for more.
fn zeroed<T: bytemuck::Zeroable>(count: usize, more: usize) -> Vec<T> {
    let mut list = bytemuck::zeroed_vec(count + more);
    list.truncate(count);
    list
}

/// The names of all flows by text, interned in the order in which they come first.
fn intern_names(trace: &Trace, parts: &[Flows], strings: &mut Strings) -> Vec<Option<StringId>> {
    let names_of = |part: &Flows| {
        let mut seen = HashSet::default();
        part.flows.iter().map(|flow| flow.name).filter(|name| seen.insert(*name)).collect::<Vec<TextId>>()
    };
    let found: Vec<Vec<TextId>> = parts.par_iter().map(names_of).collect();
    let mut names = vec![None; trace.texts.len()];
    for name in found.into_iter().flatten() {
        match names.get_mut(name as usize) {
            Some(known) => _ = known.get_or_insert_with(|| strings.intern(trace.texts.get(name))),
            None => _ = strings.intern(""),
        }
    }
    names
}

/// A bit for each step, lowest first: whether it is a target.
fn target_bits(parts: &[Flows], count: usize) -> Vec<u64> {
    let mut bits = vec![0; count.div_ceil(u64::BITS as usize)];
    for (at, is_target) in parts.iter().flat_map(|part| &part.targets).enumerate() {
        bits[at / 64] |= u64::from(*is_target) << (at % 64);
    }
    bits
}
