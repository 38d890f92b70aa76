//! The visible parts of the flow lanes on screen.

use crate::layout::{Item, ItemKind, SceneInput};
use crate::primitives::RowBounds;
use flowline_profile::{FlowId, MarkerId};

/// Points above and below the bar of waits and runs; marks extend beyond it.
pub(super) const BAR_INSET: f32 = 3.0;

/// Points above and below marks.
pub(super) const MARK_INSET: f32 = 1.0;

/// The flow lane that keys act on: the selected marker's selected flow, else an entered flow that contains it, else its
/// first flow.
pub(crate) fn selected_lane(input: &SceneInput<'_>) -> Option<FlowId> {
    let (of, view) = (input.index.flows().flows_of(input.view.selected?), &input.view.flows);
    let chosen = view.chosen.filter(|chosen| of.contains(chosen));
    chosen.or_else(|| view.entered.iter().find(|flow| of.contains(flow)).copied()).or(of.first().copied())
}

/// The markers whose own pixels are drawn over a row: the hovered and the selected one.
pub(super) fn highlighted(input: &SceneInput<'_>, flow: FlowId) -> impl Iterator<Item = MarkerId> {
    let is_member = move |marker: &MarkerId| input.index.flows().flows_of(*marker).binary_search(&flow).is_ok();
    let (selected, hovered) = (input.view.selected, input.view.hovered);
    let both = [hovered.filter(|hovered| Some(*hovered) != selected), selected];
    both.into_iter().flatten().filter(is_member).collect::<Vec<_>>().into_iter()
}

/// In flows with more members than this, only members that begin in view are examined for search hits, and only every
/// n-th if there are very many.
pub(super) const MAX_MATCHING: usize = 512;

/// The members of a flow in view that match the search; none without a search.
pub(super) fn matching<'a>(input: &SceneInput<'a>, flow: FlowId) -> impl Iterator<Item = MarkerId> + use<'a> {
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
pub(super) fn place(input: &SceneInput<'_>, item: &Item, inset: f32) -> RowBounds {
    let inset = (inset * input.scale).round();
    let (y, height) = (input.item_y(item), input.item_height(item));
    RowBounds::new(y + inset, (height - 2.0 * inset).max(1.0))
}

/// The flow lanes on screen.
pub(super) fn on_screen<'i>(input: &'i SceneInput<'_>) -> impl Iterator<Item = (&'i Item, FlowId)> {
    input.visible_items().iter().filter_map(|item| match item.kind {
        ItemKind::FlowLane(lane) => Some((item, lane.flow)),
        _ => None,
    })
}
