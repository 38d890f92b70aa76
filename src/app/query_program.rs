//! Finds `flowline-query`, the program for SQL. It is a package of its own, because this program must not depend on a database.

use std::path::PathBuf;

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
