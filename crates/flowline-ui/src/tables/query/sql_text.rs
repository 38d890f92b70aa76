//! SQL text in parts, for highlighting. Any text has parts; unfinished strings and comments last to the end.

use std::ops::Range;

/// Words with a meaning in SQL, for highlighting and completion.
pub(super) const KEYWORDS: [&str; 62] = [
    "ALL",
    "AND",
    "AS",
    "ASC",
    "BETWEEN",
    "BY",
    "CASE",
    "CAST",
    "COALESCE",
    "CROSS",
    "DESC",
    "DISTINCT",
    "ELSE",
    "END",
    "EXCEPT",
    "EXISTS",
    "FALSE",
    "FILTER",
    "FROM",
    "FULL",
    "GROUP",
    "HAVING",
    "ILIKE",
    "IN",
    "INNER",
    "INTERSECT",
    "IS",
    "JOIN",
    "LEFT",
    "LIKE",
    "LIMIT",
    "NOT",
    "NULL",
    "NULLS",
    "OFFSET",
    "ON",
    "OR",
    "ORDER",
    "OUTER",
    "OVER",
    "PARTITION",
    "RANGE",
    "RECURSIVE",
    "RIGHT",
    "ROWS",
    "SELECT",
    "THEN",
    "TRUE",
    "UNION",
    "USING",
    "VALUES",
    "WHEN",
    "WHERE",
    "WINDOW",
    "WITH",
    "FIRST",
    "LAST",
    "PRECEDING",
    "FOLLOWING",
    "UNBOUNDED",
    "CURRENT",
    "ROW",
];

/// Kind of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PartKind {
    /// Names, operators and spaces.
    Plain,
    Keyword,
    /// Text in single quotes.
    Text,
    Number,
    Comment,
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// Length of the part at the start of a text that is not empty, and its kind.
fn first_part(text: &str) -> (usize, PartKind) {
    let bytes = text.as_bytes();
    let until = |from: usize, end: &str| {
        text.get(from..).and_then(|rest| rest.find(end)).map_or(text.len(), |found| from + found + end.len())
    };
    let run = |belongs: &dyn Fn(u8) -> bool| bytes.iter().position(|byte| !belongs(*byte)).unwrap_or(text.len());
    match bytes[0] {
        b'-' if text.starts_with("--") => (run(&|byte| byte != b'\n'), PartKind::Comment),
        b'/' if text.starts_with("/*") => (until(2, "*/"), PartKind::Comment),
        // A doubled quote continues the text as a second part.
        b'\'' => (until(1, "'"), PartKind::Text),
        b'"' => (until(1, "\""), PartKind::Plain),
        b'0'..=b'9' => (run(&|byte| is_name(byte) || byte == b'.'), PartKind::Number),
        byte if is_name(byte) => {
            let length = run(&is_name);
            let is_keyword = KEYWORDS.iter().any(|word| word.eq_ignore_ascii_case(&text[..length]));
            (length, if is_keyword { PartKind::Keyword } else { PartKind::Plain })
        }
        _ => (1, PartKind::Plain),
    }
}

/// The parts of a text from the first to the last byte.
pub(super) fn parts(text: &str) -> Vec<(Range<usize>, PartKind)> {
    let (mut parts, mut at): (Vec<(Range<usize>, PartKind)>, usize) = (Vec::new(), 0);
    while at < text.len() {
        let (length, kind) = first_part(&text[at..]);
        parts.push((at..at + length, kind));
        at += length;
    }
    parts
}

/// The bytes at a line and column, both from 1, to the end of the word there; at least one character, except at the end of
/// the text. Places outside of the text are none.
pub(super) fn word_at(text: &str, (line, column): (u32, u32)) -> Option<Range<usize>> {
    let mut start = 0;
    for _ in 1..line {
        start += text[start..].find('\n')? + 1;
    }
    let line_end = text[start..].find('\n').map_or(text.len(), |end| start + end);
    let within = text[start..line_end].char_indices().nth(column.checked_sub(1)? as usize);
    let Some((offset, first)) = within else {
        // The place is after the last character of the line: what is missing.
        let last = text[start..line_end].char_indices().next_back()?;
        return Some(start + last.0..line_end);
    };
    let at = start + offset;
    let (length, _) = first_part(&text[at..line_end]);
    Some(at..at + length.max(first.len_utf8()))
}

/// The title of a query: its first comment, or else the first words after FROM.
pub(super) fn title(sql: &str) -> String {
    let comment = sql.trim_start().strip_prefix("--").and_then(|rest| rest.lines().next()).map(str::trim);
    if let Some(comment) = comment.filter(|comment| !comment.is_empty()) {
        return comment.chars().take(60).collect();
    }
    let words: Vec<&str> = sql.split_whitespace().collect();
    let from = words.iter().position(|word| word.eq_ignore_ascii_case("from"));
    let table =
        from.and_then(|at| words.get(at + 1)).map(|word| word.trim_matches(|letter: char| !letter.is_alphanumeric()));
    table.filter(|table| !table.is_empty()).map_or_else(String::new, |table| format!("Query of {table}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<(&str, PartKind)> {
        let kinds = parts(text).into_iter().map(|(range, kind)| (&text[range], kind));
        kinds.filter(|(_, kind)| *kind != PartKind::Plain).collect()
    }

    #[test]
    fn parts_cover_any_text() {
        use PartKind::{Comment, Keyword, Number, Text};
        let sql = "select a1, 'it''s' -- all\nFROM \"select\" WHERE x > 1.5e3 /* é */";
        let expected = [
            ("select", Keyword),
            ("'it'", Text),
            ("'s'", Text),
            ("-- all", Comment),
            ("FROM", Keyword),
            ("WHERE", Keyword),
            ("1.5e3", Number),
            ("/* é */", Comment),
        ];
        assert_eq!(kinds(sql), expected);
        let mut random = fastrand::Rng::with_seed(5);
        let pieces = ["'", "\"", "--", "/*", "*/", "\n", "é", "SELECT", "1.", " ", "x_", "☃", "-", "/"];
        for _ in 0..500 {
            let text: String = (0..random.usize(..9)).map(|_| pieces[random.usize(..pieces.len())]).collect();
            let joined: String = parts(&text).into_iter().map(|(range, _)| &text[range]).collect();
            assert_eq!(joined, text);
            for line in 1..4 {
                for column in 1..9 {
                    let word = word_at(&text, (line, column));
                    assert!(word.is_none_or(|word| text.get(word).is_some_and(|word| !word.is_empty())), "{text:?}");
                }
            }
        }
    }

    #[test]
    fn places_are_words() {
        let text = "SELECT é, nme\nFROM slice";
        let word = |line, column| word_at(text, (line, column)).map(|range| &text[range]);
        assert_eq!([word(1, 11), word(2, 6), word(1, 8)], [Some("nme"), Some("slice"), Some("é")]);
        assert_eq!([word(2, 11), word(3, 1), word(1, 0)], [Some("e"), None, None]);
    }

    #[test]
    fn titles() {
        for (sql, expected) in [
            ("-- Longest slices\nSELECT 1", "Longest slices"),
            ("SELECT * FROM slice WHERE 1", "Query of slice"),
            ("SELECT 1", ""),
            ("--\nSELECT * FROM (SELECT 1)", "Query of SELECT"),
        ] {
            assert_eq!(title(sql), expected, "{sql}");
        }
    }
}
