//! Toolbar, status bar and headings of recordings.

mod analyze_menu;
mod applies;
mod category_menu;
mod completion;
mod kinds_legend;
pub(crate) mod pane_heading;
mod preset_menu;
mod recording_menu;
mod rows_switch;
mod search_box;
mod settings_menu;
pub(crate) mod status_line;
mod tab_menu;
pub(crate) mod toolbar;
mod toolbar_layout;
mod view_menu;
pub(crate) mod warnings;
