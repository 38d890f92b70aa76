//! State of the network table. Requests are collected, filtered and sorted on the pool.

use std::sync::Arc;

use egui::Id;

use super::columns::{Column, cell, compare, matches};
use crate::widgets::table::{self, Scroll, TableColumn, Widths};
use flowline_format::DurationUnit;
use flowline_index::Index;
use flowline_index::network::{Network, NetworkRequest, NetworkRequestId, Outcome};
use flowline_profile::{MarkerId, TimeRange};
use flowline_scene::{Scope, ScopeKey, ThreadPart};
use flowline_session::{Job, PoolTask, Session, TableFile, Task, Wake};

/// Inputs of the rows.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Question {
    scope: ScopeKey,
    words: Vec<String>,
    sort: (Column, bool),
}

/// Filtered requests, in order.
pub(super) struct Answer {
    pub(super) rows: Arc<Vec<NetworkRequestId>>,
    /// Number of requests in the recording.
    pub(super) total: usize,
    /// Time range of the waterfall: the range of the scope, or from the first start to the last end of the rows.
    pub(super) range: TimeRange,
    /// Unit of the durations: that of the longest request.
    pub(super) unit: DurationUnit,
}

/// State of the table.
pub struct NetworkTable {
    pub(super) task: Task<Question, Answer>,
    pub(super) answer: Option<Answer>,
    pub(super) sort: (Column, bool),
    pub(super) filter: String,
    pub(super) columns: Vec<Column>,
    pub(super) widths: Widths,
    pub(super) scroll: Scroll,
    pub(super) revealed: Option<MarkerId>,
}

impl NetworkTable {
    /// Creates a table; `wake` is called when the rows are ready.
    #[must_use]
    pub fn new(wake: Wake) -> Self {
        Self {
            task: Task::new(wake),
            answer: None,
            sort: (Column::Start, false),
            filter: String::new(),
            columns: Column::USUAL.to_vec(),
            widths: Widths::default(),
            scroll: Scroll::default(),
            revealed: None,
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

    fn set(&mut self, answer: Answer) {
        self.answer = Some(answer);
        // The offset belongs to other rows or another order. The selected row is shown if there is one.
        self.scroll.restart(None);
        self.revealed = None;
    }

    pub(super) fn follow(&mut self, index: &Arc<Index>, scope: &Scope) {
        let words = self.filter.to_lowercase().split_whitespace().map(str::to_owned).collect();
        let question = Question { scope: scope.key(), words, sort: self.sort };
        if !self.task.is_for(&question) {
            let (index, scope, asked) = (Arc::clone(index), scope.clone(), question.clone());
            self.task.replace(question, move |_| answer(&index, &scope, &asked));
        }
        self.poll(index);
    }
}

impl Job for NetworkTable {
    fn tasks(&self) -> Vec<&dyn PoolTask> {
        vec![&self.task]
    }

    fn poll(&mut self, _index: &Arc<Index>) {
        if let Some(answer) = self.task.poll_newest() {
            self.set(answer);
        }
    }
}

/// True if a request is in a scope.
fn is_in(index: &Index, scope: &Scope, (id, request): (NetworkRequestId, &NetworkRequest), network: &Network) -> bool {
    let profile = index.profile();
    let has = |marker: &MarkerId| {
        let Some((thread, local)) = profile.locate(*marker) else { return false };
        match scope.part(thread) {
            ThreadPart::Nothing => false,
            ThreadPart::All => true,
            ThreadPart::Some(markers) => markers.binary_search(&local).is_ok(),
        }
    };
    scope.range().is_none_or(|range| range.overlaps(request.start, request.end)) && network.markers(id).iter().any(has)
}

fn answer(index: &Index, scope: &Scope, asked: &Question) -> Answer {
    let (profile, network) = (index.profile(), index.network());
    let is_everything = scope.is_everything();
    let is_shown = |entry: &(NetworkRequestId, &NetworkRequest)| {
        (is_everything || is_in(index, scope, *entry, network)) && matches(profile, entry.1, &asked.words)
    };
    let mut rows: Vec<(NetworkRequestId, &NetworkRequest)> = network.iter().filter(is_shown).collect();
    // Requests are ordered by start, and the sort is stable.
    let (column, descending) = asked.sort;
    rows.sort_by(|a, b| {
        let order = compare(profile, column, a.1, b.1);
        if descending { order.reverse() } else { order }
    });
    // Unfinished requests extend to the end of the recording and would squeeze the others.
    let times = |(_, request): &(NetworkRequestId, &NetworkRequest)| match request.outcome {
        Outcome::Unfinished => TimeRange::new(request.start, request.start),
        Outcome::Finished | Outcome::Failed => TimeRange::new(request.start, request.end),
    };
    let range = scope.range().or(rows.iter().map(times).reduce(TimeRange::union)).unwrap_or_default();
    let unit = DurationUnit::of_column(rows.iter().map(|(_, request)| request.duration().0));
    let rows = rows.into_iter().map(|(id, _)| id).collect();
    Answer { rows: Arc::new(rows), total: network.requests().len(), range, unit }
}

/// All rows in the displayed order with all columns, for export to a file.
pub(super) fn exported(session: &Session, state: &NetworkTable) -> Option<TableFile> {
    let rows = Arc::clone(&state.answer.as_ref()?.rows);
    let (index, clock) = (Arc::clone(&session.index), session.view.clock());
    let shown: Vec<Column> = Column::ALL.into_iter().filter(|column| *column != Column::Waterfall).collect();
    let columns: Vec<TableColumn> = shown.iter().map(|column| column.layout()).collect();
    Some(table::exported("network", &columns, rows.len(), move |row| {
        let request = index.network().get(rows[row]);
        let cells = |request| shown.iter().map(|column| cell((index.profile(), clock), request, *column)).collect();
        request.map(cells).unwrap_or_default()
    }))
}

/// Id of the table's widget.
pub(crate) fn network_id() -> Id {
    Id::unique("network table")
}

pub(super) fn filter_id() -> Id {
    Id::unique("network filter")
}
