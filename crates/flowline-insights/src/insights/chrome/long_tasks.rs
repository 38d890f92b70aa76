//! Tasks that blocked the main thread of a page.

use crate::insights::context::{Context, Period};
use crate::insights::fact::Fact;
use crate::insights::insight::{Finding, InsightState};
use crate::insights::name::InsightName;
use crate::insights::rule::Rule;
use crate::page_load::{LongTask, LongTasks};
use flowline_format::{format_counted, format_duration_ns};
use flowline_profile::{Ns, ThreadId, TimeRange};

/// See the module.
pub(super) struct LongTasksRule;

impl Rule for LongTasksRule {
    fn name(&self) -> InsightName {
        InsightName::LongTasks
    }

    fn evaluate(&self, context: &Context<'_>, period: &Period<'_>) -> Option<Finding> {
        let profile = context.profile();
        if profile.strings.find("RunTask").is_none() {
            return Some(Finding::unknown("no RunTask in the recording: record the category toplevel"));
        }
        let threads: Vec<ThreadId> = profile.threads_with_ids().map(|(id, _)| id).collect();
        let tasks = LongTasks::of(profile, &threads);
        let own: Vec<&LongTask> = tasks.list().iter().filter(|task| period.contains(task.times.start)).collect();
        let total = Ns(own.iter().map(|task| task.times.len()).sum());
        let longest = Ns(own.iter().map(|task| task.times.len()).max().unwrap_or(0));
        let list = own.iter().map(|task| {
            let thread = profile.locate(task.marker).map(|(thread, _)| thread);
            Fact::Group(vec![
                ("start_ns", Fact::Moment(task.times.start)),
                ("end_ns", Fact::Moment(task.times.end)),
                ("pid", Fact::known(thread, |id| Fact::Text(profile.process_of(id).pid.to_string()))),
                ("tid", Fact::known(thread, |id| Fact::Text(profile.thread(id).tid.to_string()))),
            ])
        });
        let data = vec![
            ("count", Fact::Count(i64::try_from(own.len()).unwrap_or(i64::MAX))),
            ("total_ns", Fact::Duration(total)),
            ("longest_ns", Fact::Duration(longest)),
            ("tasks", Fact::List(list.collect())),
        ];
        let state = if own.is_empty() { InsightState::Pass } else { InsightState::Informative };
        let summary = match own.len() {
            0 => "No task longer than 50 ms".to_owned(),
            count => {
                let count = format_counted(count as u64, "task");
                format!("{count} over 50 ms, the longest {}", format_duration_ns(longest.0))
            }
        };
        let range = own.first().zip(own.iter().map(|task| task.times.end).max());
        let range = range.map(|(first, end)| TimeRange { start: first.times.start, end });
        let late = own.iter().max_by_key(|task| task.times.len()).map(|task| task.marker);
        let finding = Finding { range, late, data, ..Finding::new(state, summary) };
        Some(finding.with_markers(own.iter().map(|task| task.marker)))
    }
}
