//! A temporary folder that is removed at the end.

use std::path::{Path, PathBuf};

/// The folder.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _left = std::fs::remove_dir_all(&self.0);
    }
}

/// Copies a folder to a place that is emptied first.
pub(crate) fn copy(from: &Path, to: &Path) {
    let _absent = std::fs::remove_dir_all(to);
    std::fs::create_dir_all(to).expect("a folder");
    for entry in std::fs::read_dir(from).into_iter().flatten().flatten() {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            std::fs::copy(entry.path(), &target).expect("a copy");
        }
    }
}

/// All files below a folder with their contents, by relative path.
pub(crate) fn contents(folder: &Path) -> Vec<(String, Vec<u8>)> {
    fn add(folder: &Path, prefix: &str, files: &mut Vec<(String, Vec<u8>)>) {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
            if entry.path().is_dir() {
                add(&entry.path(), &format!("{name}/"), files);
            } else {
                files.push((name, std::fs::read(entry.path()).unwrap_or_default()));
            }
        }
    }
    let mut files = Vec::new();
    add(folder, "", &mut files);
    files.sort();
    files
}
