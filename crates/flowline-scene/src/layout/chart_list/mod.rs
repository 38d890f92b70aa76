//! The list of the chart's items: headings, rows and counters, with lookups by position, track and marker.

mod collapsed_group;
mod group_state;
mod in_view;
mod item;
mod items;
mod lookup;
mod row_filter;
mod row_groups;
mod row_selection;
mod scroll_marks;
mod stack_rows;
mod track_list;

pub(crate) use collapsed_group::CollapsedGroupRows;
pub(crate) use group_state::{collapse_deep_groups, expand_revealed};
pub use in_view::InViewFilter;
pub use item::{COUNTER_HEIGHT, Item, ItemKind, PROCESS_HEIGHT, ROW_HEIGHT, THREAD_HEIGHT};
pub(crate) use item::{THREAD_TRACKS, compact_height, item_kinds};
pub use items::{
    CallRow, CollapsedGroup, CounterHeading, CounterItem, FlowLaneHeading, FlowLaneItem, FlowTrackHeading,
    FlowTrackItem, IdleThreads, InstantLanes, MarkerRow, MoreCounters, MoreGroups, MoreRows, MoreThreads, OutsideLanes,
    ProcessHeading, SamplesHeading, ThreadGroupHeading, ThreadHeading, TrackHeading, TrackRow,
};
pub(crate) use lookup::steady_items;
pub use row_filter::RowFilter;
pub use row_groups::{GroupPlace, group_places, is_deep, kind_on_tracks, rows_height};
pub use row_selection::{BoxCount, SelectedShare};
pub use scroll_marks::{BarPart, ScrollMarks};
pub use stack_rows::{StackRows, stack_rows_in};
pub use track_list::{TrackList, TrackListKey};
