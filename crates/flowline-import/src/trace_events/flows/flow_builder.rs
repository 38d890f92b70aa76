//! The flows of a trace and of groups of async slices, with marker ids. They are built on demand, after the first
//! frame.

use rayon::prelude::*;

use super::flow_segmentation::{self, Flows, StepLists, zeroed};
use super::flow_step_partitions::StepPartitions;
use super::flow_steps::TrackSteps;
use crate::trace_events::asyncs::async_tracks::{AsyncGroupLabel, GroupMembers, MemberLocation};
use crate::trace_events::text::ids::TextId;
use crate::trace_events::text::trace::Trace;
use flowline_profile::{ExplicitFlow, ExplicitFlows, FlowHints, FlowStep, MarkerId, StringId, Strings};

/// Input for building the flows of a trace.
pub(in crate::trace_events) struct FlowBuilder {
    pub(in crate::trace_events) trace: Trace,
    pub(in crate::trace_events) steps: StepPartitions,
    /// The groups of async slices.
    pub(in crate::trace_events) groups: (Vec<AsyncGroupLabel>, GroupMembers),
    /// The first marker of each track.
    pub(in crate::trace_events) first_markers: Vec<MarkerId>,
    pub(in crate::trace_events) names: FlowNames,
}

impl FlowBuilder {
    /// Builds the flows of the steps, followed by the flows of groups.
    pub(in crate::trace_events) fn make(&self) -> ExplicitFlows {
        let (labels, members) = (self.groups.0.len(), self.groups.1.len());
        let (parts, lists) = flow_segmentation::split(&self.trace, &self.first_markers, &self.steps, members);
        self.join(parts, lists, labels)
    }

    fn step(&self, location: &MemberLocation) -> FlowStep {
        let first = self.first_markers[location.track as usize];
        FlowStep { time: location.time, marker: MarkerId(first.0.saturating_add(location.slice)) }
    }

    /// Joins the flows of `parts` in order, and the flows of groups. `room` is the capacity for the latter.
    fn join(&self, parts: Vec<Flows>, lists: StepLists, room: usize) -> ExplicitFlows {
        let (labels, members) = &self.groups;
        let step = |location: &MemberLocation| self.step(location);
        let StepLists { steps, reaches } = lists;
        let count = parts.iter().map(|part| part.flows.len()).sum::<usize>();
        let (mut flows, mut hashes) = (zeroed(count, room), zeroed(count, room));
        let mut pieces = Vec::with_capacity(parts.len());
        let (mut flows_left, mut hashes_left) = (&mut flows[..], &mut hashes[..]);
        let mut first = 0;
        for part in &parts {
            let own = (
                flows_left.split_off_mut(..part.flows.len()).unwrap_or_default(),
                hashes_left.split_off_mut(..part.flows.len()).unwrap_or_default(),
            );
            pieces.push((part, first, own));
            first += part.targets.len();
        }
        let ((targets, unposted), ()) = rayon::join(
            || (target_bits(&parts, steps.len()), unposted_bits(&parts, count)),
            || {
                pieces.into_par_iter().for_each(|(part, first, (flows, hashes))| {
                    let mut end = first;
                    for ((flow, hash), own) in flows.iter_mut().zip(hashes).zip(&part.flows) {
                        end += own.steps as usize;
                        let name = self.names.of(own.name);
                        *flow = ExplicitFlow { id: own.id.0, name, end: u32::try_from(end).unwrap_or(u32::MAX) };
                        *hash = own.id.1;
                    }
                });
            },
        );
        drop(parts);
        let mut explicit = ExplicitFlows::new(flows, steps, targets).with_unposted(unposted);
        let mut hashes: Vec<u64> = hashes;
        for (label, members) in labels.iter().zip(members.groups()) {
            if let Some(id) = label.id.filter(|_| members.len() > 1) {
                hashes.push(id.1);
                // The slices of an operation belong together, but none leads to the next.
                let name = self.names.of(label.name);
                explicit.push(id.0, name, members.iter().map(|location| (step(location), true)));
            }
        }
        explicit.set_hints(FlowHints { hashes, reaches });
        // The capacity included groups of one slice, which are not flows.
        explicit.flows.shrink_to_fit();
        explicit.steps.shrink_to_fit();
        explicit
    }
}

/// The names of flows by text.
pub(in crate::trace_events) struct FlowNames {
    by_text: Vec<Option<StringId>>,
    unnamed: StringId,
}

impl FlowNames {
    /// Interns the names of the flows of all steps and groups.
    pub(in crate::trace_events) fn intern(
        trace: &Trace,
        steps: &[TrackSteps],
        groups: &[AsyncGroupLabel],
        strings: &mut Strings,
    ) -> Self {
        let mut by_text = vec![None; trace.texts.len()];
        let mut used: Vec<TextId> = steps.iter().flat_map(|steps| steps.names(trace)).collect();
        // A set has no defined order.
        used.sort_unstable();
        for name in used.into_iter().chain(groups.iter().map(|group| group.name)) {
            match by_text.get_mut(name as usize) {
                Some(known) => _ = known.get_or_insert_with(|| strings.intern(trace.texts.get(name))),
                None => _ = strings.intern(""),
            }
        }
        Self { by_text, unnamed: strings.find("").unwrap_or(StringId(0)) }
    }

    /// Returns the name of a flow; empty without one.
    fn of(&self, name: TextId) -> StringId {
        self.by_text.get(name as usize).copied().flatten().unwrap_or(self.unnamed)
    }
}

/// Returns a bit per step, lowest first: 1 for a target.
fn target_bits(parts: &[Flows], count: usize) -> Vec<u64> {
    bits(parts.iter().flat_map(|part| &part.targets).copied(), count)
}

/// Returns a bit per flow, lowest first: 1 if its posting is not recorded.
fn unposted_bits(parts: &[Flows], count: usize) -> Vec<u64> {
    bits(parts.iter().flat_map(|part| &part.flows).map(|flow| flow.is_unposted), count)
}

/// Returns a bit per flag, lowest first.
fn bits(flags: impl Iterator<Item = bool>, count: usize) -> Vec<u64> {
    let mut bits = vec![0; count.div_ceil(u64::BITS as usize)];
    for (at, flag) in flags.enumerate() {
        bits[at / 64] |= u64::from(flag) << (at % 64);
    }
    bits
}
