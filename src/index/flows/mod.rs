//! The flow graph: flows with their members, both ways, the context of flow markers, and look-up by id and time.
//!
//! A flow is one use of an id: it begins with the first marker that mentions the id and ends with the first terminating
//! field after that, or never. Everything is kept in flat columns of 32-bit numbers; texts of ids stay in the input.

mod book;
mod connections;
mod context;
mod explicit_flows;
mod ids;
mod items;
mod look;
mod lookup;
mod mentions;
mod named;
mod of_markers;
mod rules;
mod shape;
mod tracks;
mod walk;

use rayon::prelude::*;

pub use connections::{Chain, Connections, Direction};
pub use context::Children;
pub use items::ShapeSpan;
pub use look::{FlowLook, RuleBook};
pub use lookup::FlowName;
pub use named::MarkerFlow;
pub use rules::{FlowRule, FlowRules};
pub use shape::{FlowShape, group_name};
pub use tracks::{FlowSetup, FlowTrack};

use crate::profile::persist::persist;
use crate::profile::{Column, FlowId, MarkerId, Ns, Profile, ThreadId, TimeRange, Warnings};
use context::Context;
use ids::FlowIds;
use of_markers::MarkerFlows;
use walk::Flows;

/// All flows of a recording, numbered in the order in which they begin.
#[derive(Clone, Debug, Default)]
pub struct FlowGraph {
    ids: FlowIds,
    flows: Flows,
    of_markers: MarkerFlows,
    context: Context,
    /// First flow of each id.
    first_of_id: Column<FlowId>,
    /// For each flow whose id begins another one later, that one; ascending.
    next_of_id: Column<[FlowId; 2]>,
    /// Position of each flow among those that the recording states, if it does.
    explicit: Column<u32>,
    warnings: Warnings,
}
persist!(FlowGraph { ids, flows, of_markers, context, first_of_id, next_of_id, explicit, warnings });

/// Start and end of a marker. Ids come from the profile, so it is there.
pub(super) fn times_of(profile: &Profile, marker: MarkerId) -> TimeRange {
    let Some((thread, local)) = profile.locate(marker) else { return TimeRange::default() };
    let markers = &profile.thread(thread).markers;
    TimeRange { start: markers.start[local.index()], end: markers.end[local.index()] }
}

impl FlowGraph {
    /// Reads all flow fields and follows the ids, threads and ids in parallel.
    #[must_use]
    pub fn build(profile: &Profile) -> Self {
        if !profile.explicit_flows.is_empty() {
            return explicit_flows::build(profile);
        }
        let fields = mentions::flow_fields(profile);
        if fields.iter().all(mentions::FlowFields::is_empty) {
            return Self::default();
        }
        let threads: Vec<ThreadId> = (0..profile.threads.len()).map(ThreadId::new).collect();
        let mut threads: Vec<_> =
            threads.into_par_iter().with_max_len(1).map(|thread| mentions::read(profile, thread, &fields)).collect();
        let mut warnings = Warnings::default();
        for thread in &mut threads {
            warnings.merge(std::mem::take(&mut thread.warnings));
        }
        let (ids, numbers) = FlowIds::join(profile.source.bytes(), &threads);
        let flows = walk::walk(profile, &threads, &numbers, ids.len());
        let links = threads.iter_mut().map(|thread| std::mem::take(&mut thread.links)).collect::<Vec<_>>().concat();
        drop(threads);
        let (of_markers, context) = rayon::join(
            || MarkerFlows::build(profile.marker_count(), &flows.offsets, &flows.members),
            || Context::build(links),
        );
        let (first_of_id, next_of_id) = chain_ids(&flows.id_of, ids.len());
        Self { ids, flows, of_markers, context, first_of_id, next_of_id, explicit: Column::new(), warnings }
    }

