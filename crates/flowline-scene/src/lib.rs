//! Builds packed instances and text runs for drawing, and does hit testing with the same geometry.
//!
//! [`Scene::build`] turns index and view into a [`Frame`]. It copies the visible spans of the visible rows, so its cost
//! depends on the rows and pixels on screen, not on the recording. No frame data stays on the GPU for the next frame,
//! so GPU memory is bounded by the screen size, whatever the file.

mod frame;
mod geometry;
mod hit_testing;
mod layout;
mod painting;
pub mod primitives;
pub mod reference;
pub mod svg;
mod theme;
mod tracks;
mod view_layout;
mod view_lines;
mod wait_parts;

pub use frame::{Batch, Frame, FrameId, Layer, TextRun, differing, frame_changes};
pub use geometry::{
    AxisMap, CLAMP_MARGIN, FixedPointColumns, PixelRect, diamond_reach, hatch_period, line_width, min_bordered_width,
};
pub use layout::{
    AlsoConnected, Anchor, Area, BAR_WIDTH, BarPart, BoxCount, CHAIN_LIMIT, COUNTER_HEIGHT, CallHit, CallRow, Canvas,
    CollapsedGroup, CounterHeading, CounterItem, EntryHit, FLOW_HEADER_HEIGHT, FLOW_ROW_HEIGHT, FlagText, FlowHeights,
    FlowHit, FlowItem, FlowItemKind, FlowLaneGroup, FlowLaneHeading, FlowLaneItem, FlowLaneShapes, FlowLanes, FlowList,
    FlowPart, FlowScene, FlowSections, FlowShapes, FlowTarget, FlowTrackHeading, FlowTrackItem, GROUP_ABOVE,
    GroupPlace, Hit, IdleThreads, InViewFilter, InstantLanes, Item, ItemKind, LANE_LINE, MarkerRow, MoreCounters,
    MoreGroups, MoreRows, MoreThreads, OVERVIEW_HEIGHT, OutsideLanes, OverviewParts, PROCESS_HEIGHT, PartSizes,
    PlacedFlag, PlacedNote, PointerHits, ProcessHeading, ROW_HEIGHT, Regions, RowFilter, SCREENS_OVERVIEW_HEIGHT,
    SMALL_OVERVIEW_HEIGHT, SamplesHeading, SceneInput, Scope, ScopeActivity, ScopeCounts, ScopeKey, ScrollMarks,
    SearchView, SectionContent, SectionRows, SelectedShare, Shape, ShapeCache, ShapeKey, StackRows, THREAD_HEIGHT,
    ThreadGroupHeading, ThreadHeading, ThreadPart, TrackCounts, TrackHeading, TrackList, TrackListKey, TrackPart,
    TrackRow, group_places, is_deep, kind_on_tracks, rows_height, stack_rows_in, text_ems,
};
pub use painting::flow_panel::flow_hit;
pub use painting::path_strip::{PATH_STRIP_HEIGHT, PathLabel, label as path_label};
pub use painting::scene::Scene;
pub use primitives::{
    Attribute, AttributeFormat, BOX_OPACITY, BOX_PAD, BarInstance, Blending, CounterInstance, EMPHASIS_SHIFT,
    EdgeLines, Emphasis, FlowInstance, FlowShapeKind, Instances, LinkInstance, LinkKind, MAX_ROWS, MarkerInstance,
    PipelineSpec, Primitive, PrimitiveKind, ROW_SHIFT, RectInstance, Registered, RowBounds, SHAPE_SHIFT,
};
pub use theme::{PALETTE_LEN, Palette, Rgba, with_alpha};
pub use tracks::counter::{counter_extremes, counter_spread, counter_time, counter_total};
pub use tracks::network::{phase_lines, phases_text, selected_requests};
pub use tracks::samples::{call_hit, cpu_spread};
pub use tracks::thread::hit;
pub use tracks::{
    ActivityGraph, Background, DumpLine, EntryCard, EntryTitle, FLOW_LANE_HEIGHT, LabelStyle, NearestMarkers,
    SAMPLES_HEIGHT, TRACK_KINDS, TrackEntry, TrackItem, TrackKind, TrackLabel, TrackPainter, TrackPlace, derived_kinds,
    entry_name, entry_title, has_contents, next_by_times, next_on_track, track_kind,
};
pub use view_layout::{LayoutInput, ViewLayout};
pub use view_lines::ViewLine;
pub use wait_parts::{BlockerText, WaitParts};
