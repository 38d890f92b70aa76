//! The user's folders for the program's files: those of the XDG base directory specification on every Unix, including
//! macOS, and the usual ones on Windows.

use std::path::PathBuf;

use etcetera::BaseStrategy;

/// Name of the program's folder in each of them.
const NAME: &str = "flowline";

/// Folder for files that can be regenerated: `$XDG_CACHE_HOME/flowline`, by default `~/.cache/flowline`. `None` for a
/// user without a home folder.
#[must_use]
pub fn cache_folder() -> Option<PathBuf> {
    Some(etcetera::choose_base_strategy().ok()?.cache_dir().join(NAME))
}

/// Folder for the user's configuration: `$XDG_CONFIG_HOME/flowline`, by default `~/.config/flowline`.
#[must_use]
pub fn config_folder() -> Option<PathBuf> {
    Some(etcetera::choose_base_strategy().ok()?.config_dir().join(NAME))
}

/// Folder for state that persists between runs: `$XDG_STATE_HOME/flowline`, by default `~/.local/state/flowline`.
#[must_use]
pub fn state_folder() -> Option<PathBuf> {
    let folders = etcetera::choose_base_strategy().ok()?;
    Some(folders.state_dir().unwrap_or_else(|| folders.data_dir()).join(NAME))
}
