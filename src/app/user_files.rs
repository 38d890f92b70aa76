//! Where the user's own files lie (XDG base directories), and the flow rules among them.

use std::path::{Path, PathBuf};

use crate::index::flows::FlowRules;

/// A folder of ours: below the variable's folder, else below the home folder's `fallback`.
fn folder(variable: &str, fallback: &str) -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let base = set(variable).or_else(|| set("HOME").map(|home| home.join(fallback)))?;
    Some(base.join("flowline"))
}

/// Where sessions are kept.
#[cfg(feature = "window")]
pub(super) fn state_folder() -> Option<PathBuf> {
    folder("XDG_STATE_HOME", ".local/state")
}

/// The rules of flows that apply: the built-in ones and the user's.
#[derive(Clone, Debug)]
pub struct UserRules {
    /// All of them, the user's first.
    pub rules: FlowRules,
    /// What was wrong with the user's, in sentences that name the file.
    pub messages: Vec<String>,
}

impl UserRules {
    /// Only the built-in rules.
    #[must_use]
    pub fn built_in() -> Self {
        Self { rules: FlowRules::built_in(), messages: Vec::new() }
    }

    /// Reads the rules of a file; without one, those of `flow-rules.json` in the user's configuration folder, if it is
    /// there.
    ///
    /// # Errors
    /// When the file that was named cannot be read. Mistakes in its rules are no errors: they become messages.
    pub fn read(file: Option<&Path>) -> std::io::Result<Self> {
        let default = folder("XDG_CONFIG_HOME", ".config").map(|folder| folder.join("flow-rules.json"));
        let Some(path) = file.map(Path::to_owned).or_else(|| default.filter(|path| path.exists())) else {
            return Ok(Self::built_in());
        };
        let text = match std::fs::read(&path) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(error) if file.is_some() => return Err(error),
            Err(error) => {
                let messages = vec![format!("{}: {error}", path.display())];
                return Ok(Self { messages, ..Self::built_in() });
            }
        };
        let (user, messages) = FlowRules::parse(&text);
        let messages = messages.into_iter().map(|message| format!("{}: {message}", path.display())).collect();
        Ok(Self { rules: FlowRules::built_in().with_user(user), messages })
    }
}
