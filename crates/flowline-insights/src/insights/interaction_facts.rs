//! The facts of the interaction that rates a page, and its handlers.

use super::fact::{Fact, Facts};
use super::insight::{Finding, InsightState};
use crate::interactions::{Handler, Interaction};
use flowline_format::{format_duration_ns, format_whole_ms};
use flowline_profile::{Ns, Profile, TimeRange};

/// At most this many handlers are listed.
const LISTED: usize = 5;

/// The finding about an interaction; `None` if its paint is not recorded.
pub(super) fn finding(profile: &Profile, own: &Interaction, state: InsightState) -> Option<Finding> {
    let (end, presentation) = (own.end?, own.presentation()?);
    let handlers = Handler::of(profile, own);
    let listed = handlers.iter().take(LISTED).map(|handler| Fact::Group(facts(handler)));
    let data = vec![
        ("inp_ns", Fact::Duration(end - own.start)),
        ("type", Fact::text(&own.event)),
        ("interaction_id", Fact::known(own.id, Fact::Count)),
        ("input_delay_ns", Fact::Duration(own.input_delay())),
        ("processing_ns", Fact::Duration(own.processing())),
        ("presentation_ns", Fact::Duration(presentation)),
        ("start_ns", Fact::Moment(own.start)),
        ("handlers", Fact::List(listed.collect())),
    ];
    let summary = summary(own, presentation, handlers.first());
    let range = Some(TimeRange { start: own.start, end });
    let finding = Finding { range, late: Some(own.marker), data, ..Finding::new(state, summary) };
    let called = handlers.first().map(|handler| handler.marker);
    Some(finding.with_markers(own.markers.iter().copied().chain(called)))
}

/// Name, place and time of a handler.
fn facts(own: &Handler) -> Facts {
    let count = |count: usize| Fact::known(i64::try_from(count).ok().filter(|count| *count > 0), Fact::Count);
    vec![
        ("name", Fact::text(&own.name)),
        ("url", if own.url.is_empty() { Fact::Unknown } else { Fact::Url(own.url.clone()) }),
        ("line", Fact::known(own.line, Fact::Count)),
        ("column", Fact::known(own.column, Fact::Count)),
        ("total_ns", Fact::Duration(own.time)),
        ("calls", count(own.calls)),
        ("samples", count(own.samples)),
        ("marker", Fact::Marker(own.marker)),
    ]
}

/// "click, 343 ms: input delay 8 ms, handlers 263 ms, presentation 72 ms; most time in save, app.js:3:18: 240 ms".
fn summary(own: &Interaction, presentation: Ns, handler: Option<&Handler>) -> String {
    let length = own.length().map_or_else(String::new, |length| format_whole_ms(length.0));
    let [delay, handlers, presentation] =
        [own.input_delay(), own.processing(), presentation].map(|part| format_duration_ns(part.0));
    let handler = handler.map_or_else(String::new, |handler| {
        format!("; most time in {}: {}", handler.short_text(), format_duration_ns(handler.time.0))
    });
    format!("{}, {length}: input delay {delay}, handlers {handlers}, presentation {presentation}{handler}", own.event)
}
