//! Headings of flow lanes that are grouped by type or thread.

use super::FLOW_LANE_HEIGHT;
use crate::layout::{FlowLaneGroup, FlowLaneHeading, SceneInput};
use crate::tracks::{Background, LabelStyle, TrackItem, TrackLabel};
use flowline_format::format_counted;
use flowline_view::{Command, FlowLaneCommand};

/// Indentation in points per level of headings.
const INDENT: f32 = 10.0;
/// Maximum number of indented levels.
const MAX_LEVELS: u16 = 6;

impl TrackItem for FlowLaneHeading {
    fn height(&self) -> f64 {
        FLOW_LANE_HEIGHT
    }

    fn identity(&self) -> [u32; 2] {
        [self.node, 0]
    }

    fn background(&self) -> Background {
        Background::TrackHeading { expanded: true }
    }

    fn label(&self, input: &SceneInput<'_>) -> TrackLabel {
        let group = input.list.lane_group(self.number as usize);
        let Some(group) = group else { return TrackLabel::default() };
        let state = if self.collapsed { "collapsed" } else { "expanded" };
        TrackLabel {
            spoken: format!(
                "{} {}, {}, {state}",
                if FlowLaneGroup::is_thread_node(group.node) { "Thread" } else { "Type" },
                group.name,
                format_counted(u64::from(group.flow_lanes), "flow lane")
            ),
            text: group.name.clone(),
            right: flowline_format::format_count_short(u64::from(group.flow_lanes)),
            style: LabelStyle::Track,
            indent: INDENT * f32::from(u16::try_from(group.depth).unwrap_or(u16::MAX).min(MAX_LEVELS)),
            expanded: Some(!self.collapsed),
            ..TrackLabel::default()
        }
    }

    fn menu(&self, _input: &SceneInput<'_>) -> Vec<(&'static str, Command)> {
        let group = |text, by_thread| (text, Command::FlowLane(FlowLaneCommand::GroupByThread(by_thread)));
        if FlowLaneGroup::is_thread_node(self.node) {
            vec![group("Don't group by thread", false)]
        } else {
            vec![group("Group by thread", true)]
        }
    }

    fn toggle(&self) -> Option<Command> {
        Some(Command::FlowLane(FlowLaneCommand::Collapse(self.node)))
    }
}
