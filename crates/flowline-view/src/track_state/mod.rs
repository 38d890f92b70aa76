//! State of the tracks: collapsed, hidden and pinned ones, their order, and the selected rows.

mod query_track;
mod query_tracks;
mod row_set;
mod selected_tab;
mod tab_choice;
mod thread_groups;
mod track_commands;
mod track_id;
mod track_order;
mod track_selection;
mod tracks;

pub use query_track::{QUERY_TRACKS, QueryTrack, QueryTrackCommand};
pub use row_set::RowSet;
pub use selected_tab::SelectedTab;
pub use thread_groups::{can_be_grouped, name_without_number};
pub use track_id::TrackId;
pub use track_order::{TrackOrder, TrackRanks, TrackRef};
pub use track_selection::{RowSelection, TrackSelection};
pub use tracks::Tracks;
pub(crate) use tracks::toggle;
