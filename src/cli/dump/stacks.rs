//! `flowline dump collapsed` and `flowline dump speedscope`: samples in formats of other tools.

use std::io::Write;

use super::calltree::request;
use crate::cli::args::DumpArgs;
use flowline_profile::Profile;
use flowline_profile::samples::Export;

/// File format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StackFile {
    Collapsed,
    Speedscope,
}

/// Writes the samples of one or all threads within a range.
pub(super) fn stacks(
    out: &mut impl Write,
    profile: &Profile,
    options: &DumpArgs,
    format: StackFile,
) -> anyhow::Result<()> {
    let request = request(profile, options.thread.as_deref(), "", &options.tree)?;
    let export = Export { profile, threads: &request.threads, range: request.range };
    match format {
        StackFile::Collapsed => export.write_collapsed(out)?,
        StackFile::Speedscope => export.write_speedscope(out)?,
    }
    Ok(())
}
