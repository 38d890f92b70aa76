//! The input of a frame: everything that drawing, widgets and hit testing read.

use super::chart_list::{Item, TrackList};
use super::filters::{Scope, SearchView};
use super::flow_content::{FlowLaneShapes, FlowScene};
use super::note_layout::NoteLayout;
use super::placed_flag::PlacedFlag;
use super::placed_notes::PlacedNote;
use super::regions::Regions;
use crate::geometry::AxisMap;
use flowline_index::flows::FlowSetup;
use flowline_index::waits::CriticalPath;
use flowline_index::{Index, Packed};
use flowline_profile::{MarkerId, TimeRange};
use flowline_view::{Pane, ViewState};

/// Input of a frame. Only [`ViewLayout::scene_input`](crate::ViewLayout::scene_input) creates it, so view and list always belong together.
#[derive(Clone, Copy)]
pub struct SceneInput<'a> {
    /// The recording and its index.
    pub index: &'a Index,
    /// The pane of the window, and thereby the recording.
    pub pane: Pane,
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
    pub(crate) notes: &'a NoteLayout,
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
    pub(crate) _laid_out: LaidOut,
}

/// Prevents other modules from creating a [`SceneInput`].
#[derive(Clone, Copy)]
pub(crate) struct LaidOut(pub(crate) ());

impl SceneInput<'_> {
    /// The same input for a canvas of another size in device pixels.
    #[must_use]
    pub const fn with_size(mut self, size: [u32; 2]) -> Self {
        self.size = size;
        self
    }

    /// True if a search or the emphasized insight dims what is not its own.
    #[must_use]
    pub fn is_dimmed(&self) -> bool {
        self.search.is_some() || self.view.dims_others()
    }

    /// Ticks and style of a marker.
    #[must_use]
    pub fn packed_marker(&self, marker: MarkerId) -> Option<Packed> {
        let profile = self.index.profile();
        let (thread, local) = profile.locate(marker)?;
        let TimeRange { start, end } = profile.thread(thread).markers.range(local);
        let clock = self.index.clock();
        Some(Packed::new(clock.tick(start), clock.tick(end), self.index.source().styles.get(marker)))
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

    /// Number of lines that the lane of milestones and notes needs.
    #[must_use]
    pub const fn lane_lines(&self) -> u8 {
        self.notes.lines()
    }

    /// The flags of milestones in view, for drawing and hit testing.
    #[must_use]
    pub fn placed_flags(&self) -> &[PlacedFlag] {
        self.notes.flags()
    }

    /// The notes in time order, for drawing and hit testing.
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

    /// The items on screen.
    #[must_use]
    pub fn visible_items(&self) -> &[Item] {
        let height = f64::from(self.regions.chart.height / self.scale);
        self.list.visible(self.view.scroll, self.view.scroll + height)
    }
}
