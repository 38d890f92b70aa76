//! `flowline dump collapsed` and `flowline dump speedscope`: samples as files of other programs.

use std::io::Write;

use anyhow::ensure;

use crate::profile::samples::Export;
use crate::profile::{Profile, ThreadId};

/// The format of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StackFile {
    Collapsed,
    Speedscope,
}

/// Writes the samples of a thread, or of all threads.
pub(super) fn stacks(
    out: &mut impl Write,
    profile: &Profile,
    thread: Option<u32>,
    format: StackFile,
) -> anyhow::Result<()> {
    let count = profile.threads.len();
    if let Some(thread) = thread {
        ensure!((thread as usize) < count, "there is no thread {thread}; the recording has {count}, numbered from 0");
    }
    let threads: Vec<ThreadId> = match thread {
        Some(thread) => vec![ThreadId(thread)],
        None => profile.threads_with_ids().map(|(id, _)| id).collect(),
    };
    let export = Export { profile, threads: &threads, range: None };
    match format {
        StackFile::Collapsed => export.write_collapsed(out)?,
        StackFile::Speedscope => export.write_speedscope(out)?,
    }
    Ok(())
}
