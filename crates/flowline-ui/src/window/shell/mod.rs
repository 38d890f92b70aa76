//! The whole window: toolbar, canvas, details, table, and status; the welcome page and errors without a recording.

mod app_request;
mod frame;
mod frame_layout;
mod input;
mod message;
mod overlays;
mod pane_contents;
mod pane_state;
mod panes;
mod preferences;
mod presets;
mod queries;
mod run_command;
mod state_transfer;
mod view_persistence;
mod widgets;
mod window_contents;

pub use app_request::AppRequest;
pub use message::Message;
pub use pane_contents::PaneContents;
pub use state_transfer::PreviousState;
pub use window_contents::Shell;
