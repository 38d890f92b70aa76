//! What the rows of the tree say: cells for the eye, sentences for screen readers, tables for the clipboard.

use super::outline::{Item, Node, Outline};
use super::{Column, members};
use crate::index::Index;
use crate::profile::{FlowId, MarkerId};
use crate::session::FlowTitles;
use crate::ui::widgets::table::{self, Cell, Format, counted};
use crate::view::FlowView;

/// Where rows get their texts from.
#[derive(Clone, Copy)]
pub(super) struct Teller<'a> {
    pub(super) index: &'a Index,
    pub(super) looks: &'a FlowTitles,
    pub(super) outline: &'a Outline,
    pub(super) view: &'a FlowView,
}

/// What a row says.
pub(super) struct RowText {
    /// By column.
    pub(super) cells: [Cell; Column::ALL.len()],
    /// Of a flow, the field that names it and its id.
    pub(super) id: String,
    /// Palette entry.
    pub(super) color: u8,
}

impl Teller<'_> {
    /// What a row says.
    pub(super) fn row(&self, node: &Node) -> RowText {
        match node.item {
            Item::Marker(marker, above) => self.marker(marker, above, node),
            Item::Flow(flow) => self.flow(flow, node.children),
            Item::Top => self.flow(FlowId(u32::MAX), 0),
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
            return RowText { cells: [const { Cell::Empty }; Column::ALL.len()], id: String::new(), color: 0 };
        };
        let times = members::times(profile, marker);
        let is_instant = profile.thread(thread).markers.is_instant(local);
        RowText {
            cells: [
                Cell::Text(profile.marker_name(thread, local).to_owned()),
                Cell::Time(profile.displayed(times.start)),
                gap,
                if is_instant { Cell::Instant } else { Cell::Length(times.len()) },
                contents,
                Cell::Text(profile.thread(thread).name.clone()),
                Cell::Text(members::process_text(profile.process_of(thread))),
            ],
            id: String::new(),
            color: self.index.source().styles.get(marker).color(),
        }
    }

    fn flow(&self, flow: FlowId, markers: usize) -> RowText {
        let (profile, graph) = (self.index.profile(), self.index.flows());
        let named = self.looks.get(self.index, flow);
        let range = graph.range(profile, flow);
        let (thread, process) = match profile.threads.get(named.thread.index()) {
            Some(thread) => (thread.name.clone(), members::process_text(profile.process_of(named.thread))),
            None => (String::new(), String::new()),
        };
        RowText {
            cells: [
                Cell::Text(named.label.clone()),
                Cell::Time(profile.displayed(range.start)),
                Cell::Empty,
                Cell::Length(range.len()),
                Cell::Text(counted(markers, "marker")),
                Cell::Text(thread),
                Cell::Text(process),
            ],
            id: format!("{} {}", named.field, named.id),
            color: named.color,
        }
    }

    /// What screen readers say of a row: the name first, so that one hears soon whether it is the one.
    pub(super) fn sentence(&self, node: &Node) -> String {
        let text = self.row(node);
        let [name, start, gap, length, contents, thread, process] =
            text.cells.each_ref().map(|cell| cell.shown().into_owned());
        let place = format!(
            "level {}, {} of {}",
            node.path.len(),
            crate::ui::widgets::grouped(node.path.last().map_or(0, |shown| shown + 1)),
            crate::ui::widgets::grouped(node.siblings)
        );
        let mut parts = match node.item {
            Item::Flow(_) => vec![format!("Flow {name}"), text.id, place],
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
        if let Item::Flow(flow) = node.item {
            let (entered, pinned) = (self.view.entered.contains(&flow), self.view.is_pinned(flow));
            let states = [(entered, "entered"), (pinned, "pinned")];
            parts.extend(states.into_iter().filter(|(holds, _)| *holds).map(|(_, state)| state.to_owned()));
        }
        parts.join(", ")
    }

    /// A row on one line, as shown.
    pub(super) fn line(&self, node: &Node) -> String {
        table::line(&self.copied(node, Format::Tsv))
    }

    fn copied(&self, node: &Node, format: Format) -> Vec<Cell> {
        let RowText { cells, id, .. } = self.row(node);
        let [name, rest @ ..] = cells;
        let level = node.path.len();
        let kind = if matches!(node.item, Item::Flow(_)) { "flow" } else { "marker" };
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
        let [name, rest @ ..] = Column::SHAPES;
        let mut columns = vec![table::Column::numbers("Level", 0.0), table::Column::text("Kind", 0.0, 0.0), name];
        columns.extend(rest);
        columns.push(table::Column::text("Flow", 0.0, 0.0));
        table::write(format, &columns, &rows, self.outline.rows())
    }
}
