//! The bottom drawer: tabs, active filters and one table.

use egui::{Button, Rect, RichText, Role, Ui, UiBuilder, WidgetInfo, pos2, vec2};

use super::active_filters::FilterSet;
use super::samples::SampleView;
use super::{
    TableKind, active_filters, critical_path, flow_table, flow_tree, marker_table, network, notes, samples, selection,
    statistics,
};
use crate::commands::{ViewAction, WindowAction, with_shortcut};
use crate::widgets::table;
use crate::window::panels::Panels;
use flowline_index::Network;
use flowline_scene::Palette;
use flowline_session::Session;
use flowline_view::Command;

/// Size of the button that closes the drawer, in points.
const CLOSE: f32 = 20.0;

/// Shows the drawer with a table of a recording, compared with `other` if there is one. Returns the user's commands and
/// the table to show next; `None` closes the drawer.
pub(crate) fn show(
    ui: &mut Ui,
    (session, other): (&Session, Option<&Session>),
    panels: &mut Panels,
    shown: TableKind,
    palette: &Palette,
) -> (Vec<Command>, Option<TableKind>) {
    let mut open = Some(panels.selection.table_after(session, shown));
    let line = ui.max_rect();
    let corner = Rect::from_min_max(pos2(line.max.x - CLOSE, line.min.y), pos2(line.max.x, line.min.y + CLOSE));
    // In a narrow window, the tabs wrap.
    let room = UiBuilder::new().max_rect(Rect::from_min_max(line.min, pos2(corner.min.x - 4.0, line.max.y)));
    let mut followed = None;
    let tabs = |ui: &mut Ui| {
        ui.spacing_mut().item_spacing = vec2(4.0, 2.0);
        let has_log = samples::has_log(session.index.profile());
        let has_network = Network::may_have(session.index.profile());
        let is_offered = |table: TableKind| match table {
            TableKind::Selection => panels.selection.is_offered || shown == table,
            TableKind::EventLog => has_log || shown == table,
            TableKind::Network => has_network || shown == table,
            _ => true,
        };
        for (table, title, hint) in TableKind::ALL.into_iter().filter(|(table, ..)| is_offered(*table)) {
            let button = Button::new(RichText::new(title).small()).selected(table == shown).small();
            let hint = with_shortcut(ui.ctx(), hint, WindowAction::Table(table));
            if ui.add(button).on_hover_text(hint).clicked() {
                open = Some(table);
            }
        }
        // These tables ignore the scope.
        if !matches!(shown, TableKind::FlowTree | TableKind::CriticalPath | TableKind::Notes) {
            let follows = session.view.follows_view;
            let button = Button::new(RichText::new("Visible range").small()).selected(follows).small();
            let hint = with_shortcut(ui.ctx(), "Follow the visible range of the chart", ViewAction::FollowView);
            if ui.add(button).on_hover_text(hint).clicked() {
                followed = Some(Command::FollowView(!follows));
            }
        }
    };
    ui.scope_builder(room, |ui| ui.horizontal_wrapped(tabs));
    // A separate child keeps the button out of the layout below the tabs.
    let mut place = ui.new_child(UiBuilder::new().id_salt("close").max_rect(corner));
    let close = place.add(Button::new("✖").frame(false)).on_hover_text("Close table");
    close.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Close table"));
    if close.clicked() {
        open = None;
    }
    // These tables ignore the scope.
    let cleared = match shown {
        TableKind::FlowTree | TableKind::CriticalPath | TableKind::Notes => None,
        _ if shown.samples().is_some() => active_filters::show(ui, session, FilterSet::Range, palette),
        // Statistics count markers by their own rule, so their totals differ from the marker count of the scope.
        TableKind::Statistics => active_filters::show(ui, session, FilterSet::Counted, palette),
        _ => active_filters::show(ui, session, FilterSet::Scope, palette),
    };
    table::record_opening(ui, shown);
    let mut commands = match shown {
        TableKind::Selection => selection::show(ui, session, &mut panels.selection, selection::Place::Drawer, palette),
        TableKind::Markers => marker_table::show(ui, session, &mut panels.marker_table, palette),
        TableKind::FlowTree => flow_tree::show(ui, session, &mut panels.flow_tree, palette),
        TableKind::AllFlows => flow_table::show(ui, session, &mut panels.flow_table, palette),
        TableKind::CriticalPath => critical_path::show(ui, session, &mut panels.critical_path, palette),
        TableKind::Network => network::show(ui, session, &mut panels.network, palette),
        TableKind::Notes => notes::show(ui, session, &mut panels.notes, palette),
        TableKind::Statistics => statistics::show(ui, (session, other), &mut panels.statistics, palette),
        TableKind::CallTree | TableKind::BottomUp | TableKind::Functions | TableKind::Flame | TableKind::EventLog => {
            let view = shown.samples().unwrap_or(SampleView::CallTree);
            samples::show(ui, session, &mut panels.samples, view, palette)
        }
    };
    if let Some(kind) = panels.statistics.take_requested_kind() {
        panels.flow_table.show_kind(&kind);
        open = Some(TableKind::AllFlows);
    }
    commands.extend(cleared.into_iter().chain(followed));
    (commands, open)
}
