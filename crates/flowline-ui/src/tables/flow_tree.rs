//! The flow tree: a marker, its flows, their markers, these markers' other flows, and so on. Designed for the keyboard
//! and for screen readers.
//!
//! The selected marker is the root. Without one, or if it is in no flow, the entered flows are the roots. Selecting or
//! entering something inside the tree does not rebuild it, so the cursor keeps its position.

mod branch;
mod members;
mod outline;
mod paint;
mod rows;

use std::sync::Arc;

use egui::{Id, Key, RichText, Role, Ui};

use crate::widgets::table::{self, Body, CopyRequest, Scroll, TableColumn, Widths, copy_menu, counted};
use flowline_index::Index;
use flowline_profile::{FlowId, MarkerId};
use flowline_scene::Palette;
use flowline_session::Session;
use flowline_session::Task;
use flowline_session::{FlowTitleCache, why_no_flows};
use flowline_view::{Command, FlowCommand, ViewState};
use members::{Members, SortOrder};
use outline::{Outline, TreeItem};
use paint::NodeAction;
use rows::RowFormatter;

/// Flows with at most this many markers are sorted synchronously; larger ones on the pool.
const QUICK_MARKERS: usize = 20_000;

/// A column of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FlowTreeColumn {
    Name,
    Start,
    Gap,
    Duration,
    Contents,
    Thread,
    Process,
}

impl FlowTreeColumn {
    const ALL: [Self; 7] =
        [Self::Name, Self::Start, Self::Gap, Self::Duration, Self::Contents, Self::Thread, Self::Process];

    /// Title, kind and width of each column.
    const LAYOUT: [TableColumn; 7] = [
        TableColumn::text("Name", 200.0, 3.0),
        TableColumn::times("Start", 112.0),
        TableColumn::lengths("Gap", 112.0),
        TableColumn::lengths("Duration", 76.0),
        TableColumn::text("Contents", 88.0, 0.0),
        TableColumn::text("Thread", 100.0, 1.0),
        TableColumn::text("Process", 100.0, 1.0),
    ];
}

/// The part of the view that the tree is built from.
#[derive(Clone, Debug, PartialEq)]
struct TreeSource {
    selected: Option<MarkerId>,
    entered: Vec<FlowId>,
}

/// Background sorting of flows; the key is the sort order and the flows.
type Orders = Task<(SortOrder, Vec<FlowId>), Vec<(FlowId, Members)>>;

/// State of the tree.
pub struct FlowTree {
    outline: Outline,
    source: Option<TreeSource>,
    /// The source expected after the tree's own commands are applied; it does not trigger a rebuild.
    expected: Option<TreeSource>,
    sort: SortOrder,
    orders: Orders,
    titles: FlowTitleCache,
    widths: Widths,
    scroll: Scroll,
}

impl FlowTree {
    /// Creates a tree; `wake` is called when flows have been sorted.
    #[must_use]
    pub fn new(wake: Arc<dyn Fn() + Send + Sync>) -> Self {
        Self {
            outline: Outline::new(),
            source: None,
            expected: None,
            sort: (FlowTreeColumn::Start, false),
            orders: Task::new(wake),
            titles: FlowTitleCache::default(),
            widths: Widths::default(),
            scroll: Scroll::default(),
        }
    }

    /// Custom column widths.
    #[must_use]
    pub const fn widths(&self) -> &Widths {
        &self.widths
    }

    /// Custom column widths, mutable.
    pub const fn widths_mut(&mut self) -> &mut Widths {
        &mut self.widths
    }

    /// True while flows are being sorted.
    #[must_use]
    pub const fn is_busy(&self) -> bool {
        self.orders.is_running()
    }

    /// Waits until the flows are sorted; for headless rendering and tests.
    pub fn wait(&mut self, session: &Session) {
        let mut found = Vec::new();
        self.orders.wait(|_, members| found.extend(members));
        if !found.is_empty() {
            self.outline.set_members(session.index.flows(), found);
        }
    }

