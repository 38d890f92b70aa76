//! What keys mean for an open recording: actions to commands.

use egui::Ui;

use super::canvas::chart_id;
use super::document::Document;
use super::flow_table::flows_id;
use super::flow_tree::tree_id;
use super::keys::Action;
use super::marker_card::MarkerCard;
use super::marker_table::table_id;
use super::slice_tree::slice_id;
use super::table;
use super::value_tree::payload_id;
use crate::profile::{Direction, MarkerId};
use crate::view::{Command, FlowCommand};

/// Zoom factor of one key press.
const KEY_ZOOM: f64 = 1.6;
/// Part of the chart's width that one key press pans.
const KEY_PAN: f64 = 0.12;

/// Whether the widget with the keyboard focus answers this key itself.
pub(super) fn is_taken(ui: &Ui, action: Action) -> bool {
    let Some(focused) = ui.memory(egui::Memory::focused) else { return false };
    if focused == chart_id() {
        false
    } else if focused == table_id() {
        table::takes(ui, action)
    } else if focused == tree_id() {
        let own = matches!(action, Action::Beside(_) | Action::Confirm { .. } | Action::Pin);
        own || table::takes(ui, action)
    } else if focused == payload_id() || focused == slice_id() {
        matches!(action, Action::Beside(_) | Action::Confirm { .. }) || table::takes(ui, action)
    } else if focused == flows_id() {
        let own = matches!(action, Action::Beside(_) | Action::Confirm { .. } | Action::Pin | Action::Search);
        own || table::takes(ui, action)
    } else {
        // A button or a heading: Enter presses it, arrow keys leave it.
        matches!(action, Action::Confirm { .. } | Action::Beside(_) | Action::Vertical(_))
    }
}

/// What a key means for an open recording.
pub(super) fn command_of(ui: &Ui, document: &Document, action: Action) -> Option<Command> {
    let view = &document.view;
    let scale = ui.ctx().pixels_per_point();
    let chart = document.regions.chart;
    let pointer = ui.ctx().pointer_hover_pos().map(|pointer| pointer.x * scale - chart.x);
    let pixel = pointer.filter(|x| *x >= 0.0 && *x <= chart.width).map_or(view.axis.width() / 2.0, f64::from);
    let pan = |pixels: f64| Some(Command::Pan { pixels, animated: true });
    let row = crate::scene::ROW_HEIGHT;
    match action {
        Action::ZoomIn => Some(Command::Zoom { pixel, factor: KEY_ZOOM, animated: true }),
        Action::ZoomOut => Some(Command::Zoom { pixel, factor: 1.0 / KEY_ZOOM, animated: true }),
        Action::PanLeft => pan(-view.axis.width() * KEY_PAN),
        Action::PanRight => pan(view.axis.width() * KEY_PAN),
        Action::Scroll(rows) => Some(Command::Scroll(f64::from(rows) * row)),
        Action::Page(down) => {
            let page = f64::from(chart.height / scale) * 0.9;
            Some(Command::Scroll(if down { page } else { -page }))
        }
        Action::ZoomSelection => Some(Command::ZoomToSelection),
        Action::ZoomAll => Some(Command::ZoomToAll),
        Action::Confirm { back } => match view.range {
            Some(_) => Some(Command::ZoomToSelection),
            None => enter_flows(document).filter(|_| !back).or_else(|| step_hit(document, !back)),
        },
        Action::Back => Some(Command::ZoomBack),
        Action::Beside(forward) => document.beside(forward).or_else(|| first_visible(document)).map(Command::Reveal),
        Action::Vertical(down) => document.vertical(down).or_else(|| first_visible(document)).map(Command::Reveal),
        Action::Nested { inwards } => document.nested(inwards).map(Command::Reveal),
        Action::Layout => Some(Command::SetArrangement(view.arrangement.other())),
        Action::AlongFlow(_)
        | Action::ChooseFlow(_)
        | Action::Pin
        | Action::FlowHistory(_)
        | Action::ViewAll
        | Action::Connections
        | Action::Path
        | Action::ZoomFlow
        | Action::Chain { .. } => flow_command_of(document, action),
        Action::Copy => {
            let made = || view.selected.and_then(|marker| MarkerCard::new(&document.index, marker));
            let card = document.selected_card().cloned().or_else(made)?;
            ui.copy_text(card.to_text());
            None
        }
        _ => None,
    }
}

/// The flows of the selected marker; of those chosen by key only that one.
fn enter_flows(document: &Document) -> Option<Command> {
    let of_marker = document.index.flows().flows_of(document.view.selected?);
    let chosen = document.view.flows.chosen.filter(|chosen| of_marker.contains(chosen));
    let flows = chosen.map_or_else(|| of_marker.to_vec(), |chosen| vec![chosen]);
    (!flows.is_empty() && flows != document.view.flows.entered).then_some(Command::Flow(FlowCommand::Enter(flows)))
}

/// What a key means for flows.
fn flow_command_of(document: &Document, action: Action) -> Option<Command> {
    let view = &document.view.flows;
    let flow = || document.focused_flow.or_else(|| document.chosen_flow()).or(view.entered.first().copied());
    let command = match action {
        Action::AlongFlow(forward) => return document.along_flow(forward).map(Command::Reveal),
        Action::ZoomFlow => return document.entered_range().map(super::document::with_margin).map(Command::ZoomTo),
        Action::ViewAll => FlowCommand::ViewAll(flow()?),
        Action::ChooseFlow(forward) => FlowCommand::Choose(document.next_choice(forward)?),
        Action::Pin => FlowCommand::TogglePin(view.hovered.or_else(flow)?),
        Action::FlowHistory(true) => FlowCommand::Forward,
        Action::FlowHistory(false) => FlowCommand::Back,
        Action::Connections => FlowCommand::AllConnections(!view.all_connections),
        Action::Path => FlowCommand::Path(!view.path),
        Action::Chain { forward, all } if !view.entered.is_empty() => {
            let direction = if forward { Direction::Forward } else { Direction::Back };
            if all { FlowCommand::ChainAll(direction) } else { FlowCommand::ChainStep(direction) }
        }
        _ => return None,
    };
    Some(Command::Flow(command))
}

/// With nothing selected, the arrow keys start from the first marker on screen.
fn first_visible(document: &Document) -> Option<MarkerId> {
    use crate::scene::ItemKind;
    if document.view.selected.is_some() {
        return None;
    }
    let input = document.scene_input();
    let layout = document.index.layout(document.view.arrangement);
    let start = document.view.axis.visible().start;
    input.visible_items().iter().find_map(|item| {
        let ItemKind::Row { thread: id, row, .. } = item.kind else { return None };
        let thread = document.index.profile().thread(id);
        let markers = layout.if_built(id)?.rows.row(row as usize);
        let first = markers.partition_point(|marker| thread.markers.end[marker.index()] < start);
        markers.get(first).map(|marker| thread.global(*marker))
    })
}

/// The next or previous hit of the search.
pub(super) fn step_hit(document: &Document, forward: bool) -> Option<Command> {
    let hits = document.hits()?;
    let direction = if forward { Direction::Forward } else { Direction::Back };
    hits.step(document.index.profile(), document.view.selected, direction).map(Command::Reveal)
}
