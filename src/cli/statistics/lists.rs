//! `flowline stats --of counters`, `--of flows` and `--fields`: one line per counter series, kind of flow or payload
//! field.

use std::fmt::Display;
use std::io::Write;

use anyhow::ensure;

use super::group_text::{json_number, json_object, json_text, plain};
use super::memory_check::MemoryCheck;
use crate::cli::args::{StatsArgs, StatsOf};
use crate::cli::output::{Cell, aligned};
use flowline_format::{format_count, format_counted};
use flowline_index::Index;
use flowline_index::flows::RuleMatcher;
use flowline_index::statistics::{
    CounterStatistics, CounterValues, FieldCount, FlowStatistics, Subject, TimeStatistics,
    counters as statistics_of_counters, fields as fields_of, flows as statistics_of_flows,
};
use flowline_profile::{Counter, CounterGraph, Ns, Profile};
use flowline_session::{CsvLineEnd, CsvWriter};
use flowline_terminal as terminal;

/// Rejects options that do not apply to counters or flows.
///
/// # Errors
/// A message that names the option.
pub(super) fn check(options: &StatsArgs) -> anyhow::Result<()> {
    let Some(of @ (StatsOf::Counters | StatsOf::Flows)) = options.of else { return Ok(()) };
    let is_grouped = !options.group.by.is_empty() || options.group.normalize;
    ensure!(!is_grouped, "--by and --normalize apply only to markers; flows are grouped by kind, counters by series");
    let scope = &options.scope;
    let is_narrowed = !scope.thread.is_empty() || !scope.search.is_empty() || scope.overlap;
    ensure!(
        of == StatsOf::Flows || !is_narrowed,
        "--thread, --search and --overlap filter markers; counters belong to processes, so only --range applies to them"
    );
    Ok(())
}

/// Returns a number as JSON; null if it is absent or not finite.
fn finite(number: Option<f64>) -> String {
    json_number(number.filter(|number| number.is_finite()))
}

/// Prints lines of named JSON values as JSON Lines or CSV; `names` are the keys or columns.
fn print(
    out: &mut impl Write,
    is_json: bool,
    names: &[&str],
    lines: impl Iterator<Item = Vec<String>>,
) -> std::io::Result<()> {
    if is_json {
        for values in lines {
            let fields = names.iter().zip(values).map(|(name, value)| ((*name).to_owned(), value));
            writeln!(out, "{}", json_object(fields))?;
        }
        return Ok(());
    }
    let mut csv = CsvWriter::new(out, CsvLineEnd::Lf);
    csv.row(names)?;
    for values in lines {
        csv.row(values.iter().map(|value| plain(value)))?;
    }
    Ok(())
}

/// Prints the time range of the statistics.
fn print_span(out: &mut impl Write, profile: &Profile, subject: &Subject<'_>) -> std::io::Result<()> {
    terminal::line(out, format_args!("{}", profile.clock().span(subject.span())))
}

/// Prints the payload fields of the markers of a scope.
///
/// # Errors
/// If there is not enough memory for the fields, or errors of the output.
pub(super) fn fields(options: &StatsArgs, subject: &Subject<'_>, memory: &MemoryCheck) -> anyhow::Result<()> {
    let Some(found) = fields_of(subject, &|| memory.goes_on()) else { return Err(memory.error()) };
    let mut out = terminal::table_output(options.csv);
    if options.json || options.csv {
        let values = |field: &FieldCount| {
            let label = if field.label.is_empty() { "null".to_owned() } else { json_text(&field.label) };
            vec![json_text(&field.path), label, field.count.to_string()]
        };
        print(&mut out, options.json, &["field", "label", "count"], found.iter().map(values))?;
    } else if found.is_empty() {
        terminal::line(&mut out, format_args!("No matching marker has a field."))?;
    } else {
        let heading = vec![Cell::text("field"), Cell::text("label"), Cell::number("markers")];
        let row = |field: &FieldCount| {
            vec![Cell::text(&field.path), Cell::text(&field.label), Cell::number(format_count(field.count))]
        };
        aligned(&mut out, std::iter::once(heading).chain(found.iter().map(row)))?;
    }
    Ok(out.flush()?)
}

