//! The architecture as written and as coded: every `crate::` path and every outside crate of a layer stands in the table
//! below, the table of ARCHITECTURE.md has the same arrows, and none that no code uses. Also what the style asks of every
//! file.
//!
//! A line scanner is enough: the code names other layers and crates by full paths (`crate::layer`, `outside::`), never by
//! `super::super` out of a layer. What stands below `#[cfg(test)]` or in a file `tests.rs` is not the layer's code.

#[path = "architecture/file_graph.rs"]
mod file_graph;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// A layer: its name, the layers it may use, the outside crates it may use.
type Layer = (&'static str, &'static [&'static str], &'static [&'static str]);

const LAYERS: [Layer; 11] = [
    (
        "profile",
        &[],
        &["bytemuck", "compact_str", "foldhash", "hashbrown", "memchr", "rayon", "rayon_core", "wide", "yoke"],
    ),
    (
        "import",
        &["profile"],
        &[
            "bytemuck",
            "flate2",
            "foldhash",
            "json_slabs",
            "libc",
            "memchr",
            "memmap2",
            "rayon",
            "rustix",
            "smallvec",
            "thiserror",
            "zip",
        ],
    ),
    ("index", &["profile"], &["bytemuck", "foldhash", "memchr", "rayon", "smallvec"]),
    ("cache", &["import", "index", "profile"], &["bytemuck", "etcetera", "rayon", "rustix"]),
    ("view", &["profile"], &[]),
    ("scene", &["index", "profile", "view"], &["bytemuck"]),
    ("gpu", &["scene"], &["bytemuck", "glyphon", "pollster", "thiserror", "wgpu"]),
    ("session", &["index", "profile", "scene", "view"], &["memchr", "rayon"]),
    ("ui", &["index", "profile", "scene", "session", "view"], &["egui", "flate2", "rayon"]),
    (
        "app",
        &["cache", "gpu", "import", "index", "profile", "scene", "session", "ui", "view"],
        &[
            "anyhow",
            "cpu_time",
            "egui",
            "egui_wgpu",
            "egui_winit",
            "flate2",
            "png",
            "rayon",
            "rustix",
            "serde_json",
            "wgpu",
            "winit",
        ],
    ),
    (
        "cli",
        &["app", "cache", "import", "index", "profile", "scene", "session", "ui", "view"],
        &["anyhow", "clap", "egui", "flate2", "flowline_synth", "indicatif", "rayon", "serde_json"],
    ),
];

/// What a layer uses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Uses {
    layers: BTreeSet<String>,
    crates: BTreeSet<String>,
}

impl Uses {
    fn of(layers: &[&str], crates: &[&str]) -> Self {
        let set = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        Self { layers: set(layers), crates: set(crates) }
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// All Rust files below a folder, sorted.
fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// The files of `src` by their path from there.
fn sources() -> BTreeMap<String, String> {
    let folder = root().join("src");
    let name = |path: &Path| path.strip_prefix(&folder).expect("below src").to_string_lossy().replace('\\', "/");
    rust_files(&folder).into_iter().map(|path| (name(&path), read(&path))).collect()
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The identifier at the start of a text.
fn word(text: &str) -> &str {
    &text[..text.bytes().position(|byte| !is_word(byte)).unwrap_or(text.len())]
}

/// What follows each place where `name` stands as a whole word.
fn after_word<'a>(code: &'a str, name: &'a str) -> impl Iterator<Item = &'a str> {
    code.match_indices(name).filter_map(move |(at, _)| {
        let before = code[..at].bytes().next_back();
        let rest = &code[at + name.len()..];
        (!before.is_some_and(is_word) && !rest.bytes().next().is_some_and(is_word)).then_some(rest)
    })
}

/// The code of a file: without comments and without its test module; text in quotes is blanked.
fn code(source: &str) -> String {
    let shown = source.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    let mut out = String::with_capacity(shown.len());
    for line in shown.lines() {
        let mut in_text = false;
        let mut before = ' ';
        let mut chars = line.chars().peekable();
        while let Some(char) = chars.next() {
            if !in_text && char == '/' && chars.peek() == Some(&'/') {
                break;
            }
            if char == '"' && before != '\\' && !(before == '\'' && chars.peek() == Some(&'\'')) {
                in_text = !in_text;
            }
            out.push(if in_text { ' ' } else { char });
            before = if before == '\\' { ' ' } else { char };
        }
        out.push('\n');
    }
    out
}

/// The crates of `[dependencies]`, as code names them.
fn dependencies() -> Vec<String> {
    let manifest = read(&root().join("Cargo.toml"));
    let section = manifest.split("\n[dependencies]\n").nth(1).expect("dependencies");
    let lines = section.lines().take_while(|line| !line.starts_with('['));
    lines.filter_map(|line| Some(line.split_once(" = ")?.0.trim().replace('-', "_"))).collect()
}

/// Layers named after `crate::`, also in braces.
fn layers_named(code: &str) -> BTreeSet<String> {
    let mut named = BTreeSet::new();
    for rest in after_word(code, "crate").filter_map(|rest| rest.strip_prefix("::")) {
        match rest.strip_prefix('{') {
            None => _ = named.insert(word(rest).to_owned()),
            Some(list) => {
                let mut depth = 0;
                let mut at_name = true;
                for (at, byte) in list.bytes().enumerate() {
                    match byte {
                        b'{' => depth += 1,
                        b'}' if depth == 0 => break,
                        b'}' => depth -= 1,
                        b',' => at_name = depth == 0,
                        _ if at_name && is_word(byte) => {
                            named.insert(word(&list[at..]).to_owned());
                            at_name = false;
                        }
                        _ => {}
                    }
                }
            }
        }
    }
    named
}

/// Whether code names an outside crate.
fn names_crate(code: &str, name: &str) -> bool {
    let is_path = |rest: &str| rest.starts_with("::");
    let used = |rest: &str| rest.starts_with(';') || rest.starts_with(" as ");
    let imports = format!("use {name}");
    let before = |code: &str| {
        code.match_indices(name).any(|(at, _)| {
            !code[..at].ends_with("::") && {
                let rest = &code[at + name.len()..];
                !code[..at].bytes().next_back().is_some_and(is_word) && is_path(rest)
            }
        })
    };
    before(code) || after_word(code, &imports).any(used)
}

/// What the code of every layer uses.
fn uses() -> BTreeMap<String, Uses> {
    let outside = dependencies();
    let mut found: BTreeMap<String, Uses> = BTreeMap::new();
    for (path, source) in sources() {
        let Some((layer, file)) = path.split_once('/') else { continue };
        let uses = found.entry(layer.to_owned()).or_default();
        if file.rsplit('/').next() == Some("tests.rs") {
            continue;
        }
        let code = code(&source);
        uses.layers.extend(layers_named(&code).into_iter().filter(|named| named != layer));
        uses.crates.extend(outside.iter().filter(|name| names_crate(&code, name)).cloned());
    }
    found
}

/// The arrows that `uses` has and `allowed` has not.
fn beyond(uses: &BTreeMap<String, Uses>, allowed: &BTreeMap<String, Uses>) -> Vec<String> {
    let none = Uses::default();
    let mut arrows = Vec::new();
    for (layer, uses) in uses {
        let allowed = allowed.get(layer).unwrap_or(&none);
        let layers = uses.layers.difference(&allowed.layers);
        let crates = uses.crates.difference(&allowed.crates);
        arrows.extend(layers.chain(crates).map(|used| format!("{layer} -> {used}")));
    }
    arrows
}

fn table() -> BTreeMap<String, Uses> {
    LAYERS.iter().map(|(layer, layers, crates)| ((*layer).to_owned(), Uses::of(layers, crates))).collect()
}

/// The table of ARCHITECTURE.md: `| layer | holds | may use | outside crates |`.
fn written() -> BTreeMap<String, Uses> {
    let text = read(&root().join("ARCHITECTURE.md"));
    let lines = text.lines().skip_while(|line| !line.starts_with("| layer |")).skip(2);
    let rows = lines.take_while(|line| line.starts_with('|'));
    let list = |cell: &str| -> BTreeSet<String> {
        cell.split(',').map(|name| name.trim().trim_matches('`').to_owned()).filter(|name| name != "-").collect()
    };
    rows.map(|row| {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [layer, _, layers, crates] = cells[..] else { panic!("four columns: {row}") };
        (layer.trim_matches('`').to_owned(), Uses { layers: list(layers), crates: list(crates) })
    })
    .collect()
}

#[test]
fn layers_use_what_the_table_allows() {
    let (uses, table) = (uses(), table());
    assert_eq!(uses.keys().collect::<Vec<_>>(), table.keys().collect::<Vec<_>>(), "every folder of src is a layer");
    assert_eq!(beyond(&uses, &table), [""; 0], "arrows that the table does not have");
    assert_eq!(beyond(&table, &uses), [""; 0], "arrows that no code uses");
}

#[test]
fn architecture_md_has_the_same_table() {
    let (written, table) = (written(), table());
    assert_eq!(written.keys().collect::<Vec<_>>(), table.keys().collect::<Vec<_>>());
    assert_eq!(beyond(&written, &table), [""; 0], "arrows that only ARCHITECTURE.md has");
    assert_eq!(beyond(&table, &written), [""; 0], "arrows that ARCHITECTURE.md does not have");
}

#[test]
fn no_file_takes_part_in_a_circle() {
    let sources = sources();
    let graph = file_graph::FileGraph::new(sources.iter().map(|(path, source)| (path.as_str(), source.as_str())));
    let circles = graph.circles();
    assert!(circles.is_empty(), "circles of files:\n{}", circles.join("\n"));
}

#[test]
fn the_scanner_sees_what_it_should() {
    let source = "//! crate::gone\nuse crate::{index::{Index, Clock}, view};\nfn f() { crate::ui::show(\"crate::text\") } // crate::no\n\
                  use egui::Ui;\nlet x = super::png::make();\nuse wgpu;\n#[cfg(test)]\nmod tests {\nuse crate::app;\n}\n";
    let code = code(source);
    let named: Vec<String> = layers_named(&code).into_iter().collect();
    assert_eq!(named, ["index", "ui", "view"]);
    let outside = ["egui", "png", "wgpu", "rayon"].map(|name| names_crate(&code, name));
    assert_eq!(outside, [true, false, true, false]);
}

/// Fails with the files of the workspace, by their path from its root, for which `holds` does not.
fn every_file(rule: &str, holds: impl Fn(&str, &str) -> bool) {
    let folders = ["src", "synth/src", "tests", "benches"].map(|folder| root().join(folder));
    let name = |path: &Path| path.strip_prefix(root()).expect("below the root").to_string_lossy().replace('\\', "/");
    let files = folders.iter().flat_map(|folder| rust_files(folder));
    let broken: Vec<String> = files.filter(|path| !holds(&name(path), &read(path))).map(|path| name(&path)).collect();
    assert!(broken.is_empty(), "{rule}: {broken:?}");
}

#[test]
fn every_file_says_what_it_is_for() {
    every_file("opens with //!", |_, source| source.starts_with("//! "));
}

#[test]
fn no_file_is_long() {
    every_file("at most 400 lines", |_, source| source.lines().count() <= 400);
}

/// Files with unsafe code: what the system maps, and instructions that only some processors have.
const UNSAFE: [&str; 3] = ["src/import/io/mapping.rs", "src/out_of_memory.rs", "src/profile/json/simd/avx2.rs"];

#[test]
fn unsafe_is_in_three_small_files() {
    let uses_unsafe = |source: &str| after_word(&code(source), "unsafe").next().is_some();
    every_file("no unsafe elsewhere", |path, source| UNSAFE.contains(&path) || !uses_unsafe(source));
}

/// Files that build values inside of a lock, which is right only where building them never uses the pool.
const BUILT_IN_A_LOCK: [&str; 10] = [
    "src/cache/identity.rs",
    "src/import/io/mapping.rs",
    "src/index/flows/rule_values.rs",
    "src/index/samples/stack_chart.rs",
    "src/index/samples/stack_charts.rs",
    "src/index/search/matcher/term.rs",
    "src/index/waits/thread_stack.rs",
    "src/profile/lazy.rs",
    "src/profile/strings.rs",
    "src/session/task.rs",
];

#[test]
fn what_the_pool_builds_is_built_outside_of_locks() {
    let locks = |source: &str| after_word(&code(source), "OnceLock").next().is_some();
    let builds = |source: &str| after_word(&code(source), "get_or_init").next().is_some();
    every_file("profile::get_or_build instead of get_or_init", |path, source| {
        !path.starts_with("src/") || BUILT_IN_A_LOCK.contains(&path) || !(locks(source) && builds(source))
    });
}

/// Readers of other text than JSON, whose byte strings are no names.
const NO_JSON: [&str; 5] = ["foreign", "foreign.rs", "io", "perf_script", "collapsed.rs"];

/// Byte strings that stand for no JSON string: bare words.
const NO_NAMES: [&str; 2] = ["NaN", "Infinity"];

#[test]
fn names_that_importers_compare_are_known_with_escapes_in_them() {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"_$+() ".contains(&byte);
    // Numbers, which JSON has not, and the comparison of digits.
    let is_name = |text: &str| text.bytes().all(is_part) && text.bytes().any(|byte| byte.is_ascii_alphabetic());
    let mut unknown = BTreeSet::new();
    for (path, source) in sources() {
        let skipped = path.split('/').nth(1).is_some_and(|part| NO_JSON.contains(&part));
        if skipped || !(path.starts_with("import/") || path.starts_with("profile/")) || path.ends_with("tests.rs") {
            continue;
        }
        let shown = source.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        for (at, start) in shown.match_indices("b\"") {
            let text = shown[at + start.len()..].split('"').next().unwrap_or_default();
            let stands_alone = !shown[..at].bytes().next_back().is_some_and(is_word);
            if stands_alone
                && is_name(text)
                && !NO_NAMES.contains(&text)
                && !flowline::profile::json::KNOWN_NAMES.contains(&text)
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
    every_file("no stdout() or stderr() outside src/cli/terminal.rs", |path, source| {
        path == "src/cli/terminal.rs" || !path.starts_with("src/") || !writes(source)
    });
}

#[test]
fn nothing_is_left_undone() {
    every_file("no todo!, unimplemented! or dbg!", |_, source| {
        let code = code(source);
        ["todo", "unimplemented", "dbg"].iter().all(|name| !after_word(&code, name).any(|rest| rest.starts_with('!')))
    });
}
