//! An entry of the list of recent recordings.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::recent_activity::RecentActivity;
use flowline_profile::Ns;
use flowline_session::Session;

/// Maximum length of the kind of a recording in characters.
const MAX_KIND: usize = 60;

/// A recently opened recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecentFile {
    /// Its absolute path.
    pub path: PathBuf,
    /// Its length when it was opened.
    pub bytes: u64,
    /// Time it was last opened.
    pub opened: SystemTime,
    /// Facts that were known once it was loaded.
    pub facts: Option<RecentFacts>,
}

/// Facts about a recording that was opened before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecentFacts {
    /// Kind of the recording, such as "Firefox 153" or "Perfetto trace".
    pub kind: String,
    /// Its length.
    pub length: Ns,
    /// Its activity.
    pub activity: RecentActivity,
}

impl RecentFacts {
    /// The facts about an open recording, once its activity is known.
    #[must_use]
    pub fn of(session: &Session) -> Option<Self> {
        let profile = session.index.profile();
        let lanes = session.scope().lanes()?;
        let product = &profile.meta.product;
        let kind = if product.is_empty() { profile.meta.kind.label() } else { product };
        let length = Ns(session.index.whole_view().len());
        let kind = kind.chars().take(MAX_KIND).collect();
        Some(Self { kind, length, activity: RecentActivity::of(&lanes.cpu) })
    }
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
