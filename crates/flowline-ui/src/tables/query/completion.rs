//! Suggestions for the word at the cursor: columns, tables, functions and keywords.

use super::sql_text::{KEYWORDS, PartKind, parts};
use flowline_session::{Catalog, CatalogColumn, CatalogTable};

/// Maximum number of suggestions.
const MOST: usize = 12;

/// A suggestion: its text, and what it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Candidate {
    pub(super) insert: String,
    pub(super) about: String,
}

/// True for characters between words.
pub(super) fn is_boundary(letter: char) -> bool {
    !(letter.is_alphanumeric() || letter == '_')
}

/// Suggestions for the word before a byte offset of a query; none for a complete word, or in a string or comment.
pub(super) fn candidates(catalog: &Catalog, text: &str, word: &str, begin: usize) -> Vec<Candidate> {
    let inside = parts(text).into_iter().find(|(range, _)| range.contains(&begin) || range.end == begin + word.len());
    if matches!(inside, Some((_, PartKind::Text | PartKind::Comment | PartKind::Number))) {
        return Vec::new();
    }
    let mut found = match text.get(..begin).and_then(|before| before.strip_suffix('.')) {
        Some(before) => of_owner(catalog, text, before),
        None if word.is_empty() => Vec::new(),
        None => everything(catalog, text, word),
    };
    let typed = word.to_lowercase();
    let is_match = |candidate: &Candidate| candidate.insert.to_lowercase().starts_with(&typed);
    found.retain(is_match);
    if found.iter().any(|candidate| candidate.insert.to_lowercase() == typed) {
        return Vec::new();
    }
    let mut seen: Vec<String> = Vec::new();
    found.retain(|candidate| {
        let is_new = !seen.contains(&candidate.insert);
        seen.push(candidate.insert.clone());
        is_new
    });
    found.truncate(MOST);
    found
}

fn columns(table: &CatalogTable) -> impl Iterator<Item = Candidate> {
    let of = move |column: &CatalogColumn| Candidate {
        insert: column.name.clone(),
        about: format!("column of {}", table.name),
    };
    table.columns.iter().map(of)
}

/// The columns of the table or alias before a dot.
fn of_owner(catalog: &Catalog, text: &str, before: &str) -> Vec<Candidate> {
    let owner = before.rsplit(is_boundary).next().unwrap_or_default();
    let words: Vec<&str> = text.split(is_boundary).filter(|word| !word.is_empty()).collect();
    let is_alias_of = |table: &CatalogTable| {
        let named = |words: &[&str]| words.first().is_some_and(|first| first.eq_ignore_ascii_case(&table.name));
        let aliased = |words: &[&str]| {
            let alias = if words[1].eq_ignore_ascii_case("as") { words.get(2) } else { Some(&words[1]) };
            alias.is_some_and(|alias| alias.eq_ignore_ascii_case(owner))
        };
        (0..words.len().saturating_sub(1)).any(|at| named(&words[at..]) && aliased(&words[at..]))
    };
    let own = catalog.tables.iter().find(|table| table.name.eq_ignore_ascii_case(owner));
    own.or_else(|| catalog.tables.iter().find(|table| is_alias_of(table))).into_iter().flat_map(columns).collect()
}

/// Columns of the tables that the query names, then tables, functions, keywords and other columns.
fn everything(catalog: &Catalog, text: &str, word: &str) -> Vec<Candidate> {
    let names = |table: &CatalogTable| text.split(is_boundary).any(|name| name.eq_ignore_ascii_case(&table.name));
    let (named, others): (Vec<_>, Vec<_>) = catalog.tables.iter().partition(|table| names(table));
    let tables = catalog.tables.iter().map(|table| Candidate { insert: table.name.clone(), about: "table".into() });
    let functions = catalog.functions.iter().map(|function| Candidate {
        insert: function.name.clone(),
        about: if function.signature.is_empty() { "function".into() } else { function.signature.clone() },
    });
    // Keywords follow the case of the typed letters.
    let is_lower = word.chars().all(|letter| !letter.is_uppercase());
    let keywords = KEYWORDS.iter().map(|keyword| Candidate {
        insert: if is_lower { keyword.to_lowercase() } else { (*keyword).to_owned() },
        about: "keyword".into(),
    });
    let first = named.iter().flat_map(|table| columns(table));
    let last = others.iter().flat_map(|table| columns(table));
    first.chain(tables).chain(functions).chain(keywords).chain(last).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use flowline_session::{CatalogFunction, ColumnType};

    fn catalog() -> Catalog {
        let table = |name: &str, columns: &[&str]| CatalogTable {
            name: name.into(),
            description: String::new(),
            columns: columns
                .iter()
                .map(|name| CatalogColumn {
                    name: (*name).into(),
                    kind: ColumnType::Integer,
                    description: String::new(),
                })
                .collect(),
        };
        let path = CatalogFunction { name: "path".into(), signature: "path(slice_id)".into(), ..Default::default() };
        Catalog {
            tables: vec![table("thread", &["utid", "name"]), table("slice", &["id", "ts", "name"])],
            functions: vec![path],
            recording: None,
        }
    }

    /// The suggestions at `|` in a text.
    fn at(text: &str) -> Vec<String> {
        let end = text.find('|').expect("a cursor");
        let text = text.replace('|', "");
        let begin = text[..end].rfind(is_boundary).map_or(0, |at| at + 1);
        let found = candidates(&catalog(), &text, &text[begin..end], begin);
        found.into_iter().map(|candidate| candidate.insert).collect()
    }

    #[test]
    fn suggestions_depend_on_the_place() {
        assert_eq!(at("sel|"), ["select"]);
        assert_eq!(at("SEL|"), ["SELECT"]);
        assert_eq!(at("SELECT t| FROM slice")[..2], ["ts", "thread"], "columns of named tables come first");
        assert_eq!(at("SELECT slice.|"), ["id", "ts", "name"]);
        assert_eq!(at("SELECT s.n| FROM slice AS s"), ["name"]);
        assert_eq!(at("SELECT s.n| FROM slice s"), ["name"]);
        assert_eq!(at("SELECT pa|")[0], "path");
        for nothing in ["|", "SELECT slice|", "SELECT 'sel|'", "-- sel|", "SELECT unknown.|", "SELECT 1|", "SELECT x|"]
        {
            assert_eq!(at(nothing), [""; 0], "{nothing}");
        }
    }
}
