//! Texts of the tree's rows: cells for display, sentences for screen readers, tables for the clipboard.

use super::columns::FlowTreeColumn;
use super::members;
use super::outline::{Node, Outline, TreeItem};
use crate::widgets::table::{self, Cell, Format, TableColumn, counted};
use flowline_index::Index;
use flowline_profile::{DisplayClock, FlowId, MarkerId};
use flowline_session::{FlowTitleCache, TableFile};
use flowline_view::FlowView;

/// Formats rows.
#[derive(Clone, Copy)]
pub(super) struct RowFormatter<'a> {
    pub(super) index: &'a Index,
    pub(super) titles: &'a FlowTitleCache,
    pub(super) outline: &'a Outline,
    pub(super) view: &'a FlowView,
    pub(super) clock: DisplayClock,
}

/// Text of a row.
pub(super) struct RowText {
    /// Cells by column.
    pub(super) cells: [Cell; FlowTreeColumn::ALL.len()],
    /// For a flow, its field and id; otherwise empty.
    pub(super) id: String,
    /// Palette entry.
    pub(super) color: u8,
}

impl RowFormatter<'_> {
    /// Text of a row.
    pub(super) fn row(&self, node: &Node) -> RowText {
        match node.item {
            TreeItem::Marker(marker, above) => self.marker(marker, above, node),
            TreeItem::Flow(flow) => self.flow(flow, node.children),
            TreeItem::Top => self.flow(FlowId(u32::MAX), 0),
        }
    }

    fn marker(&self, marker: MarkerId, above: Option<FlowId>, node: &Node) -> RowText {
        let profile = self.index.profile();
        let gap = match above.map(|flow| self.outline.gap(self.index, flow, node.position)) {
            Some(Some(Some(gap))) => Cell::Gap(gap),
            Some(None) => Cell::Text("…".into()),
            _ => Cell::Empty,
        };
        let contents = match (node.children, above) {
            (0, _) => Cell::Empty,
            (flows, None) => Cell::Text(counted(flows, "flow")),
            (flows, Some(_)) => Cell::Text(counted(flows, "other flow")),
        };
        let Some((thread, local)) = profile.locate(marker) else {
            return RowText { cells: [const { Cell::Empty }; FlowTreeColumn::ALL.len()], id: String::new(), color: 0 };
        };
        let times = profile.marker_range(marker);
        let is_instant = profile.thread(thread).markers.is_instant(local);
        RowText {
            cells: [
                Cell::Text(profile.marker_title(thread, local).into_owned()),
                Cell::Time(self.clock.show(times.start)),
                gap,
                if is_instant { Cell::Instant } else { Cell::Length(times.len()) },
                contents,
                Cell::Text(profile.long_name(thread).into_owned()),
                Cell::Text(members::process_text(profile.process_of(thread))),
            ],
            id: String::new(),
            color: self.index.source().styles.get(marker).color(),
        }
    }

    fn flow(&self, flow: FlowId, markers: usize) -> RowText {
        let (profile, graph) = (self.index.profile(), self.index.flows());
        let title = self.titles.get(self.index, flow);
        let range = graph.range(profile, flow);
        let (thread, process) = match profile.threads.get(title.thread.index()) {
            Some(_) => {
                (profile.long_name(title.thread).into_owned(), members::process_text(profile.process_of(title.thread)))
            }
            None => (String::new(), String::new()),
        };
        RowText {
            cells: [
                Cell::Text(title.label.clone()),
                Cell::Time(self.clock.show(range.start)),
                Cell::Empty,
                Cell::Length(range.len()),
                Cell::Text(counted(markers, "marker")),
                Cell::Text(thread),
                Cell::Text(process),
            ],
            id: format!("{} {}", title.field, title.id),
            color: title.color,
        }
    }

    /// A row as screen readers announce it. The name comes first, so that users can move on without hearing the rest.
    pub(super) fn sentence(&self, node: &Node) -> String {
        let text = self.row(node);
        let [name, start, gap, length, contents, thread, process] =
            text.cells.each_ref().map(|cell| cell.shown().into_owned());
        let place = format!(
            "level {}, {} of {}",
            node.path.len(),
            crate::widgets::grouped(node.path.last().map_or(0, |shown| shown + 1)),
            crate::widgets::grouped(node.siblings)
        );
        let mut parts = match node.item {
            TreeItem::Flow(_) => vec![format!("Flow {name}"), text.id, place],
            _ => vec![name, place],
        };
        parts.push(format!("starts at {start}"));
        match text.cells[2] {
            Cell::Gap(ns) if ns < 0 => parts.push(gap),
            Cell::Gap(_) => parts.push(format!("gap {gap}")),
            _ => {}
        }
        parts.push(match text.cells[3] {
            Cell::Instant => "instant".to_owned(),
            _ => format!("lasts {length}"),
        });
        parts.push(format!("thread {thread}, process {process}"));
        if node.children > 0 {
            parts.push(contents);
            parts.push(if node.expanded { "expanded" } else { "collapsed" }.to_owned());
        }
        if let TreeItem::Flow(flow) = node.item {
            let (entered, pinned) = (self.view.entered.contains(&flow), self.view.is_pinned(flow));
            let states = [(entered, "entered"), (pinned, "pinned")];
            parts.extend(states.into_iter().filter(|(holds, _)| *holds).map(|(_, state)| state.to_owned()));
        }
        parts.join(", ")
    }

    /// A row as one line of displayed text.
    pub(super) fn line(&self, node: &Node) -> String {
        table::line(&self.copied(node, Format::Tsv))
    }

    fn copied(&self, node: &Node, format: Format) -> Vec<Cell> {
        let RowText { cells, id, .. } = self.row(node);
        let [name, rest @ ..] = cells;
        let level = node.path.len();
        let kind = if matches!(node.item, TreeItem::Flow(_)) { "flow" } else { "marker" };
        let name = match format {
            Format::Text => Cell::Text("  ".repeat(level.saturating_sub(1)) + &name.shown()),
            _ => name,
        };
        let head = [Cell::Count(level), Cell::Text(kind.into()), name];
        head.into_iter().chain(rest).chain([Cell::Text(id)]).collect()
    }

    /// All rows, at most [`table::LIMIT`].
    pub(super) fn table(&self, format: Format) -> String {
        use rayon::prelude::*;
        let nodes = self.outline.nodes(self.index.flows(), 0..table::LIMIT);
        let rows: Vec<Vec<Cell>> = nodes.par_iter().map(|node| self.copied(node, format)).collect();
        table::write(format, &copied_columns(), &rows, self.outline.rows())
    }

    /// All rows, for export to a file.
    pub(super) fn exported(&self) -> TableFile {
        use rayon::prelude::*;
        let nodes = self.outline.nodes(self.index.flows(), 0..self.outline.rows());
        let rows: Vec<Vec<Cell>> = nodes.par_iter().map(|node| self.copied(node, Format::Tsv)).collect();
        table::exported("flow-tree", &copied_columns(), rows.len(), move |row| rows[row].clone())
    }
}

/// Columns for copying and export.
fn copied_columns() -> Vec<TableColumn> {
    let [name, rest @ ..] = FlowTreeColumn::LAYOUT;
    let mut columns = vec![TableColumn::numbers("Level", 0.0), TableColumn::text("Kind", 0.0, 0.0), name];
    columns.extend(rest);
    columns.push(TableColumn::text("Flow", 0.0, 0.0));
    columns
}
