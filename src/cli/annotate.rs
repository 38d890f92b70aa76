//! `flowline annotate`: writes a copy of a trace with notes in it.

use anyhow::Context as _;

use super::scope_args::AnnotateArgs;
use super::{Opening, keep, notes_of, open, origin_for, terminal};
use crate::app::{KeptNotes, write_annotated_trace};
use crate::profile::text::format_counted;

pub(super) fn run(options: &AnnotateArgs, opening: &Opening) -> anyhow::Result<()> {
    let origin = origin_for(&options.file);
    let loaded = open(&origin, opening)?;
    let index = &loaded.index;
    let kept = || KeptNotes::for_recording(origin.path())?.read(index);
    let notes = match kept().filter(|_| opening.notes.is_none()) {
        Some(kept) => {
            kept.problems.iter().for_each(|problem| terminal::error_line(&format!("flowline: {problem}")));
            kept.notes
        }
        None => notes_of(index, opening)?,
    };
    let left_out =
        write_annotated_trace(&options.output, index, &notes).with_context(|| options.output.display().to_string())?;
    if left_out > 0 {
        let count = format_counted(left_out as u64, "note");
        terminal::error_line(&format!("flowline: {count} cannot be said in a trace"));
    }
    keep(&loaded);
    Ok(())
}
