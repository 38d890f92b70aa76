//! Regions of the canvas in points, and the widgets that receive pointer input over them.

use egui::{Context, Id, LayerId, Rect, Response, Sense, Ui, pos2};

use flowline_scene::{PixelRect, Regions};
use flowline_view::Pane;

/// [`Regions`] in points.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CanvasLayout {
    pub(crate) overview: Rect,
    pub(crate) ruler: Rect,
    /// Area left of the ruler.
    pub(crate) ruler_label: Rect,
    /// Milestones and notes.
    pub(crate) lane: Rect,
    pub(crate) lane_label: Rect,
    pub(crate) path_label: Rect,
    pub(crate) path: Rect,
    pub(crate) labels: Rect,
    pub(crate) chart: Rect,
    pub(crate) flow_header: Rect,
    pub(crate) flow_labels: Rect,
    pub(crate) flows: Rect,
    pub(crate) pinned_labels: Rect,
    pub(crate) pinned: Rect,
    /// Area left of the overview.
    pub(crate) corner: Rect,
    /// The scroll bars of chart, flow rows and pinned rows.
    pub(crate) bars: [Rect; 3],
}

impl CanvasLayout {
    /// Converts regions; `scale` is in device pixels per point.
    pub(crate) fn new(regions: &Regions, scale: f32) -> Self {
        let points = |rect: PixelRect| {
            Rect::from_min_max(pos2(rect.x, rect.y) / scale, pos2(rect.right(), rect.bottom()) / scale)
        };
        Self {
            overview: points(regions.overview),
            ruler: points(regions.ruler),
            ruler_label: points(regions.ruler_label),
            lane: points(regions.lane),
            lane_label: points(regions.lane_label),
            path_label: points(regions.path_label),
            path: points(regions.path),
            labels: points(regions.labels),
            chart: points(regions.chart),
            flow_header: points(regions.flow_header),
            flow_labels: points(regions.flow_labels),
            flows: points(regions.flows),
            pinned_labels: points(regions.pinned_labels),
            pinned: points(regions.pinned),
            corner: points(regions.corner),
            bars: [regions.chart_bar, regions.flow_bar, regions.pinned_bar].map(points),
        }
    }
}

/// The two areas of the flow panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FlowArea {
    /// The entered flows and those connected to them.
    Main,
    /// The pinned flows.
    Pinned,
}

impl FlowArea {
    /// Both areas, from top to bottom.
    pub(crate) const BOTH: [Self; 2] = [Self::Main, Self::Pinned];
}

/// A widget over the canvas that receives pointer input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CanvasWidget {
    Overview,
    Ruler,
    PathStrip,
    Chart,
    FlowRows,
    PinnedRows,
    ChartBar,
    FlowBar,
    PinnedBar,
    LabelSplitter,
    FlowSplitter,
    DetailsSplitter,
    TableSplitter,
    PaneSplitter,
}

/// The widget of a recording. Widgets of the whole window belong to the first recording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PaneWidget {
    handle: CanvasWidget,
    pane: Pane,
}

impl CanvasWidget {
    /// The widget of a recording.
    pub(crate) const fn of(self, pane: Pane) -> PaneWidget {
        PaneWidget { handle: self, pane }
    }

    /// The rows of an area of the flow panel.
    pub(crate) const fn flow_rows(area: FlowArea) -> Self {
        match area {
            FlowArea::Main => Self::FlowRows,
            FlowArea::Pinned => Self::PinnedRows,
        }
    }
}

impl PaneWidget {
    /// Its egui id.
    pub(crate) fn id(self) -> Id {
        Id::unique(("canvas", self.handle as u8, self.pane))
    }

    /// Adds it to this frame at a rectangle.
    pub(crate) fn add(self, ui: &Ui, rect: Rect) -> Response {
        ui.interact(rect, self.id(), Sense::click_and_drag())
    }

    /// Its response to this frame's input, at the position of the last frame.
    pub(crate) fn response(self, context: &Context) -> Option<Response> {
        context.read_response(self.id())
    }
}

/// True if the pointer is over a rectangle of the canvas with nothing above it.
pub(crate) fn is_over(context: &Context, rect: Rect) -> bool {
    context.rect_contains_pointer(LayerId::background(), rect)
}
