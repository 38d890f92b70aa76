//! The environment of graphics drivers. Variables of the environment can only be set safely for a new process, so the program
//! starts again if one is missing:
//!
//! - The user's runtime folder, which servers and containers often lack. Drivers report that on standard error, although they
//!   work without one.
//! - No cache of shaders on a disk that is full: drivers map its files, and a mapped file without disk space ends the program.

use std::ffi::OsString;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::Access;

/// Least free disk space in bytes for the caches of drivers.
const LEAST_FREE: u64 = 64 << 20;

/// Starts the program again if drivers need other variables. Returns if they do not, or if the start fails.
pub(super) fn prepare() {
    let changes: Vec<(&str, OsString)> = runtime_folder().into_iter().chain(no_shader_cache()).collect();
    if changes.is_empty() {
        return;
    }
    if let Ok(program) = std::env::current_exe() {
        let mut again = std::process::Command::new(program);
        // Returns only if the program cannot be started; this process then goes on.
        let _error = again.args(std::env::args_os().skip(1)).envs(changes).exec();
    }
}

/// A runtime folder, if the environment names none that exists.
fn runtime_folder() -> Option<(&'static str, OsString)> {
    const NAME: &str = "XDG_RUNTIME_DIR";
    let folder = std::env::temp_dir();
    let stated = std::env::var_os(NAME).map(PathBuf::from);
    let is_usable = stated.is_some_and(|stated| stated.is_dir() || stated == folder);
    (folder.is_dir() && !is_usable).then(|| (NAME, folder.into_os_string()))
}

/// The variables that switch the caches of drivers off, if those caches have no room and are not switched off yet.
fn no_shader_cache() -> Vec<(&'static str, OsString)> {
    /// Mesa, and the driver of NVIDIA.
    const NAMES: [(&str, &str); 2] = [("MESA_SHADER_CACHE_DISABLE", "true"), ("__GL_SHADER_DISK_CACHE", "0")];
    let home = || std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache"));
    let stated = std::env::var_os("XDG_CACHE_HOME").filter(|stated| !stated.is_empty()).map(PathBuf::from);
    let Some(folder) = stated.or_else(home) else { return Vec::new() };
    if has_room(&folder) {
        return Vec::new();
    }
    let is_missing = |(name, _): &(&str, &str)| std::env::var_os(name).is_none();
    NAMES.into_iter().filter(is_missing).map(|(name, value)| (name, value.into())).collect()
}

/// True if files can be written to a folder, or to the one where it would be created.
fn has_room(folder: &Path) -> bool {
    let Some(existing) = folder.ancestors().find(|folder| folder.is_dir()) else { return false };
    let free = rustix::fs::statvfs(existing).map(|facts| facts.f_bavail.saturating_mul(facts.f_frsize));
    free.is_ok_and(|free| free >= LEAST_FREE)
        && rustix::fs::access(existing, Access::WRITE_OK | Access::EXEC_OK).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_without_room_are_recognized() {
        let folder = std::env::temp_dir();
        assert!(has_room(&folder) && has_room(&folder.join("new").join("newer")));
        // It exists on every Linux, and takes no files.
        assert!(!has_room(Path::new("/proc/self")) && !has_room(Path::new("relative-and-missing")));
    }
}
