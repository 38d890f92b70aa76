//! Output of commands: files, standard output, tables, progress.

mod command_output;
mod progress_line;
mod table_text;

pub(super) use command_output::{CommandOutput, Content};
pub(super) use progress_line::{CountLine, ProgressLine};
pub(super) use table_text::{Cell, aligned, markdown};
