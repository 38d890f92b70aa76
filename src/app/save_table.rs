//! Writes a table to a file.

use std::io;
use std::path::Path;

use super::output::OutputGuard;
use flowline_session::{TableFile, TableFormat};

/// Writes a table. `goes_on` gets the number of rows written from time to time. Returns the number of rows, or `None` if
/// `goes_on` returned false; then, as after an error, the file is as it was before.
///
/// # Errors
/// Errors of the file.
pub fn save_table(
    guard: &OutputGuard,
    table: &TableFile,
    path: &Path,
    format: TableFormat,
    goes_on: &mut dyn FnMut(u64) -> bool,
) -> io::Result<Option<u64>> {
    guard.write_file(path, |mut out| table.write(&mut out, format, goes_on))
}
