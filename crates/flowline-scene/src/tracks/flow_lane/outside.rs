//! The line below flow lanes for those without content in the visible range.

use super::FLOW_LANE_HEIGHT;
use crate::layout::{OutsideLanes, SceneInput};
use crate::tracks::{LabelStyle, TrackItem, TrackLabel};
use flowline_format::format_counted;
use flowline_view::{Command, FlowLaneCommand};

impl TrackItem for OutsideLanes {
    fn height(&self) -> f64 {
        FLOW_LANE_HEIGHT
    }

    fn identity(&self) -> [u32; 2] {
        [1, 0]
    }

    fn label(&self, _input: &SceneInput<'_>) -> TrackLabel {
        let (text, right) = match (self.shown, self.count) {
            (true, _) => ("Lanes outside the visible range".to_owned(), "Hide"),
            (false, count) => {
                (format!("{} outside the visible range", format_counted(u64::from(count), "lane")), "Show")
            }
        };
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
        Some(Command::FlowLane(FlowLaneCommand::ShowOutside(!self.shown)))
    }
}
