//! Output of programs to a terminal, with escaped control characters.

mod terminal;

pub use terminal::{
    Output, binary_output, bytes_output, error_line, error_text, escape_panics, has_terminal, is_terminal, line,
    output_file, status_line, table_output, unlocked_output, visible,
};
