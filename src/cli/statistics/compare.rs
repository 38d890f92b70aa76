//! `flowline compare`: prints the groups of two scopes side by side; for continuous integration, it can fail if a group
//! grew too much.

use std::io::Write;
use std::process::ExitCode;

use super::compare_functions;
use super::functions::{self, Functions};
use super::group_text::{json_number, json_object, key_fields, key_texts, plain};
use super::growth::{grew, report_growth};
use super::memory_check::MemoryCheck;
use super::stats::compute;
use crate::cli::args::{CompareArgs, CompareOf, ScopeArgs};
use crate::cli::insights::write_difference;
use crate::cli::opening::{Opening, finish, open, origin_for};
use crate::cli::output::{Cell, aligned, markdown};
use crate::cli::scope::ScopeChoice;
use flowline_format::format_count;
use flowline_index::Index;
use flowline_index::statistics::compare::{Comparison, Row, compare, ratio};
use flowline_index::statistics::{Group, Key, KeyValue, Statistics};
use flowline_profile::{CompactString, Ns, Profile};
use flowline_session::{CsvLineEnd, CsvWriter};
use flowline_terminal::table_output;

pub(crate) fn run(options: &CompareArgs, opening: &Opening) -> anyhow::Result<ExitCode> {
    let loaded = open(&origin_for(&options.a), opening)?;
    // One recording compared with itself is opened once.
    let other = if options.a == options.b { None } else { Some(open(&origin_for(&options.b), opening)?) };
    let (index, other_index) = (&loaded.index, other.as_ref().map_or(&loaded.index, |other| &other.index));
    let range_b = range_of_b(options, index, other_index)?;
    if options.insights {
        write_difference(options, [(index, options.scope.range), (other_index, range_b)])?;
        finish(&loaded)?;
        other.iter().try_for_each(finish)?;
        return Ok(ExitCode::SUCCESS);
    }
    let scope_b = ScopeArgs {
        range: range_b,
        overlap: options.scope.overlap,
        search: options.search_b.clone().unwrap_or_else(|| options.scope.search.clone()),
        thread: if options.thread_b.is_empty() { options.scope.thread.clone() } else { options.thread_b.clone() },
        tab: options.scope.tab.clone(),
    };
    let (choice_a, choice_b) = (ScopeChoice::new(&options.scope, index)?, ScopeChoice::new(&scope_b, other_index)?);
    let have_only_samples = || [index, other_index].iter().all(|index| functions::has_only_samples(index.profile()));
    if options.of.map_or_else(have_only_samples, |of| of == CompareOf::Functions) {
        functions::check(&options.group)?;
        let a = Functions::new(index.profile(), &choice_a, &options.scope.search);
        let b = Functions::new(other_index.profile(), &choice_b, &scope_b.search);
        let status = compare_functions::print(options, &a, &b)?;
        finish(&loaded)?;
        other.iter().try_for_each(finish)?;
        return Ok(status);
    }
    let memory = MemoryCheck::new(opening);
    let a = compute(&choice_a.subject(index), &options.group, true, &memory)?;
    let b = compute(&choice_b.subject(other_index), &options.group, true, &memory)?;
    let Some(found) = compare(&a, &b, &|| memory.goes_on()) else { return Err(memory.error()) };
    let (keys, profile) = (options.group.keys(), index.profile());
    let mut out = table_output(options.csv || options.markdown);
    if options.json {
        for row in &found.rows {
            writeln!(out, "{}", json_object(fields(&found, profile, &keys, row)))?;
        }
    } else if options.csv {
        csv(&mut out, &found, profile, &keys)?;
    } else {
        table(&mut out, &found, profile, &keys, options.markdown)?;
    }
    out.flush()?;
    finish(&loaded)?;
    other.iter().try_for_each(finish)?;
    Ok(options.fail_above.map_or(ExitCode::SUCCESS, |most| check_growth(&found, profile, most)))
}

/// Returns the range of B on its displayed clock: its own, or else that of A, at the times to which the clocks are aligned.
fn range_of_b(options: &CompareArgs, a: &Index, b: &Index) -> anyhow::Result<Option<(Ns, Ns)>> {
    let (Some(align), Some((from, to))) = (&options.align, options.scope.range) else {
        return Ok(options.range_b.or(options.scope.range));
    };
    let alignment = align.resolve(a, b).map_err(|message| anyhow::anyhow!("--align: {message}"))?;
    let (a, b) = (a.profile(), b.profile());
    let later = a.time_zero() - alignment.shift(a, b) - b.time_zero();
    Ok(Some((from + later, to + later)))
}

