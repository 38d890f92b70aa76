//! Rules that hold for every source file.

use std::collections::BTreeSet;
use std::path::Path;

use crate::file_graph::FileGraph;
use crate::source::{Package, after_word, code, is_word, read, root, rust_files};

#[test]
fn no_file_takes_part_in_a_circle() {
    for package in Package::all() {
        let sources = package.sources();
        let graph = FileGraph::new(sources.iter().map(|(path, source)| (path.as_str(), source.as_str())));
        let circles = graph.circles();
        assert!(circles.is_empty(), "circles of files in {}:\n{}", package.name, circles.join("\n"));
    }
}

/// True for source of the program and its libraries, false for tests, examples and benchmarks.
fn is_product(path: &str) -> bool {
    path.starts_with("src/") || (path.starts_with("crates/") && path.contains("/src/"))
}

/// Fails with the files of the workspace, by path from its root, that break a rule.
fn every_file(rule: &str, holds: impl Fn(&str, &str) -> bool) {
    let folders = ["src", "crates", "tests", "benches", "examples"].map(|folder| root().join(folder));
    let name = |path: &Path| path.strip_prefix(root()).expect("below the root").to_string_lossy().replace('\\', "/");
    let files = folders.iter().flat_map(|folder| rust_files(folder));
    let broken: Vec<String> = files.filter(|path| !holds(&name(path), &read(path))).map(|path| name(&path)).collect();
    assert!(broken.is_empty(), "{rule}: {broken:?}");
}

#[test]
fn modules_with_children_only_reexport() {
    let keywords = ["fn", "struct", "enum", "union", "trait", "type", "const", "static", "impl", "unsafe", "async"];
    let is_item = |line: &str| {
        let line = line.strip_prefix("pub").map_or(line, |rest| rest.split_once(' ').map_or("", |(_, rest)| rest));
        line.split([' ', '<']).next().is_some_and(|word| keywords.contains(&word))
    };
    every_file("lib.rs and mod.rs have no items of their own", |path, source| {
        let is_parent = path.ends_with("/mod.rs") || path.ends_with("/lib.rs");
        !is_product(path) || !is_parent || !code(source).lines().any(is_item)
    });
}

#[test]
fn every_file_opens_with_its_purpose() {
    every_file("opens with //!", |_, source| source.starts_with("//! "));
}

/// Files with unsafe code: file mappings, the allocator of the program, and instructions that only some processors have.
const UNSAFE: [&str; 3] =
    ["crates/flowline-import/src/io/mapping.rs", "crates/flowline-json/src/simd/avx2.rs", "src/out_of_memory.rs"];

#[test]
fn unsafe_is_in_three_small_files() {
    let uses_unsafe = |source: &str| after_word(&code(source), "unsafe").next().is_some();
    every_file("no unsafe elsewhere", |path, source| UNSAFE.contains(&path) || !uses_unsafe(source));
}

/// Files that build values inside a lock, which is correct only where the initializer never uses the pool.
const BUILT_IN_A_LOCK: [&str; 10] = [
    "crates/flowline-cache/src/identity.rs",
    "crates/flowline-import/src/io/mapping.rs",
    "crates/flowline-index/src/flows/rules/rule_values.rs",
    "crates/flowline-index/src/samples/over_time/stack_chart.rs",
    "crates/flowline-index/src/samples/over_time/stack_charts.rs",
    "crates/flowline-index/src/search/matcher/term.rs",
    "crates/flowline-index/src/waits/thread_stack.rs",
    "crates/flowline-profile/src/background/lazy.rs",
    "crates/flowline-profile/src/strings.rs",
    "crates/flowline-session/src/tasks/task.rs",
];

#[test]
fn values_built_on_the_pool_are_built_outside_locks() {
    let locks = |source: &str| after_word(&code(source), "OnceLock").next().is_some();
    let builds = |source: &str| after_word(&code(source), "get_or_init").next().is_some();
    every_file("flowline_profile::get_or_build instead of get_or_init", |path, source| {
        !is_product(path) || BUILT_IN_A_LOCK.contains(&path) || !(locks(source) && builds(source))
    });
}

/// Readers of other text than JSON, whose byte strings are no names: files, and folders with all of theirs.
const NO_JSON: [&str; 6] =
    ["unsupported_formats", "io", "perf_script", "collapsed.rs", "cut/removal.rs", "cut/urls.rs"];

/// Byte strings that stand for no JSON string: bare words.
const NO_NAMES: [&str; 2] = ["NaN", "Infinity"];

#[test]
fn names_that_importers_compare_are_known_with_escapes_in_them() {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"_$+() ".contains(&byte);
    // Numbers, which JSON has not, and the comparison of digits.
    let is_name = |text: &str| text.bytes().all(is_part) && text.bytes().any(|byte| byte.is_ascii_alphabetic());
    let mut unknown = BTreeSet::new();
    let readers = ["flowline-import", "flowline-json", "flowline-profile"];
    let packages = Package::all().into_iter().filter(|package| readers.contains(&package.name.as_str()));
    for (path, source) in packages.flat_map(|package| package.sources()) {
        let is_in = |part: &&str| path.strip_prefix(*part).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        if NO_JSON.iter().any(is_in) || path.ends_with("tests.rs") {
            continue;
        }
        let shown = source.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        for (at, start) in shown.match_indices("b\"") {
            let text = shown[at + start.len()..].split('"').next().unwrap_or_default();
            let stands_alone = !shown[..at].bytes().next_back().is_some_and(is_word);
            if stands_alone
                && is_name(text)
                && !NO_NAMES.contains(&text)
                && !flowline::json::KNOWN_NAMES.contains(&text)
            {
                unknown.insert(format!("{text} in {path}"));
            }
        }
    }
    assert!(unknown.is_empty(), "not among KNOWN_NAMES: {unknown:?}");
}

#[test]
fn the_terminal_is_written_in_one_file() {
    let writes = |source: &str| {
        ["stdout", "stderr"].iter().any(|name| after_word(&code(source), name).any(|rest| rest.starts_with("()")))
    };
    every_file("no stdout() or stderr() outside terminal.rs", |path, source| {
        path == "crates/flowline-terminal/src/terminal.rs" || !is_product(path) || !writes(source)
    });
}

#[test]
fn nothing_is_left_undone() {
    every_file("no todo!, unimplemented! or dbg!", |_, source| {
        let code = code(source);
        ["todo", "unimplemented", "dbg"].iter().all(|name| !after_word(&code, name).any(|rest| rest.starts_with('!')))
    });
}
