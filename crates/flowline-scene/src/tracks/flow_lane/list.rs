//! The list of flow lanes, which replaces the list of tracks in the layout by flow.

use std::cell::Cell;
use std::sync::Arc;

use crate::layout::{
    FlowLaneGroup, FlowLaneHeading, FlowLaneItem, FlowLanes, InViewFilter, InstantLanes, Item, OutsideLanes, TrackList,
};
use flowline_index::Index;
use flowline_index::flows::{RuleMatcher, SegmentKind, TimelineSegment};
use flowline_profile::{FlowId, Ns, TimeRange};
use flowline_view::FlowLaneView;

/// At most this many members are examined for lanes that may be idle in the whole visible range.
const MAX_EXAMINED: usize = 20_000;

/// True for flows that run, wait or have a marker in a range. Idle flows are told from waiting ones as long as few enough
/// members are examined.
fn has_content<'a>(index: &'a Index, rules: &'a RuleMatcher, range: TimeRange) -> impl Fn(&FlowId) -> bool + use<'a> {
    let (profile, graph, examined) = (index.profile(), index.flows(), Cell::new(0));
    move |flow: &FlowId| {
        let own = graph.range(profile, *flow);
        if own.start > range.end || own.end < range.start {
            return false;
        }
        let count = graph.members(*flow).len();
        // Flows without a gap or with a marker that begins in the range need no timeline.
        if count < 2 || !graph.members_between(profile, *flow, range.start, range.end + Ns(1)).is_empty() {
            return true;
        }
        examined.set(examined.get() + count);
        let is_in = |segment: &TimelineSegment| {
            segment.kind != SegmentKind::Idle && segment.range.start <= range.end && segment.range.end >= range.start
        };
        examined.get() > MAX_EXAMINED || rules.timeline(profile, graph, *flow).segments.iter().any(is_in)
    }
}

impl TrackList {
    /// Lists flow lanes. With `in_view`, lanes without content in it are omitted.
    #[must_use]
    pub fn of_flow_lanes(
        (index, rules): (&Index, &RuleMatcher),
        flow_lanes: &Arc<FlowLanes>,
        view: &FlowLaneView,
        in_view: Option<InViewFilter>,
    ) -> Self {
        let mut list = Self { items: Vec::with_capacity(flow_lanes.flows().len()), ..Self::default() };
        let all = flow_lanes.flows().len();
        let flow_lanes = match in_view {
            None => Arc::clone(flow_lanes),
            Some(view) => {
                let kept = view.selected.map_or(&[][..], |marker| index.flows().flows_of(marker));
                let has_content = has_content(index, rules, view.range);
                let is_shown = |flow: &FlowId| kept.contains(flow) || has_content(flow);
                Arc::new(flow_lanes.filtered(index.flows().len(), is_shown))
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
        let outside = u32::try_from(all - flow_lanes.flows().len()).unwrap_or(u32::MAX);
        if outside > 0 || view.outside && all > 0 {
            list.push(OutsideLanes { count: outside, shown: in_view.is_none() });
        }
        if flow_lanes.instants() > 0 {
            list.push(InstantLanes { count: flow_lanes.instants(), shown: view.instants });
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
