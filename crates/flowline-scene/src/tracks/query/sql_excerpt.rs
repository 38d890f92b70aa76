//! The query of a track as text for people, who read it before it runs.

/// Maximum number of lines of an excerpt.
const LINES: usize = 30;
/// Maximum number of characters of an excerpt.
const LETTERS: usize = 2_000;
/// Maximum number of characters of a query on one line.
const LINE: usize = 500;

/// The query with its lines. A long one ends in an ellipsis.
pub(super) fn excerpt(sql: &str) -> String {
    let sql = sql.trim();
    let lines: String = sql.split_inclusive('\n').take(LINES).collect();
    let mut text: String = lines.trim_end().chars().take(LETTERS).collect();
    if text.len() < sql.len() {
        text.push('…');
    }
    text
}

/// The query on one line.
pub(super) fn line(sql: &str) -> String {
    let mut text = String::new();
    for word in sql.split_whitespace() {
        if text.len() >= LINE {
            text.push('…');
            break;
        }
        let space = if text.is_empty() { "" } else { " " };
        text.push_str(space);
        text.extend(word.chars().take(LINE));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_keep_their_beginning() {
        let rows = "SELECT 1,\n".repeat(100);
        for (sql, expected) in [
            ("  SELECT 1\n", "SELECT 1".to_owned()),
            ("SELECT\n  1", "SELECT\n  1".to_owned()),
            (&rows, format!("{}…", "SELECT 1,\n".repeat(LINES).trim_end())),
            (&"x".repeat(3_000), format!("{}…", "x".repeat(LETTERS))),
        ] {
            assert_eq!(excerpt(sql), expected);
        }
        assert_eq!(line(" SELECT\n\t a  FROM\r\nb "), "SELECT a FROM b");
        assert!(line(&"é ".repeat(9_000)).chars().count() < LINE);
        assert!(line(&"é".repeat(9_000)).chars().count() <= LINE);
    }
}
