//! The item that the user points at or has selected.

use egui::Ui;

use flowline_profile::ThreadId;
use flowline_session::Session;
use flowline_view::RowSelection;

/// The device pixel of the chart under the pointer, else its middle.
pub(super) fn pixel_at_pointer(ui: &Ui, session: &Session) -> f64 {
    let scale = ui.ctx().pixels_per_point();
    let chart = session.canvas.regions.chart;
    let pointer = ui.ctx().pointer_hover_pos().map(|pointer| pointer.x * scale - chart.x);
    pointer.filter(|x| *x >= 0.0 && *x <= chart.width).map_or(session.view.axis.width() / 2.0, f64::from)
}

/// The row of the selected marker or call, else the row under the pointer.
pub(super) fn selected_row(session: &Session) -> Option<RowSelection> {
    let input = session.scene_input();
    if let Some(call) = session.view.selected_call {
        return Some(RowSelection { samples: [call.call.thread].into(), ..RowSelection::default() });
    }
    if let Some(marker) = session.view.selected {
        return session.item_of(marker).map(|item| input.rows_of(&item.kind));
    }
    let chart = input.regions.chart;
    let (_, y) = input.pointer.filter(|(x, y)| chart.contains(*x, *y))?;
    let item = input.list.at(session.view.scroll + f64::from((y - chart.y) / input.scale))?;
    Some(input.rows_of(&item.kind))
}

/// The thread of the marker under the pointer, else of the selected marker.
pub(super) fn thread_at_hand(session: &Session) -> Option<ThreadId> {
    let marker = session.view.hovered.or(session.view.selected)?;
    session.index.profile().locate(marker).map(|(thread, _)| thread)
}
