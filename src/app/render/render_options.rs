//! Options of images rendered off screen.

use std::sync::Arc;

use crate::app::loading::SecondRecording;
use flowline_index::Arrangement;
use flowline_index::samples::Grouping;
use flowline_profile::{FlowId, Implementation, MarkerId, ThreadId, TimeRange};
use flowline_session::{LINKED_QUERY_TIME, LinkedQueries};
use flowline_ui::{SavedView, TableKind};
use flowline_view::{FlowLaneOrder, InsightFocus, PathTarget, Preset, Theme};

/// Size and content of an image.
#[derive(Clone, Debug)]
pub struct RenderOptions {
    /// Size in device pixels.
    pub size: [u32; 2],
    /// Device pixels per point.
    pub scale: f32,
    /// Saved view, applied before all other options.
    pub view: Option<SavedView>,
    /// Preset, applied after the view.
    pub preset: Option<Arc<Preset>>,
    /// Whether the queries of the view run.
    pub queries: LinkedQueries,
    /// Visible time range; everything if absent.
    pub range: Option<TimeRange>,
    /// Thread and range of a box selection.
    pub boxed: Option<(ThreadId, TimeRange)>,
    /// Range of the measuring tool.
    pub measure: Option<TimeRange>,
    /// Search text.
    pub search: String,
    /// Second recording, shown below the first.
    pub compare: Option<SecondRecording>,
    /// Selected marker.
    pub select: Option<MarkerId>,
    /// Marker whose start is the time origin.
    pub zero: Option<MarkerId>,
    /// End of the critical path.
    pub critical: Option<PathTarget>,
    /// Emphasized insight; its range determines the visible one.
    pub insight: Option<Arc<InsightFocus>>,
    /// Marker with the pointer over it.
    pub hover: Option<MarkerId>,
    /// Arrangement of rows; `None` for the recording's default.
    pub arrangement: Option<Arrangement>,
    /// Order of the flow lanes in the chart; `None` for rows of threads.
    pub flow_lanes: Option<FlowLaneOrder>,
    /// True to show markers that their schema hides in the chart or the table.
    pub all_markers: bool,
    /// Color theme.
    pub theme: Theme,
    /// Open table.
    pub table: Option<TableKind>,
    /// Thread whose samples the table shows.
    pub thread: Option<ThreadId>,
    /// Threads to show expanded, with their stack charts open.
    pub stack_charts: Vec<ThreadId>,
    /// Height of the table in points.
    pub table_height: Option<f32>,
    /// Functions shown in stack charts and call trees.
    pub functions: Implementation,
    /// Groups above the first level of call trees.
    pub grouping: Grouping,
    /// Entered flows.
    pub flows: Vec<FlowId>,
    /// Pinned flows.
    pub pins: Vec<FlowId>,
    /// True to draw all connections.
    pub connections: bool,
    /// True to draw the path of the flows over the chart.
    pub path: bool,
    /// Number of steps of incoming and outgoing flows beyond the first.
    pub chain: u16,
}

impl Default for RenderOptions {
    fn default() -> Self {
        Self {
            size: [1920, 1080],
            scale: 1.0,
            view: None,
            preset: None,
            queries: LinkedQueries::within(LINKED_QUERY_TIME),
            range: None,
            boxed: None,
            measure: None,
            search: String::new(),
            compare: None,
            select: None,
            zero: None,
            critical: None,
            insight: None,
            hover: None,
            arrangement: None,
            flow_lanes: None,
            all_markers: false,
            theme: Theme::default(),
            table: None,
            thread: None,
            stack_charts: Vec::new(),
            table_height: None,
            functions: Implementation::All,
            grouping: Grouping::None,
            flows: Vec::new(),
            pins: Vec::new(),
            connections: false,
            path: false,
            chain: 0,
        }
    }
}
