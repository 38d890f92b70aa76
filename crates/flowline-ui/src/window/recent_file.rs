//! An entry of the list of recent recordings.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// A recently opened recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecentFile {
    /// Its absolute path.
    pub path: PathBuf,
    /// Its length when it was opened.
    pub bytes: u64,
    /// Time it was last opened.
    pub opened: SystemTime,
}

impl RecentFile {
    /// The file name.
    #[must_use]
    pub fn name(&self) -> String {
        self.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
    }

    /// The folder of the file; the home folder is abbreviated to `~`.
    #[must_use]
    pub fn folder(&self) -> String {
        let folder = self.path.parent().unwrap_or(Path::new(""));
        match std::env::home_dir().as_deref().map(|home| folder.strip_prefix(home)) {
            Some(Ok(rest)) => Path::new("~").join(rest).display().to_string(),
            _ => folder.display().to_string(),
        }
    }
}
