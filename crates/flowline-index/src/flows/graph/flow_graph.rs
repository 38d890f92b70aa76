//! The flow graph: all flows of a recording, their markers, and the relations of flow markers.

use super::context::{Children, Context};
use super::flow_builder::Flows;
use super::marker_flows::FlowsByMarker;
use crate::flows::ids::{FlowIds, FlowsById};
use flowline_profile::persist::persist;
use flowline_profile::{Column, Direction, FlowId, MarkerId, Ns, Profile, TimeRange, Warnings};

/// All flows of a recording, numbered in the order in which they begin.
#[derive(Clone, Debug, Default)]
pub struct FlowGraph {
    pub(crate) ids: FlowIds,
    pub(crate) flows: Flows,
    pub(crate) marker_flows: FlowsByMarker,
    pub(crate) context: Context,
    pub(crate) id_uses: FlowsById,
    /// Position of each flow among the recording's explicit flows; empty if the recording has none.
    pub(crate) explicit: Column<u32>,
    pub(crate) warnings: Warnings,
    pub(crate) is_known: bool,
}

persist!(FlowGraph { ids, flows, marker_flows, context, id_uses, explicit, warnings, is_known });

/// Start and end of a marker; an empty range if the profile has no such marker.
#[inline]
pub(crate) fn times_of(profile: &Profile, marker: MarkerId) -> TimeRange {
    profile.marker_range(marker)
}

/// Start of a marker; 0 if the profile has no such marker.
#[inline]
pub(crate) fn start_of(profile: &Profile, marker: MarkerId) -> Ns {
    times_of(profile, marker).start
}

/// End of a marker; its start for an instant, 0 if the profile has no such marker.
#[inline]
pub(crate) fn end_of(profile: &Profile, marker: MarkerId) -> Ns {
    times_of(profile, marker).end
}

impl FlowGraph {
    /// True if the flows have been computed. Before that, the graph is empty ([`Default`]).
    #[must_use]
    #[inline]
    pub const fn is_known(&self) -> bool {
        self.is_known
    }

    /// Number of flows.
    #[must_use]
    #[inline]
    pub fn len(&self) -> usize {
        self.flows.id_of.len()
    }

    /// True if there are no flows.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.flows.id_of.is_empty()
    }

    /// Number of memberships: pairs of a flow and a marker in it.
    #[must_use]
    #[inline]
    pub fn memberships(&self) -> usize {
        self.flows.members.len()
    }

    /// Number of markers that are in a flow.
    #[must_use]
    #[inline]
    pub fn flow_markers(&self) -> usize {
        self.marker_flows.len()
    }

    /// All flows.
    #[inline]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = FlowId> + use<> {
        (0..self.len()).map(FlowId::new)
    }

    /// True if the graph contains the flow.
    #[must_use]
    #[inline]
    pub fn contains(&self, flow: FlowId) -> bool {
        flow.index() < self.len()
    }

    /// Problems found in flow fields.
    #[must_use]
    #[inline]
    pub const fn warnings(&self) -> &Warnings {
        &self.warnings
    }

    /// Markers of a flow in start order (ties by thread, then index), each once; empty for an unknown flow.
    #[must_use]
    pub fn members(&self, flow: FlowId) -> &[MarkerId] {
        match self.flows.offsets.get(flow.index()..flow.index() + 2) {
            Some(&[first, end]) => &self.flows.members[first as usize..end as usize],
            _ => &[],
        }
    }

    /// Flows that contain a marker, ascending.
    #[must_use]
    #[inline]
    pub fn flows_of(&self, marker: MarkerId) -> &[FlowId] {
        self.marker_flows.flows_of(marker)
    }

    /// Parent of a flow marker: the innermost stack-based interval flow marker of its thread that contains it.
    #[must_use]
    #[inline]
    pub fn parent(&self, marker: MarkerId) -> Option<MarkerId> {
        self.context.parent(marker)
    }

    /// Flow markers whose parent is `marker`, in start order.
    #[must_use]
    #[inline]
    pub fn children(&self, marker: MarkerId) -> Children<'_> {
        self.context.children(marker)
    }

    /// Children that start within a range, both ends included.
    #[must_use]
    #[inline]
    pub fn children_between(&self, profile: &Profile, marker: MarkerId, range: TimeRange) -> Children<'_> {
        let start = |marker| times_of(profile, marker).start;
        self.context.children_between(marker, |child| start(child) < range.start, |child| start(child) > range.end)
    }

    /// Number of parent-child pairs.
    #[must_use]
    #[inline]
    pub fn links(&self) -> usize {
        self.context.len()
    }

    /// Time from the start of a flow's first marker to the latest end of its markers.
    #[must_use]
    pub fn range(&self, profile: &Profile, flow: FlowId) -> TimeRange {
        let (Some(first), Some(last)) = (self.members(flow).first(), self.flows.last.get(flow.index())) else {
            return TimeRange::default();
        };
        TimeRange { start: times_of(profile, *first).start, end: times_of(profile, *last).end }
    }

    /// Marker of a flow that ends last.
    #[must_use]
    #[inline]
    pub fn last_to_end(&self, flow: FlowId) -> Option<MarkerId> {
        self.flows.last.get(flow.index()).copied()
    }

    /// Position of a marker among a flow's members.
    #[must_use]
    #[inline]
    pub fn position(&self, profile: &Profile, flow: FlowId, marker: MarkerId) -> Option<usize> {
        let key = |marker: MarkerId| (times_of(profile, marker).start, marker);
        let wanted = key(marker);
        self.members(flow).binary_search_by_key(&wanted, |member| key(*member)).ok()
    }

    /// Positions of the members of a flow that start within a range, both ends included.
    #[must_use]
    pub fn members_between(&self, profile: &Profile, flow: FlowId, from: Ns, to: Ns) -> std::ops::Range<usize> {
        let members = self.members(flow);
        let start = |marker: &MarkerId| times_of(profile, *marker).start;
        let first = members.partition_point(|marker| start(marker) < from);
        first..first + members[first..].partition_point(|marker| start(marker) <= to)
    }

    /// Next or previous marker of a flow.
    #[must_use]
    pub fn sibling(&self, profile: &Profile, flow: FlowId, marker: MarkerId, direction: Direction) -> Option<MarkerId> {
        let here = self.position(profile, flow, marker)?;
        let next = match direction {
            Direction::Back => here.checked_sub(1)?,
            Direction::Forward => here.checked_add(1)?,
        };
        self.members(flow).get(next).copied()
    }

    /// True if the columns are consistent with each other.
    pub(crate) fn is_consistent(&self) -> bool {
        let Flows { id_of, last, offsets, members } = &self.flows;
        let flows_fit = (offsets.len() == id_of.len() + 1 || id_of.is_empty()) && last.len() == id_of.len();
        let end = offsets.last().map_or(0, |end| *end as usize);
        let members_fit = offsets.is_sorted() && end == members.len();
        flows_fit
            && members_fit
            && self.id_uses.is_consistent()
            && self.context.is_consistent()
            && self.marker_flows.is_consistent()
    }

    /// Heap memory in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.ids.bytes()
            + self.flows.bytes()
            + self.marker_flows.bytes()
            + self.context.bytes()
            + self.id_uses.bytes()
            + self.explicit.heap_bytes()
    }
}
