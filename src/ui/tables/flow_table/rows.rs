//! Text of the flow table's rows: cells for display and the clipboard, sentences for screen readers.

use std::sync::Arc;

use rayon::prelude::*;

use super::facts::Flows;
use super::{FlowColumn, FlowTable};
use crate::profile::FlowId;
use crate::session::{FlowTitleCache, Session, TableFile};
use crate::ui::widgets::table::{self, Cell};
use crate::view::FlowView;

/// All rows, to be written to a file.
pub(super) fn exported(session: &Session, state: &FlowTable) -> TableFile {
    let (index, rules) = (Arc::clone(&session.index), Arc::clone(&session.flows.rules));
    let (counts, rows, titles) = (Arc::clone(&state.counts), Arc::clone(&state.rows), Arc::clone(&state.titles));
    let view = FlowView::default();
    table::exported("flows", &FlowColumn::LAYOUT, rows.len(), move |row| {
        let flows = Flows { index: &index, rules: &rules, counts: &counts };
        RowFormatter { flows, titles: &titles, view: &view }.cells(rows[row]).to_vec()
    })
}

/// Formats rows.
#[derive(Clone, Copy)]
pub(super) struct RowFormatter<'a> {
    pub(super) flows: Flows<'a>,
    pub(super) titles: &'a FlowTitleCache,
    pub(super) view: &'a FlowView,
}

impl RowFormatter<'_> {
    /// The cells of a row, by column.
    pub(super) fn cells(&self, flow: FlowId) -> [Cell; FlowColumn::ALL.len()] {
        let index = self.flows.index;
        let (title, facts) = (self.titles.get(index, flow), self.flows.facts(flow));
        [
            Cell::Text(title.label.clone()),
            Cell::Text(title.id.clone()),
            Cell::Time(index.profile().displayed(facts.start)),
            Cell::Length(facts.length),
            Cell::Count(self.flows.markers(flow)),
            Cell::Count(facts.threads as usize),
            Cell::Count(facts.processes as usize),
        ]
    }

    /// A row as screen readers announce it.
    pub(super) fn sentence(&self, flow: FlowId, cells: &[Cell; FlowColumn::ALL.len()]) -> String {
        let [label, id, start, length, ..] = cells.each_ref().map(Cell::shown);
        let facts = self.flows.facts(flow);
        let mut parts = vec![
            label.into_owned(),
            format!("id {id}"),
            format!("starts at {start}"),
            format!("lasts {length}"),
            table::counted(self.flows.markers(flow), "marker"),
            table::counted(facts.threads as usize, "thread"),
            table::counted(facts.processes as usize, "process"),
        ];
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
        rows[..rows.len().min(table::LIMIT)].par_iter().map(|flow| self.cells(*flow).to_vec()).collect()
    }
}
