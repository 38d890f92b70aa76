//! The toolbar with its search box, the status line, and the headings of two recordings.

mod category_menu;
mod completion;
pub(crate) mod pane_heading;
mod search_box;
pub(crate) mod status_line;
pub(crate) mod toolbar;
mod toolbar_layout;
