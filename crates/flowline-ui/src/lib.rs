//! Contents of the window: panels, tables and tooltips around the canvas, and the commands of keyboard and mouse.
//! Built on egui.
//!
//! A frame runs in this order ([`Shell::show`]):
//! 1. Apply the commands that the widgets of the last frame returned.
//! 2. Dispatch each input event to its target.
//! 3. Divide the window among its panels.
//! 4. Refresh the session, which lays out the view.
//! 5. Show the widgets.
//!
//! Widgets never change the view. They return commands, which are applied at the beginning of the next frame. Widgets
//! of the canvas only reserve space; the scene draws there.

mod canvas;
mod commands;
mod details;
pub(crate) mod hidden_panels;
mod input;
mod interface_scale;
mod preferences;
mod saved_view;
mod source_search;
pub(crate) mod table_state;
mod tables;
mod toast;
mod widget_requests;
mod widgets;
mod window;

pub use canvas::label_column::STICKY_HEIGHT;
pub use canvas::overview_labels::{LaneText, overview_lanes};
pub use commands::{KeyMap, key_titles, keys_markdown};
pub use details::{
    arguments::Arguments, context_tree::ContextSection, section::CollapsedSections, stack_tree::StackSection,
};
pub use hidden_panels::HiddenPanels;
pub use interface_scale::{SCALE_LIMITS, clamp_scale};
pub use preferences::Preferences;
pub use saved_view::{ARRANGEMENT, SavedPanelSizes, SavedView, own_arrangement};
pub use source_search::SourceSearch;
pub use tables::TableKind;
pub use tables::flow_table::FlowColumn;
pub use toast::{Toast, ToastKind};
pub use widget_requests::{NotesFile, RecordingPart, TreeStacks};
pub use widgets::style;
pub use widgets::table::Widths;
pub use window::dialogs::about::AboutFacts;
pub use window::dialogs::loading::{LoadedPart, Loading};
pub use window::dialogs::opening_part::opening_notice;
pub use window::dialogs::question::Question;
pub use window::dialogs::save_dialog::{ImageFormat, NotesFormat, StackFormat};
pub use window::dialogs::save_progress::{FollowedWork, SaveProgress};
pub use window::file_formats::FileFormats;
pub use window::frame_runner::{FrameOutput, FrameRunner};
pub use window::panels::Panels;
pub use window::recent_activity::RecentActivity;
pub use window::recent_file::{RecentFacts, RecentFile};
pub use window::render_command::shell_word;
pub use window::shell::{AppRequest, Message, PaneContents, PreviousState, Shell};
