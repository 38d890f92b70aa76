//! Files that the main thread read and wrote itself.

use super::functions::count;
use super::quiet::quiet;
use crate::insights::context::Context;
use crate::insights::fact::Fact;
use crate::insights::insight::{Finding, InsightState};
use crate::insights::name::InsightName;
use crate::insights::rule::ThreadRule;
use crate::thread_markers::{Interval, intervals_named};
use flowline_format::{format_counted, format_duration_ns};
use flowline_profile::{Ns, ThreadId, TimeRange, Value};

/// Name of the markers.
const NAME: &str = "FileIO";
/// Number of operations that are listed, the longest ones.
const LISTED: usize = 100;

/// See the module.
pub(super) struct MainThreadIoRule;

impl ThreadRule for MainThreadIoRule {
    fn name(&self) -> InsightName {
        InsightName::MainThreadIo
    }

    fn evaluate(&self, context: &Context<'_>, id: ThreadId) -> Option<Finding> {
        let profile = context.profile();
        if profile.strings.find(NAME).is_none() {
            let reason = "no FileIO in the recording: record the features mainthreadio and fileio";
            return quiet(context, id, Finding::unknown(reason));
        }
        let mut operations = intervals_named(profile, id, &[NAME]);
        if operations.is_empty() {
            return quiet(context, id, Finding::new(InsightState::Pass, "The main thread used no files"));
        }
        let thread = profile.thread(id);
        let total = operations.iter().fold(0_i64, |sum, own| sum.saturating_add(own.times.len()));
        let range = operations.iter().map(|own| own.times).reduce(TimeRange::union);
        let (number, markers) = (operations.len(), operations.iter().map(|own| thread.global(own.marker)));
        let markers: Vec<_> = markers.collect();
        operations.sort_by_key(|own| std::cmp::Reverse(own.times.len()));
        let longest = operations.first().map(|own| own.times.len());
        let fact = |own: &Interval| {
            let payload = profile.payload_in(thread, own.marker);
            let text = |key: &str| Fact::text(payload.get(key).and_then(Value::as_str).unwrap_or_default());
            Fact::Group(vec![
                ("operation", text("operation")),
                ("file", text("filename")),
                ("start_ns", Fact::Moment(own.times.start)),
                ("end_ns", Fact::Moment(own.times.end)),
                ("marker", Fact::Marker(thread.global(own.marker))),
            ])
        };
        let data = vec![
            ("count", count(number)),
            ("total_ns", Fact::Duration(Ns(total))),
            ("longest_ns", Fact::known(longest, |length| Fact::Duration(Ns(length)))),
            ("operations", Fact::List(operations.iter().take(LISTED).map(fact).collect())),
        ];
        let (length, number) = (format_duration_ns(total), format_counted(number as u64, "operation"));
        let summary = format!("{number}, {length} in all, the longest {}", format_duration_ns(longest.unwrap_or(0)));
        let late = operations.first().map(|own| thread.global(own.marker));
        let finding = Finding { range, late, data, ..Finding::new(InsightState::Informative, summary) };
        Some(finding.with_markers(markers))
    }
}
