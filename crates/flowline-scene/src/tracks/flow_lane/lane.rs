//! A flow lane: its label and what is shown of it.

use super::hit;
use super::on_screen::selected_lane;
use crate::layout::{FlowLaneItem, Item, PointerHits, SceneInput};
use crate::tracks::{Background, LabelStyle, TrackItem, TrackLabel};
use flowline_format::format_duration_ns;
use flowline_index::flows::LaneShape;
use flowline_profile::FlowId;
use flowline_view::{Command, FlowCommand, FlowLaneCommand, FlowLaneOrder};

/// Height of a flow lane in points.
pub const FLOW_LANE_HEIGHT: f64 = 21.0;

impl TrackItem for FlowLaneItem {
    fn height(&self) -> f64 {
        FLOW_LANE_HEIGHT
    }

    fn identity(&self) -> [u32; 2] {
        [self.flow.0, 0]
    }

    fn background(&self) -> Background {
        if self.row % 2 == 1 { Background::Stripe } else { Background::Plain }
    }

    fn label(&self, input: &SceneInput<'_>) -> TrackLabel {
        let style = LabelStyle::FlowLane;
        let Some(shape) = input.lane(self.flow) else {
            return TrackLabel {
                text: "…".into(),
                spoken: "Flow lane, loading".into(),
                style,
                ..TrackLabel::default()
            };
        };
        let text = shape.title();
        let length = format_duration_ns(shape.range.len());
        let state = if selected_lane(input) == Some(self.flow) { ", selected" } else { "" };
        let totals = &shape.totals;
        // The right text is the sort key of the lanes.
        let right = match input.view.flow_lanes.order {
            FlowLaneOrder::Wait => format_duration_ns(totals.wait),
            FlowLaneOrder::LongestWait => format_duration_ns(totals.longest_wait),
            FlowLaneOrder::Run => format_duration_ns(totals.run),
            FlowLaneOrder::Start | FlowLaneOrder::Length | FlowLaneOrder::Type => length.clone(),
        };
        TrackLabel {
            spoken: format!(
                "Flow lane {text}, lasts {length}, ran {}, waited {}, longest wait {}{state}",
                format_duration_ns(totals.run),
                format_duration_ns(totals.wait),
                format_duration_ns(totals.longest_wait),
            ),
            text,
            right,
            swatch: Some(shape.color),
            style,
            ..TrackLabel::default()
        }
    }

    fn press(&self, input: &SceneInput<'_>) -> Option<Command> {
        let first = input.index.flows().members(self.flow).first()?;
        Some(Command::FlowLane(FlowLaneCommand::Select(self.flow, *first)))
    }

    fn menu(&self, _input: &SceneInput<'_>) -> Vec<(&'static str, Command)> {
        vec![
            ("Enter", Command::Flow(FlowCommand::Enter(vec![self.flow]))),
            ("Pin or unpin", Command::Flow(FlowCommand::TogglePin(self.flow))),
            ("Show only its markers", Command::Flow(FlowCommand::ViewAll(self.flow))),
        ]
    }

    fn hits(&self, input: &SceneInput<'_>, _item: &Item, x: f32, _y: f32) -> PointerHits {
        let target = hit::target(input, self.flow, x);
        PointerHits { flow: Some(crate::FlowHit::Flow { flow: self.flow, target }), ..PointerHits::default() }
    }
}

impl<'a> SceneInput<'a> {
    /// The shape of a flow lane, if it has been built.
    #[must_use]
    pub fn lane(&self, flow: FlowId) -> Option<&'a LaneShape> {
        self.flow_lanes?.get(flow)
    }
}
