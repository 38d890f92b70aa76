//! Which queries may run without the user: those of a track, which a link or a saved view can contain.

/// True if a query only reads. Links come from other people, and SQL can also write files.
pub(super) fn only_reads(sql: &str) -> bool {
    let mut rest = sql.trim_start_matches(|letter: char| letter.is_whitespace() || letter == '(');
    loop {
        let skipped = match (rest.strip_prefix("--"), rest.strip_prefix("/*")) {
            (Some(comment), _) => comment.split_once('\n').map(|(_, after)| after),
            (None, Some(comment)) => comment.split_once("*/").map(|(_, after)| after),
            (None, None) => break,
        };
        let Some(after) = skipped else { return false };
        rest = after.trim_start_matches(|letter: char| letter.is_whitespace() || letter == '(');
    }
    let word: String = rest.chars().take_while(char::is_ascii_alphabetic).collect();
    ["SELECT", "WITH", "VALUES"].iter().any(|known| known.eq_ignore_ascii_case(&word))
}

#[cfg(test)]
mod tests {
    use super::only_reads;

    #[test]
    fn only_queries_read() {
        for sql in ["SELECT 1", " select 1", "-- title\n/* x */ ( WITH a AS (SELECT 1) SELECT * FROM a )", "VALUES (1)"]
        {
            assert!(only_reads(sql), "{sql}");
        }
        for sql in ["", "COPY slice TO 'x'", "-- SELECT", "/* SELECT", "selects", "CREATE TABLE x", "--\nDROP TABLE x"]
        {
            assert!(!only_reads(sql), "{sql}");
        }
    }
}
