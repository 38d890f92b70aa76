//! Which source file uses which: `use` declarations and paths in code, resolved to the file that defines the name.
//!
//! Names that a parent module re-exports resolve to the file that defines them, so a parent that only re-exports uses no file and no
//! file uses it. Uses between a parent and its children count like all others. A module that is only imported does not count; the
//! names taken from it do. Methods are not seen, and neither is test code.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

type Path = Vec<String>;

/// What one file defines, imports and names.
#[derive(Default)]
struct File {
    items: BTreeSet<String>,
    /// The name in this file, and the path behind it.
    imports: Vec<(String, Path)>,
    globs: Vec<Path>,
    /// Paths in code of two or more names.
    paths: Vec<Path>,
}

/// What a path leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Target {
    Module(Path),
    /// An item of the module at this path.
    Item(Path),
}

impl Target {
    const fn module(&self) -> Option<&Path> {
        match self {
            Self::Module(module) => Some(module),
            Self::Item(_) => None,
        }
    }
}

/// The files by module path, and which use which.
pub(crate) struct FileGraph {
    files: BTreeMap<Path, File>,
    uses: BTreeMap<Path, BTreeSet<Path>>,
}

impl FileGraph {
    /// From the text of files by their path from `src`.
    pub(crate) fn new<'a>(sources: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let is_shown = |path: &str| path != "main.rs" && !path.ends_with("/tests.rs");
        let shown = sources.into_iter().filter(|(path, _)| is_shown(path));
        let files = shown.map(|(path, source)| (module_path(path), File::parse(source))).collect();
        let mut graph = Self { files, uses: BTreeMap::new() };
        for (at, file) in &graph.files {
            let imported = file.imports.iter().map(|(_, path)| path).chain(&file.paths);
            let items = imported.flat_map(|path| graph.targets(at, path)).filter_map(|target| match target {
                Target::Item(module) => Some(module),
                Target::Module(_) => None,
            });
            let globs =
                file.globs.iter().filter_map(|path| graph.targets(at, path).iter().find_map(Target::module).cloned());
            let counts = |used: &Path| used != at;
            let used = items.chain(globs).filter(counts).collect();
            graph.uses.insert(at.clone(), used);
        }
        graph
    }

    /// Circles of files, each written `a -> b -> a`. Every file of a circle stands in at least one of them.
    pub(crate) fn circles(&self) -> Vec<String> {
        let mut reported = BTreeSet::new();
        let mut circles = Vec::new();
        for start in self.uses.keys() {
            if reported.contains(start) {
                continue;
            }
            let Some(circle) = self.shortest_circle(start) else { continue };
            let names: Vec<String> = circle.iter().chain([start]).map(|path| path.join("::")).collect();
            circles.push(names.join(" -> "));
            reported.extend(circle);
        }
        circles
    }

    /// The files of the shortest circle through a file, beginning with it.
    fn shortest_circle(&self, start: &Path) -> Option<Vec<Path>> {
        let mut came_from: BTreeMap<&Path, &Path> = BTreeMap::new();
        let mut queue = VecDeque::from([start]);
        while let Some(at) = queue.pop_front() {
            for next in self.uses.get(at).into_iter().flatten() {
                if next == start {
                    let mut circle = vec![at.clone()];
                    let mut at = at;
                    while at != start {
                        at = came_from[at];
                        circle.push(at.clone());
                    }
                    circle.reverse();
                    return Some(circle);
                }
                if !came_from.contains_key(next) {
                    came_from.insert(next, at);
                    queue.push_back(next);
                }
            }
        }
        None
    }

    /// What a path written in the module `at` leads to: nothing for outside crates, two things for a name that a module
    /// and an item share.
    fn targets(&self, at: &Path, path: &[String]) -> Vec<Target> {
        self.targets_within(at, path, 8)
    }

    fn targets_within(&self, at: &Path, path: &[String], steps: usize) -> Vec<Target> {
        let mut module = at.clone();
        let mut rest = path;
        let mut is_anchored = false;
        while let Some((first, others)) = rest.split_first() {
            match first.as_str() {
                "crate" => module.clear(),
                "super" => _ = module.pop(),
                "self" => {}
                _ => break,
            }
            is_anchored = true;
            rest = others;
        }
        let mut found = vec![Target::Module(module)];
        for (place, name) in rest.iter().enumerate() {
            let Some(module) = found.iter().find_map(Target::module).cloned() else { break };
            let named = self.named(&module, name, steps);
            found = match named.is_empty() {
                false => named,
                // A macro makes the item.
                true if is_anchored || place > 0 => vec![Target::Item(module)],
                true => Vec::new(),
            };
        }
        found
    }

    /// What a name means in a module.
    fn named(&self, module: &Path, name: &str, steps: usize) -> Vec<Target> {
        let Some(file) = self.files.get(module) else { return Vec::new() };
        let mut targets = Vec::new();
        let child: Path = module.iter().cloned().chain([name.to_owned()]).collect();
        if self.files.contains_key(&child) {
            targets.push(Target::Module(child));
        }
        if file.items.contains(name) {
            targets.push(Target::Item(module.clone()));
        } else if steps > 0 {
            let paths = file.imports.iter().filter(|(local, path)| local == name && *path != [name]);
            let globs = file.globs.iter().flat_map(|glob| self.targets_within(module, glob, steps - 1));
            let globs = globs.filter_map(|target| target.module().cloned());
            targets.extend(paths.flat_map(|(_, path)| self.targets_within(module, path, steps - 1)));
            if targets.is_empty() {
                targets.extend(globs.filter(|glob| glob != module).flat_map(|glob| self.named(&glob, name, steps - 1)));
            }
        }
        targets
    }
}

