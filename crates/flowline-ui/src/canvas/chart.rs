//! Widget of the chart: keyboard focus and accessibility. The scene draws the chart; [`crate::canvas::pointer`] handles
//! the pointer.

use egui::{Response, Role, Ui, WidgetInfo};

use crate::canvas::layout::{CanvasLayout, CanvasWidget, FlowArea};
use crate::canvas::menus::{axis_menu, chart_menu, flow_menu};
use crate::canvas::overview;
use crate::canvas::pointer::measure;
use crate::widgets::menu::context_menu;
use flowline_profile::FlowId;
use flowline_session::Session;
use flowline_view::{Command, Pane};

/// Adds the widgets that receive pointer input over overview, ruler, chart and flow rows. Returns the commands of the
/// chart's context menu.
pub(crate) fn show(ui: &Ui, session: &Session, layout: &CanvasLayout) -> Vec<Command> {
    let pane = session.canvas.pane;
    let overview_area = CanvasWidget::Overview.of(pane).add(ui, layout.overview);
    let name = [
        ["Overview of the whole recording", "Time ruler: drag to select a range"],
        ["Overview of the second recording", "Time ruler of the second recording: drag to select a range"],
    ][pane as usize];
    overview_area.widget_info(|| WidgetInfo::labeled(Role::Canvas, true, name[0]));
    let ruler = CanvasWidget::Ruler.of(pane).add(ui, layout.ruler.union(layout.lane));
    ruler.widget_info(|| WidgetInfo::labeled(Role::Slider, true, name[1]));
    let chart = CanvasWidget::Chart.of(pane).add(ui, layout.chart);
    if chart.has_focus() {
        // Arrow keys move between markers here, not between widgets.
        let arrows =
            egui::EventFilter { horizontal_arrows: true, vertical_arrows: true, ..egui::EventFilter::default() };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(chart.id, arrows));
    }
    describe(ui, session, &chart);
    let mut commands = Vec::new();
    let areas = [
        (FlowArea::Main, layout.flows, "Flow panel: rows of flows"),
        (FlowArea::Pinned, layout.pinned, "Flow panel: rows of pinned flows"),
    ];
    for (area, rect, name) in areas.into_iter().filter(|(_, rect, _)| rect.height() >= 1.0) {
        let rows = CanvasWidget::flow_rows(area).of(pane).add(ui, rect);
        rows.widget_info(|| WidgetInfo::labeled(Role::Canvas, true, name));
        commands.extend(flow_rows_menu(&rows, session));
    }
    let scale = session.canvas.scale;
    let on_axis = |x: f32| session.view.axis.time(f64::from((x - layout.chart.min.x) * scale));
    commands.extend(axis_menu::show(&ruler, session, layout, on_axis));
    let on_overview = |x: f32| overview::overview_time(session, layout.overview, x);
    commands.extend(axis_menu::show(&overview_area, session, layout, on_overview));
    commands.extend(chart_menu::show(&chart, session, layout));
    commands
}

/// Context menu of the flow under the pointer.
fn flow_rows_menu(response: &Response, session: &Session) -> Vec<Command> {
    let flow_id = response.id.with("menu flow");
    if response.secondary_clicked() {
        let flow = session.pointer_hits().flow();
        response.ctx.data_mut(|data| data.insert_temp(flow_id, flow));
    }
    let flow: Option<FlowId> = response.ctx.data(|data| data.get_temp(flow_id)).flatten();
    let mut chosen = Vec::new();
    if let Some(flow) = flow {
        context_menu(response, |ui| chosen = flow_menu::entries(ui, session, flow));
    }
    chosen
}

/// Describes the chart to screen readers: its range, and all details of the selected marker.
fn describe(ui: &Ui, session: &Session, response: &Response) {
    let enabled = ui.is_enabled();
    response.widget_info(|| {
        let visible = session.view.axis.visible();
        let range = format!(
            "{}imeline from {} to {}",
            if session.canvas.pane == Pane::A { "T" } else { "Second recording: t" },
            session.view.clock().position(visible.start),
            session.view.clock().position(visible.end),
        );
        let selected = session.selected_card();
        let text = match selected.or_else(|| session.selected_call_card()) {
            Some(card) => format!("{range}. Selected: {}", card.to_text().replace('\n', "; ")),
            None => format!("{range}. No marker selected"),
        };
        let text = measure::text(session).map_or(text.clone(), |measured| format!("{text}. Measured: {measured}"));
        WidgetInfo::labeled(Role::GraphicsDocument, enabled, text)
    });
}