/// A metric: its name, and its value in a group as a float and as an integer.
type Metric = (&'static str, fn(&Group) -> Option<f64>, fn(&Group) -> Option<i128>);

/// Metrics to compare: as floats for ratios, and as integers if they are integral.
const METRICS: [Metric; 6] = [
    ("count", |group| float(Some(i128::from(group.count))), |group| Some(i128::from(group.count))),
    ("total_ns", |group| float(Some(group.total)), |group| Some(group.total)),
    ("mean_ns", |group| group.mean, |_| None),
    ("p50_ns", |group| float(p50(group)), p50),
    ("p99_ns", |group| float(p99(group)), p99),
    ("max_ns", |group| float(max(group)), max),
];

#[expect(clippy::cast_precision_loss, reason = "for ratios")]
fn float(number: Option<i128>) -> Option<f64> {
    number.map(|number| number as f64)
}

fn p50(group: &Group) -> Option<i128> {
    group.lengths.map(|lengths| i128::from(lengths.p50))
}

fn p99(group: &Group) -> Option<i128> {
    group.lengths.map(|lengths| i128::from(lengths.p99))
}

fn max(group: &Group) -> Option<i128> {
    group.lengths.map(|lengths| i128::from(lengths.max))
}

const fn status(row: &Row) -> &'static str {
    match (row.a, row.b) {
        (None, _) => "new",
        (_, None) => "vanished",
        _ => "both",
    }
}

/// Returns the names and JSON values of a row.
fn fields(found: &Comparison<'_>, profile: &Profile, keys: &[Key], row: &Row) -> Vec<(String, String)> {
    let mut fields = key_fields(profile, keys, &row.key);
    let mut add = |name: String, value: String| fields.push((name, value));
    add("status".into(), format!("\"{}\"", status(row)));
    let (a, b) = (found.group_a(row), found.group_b(row));
    for (name, value, exact) in METRICS {
        let number = |group: Option<&Group>| {
            let group = group?;
            exact(group).map(|number| number.to_string()).or_else(|| Some(value(group)?.to_string()))
        };
        let both = a.and_then(value).zip(b.and_then(value));
        let exactly = a.and_then(exact).zip(b.and_then(exact)).map(|(a, b)| (b - a).to_string());
        add(format!("{name}_a"), json_number(number(a)));
        add(format!("{name}_b"), json_number(number(b)));
        add(format!("{name}_difference"), json_number(exactly.or(both.map(|(a, b)| (b - a).to_string()))));
        add(format!("{name}_ratio"), json_number(both.and_then(|(a, b)| ratio(a, b))));
    }
    add("u".into(), json_number(row.lengths.map(|lengths| lengths.u)));
    add("p".into(), json_number(row.lengths.map(|lengths| lengths.p)));
    add("greater".into(), json_number(row.lengths.map(|lengths| lengths.greater)));
    fields
}

fn csv(out: &mut impl Write, found: &Comparison<'_>, profile: &Profile, keys: &[Key]) -> std::io::Result<()> {
    let missing = || keys.iter().map(|_| KeyValue::Text(CompactString::default())).collect();
    let none = Row { key: missing(), a: None, b: None, difference: 0, lengths: None };
    let names = fields(found, profile, keys, found.rows.first().unwrap_or(&none));
    let mut csv = CsvWriter::new(out, CsvLineEnd::Lf);
    csv.row(names.iter().map(|(name, _)| name))?;
    for row in &found.rows {
        csv.row(fields(found, profile, keys, row).iter().map(|(_, value)| plain(value)))?;
    }
    Ok(())
}

/// Columns of the text table between the keys and the verdict.
const COLUMNS: [&str; 12] = [
    "count A",
    "count B",
    "total A",
    "total B",
    "difference",
    "ratio",
    "mean A",
    "mean B",
    "p50 A",
    "p50 B",
    "p99 A",
    "p99 B",
];
/// Columns in the unit of the column to their left, so that A and B can be compared at a glance.
const SHARED_UNITS: [&str; 5] = ["total B", "difference", "mean B", "p50 B", "p99 B"];

