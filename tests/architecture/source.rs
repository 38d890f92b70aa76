//! The source files of the workspace and a line scanner for them.

use std::path::{Path, PathBuf};

/// A package of the workspace.
pub(crate) struct Package {
    /// Its name, for example `flowline-index`.
    pub(crate) name: String,
    /// Its folder, relative to the root of the workspace; empty for the root package.
    pub(crate) folder: String,
}

impl Package {
    /// All packages; the root package first, the others by name.
    pub(crate) fn all() -> Vec<Self> {
        let folders = std::fs::read_dir(root().join("crates")).expect("crates");
        let mut names: Vec<String> =
            folders.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        let member = |name: String| Self { folder: format!("crates/{name}/"), name };
        let root = Self { name: "flowline".to_owned(), folder: String::new() };
        std::iter::once(root).chain(names.into_iter().map(member)).collect()
    }

    /// Names of the crates in `[dependencies]`.
    pub(crate) fn dependencies(&self) -> Vec<String> {
        let manifest = read(&root().join(&self.folder).join("Cargo.toml"));
        let section = manifest.split("\n[dependencies]\n").nth(1).unwrap_or_default();
        let lines = section.lines().take_while(|line| !line.starts_with('['));
        lines.filter_map(|line| line.split_once([' ', '.']).map(|(name, _)| name.to_owned())).collect()
    }

    /// Path from `src` and text of each source file.
    pub(crate) fn sources(&self) -> Vec<(String, String)> {
        let folder = root().join(&self.folder).join("src");
        let name = |path: &Path| path.strip_prefix(&folder).expect("below src").to_string_lossy().replace('\\', "/");
        rust_files(&folder).into_iter().map(|path| (name(&path), read(&path))).collect()
    }
}

/// The root of the workspace.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The text of a file.
pub(crate) fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// All Rust files below a folder, sorted; none if there is no such folder.
pub(crate) fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for entry in entries {
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

pub(crate) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The text after each occurrence of `name` as a whole word.
pub(crate) fn after_word<'a>(code: &'a str, name: &'a str) -> impl Iterator<Item = &'a str> {
    code.match_indices(name).filter_map(move |(at, _)| {
        let before = code[..at].bytes().next_back();
        let rest = &code[at + name.len()..];
        (!before.is_some_and(is_word) && !rest.bytes().next().is_some_and(is_word)).then_some(rest)
    })
}

/// The code of a file without comments and without its test module; text in quotes is blanked.
pub(crate) fn code(source: &str) -> String {
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

/// True if code names a crate.
pub(crate) fn names_crate(code: &str, name: &str) -> bool {
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

#[test]
fn the_scanner_finds_names_in_code_only() {
    let source = "//! egui::gone\nuse egui::Ui;\nfn f() { show(\"wgpu::text\") } // wgpu::no\nlet x = super::png::make();\nuse wide;\n\
                  #[cfg(test)]\nmod tests {\nuse rayon::app;\n}\n";
    let code = code(source);
    assert_eq!(
        ["egui", "png", "wide", "wgpu", "rayon"].map(|name| names_crate(&code, name)),
        [true, false, true, false, false]
    );
}
