//! `flowline stats --summary`: the sums that the window shows for a selection.

use std::io::Write;

use super::group_text::{json_number, json_object, json_text};
use super::memory_check::MemoryCheck;
use crate::cli::output::{Cell, aligned};
use crate::cli::scope::ScopeChoice;
use flowline_format::{AxisUnit, format_bytes, format_count, format_counted, format_number};
use flowline_index::Index;
use flowline_index::statistics::{
    CounterStatistics, CounterValues, RequestSums, Summary, SummedRequests, TopFunctions, counters, summary,
    top_functions,
};
use flowline_profile::{StackId, ThreadId};
use flowline_terminal::{self as terminal, table_output};

/// Prints the summary of a scope.
///
/// # Errors
/// If there is not enough memory, or errors of the output.
pub(super) fn run(is_json: bool, index: &Index, choice: ScopeChoice, memory: &MemoryCheck) -> anyhow::Result<()> {
    let profile = index.profile();
    let subject = choice.subject(index);
    let Some(sums) = summary(&subject, index, &|| memory.goes_on()) else { return Err(memory.error()) };
    let all: Vec<ThreadId> = profile.threads_with_ids().map(|(id, _)| id).collect();
    let threads = choice.threads().unwrap_or(&all);
    let has_samples = |thread: &&ThreadId| profile.samples(**thread).is_some_and(|samples| !samples.cpu.is_empty());
    let threads: Vec<ThreadId> = threads.iter().filter(has_samples).copied().collect();
    let keep = |_: StackId| true;
    let Some(functions) = top_functions(profile, &threads, choice.range(), &keep, &|| memory.goes_on()) else {
        return Err(memory.error());
    };
    // Counters belong to processes, so a choice of threads has none.
    let counters = if choice.threads().is_some() { Vec::new() } else { counters(index, choice.range()) };
    let counters: Vec<(CounterStatistics, CounterValues)> =
        counters.into_iter().filter_map(|one| Some((one, one.values?))).collect();
    let mut out = table_output(false);
    let requests = choice.threads().map_or(SummedRequests::All, SummedRequests::OfThreads);
    let parts = Parts { requests: RequestSums::of(index, choice.range(), requests), sums, functions, counters };
    if is_json {
        writeln!(out, "{}", json(index, &parts))?;
    } else {
        text(&mut out, index, &parts)?;
    }
    Ok(out.flush()?)
}

/// Name of a counter and its series.
fn counter_name(index: &Index, one: &CounterStatistics) -> String {
    let counter = &index.profile().counters[one.counter.index()];
    match counter.series.get(one.series) {
        Some(series) if counter.series.len() > 1 => format!("{}, {}", counter.title(), series.name),
        _ => counter.title().to_owned(),
    }
}

#[expect(clippy::cast_precision_loss, reason = "a share is not exact")]
fn share(part: i128, whole: i128) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

fn percent(share: Option<f64>) -> String {
    let mut text = String::new();
    if let Some(share) = share {
        flowline_format::write_percent(&mut text, share);
    }
    text
}

/// Unit of the sums of functions.
const fn function_unit(axis: AxisUnit) -> &'static str {
    match axis {
        AxisUnit::Time | AxisUnit::Samples => "samples",
        AxisUnit::Bytes => "bytes",
        AxisUnit::Plain => "weight",
    }
}

/// The parts of a summary.
struct Parts {
    sums: Summary,
    functions: TopFunctions,
    counters: Vec<(CounterStatistics, CounterValues)>,
    requests: RequestSums,
}

