//! Writes a part of a recording in the recording's format.

use std::io::Write;

use super::scope::{CutError, CutScope};
use crate::formats::{Cut, FORMATS, cut_format_names};
use crate::perfetto;
use crate::progress::Progress;
use flowline_profile::{Profile, SourceKind};

/// Checks that recordings of this format can be cut.
///
/// # Errors
/// [`CutError::Unsupported`] if they cannot.
pub fn check_format(profile: &Profile) -> Result<(), CutError> {
    cut_of(profile).map(|_| ())
}

/// Writes a part of a recording in the recording's format; `progress` counts bytes of the whole text.
///
/// # Errors
/// Returns a [`CutError`]; `out` then contains the beginning of the part.
pub fn write_part(scope: &CutScope<'_>, out: &mut dyn Write, progress: &Progress) -> Result<(), CutError> {
    cut_of(scope.profile)?(scope, out, progress)?;
    out.flush()?;
    Ok(())
}

/// Writes a part of a recording as JSON: like [`write_part`], but a part of a binary trace becomes trace events.
///
/// # Errors
/// Same as [`write_part`].
pub fn write_json_part(scope: &CutScope<'_>, out: &mut dyn Write, progress: &Progress) -> Result<(), CutError> {
    let cut = match scope.profile.meta.kind {
        SourceKind::PerfettoTrace => perfetto::cut_as_json,
        _ => cut_of(scope.profile)?,
    };
    cut(scope, out, progress)?;
    out.flush()?;
    Ok(())
}

/// The function that cuts recordings of this format.
fn cut_of(profile: &Profile) -> Result<Cut, CutError> {
    let kind = profile.meta.kind;
    let format = FORMATS.iter().find(|format| format.kinds.contains(&kind));
    format
        .and_then(|format| format.cut)
        .ok_or_else(|| CutError::Unsupported { supported: cut_format_names(), format: kind.label() })
}
