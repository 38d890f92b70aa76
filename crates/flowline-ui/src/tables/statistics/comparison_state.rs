//! Baseline of a comparison: the statistics of a stored scope, or those of the second recording.

use std::sync::Arc;

use super::comparison_rows::{Column, Order, ordered};
use super::side::Side;
use super::statistics_result::{Answer, Question, follow};
use crate::widgets::table::{Scroll, Widths};
use flowline_index::Index;
use flowline_index::statistics::Statistics;
use flowline_index::statistics::compare::{Row, compare};
use flowline_session::{Job, PoolTask, Session, Task, Wake};

/// Two statistics, compared by address. Holding both `Arc`s keeps an address from being reused.
#[derive(Clone)]
struct Pair {
    a: Arc<Statistics>,
    b: Arc<Statistics>,
}

impl PartialEq for Pair {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.a, &other.a) && Arc::ptr_eq(&self.b, &other.b)
    }
}

/// Sorted row numbers of two statistics.
struct Ordered {
    of: Pair,
    sort: (Order, bool),
    rows: Arc<Vec<u32>>,
}

/// Statistics of the second recording.
struct Second {
    task: Task<Question, Answer>,
    answer: Option<Answer>,
}

/// Baseline of the comparison, and the compared rows.
pub(super) struct ComparisonState {
    wake: Wake,
    kept: Option<Side>,
    second: Option<Second>,
    task: Task<Pair, Vec<Row>>,
    rows: Option<(Pair, Arc<Vec<Row>>)>,
    pub(super) shown: Vec<Column>,
    pub(super) widths: Widths,
    pub(super) sort: (Order, bool),
    /// Sorted row numbers.
    order: Option<Ordered>,
    pub(super) scroll: Scroll,
    pub(super) cursor: usize,
}

impl ComparisonState {
    pub(super) fn new(wake: Wake) -> Self {
        let task = Task::new(Arc::clone(&wake));
        Self {
            wake,
            kept: None,
            second: None,
            task,
            rows: None,
            shown: Column::USUAL.to_vec(),
            widths: Widths::default(),
            sort: (Order::Difference, true),
            order: None,
            scroll: Scroll::default(),
            cursor: 0,
        }
    }

    pub(super) const fn is_on(&self) -> bool {
        self.kept.is_some() || self.second.is_some()
    }

    /// True if the baseline is the second recording.
    pub(super) const fn is_of_recordings(&self) -> bool {
        self.second.is_some()
    }

    /// Stores statistics as A.
    pub(super) fn keep(&mut self, side: Side) {
        (self.kept, self.second, self.rows) = (Some(side), None, None);
    }

    /// Starts a comparison with the second recording and computes its statistics.
    pub(super) fn compare_recordings(&mut self) {
        let second = Second { task: Task::new(Arc::clone(&self.wake)), answer: None };
        (self.kept, self.second, self.rows) = (None, Some(second), None);
    }

    /// Ends the comparison.
    pub(super) fn end(&mut self) {
        self.task.cancel();
        (self.kept, self.second, self.rows) = (None, None, None);
    }

    /// Updates the statistics of the second recording, if it is the baseline.
    pub(super) fn follow_second(&mut self, session: &Session, question: Question) {
        if let Some(Second { task, answer }) = &mut self.second
            && let Some(newest) = follow(task, answer.as_ref(), session, question)
        {
            *answer = Some(newest);
        }
    }

    /// Both sides, once computed. `own` contains the statistics of the scope: side B of a comparison with stored
    /// statistics, side A of a comparison with the second recording.
    pub(super) fn sides(&self, own: Side, second_title: impl FnOnce() -> String) -> Option<[Side; 2]> {
        match &self.second {
            Some(second) => Some([own, Side::of(second.answer.as_ref(), second_title)?]),
            None => Some([self.kept.clone()?, own]),
        }
    }

    /// Compares two sides on the pool; returns the rows once computed.
    pub(super) fn follow(&mut self, [a, b]: &[Side; 2]) -> Option<Arc<Vec<Row>>> {
        let pair = Pair { a: Arc::clone(&a.full), b: Arc::clone(&b.full) };
        let is_known = self.rows.as_ref().is_some_and(|(known, _)| *known == pair);
        if !is_known && !self.task.is_for(&pair) {
            self.task.replace(pair.clone(), {
                let Pair { a, b } = pair.clone();
                move |running| compare(&a, &b, &|| running.is_wanted()).map_or_else(Vec::new, |found| found.rows)
            });
        }
        self.take();
        self.known(a, b)
    }

    /// Applies a finished result.
    fn take(&mut self) {
        if let Some((found, rows)) = self.task.poll() {
            self.rows = Some((found, Arc::new(rows)));
        }
    }

    /// Number of rows; 0 until computed.
    pub(super) fn count(&self) -> usize {
        self.rows.as_ref().map_or(0, |(_, rows)| rows.len())
    }

    /// Row numbers of two sides in the current sort order.
    pub(super) fn ordered(&mut self, sides: &[Side; 2], rows: &[Row]) -> Arc<Vec<u32>> {
        let pair = Pair { a: Arc::clone(&sides[0].full), b: Arc::clone(&sides[1].full) };
        if let Some(known) = self.order.as_ref().filter(|known| known.of == pair && known.sort == self.sort) {
            return Arc::clone(&known.rows);
        }
        let order = Arc::new(ordered(sides, rows, self.sort));
        // A cursor that the user has moved stays on its group.
        let before = self.order.as_ref().filter(|known| known.of == pair && self.cursor > 0);
        let group = before.and_then(|known| known.rows.get(self.cursor));
        self.cursor = group.and_then(|group| order.iter().position(|other| other == group)).unwrap_or(0);
        self.scroll.restart(Some(self.cursor));
        self.order = Some(Ordered { of: pair, sort: self.sort, rows: Arc::clone(&order) });
        order
    }

    /// Rows of two sides, if computed.
    pub(super) fn known(&self, a: &Side, b: &Side) -> Option<Arc<Vec<Row>>> {
        let is_of = |pair: &Pair| Arc::ptr_eq(&pair.a, &a.full) && Arc::ptr_eq(&pair.b, &b.full);
        self.rows.as_ref().filter(|(known, _)| is_of(known)).map(|(_, rows)| Arc::clone(rows))
    }
}

impl Job for ComparisonState {
    fn tasks(&self) -> Vec<&dyn PoolTask> {
        let second = self.second.as_ref().map(|second| &second.task as &dyn PoolTask);
        std::iter::once(&self.task as &dyn PoolTask).chain(second).collect()
    }

    fn poll(&mut self, _index: &Arc<Index>) {
        if let Some(Second { task, answer }) = &mut self.second
            && let Some(newest) = task.poll_newest()
        {
            *answer = Some(newest);
        }
        self.take();
    }
}
