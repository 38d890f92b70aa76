//! Which parts of the window are open.

use crate::hidden_panels::HiddenPanels;
use crate::tables::TableKind;

/// What is open and shown.
#[derive(Debug, Default)]
pub struct ShellState {
    /// Which table is shown, if one is.
    pub table: Option<TableKind>,
    /// The table that was shown last, while none is.
    pub(super) last_table: TableKind,
    /// Panels that are put away.
    pub hidden: HiddenPanels,
    /// Whether the help is shown.
    pub show_help: bool,
    /// Whether the warnings are shown.
    pub show_warnings: bool,
    /// Frame time to show, if asked for.
    pub frame_ms: Option<f64>,
    /// Put the text cursor into the search box.
    pub(crate) focus_search: bool,
    pub(super) show_frame_time: bool,
    /// Whether a click on a marker keeps no tooltip.
    pub keeps_no_tooltip: bool,
    /// Whether a plain drag on the chart selects a box.
    pub box_mode: bool,
}
