//! Texts of the flow table's rows: cells for display and the clipboard, sentences for screen readers.

use std::sync::Arc;

use rayon::prelude::*;

use super::columns::{FlowColumn, plain};
use super::facts::Flows;
use super::state::FlowTable;
use super::texts::Fact;
use crate::widgets::table::{self, Cell};
use flowline_profile::{DisplayClock, FlowId};
use flowline_session::{FlowTitleCache, Session, TableFile};
use flowline_view::FlowView;

/// All rows with the visible columns, for export to a file.
pub(super) fn exported(session: &Session, state: &FlowTable) -> TableFile {
    let (index, rules) = (Arc::clone(&session.index), Arc::clone(&session.flows.rules));
    let (counts, timelines) = (Arc::clone(&state.counts), state.timelines.clone());
    let (rows, titles, columns) = (Arc::clone(&state.rows), Arc::clone(&state.titles), state.columns.clone());
    let (view, clock) = (FlowView::default(), session.view.clock());
    table::exported("flows", &plain(&state.columns), rows.len(), move |row| {
        let flows = Flows { index: &index, rules: &rules, counts: &counts, timelines: timelines.as_deref() };
        RowFormatter { flows, titles: &titles, view: &view, clock, columns: &columns }.cells(rows[row])
    })
}

/// Formats rows.
#[derive(Clone, Copy)]
pub(super) struct RowFormatter<'a> {
    pub(super) flows: Flows<'a>,
    pub(super) titles: &'a FlowTitleCache,
    pub(super) view: &'a FlowView,
    pub(super) clock: DisplayClock,
    /// Visible columns.
    pub(super) columns: &'a [FlowColumn],
}

impl RowFormatter<'_> {
    /// Cells of a row, by column.
    pub(super) fn cells(&self, flow: FlowId) -> Vec<Cell> {
        self.columns.iter().map(|column| self.cell(*column, flow)).collect()
    }

    fn cell(&self, column: FlowColumn, flow: FlowId) -> Cell {
        let index = self.flows.index;
        let facts = self.flows.facts(flow);
        let text = |fact: Fact| match self.titles.fact(flow, fact as usize, |rules| fact.text(index, rules, flow)) {
            text if text.is_empty() => Cell::Empty,
            text => Cell::Text(text),
        };
        let total = |ns: Option<i64>| ns.map_or_else(|| Cell::Text("…".to_owned()), Cell::Length);
        match column {
            FlowColumn::Label => Cell::Text(self.titles.get(index, flow).label.clone()),
            FlowColumn::Id => Cell::Text(self.titles.get(index, flow).id.clone()),
            FlowColumn::Start => Cell::Time(self.clock.show(facts.start)),
            FlowColumn::Length => Cell::Length(facts.length),
            FlowColumn::Run => total(self.flows.run(flow)),
            FlowColumn::Wait => total(self.flows.wait(flow)),
            FlowColumn::LongestWait => total(self.flows.longest_wait(flow)),
            FlowColumn::Markers => Cell::Count(self.flows.markers(flow)),
            FlowColumn::Threads => Cell::Count(facts.threads as usize),
            FlowColumn::Processes => Cell::Count(facts.processes as usize),
            FlowColumn::PostedFrom => text(Fact::PostedFrom),
            FlowColumn::RunsOn => text(Fact::RunsOn),
            FlowColumn::Type => text(Fact::Type),
            FlowColumn::Resource => text(Fact::Resource),
        }
    }

    /// A row as screen readers announce it.
    pub(super) fn sentence(&self, flow: FlowId, cells: &[Cell]) -> String {
        let mut parts = Vec::new();
        for (column, cell) in self.columns.iter().zip(cells) {
            let shown = cell.shown();
            parts.push(match (column, cell) {
                (_, Cell::Empty) => continue,
                (FlowColumn::Label, _) => shown.into_owned(),
                (FlowColumn::Start, _) => format!("starts at {shown}"),
                (FlowColumn::Length, _) => format!("lasts {shown}"),
                (FlowColumn::Markers, Cell::Count(count)) => table::counted(*count, "marker"),
                (FlowColumn::Threads, Cell::Count(count)) => table::counted(*count, "thread"),
                (FlowColumn::Processes, Cell::Count(count)) => table::counted(*count, "process"),
                _ => format!("{} {shown}", column.title().to_lowercase()),
            });
        }
        let states = [(self.view.entered.contains(&flow), "entered"), (self.view.is_pinned(flow), "pinned")];
        parts.extend(states.into_iter().filter(|(holds, _)| *holds).map(|(_, state)| state.to_owned()));
        parts.join(", ")
    }

    /// A row as one line of displayed text.
    pub(super) fn line(&self, flow: FlowId) -> String {
        table::line(&self.cells(flow))
    }

    /// The first rows, at most [`table::LIMIT`].
    pub(super) fn table(&self, rows: &[FlowId]) -> Vec<Vec<Cell>> {
        rows[..rows.len().min(table::LIMIT)].par_iter().map(|flow| self.cells(*flow)).collect()
    }
}