/// Keys of `--of counters`.
const COUNTER_KEYS: [&str; 18] = [
    "counter",
    "name",
    "series",
    "process",
    "pid",
    "graph",
    "unit",
    "samples",
    "invalid",
    "min",
    "mean",
    "max",
    "first",
    "last",
    "change",
    "integral",
    "min_at_ns",
    "max_at_ns",
];

/// Prints statistics of counters.
///
/// # Errors
/// Errors of the output.
pub(super) fn counters(options: &StatsArgs, index: &Index, subject: &Subject<'_>) -> anyhow::Result<()> {
    let profile = index.profile();
    let found = statistics_of_counters(index, subject.range());
    let mut out = terminal::table_output(options.csv);
    if options.json || options.csv {
        print(&mut out, options.json, &COUNTER_KEYS, found.iter().map(|one| counter_fields(profile, one)))?;
    } else if found.is_empty() {
        terminal::line(&mut out, format_args!("The recording has no counters."))?;
    } else {
        let titles = ["samples", "min", "mean", "max", "first", "last", "change", "sum", "min at", "max at"];
        let mut heading: Vec<Cell> = ["counter", "series", "process"].map(Cell::text).into();
        heading.extend(titles.map(Cell::number));
        let rows = found.iter().map(|one| counter_cells(profile, one));
        aligned(&mut out, std::iter::once(heading).chain(rows))?;
        print_span(&mut out, profile, subject)?;
    }
    Ok(out.flush()?)
}

fn process_of<'a>(profile: &'a Profile, counter: &Counter) -> &'a str {
    let process = counter.process.and_then(|process| profile.processes.get(process.index()));
    process.map_or("", |process| process.name.as_str())
}

fn counter_fields(profile: &Profile, one: &CounterStatistics) -> Vec<String> {
    let counter = &profile.counters[one.counter.index()];
    let graph = match counter.graph {
        CounterGraph::Level => "level",
        CounterGraph::Relative => "relative",
        CounterGraph::Rate => "rate",
    };
    let value = |of: fn(&CounterValues) -> f64| finite(one.values.as_ref().map(of));
    let number = |number: &dyn Display| number.to_string();
    let time = |of: fn(&CounterValues) -> Ns| {
        one.values.as_ref().map_or_else(|| "null".to_owned(), |values| profile.clock().show(of(values)).0.to_string())
    };
    vec![
        number(&one.counter.index()),
        json_text(&counter.name),
        json_text(counter.series.get(one.series).map_or("", |series| counter.series_name(series))),
        json_text(process_of(profile, counter)),
        json_text(&counter.pid),
        json_text(graph),
        json_text(&counter.unit),
        number(&one.samples),
        number(&one.invalid),
        value(|values| values.min),
        value(|values| values.mean),
        value(|values| values.max),
        value(|values| values.first),
        value(|values| values.last),
        value(CounterValues::change),
        finite(one.values.and_then(|values| values.integral)),
        time(|values| values.min_at),
        time(|values| values.max_at),
    ]
}

fn counter_cells(profile: &Profile, one: &CounterStatistics) -> Vec<Cell> {
    let counter = &profile.counters[one.counter.index()];
    let value = |of: fn(&CounterValues) -> f64| {
        one.values.as_ref().map_or_else(String::new, |values| counter.value_text(of(values)))
    };
    let time = |of: fn(&CounterValues) -> Ns| {
        one.values.as_ref().map_or_else(String::new, |values| profile.clock().position(of(values)))
    };
    let sum = one.values.and_then(|values| values.integral).map_or_else(String::new, |sum| counter.amount_text(sum));
    let samples = match one.invalid {
        0 => format_count(one.samples),
        invalid => format!("{} ({} invalid)", format_count(one.samples), format_count(invalid)),
    };
    let series = counter.series.get(one.series).map_or("", |series| series.name.as_str());
    let texts = [counter.title(), series, process_of(profile, counter)].map(Cell::text);
    let numbers = [
        samples,
        value(|values| values.min),
        value(|values| values.mean),
        value(|values| values.max),
        value(|values| values.first),
        value(|values| values.last),
        value(CounterValues::change),
        sum,
        time(|values| values.min_at),
        time(|values| values.max_at),
    ];
    texts.into_iter().chain(numbers.map(Cell::number)).collect()
}

