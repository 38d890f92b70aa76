//! `flowline compare --of functions`: self and total costs of functions side by side.

use std::io::Write;
use std::process::ExitCode;

use anyhow::ensure;

use super::functions::{FunctionCost, FunctionKey, Functions, cost_cell, json_place};
use super::group_text::{json_number, json_object, json_text, plain};
use super::growth::{grew, report_growth};
use crate::cli::args::CompareArgs;
use crate::cli::output::{Cell, aligned, markdown};
use flowline_index::statistics::compare::ratio;
use flowline_profile::samples::WeightUnit;
use flowline_session::{CsvLineEnd, CsvWriter};
use flowline_terminal::table_output;

/// A function of either side, or of both.
struct Row<'a> {
    key: &'a FunctionKey,
    a: Option<FunctionCost>,
    b: Option<FunctionCost>,
}

impl Row<'_> {
    /// B minus A; the missing side costs nothing.
    fn difference(&self, of: fn(FunctionCost) -> f64) -> f64 {
        self.b.map_or(0.0, of) - self.a.map_or(0.0, of)
    }

    const fn status(&self) -> &'static str {
        match (self.a, self.b) {
            (None, _) => "new",
            (_, None) => "vanished",
            _ => "both",
        }
    }
}

/// The compared costs with their names.
type Metric = (&'static str, fn(FunctionCost) -> f64);

const METRICS: [Metric; 2] = [("self", |cost| cost.own), ("total", |cost| cost.total)];

/// The functions of both sides, by descending absolute difference of the self costs, then of the total costs.
fn rows<'a>(a: &'a Functions, b: &'a Functions) -> Vec<Row<'a>> {
    let of_a = a.costs.iter().map(|(key, cost)| Row { key, a: Some(*cost), b: b.costs.get(key).copied() });
    let new = b.costs.iter().filter(|(key, _)| !a.costs.contains_key(key));
    let mut rows: Vec<Row<'a>> = of_a.chain(new.map(|(key, cost)| Row { key, a: None, b: Some(*cost) })).collect();
    let [own, total] = METRICS.map(|(_, of)| of);
    rows.sort_by(|x, y| {
        let by = |of| f64::total_cmp(&y.difference(of).abs(), &x.difference(of).abs());
        by(own).then_with(|| by(total)).then_with(|| x.key.cmp(y.key))
    });
    rows
}

/// The names and JSON values of a row.
fn fields(row: &Row<'_>, unit: &str) -> Vec<(String, String)> {
    let mut fields = vec![
        ("function".to_owned(), json_text(&row.key.name)),
        ("place".to_owned(), json_place(&row.key.place)),
        ("unit".to_owned(), json_text(unit)),
        ("status".to_owned(), json_text(row.status())),
    ];
    for (name, of) in METRICS {
        let (a, b) = (row.a.map(of), row.b.map(of));
        let both = a.zip(b);
        fields.push((format!("{name}_a"), json_number(a)));
        fields.push((format!("{name}_b"), json_number(b)));
        fields.push((format!("{name}_difference"), json_number(both.map(|(a, b)| b - a))));
        fields.push((format!("{name}_ratio"), json_number(both.and_then(|(a, b)| ratio(a, b)))));
    }
    fields
}

/// Prints the functions of two scopes, and fails if one of both grew by more than the limit.
///
/// # Errors
/// If the costs have different units, or errors of the output.
pub(super) fn print(options: &CompareArgs, a: &Functions, b: &Functions) -> anyhow::Result<ExitCode> {
    let (unit_a, unit_b) = (a.unit.name(), b.unit.name());
    ensure!(a.unit == b.unit, "the samples of A and B have different units: {unit_a} and {unit_b}");
    let rows = rows(a, b);
    let mut out = table_output(options.csv || options.markdown);
    if options.json {
        for row in &rows {
            writeln!(out, "{}", json_object(fields(row, unit_a)))?;
        }
    } else if options.csv {
        let key = FunctionKey { name: String::new(), place: String::new() };
        let mut csv = CsvWriter::new(&mut out, CsvLineEnd::Lf);
        csv.row(fields(&Row { key: &key, a: None, b: None }, unit_a).iter().map(|(name, _)| name))?;
        for row in &rows {
            csv.row(fields(row, unit_a).iter().map(|(_, value)| plain(value)))?;
        }
    } else {
        let all = |side: &Functions| Some(FunctionCost { own: side.all, total: side.all });
        let key = FunctionKey { name: "all".to_owned(), place: String::new() };
        let totals = cells(&Row { key: &key, a: all(a), b: all(b) }, a.unit);
        let table = std::iter::once(heading()).chain(rows.iter().map(|row| cells(row, a.unit))).chain([totals]);
        if options.markdown { markdown(&mut out, table)? } else { aligned(&mut out, table)? }
    }
    out.flush()?;
    let Some(most) = options.fail_above else { return Ok(ExitCode::SUCCESS) };
    let has_grown = |row: &&Row<'_>| METRICS.iter().any(|(_, of)| grew(row.a.map(of), row.b.map(of), most));
    let names: Vec<String> = rows.iter().filter(has_grown).map(|row| row.key.name.clone()).collect();
    Ok(report_growth(&names, most))
}

fn heading() -> Vec<Cell> {
    let of_metric = |(name, _): Metric| {
        let unit_of_left = |title: String| Cell::number(title).with_unit_of_left();
        let [a, b] = ["A", "B"].map(|side| format!("{name} {side}"));
        [
            Cell::number(a),
            unit_of_left(b),
            unit_of_left(format!("{name} difference")),
            Cell::number(format!("{name} ratio")),
        ]
    };
    let texts = ["file or library", ""].map(Cell::text);
    std::iter::once(Cell::text("function")).chain(METRICS.into_iter().flat_map(of_metric)).chain(texts).collect()
}

/// The cells of a function.
fn cells(row: &Row<'_>, unit: WeightUnit) -> Vec<Cell> {
    let status = if row.status() == "both" { "" } else { row.status() };
    let texts = [Cell::text(row.key.place.clone()), Cell::text(status)];
    std::iter::once(Cell::text(row.key.name.clone())).chain(numbers(row, unit)).chain(texts).collect()
}

fn numbers(row: &Row<'_>, unit: WeightUnit) -> impl Iterator<Item = Cell> {
    METRICS.into_iter().flat_map(move |(_, of)| {
        let (a, b) = (row.a.map(of), row.b.map(of));
        let ratio = a.zip(b).and_then(|(a, b)| ratio(a, b));
        let ratio = Cell::number(ratio.map_or_else(String::new, |ratio| format!("×{ratio:.3}")));
        [cost_cell(a, unit), cost_cell(b, unit), change_cell(row.difference(of), unit), ratio]
    })
}

/// The cell of a difference.
#[expect(clippy::cast_possible_truncation, reason = "rounded for display")]
fn change_cell(difference: f64, unit: WeightUnit) -> Cell {
    match unit {
        WeightUnit::Nanoseconds => Cell::change(difference.round() as i128),
        unit => Cell::number(format!("{}{}", if difference > 0.0 { "+" } else { "" }, unit.text(difference))),
    }
}
