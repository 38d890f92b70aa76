//! The window's contents: panels, tables, tooltips, and keys and mouse turned into commands. egui around the canvas.
//!
//! A frame runs in this order ([`Shell::show`]): commands of the last frame's widgets, then input, each event to its target;
//! the panels divide the window; one refresh lays the view out; the widgets show it. Widgets never change the view: what
//! they ask for is applied at the beginning of the next frame. The parts of the canvas only reserve space; the scene draws
//! there.

mod canvas;
mod details;
mod input;
mod tables;
mod widgets;
mod window;

pub use details::{payload_tree::PayloadTree, slice_tree::SliceTree};
pub use input::keys::KeyMap;
pub use tables::TableKind;
pub use widgets::style;
pub use window::frame_runner::{FrameOutput, FrameRunner};
pub use window::panels::Panels;
pub use window::shell::{Loading, Request, Shell};
