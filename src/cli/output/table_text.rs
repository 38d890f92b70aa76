//! Tables as text: aligned columns and Markdown.

use std::io::Write;

use flowline_format::DurationUnit;
use flowline_session::markdown_field;
use flowline_terminal as terminal;

/// A cell of a table.
pub(crate) struct Cell {
    text: String,
    kind: CellKind,
    /// In a heading: the durations of the column have the unit of the column to the left.
    shares_unit: bool,
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
    /// A difference of durations: the same, with a plus sign if it is positive.
    Change,
}

impl CellKind {
    const fn is_time(self) -> bool {
        matches!(self, Self::Duration | Self::Change)
    }
}

impl Cell {
    const fn new(text: String, kind: CellKind) -> Self {
        Self { text, kind, shares_unit: false }
    }

    /// Creates a text cell.
    pub(crate) fn text(text: impl Into<String>) -> Self {
        Self::new(text.into(), CellKind::Text)
    }

    /// Creates a number cell.
    pub(crate) fn number(text: impl Into<String>) -> Self {
        Self::new(text.into(), CellKind::Number)
    }

    /// Creates a text cell of any length, for the last column.
    pub(crate) fn whole(text: impl Into<String>) -> Self {
        Self::new(text.into(), CellKind::Whole)
    }

    /// Creates the cell of a duration; empty if there is none.
    pub(crate) fn duration(ns: Option<i128>) -> Self {
        Self::new(ns.map(|ns| ns.to_string()).unwrap_or_default(), CellKind::Duration)
    }

    /// Creates the cell of a difference of durations.
    pub(crate) fn change(ns: i128) -> Self {
        Self::new(ns.to_string(), CellKind::Change)
    }

    /// Makes this the heading of a column whose durations have the unit of the column to the left.
    pub(crate) fn with_unit_of_left(self) -> Self {
        Self { shares_unit: true, ..self }
    }
}

/// Maximum length of a text in characters; longer texts are truncated.
const LONGEST: usize = 60;

/// Writes rows of equal length in aligned columns; the first row is the heading. Until units and widths are known, all
/// rows are stored in one string, because there may be a million of them. The durations of a column have one unit, which
/// its heading names.
pub(crate) fn aligned(out: &mut impl Write, rows: impl IntoIterator<Item = Vec<Cell>>) -> std::io::Result<()> {
    let stored = StoredCells::of(rows, aligned_text);
    let columns = stored.columns();
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

/// The text of a cell of an aligned table.
fn aligned_text(cell: &Cell) -> String {
    let text = terminal::visible(&cell.text);
    match text.char_indices().nth(LONGEST).filter(|_| cell.kind != CellKind::Whole) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// Writes the same rows as a Markdown table.
pub(crate) fn markdown(out: &mut impl Write, rows: impl IntoIterator<Item = Vec<Cell>>) -> std::io::Result<()> {
    let stored = StoredCells::of(rows, |cell| cell.text.clone());
    let columns = stored.columns();
    let (mut line, mut rule, mut written) = (String::from("|"), String::from("|"), Ok(()));
    stored.each(|number, cell, kind| {
        line.push(' ');
        markdown_field(&mut line, cell);
        line.push_str(" |");
        if number < columns {
            rule.push_str(if matches!(kind, CellKind::Text | CellKind::Whole) { "---|" } else { "---:|" });
        }
        if number % columns == columns - 1 && written.is_ok() {
            written = writeln!(out, "{line}");
            if number < columns && written.is_ok() {
                written = writeln!(out, "{rule}");
            }
            line.truncate(1);
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
    fn of(rows: impl IntoIterator<Item = Vec<Cell>>, shown: impl Fn(&Cell) -> String) -> Self {
        let (mut text, mut cells) = (String::new(), Vec::new());
        let mut longest: Vec<Option<i64>> = Vec::new();
        let mut shares_unit: Vec<bool> = Vec::new();
        for row in rows {
            longest.resize(longest.len().max(row.len()), None);
            if shares_unit.is_empty() {
                shares_unit = row.iter().map(|cell| cell.shares_unit).collect();
            }
            for (cell, longest) in row.iter().zip(&mut longest) {
                let length = Some(cell).filter(|cell| cell.kind.is_time()).and_then(|cell| read(&cell.text));
                *longest = (*longest).max(length.map(i64::saturating_abs));
                text.push_str(&shown(cell));
                cells.push((text.len(), cell.kind));
            }
        }
        Self { text, cells, units: units(&longest, &shares_unit) }
    }

    /// Number of columns; at least 1.
    fn columns(&self) -> usize {
        self.units.len().max(1)
    }

    /// Calls a function with the number, the text and the kind of each cell.
    fn each(&self, mut call: impl FnMut(usize, &str, CellKind)) {
        let columns = self.columns();
        let mut start = 0;
        for (number, (end, kind)) in self.cells.iter().enumerate() {
            let text = &self.text[start..*end];
            start = *end;
            let unit = self.units[number % columns];
            match (unit, kind) {
                (Some(unit), _) if number < columns => call(number, &unit.heading(text), *kind),
                (Some(unit), CellKind::Duration | CellKind::Change) => {
                    let sign = |ns| if *kind == CellKind::Change && ns > 0 { "+" } else { "" };
                    let shown = read(text).map(|ns| format!("{}{}", sign(ns), unit.format(ns))).unwrap_or_default();
                    call(number, &shown, *kind);
                }
                _ => call(number, text, *kind),
            }
        }
    }
}

/// The units of columns with these longest durations. Adjacent columns that share a unit have that of the longest
/// duration in any of them.
fn units(longest: &[Option<i64>], shares_unit: &[bool]) -> Vec<Option<DurationUnit>> {
    let mut units = Vec::with_capacity(longest.len());
    while units.len() < longest.len() {
        let from = units.len();
        let joined = shares_unit.get(from + 1..).unwrap_or_default().iter().take_while(|shares| **shares).count();
        let group = &longest[from..(from + 1 + joined).min(longest.len())];
        let unit = group.iter().copied().max().flatten().map(DurationUnit::of_longest);
        units.extend(group.iter().map(|own| unit.filter(|_| own.is_some())));
    }
    units
}

/// Reads the digits of a duration. Durations that are too long are shown as the longest one.
fn read(digits: &str) -> Option<i64> {
    let ns: i128 = digits.parse().ok()?;
    Some(i64::try_from(ns).unwrap_or(if ns < 0 { i64::MIN } else { i64::MAX }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markdown_is_escaped() {
        let rows = [vec![Cell::text("name"), Cell::number("n")], vec![Cell::text("a|b\nc"), Cell::number("<b>")]];
        let mut out = Vec::new();
        markdown(&mut out, rows).expect("memory");
        let text = String::from_utf8(out).expect("UTF-8");
        assert_eq!(text, "| name | n |\n|---|---:|\n| a\\|b c | \\<b\\> |\n");
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

    #[test]
    fn adjacent_columns_can_share_a_unit() {
        let heading =
            vec![Cell::number("A"), Cell::number("B").with_unit_of_left(), Cell::number("change").with_unit_of_left()];
        let row = |a: i128, b: i128| vec![Cell::duration(Some(a)), Cell::duration(Some(b)), Cell::change(b - a)];
        let mut out = Vec::new();
        aligned(&mut out, [heading, row(48_000, 2_000_000), row(9_000, 9_000)]).expect("memory");
        let text = String::from_utf8(out).expect("UTF-8");
        let expected = [" A ms   B ms  change ms", "0.048  2.000     +1.952", "0.009  0.009      0.000"];
        assert_eq!(text.lines().collect::<Vec<_>>(), expected);
    }
}
