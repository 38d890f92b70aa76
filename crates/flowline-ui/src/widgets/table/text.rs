//! Tables as text: displayed cells, and rows as padded text, TSV or Markdown.
//! Text and Markdown contain the displayed values. TSV is for programs: times are milliseconds without unit or
//! separators.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt::Write as _;

use super::{ColumnKind, NamedColumn};
use flowline_format::{DurationUnit, format_duration_ns, format_time_column, format_time_exact};
use flowline_profile::Ns;
use flowline_session::time_text;

/// Maximum number of copied rows.
pub(crate) const LIMIT: usize = 100_000;

/// Format of copied rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// Columns padded with spaces.
    Text,
    /// Columns separated by tabs.
    Tsv,
    /// A Markdown table.
    Markdown,
}

/// Content of a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Cell {
    /// Nothing.
    Empty,
    /// Text.
    Text(String),
    /// A time on the displayed clock.
    Time(Ns),
    /// A duration in nanoseconds.
    Length(i64),
    /// The duration of an instant marker.
    Instant,
    /// The time since the previous markers in nanoseconds; negative if they overlap.
    Gap(i64),
    /// The difference of two durations in nanoseconds, with its sign.
    Difference(i64),
    /// A count.
    Count(usize),
    /// A number with a unit, and its machine-readable form.
    Value {
        /// The displayed text.
        shown: String,
        /// The number alone.
        plain: String,
    },
}

impl Cell {
    /// The text in a column, whose heading names the unit.
    pub(crate) fn shown_in(&self, column: &NamedColumn<'_>) -> Cow<'_, str> {
        match (self, column.unit) {
            (Self::Time(time), _) => format_time_column(*time).into(),
            (Self::Length(ns) | Self::Gap(ns), Some(unit)) => unit.format(*ns).into(),
            (Self::Difference(ns), Some(unit)) => (plus(*ns).to_owned() + &unit.format(*ns)).into(),
            _ => self.shown(),
        }
    }

    /// The text on its own, with its unit.
    pub(crate) fn shown(&self) -> Cow<'_, str> {
        match self {
            Self::Empty => Cow::Borrowed(""),
            Self::Text(text) | Self::Value { shown: text, .. } => Cow::Borrowed(text),
            Self::Time(time) => time_text(*time).into(),
            Self::Length(ns) => format_duration_ns(*ns).into(),
            Self::Difference(ns) => (plus(*ns).to_owned() + &format_duration_ns(*ns)).into(),
            Self::Instant => Cow::Borrowed("instant"),
            Self::Gap(ns) if *ns < 0 => format!("overlap {}", format_duration_ns(ns.saturating_neg())).into(),
            Self::Gap(ns) => format_duration_ns(*ns).into(),
            Self::Count(count) => crate::widgets::grouped(*count).into(),
        }
    }

    /// Compares two cells of a column. Empty cells come last in either sort direction.
    pub(crate) fn order(&self, other: &Self, is_descending: bool) -> Ordering {
        let turned = |order: Ordering| if is_descending { order.reverse() } else { order };
        match (self, other) {
            (Self::Empty, Self::Empty) => Ordering::Equal,
            (Self::Empty, _) => Ordering::Greater,
            (_, Self::Empty) => Ordering::Less,
            (Self::Text(one), Self::Text(other)) => turned(one.to_lowercase().cmp(&other.to_lowercase())),
            _ => turned(self.number().total_cmp(&other.number())),
        }
    }

    /// Sort key of a numeric cell.
    #[expect(clippy::cast_precision_loss, reason = "a number to order by")]
    fn number(&self) -> f64 {
        match self {
            Self::Empty | Self::Text(_) | Self::Instant => 0.0,
            Self::Time(Ns(ns)) | Self::Length(ns) | Self::Gap(ns) | Self::Difference(ns) => *ns as f64,
            Self::Count(count) => *count as f64,
            Self::Value { plain, .. } => plain.parse().unwrap_or(f64::NAN),
        }
    }

    /// Machine-readable text.
    pub(super) fn plain(&self) -> Cow<'_, str> {
        match self {
            Self::Time(Ns(ns)) | Self::Length(ns) | Self::Gap(ns) | Self::Difference(ns) => ms(*ns).into(),
            Self::Instant => Cow::Borrowed("0"),
            Self::Count(count) => count.to_string().into(),
            Self::Value { plain, .. } => Cow::Borrowed(plain),
            Self::Empty | Self::Text(_) => self.shown(),
        }
    }
}

