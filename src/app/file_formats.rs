//! The formats of `flowline_import`, for the welcome page and the file dialogs.

use flowline_import::{CONTAINERS, file_endings, format_names};
use flowline_ui::FileFormats;

/// The formats that can be opened.
#[must_use]
pub fn file_formats() -> FileFormats {
    let names = format!("{}; plain or compressed ({})", format_names(), CONTAINERS.join(", "));
    FileFormats { names, endings: file_endings().collect() }
}
