//! Tasks that blocked the main thread of a page.

use rayon::prelude::*;

use super::top_functions::top_functions;
use crate::harm::{Harm, HarmfulSlice, TaskNames};
use crate::insights::context::{Context, Period};
use crate::insights::fact::Fact;
use crate::insights::insight::{Finding, InsightState};
use crate::insights::name::InsightName;
use crate::insights::rule::Rule;
use crate::insights::task_text::named;
use flowline_format::{format_counted, format_duration_ns};
use flowline_index::Derived;
use flowline_profile::{Ns, TimeRange};

/// See the module.
pub(super) struct LongTasksRule;

impl Rule for LongTasksRule {
    fn name(&self) -> InsightName {
        InsightName::LongTasks
    }

    fn evaluate(&self, context: &Context<'_>, period: &Period<'_>) -> Option<Finding> {
        if context.profile().strings.find("RunTask").is_none() {
            return Some(Finding::unknown("no RunTask in the recording: record the category toplevel"));
        }
        let own = Harm::of(context.index).long().starting_in(period.times);
        let total = Ns(own.iter().map(|task| task.times.len()).sum());
        let longest = own.iter().max_by_key(|task| task.times.len());
        let longest_time = Ns(longest.map_or(0, |task| task.times.len()));
        let tasks: Vec<Fact> = own.par_iter().map(|task| facts(context, *task)).collect();
        // Of equally long tasks, the last one.
        let last = (0..own.len()).max_by_key(|at| own[*at].times.len());
        let function = named(last.and_then(|at| tasks.get(at)));
        let data = vec![
            ("count", Fact::Count(i64::try_from(own.len()).unwrap_or(i64::MAX))),
            ("total_ns", Fact::Duration(total)),
            ("longest_ns", Fact::Duration(longest_time)),
            ("tasks", Fact::List(tasks)),
        ];
        let state = if own.is_empty() { InsightState::Pass } else { InsightState::Informative };
        let summary = match own.len() {
            0 => "No task longer than 50 ms".to_owned(),
            count => {
                let count = format_counted(count as u64, "task");
                format!("{count} over 50 ms, the longest {}{function}", format_duration_ns(longest_time.0))
            }
        };
        let range = own.iter().map(|task| task.times).reduce(TimeRange::union);
        let finding = Finding { range, late: longest.map(|task| task.marker), data, ..Finding::new(state, summary) };
        Some(finding.with_markers(own.iter().map(|task| task.marker)))
    }
}

/// The facts of a task.
fn facts(context: &Context<'_>, task: HarmfulSlice) -> Fact {
    let profile = context.profile();
    let thread = profile.locate(task.marker).map(|(thread, _)| thread);
    let top = thread.map_or_else(Vec::new, |thread| top_functions(profile, thread, task.times));
    Fact::Group(vec![
        ("start_ns", Fact::Moment(task.times.start)),
        ("end_ns", Fact::Moment(task.times.end)),
        ("name", Fact::known(TaskNames::of(context.index).of_marker(task.marker), Fact::text)),
        ("pid", Fact::known(thread, |id| Fact::Text(profile.process_of(id).pid.to_string()))),
        ("tid", Fact::known(thread, |id| Fact::Text(profile.thread(id).tid.to_string()))),
        ("marker", Fact::Marker(task.marker)),
        ("top", Fact::List(top)),
    ])
}
