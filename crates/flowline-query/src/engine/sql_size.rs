//! Limits of the text of a query, checked before it is parsed: planners recurse over expressions, and a query of `WITH` is
//! inserted wherever its name is used.
//!
//! The depth of a parsed expression is at most the number of its operators between two commas, plus the depth of its deepest
//! part in parentheses. Tables after `FROM` are joined from left to right, so their commas count as operators.

use std::collections::HashMap;

use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::tokenizer::{Token, Tokenizer};

/// Maximum depth of expressions and queries.
const MAX_DEPTH: usize = 1_000;
/// Maximum number of words and symbols, with the queries of `WITH` inserted.
const MAX_WORDS: usize = 250_000;
/// Maximum length of a text in bytes.
const MAX_BYTES: usize = 4 << 20;

/// Words that are operators, or that begin a query within another.
const OPERATORS: [&str; 31] = [
    "ALL",
    "AND",
    "ANY",
    "AT",
    "BETWEEN",
    "CASE",
    "COLLATE",
    "CROSS",
    "DIV",
    "EXCEPT",
    "EXISTS",
    "ILIKE",
    "IN",
    "INTERSECT",
    "INTERVAL",
    "IS",
    "JOIN",
    "LATERAL",
    "LIKE",
    "MINUS",
    "NATURAL",
    "NOT",
    "OR",
    "OVERLAPS",
    "REGEXP",
    "RLIKE",
    "SELECT",
    "SIMILAR",
    "SOME",
    "UNION",
    "XOR",
];
/// Words that end the list of tables.
const AFTER_TABLES: [&str; 9] = ["WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "SELECT", "WINDOW", "QUALIFY", "OFFSET"];

/// A text in parentheses, or the whole text.
#[derive(Debug, Default)]
struct Level {
    /// Operators since the last comma.
    operators: usize,
    /// Greatest depth of the parts in parentheses since the last comma.
    inner: usize,
    /// Greatest depth before the last comma.
    before: usize,
    words: usize,
    lists_tables: bool,
    /// The name of a query of `WITH`.
    name: Option<String>,
}

impl Level {
    const fn depth(&self) -> usize {
        let depth = self.operators + self.inner;
        if depth > self.before { depth } else { self.before }
    }

    fn end_part(&mut self) {
        *self = Self { operators: 0, inner: 0, before: self.depth(), ..std::mem::take(self) };
    }

    /// Adds a part in parentheses, or the query behind a name.
    fn add(&mut self, depth: usize, words: usize) {
        self.inner = self.inner.max(depth);
        self.words = self.words.saturating_add(words);
    }
}

/// The size of a text so far.
#[derive(Debug, Default)]
struct Size {
    outer: Vec<Level>,
    level: Level,
    /// Depth and words of the queries of `WITH`.
    named: HashMap<String, (usize, usize)>,
    /// The last two words, for the name before `AS (`.
    last: [String; 2],
}

impl Size {
    fn open(&mut self) {
        let [name, word] = std::mem::take(&mut self.last);
        let name = (word == "AS" && !name.is_empty()).then_some(name);
        let level = Level { name, ..Level::default() };
        self.outer.push(std::mem::replace(&mut self.level, level));
    }

    fn close(&mut self) {
        // The parser reports a surplus parenthesis.
        let Some(outer) = self.outer.pop() else { return };
        let inner = std::mem::replace(&mut self.level, outer);
        let (depth, words) = (inner.depth() + 1, inner.words);
        if let Some(name) = inner.name {
            let known = self.named.entry(name).or_default();
            *known = (known.0.max(depth), known.1.max(words));
        }
        self.level.add(depth, words);
    }

    fn word(&mut self, word: &str) {
        let word = word.to_ascii_uppercase();
        self.level.operators += usize::from(OPERATORS.contains(&word.as_str()));
        self.level.lists_tables = word == "FROM" || (self.level.lists_tables && !AFTER_TABLES.contains(&word.as_str()));
        if let Some((depth, words)) = self.named.get(&word) {
            self.level.add(*depth, *words);
        }
        self.last.rotate_left(1);
        self.last[1] = word;
    }

    fn token(&mut self, token: &Token) {
        if !matches!(token, Token::Word(_) | Token::LParen) {
            self.last = Default::default();
        }
        self.level.words = self.level.words.saturating_add(1);
        match token {
            Token::Word(word) => self.word(&word.value),
            Token::LParen | Token::LBracket | Token::LBrace => self.open(),
            Token::RParen | Token::RBracket | Token::RBrace => self.close(),
            Token::Comma if self.level.lists_tables => self.level.operators += 1,
            Token::Comma => self.level.end_part(),
            Token::SemiColon => {
                self.level.end_part();
                self.level.lists_tables = false;
            }
            Token::Number(..)
            | Token::Char(_)
            | Token::Period
            | Token::SingleQuotedString(_)
            | Token::DoubleQuotedString(_)
            | Token::DollarQuotedString(_)
            | Token::NationalStringLiteral(_)
            | Token::EscapedStringLiteral(_)
            | Token::UnicodeStringLiteral(_)
            | Token::HexStringLiteral(_) => {}
            _ => self.level.operators += 1,
        }
    }

    /// The depth, and the number of words, of what was read.
    fn totals(&self) -> (usize, usize) {
        let open = self.outer.iter().chain([&self.level]);
        open.rev().fold((0, 0), |(depth, words), level| {
            let within = level.operators + level.inner.max(depth);
            (within.max(level.before) + 1, level.words.saturating_add(words))
        })
    }
}

/// Refuses a text that could exhaust the stack or the memory of the planner.
///
/// # Errors
/// A sentence that names the limit.
pub(super) fn check(sql: &str) -> Result<(), String> {
    if sql.len() > MAX_BYTES {
        return Err(format!("the query is too long: {} bytes; at most {MAX_BYTES} are allowed", sql.len()));
    }
    // The parser reports an invalid text.
    let Ok(tokens) = Tokenizer::new(&GenericDialect {}, sql).tokenize() else { return Ok(()) };
    let mut size = Size::default();
    for token in tokens.iter().filter(|token| !matches!(token, Token::Whitespace(_))) {
        size.token(token);
        // Further open parentheses would only add to the depth.
        if size.outer.len() > MAX_DEPTH || size.level.words > MAX_WORDS || size.level.operators > MAX_DEPTH {
            break;
        }
    }
    let (depth, words) = size.totals();
    if depth > MAX_DEPTH {
        return Err(format!(
            "the query has an expression of more than {MAX_DEPTH} operators or levels; split it, or use a list: x IN (...)"
        ));
    }
    if words > MAX_WORDS {
        return Err(format!(
            "the query is too large: more than {MAX_WORDS} words, with the queries of WITH inserted where they are used"
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_refused(sql: &str) -> bool {
        check(sql).is_err()
    }

    #[test]
    fn usual_queries_pass() {
        let numbers = (0..20_000).map(|n| n.to_string()).collect::<Vec<_>>().join(",");
        let columns = (0..2_000).map(|n| format!("a + {n} AS c{n}")).collect::<Vec<_>>().join(", ");
        let groups = vec!["(a = 1 AND b = 2 AND c = 'x')"; 300].join(" OR ");
        for sql in [
            "SELECT 1",
            "",
            "SELECT 'unfinished",
            "SELECT ) FROM x",
            &format!("SELECT * FROM slice WHERE id IN ({numbers})"),
            &format!("SELECT {columns} FROM slice"),
            &format!("SELECT * FROM slice WHERE {groups}"),
            &format!("SELECT * FROM (VALUES {}) v", vec!["(1, 2)"; 20_000].join(",")),
            &format!("SELECT '{}'", "+ (".repeat(9_000)),
            &format!("SELECT 1 /* {} */", "+ 1 ".repeat(9_000)),
            &"SELECT 1 + 2;".repeat(5_000),
        ] {
            assert_eq!(check(sql), Ok(()), "{}", &sql[..sql.len().min(60)]);
        }
    }

    #[test]
    fn deep_queries_are_refused_before_they_are_parsed() {
        let sum = |terms: usize| format!("SELECT {}", vec!["1"; terms].join("+"));
        assert!(!is_refused(&sum(900)) && is_refused(&sum(1_001)) && is_refused(&sum(5_000)));
        for (open, middle, close) in [
            ("(", "1", ")"),
            ("NOT ", "true", ""),
            ("- ", "1", ""),
            ("CASE WHEN true THEN ", "1", " END"),
            ("SELECT * FROM (", "SELECT 1", ")"),
            ("[", "1", "]"),
            ("f(1, ", "1", ")"),
            ("", "1", "::int"),
            ("", "1", " IS NULL"),
            ("", "SELECT 1", " UNION ALL SELECT 1"),
            ("", "a OR b", " AND (a OR b)"),
            ("", "SELECT 1 FROM a", " JOIN a"),
            ("", "SELECT 1 FROM a", ", a"),
            ("(1 + ", "1", ")"),
        ] {
            let text = |times: usize| format!("SELECT {}{middle}{}", open.repeat(times), close.repeat(times));
            assert!(!is_refused(&text(200)), "{open}{middle}{close}");
            assert!(is_refused(&text(3_000)), "{open}{middle}{close}");
        }
    }

    #[test]
    fn queries_that_multiply_are_refused() {
        let doubled = |times: usize| {
            let first = "WITH a0 AS (SELECT 1 x)".to_owned();
            let queries =
                (1..times).fold(first, |text, n| format!("{text}, a{n} AS (SELECT l.x FROM A{0} l, a{0} r)", n - 1));
            format!("{queries} SELECT * FROM a{}", times - 1)
        };
        assert!(!is_refused(&doubled(10)) && is_refused(&doubled(30)) && is_refused(&doubled(100)));
        assert!(is_refused(&"x".repeat(MAX_BYTES + 1)));
    }
}