/// Keys of `--of flows`.
const FLOW_KEYS: [&str; 21] = [
    "kind",
    "count",
    "total_ns",
    "mean_ns",
    "stddev_ns",
    "min_ns",
    "p50_ns",
    "p90_ns",
    "p99_ns",
    "p999_ns",
    "max_ns",
    "run_total_ns",
    "run_mean_ns",
    "run_p50_ns",
    "run_p90_ns",
    "run_p99_ns",
    "wait_total_ns",
    "wait_mean_ns",
    "wait_p50_ns",
    "wait_p90_ns",
    "wait_p99_ns",
];

/// Column titles of the text table of flows.
const FLOW_TITLES: [&str; 18] = [
    "count",
    "total",
    "mean",
    "stddev",
    "min",
    "p50",
    "p90",
    "p99",
    "p99.9",
    "max",
    "run mean",
    "run p50",
    "run p90",
    "run p99",
    "wait mean",
    "wait p50",
    "wait p90",
    "wait p99",
];

/// Prints statistics of flows.
///
/// # Errors
/// Errors of the output.
pub(super) fn flows(
    options: &StatsArgs,
    index: &Index,
    rules: &RuleMatcher,
    subject: &Subject<'_>,
) -> anyhow::Result<()> {
    // A query cannot be canceled on the command line.
    let found = statistics_of_flows(subject, index, rules, &|| true).unwrap_or_default();
    let mut out = terminal::table_output(options.csv);
    if options.json || options.csv {
        print(&mut out, options.json, &FLOW_KEYS, found.kinds.iter().map(flow_fields))?;
    } else if let Some(all) = &found.all {
        let mut heading = vec![Cell::text("kind")];
        heading.extend(FLOW_TITLES.map(Cell::number));
        let mut rows = vec![heading];
        rows.extend(found.kinds.iter().map(|one| flow_cells(&one.kind, one)));
        rows.push(flow_cells(&format!("all {}", format_counted(found.kinds.len() as u64, "kind")), all));
        aligned(&mut out, rows)?;
        print_span(&mut out, index.profile(), subject)?;
    } else {
        let is_empty = index.flows().is_empty();
        let text = if is_empty { "The recording has no flows." } else { "No matching flows." };
        terminal::line(&mut out, format_args!("{text}"))?;
    }
    Ok(out.flush()?)
}

fn flow_fields(one: &FlowStatistics) -> Vec<String> {
    let TimeStatistics { total, mean, spread } = one.length;
    let mut fields = vec![json_text(&one.kind), one.count.to_string(), total.to_string(), mean.to_string()];
    fields.push(spread.deviation.to_string());
    let exact = [spread.min, spread.p50, spread.p90, spread.p99, spread.p999, spread.max];
    fields.extend(exact.map(|time| time.to_string()));
    for TimeStatistics { total, mean, spread } in [one.run, one.wait] {
        fields.extend([total.to_string(), mean.to_string()]);
        fields.extend([spread.p50, spread.p90, spread.p99].map(|time| time.to_string()));
    }
    fields
}

fn flow_cells(kind: &str, one: &FlowStatistics) -> Vec<Cell> {
    let exact = |time: u64| Cell::duration(Some(i128::from(time)));
    #[expect(clippy::cast_possible_truncation, reason = "rounded for display")]
    let rounded = |time: f64| Cell::duration(Some(time.round() as i128));
    let TimeStatistics { total, mean, spread } = one.length;
    let total = Cell::duration(Some(total));
    let mut numbers = vec![Cell::number(format_count(one.count)), total, rounded(mean), rounded(spread.deviation)];
    numbers.extend([spread.min, spread.p50, spread.p90, spread.p99, spread.p999, spread.max].map(exact));
    for TimeStatistics { mean, spread, .. } in [one.run, one.wait] {
        numbers.push(rounded(mean));
        numbers.extend([spread.p50, spread.p90, spread.p99].map(exact));
    }
    std::iter::once(Cell::text(kind)).chain(numbers).collect()
}
