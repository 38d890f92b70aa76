//! The user's flow rules.

use std::path::{Path, PathBuf};

use crate::small_file::read_small_file;
use flowline_cache::user_folders::config_folder;
use flowline_index::flows::FlowRules;

/// Special value instead of a rules file: only recorded ends divide flows, like in other tools.
const PLAIN: &str = "plain";

/// The flow rules in effect: the built-in ones and the user's.
#[derive(Clone, Debug)]
pub struct UserRules {
    /// All rules, the user's first.
    pub rules: FlowRules,
    /// Messages about mistakes in the user's rules; each names the file.
    pub messages: Vec<String>,
    /// The user's rules file, if there is one.
    pub file: Option<PathBuf>,
}

impl UserRules {
    /// Returns only the built-in rules.
    #[must_use]
    pub fn built_in() -> Self {
        Self { rules: FlowRules::built_in(), messages: Vec::new(), file: None }
    }

    /// Reads rules from `file`, or from `flow-rules.json` in the user's configuration folder if it exists. The file
    /// name `plain` selects the built-in rules without postings.
    ///
    /// # Errors
    /// If `file` cannot be read. Mistakes in its rules are not errors: they become messages.
    pub fn read(file: Option<&Path>) -> std::io::Result<Self> {
        if file == Some(Path::new(PLAIN)) {
            return Ok(Self { rules: FlowRules::built_in().without_postings(), ..Self::built_in() });
        }
        let default = config_folder().map(|folder| folder.join("flow-rules.json"));
        let Some(path) = file.map(Path::to_owned).or_else(|| default.filter(|path| path.exists())) else {
            return Ok(Self::built_in());
        };
        let text = match read_small_file(&path) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(error) if file.is_some() => return Err(error),
            Err(error) => {
                let messages = vec![format!("{}: {error}", path.display())];
                return Ok(Self { messages, file: Some(path), ..Self::built_in() });
            }
        };
        let (user, messages) = FlowRules::parse(&text);
        let messages = messages.into_iter().map(|message| format!("{}: {message}", path.display())).collect();
        Ok(Self { rules: FlowRules::built_in().with_user(user), messages, file: Some(path) })
    }
}
