//! Builds packed instances and text runs for drawing, and does hit testing with the same geometry.
//!
//! [`Scene::build`] turns index and view into a [`Frame`]. It copies the visible spans of the visible rows, so its cost
//! depends on the rows and pixels on screen, not on the recording. No frame data stays on the GPU for the next frame,
//! so GPU memory is bounded by the screen size, whatever the file.

mod axis_map;
mod chart;
mod critical_path;
mod fixed_point_columns;
mod flows;
mod frame;
mod frame_damage;
mod initiators;
mod labels;
mod measure;
mod note_index;
mod note_placement;
mod notes;
mod overlays;
mod overview;
mod path_strip;
mod pixel_rect;
mod pointer_hits;
pub mod primitives;
pub mod reference;
mod regions;
mod row_selection;
mod ruler;
mod scope;
mod scope_rows;
mod scroll_marks;
mod selection;
pub mod svg;
mod theme;
mod track_counts;
mod tracks;
mod view_layout;

pub use axis_map::{AxisMap, CLAMP_MARGIN};
pub use fixed_point_columns::FixedPointColumns;
pub use flows::{
    AlsoConnected, Area, CHAIN_LIMIT, FLOW_HEADING_HEIGHT, FLOW_ROW_HEIGHT, FlowHit, FlowItem, FlowItemKind,
    FlowLaneShapes, FlowList, FlowPart, FlowScene, FlowSections, FlowShapes, FlowTarget, GROUP_ABOVE, SectionContent,
    SectionRows, Shape, ShapeCache, ShapeKey, flow_hit,
};
pub use frame::{Batch, Frame, FrameId, Layer, TextRun};
pub use frame_damage::{differing, frame_changes};
pub use note_placement::{Anchor, PlacedNote};
pub use path_strip::{PATH_STRIP_HEIGHT, PathLabel, label as path_label};
pub use pixel_rect::{PixelRect, hatch_period, line_width, min_bordered_width};
pub use pointer_hits::PointerHits;
pub use primitives::{
    Attribute, AttributeFormat, BOX_OPACITY, BOX_PAD, BarInstance, Blending, CounterInstance, EMPHASIS_SHIFT,
    EdgeLines, Emphasis, FlowInstance, FlowShapeKind, Instances, LinkInstance, LinkKind, MAX_ROWS, MarkerInstance,
    PipelineSpec, Primitive, PrimitiveKind, ROW_SHIFT, RectInstance, Registered, RowBounds, SHAPE_SHIFT,
};
pub use regions::{BAR_WIDTH, FLOW_HEADER_HEIGHT, FlowHeights, OVERVIEW_HEIGHT, Regions, SMALL_OVERVIEW_HEIGHT};
pub use row_selection::{BoxCount, SelectedShare};
pub use ruler::format_time;
pub use scope::{Scope, ScopeActivity, ScopeCounts, ScopeKey};
pub use scope_rows::ThreadPart;
pub use scroll_marks::{BarPart, ScrollMarks};
pub use theme::{PALETTE_LEN, Palette, Rgba, with_alpha};
pub use track_counts::TrackCounts;
pub use tracks::counter::{counter_extremes, counter_spread, counter_time, counter_total};
pub use tracks::samples::{CallHit, call_hit, cpu_spread};
pub use tracks::thread::{Hit, hit};
pub use tracks::{
    Background, COUNTER_HEIGHT, CallRow, CollapsedGroup, CounterHeading, CounterItem, CustomHeading, CustomRow,
    EmptyThreads, FLOW_LANE_HEIGHT, FlowLaneGroup, FlowLaneHeading, FlowLaneItem, FlowLanes, FlowTrackHeading,
    FlowTrackItem, InViewFilter, Item, ItemKind, LabelStyle, MarkerRow, MoreGroups, NetworkHeading, NetworkRow,
    PROCESS_HEIGHT, ProcessHeading, ROW_HEIGHT, SAMPLES_HEIGHT, SamplesHeading, THREAD_HEIGHT, ThreadHeading,
    TrackItem, TrackLabel, TrackList, TrackListKey, is_deep, lane_title, listed_groups, rows_height,
};
pub use view_layout::{Canvas, LayoutInput, ViewLayout};

use flowline_index::flows::FlowSetup;
use flowline_index::samples::MatchingCalls;
use flowline_index::search::{HitLayout, Hits, Problem};
use flowline_index::waits::CriticalPath;
use flowline_index::{Index, IndexId, Packed};
use flowline_profile::MarkerId;
use flowline_view::ViewState;

