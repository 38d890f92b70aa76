//! The view state: time axis, tracks, selection, search text and flows, changed by [`ViewState::apply`].
//!
//! The view does not depend on drawing, text measurement or widgets. Times are on the recording's clock. Distances are
//! in device pixels, except the vertical scroll, which is in points.

mod command;
mod critical;
mod flow_lanes;
mod flows;
mod history;
mod insight_focus;
mod insight_zoom;
mod lit_entries;
mod note_jump;
mod notes;
mod perform;
mod presets;
mod selection_history;
mod selection_steps;
mod shared;
mod theme;
mod time;
mod track_state;
mod undo;
mod view_state;

pub use command::Command;
pub use critical::PathTarget;
pub use flow_lanes::{CheckState, FlowLaneChoices, FlowLaneCommand, FlowLaneOrder, FlowLaneView, TypeFilter};
pub use flowline_profile::Arrangement;
pub use flows::{ALL_STEPS, FlowCommand, FlowSection, FlowView};
pub use insight_focus::InsightFocus;
pub use lit_entries::LitEntries;
pub use notes::{NoteCommand, NoteId, NotesView};
pub use presets::{Preset, PresetFormat, PresetThreads, Presets, ThreadPattern};
pub use selection_history::{SelectedEntry, SelectionHistory};
pub use shared::{Pane, SharedView};
pub use theme::Theme;
pub use time::{Breadcrumbs, KeyMotion, Measure, MeasureEdge, Motion, MoveDirection, TimeAxis, TimeBounds};
pub use track_state::{
    QUERY_TRACKS, QueryTrack, QueryTrackCommand, RowSelection, RowSet, SelectedTab, TrackId, TrackOrder, TrackRanks,
    TrackRef, TrackSelection, Tracks, can_be_grouped, name_without_number,
};
pub use view_state::ViewState;
