//! The view state: time axis, tracks, selection, search text and flows, changed by [`ViewState::apply`].
//!
//! The view does not depend on drawing, text measurement or widgets. Times are on the recording's clock. Distances are
//! in device pixels, except the vertical scroll, which is in points.

mod axis;
mod breadcrumbs;
mod command;
mod critical;
mod flow_lanes;
mod flows;
mod history;
mod key_motion;
mod measure;
mod note_jump;
mod notes;
mod row_set;
mod shared;
mod theme;
mod time_bounds;
mod track_commands;
mod track_order;
mod track_selection;
mod tracks;
mod undo;
mod view_state;
mod zoom;

pub use axis::{Motion, TimeAxis};
pub use breadcrumbs::Breadcrumbs;
pub use command::Command;
pub use critical::PathTarget;
pub use flow_lanes::{CheckState, FlowLaneCommand, FlowLaneOrder, FlowLaneView, TypeFilter};
pub use flowline_profile::Arrangement;
pub use flows::{ALL_STEPS, FlowCommand, FlowSection, FlowView};
pub use key_motion::{KeyMotion, MoveDirection};
pub use measure::{Measure, MeasureEdge};
pub use notes::{NoteCommand, NoteId, NotesView};
pub use row_set::RowSet;
pub use shared::{Pane, SharedView};
pub use theme::Theme;
pub use time_bounds::TimeBounds;
pub use track_order::{TrackOrder, TrackRef};
pub use track_selection::{RowSelection, TrackSelection};
pub use tracks::Tracks;
pub use view_state::ViewState;
