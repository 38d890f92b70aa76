//! What a picture without a window shows.

use super::comparison::SecondRecording;
use flowline_index::Arrangement;
use flowline_index::samples::Grouping;
use flowline_profile::{FlowId, Implementation, MarkerId, ThreadId, TimeRange};
use flowline_ui::{SavedView, TableKind};
use flowline_view::{PathTarget, TapeOrder, Theme};

/// Content of a picture.
#[derive(Clone, Debug)]
pub struct PictureOptions {
    /// Size in device pixels.
    pub size: [u32; 2],
    /// Device pixels per point.
    pub scale: f32,
    /// A view that was kept, shown before all other options are followed.
    pub view: Option<SavedView>,
    /// Visible time range; everything if absent.
    pub range: Option<TimeRange>,
    /// A thread and a range that a box selects.
    pub boxed: Option<(ThreadId, TimeRange)>,
    /// What the measuring tool measures.
    pub measure: Option<TimeRange>,
    /// Search text.
    pub search: String,
    /// A second recording, shown below the first.
    pub compare: Option<SecondRecording>,
    /// Selected marker.
    pub select: Option<MarkerId>,
    /// Marker at whose start the times that are shown are zero.
    pub zero: Option<MarkerId>,
    /// What the critical path leads to.
    pub critical: Option<PathTarget>,
    /// Marker with the pointer over it.
    pub hover: Option<MarkerId>,
    /// Arrangement of rows; `None` for the recording's default.
    pub arrangement: Option<Arrangement>,
    /// The order of the tapes that the chart shows; `None` for rows of threads.
    pub tapes: Option<TapeOrder>,
    /// Whether markers are shown whose schema keeps them out of the chart or the table.
    pub all_markers: bool,
    /// Colours.
    pub theme: Theme,
    /// The table that is open.
    pub table: Option<TableKind>,
    /// The thread whose samples the table shows.
    pub thread: Option<ThreadId>,
    /// Threads that are shown, expanded, with their stack charts unfolded.
    pub stack_charts: Vec<ThreadId>,
    /// Height of the table in points.
    pub table_height: Option<f32>,
    /// The functions that stack charts and trees of samples show.
    pub functions: Implementation,
    /// The groups above the first level of trees of samples.
    pub grouping: Grouping,
    /// Flows entered.
    pub flows: Vec<FlowId>,
    /// Flows pinned.
    pub pins: Vec<FlowId>,
    /// Whether all connections are drawn.
    pub connections: bool,
    /// Whether the path over the chart is drawn.
    pub path: bool,
    /// Steps of incoming and outgoing flows beyond the first.
    pub chain: u16,
}

impl Default for PictureOptions {
    fn default() -> Self {
        Self {
            size: [1920, 1080],
            scale: 1.0,
            view: None,
            range: None,
            boxed: None,
            measure: None,
            search: String::new(),
            compare: None,
            select: None,
            zero: None,
            critical: None,
            hover: None,
            arrangement: None,
            tapes: None,
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
