//! Statistics of markers for the drawer, computed on the pool.

use std::borrow::Cow;
use std::sync::Arc;

use super::columns::Number;
use super::swatches::swatches;
use crate::widgets::table::TableColumn;
use flowline_format::DurationUnit;
use flowline_index::Index;
use flowline_index::statistics::{
    Columns, Group, Grouping, KeyValue, RangeRule, Statistics, Subject, has_cpu_times, run,
};
use flowline_profile::{Ns, Profile, ThreadId, TimeRange};
use flowline_scene::{Scope, ScopeKey, ThreadPart};
use flowline_session::{Session, Task};

/// Inputs of the statistics; a change requires a new computation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Question {
    pub(super) scope: ScopeKey,
    pub(super) grouping: Grouping,
    pub(super) rule: RangeRule,
    /// True if CPU times are needed; computing them reads the text of every event.
    pub(super) cpu: bool,
}

/// Statistics for a [`Question`]: first counts and totals, later everything.
pub(super) struct Answer {
    pub(super) question: Question,
    pub(super) groups: Vec<Group>,
    /// Key names of each group.
    pub(super) names: Arc<Vec<Vec<String>>>,
    pub(super) totals: Group,
    /// Palette entry of each group; empty if the groups have no colors.
    pub(super) swatches: Vec<Option<u8>>,
    pub(super) span: TimeRange,
    /// Units of the columns of durations.
    pub(super) units: Vec<(Number, DurationUnit)>,
    /// True if the recording contains CPU times.
    pub(super) has_cpu: bool,
    /// The complete statistics, once computed; comparisons and percentiles need them.
    pub(super) full: Option<Arc<Statistics>>,
}

impl Answer {
    fn new(profile: &Profile, question: &Question, statistics: &Statistics) -> Self {
        let names = |group: &Group| group.key.iter().map(|value| key_text(profile, value)).collect();
        Self {
            question: question.clone(),
            groups: statistics.groups.clone(),
            names: Arc::new(statistics.groups.iter().map(names).collect()),
            totals: statistics.totals.clone(),
            swatches: swatches(profile, &question.grouping, &statistics.groups),
            span: statistics.span,
            units: units(statistics),
            has_cpu: has_cpu_times(profile),
            full: None,
        }
    }

    /// A column in the unit of its durations.
    pub(super) fn in_unit(&self, number: Number) -> TableColumn {
        let unit = self.units.iter().find(|(of, _)| *of == number);
        unit.map_or(number.column(), |(_, unit)| number.column().in_unit(*unit))
    }

    /// Placeholder for a canceled computation.
    pub(super) fn nothing(question: &Question) -> Self {
        let totals = Group {
            key: Vec::new(),
            count: 0,
            timed: 0,
            incomplete: 0,
            total: 0,
            mean: None,
            first: Ns(0),
            last: Ns(0),
            self_time: None,
            cpu: None,
            lengths: None,
            covered: None,
            longest_gap: None,
        };
        let (groups, names, span) = (Vec::new(), Arc::default(), TimeRange::default());
        let (swatches, units) = (Vec::new(), Vec::new());
        Self { question: question.clone(), groups, names, totals, swatches, span, units, has_cpu: false, full: None }
    }

    /// Computes the statistics; `part` receives counts and totals as soon as they are computed. `None` if canceled.
    pub(super) fn compute(
        index: &Index,
        scope: &Scope,
        question: &Question,
        wanted: &(impl Fn() -> bool + Sync),
        part: impl Fn(Self),
    ) -> Option<Self> {
        let subject = subject(index, scope, question.rule);
        let columns = Columns { cpu: question.cpu, ..Columns::ALL };
        let report = |counted: &Statistics| part(Self::new(index.profile(), question, counted));
        let found = run(&subject, &question.grouping, columns, wanted, report)?;
        let answer = Self::new(index.profile(), question, &found);
        Some(Self { full: Some(Arc::new(found)), ..answer })
    }
}

fn units(statistics: &Statistics) -> Vec<(Number, DurationUnit)> {
    let all = || statistics.groups.iter().chain([&statistics.totals]);
    Number::ALL.into_iter().map(|number| (number, number.unit(all(), statistics.span))).collect()
}

/// Starts a computation if the question changed; returns a newly computed answer, partial or complete.
pub(super) fn follow(
    task: &mut Task<Question, Answer>,
    known: Option<&Answer>,
    session: &Session,
    question: Question,
) -> Option<Answer> {
    let is_known = known.is_some_and(|known| known.full.is_some() && known.question == question);
    if !is_known && !task.is_for(&question) {
        let (index, scope, asked) = (Arc::clone(&session.index), session.scope().clone(), question.clone());
        task.replace(question, move |running| {
            let wanted = || running.is_wanted();
            let found = Answer::compute(&index, &scope, &asked, &wanted, |part| running.report(part));
            // The task discards the result of a canceled computation.
            found.unwrap_or_else(|| Answer::nothing(&asked))
        });
    }
    task.poll_newest()
}

/// Markers of a scope.
pub(crate) fn subject<'a>(index: &'a Index, scope: &'a Scope, rule: RangeRule) -> Subject<'a> {
    let part = |thread: ThreadId| match scope.part(thread) {
        ThreadPart::Nothing => None,
        ThreadPart::All => Some((thread, None)),
        ThreadPart::Some(markers) => Some((thread, Some(Cow::Borrowed(markers)))),
    };
    let parts = index.profile().threads_with_ids().filter_map(|(id, _)| part(id)).collect();
    Subject::of_parts(index, parts, scope.range(), rule)
}

/// Display text of a key's value.
pub(super) fn key_text(profile: &Profile, value: &KeyValue) -> String {
    match value {
        KeyValue::Missing => "(none)".to_owned(),
        KeyValue::Text(text) if text.is_empty() => "(empty)".to_owned(),
        KeyValue::Thread(id) => {
            let process = &profile.process_of(*id).name;
            format!("{}, {process}", profile.long_name(*id))
        }
        KeyValue::Process(id) => {
            let pid = profile.processes.get(id.index()).map_or("", |process| process.pid.as_str());
            format!("{} ({pid})", value.text(profile))
        }
        KeyValue::Text(text) => text.to_string(),
    }
}
