//! The chart with its axis, the label column, and tracks.

mod arranging;
mod axis;
mod chrome;
mod counters;
mod critical_path;
mod custom_tracks;
mod empty_states;
mod film_strip;
mod first_view;
pub(crate) mod flags;
mod interactions;
mod long_tasks;
mod measuring;
pub(crate) mod milestones;
mod mouse;
mod nested_tracks;
mod opening_part;
mod page_frames;
mod query_tracks;
mod samples;
mod selection;
mod selection_picture;
mod shift_pictures;
mod stack_calls;
mod text_widths;
mod track_boxes;
mod tracks;
