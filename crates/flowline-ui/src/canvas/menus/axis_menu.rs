//! Context menu of the time axis, for the ruler and the overview.

use egui::{Response, Ui};

use crate::canvas::layout::CanvasLayout;
use crate::commands::{SelectionAction, ViewAction, WindowAction};
use crate::widget_requests::{WidgetRequest, post};
use crate::widgets::menu::{context_menu, entry, offer};
use flowline_profile::{Direction, Ns};
use flowline_session::Session;
use flowline_view::{Command, Measure, MeasureEdge};

/// Shows the menu if it is open; returns the user's choice. `time_at` maps a horizontal position in the widget to a
/// time.
pub(in crate::canvas) fn show(
    response: &Response,
    session: &Session,
    layout: &CanvasLayout,
    time_at: impl FnOnce(f32) -> Ns,
) -> Option<Command> {
    let time_id = response.id.with("menu time");
    if let Some(place) = response.interact_pointer_pos().filter(|_| response.secondary_clicked()) {
        let time = time_at(place.x);
        response.ctx.data_mut(|data| data.insert_temp(time_id, time.0));
    } else if response.has_focus() {
        // Opened by key, the menu applies to the middle of the view.
        let visible = session.view.axis.visible();
        let middle = visible.start + Ns(visible.len() / 2);
        if layout.ruler.is_positive() && !response.context_menu_opened() {
            response.ctx.data_mut(|data| data.insert_temp(time_id, middle.0));
        }
    }
    let mut chosen = None;
    context_menu(response, |ui| {
        let time = Ns(ui.data(|data| data.get_temp(time_id)).unwrap_or(session.view.axis.visible().start.0));
        chosen = entries(ui, session, time);
    });
    chosen
}

fn entries(ui: &mut Ui, session: &Session, time: Ns) -> Option<Command> {
    let view = &session.view;
    let chosen = &mut None;
    let zoom = ("Zoom to the selected range", ViewAction::Confirm { back: false });
    offer(ui, chosen, zoom, view.range.map(|_| Command::ZoomToSelection));
    let visible = view.axis.visible();
    offer(ui, chosen, SelectionAction::VisibleRange, Some(Command::SelectRange(Some(visible))));
    if session.index.profile().meta.kind.has_markers() && entry(ui, WindowAction::SaveRange, true) {
        post(ui.ctx(), WidgetRequest::RunCommand(WindowAction::SaveRange.into()));
    }
    let clear = view.range.map(|_| Command::SelectRange(None));
    offer(ui, chosen, (SelectionAction::ClearRange.title(), WindowAction::Escape), clear);
    offer(ui, chosen, ViewAction::ZoomToAll, Some(Command::ZoomToAll));
    offer(ui, chosen, ViewAction::ZoomBack, Some(Command::ZoomBack));
    for direction in [Direction::Back, Direction::Forward] {
        offer(ui, chosen, ViewAction::Edge(direction), Some(Command::GoToEdge(direction)));
    }
    ui.separator();
    let from = view.measure.map_or(Measure { a: time, b: None }, |measure| measure.with(MeasureEdge::A, time));
    offer(ui, chosen, "Measure from here (A)", Some(Command::Measure(Some(from))));
    let to = view.measure.map(|measure| Command::Measure(Some(measure.with(MeasureEdge::B, time))));
    offer(ui, chosen, "Measure to here (B)", to);
    let range = view.range.map(|range| Command::Measure(Some(Measure::of(range))));
    offer(ui, chosen, ("Measure the selected range", SelectionAction::MeasureSelection), range);
    let clear = view.measure.map(|_| Command::Measure(None));
    offer(ui, chosen, (SelectionAction::ClearMeasurement.title(), WindowAction::Escape), clear);
    let navigation = session.main_navigation().and_then(|own| own.marker).filter(|own| view.zero != Some(*own));
    let navigation = navigation.map(|marker| Command::ZeroAt(Some(marker)));
    offer(ui, chosen, ("Set time origin to the navigation", SelectionAction::NavigationOrigin), navigation);
    offer(ui, chosen, SelectionAction::ResetOrigin, view.zero.map(|_| Command::ZeroAt(None)));
    chosen.take()
}
