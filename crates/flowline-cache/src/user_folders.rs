//! The folders of the user in which the program keeps files: those of the XDG base directory specification on every Unix,
//! macOS included, and the usual ones on Windows.

use std::path::PathBuf;

use etcetera::BaseStrategy;

/// Name of the program's folder in each of them.
const NAME: &str = "flowline";

/// For files that can be made again: `$XDG_CACHE_HOME/flowline`, by default `~/.cache/flowline`. `None` for a user without
/// a home folder.
#[must_use]
pub fn cache_folder() -> Option<PathBuf> {
    Some(etcetera::choose_base_strategy().ok()?.cache_dir().join(NAME))
}

/// For what the user configures: `$XDG_CONFIG_HOME/flowline`, by default `~/.config/flowline`.
#[must_use]
pub fn config_folder() -> Option<PathBuf> {
    Some(etcetera::choose_base_strategy().ok()?.config_dir().join(NAME))
}

/// For what the program remembers from one run to the next: `$XDG_STATE_HOME/flowline`, by default
/// `~/.local/state/flowline`.
#[must_use]
pub fn state_folder() -> Option<PathBuf> {
    let folders = etcetera::choose_base_strategy().ok()?;
    Some(folders.state_dir().unwrap_or_else(|| folders.data_dir()).join(NAME))
}
