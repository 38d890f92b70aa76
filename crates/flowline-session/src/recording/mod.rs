//! The open recording: its state, the refresh of each frame, and commands that need more than the view.

mod blank_recording;
mod command_effects;
mod empty_range;
mod first_view;
mod flow_selection;
mod hiding;
mod initial_expansion;
mod jobs;
mod nearest_markers;
mod neighbors;
mod notes;
mod open_recording;
mod opening_part;
mod pairing;
mod path_in_view;
mod queries;
mod range_subject;
mod refresh;
mod single_flow;
mod tabs;
mod view_transfer;

pub use blank_recording::BlankRecording;
pub use open_recording::{HoverSource, Session, with_margin};
pub use pairing::{ALIGNING_MILESTONES, Alignment, Pairing, milestone_alignment, milestone_alignments};
pub use range_subject::SummaryReach;
pub use tabs::selected_tab;
pub use view_transfer::transfer_view;
