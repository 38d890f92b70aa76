//! Shows the flow tree.

use egui::{Id, Key, RichText, Role, Ui};

use super::columns::FlowTreeColumn;
use super::outline::TreeItem;
use super::paint::{self, NodeAction};
use super::rows::RowFormatter;
use super::state::FlowTree;
use crate::tables::TableKind;
use crate::tables::empty_table::NO_FLOWS;
use crate::tables::tool_strip::{self, FilterSlot, Tools};
use crate::widget_requests::{WidgetRequest, post};
use crate::widgets::empty_state;
use crate::widgets::table::{self, Body, CopyRequest, TableColumn, copy_menu, counted};
use flowline_index::Index;
use flowline_scene::Palette;
use flowline_session::{FlowTitleCache, Job, Session, why_no_flows};
use flowline_view::{Command, FlowCommand};

/// Id of the tree's widget.
pub(crate) fn tree_id() -> Id {
    Id::unique("flow tree")
}

/// Shows the tree; returns the user's commands.
pub(crate) fn show(
    ui: &mut Ui,
    session: &Session,
    tree: &mut FlowTree,
    slot: &mut FilterSlot<'_>,
    palette: &Palette,
) -> Vec<Command> {
    let (index, view, flows) = (&session.index, &session.view, &session.flows);
    ui.set_min_height(ui.available_height());
    let is_new = tree.scroll.is_new(ui);
    if !tree.titles.is_for(&flows.rules) {
        tree.titles = FlowTitleCache::new(&flows.rules);
    }
    tree.follow(index, view, is_new);
    tree.keep_order(index);
    let pressed = tools(ui, session, tree, slot);
    if tree.outline.rows() == 0 {
        if index.flows().is_empty() {
            empty_state(ui, why_no_flows(index), NO_FLOWS, None);
        } else {
            let why = "Select a marker that belongs to a flow, or enter a flow.";
            if empty_state(ui, "No flow is selected.", why, Some("Show all flows")) {
                post(ui.ctx(), WidgetRequest::ShowTable(TableKind::AllFlows));
            }
        }
        return Vec::new();
    }
    let by = FlowTreeColumn::ALL.iter().position(|column| *column == tree.sort.0).unwrap_or(0);
    let columns = tree.widths.apply(&FlowTreeColumn::LAYOUT);
    if let Some(column) = table::resizable_header(ui, &columns, (by, tree.sort.1), &mut tree.widths) {
        tree.sort_by(index, FlowTreeColumn::ALL[column]);
        tree.keep_order(index);
    }
    let rows = tree.outline.rows();
    let mut body = Body::new(ui, tree_id(), Role::Tree, || {
        format!("Flow tree, {}, arrow keys expand and collapse", counted(rows, "row"))
    });
    if is_new {
        tree.scroll.reveal(tree.outline.cursor());
    }
    let mut commands = Vec::new();
    let acted = body_rows(&mut body, session, tree, &columns, palette, &mut commands);
    let keyed = if body.focused { keys(&body.ui, index, tree, &mut commands) } else { None };
    if let Some(wanted) = pressed.or(keyed) {
        let formatter = RowFormatter {
            index,
            titles: &tree.titles,
            outline: &tree.outline,
            view: &view.flows,
            clock: view.clock(),
        };
        let cursor = tree.outline.node(index.flows(), tree.outline.cursor());
        match wanted {
            CopyRequest::Row => cursor.into_iter().for_each(|node| ui.copy_text(formatter.line(&node))),
            CopyRequest::All(format) => ui.copy_text(formatter.table(format)),
        }
    }
    body.finish(acted || is_new);
    tree.expect(view, &commands);
    commands
}

/// Shows the toolbar; returns the copy request.
fn tools(ui: &mut Ui, session: &Session, tree: &mut FlowTree, slot: &mut FilterSlot<'_>) -> Option<CopyRequest> {
    let hint = "Right and left arrow expand and collapse, Enter enters the flow, Space selects the marker, P pins";
    let text = if tree.is_busy() { "Sorting…" } else { hint };
    let mut tools = Tools::new("flow tree");
    tools.add_text("hint", RichText::new(text).small().weak());
    tool_strip::show(ui, slot, tree, tools, |ui, tree| {
        let wanted = copy_menu(ui);
        let is_ready = tree.outline.rows() > 0 && !tree.is_busy();
        let formatter = || RowFormatter {
            index: &session.index,
            titles: &tree.titles,
            outline: &tree.outline,
            view: &session.view.flows,
            clock: session.view.clock(),
        };
        table::export_button(ui, is_ready, || formatter().exported());
        ui.label(RichText::new(counted(tree.outline.rows(), "row")).small().weak());
        wanted
    })
}