/// A search result as drawn, possibly partial.
#[derive(Debug)]
pub struct SearchView {
    /// Number of the result; lists built from another result are stale.
    pub number: u64,
    /// True if the search has finished.
    pub complete: bool,
    /// Search text.
    pub text: String,
    /// Parts of the search text that could not be parsed as intended.
    pub problems: Vec<Problem>,
    /// Markers found.
    pub hits: Hits,
    /// The row layout of the hits.
    pub layout: HitLayout,
    /// Functions found in samples; empty until the search is complete.
    pub calls: MatchingCalls,
    /// For each slice of the overview, true if it contains a hit.
    pub slices: Vec<bool>,
}

/// Input of a frame. Only [`ViewLayout::scene_input`] creates it, so view and list always belong together.
#[derive(Clone, Copy)]
pub struct SceneInput<'a> {
    /// The recording and its index.
    pub index: &'a Index,
    /// The view.
    pub view: &'a ViewState,
    /// The chart's content, built for this view.
    pub list: &'a TrackList,
    /// The search, if there is one, complete or not.
    pub search: Option<&'a SearchView>,
    /// The active scope.
    pub scope: &'a Scope,
    /// The critical path, if it has been computed and is shown.
    pub path: Option<&'a CriticalPath>,
    /// Display settings of flows, and the flows that are tracks of the chart.
    pub setup: &'a FlowSetup,
    /// The flow panel, if it is shown.
    pub flows: Option<FlowScene<'a>>,
    /// The shapes of flow lanes, if flow lanes are shown.
    pub flow_lanes: Option<&'a FlowLaneShapes>,
    /// Positions of notes.
    notes: &'a note_index::NoteLayout,
    /// True if the pointer line with its time is drawn through all parts of the canvas.
    pub shows_ruler: bool,
    /// Regions of the canvas.
    pub regions: Regions,
    /// Canvas size in device pixels.
    pub size: [u32; 2],
    /// Device pixels per point.
    pub scale: f32,
    /// The pointer in device pixels, if it is over the canvas.
    pub pointer: Option<(f32, f32)>,
    /// Pointer position over the time axis of the other recording, in device pixels from the left.
    pub other_pointer: Option<f32>,
    _laid_out: LaidOut,
}

/// Prevents other modules from creating a [`SceneInput`].
#[derive(Clone, Copy)]
struct LaidOut(());

impl SceneInput<'_> {
    /// The same input for a canvas of another size in device pixels.
    #[must_use]
    pub const fn with_size(mut self, size: [u32; 2]) -> Self {
        self.size = size;
        self
    }

    /// Ticks and style of a marker.
    #[must_use]
    pub fn packed_marker(&self, marker: MarkerId) -> Option<Packed> {
        flows::packed_marker(self, marker)
    }

    /// The time axis for the shader.
    #[must_use]
    pub fn axis_map(&self) -> AxisMap {
        AxisMap::new(&self.view.axis, self.index.clock())
    }

    /// Top of an item in device pixels, on a whole pixel.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "screen coordinates")]
    pub fn item_y(&self, item: &Item) -> f32 {
        self.regions.chart.y + ((item.y - self.view.scroll) * f64::from(self.scale)).round() as f32
    }

    /// Height of an item in device pixels, so that items touch without gaps or overlaps.
    #[must_use]
    pub fn item_height(&self, item: &Item) -> f32 {
        let below = Item { y: item.y + item.height, ..*item };
        self.item_y(&below) - self.item_y(item)
    }

    /// The notes over the chart in time order, for drawing and hit testing.
    #[must_use]
    pub fn placed_notes(&self) -> &[PlacedNote] {
        self.notes.placed()
    }

    /// Pointer position over a time axis, of this or the other recording, in device pixels from the left.
    #[must_use]
    pub fn timed_pointer(&self) -> Option<f32> {
        let here = self.pointer.filter(|(x, y)| self.regions.is_timed(*x, *y)).map(|(x, _)| x);
        here.or(self.other_pointer)
    }

    /// The flow whose label in the flow panel is at a point of the canvas.
    #[must_use]
    pub fn flow_label_at(&self, x: f32, y: f32) -> Option<flowline_profile::FlowId> {
        let labels = [self.regions.flow_labels, self.regions.pinned_labels];
        let number = labels.iter().position(|labels| labels.contains(x, y))?;
        let area = self.flow_areas()?[number];
        area.part.at(area.scroll + f64::from((y - area.rect.y) / area.scale))?.flow()
    }

    /// The hits at a point of the canvas.
    #[must_use]
    pub fn hits(&self, x: f32, y: f32) -> PointerHits {
        if self.regions.path.contains(x, y) {
            return path_strip::hits(self, x);
        }
        if self.regions.chart.contains(x, y) {
            let at = self.view.scroll + f64::from((y - self.regions.chart.y) / self.scale);
            return self.list.at(at).map(|item| item.kind.hits(self, item, x, y)).unwrap_or_default();
        }
        let on_label = self.flow_label_at(x, y).map(|flow| FlowHit::Flow { flow, target: FlowTarget::Row });
        PointerHits { flow: flow_hit(self, x, y).or(on_label), ..PointerHits::default() }
    }

    /// The items on screen.
    #[must_use]
    pub fn visible_items(&self) -> &[Item] {
        let height = f64::from(self.regions.chart.height / self.scale);
        self.list.visible(self.view.scroll, self.view.scroll + height)
    }
}