fn table(
    out: &mut impl Write,
    found: &Comparison<'_>,
    profile: &Profile,
    keys: &[Key],
    as_markdown: bool,
) -> std::io::Result<()> {
    let heading = keys.iter().map(|key| Cell::text(key.name()));
    let numbers_heading = COLUMNS.iter().map(|name| match SHARED_UNITS.contains(name) {
        true => Cell::number(*name).with_unit_of_left(),
        false => Cell::number(*name),
    });
    let heading = heading.chain(numbers_heading).chain([Cell::text("lengths")]).collect();
    let rows = found.rows.iter().map(|row| {
        let keys = key_texts(profile, &row.key).into_iter().map(Cell::text);
        keys.chain(numbers(found, row)).chain([Cell::text(verdict(row))]).collect()
    });
    let rows = std::iter::once(heading).chain(rows).chain([totals(found.a, found.b, keys.len())]);
    if as_markdown { markdown(out, rows) } else { aligned(out, rows) }
}

fn times(ratio: Option<f64>) -> Cell {
    Cell::number(ratio.map_or_else(String::new, |ratio| format!("×{ratio:.3}")))
}

/// Returns the numbers of a row in the order of [`COLUMNS`].
#[expect(clippy::cast_possible_truncation, reason = "rounded for display")]
fn numbers(found: &Comparison<'_>, row: &Row) -> [Cell; 12] {
    let (a, b) = (found.group_a(row), found.group_b(row));
    let count = |group: Option<&Group>| Cell::number(group.map_or_else(String::new, |group| format_count(group.count)));
    let length = |group: Option<&Group>, of: fn(&Group) -> Option<i128>| Cell::duration(group.and_then(of));
    let total: fn(&Group) -> Option<i128> = |group| Some(group.total);
    let mean: fn(&Group) -> Option<i128> = |group| group.mean.map(|mean| mean.round() as i128);
    let ratio = float(a.and_then(total)).zip(float(b.and_then(total))).and_then(|(a, b)| ratio(a, b));
    [
        count(a),
        count(b),
        length(a, total),
        length(b, total),
        Cell::change(row.difference),
        times(ratio),
        length(a, mean),
        length(b, mean),
        length(a, p50),
        length(b, p50),
        length(a, p99),
        length(b, p99),
    ]
}

/// Returns the row for all groups: counts and totals.
fn totals(a: &Statistics, b: &Statistics, keys: usize) -> Vec<Cell> {
    let (a, b) = (&a.totals, &b.totals);
    let mut cells: Vec<Cell> = (0..keys).map(|place| Cell::text(if place == 0 { "all" } else { "" })).collect();
    let ratio = float(Some(a.total)).zip(float(Some(b.total))).and_then(|(a, b)| ratio(a, b));
    cells.extend([
        Cell::number(format_count(a.count)),
        Cell::number(format_count(b.count)),
        Cell::duration(Some(a.total)),
        Cell::duration(Some(b.total)),
        Cell::change(b.total - a.total),
        times(ratio),
    ]);
    cells.extend((0..6).map(|_| Cell::number("")));
    cells.push(Cell::text(""));
    cells
}

/// Minimum p-value at which a difference counts as noise.
const NOISE: f64 = 0.05;

/// Describes the difference between the lengths of a row.
fn verdict(row: &Row) -> String {
    match (status(row), row.lengths) {
        ("both", Some(lengths)) if lengths.p >= NOISE => format!("may be noise (p = {:.2})", lengths.p),
        ("both", Some(lengths)) => {
            let word = if lengths.greater > 0.5 { "longer" } else { "shorter" };
            if lengths.p < 0.001 { format!("{word} (p < 0.001)") } else { format!("{word} (p = {:.3})", lengths.p) }
        }
        ("both", None) => String::new(),
        (status, _) => status.to_owned(),
    }
}

/// Returns the exit status, and reports groups of both scopes that grew by more than a ratio.
fn check_growth(found: &Comparison<'_>, profile: &Profile, most: f64) -> ExitCode {
    let mut names = Vec::new();
    for row in &found.rows {
        let Some((a, b)) = found.group_a(row).zip(found.group_b(row)) else { continue };
        let total = grew(float(Some(a.total)), float(Some(b.total)), most);
        if total || grew(float(p50(a)), float(p50(b)), most) {
            names.push(key_texts(profile, &row.key).join(", "));
        }
    }
    report_growth(&names, most)
}
