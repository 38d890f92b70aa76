//! What a frame shows and where: the scope, the lists of tracks and flows, the regions of the canvas. Everything that draws or
//! answers the pointer reads it.

mod canvas;
mod chart_list;
mod filters;
mod flag_placement;
mod flow_content;
mod note_layout;
mod overview_parts;
mod placed_flag;
mod placed_notes;
mod pointer_hits;
mod regions;
mod scene_input;
mod scrolling;
mod shown_flags;
mod text_metrics;
mod time_labels;

pub use canvas::Canvas;
pub use chart_list::{
    BarPart, BoxCount, COUNTER_HEIGHT, CallRow, CollapsedGroup, CounterHeading, CounterItem, FlowLaneHeading,
    FlowLaneItem, FlowTrackHeading, FlowTrackItem, GroupPlace, IdleThreads, InViewFilter, InstantLanes, Item, ItemKind,
    MarkerRow, MoreCounters, MoreGroups, MoreRows, MoreThreads, OutsideLanes, PROCESS_HEIGHT, ProcessHeading,
    ROW_HEIGHT, RowFilter, SamplesHeading, ScrollMarks, SelectedShare, StackRows, THREAD_HEIGHT, ThreadGroupHeading,
    ThreadHeading, TrackHeading, TrackList, TrackListKey, TrackRow, group_places, is_deep, kind_on_tracks, rows_height,
    stack_rows_in,
};
pub(crate) use chart_list::{
    CollapsedGroupRows, THREAD_TRACKS, collapse_deep_groups, compact_height, expand_revealed, item_kinds, steady_items,
};
pub(crate) use filters::TrackMarkers;
pub use filters::{Scope, ScopeActivity, ScopeCounts, ScopeKey, SearchView, ThreadPart, TrackCounts, TrackPart};
pub(crate) use flag_placement::{flag_indent, lane_rows, place_flags};
pub use flow_content::{
    AlsoConnected, Area, CHAIN_LIMIT, FLOW_ROW_HEIGHT, FlowItem, FlowItemKind, FlowLaneGroup, FlowLaneShapes,
    FlowLanes, FlowList, FlowPart, FlowScene, FlowSections, FlowShapes, GROUP_ABOVE, SectionContent, SectionRows,
    Shape, ShapeCache, ShapeKey,
};
pub(crate) use note_layout::{EntryRow, IndexedNote, NoteLayout, PlacedKey};
pub use overview_parts::OverviewParts;
pub use placed_flag::{FlagText, PlacedFlag};
pub use placed_notes::{Anchor, PlacedNote};
pub use pointer_hits::{CallHit, EntryHit, FlowHit, FlowTarget, Hit, PointerHits};
pub use regions::{
    BAR_WIDTH, FLOW_HEADER_HEIGHT, FlowHeights, LANE_LINE, OVERVIEW_HEIGHT, PartSizes, Regions,
    SCREENS_OVERVIEW_HEIGHT, SMALL_OVERVIEW_HEIGHT,
};
pub(crate) use scene_input::LaidOut;
pub use scene_input::SceneInput;
pub(crate) use scrolling::scroll_to;
pub use text_metrics::text_ems;
pub(crate) use time_labels::{TEXT_SIZE, axis_label, pixel_of, text_width, time_label};
