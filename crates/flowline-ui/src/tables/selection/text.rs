//! The selection summary in words: its heading, its facts, and the text that *Copy* puts on the clipboard.

use std::fmt::Write as _;

use super::answer::Answer;
use flowline_format::{
    AxisUnit, DurationUnit, format_bytes, format_count, format_counted, format_duration_ns, format_number,
};
use flowline_index::statistics::Summary;
use flowline_scene::phases_text;
use flowline_session::Session;

/// The heading: the range or its absence.
pub(super) fn title(session: &Session, answer: &Answer) -> String {
    match answer.range {
        Some(range) => format!("Range {}", session.view.clock().length(range.len())),
        None if answer.rows.is_empty() => "Whole recording".to_owned(),
        None => "Selected rows".to_owned(),
    }
}

/// The facts of the first line.
pub(super) fn facts(session: &Session, answer: &Answer) -> String {
    let summary = &answer.summary;
    let work: u64 = summary.kinds.iter().map(|kind| kind.count).sum();
    let mut facts = vec![place(session, answer), format_counted(work, "slice"), format_counted(summary.flows, "flow")];
    if let Some(range) = answer.range {
        let [from, to] = [range.start, range.end].map(|time| session.view.clock().position(time));
        facts.push(format!("from {from} to {to}"));
    }
    facts.join(", ")
}

/// The threads or rows of the sums.
fn place(session: &Session, answer: &Answer) -> String {
    if !answer.rows.is_empty() {
        return answer.rows.clone();
    }
    match answer.question.threads.as_deref() {
        Some([thread]) => session.index.profile().thread_title(*thread),
        _ => format_counted(answer.summary.threads, "thread"),
    }
}

/// Everything in the scope that takes no time of a thread; `None` if there is nothing.
pub(super) fn also(answer: &Answer) -> Option<String> {
    let (requests, also) = (&answer.requests, answer.summary.also);
    let mut parts = Vec::new();
    if requests.count > 0 {
        let mut text = format_counted(requests.count, "request");
        #[expect(clippy::cast_precision_loss, reason = "a size")]
        let bytes = (requests.bytes > 0).then(|| format_bytes(requests.bytes as f64));
        let longest = format!("longest {}", format_duration_ns(requests.longest.0));
        let covered = format!("{} in progress", format_duration_ns(requests.covered.0));
        let phases =
            answer.are_requests_selected.then(|| phases_text(&requests.phases)).filter(|text| !text.is_empty());
        let facts: Vec<String> = bytes.into_iter().chain([longest, covered]).chain(phases).collect();
        text.push_str(&format!(" ({})", facts.join(", ")));
        parts.push(text);
    }
    // Markers of requests are among these.
    let others = also.operations.saturating_sub(requests.count);
    parts.extend((others > 0).then(|| format_counted(others, "asynchronous interval")));
    parts.extend((also.instants > 0).then(|| format_counted(also.instants, "instant")));
    (!parts.is_empty()).then(|| format!("Also: {}", parts.join(", ")))
}

/// A self time in nanoseconds that fits a column.
fn bounded(nanoseconds: i128) -> i64 {
    i64::try_from(nanoseconds).unwrap_or(i64::MAX)
}

/// The unit of a column of self times.
pub(super) fn unit(times: impl IntoIterator<Item = i128>) -> DurationUnit {
    DurationUnit::of_column(times.into_iter().map(bounded))
}

/// A self time in a column.
pub(super) fn time(unit: DurationUnit, nanoseconds: i128) -> String {
    unit.format(bounded(nanoseconds))
}

/// The unit of the times of kinds.
pub(super) fn kinds_unit(summary: &Summary) -> DurationUnit {
    unit(summary.kinds.iter().map(|kind| kind.self_time))
}

/// The unit of the times of names.
pub(super) fn names_unit(summary: &Summary) -> DurationUnit {
    unit(summary.names.iter().map(|name| name.self_time))
}

/// A count in a column.
pub(super) fn count(count: u64) -> String {
    format_count(count)
}

/// A weight of samples in a column.
pub(super) fn weight(axis: AxisUnit, weight: f64) -> String {
    if axis == AxisUnit::Bytes { format_bytes(weight) } else { format_number(weight) }
}

/// Heading of a column of weights.
pub(super) const fn weight_heading(axis: AxisUnit) -> &'static str {
    match axis {
        AxisUnit::Time | AxisUnit::Samples => "Samples",
        AxisUnit::Bytes => "Size",
        AxisUnit::Plain => "Weight",
    }
}

/// A share; empty if the whole is nothing.
#[expect(clippy::cast_precision_loss, reason = "a share is not exact")]
pub(super) fn share(part: i128, whole: i128) -> String {
    share_of(part as f64, whole as f64)
}

/// A share of weights; empty if the whole is nothing.
pub(super) fn share_of(part: f64, whole: f64) -> String {
    let mut text = String::new();
    if whole > 0.0 {
        flowline_format::write_percent(&mut text, part / whole);
    }
    text
}

/// Everything as text, with tabs between columns.
pub(super) fn copied(session: &Session, answer: &Answer) -> String {
    let summary = &answer.summary;
    let mut text = format!("{}: {}\n", title(session, answer), facts(session, answer));
    text.extend(also(answer).map(|also| also + "\n"));
    let mut line = |cells: &[&str]| writeln!(text, "{}", cells.join("\t")).unwrap_or_default();
    line(&["", ""]);
    let unit = kinds_unit(summary);
    line(&["Category", &unit.heading("Self"), "Share", "Slices"]);
    for kind in &summary.kinds {
        let (time, share) = (time(unit, kind.self_time), share(kind.self_time, summary.self_time));
        line(&[kind.title(), &time, &share, &count(kind.count)]);
    }
    line(&["", ""]);
    let unit = names_unit(summary);
    line(&["Longest self time", &unit.heading("Self"), "Count"]);
    for name in &summary.names {
        line(&[&name.name, &time(unit, name.self_time), &count(name.count)]);
    }
    if !answer.functions.functions.is_empty() {
        line(&["", ""]);
        let axis = session.view.clock().unit;
        line(&["Function", weight_heading(axis), "Share"]);
        for function in &answer.functions.functions {
            line(&[&function.name, &weight(axis, function.own), &share_of(function.own, answer.functions.all)]);
        }
    }
    if !answer.counters.is_empty() {
        line(&["", ""]);
        line(&["Counter", "Min", "Max", "Change"]);
        for counter in &answer.counters {
            line(&[&counter.name, &counter.min, &counter.max, &counter.change]);
        }
    }
    text
}