impl File {
    fn parse(source: &str) -> Self {
        let tokens = without_tests(&tokens(source));
        let mut file = Self::default();
        let mut depth = 0;
        let mut at = 0;
        while let Some(&token) = tokens.get(at) {
            let next = tokens.get(at + 1).copied().unwrap_or_default();
            let before = at.checked_sub(1).map_or("", |before| tokens[before]);
            match token {
                "{" => depth += 1,
                "}" => depth -= 1,
                "use" if next != "<" => {
                    at = file.parse_use(&tokens, at + 1, &[]);
                    continue;
                }
                "fn" | "struct" | "enum" | "union" | "trait" | "type" | "const" | "static" if depth == 0 => {
                    file.items.insert(next.to_owned());
                }
                "macro_rules" => _ = file.items.insert(tokens.get(at + 2).copied().unwrap_or_default().to_owned()),
                _ if next == "::" && before != "::" && is_name(token) => {
                    let mut path = vec![token.to_owned()];
                    while tokens[at + 1..].first() == Some(&"::")
                        && tokens.get(at + 2).is_some_and(|name| is_name(name))
                    {
                        path.push(tokens[at + 2].to_owned());
                        at += 2;
                    }
                    file.paths.push(path);
                }
                _ => {}
            }
            at += 1;
        }
        file
    }

    /// Reads one tree of a `use` declaration and returns the place after it.
    fn parse_use(&mut self, tokens: &[&str], mut at: usize, before: &[String]) -> usize {
        let mut path = before.to_vec();
        while let Some(&token) = tokens.get(at) {
            at += 1;
            match token {
                "::" => {}
                "*" => {
                    self.globs.push(path);
                    return at;
                }
                "{" => {
                    while tokens.get(at).is_some_and(|token| *token != "}") {
                        at = self.parse_use(tokens, at, &path);
                        at += usize::from(tokens.get(at) == Some(&","));
                    }
                    return at + 1;
                }
                name => {
                    path.push(name.to_owned());
                    match tokens.get(at) {
                        Some(&"::") => {}
                        Some(&"as") => {
                            self.import(tokens.get(at + 1).copied().unwrap_or_default(), path);
                            return at + 2;
                        }
                        _ => {
                            let is_self = name == "self" && path.len() > 1;
                            path.truncate(path.len() - usize::from(is_self));
                            self.import(&path.last().cloned().unwrap_or_default(), path);
                            return at;
                        }
                    }
                }
            }
        }
        at
    }

    fn import(&mut self, name: &str, path: Path) {
        self.imports.push((name.to_owned(), path));
    }
}

/// The module that a file holds.
fn module_path(file: &str) -> Path {
    let path = file.trim_end_matches(".rs").trim_end_matches("/mod");
    path.split('/').filter(|name| *name != "lib").map(str::to_owned).collect()
}

fn is_name(token: &str) -> bool {
    token.bytes().next().is_some_and(|byte| byte.is_ascii_alphabetic() || byte == b'_')
}

