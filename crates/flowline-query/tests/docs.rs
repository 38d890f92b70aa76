//! The documentation shows what the program prints, and the views of Spark have the columns of the tables.
//!
//! `FLOWLINE_UPDATE=1` rewrites the results in `docs/query.md`.

#[allow(dead_code, reason = "each test program uses a part of it")]
mod support;

use std::fs;
use std::path::{Path, PathBuf};

use flowline_query::schema::{ColumnType, TABLES};
use support::{query_program, run};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A query of the documentation, and the position of its result.
struct Example<'a> {
    heading: &'a str,
    sql: &'a str,
    /// The text after the query; begins with the result.
    rest: &'a str,
}

const SQL: &str = "```sql\n";
const RESULT: &str = "```text\n";
const END: &str = "```\n";

fn examples(page: &str) -> Vec<Example<'_>> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(start) = page[from..].find(SQL) {
        let start = from + start + SQL.len();
        let end = start + page[start..].find(END).expect("the end of a query");
        let heading = page[..start].rsplit("\n### ").next().and_then(|text| text.lines().next()).unwrap_or_default();
        from = end + END.len();
        found.push(Example { heading, sql: &page[start..end], rest: &page[from..] });
    }
    found
}

fn answer(example: &Example<'_>) -> String {
    let output = run(query_program(), &["sql", "--no-cache", "example", example.sql]);
    assert!(output.status.success(), "{}: {}", example.heading, String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn examples_print_what_the_page_shows() {
    let path = root().join("docs/query.md");
    let page = fs::read_to_string(&path).expect("docs/query.md");
    let examples = examples(&page);
    assert!(examples.len() >= 20, "{} examples", examples.len());
    let mut new = String::new();
    let mut copied = 0;
    for example in &examples {
        let result = answer(example);
        let has_rows = !result.ends_with("\n0 rows\n");
        assert!(has_rows, "{}: no rows", example.heading);
        let at = page.len() - example.rest.len();
        new += &page[copied..at];
        new += &format!("{RESULT}{result}{END}");
        copied = at;
        if let Some(old) = example.rest.strip_prefix(RESULT) {
            copied += RESULT.len() + old.find(END).expect("the end of a result") + END.len();
        }
    }
    new += &page[copied..];
    if std::env::var_os("FLOWLINE_UPDATE").is_some() {
        fs::write(&path, &new).expect("written");
        return;
    }
    let differing = page.lines().zip(new.lines()).find(|(old, new)| old != new);
    assert!(
        page == new,
        "docs/query.md is stale: run this test with FLOWLINE_UPDATE=1; first difference: {differing:?}"
    );
}

#[test]
fn views_have_all_columns() {
    let written = fs::read_to_string(root().join("fleet/views.sql")).expect("fleet/views.sql");
    for table in TABLES {
        let name = |kind: ColumnType| match kind {
            ColumnType::Integer => "BIGINT",
            ColumnType::Real => "DOUBLE",
            ColumnType::Text => "STRING",
            ColumnType::Boolean => "BOOLEAN",
        };
        let columns: String = table.all_columns().map(|own| format!("  {} {},\n", own.name, name(own.kind))).collect();
        let view = format!(
            "\nCREATE OR REPLACE TEMPORARY VIEW {0} (\n{columns}  day STRING\n) USING parquet OPTIONS (path '${{folder}}/{0}');\n",
            table.name
        );
        assert!(written.contains(&view), "fleet/views.sql lacks or differs from:{view}");
    }
    assert_eq!(written.matches(" USING parquet OPTIONS ").count(), TABLES.len());
}

#[test]
fn questions_are_in_the_page_of_fleets() {
    let page = fs::read_to_string(root().join("docs/fleet.md")).expect("docs/fleet.md");
    let files = fs::read_dir(root().join("fleet/questions")).expect("questions").flatten();
    for file in files {
        let name = file.path().file_stem().expect("a name").to_string_lossy().into_owned();
        let sql = fs::read_to_string(file.path()).expect("a question");
        assert!(sql.starts_with("-- "), "{name} begins with its meaning");
        assert!(page.contains(&format!("| `{name}` |")), "docs/fleet.md lacks {name}");
    }
}
