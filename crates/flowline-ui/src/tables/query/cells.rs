//! Cells of a result.

use super::places::Meaning;
use crate::widgets::table::{Cell, NamedColumn};
use flowline_format::{DurationUnit, format_integer, format_number};
use flowline_profile::{DisplayClock, Ns};
use flowline_session::{ColumnType, Field, QueryResult};

/// Widths of columns in points.
const TEXT_WIDTH: f32 = 160.0;
const NUMBER_WIDTH: f32 = 92.0;
const TIME_WIDTH: f32 = 112.0;
/// Rows that determine the unit of a column of durations, so that long results are not read in each frame.
const MEASURED_ROWS: usize = 2_000;

/// Meaning of each column.
pub(super) fn meanings(result: &QueryResult) -> Vec<Meaning> {
    result.columns().iter().map(Meaning::of).collect()
}

#[expect(clippy::cast_possible_truncation, reason = "nanoseconds of a duration; saturating")]
fn nanoseconds(field: Field<'_>) -> Option<i64> {
    match field {
        Field::Integer(ns) => Some(ns),
        Field::Real(ns) if ns.is_finite() => Some(ns.round() as i64),
        _ => None,
    }
}

/// The columns as they are shown.
pub(super) fn columns<'a>(result: &'a QueryResult, meanings: &[Meaning]) -> Vec<NamedColumn<'a>> {
    let column = |(number, meaning): (usize, &Meaning)| {
        let title = result.columns()[number].name.as_str();
        match meaning {
            Meaning::Text => NamedColumn::text(title, TEXT_WIDTH, 1.0),
            Meaning::Number | Meaning::Amount => NamedColumn::numbers(title, NUMBER_WIDTH),
            Meaning::Moment => NamedColumn::times(title, TIME_WIDTH),
            Meaning::Duration => {
                let rows = 0..result.rows().min(MEASURED_ROWS);
                let unit = DurationUnit::of_column(rows.filter_map(|row| nanoseconds(result.get(row, number))));
                NamedColumn::lengths(title, NUMBER_WIDTH).in_unit(unit)
            }
        }
    };
    meanings.iter().enumerate().map(column).collect()
}

/// A value as a cell.
pub(super) fn cell(field: Field<'_>, meaning: Meaning, clock: DisplayClock) -> Cell {
    match (meaning, field) {
        (_, Field::Null) => Cell::Empty,
        (Meaning::Moment, _) => match nanoseconds(field) {
            Some(ns) => Cell::Time(clock.show(Ns(ns.clamp(-Ns::LIMIT, Ns::LIMIT)))),
            None => Cell::Text(field.plain()),
        },
        (Meaning::Duration, _) => match nanoseconds(field) {
            Some(ns) => Cell::Length(ns),
            None => Cell::Text(field.plain()),
        },
        (Meaning::Number, _) => number(field.plain(), field),
        (Meaning::Amount, Field::Integer(value)) => number(format_integer(value), field),
        (Meaning::Amount, Field::Real(value)) if value.is_finite() => number(format_number(value), field),
        (Meaning::Amount | Meaning::Text, _) => Cell::Text(field.plain()),
    }
}

fn number(shown: String, field: Field<'_>) -> Cell {
    Cell::Value { shown, plain: field.plain() }
}

/// The cells of a row.
pub(super) fn cells(result: &QueryResult, row: usize, meanings: &[Meaning], clock: DisplayClock) -> Vec<Cell> {
    let of = |(number, meaning): (usize, &Meaning)| cell(result.get(row, number), *meaning, clock);
    meanings.iter().enumerate().map(of).collect()
}

/// The tooltip of a value: what the query returned, if the cell shows something else.
pub(super) fn raw(field: Field<'_>, meaning: Meaning, kind: ColumnType) -> Option<String> {
    match (meaning, field) {
        (_, Field::Null) => Some("NULL".to_owned()),
        (Meaning::Moment | Meaning::Duration, _) => Some(format!("{} ns", field.plain())),
        (Meaning::Amount, Field::Real(_)) if kind == ColumnType::Real => Some(field.plain()),
        _ => None,
    }
}
