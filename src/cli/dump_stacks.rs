//! `flowline dump collapsed` and `flowline dump speedscope`: samples as files of other programs.

use std::io::Write;

use crate::profile::samples::Export;
use crate::profile::{Profile, Thread, ThreadId};

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
    thread: Option<&str>,
    format: StackFile,
) -> anyhow::Result<()> {
    let threads: Vec<ThreadId> = match thread {
        Some(text) => vec![find_thread(profile, text)?],
        None => profile.threads_with_ids().map(|(id, _)| id).collect(),
    };
    let export = Export { profile, threads: &threads, range: None };
    match format {
        StackFile::Collapsed => export.write_collapsed(out)?,
        StackFile::Speedscope => export.write_speedscope(out)?,
    }
    Ok(())
}

/// The thread of a number, else the only one with an id, else the only one with a name.
fn find_thread(profile: &Profile, text: &str) -> anyhow::Result<ThreadId> {
    let number = text.parse().ok().filter(|number: &usize| *number < profile.threads.len());
    if let Some(number) = number {
        return Ok(ThreadId::new(number));
    }
    for known_as in [|thread: &Thread| &thread.tid, |thread: &Thread| &thread.name] {
        let mut found = profile.threads_with_ids().filter(|(_, thread)| known_as(thread) == text);
        match (found.next(), found.next()) {
            (Some((id, _)), None) => return Ok(id),
            (Some(_), Some(_)) => {
                anyhow::bail!("several threads are \"{text}\": say which by its number in `dump threads`")
            }
            (None, _) => {}
        }
    }
    anyhow::bail!("there is no thread \"{text}\"; `dump threads` lists all")
}
