//! How large the document was, and how long style and layout of large parts of it took.

use std::cmp::Reverse;

use crate::insights::context::{Context, Period};
use crate::insights::fact::Fact;
use crate::insights::insight::{Finding, InsightState};
use crate::insights::name::InsightName;
use crate::insights::rule::Rule;
use crate::page_work::{DocumentSizes, DomStats, LargeWork};
use flowline_format::{format_count, format_counted, format_duration_ns};
use flowline_index::Derived;
use flowline_profile::{Ns, TimeRange};

/// At most this many slices are listed.
const LISTED: usize = 5;

/// See the module.
pub(super) struct DomSizeRule;

impl Rule for DomSizeRule {
    fn name(&self) -> InsightName {
        InsightName::DomSize
    }

    fn evaluate(&self, context: &Context<'_>, period: &Period<'_>) -> Option<Finding> {
        let sizes = DocumentSizes::of(context.index);
        if sizes.is_empty() {
            let reason = "no DOMStats in the recording: record the category disabled-by-default-devtools.timeline";
            return Some(Finding::unknown(reason));
        }
        let process = period.navigation.map(|navigation| context.profile().thread(navigation.thread).process);
        let is_own = |stats: &&DomStats| {
            context.page.frames().is_main(&stats.frame) && process.is_none_or(|process| process == stats.process)
        };
        // Of equal ones, the first one.
        let stats = sizes.stats_in(period.times).iter().filter(is_own);
        let greatest = stats.max_by_key(|stats| (stats.elements, Reverse(stats.time)));
        Some(finding(greatest, sizes.large_in(period.times)))
    }
}

fn finding(greatest: Option<&DomStats>, large: &[LargeWork]) -> Finding {
    let mut longest: Vec<&LargeWork> = large.iter().collect();
    longest.sort_by_key(|work| Reverse(work.times.len()));
    let number = |number: Option<i64>| Fact::known(number, Fact::Count);
    let slice = |work: &&LargeWork| {
        Fact::Group(vec![
            ("kind", Fact::Text(if work.is_layout { "layout" } else { "style" }.to_owned())),
            ("start_ns", Fact::Moment(work.times.start)),
            ("dur_ns", Fact::Duration(Ns(work.times.len()))),
            ("size", Fact::Count(work.size)),
            ("marker", Fact::Marker(work.marker)),
        ])
    };
    let data = vec![
        ("elements", number(greatest.map(|stats| stats.elements))),
        ("depth", number(greatest.and_then(|stats| stats.depth))),
        ("children", number(greatest.and_then(|stats| stats.children))),
        ("large", Fact::List(longest.iter().take(LISTED).map(slice).collect())),
    ];
    let size = greatest.map(|stats| format!("{} elements", format_count(stats.elements.unsigned_abs())));
    let slow = longest.first().map(|first| {
        let slices = format_counted(longest.len() as u64, "long layout");
        format!("{slices}, the longest {}", format_duration_ns(first.times.len()))
    });
    let parts: Vec<String> = size.into_iter().chain(slow).collect();
    let summary = if parts.is_empty() { "Size of the document not recorded".to_owned() } else { parts.join(", ") };
    let state = if large.is_empty() { InsightState::Pass } else { InsightState::Informative };
    let range = large.iter().map(|work| work.times).reduce(TimeRange::union);
    let late = longest.first().map(|work| work.marker);
    let markers = large.iter().map(|work| work.marker).chain(greatest.map(|stats| stats.marker));
    Finding { range, late, data, ..Finding::new(state, summary) }.with_markers(markers)
}
