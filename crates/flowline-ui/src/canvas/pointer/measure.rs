//! The measuring tool: dragging its edges, and setting them by key or menu.

use egui::{Context, CursorIcon, Pos2, Response};

use crate::canvas::layout::CanvasLayout;
use crate::canvas::pointer::box_selection::snapped_time;
use crate::canvas::state::{CanvasState, Drag};
use flowline_profile::TimeRange;
use flowline_session::Session;
use flowline_view::{Command, Measure, MeasureEdge};

/// Points within which the pointer grabs an edge.
const REACH: f32 = 4.0;

/// The edge of the measurement at a position in the chart.
pub(super) fn edge_at(session: &Session, layout: &CanvasLayout, place: Pos2) -> Option<MeasureEdge> {
    let measure = session.view.measure?;
    #[expect(clippy::cast_possible_truncation, reason = "screen coordinates")]
    let distance = |edge: &MeasureEdge| {
        let pixel = session.view.axis.pixel(measure.edge(*edge)?) as f32;
        Some((layout.chart.min.x + pixel / session.canvas.scale - place.x).abs()).filter(|distance| *distance <= REACH)
    };
    let near = MeasureEdge::BOTH.into_iter().filter_map(|edge| Some((distance(&edge)?, edge)));
    near.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, edge)| edge)
}

/// Moves an edge to the pointer.
pub(super) fn follow(
    session: &Session,
    state: &mut CanvasState,
    response: &Response,
    layout: &CanvasLayout,
    edge: MeasureEdge,
) -> Option<Command> {
    response.ctx.set_cursor_icon(CursorIcon::ResizeHorizontal);
    if !response.dragged() {
        state.drag = Drag::None;
    }
    let (measure, pointer) = session.view.measure.zip(response.interact_pointer_pos())?;
    let time = snapped_time(&response.ctx, session, layout, pointer);
    Some(Command::Measure(Some(measure.with(edge, time))))
}

/// The command that sets the next edge at the pointer if it is over the chart, else both edges around the selection.
pub(crate) fn next(context: &Context, session: &Session) -> Option<Command> {
    let layout = CanvasLayout::new(&session.canvas.regions, session.canvas.scale);
    match context.pointer_hover_pos().filter(|place| layout.chart.contains(*place)) {
        Some(place) => {
            let time = snapped_time(context, session, &layout, place);
            Some(Command::Measure(Measure::next(session.view.measure, time)))
        }
        None if session.view.measure.is_some() => Some(Command::Measure(None)),
        None => of_selection(session),
    }
}

/// The command that measures the selected range, or else the selected marker or call.
pub(crate) fn of_selection(session: &Session) -> Option<Command> {
    let view = &session.view;
    let range = view.range.or_else(|| selected_times(session))?;
    Some(Command::Measure(Some(Measure::of(range))))
}

/// From the start to the end of the selected marker or call.
pub(crate) fn selected_times(session: &Session) -> Option<TimeRange> {
    let view = &session.view;
    view.selected.and_then(|marker| view.times_of(marker)).or(view.selected_call.map(|selected| selected.times))
}

/// Description of the measurement.
pub(crate) fn text(session: &Session) -> Option<String> {
    let measure = session.view.measure?;
    let time = |time| session.view.clock().position(time);
    Some(match measure.range() {
        Some(range) => {
            let (a, b) = (time(measure.a), measure.b.map(time).unwrap_or_default());
            format!("A {a}, B {b}, distance {}", session.view.clock().length(range.len()))
        }
        None => format!("A {}", time(measure.a)),
    })
}