/// The sign of a difference, unless its number has one.
const fn plus(difference: i64) -> &'static str {
    if difference > 0 { "+" } else { "" }
}

/// Nanoseconds as milliseconds, with all digits and no separators.
fn ms(ns: i64) -> String {
    let (sign, ns) = (if ns < 0 { "-" } else { "" }, ns.unsigned_abs());
    let text = format!("{sign}{}.{:06}", ns / 1_000_000, ns % 1_000_000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// A text as a TSV cell, on one line.
fn tsv_cell(text: &str) -> String {
    text.replace(['\t', '\n', '\r'], " ")
}

/// A text as a Markdown cell, with special characters escaped.
fn markdown_cell(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\\' | '|' | '`' | '*' | '_' | '[' | ']' | '<' | '~' => out.extend(['\\', letter]),
            '&' => out.push_str("&amp;"),
            '\n' | '\r' | '\t' => out.push(' '),
            other => out.push(other),
        }
    }
    out
}

/// A row as one line: displayed cells separated by tabs.
pub(crate) fn line(cells: &[Cell]) -> String {
    cells.iter().map(|cell| tsv_cell(&cell.shown())).collect::<Vec<_>>().join("\t")
}

/// Writes rows under their headings. If `total` exceeds their number, a last line gives both numbers.
pub(crate) fn write(format: Format, columns: &[NamedColumn<'_>], rows: &[Vec<Cell>], total: usize) -> String {
    let mut text = match format {
        Format::Text => padded(&in_units(columns, rows), rows),
        Format::Tsv => tsv(columns, rows),
        Format::Markdown => markdown(&in_units(columns, rows), rows),
    };
    if rows.len() < total {
        let gap = if format == Format::Markdown { "\n" } else { "" };
        let (copied, total) = (crate::widgets::grouped(rows.len()), crate::widgets::counted(total, "row"));
        // Writing to a string cannot fail.
        let _infallible = writeln!(text, "{gap}(the first {copied} of {total})");
    }
    text
}

/// Columns with the units of their durations.
pub(crate) fn in_units<'a>(columns: &[NamedColumn<'a>], rows: &[Vec<Cell>]) -> Vec<NamedColumn<'a>> {
    let of = |(number, column): (usize, &NamedColumn<'a>)| {
        let length = |row: &Vec<Cell>| match row.get(number) {
            Some(Cell::Length(ns) | Cell::Gap(ns)) => Some(*ns),
            _ => None,
        };
        match column.kind {
            ColumnKind::Lengths => column.in_unit(DurationUnit::of_column(rows.iter().filter_map(length))),
            _ => *column,
        }
    };
    columns.iter().enumerate().map(of).collect()
}

/// A cell of a copied column. Times keep their nanoseconds.
fn copied<'a>((cell, column): (&'a Cell, &NamedColumn<'_>)) -> Cow<'a, str> {
    match cell {
        Cell::Time(time) => format_time_exact(*time).trim_end_matches(" ms").to_owned().into(),
        _ => cell.shown_in(column),
    }
}

/// Machine-readable heading of a column, with the unit of its numbers.
pub(super) fn plain_title(column: &NamedColumn<'_>) -> String {
    match column.kind {
        ColumnKind::Times | ColumnKind::Lengths => format!("{} (ms)", column.title),
        _ => column.title.to_owned(),
    }
}

fn tsv(columns: &[NamedColumn<'_>], rows: &[Vec<Cell>]) -> String {
    let mut text = columns.iter().map(plain_title).collect::<Vec<_>>().join("\t") + "\n";
    for row in rows {
        let cells: Vec<String> = row.iter().map(|cell| tsv_cell(&cell.plain())).collect();
        text += &cells.join("\t");
        text.push('\n');
    }
    text
}

fn markdown(columns: &[NamedColumn<'_>], rows: &[Vec<Cell>]) -> String {
    let mut text = String::new();
    let mut line = |cells: Vec<String>| {
        text += "| ";
        text += &cells.join(" | ");
        text += " |\n";
    };
    line(columns.iter().map(|column| markdown_cell(&column.heading())).collect());
    line(
        columns.iter().map(|column| if column.kind == ColumnKind::Text { "---" } else { "---:" }.to_owned()).collect(),
    );
    for row in rows {
        line(row.iter().zip(columns).map(|pair| markdown_cell(&copied(pair))).collect());
    }
    text
}

fn padded(columns: &[NamedColumn<'_>], rows: &[Vec<Cell>]) -> String {
    let titles = columns.iter().map(|column| column.heading().into_owned()).collect();
    let shown = |row: &Vec<Cell>| row.iter().zip(columns).map(|pair| tsv_cell(&copied(pair))).collect();
    let lines: Vec<Vec<String>> = std::iter::once(titles).chain(rows.iter().map(shown)).collect();
    let mut widths = vec![0; columns.len()];
    for line in &lines {
        for (width, cell) in widths.iter_mut().zip(line) {
            *width = cell.chars().count().max(*width);
        }
    }
    let mut text = String::new();
    for line in &lines {
        let mut out = String::new();
        for ((cell, width), column) in line.iter().zip(&widths).zip(columns) {
            // Writing to a string cannot fail.
            let _infallible = match column.kind {
                ColumnKind::Text => write!(out, "{cell:<width$}  "),
                _ => write!(out, "{cell:>width$}  "),
            };
        }
        text += out.trim_end();
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::TableColumn;
    use super::*;

    const COLUMNS: [TableColumn; 3] =
        [TableColumn::text("Name", 10.0, 1.0), TableColumn::times("Start", 10.0), TableColumn::numbers("Count", 10.0)];

    fn rows() -> Vec<Vec<Cell>> {
        vec![
            vec![Cell::Text("a|b\tc\n*d*".into()), Cell::Time(Ns(1_234_500_000)), Cell::Count(12_345)],
            vec![Cell::Text("é".into()), Cell::Time(Ns(-1)), Cell::Empty],
        ]
    }

    #[test]
    fn tsv_keeps_its_columns() {
        let text = write(Format::Tsv, &COLUMNS, &rows(), 2);
        assert_eq!(text, "Name\tStart (ms)\tCount\na|b c *d*\t1234.5\t12345\né\t-0.000001\t\n");
    }

    #[test]
    fn markdown_reads_as_the_text() {
        let text = write(Format::Markdown, &COLUMNS, &rows(), 2);
        assert_eq!(
            text,
            "| Name | Start ms | Count |\n| --- | ---: | ---: |\n| a\\|b c \\*d\\* | 1,234.500 | 12,345 |\n| é | −0.000001 |  |\n"
        );
        assert_eq!(markdown_cell("<b>&[x](y)\\_"), "\\<b>&amp;\\[x\\](y)\\\\\\_");
    }

    #[test]
    fn text_is_padded() {
        let text = write(Format::Text, &COLUMNS, &rows(), 2);
        assert_eq!(text, "Name        Start ms   Count\na|b c *d*  1,234.500  12,345\né          −0.000001\n");
    }

    #[test]
    fn a_truncated_copy_ends_with_a_note() {
        let text = write(Format::Tsv, &COLUMNS, &rows(), 1_000_430);
        assert!(text.ends_with("\n(the first 2 of 1,000,430 rows)\n"), "{text}");
        let text = write(Format::Markdown, &COLUMNS, &rows(), 3);
        assert!(text.ends_with(" |\n\n(the first 2 of 3 rows)\n"), "the note is a separate paragraph: {text}");
    }

    #[test]
    fn gaps_and_overlaps() {
        let shown = [Cell::Gap(0), Cell::Gap(1_500), Cell::Gap(-1_200_000), Cell::Instant].map(|cell| {
            let (shown, plain) = (cell.shown().into_owned(), cell.plain().into_owned());
            (shown, plain)
        });
        let pair = |shown: &str, plain: &str| (shown.to_owned(), plain.to_owned());
        let expected =
            [pair("0 ms", "0"), pair("1.5 µs", "0.0015"), pair("overlap 1.20 ms", "-1.2"), pair("instant", "0")];
        assert_eq!(shown, expected);
        let column = TableColumn::lengths("Gap", 80.0).in_unit(DurationUnit::Milliseconds);
        assert_eq!(column.heading(), "Gap ms");
        let shown = [Cell::Gap(0), Cell::Gap(1_500), Cell::Gap(-1_200_000), Cell::Instant, Cell::Empty];
        let shown = shown.map(|cell| cell.shown_in(&column).into_owned());
        assert_eq!(shown, ["0.000", "0.002", "−1.200", "instant", ""]);
        assert_eq!(ms(0), "0");
        assert_eq!(ms(120_000_000), "120");
    }
}
