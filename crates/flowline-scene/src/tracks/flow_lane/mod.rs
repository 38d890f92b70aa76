//! Flow lanes: one row for each flow of the scope. Waits are hatched, runs are solid in the color of the running
//! marker, and other members are marks across the row. With a search, hits are highlighted.

mod heading;
mod hit;
mod links;
mod painter;
mod rows;

pub use heading::FlowLaneHeading;
pub(crate) use painter::FlowLanePainter;
pub use rows::{FlowLaneGroup, FlowLanes};

use super::{Background, Item, ItemKind, LabelStyle, TrackItem, TrackLabel};
use crate::SceneInput;
use crate::pointer_hits::PointerHits;
use crate::primitives::RowBounds;
use flowline_format::format_duration_ns;
use flowline_index::flows::LaneShape;
use flowline_profile::{FlowId, MarkerId};
use flowline_view::{Command, FlowCommand, FlowLaneCommand, FlowLaneOrder};

/// Height of a flow lane in points.
pub const FLOW_LANE_HEIGHT: f64 = 21.0;
/// Points above and below the bar of waits and runs; marks extend beyond it.
const BAR_INSET: f32 = 3.0;
/// Points above and below marks.
const MARK_INSET: f32 = 1.0;

/// The row of a flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FlowLaneItem {
    /// The flow.
    pub flow: FlowId,
    /// Number of the row.
    pub row: u32,
}

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
        let text = title(shape);
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

    fn menu(&self) -> Vec<(&'static str, Command)> {
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

/// Label of a flow lane: the flow's type and resource.
#[must_use]
pub fn title(shape: &LaneShape) -> String {
    let kind = if shape.facts.kind.is_empty() { "(unnamed)" } else { shape.facts.kind.as_str() };
    match &shape.facts.resource {
        Some(resource) if resource != kind => format!("{kind} · {resource}"),
        _ => kind.to_owned(),
    }
}

impl<'a> SceneInput<'a> {
    /// The shape of a flow lane, if it has been built.
    #[must_use]
    pub fn lane(&self, flow: FlowId) -> Option<&'a LaneShape> {
        self.flow_lanes?.get(flow)
    }
}

/// The flow lane that keys act on: the selected marker's selected flow, else an entered flow that contains it, else its
/// first flow.
pub(super) fn selected_lane(input: &SceneInput<'_>) -> Option<FlowId> {
    let (of, view) = (input.index.flows().flows_of(input.view.selected?), &input.view.flows);
    let chosen = view.chosen.filter(|chosen| of.contains(chosen));
    chosen.or_else(|| view.entered.iter().find(|flow| of.contains(flow)).copied()).or(of.first().copied())
}

/// The markers whose own pixels are drawn over a row: the hovered and the selected one.
fn highlighted(input: &SceneInput<'_>, flow: FlowId) -> impl Iterator<Item = MarkerId> {
    let is_member = move |marker: &MarkerId| input.index.flows().flows_of(*marker).binary_search(&flow).is_ok();
    let (selected, hovered) = (input.view.selected, input.view.hovered);
    let both = [hovered.filter(|hovered| Some(*hovered) != selected), selected];
    both.into_iter().flatten().filter(is_member).collect::<Vec<_>>().into_iter()
}

/// In flows with more members than this, only members that begin in view are examined for search hits, and only every
/// n-th if there are very many.
const MAX_MATCHING: usize = 512;

/// The members of a flow in view that match the search; none without a search.
fn matching<'a>(input: &SceneInput<'a>, flow: FlowId) -> impl Iterator<Item = MarkerId> + use<'a> {
    let (profile, graph, hits) = (input.index.profile(), input.index.flows(), input.search.map(|search| &search.hits));
    let members = graph.members(flow);
    let visible = input.view.axis.visible();
    let range = match (hits, members.len() > MAX_MATCHING) {
        (None, _) => 0..0,
        (_, true) => graph.members_between(profile, flow, visible.start, visible.end),
        _ => 0..members.len(),
    };
    let step = (range.len() / MAX_MATCHING).max(1);
    members[range].iter().step_by(step).copied().filter(move |marker| {
        let place = profile.locate(*marker);
        hits.zip(place).is_some_and(|(hits, (thread, local))| hits.contains(thread, local))
    })
}

/// Position of a part of a row, `inset` points inside the row.
fn place(input: &SceneInput<'_>, item: &Item, inset: f32) -> RowBounds {
    let inset = (inset * input.scale).round();
    let (y, height) = (input.item_y(item), input.item_height(item));
    RowBounds { y: y + inset, height: (height - 2.0 * inset).max(1.0), padding: [0.0; 2] }
}

/// The flow lanes on screen.
fn on_screen<'i>(input: &'i SceneInput<'_>) -> impl Iterator<Item = (&'i Item, FlowId)> {
    input.visible_items().iter().filter_map(|item| match item.kind {
        ItemKind::FlowLane(lane) => Some((item, lane.flow)),
        _ => None,
    })
}
