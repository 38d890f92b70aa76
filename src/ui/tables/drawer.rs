//! The drawer at the bottom. It shows one table at a time: markers, the entered flow as a tree, all flows, or samples.

use egui::{Button, RichText, Ui};

use super::samples::SampleView;
use super::scope_line::Narrowing;
use super::{
    TableKind, critical_path, flow_table, flow_tree, marker_table, network, notes, samples, scope_line, statistics,
};
use crate::index::Network;
use crate::scene::Palette;
use crate::session::Session;
use crate::ui::window::panels::Panels;
use crate::view::Command;

/// Shows the drawer with a table of a recording, which may be compared with the other; returns the user's commands and the table to show next, if any.
pub(crate) fn show(
    ui: &mut Ui,
    (session, other): (&Session, Option<&Session>),
    panels: &mut Panels,
    shown: TableKind,
    palette: &Palette,
) -> (Vec<Command>, Option<TableKind>) {
    let mut open = Some(shown);
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let has_log = samples::has_log(session.index.profile());
        let has_network = Network::may_have(session.index.profile());
        let is_offered = |table: TableKind| match table {
            TableKind::EventLog => has_log || shown == table,
            TableKind::Network => has_network || shown == table,
            _ => true,
        };
        for (table, title, hint) in TableKind::ALL.into_iter().filter(|(table, ..)| is_offered(*table)) {
            let button = Button::new(RichText::new(title).small()).selected(table == shown).small();
            if ui.add(button).on_hover_text(hint).clicked() {
                open = Some(table);
            }
        }
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            if ui.add(Button::new("✖").frame(false)).on_hover_text("Close the table").clicked() {
                open = None;
            }
        });
    });
    // The flow tree follows flows wherever they lead.
    let cleared = match shown {
        TableKind::FlowTree | TableKind::CriticalPath | TableKind::Notes => None,
        _ if shown.samples().is_some() => scope_line::show(ui, session, Narrowing::Range, palette),
        _ => scope_line::show(ui, session, Narrowing::Scope, palette),
    };
    let mut commands = match shown {
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
    if let Some(kind) = panels.statistics.take_wanted_kind() {
        panels.flow_table.show_kind(&kind);
        open = Some(TableKind::AllFlows);
    }
    commands.extend(cleared);
    (commands, open)
}
