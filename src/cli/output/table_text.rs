//! Tables as text: aligned columns and Markdown.

use std::io::Write;

use crate::cli::terminal;
use flowline_format::{DurationUnit, format_duration_ns};
use flowline_session::markdown_field;

/// A cell of an aligned table.
pub(crate) struct Cell {
    pub(crate) text: String,
    kind: CellKind,
}

/// The contents of a cell.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CellKind {
    Text,
    /// A text that is never truncated.
    Whole,
    /// A number, which is right-aligned.
    Number,
    /// A duration in nanoseconds as digits, shown in the unit of its column.
    Duration,
}

impl Cell {
    /// Creates a text cell.
    pub(crate) fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), kind: CellKind::Text }
    }

    /// Creates a number cell.
    pub(crate) fn number(text: impl Into<String>) -> Self {
        Self { text: text.into(), kind: CellKind::Number }
    }

    /// Creates a text cell of any length, for the last column.
    pub(crate) fn whole(text: impl Into<String>) -> Self {
        Self { text: text.into(), kind: CellKind::Whole }
    }

    /// Creates the cell of a duration; empty if there is none.
    pub(crate) fn duration(ns: Option<i128>) -> Self {
        Self { text: ns.map(|ns| ns.to_string()).unwrap_or_default(), kind: CellKind::Duration }
    }
}

/// Maximum length of a text in characters; longer texts are truncated.
const LONGEST: usize = 60;

/// Writes rows of equal length in aligned columns; the first row is the heading. Until units and widths are known, all
/// rows are stored in one string, because there may be a million of them. The durations of a column have one unit, which
/// its heading names.
pub(crate) fn aligned(out: &mut impl Write, rows: impl IntoIterator<Item = Vec<Cell>>) -> std::io::Result<()> {
    let stored = StoredCells::of(rows);
    let columns = stored.units.len().max(1);
    let mut widths = vec![0; columns];
    stored.each(|number, text, _| {
        let width: &mut usize = &mut widths[number % columns];
        *width = (*width).max(text.chars().count());
    });
    let (mut line, mut written) = (String::new(), Ok(()));
    stored.each(|number, cell, kind| {
        let space = " ".repeat(widths[number % columns] - cell.chars().count());
        let (before, after) =
            if matches!(kind, CellKind::Text | CellKind::Whole) { ("", space.as_str()) } else { (space.as_str(), "") };
        line.push_str(&format!("{before}{cell}{after}  "));
        if number % columns == columns - 1 && written.is_ok() {
            written = terminal::line(out, format_args!("{}", line.trim_end()));
            line.clear();
        }
    });
    written
}

/// The cells of all rows, in order.
struct StoredCells {
    text: String,
    /// End of each cell in the text, and its kind.
    cells: Vec<(usize, CellKind)>,
    /// Units of the durations of each column; `None` for columns without durations.
    units: Vec<Option<DurationUnit>>,
}

impl StoredCells {
    fn of(rows: impl IntoIterator<Item = Vec<Cell>>) -> Self {
        let shown = |cell: &Cell| {
            let text = terminal::visible(&cell.text);
            match text.char_indices().nth(LONGEST).filter(|_| cell.kind != CellKind::Whole) {
                Some((end, _)) => format!("{}…", &text[..end]),
                None => text,
            }
        };
        let (mut text, mut cells) = (String::new(), Vec::new());
        let mut longest: Vec<Option<i64>> = Vec::new();
        for row in rows {
            longest.resize(longest.len().max(row.len()), None);
            for (cell, longest) in row.iter().zip(&mut longest) {
                let length =
                    Some(cell).filter(|cell| cell.kind == CellKind::Duration).and_then(|cell| read(&cell.text));
                *longest = (*longest).max(length.map(i64::saturating_abs));
                text.push_str(&shown(cell));
                cells.push((text.len(), cell.kind));
            }
        }
        let units = longest.into_iter().map(|longest| longest.map(DurationUnit::of_longest)).collect();
        Self { text, cells, units }
    }

    /// Calls a function with the number, the text and the kind of each cell.
    fn each(&self, mut call: impl FnMut(usize, &str, CellKind)) {
        let columns = self.units.len().max(1);
        let mut start = 0;
        for (number, (end, kind)) in self.cells.iter().enumerate() {
            let text = &self.text[start..*end];
            start = *end;
            let unit = self.units[number % columns];
            match (unit, kind) {
                (Some(unit), _) if number < columns => call(number, &unit.heading(text), *kind),
                (Some(unit), CellKind::Duration) => {
                    let shown = read(text).map(|ns| unit.format(ns)).unwrap_or_default();
                    call(number, &shown, *kind);
                }
                _ => call(number, text, *kind),
            }
        }
    }
}

/// Reads the digits of a duration. Durations that are too long are shown as the longest one.
fn read(digits: &str) -> Option<i64> {
    let ns: i128 = digits.parse().ok()?;
    Some(i64::try_from(ns).unwrap_or(if ns < 0 { i64::MIN } else { i64::MAX }))
}

/// Formats a length in nanoseconds.
pub(crate) fn duration(length: i128) -> String {
    format_duration_ns(i64::try_from(length).unwrap_or(if length < 0 { i64::MIN } else { i64::MAX }))
}

/// Returns a row of a Markdown table without a line break.
pub(crate) fn markdown_line(fields: &[String]) -> String {
    let mut line = String::from("|");
    for field in fields {
        line.push(' ');
        markdown_field(&mut line, field);
        line.push_str(" |");
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_is_escaped() {
        assert_eq!(markdown_line(&["a|b\nc".into(), "<b>".into()]), "| a\\|b c | \\<b\\> |");
    }

    #[test]
    fn columns_are_aligned() {
        let rows = vec![vec![Cell::text("name"), Cell::number("count")], vec![Cell::text("é\n"), Cell::number("7")]];
        let mut out = Vec::new();
        aligned(&mut out, rows).expect("memory");
        assert_eq!(String::from_utf8(out).expect("UTF-8"), "name     count\né\\u000a      7\n");
    }

    #[test]
    fn durations_of_a_column_have_one_unit() {
        let row = |name: &str, ns: Option<i128>, difference: i128| {
            vec![Cell::text(name), Cell::duration(ns), Cell::duration(Some(difference))]
        };
        let heading = vec![Cell::text("name"), Cell::number("total"), Cell::number("change")];
        let rows = vec![heading, row("a", Some(208_412_000), 1_000), row("b", Some(48_000), -2_500), row("c", None, 0)];
        let mut out = Vec::new();
        aligned(&mut out, rows).expect("memory");
        let text = String::from_utf8(out).expect("UTF-8");
        let expected = [
            "name  total ms  change µs",
            "a      208.412        1.0",
            "b        0.048       \u{2212}2.5",
            "c                     0.0",
        ];
        assert_eq!(text.lines().collect::<Vec<_>>(), expected);
    }
}
