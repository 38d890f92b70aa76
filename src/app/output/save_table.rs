//! Writes a table to a file.

use std::io;
use std::path::Path;

use super::guard::OutputGuard;
use flowline_session::{TableFile, TableFormat};

/// Writes a table. `goes_on` is called regularly with the number of rows written so far. Returns the number of rows, or
/// `None` if `goes_on` returned false; in that case and after an error, the file is unchanged.
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
