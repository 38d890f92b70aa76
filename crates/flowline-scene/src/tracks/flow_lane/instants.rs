//! The line below flow lanes for flows that take no time.

use super::FLOW_LANE_HEIGHT;
use crate::layout::{InstantLanes, SceneInput};
use crate::tracks::{LabelStyle, TrackItem, TrackLabel};
use flowline_format::format_counted;
use flowline_view::{Command, FlowLaneCommand};

impl TrackItem for InstantLanes {
    fn height(&self) -> f64 {
        FLOW_LANE_HEIGHT
    }

    fn identity(&self) -> [u32; 2] {
        [0, 0]
    }

    fn label(&self, _input: &SceneInput<'_>) -> TrackLabel {
        let instants = format_counted(u64::from(self.count), "instant");
        let (text, right) = if self.shown { (instants, "Hide") } else { (format!("{instants} hidden"), "Show") };
        TrackLabel {
            spoken: format!("{text}, {right}"),
            text,
            right: right.into(),
            style: LabelStyle::More,
            expanded: Some(self.shown),
            ..TrackLabel::default()
        }
    }

    fn toggle(&self) -> Option<Command> {
        Some(Command::FlowLane(FlowLaneCommand::ShowInstants(!self.shown)))
    }
}
