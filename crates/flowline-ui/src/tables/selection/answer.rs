//! The sums of a scope, computed on the pool.

use flowline_index::Index;
use flowline_index::statistics::{
    RangeRule, RequestSums, Subject, Summary, SummedRequests, TopFunctions, Tracks, counters, summary, top_functions,
};
use flowline_profile::{StackId, ThreadId, TimeRange};
use flowline_scene::{Scope, ScopeKey, selected_requests};

use crate::tables::active_filters::rows_text;
use crate::tables::statistics::scope_subject;

/// A counter in the range.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct CounterLine {
    /// Counter and series.
    pub(super) name: String,
    pub(super) min: String,
    pub(super) max: String,
    pub(super) change: String,
}

/// The subject of sums.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Question {
    /// The scope.
    pub(super) scope: ScopeKey,
    /// The threads to which the sums are restricted, if the scope selects none itself.
    pub(super) threads: Option<Vec<ThreadId>>,
}

/// The sums of a scope.
#[derive(Clone, Debug)]
pub(super) struct Answer {
    /// The subject of the sums.
    pub(super) question: Question,
    /// Its time range; `None` for the whole recording.
    pub(super) range: Option<TimeRange>,
    /// The selected rows, in words; empty without a row selection.
    pub(super) rows: String,
    pub(super) summary: Summary,
    pub(super) requests: RequestSums,
    /// True if the selected rows contain the bars of the requests.
    pub(super) are_requests_selected: bool,
    pub(super) functions: TopFunctions,
    pub(super) counters: Vec<CounterLine>,
}

impl Answer {
    /// Computes the sums; `None` if canceled.
    pub(super) fn compute(
        index: &Index,
        scope: &Scope,
        question: &Question,
        wanted: &(impl Fn() -> bool + Sync),
    ) -> Option<Self> {
        let profile = index.profile();
        let only = question.threads.as_deref();
        // Markers that only overlap the range count, too, with their part inside it.
        let subject = match only {
            Some(threads) => {
                Subject::new(index, Tracks::Threads(threads), scope.range(), RangeRule::Overlaps, scope.hits())
            }
            None => scope_subject(index, scope, RangeRule::Overlaps),
        };
        let summary = summary(&subject, index, wanted)?;
        let chosen = scope.threads_with_selection();
        let is_listed = |thread: &ThreadId| {
            scope.shows(*thread)
                && chosen.is_none_or(|chosen| chosen.contains(thread))
                && only.is_none_or(|only| only.contains(thread))
                && profile.samples(*thread).is_some_and(|samples| !samples.cpu.is_empty())
        };
        let threads: Vec<ThreadId> = profile.threads_with_ids().map(|(id, _)| id).filter(is_listed).collect();
        let calls = scope.search().map(|search| &search.calls);
        let keep = |stack: StackId| calls.is_none_or(|calls| calls.has_stack(stack));
        let functions = top_functions(profile, &threads, scope.range(), &keep, wanted)?;
        let selected = scope.rows().and_then(|rows| selected_requests(index, rows));
        let requests = match (&selected, only) {
            (Some(selected), _) => SummedRequests::Only(selected),
            (None, Some(threads)) => SummedRequests::OfThreads(threads),
            (None, None) => SummedRequests::All,
        };
        Some(Self {
            question: question.clone(),
            requests: RequestSums::of(index, scope.range(), requests),
            are_requests_selected: selected.is_some(),
            range: scope.range(),
            rows: scope.rows().map(|rows| rows_text(profile, rows)).unwrap_or_default(),
            summary,
            functions,
            counters: counter_lines(index, scope, wanted)?,
        })
    }

    /// Placeholder for a canceled computation, which is dropped.
    pub(super) fn nothing(scope: &Scope, question: &Question) -> Self {
        Self {
            question: question.clone(),
            requests: RequestSums::default(),
            are_requests_selected: false,
            range: scope.range(),
            rows: String::new(),
            summary: Summary::default(),
            functions: TopFunctions::default(),
            counters: Vec::new(),
        }
    }
}

/// The counters of a scope that have a value in its range, if there is one.
fn counter_lines(index: &Index, scope: &Scope, wanted: &impl Fn() -> bool) -> Option<Vec<CounterLine>> {
    let profile = index.profile();
    let Some(range) = scope.range().filter(|_| !profile.counters.is_empty()) else { return Some(Vec::new()) };
    let mut lines = Vec::new();
    for one in counters(index, Some(range)) {
        if !wanted() {
            return None;
        }
        let (Some(values), true) = (one.values, scope.has_counter(one.counter)) else { continue };
        let counter = &profile.counters[one.counter.index()];
        let name = match counter.series.get(one.series) {
            Some(series) if counter.series.len() > 1 => format!("{}, {}", counter.title(), series.name),
            _ => counter.title().to_owned(),
        };
        let [min, max, change] = [values.min, values.max, values.change()].map(|value| counter.value_text(value));
        lines.push(CounterLine { name, min, max, change });
    }
    Some(lines)
}