/// Shows the rows; returns true if one was clicked.
fn body_rows(
    body: &mut Body,
    session: &Session,
    tree: &mut FlowTree,
    columns: &[TableColumn],
    palette: &Palette,
    commands: &mut Vec<Command>,
) -> bool {
    let (index, view) = (&session.index, &session.view);
    let graph = index.flows();
    let formatter =
        RowFormatter { index, titles: &tree.titles, outline: &tree.outline, view: &view.flows, clock: view.clock() };
    let (mut wanted, mut cursor_id) = (None, None);
    tree.scroll.show(&mut body.ui, tree.outline.rows(), |ui, row, rect| {
        let Some(node) = formatter.outline.node(graph, row) else { return };
        let id = ui.scope_id().with(("row", &node.path));
        let is_cursor = row == formatter.outline.cursor();
        if is_cursor {
            cursor_id = Some(id);
        }
        if let Some(act) = paint::row(ui, formatter, (&node, columns), (id, rect, is_cursor), palette) {
            wanted = Some((node, act));
        }
    });
    if let Some(cursor) = cursor_id {
        body.announce_cursor(cursor);
    }
    let Some((node, act)) = wanted else { return false };
    tree.outline.move_to(graph, node.row);
    match (act, node.item) {
        (NodeAction::Toggle, _) => tree.outline.toggle(graph, &node),
        (NodeAction::Click, TreeItem::Marker(marker, _)) => commands.push(Command::Reveal(marker)),
        (NodeAction::DoubleClick, TreeItem::Marker(marker, _)) => commands.push(Command::ZoomToMarker(marker)),
        (NodeAction::DoubleClick, TreeItem::Flow(flow)) => commands.push(Command::Flow(FlowCommand::Enter(vec![flow]))),
        (NodeAction::Click, TreeItem::Flow(_)) | (NodeAction::Click | NodeAction::DoubleClick, TreeItem::Top) => {}
    }
    true
}

/// Handles keys; returns the copy request.
fn keys(ui: &Ui, index: &Index, tree: &mut FlowTree, commands: &mut Vec<Command>) -> Option<CopyRequest> {
    let graph = index.flows();
    let moved = table::moved(ui, || Some(tree.outline.cursor()), tree.outline.rows(), tree.scroll.fits);
    if let Some(row) = moved {
        tree.outline.move_to(graph, row);
    }
    let (right, left) = (table::key(ui, Key::ArrowRight), table::key(ui, Key::ArrowLeft));
    (0..right).for_each(|_| tree.outline.inwards(graph));
    (0..left).for_each(|_| tree.outline.outwards(graph));
    if moved.is_some() || left + right > 0 {
        tree.scroll.reveal(tree.outline.cursor());
        ui.ctx().request_repaint();
    }
    let node = tree.outline.node(graph, tree.outline.cursor())?;
    let marker = if let TreeItem::Marker(marker, _) = node.item { Some(marker) } else { None };
    // A marker at the top has no flow above it: the command applies to its own flows.
    let flows = match (node.flow(), marker) {
        (Some(flow), _) => vec![flow],
        (None, Some(marker)) => graph.flows_of(marker).to_vec(),
        (None, None) => Vec::new(),
    };
    if table::key(ui, Key::Space) > 0 {
        commands.extend(marker.map(Command::Reveal));
    }
    if table::key(ui, Key::P) > 0
        && let [flow] = flows[..]
    {
        commands.push(Command::Flow(FlowCommand::TogglePin(flow)));
    }
    if table::key(ui, Key::Enter) > 0 && !flows.is_empty() {
        commands.extend(marker.map(Command::Reveal));
        commands.push(Command::Flow(FlowCommand::Enter(flows)));
    }
    table::copying(ui)
}
