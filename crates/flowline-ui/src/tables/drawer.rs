//! The bottom drawer: tabs, and one table below its tools.

use egui::{Rect, Ui, UiBuilder, vec2};

use super::active_filters::FilterSet;
use super::samples::SampleView;
use super::tool_strip::FilterSlot;
use super::{
    TableKind, critical_path, flow_table, flow_tree, insights, marker_table, network, notes, query, samples, selection,
    statistics, tabs,
};
use crate::widgets::style::color;
use crate::widgets::table;
use crate::window::panels::Panels;
use flowline_scene::Palette;
use flowline_session::Session;
use flowline_view::Command;

/// Shows the drawer with a table of a recording, compared with `other` if there is one. Returns the user's commands and
/// the table to show next; `None` closes the drawer.
pub(crate) fn show(
    ui: &mut Ui,
    (session, other): (&Session, Option<&Session>),
    panels: &mut Panels,
    shown: TableKind,
    palette: &Palette,
) -> (Vec<Command>, Option<TableKind>) {
    ui.spacing_mut().item_spacing.y = 0.0;
    let all = ui.max_rect();
    let line = Rect::from_min_size(all.min, vec2(all.width(), tabs::HEIGHT));
    let next = panels.selection.table_after(session, shown);
    let (mut open, followed) = tabs::show(ui, line, session, (shown, next), palette);
    let rest = all.with_min_y(line.max.y);
    ui.painter().hline(rest.x_range(), rest.min.y, (1.0, color(palette.line)));
    let mut child = ui.new_child(UiBuilder::new().max_rect(rest).id_salt("contents"));
    let filters = match shown {
        TableKind::FlowTree
        | TableKind::CriticalPath
        | TableKind::Insights
        | TableKind::Query
        | TableKind::Notes
        | TableKind::Selection => None,
        _ if shown.samples().is_some() => Some(FilterSet::Range),
        // Statistics count markers by their own rule, so their totals differ from the marker count of the scope.
        TableKind::Statistics => Some(FilterSet::Counted),
        _ => Some(FilterSet::Scope),
    };
    let mut slot = FilterSlot::new(session, filters, palette);
    table::record_opening(&child, shown);
    let mut commands = contents(&mut child, (session, other), panels, (shown, &mut slot), palette);
    if let Some(kind) = panels.statistics.take_requested_kind() {
        panels.flow_table.show_kind(&kind);
        open = Some(TableKind::AllFlows);
    }
    commands.extend(slot.cleared.into_iter().chain(followed));
    (commands, open)
}

fn contents(
    ui: &mut Ui,
    (session, other): (&Session, Option<&Session>),
    panels: &mut Panels,
    (shown, slot): (TableKind, &mut FilterSlot<'_>),
    palette: &Palette,
) -> Vec<Command> {
    match shown {
        TableKind::Selection => selection::show(ui, session, &mut panels.selection, selection::Place::Drawer, palette),
        TableKind::Markers => marker_table::show(ui, session, &mut panels.marker_table, slot, palette),
        TableKind::FlowTree => flow_tree::show(ui, session, &mut panels.flow_tree, slot, palette),
        TableKind::AllFlows => flow_table::show(ui, session, &mut panels.flow_table, slot, palette),
        TableKind::CriticalPath => critical_path::show(ui, session, &mut panels.critical_path, slot, palette),
        TableKind::Insights => insights::show(ui, session, &mut panels.insights, slot, palette),
        TableKind::Network => network::show(ui, session, &mut panels.network, slot, palette),
        TableKind::Query => query::show(ui, session, &mut panels.query, slot, palette),
        TableKind::Notes => notes::show(ui, session, &mut panels.notes, slot, palette),
        TableKind::Statistics => statistics::show(ui, (session, other), &mut panels.statistics, slot, palette),
        TableKind::CallTree | TableKind::BottomUp | TableKind::Functions | TableKind::Flame | TableKind::EventLog => {
            let view = shown.samples().unwrap_or(SampleView::CallTree);
            samples::show(ui, session, &mut panels.samples, (view, slot), palette)
        }
    }
}
