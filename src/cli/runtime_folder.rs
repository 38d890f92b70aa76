//! The user's runtime folder, which servers and containers often lack. Graphics drivers report that on standard error, although
//! they work without one, and a variable of the environment can only be set safely for a new process.

/// Starts the program again with a runtime folder if the environment names none. Returns if there is one, or if the start
/// fails.
pub(super) fn ensure_runtime_folder() {
    use std::os::unix::process::CommandExt as _;
    const NAME: &str = "XDG_RUNTIME_DIR";
    let folder = std::env::temp_dir();
    let stated = std::env::var_os(NAME).map(std::path::PathBuf::from);
    if !folder.is_dir() || stated.is_some_and(|stated| stated.is_dir() || stated == folder) {
        return;
    }
    if let Ok(program) = std::env::current_exe() {
        let mut again = std::process::Command::new(program);
        // Returns only if the program cannot be started; this process then goes on.
        let _error = again.args(std::env::args_os().skip(1)).env(NAME, folder).exec();
    }
}
