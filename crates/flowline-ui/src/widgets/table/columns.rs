//! Columns of tables: content kinds and horizontal layout.

use std::borrow::Cow;

use egui::Rangef;
use flowline_format::DurationUnit;

/// Points between two columns.
pub(super) const GAP: f32 = 16.0;
/// Points left of the first column and right of the last.
const MARGIN: f32 = 8.0;

/// Widths in points of the bar of a share, and of its number with a gap.
pub(super) const SHARE_BAR: f32 = 56.0;
const SHARE_NUMBER: f32 = 52.0;

/// Minimum width in points of a growing column in a narrow table.
const MIN_GROWING_WIDTH: f32 = 56.0;
/// Fraction of its width that the first column keeps in a narrow table, because it identifies the row.
const FIRST_KEEPS: f32 = 0.7;

/// Kind of a column's content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ColumnKind {
    /// Text, aligned left.
    Text,
    /// Numbers, aligned right.
    Numbers,
    /// Durations, aligned right; copied as milliseconds for programs.
    Lengths,
    /// Points in time, aligned right; copied as milliseconds for programs.
    Times,
    /// Percentages with a bar: aligned right.
    Shares,
    /// A drawing, which cannot be sorted and is not copied.
    Picture,
}

/// Title, kind and width of a column.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NamedColumn<'a> {
    /// Its heading.
    pub(crate) title: &'a str,
    /// Kind of its content.
    pub(crate) kind: ColumnKind,
    /// Minimum width in points.
    min_width: f32,
    /// Share of the remaining width.
    grow: f32,
    /// Unit of all durations of the column; without one, each has its own.
    pub(super) unit: Option<DurationUnit>,
}

/// A column whose title is known at compile time.
pub(crate) type TableColumn = NamedColumn<'static>;

impl<'a> NamedColumn<'a> {
    /// A text column.
    pub(crate) const fn text(title: &'a str, min_width: f32, grow: f32) -> Self {
        Self { title, kind: ColumnKind::Text, min_width, grow, unit: None }
    }

    /// A column of numbers.
    pub(crate) const fn numbers(title: &'a str, width: f32) -> Self {
        Self { title, kind: ColumnKind::Numbers, min_width: width, grow: 0.0, unit: None }
    }

    /// A column of percentages with bars.
    pub(crate) const fn shares(title: &'a str) -> Self {
        Self { title, kind: ColumnKind::Shares, min_width: SHARE_BAR + SHARE_NUMBER, grow: 0.0, unit: None }
    }

    /// A column of durations.
    pub(crate) const fn lengths(title: &'a str, width: f32) -> Self {
        Self { title, kind: ColumnKind::Lengths, min_width: width, grow: 0.0, unit: None }
    }

    /// A column of drawings.
    pub(crate) const fn picture(title: &'a str, width: f32) -> Self {
        Self { title, kind: ColumnKind::Picture, min_width: width, grow: 0.0, unit: None }
    }

    /// The column with one unit for all its durations.
    pub(crate) const fn in_unit(self, unit: DurationUnit) -> Self {
        Self { unit: Some(unit), ..self }
    }

    /// Its heading with the unit of its numbers: "Total ms".
    pub(crate) fn heading(&self) -> Cow<'a, str> {
        match (self.kind, self.unit) {
            (ColumnKind::Times, _) => DurationUnit::Milliseconds.heading(self.title).into(),
            (ColumnKind::Lengths, Some(unit)) => unit.heading(self.title).into(),
            _ => Cow::Borrowed(self.title),
        }
    }

    /// The column with a fixed width.
    pub(super) const fn fixed(self, width: f32) -> Self {
        Self { min_width: width, grow: 0.0, ..self }
    }

    /// A column of points in time.
    pub(crate) const fn times(title: &'a str, width: f32) -> Self {
        Self { title, kind: ColumnKind::Times, min_width: width, grow: 0.0, unit: None }
    }
}

