//! Parameters have names: a tuple as a pattern in a parameter hides what a caller must pass, from the reader and from the lint that
//! counts parameters.

use crate::source::{Package, after_word, code};

/// Crates that still have functions with tuple patterns, and how many. The numbers may only become smaller; other crates have none.
const LEFT: [(&str, usize); 8] = [
    ("flowline-import", 53),
    ("flowline-index", 19),
    ("flowline-insights", 19),
    ("flowline-query", 3),
    ("flowline-scene", 57),
    ("flowline-session", 25),
    ("flowline-synth", 12),
    ("flowline-ui", 140),
];

/// The texts between the commas of the brackets that a text begins with; `None` if it begins with something else.
fn parameters(text: &str) -> Option<Vec<&str>> {
    let (mut depth, mut start, mut found, mut before) = (0_usize, 1, Vec::new(), ' ');
    if !text.starts_with('(') {
        return None;
    }
    for (at, letter) in text.char_indices() {
        match letter {
            '(' | '[' | '{' | '<' => depth += 1,
            '>' if before == '-' || before == '=' => {}
            ')' | ']' | '}' | '>' => depth -= 1,
            ',' if depth == 1 => {
                found.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
        if depth == 0 {
            found.push(text[start..at].trim());
            return Some(found);
        }
        before = letter;
    }
    None
}

/// The text after the generic parameters that a text may begin with.
fn after_generics(text: &str) -> &str {
    if !text.starts_with('<') {
        return text;
    }
    let (mut depth, mut before) = (0_usize, ' ');
    for (at, letter) in text.char_indices() {
        match letter {
            '<' => depth += 1,
            '>' if before != '-' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return &text[at + 1..];
        }
        before = letter;
    }
    text
}

/// The names of the functions with a tuple pattern among their parameters.
fn with_tuples(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    for rest in after_word(code, "fn") {
        let rest = rest.trim_start();
        let name: String = rest.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect();
        let list = parameters(after_generics(&rest[name.len()..])).unwrap_or_default();
        if !name.is_empty() && list.iter().any(|parameter| parameter.starts_with('(')) {
            found.push(name);
        }
    }
    found
}

#[test]
fn tuple_patterns_are_found() {
    let code = "fn a(x: (u8, u8), y: &[u8]) {}\nfn b<F: Fn(u8) -> Vec<u8>>(f: F, (x, y): (u8, u8)) {}\nfn c((x,): (u8,)) -> u8 {}\n\
                fn d(self, f: impl Fn((u8, u8)) -> u8) { g(|(a, b)| a) }";
    assert_eq!(with_tuples(code), ["b", "c"]);
}

#[test]
fn parameters_have_names() {
    for package in Package::all() {
        let found: Vec<String> = package
            .sources()
            .iter()
            .flat_map(|(path, source)| {
                with_tuples(&code(source)).into_iter().map(move |name| format!("{path}: {name}"))
            })
            .collect();
        let left = LEFT.iter().find(|(name, _)| *name == package.name).map_or(0, |(_, left)| *left);
        assert_eq!(
            found.len(),
            left,
            "{}: a larger number is not allowed, a smaller one belongs here: {found:#?}",
            package.name
        );
    }
}
