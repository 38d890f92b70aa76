//! What a frame shows and where: the scope, the lists of tracks and flows, the regions of the canvas. Everything that draws or
//! answers the pointer reads it.

mod canvas;
mod collapsed_group;
mod flow_area;
mod flow_lanes;
mod flow_list;
mod flow_scene;
mod flow_sections;
mod in_view;
mod item;
mod items;
mod note_layout;
mod placed_notes;
mod pointer_hits;
mod regions;
mod row_groups;
mod row_selection;
mod scene_input;
mod scope;
mod scope_rows;
mod scroll_marks;
mod search_view;
mod shape_cache;
mod time_labels;
mod track_counts;
mod track_list;
mod track_list_lookup;

pub use canvas::Canvas;
pub(crate) use collapsed_group::CollapsedGroupRows;
pub use flow_area::Area;
pub use flow_lanes::{FlowLaneGroup, FlowLanes};
pub use flow_list::{FLOW_HEADING_HEIGHT, FLOW_ROW_HEIGHT, FlowItem, FlowItemKind, FlowList, FlowPart};
pub use flow_scene::FlowScene;
pub use flow_sections::{AlsoConnected, CHAIN_LIMIT, FlowSections, GROUP_ABOVE, SectionContent, SectionRows};
pub use in_view::InViewFilter;
pub(crate) use item::item_kinds;
pub use item::{COUNTER_HEIGHT, Item, ItemKind, PROCESS_HEIGHT, ROW_HEIGHT, THREAD_HEIGHT};
pub use items::{
    CallRow, CollapsedGroup, CounterHeading, CounterItem, CustomHeading, CustomRow, EmptyThreads, FlowLaneHeading,
    FlowLaneItem, FlowTrackHeading, FlowTrackItem, MarkerRow, MoreGroups, NetworkHeading, NetworkRow, ProcessHeading,
    SamplesHeading, ThreadHeading,
};
pub(crate) use note_layout::{IndexedNote, NoteLayout, PlacedKey};
pub use placed_notes::{Anchor, PlacedNote};
pub use pointer_hits::{CallHit, FlowHit, FlowTarget, Hit, PointerHits};
pub use regions::{BAR_WIDTH, FLOW_HEADER_HEIGHT, FlowHeights, OVERVIEW_HEIGHT, Regions, SMALL_OVERVIEW_HEIGHT};
pub use row_groups::{is_deep, listed_groups, rows_height};
pub use row_selection::{BoxCount, SelectedShare};
pub(crate) use scene_input::LaidOut;
pub use scene_input::SceneInput;
pub use scope::{Scope, ScopeActivity, ScopeCounts, ScopeKey};
pub use scope_rows::ThreadPart;
pub use scroll_marks::{BarPart, ScrollMarks};
pub use search_view::SearchView;
pub use shape_cache::{FlowLaneShapes, FlowShapes, Shape, ShapeCache, ShapeKey};
pub use time_labels::format_time;
pub(crate) use time_labels::{TEXT_SIZE, pixel_of, text_width, time_label};
pub use track_counts::TrackCounts;
pub use track_list::{TrackList, TrackListKey};
