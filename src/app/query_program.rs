//! Finds `flowline-query`, the program for SQL. It is a package of its own, because this program must not depend on a database.

use std::path::{Path, PathBuf};

/// Name of the program.
pub const QUERY_PROGRAM: &str = "flowline-query";

/// Environment variable with the path of the program.
const VARIABLE: &str = "FLOWLINE_QUERY";

/// The program that the environment names, or the one beside this one, or the name that `PATH` is searched for.
#[must_use]
pub fn query_program() -> PathBuf {
    if let Some(path) = std::env::var_os(VARIABLE).filter(|path| !path.is_empty()) {
        return path.into();
    }
    let own = std::env::current_exe().ok();
    let beside = own.map(|own| own.with_file_name(format!("{QUERY_PROGRAM}{}", std::env::consts::EXE_SUFFIX)));
    beside.filter(|program| program.is_file()).unwrap_or_else(|| PathBuf::from(QUERY_PROGRAM))
}

/// What the program is for and how to get it, for users. It must have the version of this program, because both read the same
/// cache and speak one protocol.
#[must_use]
pub fn missing_engine() -> String {
    let own = std::env::current_exe().ok();
    let folder = own.as_deref().and_then(Path::parent);
    let beside = folder.map_or_else(|| "beside flowline".to_owned(), |folder| format!("into {}", folder.display()));
    format!(
        "It is the optional part of Flowline {} that answers SQL queries about recordings. Put the program {QUERY_PROGRAM} of \
         the same version {beside} or into a folder of PATH. A copy of the source has it after `./dev query`.",
        env!("CARGO_PKG_VERSION")
    )
}