    /// Rebuilds the tree if its source changed. A newly shown tree always follows the view.
    fn follow(&mut self, index: &Index, view: &ViewState, is_new: bool) {
        let now = TreeSource { selected: view.selected, entered: view.flows.entered.clone() };
        if !is_new && self.source.as_ref() == Some(&now) {
            return;
        }
        let expected = self.expected.take().as_ref() == Some(&now);
        self.source = Some(now.clone());
        if expected && !is_new {
            return;
        }
        let graph = index.flows();
        let selected = now.selected.filter(|marker| !graph.flows_of(*marker).is_empty());
        let roots = match selected {
            Some(marker) => vec![TreeItem::Marker(marker, None)],
            None => now.entered.iter().map(|flow| TreeItem::Flow(*flow)).collect(),
        };
        if roots != self.outline.roots() {
            self.outline.set_roots(graph, roots, &now.entered);
            self.scroll.reveal(0);
        }
    }

    /// Computes the source that will result from the tree's own commands.
    fn expect(&mut self, view: &ViewState, commands: &[Command]) {
        let mut expected = TreeSource { selected: view.selected, entered: view.flows.entered.clone() };
        for command in commands {
            if let Command::Reveal(marker) | Command::ZoomToMarker(marker) = command {
                expected.selected = Some(*marker);
            } else if let Command::Flow(FlowCommand::Enter(flows)) = command {
                expected.entered.clone_from(flows);
            }
        }
        if self.source.as_ref() != Some(&expected) {
            self.expected = Some(expected);
        }
    }

    /// Sorts newly expanded flows: small ones synchronously, the rest on the pool.
    fn keep_order(&mut self, index: &Arc<Index>) {
        let (graph, cursor) = (index.flows(), self.outline.cursor());
        if let Some(found) = self.orders.poll_newest() {
            self.outline.set_members(graph, found);
        }
        let (quick, slow): (Vec<FlowId>, Vec<FlowId>) =
            self.outline.missing().into_iter().partition(|flow| graph.members(*flow).len() <= QUICK_MARKERS);
        if !quick.is_empty() {
            self.outline.set_members(graph, Outline::arrange(index, &quick, self.sort));
        }
        if self.outline.cursor() != cursor {
            self.scroll.reveal(self.outline.cursor());
        }
        let key = (self.sort, slow);
        if key.1.is_empty() || (self.orders.is_running() && self.orders.is_for(&key)) {
            return;
        }
        let index = Arc::clone(index);
        let (sort, flows) = key.clone();
        self.orders.replace(key, move |_| Outline::arrange(&index, &flows, sort));
    }

    fn sort_by(&mut self, index: &Index, column: FlowTreeColumn) {
        self.sort =
            table::pressed(self.sort, column, column == FlowTreeColumn::Duration || column == FlowTreeColumn::Contents);
        self.orders.cancel();
        self.outline.forget_orders(index.flows());
        self.scroll.reveal(self.outline.cursor());
    }
}

/// Id of the tree's widget.
pub(crate) fn tree_id() -> Id {
    Id::unique("flow tree")
}

/// Shows the tree; returns the user's commands.
pub(crate) fn show(ui: &mut Ui, session: &Session, tree: &mut FlowTree, palette: &Palette) -> Vec<Command> {
    let (index, view, flows) = (&session.index, &session.view, &session.flows);
    ui.set_min_height(ui.available_height());
    let is_new = tree.scroll.is_new(ui);
    if !tree.titles.is_for(&flows.rules) {
        tree.titles = FlowTitleCache::new(&flows.rules);
    }
    tree.follow(index, view, is_new);
    tree.keep_order(index);
    let pressed = tools(ui, session, tree);
    if tree.outline.rows() == 0 {
        ui.weak(if index.flows().is_empty() {
            why_no_flows(index)
        } else {
            "Select a marker that belongs to a flow, or enter a flow."
        });
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
fn tools(ui: &mut Ui, session: &Session, tree: &FlowTree) -> Option<CopyRequest> {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        ui.add_space(4.0);
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
        ui.add_space(6.0);
        let hint = "⏵ ⏴ expand, collapse · Enter enters the flow · Space selects the marker · P pins";
        let text = if tree.is_busy() { "Sorting…" } else { hint };
        ui.add(egui::Label::new(RichText::new(text).small().weak()).truncate());
        wanted
    })
    .inner
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
        _ => {}
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
