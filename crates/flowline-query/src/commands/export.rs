//! `flowline-query export-tables FILE... -o FOLDER`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::PoisonError;

use flowline_format::{format_bytes, format_counted};
use flowline_terminal::error_line;
use rayon::prelude::*;

use crate::export::{ExportOptions, Exported, export_tables, is_exported};
use crate::recording::{OpenOptions, open_recording, recording_id};

/// The outcome for a file.
enum Outcome {
    Written(Exported),
    Skipped,
    Failed(String),
}

fn one(file: &Path, open: &OpenOptions, labels: &[(String, String)], options: &ExportOptions) -> Outcome {
    // The id is known without opening the recording.
    if recording_id(file, &open.cache).is_ok_and(|id| is_exported(&options.folder, &id)) {
        return Outcome::Skipped;
    }
    let exported = open_recording(file, open, labels).and_then(|recording| export_tables(&recording, options));
    exported.map_or_else(|error| Outcome::Failed(error.find_root().strip_backtrace()), Outcome::Written)
}

/// Exports files in parallel and reports each, failures to standard error; returns false if any failed.
///
/// # Errors
/// If the report cannot be written.
pub(crate) fn run(
    files: &[PathBuf],
    open: &OpenOptions,
    labels: &[(String, String)],
    options: &ExportOptions,
    report: &mut (dyn Write + Send),
) -> std::io::Result<bool> {
    let report = Mutex::new(report);
    let outcomes: Vec<Outcome> = files
        .par_iter()
        .with_max_len(1)
        .map(|file| {
            let outcome = one(file, open, labels, options);
            let line = match &outcome {
                Outcome::Written(done) => {
                    format!("{}, {}", format_counted(done.rows, "row"), format_bytes(done.bytes as f64))
                }
                Outcome::Skipped => "already exported".into(),
                Outcome::Failed(reason) => {
                    error_line(&format!("flowline-query: {}: failed: {reason}", file.display()));
                    return outcome;
                }
            };
            let mut report = report.lock().unwrap_or_else(PoisonError::into_inner);
            // The summary tells of failures, too.
            let _closed = writeln!(report, "{}: {line}", file.display());
            outcome
        })
        .collect();
    let mut sum = Exported::default();
    let (mut written, mut skipped, mut failed) = (0_u64, 0_u64, 0_u64);
    for outcome in outcomes {
        match outcome {
            Outcome::Written(done) => {
                written += 1;
                sum.rows += done.rows;
                sum.slices += done.slices;
                sum.bytes += done.bytes;
            }
            Outcome::Skipped => skipped += 1,
            Outcome::Failed(_) => failed += 1,
        }
    }
    let report = report.into_inner().unwrap_or_else(PoisonError::into_inner);
    writeln!(
        report,
        "{} exported, {skipped} skipped, {failed} failed; {}, {}",
        format_counted(written, "recording"),
        format_counted(sum.slices, "slice"),
        format_bytes(sum.bytes as f64),
    )?;
    Ok(failed == 0)
}