fn json(index: &Index, parts: &Parts) -> String {
    let Parts { sums, functions, counters, requests } = parts;
    let clock = index.profile().clock();
    let list = |objects: Vec<String>| format!("[{}]", objects.join(","));
    let object =
        |fields: Vec<(&str, String)>| json_object(fields.into_iter().map(|(name, value)| (name.to_owned(), value)));
    let kinds = sums.kinds.iter().map(|kind| {
        object(vec![
            ("kind", json_text(kind.title())),
            ("self_ns", kind.self_time.to_string()),
            ("share", json_number(share(kind.self_time, sums.self_time))),
            ("count", kind.count.to_string()),
        ])
    });
    let names = sums.names.iter().map(|name| {
        object(vec![
            ("name", json_text(&name.name)),
            ("kind", json_text(name.kind.map_or("Idle", flowline_profile::Kind::title))),
            ("self_ns", name.self_time.to_string()),
            ("count", name.count.to_string()),
        ])
    });
    let top = functions.functions.iter().map(|function| {
        let share = (functions.all > 0.0).then(|| function.own / functions.all);
        object(vec![
            ("function", json_text(&function.name)),
            ("self", function.own.to_string()),
            ("share", json_number(share)),
        ])
    });
    let finite = |value: f64| json_number(Some(value).filter(|value| value.is_finite()));
    let of_counters = counters.iter().map(|(one, values)| {
        object(vec![
            ("counter", one.counter.index().to_string()),
            ("name", json_text(&counter_name(index, one))),
            ("min", finite(values.min)),
            ("max", finite(values.max)),
            ("change", finite(values.change())),
        ])
    });
    let ns = |time| if clock.unit.is_time() { clock.show(time).0.to_string() } else { "null".to_owned() };
    object(vec![
        ("from_ns", ns(sums.span.start)),
        ("to_ns", ns(sums.span.end)),
        ("markers", sums.markers.to_string()),
        ("threads", sums.threads.to_string()),
        ("flows", sums.flows.to_string()),
        ("self_ns", sums.self_time.to_string()),
        ("instants", sums.also.instants.to_string()),
        ("operations", sums.also.operations.to_string()),
        ("requests", requests.count.to_string()),
        ("request_bytes", requests.bytes.to_string()),
        ("longest_request_ns", requests.longest.0.to_string()),
        ("requests_covered_ns", requests.covered.0.to_string()),
        ("kinds", list(kinds.collect())),
        ("names", list(names.collect())),
        ("name_count", sums.name_count.to_string()),
        ("functions", list(top.collect())),
        ("function_unit", json_text(function_unit(clock.unit))),
        ("counters", list(of_counters.collect())),
    ])
}

fn text(out: &mut impl Write, index: &Index, parts: &Parts) -> anyhow::Result<()> {
    let Parts { sums, functions, counters, requests } = parts;
    let clock = index.profile().clock();
    let counts = [(sums.threads, "thread"), (sums.markers, "marker"), (sums.flows, "flow")]
        .map(|(count, one)| format_counted(count, one))
        .join(", ");
    terminal::line(out, format_args!("{}, {counts}, {}", clock.length(sums.span.len()), clock.span(sums.span)))?;
    let [operations, instants] = [(sums.also.operations, "asynchronous interval"), (sums.also.instants, "instant")]
        .map(|(count, one)| format_counted(count, one));
    terminal::line(out, format_args!("also {}, {operations}, {instants}", format_counted(requests.count, "request")))?;
    let mut table = |titles: &[&str], rows: Vec<Vec<Cell>>| -> anyhow::Result<()> {
        if rows.is_empty() {
            return Ok(());
        }
        terminal::line(out, format_args!(""))?;
        let heading =
            |(column, title): (usize, &&str)| if column == 0 { Cell::text(*title) } else { Cell::number(*title) };
        let heading: Vec<Cell> = titles.iter().enumerate().map(heading).collect();
        Ok(aligned(out, std::iter::once(heading).chain(rows))?)
    };
    let kinds = sums.kinds.iter().map(|kind| {
        let share = percent(share(kind.self_time, sums.self_time));
        let count = Cell::number(format_count(kind.count));
        vec![Cell::text(kind.title()), Cell::duration(Some(kind.self_time)), Cell::number(share), count]
    });
    table(&["kind", "self", "share", "count"], kinds.collect())?;
    let names = sums.names.iter();
    let names = names.map(|name| {
        let count = Cell::number(format_count(name.count));
        vec![Cell::text(name.name.clone()), Cell::duration(Some(name.self_time)), count]
    });
    table(&["longest self time", "self", "count"], names.collect())?;
    let top = functions.functions.iter().map(|function| {
        let share = percent((functions.all > 0.0).then(|| function.own / functions.all));
        let own = if clock.unit == AxisUnit::Bytes { format_bytes(function.own) } else { format_number(function.own) };
        vec![Cell::text(function.name.clone()), Cell::number(own), Cell::number(share)]
    });
    table(&["top functions", function_unit(clock.unit), "share"], top.collect())?;
    let of_counters = counters.iter().map(|(one, values)| {
        let counter = &index.profile().counters[one.counter.index()];
        let numbers = [values.min, values.max, values.change()].map(|value| counter.value_text(value));
        std::iter::once(Cell::text(counter_name(index, one))).chain(numbers.map(Cell::number)).collect()
    });
    table(&["counter", "min", "max", "change"], of_counters.collect())
}
