//! Tables as text: aligned columns and Markdown.

use std::io::Write;

use crate::cli::terminal;
use flowline_format::format_duration_ns;
use flowline_session::markdown_field;

/// A cell of an aligned table.
pub(crate) struct Cell {
    pub(crate) text: String,
    /// True for a number, which is right-aligned.
    is_number: bool,
    /// True for a text that is never truncated.
    is_whole: bool,
}

impl Cell {
    /// Creates a text cell.
    pub(crate) fn text(text: impl Into<String>) -> Self {
        Self { text: text.into(), is_number: false, is_whole: false }
    }

    /// Creates a number cell.
    pub(crate) fn number(text: impl Into<String>) -> Self {
        Self { text: text.into(), is_number: true, is_whole: false }
    }

    /// Creates a text cell of any length, for the last column.
    pub(crate) fn whole(text: impl Into<String>) -> Self {
        Self { text: text.into(), is_number: false, is_whole: true }
    }
}

/// Maximum length of a text in characters; longer texts are truncated.
const LONGEST: usize = 60;

/// Writes rows of equal length in aligned columns; the first row is the heading. Until the widths are known, all rows
/// are stored in one string, because there may be a million of them.
pub(crate) fn aligned(out: &mut impl Write, rows: impl IntoIterator<Item = Vec<Cell>>) -> std::io::Result<()> {
    let shown = |cell: &Cell| {
        let text = terminal::visible(&cell.text);
        match text.char_indices().nth(LONGEST).filter(|_| !cell.is_whole) {
            Some((end, _)) => format!("{}…", &text[..end]),
            None => text,
        }
    };
    let (mut text, mut ends, mut are_numbers) = (String::new(), Vec::new(), Vec::new());
    let mut widths: Vec<usize> = Vec::new();
    for row in rows {
        widths.resize(widths.len().max(row.len()), 0);
        for (cell, width) in row.iter().zip(&mut widths) {
            let cell_text = shown(cell);
            *width = (*width).max(cell_text.chars().count());
            text.push_str(&cell_text);
            ends.push(text.len());
            are_numbers.push(cell.is_number);
        }
    }
    let mut start = 0;
    for (ends, are_numbers) in ends.chunks(widths.len().max(1)).zip(are_numbers.chunks(widths.len().max(1))) {
        let mut line = String::new();
        for ((end, is_number), width) in ends.iter().zip(are_numbers).zip(&widths) {
            let cell = &text[start..*end];
            start = *end;
            let space = " ".repeat(width - cell.chars().count());
            let (before, after) = if *is_number { (space.as_str(), "") } else { ("", space.as_str()) };
            line.push_str(&format!("{before}{cell}{after}  "));
        }
        terminal::line(out, format_args!("{}", line.trim_end()))?;
    }
    Ok(())
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
}
