//! `flowline annotate`: writes a copy of a trace that contains notes.

use super::args::AnnotateArgs;
use super::opening::{Opening, finish, notes_of, open, origin_for};
use super::output::{CommandOutput, Content};
use crate::app::{AnnotatedTrace, NotesStore, arrangement_of};
use flowline_format::format_counted;
use flowline_terminal as terminal;

pub(super) fn run(options: &AnnotateArgs, opening: &Opening) -> anyhow::Result<()> {
    let origin = origin_for(&options.file);
    let output = CommandOutput::new(&options.output, Content::Text, opening, &[&options.file])?;
    let loaded = open(&origin, opening)?;
    let index = &loaded.index;
    let kept = || NotesStore::for_recording(origin.path())?.read(index);
    let notes = match kept().filter(|_| opening.notes.is_none()) {
        Some(kept) => {
            kept.problems.iter().for_each(|problem| terminal::error_line(&format!("flowline: {problem}")));
            kept.notes
        }
        None => notes_of(index, opening)?,
    };
    let output = output.reading(&index.profile().source);
    let arrangement = arrangement_of(origin.path(), index);
    let trace = AnnotatedTrace::new(index, &notes, arrangement.as_deref())?;
    output.write_packed_by_name(flate2::Compression::default(), |out| Ok(trace.write(out)?))?;
    let omitted = trace.omitted;
    if omitted > 0 {
        let count = format_counted(omitted as u64, "note");
        terminal::error_line(&format!("flowline: left out {count} that traces cannot represent"));
    }
    finish(&loaded)
}
