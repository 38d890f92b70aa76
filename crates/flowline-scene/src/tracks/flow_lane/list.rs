//! The list of flow lanes, which replaces the list of tracks in the layout by flow.

use std::sync::Arc;

use crate::layout::{
    FlowLaneGroup, FlowLaneHeading, FlowLaneItem, FlowLanes, InViewFilter, InstantLanes, Item, TrackList,
};
use flowline_index::Index;
use flowline_profile::FlowId;

impl TrackList {
    /// Lists flow lanes. With `in_view`, lanes that end before it or begin after it are omitted.
    #[must_use]
    pub fn of_flow_lanes(
        index: &Index,
        (flow_lanes, shows_instants): (&Arc<FlowLanes>, bool),
        in_view: Option<InViewFilter>,
    ) -> Self {
        let mut list = Self { items: Vec::with_capacity(flow_lanes.flows().len()), ..Self::default() };
        let flow_lanes = match in_view {
            None => Arc::clone(flow_lanes),
            Some(view) => {
                let (profile, graph) = (index.profile(), index.flows());
                let kept = view.selected.map_or(&[][..], |marker| graph.flows_of(marker));
                let is_shown = |flow: &FlowId| {
                    let range = graph.range(profile, *flow);
                    range.start <= view.range.end && range.end >= view.range.start || kept.contains(flow)
                };
                Arc::new(flow_lanes.filtered(graph.len(), is_shown))
            }
        };
        let mut groups = (0_u32..).zip(flow_lanes.groups()).peekable();
        for row in 0..=u32::try_from(flow_lanes.flows().len()).unwrap_or(u32::MAX) {
            while let Some((number, group)) = groups.next_if(|(_, group)| group.first <= row) {
                list.push(FlowLaneHeading { number, node: group.node, collapsed: group.collapsed });
            }
            if let Some(flow) = flow_lanes.flows().get(row as usize) {
                list.push(FlowLaneItem { flow: *flow, row });
            }
        }
        if flow_lanes.instants() > 0 {
            list.push(InstantLanes { count: flow_lanes.instants(), shown: shows_instants });
        }
        list.flow_lanes = Some(flow_lanes);
        list
    }

    /// A heading of flow lanes.
    pub(crate) fn lane_group(&self, number: usize) -> Option<&FlowLaneGroup> {
        self.flow_lanes.as_ref()?.groups().get(number)
    }

    /// The item of a flow lane.
    #[must_use]
    pub fn lane(&self, flow: FlowId) -> Option<&Item> {
        self.items.get(self.flow_lanes.as_ref()?.item(flow)?)
    }
}
