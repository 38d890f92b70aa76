//! Writes a part of a recording in the recording's format.

use std::io::{self, Write};

use super::json_filter::JsonFilter;
use super::readable::ReadableOnly;
use super::removal::TextFilter;
use super::scope::{CutError, CutScope};
use crate::formats::{Cut, FORMATS, cut_format_names};
use crate::perfetto::{self, PacketFilter};
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
/// Returns a [`CutError`]; `out` then contains the beginning of the part, or nothing if the part could not be opened.
pub fn write_part(scope: &CutScope<'_>, out: &mut dyn Write, progress: &Progress) -> Result<(), CutError> {
    let cut = cut_of(scope.profile)?;
    // A trace that was read as text is written as text.
    let has_packets = scope.profile.source.events().is_some();
    write_filtered(scope, out, progress, cut, if has_packets { Form::Packets } else { Form::Json })
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
    write_filtered(scope, out, progress, cut, Form::Json)
}

/// The form of the output.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Json,
    Packets,
}

/// Writes a part without the content to remove. A part without URLs is written twice: the first time, only to learn the hosts of
/// its URLs.
fn write_filtered(
    scope: &CutScope<'_>,
    out: &mut dyn Write,
    progress: &Progress,
    cut: Cut,
    form: Form,
) -> Result<(), CutError> {
    let mut out = ReadableOnly::new(out);
    if scope.removal.is_empty() {
        cut(scope, &mut out, progress)?;
        return out.finish();
    }
    let mut filter = TextFilter::new(scope.removal);
    let write = |out: &mut dyn Write, filter: &mut TextFilter| -> Result<(), CutError> {
        if form == Form::Packets {
            let mut out = PacketFilter::new(out, filter);
            cut(scope, &mut out, progress)?;
            return Ok(out.finish()?);
        }
        let mut out = JsonFilter::new(out, filter);
        cut(scope, &mut out, progress)?;
        Ok(out.finish()?)
    };
    if scope.removal.urls {
        write(&mut io::sink(), &mut filter)?;
    }
    filter.start_replacing();
    write(&mut out, &mut filter)?;
    out.finish()
}

/// The function that cuts recordings of this format.
fn cut_of(profile: &Profile) -> Result<Cut, CutError> {
    let kind = profile.meta.kind;
    let format = FORMATS.iter().find(|format| format.kinds.contains(&kind));
    format
        .and_then(|format| format.cut)
        .ok_or_else(|| CutError::Unsupported { supported: cut_format_names(), format: kind.label() })
}