    /// Number of flows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.flows.id_of.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.flows.id_of.is_empty()
    }

    /// Number of memberships: pairs of a flow and a marker in it.
    #[must_use]
    pub fn memberships(&self) -> usize {
        self.flows.members.len()
    }

    /// Number of markers that are in a flow.
    #[must_use]
    pub fn flow_markers(&self) -> usize {
        self.of_markers.len()
    }

    /// All flows.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = FlowId> + use<> {
        (0..self.len()).map(FlowId::new)
    }

    /// Whether a number stands for a flow.
    #[must_use]
    pub fn contains(&self, flow: FlowId) -> bool {
        flow.index() < self.len()
    }

    /// What was wrong with flow fields.
    #[must_use]
    pub const fn warnings(&self) -> &Warnings {
        &self.warnings
    }

    /// The markers of a flow in start order (ties by thread, then index), each once; empty for an unknown flow.
    #[must_use]
    pub fn members(&self, flow: FlowId) -> &[MarkerId] {
        match self.flows.offsets.get(flow.index()..flow.index() + 2) {
            Some(&[first, end]) => &self.flows.members[first as usize..end as usize],
            _ => &[],
        }
    }

    /// The flows a marker is in, ascending.
    #[must_use]
    pub fn flows_of(&self, marker: MarkerId) -> &[FlowId] {
        self.of_markers.of(marker)
    }

    /// The parent of a flow marker: the innermost stack-based interval flow marker of its thread open at its start.
    #[must_use]
    pub fn parent(&self, marker: MarkerId) -> Option<MarkerId> {
        self.context.parent(marker)
    }

    /// The flow markers whose parent a marker is, in start order.
    #[must_use]
    pub fn children(&self, marker: MarkerId) -> Children<'_> {
        self.context.children(marker)
    }

    /// Those that start within a range (both ends count).
    #[must_use]
    pub fn children_between(&self, profile: &Profile, marker: MarkerId, range: TimeRange) -> Children<'_> {
        let start = |marker| times_of(profile, marker).start;
        self.context.children_between(marker, |child| start(child) < range.start, |child| start(child) > range.end)
    }

    /// Number of pairs of parent and child.
    #[must_use]
    pub fn links(&self) -> usize {
        self.context.len()
    }

    /// From the start of a flow's first marker to the latest end of its markers.
    #[must_use]
    pub fn range(&self, profile: &Profile, flow: FlowId) -> TimeRange {
        let (Some(first), Some(last)) = (self.members(flow).first(), self.flows.last.get(flow.index())) else {
            return TimeRange::default();
        };
        TimeRange { start: times_of(profile, *first).start, end: times_of(profile, *last).end }
    }

    /// The position of a marker among a flow's members.
    #[must_use]
    pub fn position(&self, profile: &Profile, flow: FlowId, marker: MarkerId) -> Option<usize> {
        let key = |marker: MarkerId| (times_of(profile, marker).start, marker);
        let wanted = key(marker);
        self.members(flow).binary_search_by_key(&wanted, |member| key(*member)).ok()
    }

    /// The members of a flow that start within a range (both ends count), as positions.
    #[must_use]
    pub fn members_between(&self, profile: &Profile, flow: FlowId, from: Ns, to: Ns) -> std::ops::Range<usize> {
        let members = self.members(flow);
        let start = |marker: &MarkerId| times_of(profile, *marker).start;
        let first = members.partition_point(|marker| start(marker) < from);
        first..first + members[first..].partition_point(|marker| start(marker) <= to)
    }

    /// The marker after (or before) another one in a flow.
    #[must_use]
    pub fn beside(&self, profile: &Profile, flow: FlowId, marker: MarkerId, forward: bool) -> Option<MarkerId> {
        let here = self.position(profile, flow, marker)?;
        let next = if forward { here.checked_add(1)? } else { here.checked_sub(1)? };
        self.members(flow).get(next).copied()
    }

    /// Whether columns fit together.
    pub(super) fn is_whole(&self) -> bool {
        let Flows { id_of, last, offsets, members } = &self.flows;
        let flows = (offsets.len() == id_of.len() + 1 || id_of.is_empty()) && last.len() == id_of.len();
        let end = offsets.last().map_or(0, |end| *end as usize);
        flows && offsets.is_sorted() && end == members.len() && self.context.is_whole() && self.of_markers.is_whole()
    }

    /// Heap bytes held.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.ids.bytes()
            + self.flows.bytes()
            + self.of_markers.bytes()
            + self.context.bytes()
            + self.first_of_id.heap_bytes()
            + self.next_of_id.heap_bytes()
            + self.explicit.heap_bytes()
    }
}

/// The first flow of each id, and for each flow the next one of its id.
fn chain_ids(id_of: &[u32], id_count: usize) -> (Column<FlowId>, Column<[FlowId; 2]>) {
    const NONE: FlowId = FlowId(u32::MAX);
    let mut first = vec![NONE; id_count];
    // The latest flow seen of each id; only reused ids ever need it.
    let mut latest: std::collections::HashMap<u32, FlowId> = std::collections::HashMap::new();
    let mut next = Vec::new();
    for (flow, &id) in id_of.iter().enumerate() {
        let flow = FlowId::new(flow);
        let slot = &mut first[id as usize];
        if *slot == NONE {
            *slot = flow;
        } else {
            let before = latest.insert(id, flow).unwrap_or(*slot);
            next.push([before, flow]);
        }
    }
    next.sort_unstable();
    next.shrink_to_fit();
    (first.into(), next.into())
}
