//! Tasks that blocked the main thread of a process.

use super::functions::{Functions, count};
use super::quiet::quiet;
use crate::harm::{LONG_TASK, TaskNames};
use crate::insights::context::Context;
use crate::insights::fact::Fact;
use crate::insights::insight::{Finding, InsightState};
use crate::insights::name::InsightName;
use crate::insights::rule::ThreadRule;
use crate::insights::task_text::named;
use crate::thread_markers::{Interval, intervals_named};
use flowline_format::{format_counted, format_duration_ns};
use flowline_index::Derived;
use flowline_profile::{Ns, ThreadId, TimeRange};

/// Names of the markers; the second one is for tasks of idle time.
const NAMES: [&str; 2] = ["LongTask", "LongIdleTask"];

/// See the module.
pub(super) struct LongTasksRule;

impl ThreadRule for LongTasksRule {
    fn name(&self) -> InsightName {
        InsightName::LongTasks
    }

    fn evaluate(&self, context: &Context<'_>, id: ThreadId) -> Option<Finding> {
        let profile = context.profile();
        if NAMES.iter().all(|name| profile.strings.find(name).is_none()) {
            return quiet(context, id, Finding::unknown("no LongTask in the recording"));
        }
        let mut tasks = intervals_named(profile, id, &NAMES);
        tasks.retain(|task| task.times.len() >= LONG_TASK.0);
        if tasks.is_empty() {
            return quiet(context, id, Finding::new(InsightState::Pass, "No task of 50 ms or more"));
        }
        let thread = profile.thread(id);
        let fact = |task: &Interval| {
            let is_idle = profile.strings.get(thread.markers.name(task.marker)) == NAMES[1];
            let mut facts = vec![
                ("start_ns", Fact::Moment(task.times.start)),
                ("end_ns", Fact::Moment(task.times.end)),
                ("name", Fact::known(TaskNames::of(context.index).of_marker(thread.global(task.marker)), Fact::text)),
                ("idle", Fact::Flag(is_idle)),
                ("marker", Fact::Marker(thread.global(task.marker))),
            ];
            facts.extend(Functions::within(profile, id, task.times).facts());
            Fact::Group(facts)
        };
        let lengths = || tasks.iter().map(|task| task.times.len());
        let (total, longest) = (lengths().fold(0, i64::saturating_add), lengths().max().unwrap_or(0));
        let facts: Vec<Fact> = tasks.iter().map(fact).collect();
        // Of equally long tasks, the last one.
        let last = (0..tasks.len()).max_by_key(|at| tasks[*at].times.len());
        let function = named(last.and_then(|at| facts.get(at)));
        let data = vec![
            ("count", count(tasks.len())),
            ("total_ns", Fact::Duration(Ns(total))),
            ("longest_ns", Fact::Duration(Ns(longest))),
            ("tasks", Fact::List(facts)),
        ];
        let number = format_counted(tasks.len() as u64, "task");
        let summary = format!("{number} of 50 ms or more, the longest {}{function}", format_duration_ns(longest));
        let late = tasks.iter().max_by_key(|task| task.times.len()).map(|task| thread.global(task.marker));
        let range = tasks.iter().map(|task| task.times).reduce(TimeRange::union);
        let finding = Finding { range, late, data, ..Finding::new(InsightState::Informative, summary) };
        Some(finding.with_markers(tasks.iter().map(|task| thread.global(task.marker))))
    }
}
