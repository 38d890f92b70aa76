//! The open parts of the window.

use crate::details::section::CollapsedSections;
use crate::hidden_panels::HiddenPanels;
use crate::tables::TableKind;

/// Open panels and modes of the window.
#[derive(Debug, Default)]
pub struct ShellState {
    /// The open table.
    pub table: Option<TableKind>,
    /// The table to open next time while none is open.
    pub(super) last_table: TableKind,
    /// Hidden panels.
    pub hidden: HiddenPanels,
    /// The collapsed sections of the details.
    pub collapsed: CollapsedSections,
    /// True if the user opened the details in a narrow window, which otherwise does not show them.
    pub(super) opened_details: bool,
    /// True if the last frame showed the details.
    pub shows_details: bool,
    /// True while the help is shown.
    pub show_help: bool,
    /// True while the settings are shown.
    pub show_settings: bool,
    /// True while the presets are shown.
    pub show_presets: bool,
    /// True while the dialog about the program is shown.
    pub show_about: bool,
    /// True while the import warnings are shown.
    pub show_warnings: bool,
    /// Frame time in milliseconds, if the user has turned on its display.
    pub frame_ms: Option<f64>,
    /// True to move the keyboard focus to the search box.
    pub(crate) focus_search: bool,
    pub(super) show_frame_time: bool,
    /// True if dragging on the chart selects a box.
    pub box_mode: bool,
}