/// Horizontal ranges of the columns in a row. In a narrow row, growing columns shrink to their minimum; the rest is
/// clipped.
pub(crate) fn spans(columns: &[NamedColumn<'_>], row: Rangef) -> Vec<Rangef> {
    let min_total: f32 = columns.iter().map(|column| column.min_width + GAP).sum();
    let rest = row.span() - 2.0 * MARGIN + GAP - min_total;
    let shares: f32 = columns.iter().map(|column| column.grow).sum::<f32>().max(f32::MIN_POSITIVE);
    let widths = match rest >= 0.0 {
        true => columns.iter().map(|column| column.min_width + rest * column.grow / shares).collect(),
        false => shrunk(columns, -rest),
    };
    let mut left = row.min + MARGIN;
    let span = |width: f32| {
        let span = Rangef::new(left, left + width);
        left += width + GAP;
        span
    };
    widths.into_iter().map(span).collect()
}

/// Minimum width of a column in a narrow table.
fn least(number: usize, column: &NamedColumn<'_>) -> f32 {
    let kept = if number == 0 { column.min_width * FIRST_KEEPS } else { 0.0 };
    let is_growing = column.grow > 0.0;
    if is_growing { kept.max(MIN_GROWING_WIDTH).min(column.min_width) } else { column.min_width }
}

/// Widths of columns in a row that is `missing` points too narrow. Growing columns shrink in proportion to their
/// widths, but not below their minimum.
fn shrunk(columns: &[NamedColumn<'_>], missing: f32) -> Vec<f32> {
    let mut widths: Vec<Option<f32>> =
        columns.iter().map(|column| (column.grow <= 0.0).then_some(column.min_width)).collect();
    let mut missing = missing;
    loop {
        let shrinking: f32 =
            columns.iter().zip(&widths).filter(|(_, width)| width.is_none()).map(|(column, _)| column.min_width).sum();
        let part = (1.0 - missing / shrinking.max(f32::MIN_POSITIVE)).max(0.0);
        let too_narrow = |(number, column): &(usize, &NamedColumn<'_>)| {
            widths[*number].is_none() && column.min_width * part < least(*number, column)
        };
        let Some((number, column)) = columns.iter().enumerate().find(too_narrow) else {
            return columns
                .iter()
                .zip(widths)
                .map(|(column, width)| width.unwrap_or(column.min_width * part))
                .collect();
        };
        // This column stops at its minimum; the others shrink by the remainder.
        missing -= column.min_width - least(number, column);
        widths[number] = Some(least(number, column));
    }
}

/// Minimum row width in points at which no column is clipped.
pub(crate) fn least_width(columns: &[NamedColumn<'_>]) -> f32 {
    let widths = columns.iter().enumerate().map(|(number, column)| least(number, column) + GAP);
    widths.sum::<f32>() - GAP + 2.0 * MARGIN
}

/// The largest width up to `available` that ends between two columns, so that no number is cut. A table with enough room
/// takes all of it; the first two columns are always kept.
pub(crate) fn width_of_whole_columns(columns: &[NamedColumn<'_>], available: f32) -> f32 {
    let least = least_width(columns);
    if least <= available {
        return available;
    }
    let ends = spans(columns, Rangef::new(0.0, least)).into_iter().map(|span| span.max + GAP / 2.0);
    ends.skip(1).take_while(|end| *end <= available).last().unwrap_or(available)
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: [TableColumn; 3] =
        [TableColumn::text("A", 100.0, 1.0), TableColumn::numbers("B", 50.0), TableColumn::text("C", 200.0, 3.0)];

    #[test]
    fn a_narrow_table_ends_between_columns() {
        let columns = [
            TableColumn::text("A", 100.0, 1.0),
            TableColumn::numbers("B", 50.0),
            TableColumn::numbers("C", 50.0),
            TableColumn::numbers("D", 50.0),
        ];
        let least = least_width(&columns);
        assert_eq!(width_of_whole_columns(&columns, least + 1.0), least + 1.0);
        let ends: Vec<f32> = spans(&columns, Rangef::new(0.0, least)).iter().map(|span| span.max).collect();
        for (missing, last) in [(1.0, 2), (49.0, 2), (51.0 + GAP, 1)] {
            let width = width_of_whole_columns(&columns, least - missing);
            assert!(width <= least - missing, "{missing}");
            assert!(ends[last] <= width && width < ends[last + 1] - 50.0, "{missing}: {width} of {ends:?}");
        }
        assert_eq!(width_of_whole_columns(&columns, 30.0), 30.0, "too narrow for two columns");
    }

    fn widths(row: f32) -> Vec<f32> {
        spans(&COLUMNS, Rangef::new(10.0, 10.0 + row)).iter().map(|span| span.span()).collect()
    }

    #[test]
    fn columns_share_the_width() {
        let all = 2.0 * MARGIN + 2.0 * GAP;
        assert_eq!(widths(350.0 + all), [100.0, 50.0, 200.0]);
        assert_eq!(widths(390.0 + all), [110.0, 50.0, 230.0]);
        assert_eq!(widths(320.0 + all), [90.0, 50.0, 180.0], "text columns shrink before numbers");
        assert_eq!(widths(0.0), [100.0 * FIRST_KEEPS, 50.0, MIN_GROWING_WIDTH], "the first column stays readable");
        // From the minimum width on, no column is clipped.
        for more in [0.0, 1.0, 17.0, 90.0] {
            let row = least_width(&COLUMNS) + more;
            let last = spans(&COLUMNS, Rangef::new(0.0, row)).last().map_or(0.0, |last| last.max + MARGIN);
            assert!((last - row).abs() < 0.01, "{last} in {row}");
        }
        let spans = spans(&COLUMNS, Rangef::new(10.0, 10.0 + 350.0 + all));
        assert_eq!((spans[0].min, spans[2].max), (10.0 + MARGIN, 10.0 + 350.0 + all - MARGIN));
        assert!(spans.is_sorted_by(|one, other| one.max + GAP <= other.min));
    }
}
