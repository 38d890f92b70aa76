//! Writers for table formats: CSV (RFC 4180), TSV, JSON, Markdown.

use std::io::{self, Write};
use std::path::Path;

use super::csv_rows::{CsvLineEnd, CsvWriter};
use flowline_json::write_json_string;

/// Format of a table in a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TableFormat {
    /// Comma-separated values as in RFC 4180.
    #[default]
    Csv,
    /// Tab-separated values; tabs and line breaks in texts are escaped with a backslash.
    Tsv,
    /// A JSON array with an object for each row.
    Json,
    /// A Markdown table.
    Markdown,
}

impl TableFormat {
    /// All formats.
    pub const ALL: [Self; 4] = [Self::Csv, Self::Tsv, Self::Json, Self::Markdown];

    /// Display name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Csv => "CSV",
            Self::Tsv => "TSV",
            Self::Json => "JSON",
            Self::Markdown => "Markdown",
        }
    }

    /// File extension, with the dot.
    #[must_use]
    pub const fn ending(self) -> &'static str {
        match self {
            Self::Csv => ".csv",
            Self::Tsv => ".tsv",
            Self::Json => ".json",
            Self::Markdown => ".md",
        }
    }

    /// The format for a file's extension, ignoring case.
    #[must_use]
    pub fn of_path(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_str()?;
        Self::ALL.into_iter().find(|format| format.ending()[1..].eq_ignore_ascii_case(ending))
    }
}

/// Heading of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heading {
    /// Text; in JSON, the key of the values.
    pub title: String,
    /// True for a column of numbers: unquoted in JSON, right-aligned in Markdown.
    pub is_number: bool,
}

/// Writes a table row by row.
pub struct TableWriter<W> {
    out: Output<W>,
    format: TableFormat,
    headings: Vec<Heading>,
    line: String,
    rows: u64,
}

/// The output of a table.
enum Output<W> {
    Csv(Box<CsvWriter<W>>),
    /// Output of the other formats, line by line.
    Lines(W),
}

impl<W: Write> TableWriter<W> {
    /// Writes the headings.
    ///
    /// # Errors
    /// Errors of `out`; the same applies to all functions here.
    pub fn begin(mut out: W, format: TableFormat, headings: Vec<Heading>) -> io::Result<Self> {
        let mut line = String::new();
        let titles = || headings.iter().map(|heading| heading.title.as_str());
        match format {
            TableFormat::Csv => {
                let mut csv = CsvWriter::new(out, CsvLineEnd::CrLf);
                csv.row(titles())?;
                return Ok(Self { out: Output::Csv(Box::new(csv)), format, headings, line, rows: 0 });
            }
            TableFormat::Json => line.push_str("[\n"),
            TableFormat::Tsv => tsv_line(&mut line, titles()),
            TableFormat::Markdown => {
                markdown_line(&mut line, titles());
                let rule = |heading: &Heading| if heading.is_number { "---:" } else { "---" };
                line.push('|');
                headings.iter().for_each(|heading| line.extend([rule(heading), "|"]));
                line.push('\n');
            }
        }
        out.write_all(line.as_bytes())?;
        Ok(Self { out: Output::Lines(out), format, headings, line, rows: 0 })
    }

    /// Format of the file.
    pub const fn format(&self) -> TableFormat {
        self.format
    }

    /// Writes a row: a text for each heading. Empty numbers become `null` in JSON.
    ///
    /// # Errors
    /// Errors of the output.
    pub fn row<'a>(&mut self, fields: impl IntoIterator<Item = &'a str>) -> io::Result<()> {
        let out = match &mut self.out {
            Output::Csv(csv) => {
                self.rows += 1;
                return csv.row(fields);
            }
            Output::Lines(out) => out,
        };
        self.line.clear();
        match self.format {
            TableFormat::Csv | TableFormat::Json => {
                if self.rows > 0 {
                    self.line.push(',');
                }
                write_object(&mut self.line, &self.headings, fields);
                self.line.push('\n');
            }
            TableFormat::Tsv => tsv_line(&mut self.line, fields),
            TableFormat::Markdown => markdown_line(&mut self.line, fields),
        }
        self.rows += 1;
        out.write_all(self.line.as_bytes())
    }

    /// Writes a JSON row verbatim: an object on one line. Other formats have no objects.
    ///
    /// # Errors
    /// Errors of the output.
    pub fn object(&mut self, text: &str) -> io::Result<()> {
        let Output::Lines(out) = &mut self.out else { return Ok(()) };
        if self.rows > 0 {
            out.write_all(b",")?;
        }
        self.rows += 1;
        out.write_all(text.as_bytes())?;
        out.write_all(b"\n")
    }

    /// Ends the table and returns the number of rows.
    ///
    /// # Errors
    /// Errors of the output.
    pub fn end(self) -> io::Result<u64> {
        if self.format == TableFormat::Json
            && let Output::Lines(mut out) = self.out
        {
            out.write_all(b"]\n")?;
        }
        Ok(self.rows)
    }
}

