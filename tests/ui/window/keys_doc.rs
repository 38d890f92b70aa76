//! The documents agree with the command registry.

use std::path::Path;

use flowline::ui::{key_titles, keys_markdown};

fn path(name: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

/// `FLOWLINE_UPDATE=1` rewrites the file.
#[test]
fn keys_md_is_up_to_date() {
    let path = path("docs/keys.md");
    if std::env::var_os("FLOWLINE_UPDATE").is_some() {
        std::fs::write(&path, keys_markdown()).expect("docs/keys.md can be written");
    }
    let text = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(text == keys_markdown(), "docs/keys.md is stale: run this test with FLOWLINE_UPDATE=1");
}

/// Text in backticks.
fn code_spans(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// The rows of the table in the section "Keys" of README.md: keys and action.
fn readme_rows(readme: &str) -> Vec<(&str, &str)> {
    let section = readme.split("\n## Keys\n").nth(1).expect("README.md has a section \"Keys\"");
    let section = section.split("\n## ").next().unwrap_or_default();
    let rows = section.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |")?.split_once(" | "));
    rows.filter(|(keys, _)| keys.contains('`')).collect()
}

#[test]
fn the_keys_of_readme_md_are_those_of_the_registry() {
    let readme = std::fs::read_to_string(path("README.md")).expect("README.md");
    let titles = key_titles();
    let rows = readme_rows(&readme);
    assert!(rows.len() > 5, "{rows:?}");
    for (keys, action) in rows {
        let spans: Vec<&str> = code_spans(keys).collect();
        // `Shift`+drag is a gesture with the mouse.
        if !keys.ends_with('`') {
            continue;
        }
        for span in &spans {
            assert!(titles.iter().any(|(key, _)| key == span), "README.md lists `{span}`, which the registry lacks");
        }
        if let [span] = spans[..] {
            let title = titles.iter().find(|(key, _)| key == span).map(|(_, title)| title.to_lowercase());
            assert_eq!(title.as_deref(), Some(action.to_lowercase().as_str()), "README.md, `{span}`");
        }
    }
}