/// Builds frames, reusing data from the previous frame.
#[derive(Debug)]
pub struct Scene {
    frame: Frame,
    /// The frame before, whose memory the next frame reuses.
    before: Frame,
    /// The recording that the caches below belong to.
    index: Option<IndexId>,
    /// The marker whose start is the time origin of labels.
    zero: Option<MarkerId>,
    tracks: tracks::Painters,
    overview: overview::OverviewCache,
    path: flows::PathCache,
}

impl Default for Scene {
    fn default() -> Self {
        let axis = AxisMap { origin: 0, fraction: 0.0, pixels_per_tick: 1.0, width: 1.0 };
        let frame = Frame::new([1, 1], 1.0, Palette::for_theme(flowline_view::Theme::Dark), axis, 0.0);
        Self {
            before: frame.clone(),
            frame,
            index: None,
            zero: None,
            tracks: tracks::Painters::default(),
            overview: overview::OverviewCache::default(),
            path: flows::PathCache::default(),
        }
    }
}

impl Scene {
    /// Builds the frame of a view.
    pub fn build(&mut self, input: &SceneInput<'_>) -> &Frame {
        // Labels can contain times.
        if (self.index, self.zero) != (Some(input.index.id()), input.view.zero) {
            *self = Self { index: Some(input.index.id()), zero: input.view.zero, ..Self::default() };
        }
        std::mem::swap(&mut self.frame, &mut self.before);
        let frame = &mut self.frame;
        frame.clear();
        frame.size = input.size;
        frame.scale = input.scale;
        frame.palette = Palette::for_theme(input.view.theme);
        frame.axis = input.axis_map();
        frame.axis_left = input.regions.chart.x;
        frame.begin_layer(Layer::Backdrop);
        chart::build_backdrop(input, frame);
        for painter in self.tracks.all() {
            painter.paint(input, frame);
        }
        frame.begin_layer(Layer::Ranges);
        chart::build_ranges(input, frame);
        frame.begin_layer(Layer::FlowPaths);
        // With flow lanes, each flow has its own row, and flow lanes draw their own arrows.
        if !input.view.flow_lanes.shown {
            flows::build_path(input, frame, &mut self.path);
            critical_path::build(input, frame, &mut self.path);
        }
        frame.begin_layer(Layer::Notes);
        notes::build(input, frame);
        frame.begin_layer(Layer::FlowPanel);
        flows::build(input, frame);
        frame.begin_layer(Layer::Overview);
        overview::build(input, frame, &mut self.overview);
        frame.begin_layer(Layer::Ruler);
        ruler::build(input, frame);
        path_strip::build(input, frame);
        frame.begin_layer(Layer::Measure);
        let mut lines = measure::overlays(input, frame.palette);
        lines.extend(initiators::overlays(input, frame.palette));
        lines.extend(overlays::pointer_ruler(input, frame.palette));
        overlays::draw(input, frame, &lines);
        frame.finish();
        frame
    }

    /// The most recent frame.
    #[must_use]
    pub const fn frame(&self) -> &Frame {
        &self.frame
    }

    /// The frame before the most recent one; an empty frame after a reset.
    #[must_use]
    pub const fn frame_before(&self) -> &Frame {
        &self.before
    }
}
