//! The user's folders for the program's files: those of the XDG base directory specification on every Unix, including
//! macOS, and the usual ones on Windows.

use std::path::{Path, PathBuf};

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

/// Reasons not to use a folder.
pub(crate) const FAULTS: [&str; 2] =
    ["the cache folder belongs to another user", "other users can write to the cache folder"];

/// Why files in a folder cannot be trusted; `None` if only this user can put them there, or if there is no folder yet.
#[cfg(unix)]
pub(crate) fn fault_of(folder: &Path) -> Option<&'static str> {
    use std::os::unix::fs::MetadataExt as _;

    let facts = folder.metadata().ok()?;
    // The user's own group usually has no other members: where it has, new folders are not writable by it.
    let is_own_group = facts.gid() == rustix::process::getegid().as_raw();
    let writable = if is_own_group { 0o002 } else { 0o022 };
    match () {
        () if facts.uid() != rustix::process::geteuid().as_raw() => Some(FAULTS[0]),
        () if facts.mode() & writable != 0 => Some(FAULTS[1]),
        () => None,
    }
}

/// Folders of users are private on other systems.
#[cfg(not(unix))]
pub(crate) fn fault_of(_folder: &Path) -> Option<&'static str> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn folders_that_others_can_write_to_are_not_trusted() {
        use std::os::unix::fs::PermissionsExt as _;

        let folder = std::env::temp_dir().join(format!("flowline-folders-{}", std::process::id()));
        assert_eq!(fault_of(&folder), None, "there is none yet");
        std::fs::create_dir(&folder).expect("a folder");
        for (mode, fault) in [(0o700, None), (0o755, None), (0o775, None), (0o702, Some(FAULTS[1]))] {
            std::fs::set_permissions(&folder, std::fs::Permissions::from_mode(mode)).expect("set");
            assert_eq!(fault_of(&folder), fault, "{mode:o}");
        }
        std::fs::remove_dir(folder).expect("empty");
        // The root folder belongs to root.
        let is_root = rustix::process::geteuid().is_root();
        assert_eq!(fault_of(Path::new("/")).is_none(), is_root);
    }
}
