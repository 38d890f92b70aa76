//! The window's content: panels, tables and tooltips around the canvas, and commands from keyboard and mouse. Uses
//! egui. A frame runs in this order ([`Shell::show`]): commands of the last frame's widgets; input, each event to its
//! target; division of the window among its panels; one refresh, which lays the view out; the widgets, which show it.
//! Widgets never change the view: they return commands, which are applied at the beginning of the next frame. Widgets
//! of the canvas only reserve space; the scene draws there.

mod asks;
mod canvas;
pub(crate) mod choices;
mod details;
pub(crate) mod hidden_panels;
mod input;
mod interface_scale;
mod saved_view;
mod source_search;
mod tables;
mod widgets;
mod window;

pub use asks::{NotesFile, TreeStacks};
pub use canvas::label_column::STICKY_HEIGHT;
pub use details::{payload_tree::PayloadTree, slice_tree::SliceTree};
pub use hidden_panels::HiddenPanels;
pub use input::keys::KeyMap;
pub use interface_scale::{SCALES, usable_scale};
pub use saved_view::{SavedSizes, SavedView};
pub use source_search::SourceSearch;
pub use tables::TableKind;
pub use tables::flow_table::FlowColumn;
pub use widgets::style;
pub use widgets::table::Widths;
pub use window::frame_runner::{FrameOutput, FrameRunner};
pub use window::loading::{Loading, ShownSoFar};
pub use window::panels::Panels;
pub use window::question::Question;
pub use window::recent_file::RecentFile;
pub use window::save_dialog::{NotesForm, PictureFormat, StackFormat};
pub use window::saving::Saving;
pub use window::shell::{Message, OtherPane, Request, Shell, ShownBefore};
