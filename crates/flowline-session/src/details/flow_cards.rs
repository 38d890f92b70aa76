//! Text of a marker's flows and of its context.

use flowline_index::Index;
use flowline_index::flows::MarkerFlow;
use flowline_profile::text::LabelKind;
use flowline_profile::{DisplayClock, FlowId, MarkerId};

/// Maximum number of children whose flows are counted.
pub const MAX_COUNTED_CHILDREN: usize = 10_000;
/// Maximum number of listed flows.
const MAX_LISTED: usize = 40;

/// The flows of a marker as displayed.
#[derive(Clone, Debug, Default)]
pub struct FlowCards {
    /// The first flows of the marker.
    pub flows: Vec<MarkerFlow>,
    /// Number of all flows of the marker.
    pub total: usize,
    /// The parent by the marker's context, with its label.
    pub parent: Option<(MarkerId, String)>,
    /// The first children with their labels.
    pub led_to: Vec<(MarkerId, String)>,
    /// Number of children, and number of their flows (counted up to [`MAX_COUNTED_CHILDREN`] children).
    pub children: (usize, usize),
    /// The event that initiated the marker, with its label.
    pub initiator: Option<(MarkerId, String)>,
    /// The first events initiated by the marker, with their labels.
    pub initiated: Vec<(MarkerId, String)>,
    /// Number of events initiated by the marker.
    pub all_initiated: usize,
}

impl FlowCards {
    /// The cards of a marker.
    #[must_use]
    pub fn for_marker(index: &Index, marker: MarkerId, clock: DisplayClock) -> Self {
        let (profile, graph) = (index.profile(), index.flows());
        let label = |marker: MarkerId| {
            let (thread, local) = profile.locate(marker)?;
            Some((marker, profile.marker_label(LabelKind::Tooltip, thread, local, clock)))
        };
        // Initiators are missing at first; `Cards` starts the search for them.
        let initiators = index.initiators_if_built();
        let initiated = initiators.map_or(&[][..], |initiators| initiators.led_to(marker));
        let children = graph.children(marker);
        let mut in_flows: Vec<FlowId> =
            children.clone().take(MAX_COUNTED_CHILDREN).flat_map(|child| graph.flows_of(child)).copied().collect();
        in_flows.sort_unstable();
        in_flows.dedup();
        Self {
            flows: graph.marker_flows(profile, marker, MAX_LISTED),
            total: graph.flows_of(marker).len(),
            led_to: children.clone().take(MAX_LISTED).filter_map(label).collect(),
            parent: graph.parent(marker).and_then(label),
            children: (children.len(), in_flows.len()),
            initiator: initiators.and_then(|initiators| initiators.of(marker)).and_then(label),
            initiated: initiated.iter().take(MAX_LISTED).copied().filter_map(label).collect(),
            all_initiated: initiated.len(),
        }
    }

    /// The listed flows.
    #[must_use]
    pub fn flows(&self) -> &[MarkerFlow] {
        &self.flows
    }
}