fn tsv_line<'a>(line: &mut String, fields: impl IntoIterator<Item = &'a str>) {
    for (number, field) in fields.into_iter().enumerate() {
        if number > 0 {
            line.push('\t');
        }
        tsv_field(line, field);
    }
    line.push('\n');
}

fn markdown_line<'a>(line: &mut String, fields: impl IntoIterator<Item = &'a str>) {
    line.push('|');
    for field in fields {
        line.push(' ');
        markdown_field(line, field);
        line.push_str(" |");
    }
    line.push('\n');
}

fn write_object<'a>(line: &mut String, headings: &[Heading], fields: impl IntoIterator<Item = &'a str>) {
    line.push('{');
    for (number, (heading, field)) in headings.iter().zip(fields).enumerate() {
        if number > 0 {
            line.push(',');
        }
        write_json_string(line, &heading.title);
        line.push(':');
        match heading.is_number {
            true if field.is_empty() => line.push_str("null"),
            true if is_json_number(field) => line.push_str(field),
            _ => write_json_string(line, field),
        }
    }
    line.push('}');
}

/// True if a text is a decimal number in JSON syntax.
fn is_json_number(text: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let text = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = text.split_once('.').map_or((text, None), |(whole, rest)| (whole, Some(rest)));
    digits(whole) && (whole == "0" || !whole.starts_with('0')) && fraction.is_none_or(digits)
}

/// Appends a field of TSV: tabs, line feeds, carriage returns and backslashes are written as `\t`, `\n`, `\r`, `\\`.
pub fn tsv_field(line: &mut String, text: &str) {
    for char in text.chars() {
        match char {
            '\t' => line.push_str("\\t"),
            '\n' => line.push_str("\\n"),
            '\r' => line.push_str("\\r"),
            '\\' => line.push_str("\\\\"),
            char => line.push(char),
        }
    }
}

/// Appends a cell of a Markdown table: on one line, with characters escaped that would end the cell or start markup.
pub fn markdown_field(line: &mut String, text: &str) {
    for char in text.chars() {
        match char {
            '\n' | '\r' => line.push(' '),
            '|' | '\\' | '`' | '*' | '_' | '<' | '>' | '[' | ']' | '#' | '~' | '&' => line.extend(['\\', char]),
            char => line.push(char),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(format: TableFormat) -> String {
        let heading = |title: &str, is_number| Heading { title: title.to_owned(), is_number };
        let mut out = Vec::new();
        let headings = vec![heading("name", false), heading("time_ms", true)];
        let mut table = TableWriter::begin(&mut out, format, headings).expect("memory");
        table.row(["a,\"b\"\nc\t|", "-1.5"]).expect("memory");
        table.row(["7", ""]).expect("memory");
        table.row(["", "1,234"]).expect("memory");
        assert_eq!(table.end().expect("memory"), 3);
        String::from_utf8(out).expect("UTF-8")
    }

    #[test]
    fn each_format_follows_its_syntax() {
        assert_eq!(written(TableFormat::Csv), "name,time_ms\r\n\"a,\"\"b\"\"\nc\t|\",-1.5\r\n7,\r\n,\"1,234\"\r\n");
        assert_eq!(written(TableFormat::Tsv), "name\ttime_ms\na,\"b\"\\nc\\t|\t-1.5\n7\t\n\t1,234\n");
        assert_eq!(
            written(TableFormat::Json),
            "[\n{\"name\":\"a,\\\"b\\\"\\nc\\t|\",\"time_ms\":-1.5}\n,{\"name\":\"7\",\"time_ms\":null}\n,{\"name\":\"\",\"time_ms\":\"1,234\"}\n]\n"
        );
        assert_eq!(
            written(TableFormat::Markdown),
            "| name | time\\_ms |\n|---|---:|\n| a,\"b\" c\t\\| | -1.5 |\n| 7 |  |\n|  | 1,234 |\n"
        );
    }

    #[test]
    fn numbers_are_distinguished_from_texts() {
        for number in ["0", "-0.5", "12", "1234.000001"] {
            assert!(is_json_number(number), "{number}");
        }
        for text in ["", "-", ".5", "1.", "01", "1,234", "1e5", "+1", "NaN", "1.2.3", "١"] {
            assert!(!is_json_number(text), "{text}");
        }
    }

    #[test]
    fn extensions_determine_the_format() {
        assert_eq!(TableFormat::of_path(Path::new("a/b.TSV")), Some(TableFormat::Tsv));
        assert_eq!(TableFormat::of_path(Path::new("b.md")), Some(TableFormat::Markdown));
        assert_eq!(TableFormat::of_path(Path::new("csv")), None);
    }
}