/// Names, numbers, `::` and single signs; no comments, texts, characters or lifetimes.
fn tokens(source: &str) -> Vec<&str> {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii();
    let mut tokens = Vec::new();
    let mut rest = source;
    while let Some(first) = rest.bytes().next() {
        let word = rest.bytes().take_while(|byte| is_word(*byte)).count();
        let after_word = &rest[word..];
        let hashes = after_word.bytes().take_while(|byte| *byte == b'#').count();
        let is_raw = matches!(&rest[..word], "r" | "br") && after_word[hashes..].starts_with('"');
        let length = if is_raw {
            let end = format!("\"{}", "#".repeat(hashes));
            let text = word + hashes + 1;
            text + rest[text..].find(&end).map_or(rest.len() - text, |at| at + end.len())
        } else if word > 0 {
            tokens.push(&rest[..word]);
            word
        } else if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if first == b'"' {
            quoted(rest)
        } else if first == b'\'' {
            let is_lifetime = rest.len() > 2
                && is_word(rest.as_bytes()[1])
                && rest.as_bytes()[1].is_ascii()
                && rest.as_bytes()[2] != b'\'';
            if is_lifetime { 1 + rest[1..].bytes().take_while(|byte| is_word(*byte)).count() } else { quoted(rest) }
        } else if rest.starts_with("::") {
            tokens.push("::");
            2
        } else {
            if !first.is_ascii_whitespace() {
                tokens.push(&rest[..1]);
            }
            1
        };
        rest = &rest[length..];
    }
    tokens
}

/// The length of a text or character, with its quotes.
fn quoted(text: &str) -> usize {
    let quote = text.as_bytes()[0];
    let mut at = 1;
    while let Some(&byte) = text.as_bytes().get(at) {
        at += if byte == b'\\' { 2 } else { 1 };
        if byte == quote {
            break;
        }
    }
    at.min(text.len())
}

/// Tokens without the items below `#[cfg(test)]`.
fn without_tests<'a>(tokens: &[&'a str]) -> Vec<&'a str> {
    let mark = ["#", "[", "cfg", "(", "test", ")", "]"];
    let mut shown = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if !tokens[at..].starts_with(&mark) {
            shown.push(tokens[at]);
            at += 1;
            continue;
        }
        let mut depth = 0;
        for token in &tokens[at..] {
            at += 1;
            depth += i32::from(*token == "{") - i32::from(*token == "}");
            if depth == 0 && matches!(*token, ";" | "}") {
                break;
            }
        }
    }
    shown
}

#[test]
fn a_made_up_circle_is_found() {
    let lib = ("lib.rs", "pub mod a;\npub mod b;");
    let parent =
        ("a/mod.rs", "mod own;\nmod x;\nmod y;\nmod z;\npub use own::Own;\npub use x::X;\nuse y::make as make_y;");
    let own = ("a/own.rs", "pub struct Own;");
    let x = ("a/x.rs", "use super::{Own, make_y};\npub struct X;\nfn f() { make_y() }");
    let y = ("a/y.rs", "pub fn make() -> super::X { \"crate::b::f()\" }");
    let z = (
        "a/z.rs",
        "use crate::b;\nuse super::X; // crate::b::f()\n#[cfg(test)]\nmod tests { use crate::b::f; }\nmacro_rules! m { () => { $crate::b::f() } }",
    );
    let b = ("b.rs", "use crate::a::{X, Own};\nfn f<'a>(c: char) { c == '\"' }");
    let sources = [lib, parent, own, x, y, z, b];
    assert_eq!(FileGraph::new(sources).circles(), ["a::x -> a::y -> a::x"]);

    // The same without the circle, and with one that leads out of the folder.
    let y = ("a/y.rs", "use super::Own;\npub fn make() -> Own { crate::b::f() }");
    assert_eq!(FileGraph::new([lib, parent, own, x, y, z, b]).circles(), ["a::x -> a::y -> b -> a::x"]);

    // Names that the parent re-exports with all others.
    let all = ("a/mod.rs", "mod x;\nmod y;\npub use x::X;\npub(crate) use y::*;");
    let x_of_all = ("a/x.rs", "pub struct X;\nfn f() { super::make() }");
    let y_of_all = ("a/y.rs", "use super::X;\npub fn make() {}");
    assert_eq!(FileGraph::new([lib, all, x_of_all, y_of_all]).circles(), ["a::x -> a::y -> a::x"]);

    let b = ("b.rs", "use crate::a::Own;\npub fn f() {}");
    assert_eq!(FileGraph::new([lib, parent, own, x, y, z, b]).circles(), [""; 0]);

    // A child that uses its parent's own item.
    let parent_with_item = ("a/mod.rs", "mod x;\npub use x::X;\npub struct Own;");
    let child = ("a/x.rs", "use super::Own;\npub struct X;");
    assert_eq!(FileGraph::new([lib, parent_with_item, child]).circles(), ["a -> a::x -> a"]);
}
