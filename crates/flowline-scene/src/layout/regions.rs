//! Layout of the canvas parts, in device pixels. It is computed from the window's size and the view before widgets are
//! laid out, so that widgets, scene and hit tests of one frame agree.

use super::flow_content::FLOW_ROW_HEIGHT;
use crate::geometry::PixelRect;
use flowline_view::FlowView;

/// Height of the overview in points.
pub const OVERVIEW_HEIGHT: f32 = 64.0;
/// Height of the overview with screenshots in points.
pub const SCREENS_OVERVIEW_HEIGHT: f32 = 96.0;
/// Height of the overview of a second recording in points.
pub const SMALL_OVERVIEW_HEIGHT: f32 = 26.0;
/// Height of the ruler in points.
const RULER_HEIGHT: f32 = 24.0;
/// Height of a line of the lane of milestones and notes in points.
pub const LANE_LINE: f32 = 20.0;
/// Height of the flow panel's header in points.
pub const FLOW_HEADER_HEIGHT: f32 = 28.0;
/// Width of the scroll bars beside the chart and the flow rows in points.
pub const BAR_WIDTH: f32 = 12.0;
/// The canvas has no scroll bars if the time axis would be narrower than this many points.
const MIN_AXIS_WIDTH: f32 = 120.0;
/// Minimum height of the chart in points beside the flow panel.
const MIN_CHART_HEIGHT: f32 = 60.0;
/// Minimum height of the flow panel in points below its header.
const MIN_FLOW_ROWS_HEIGHT: f32 = 26.0;
/// Minimum height of the flow panel in points until the user sets another one.
const LEAST_FLOW_HEIGHT: f32 = 106.0;
/// Maximum total height of pinned rows in points, more than fits on any screen.
const MAX_PINNED_HEIGHT: f64 = 10_000.0;

/// The parts of the canvas. Closed parts have zero height.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Regions {
    /// Activity of the whole recording; as wide as the chart, so that x coordinates match when the whole recording is
    /// in view.
    pub overview: PixelRect,
    /// The area left of the overview.
    pub corner: PixelRect,
    /// Ticks and times, right of the label column.
    pub ruler: PixelRect,
    /// The area left of the ruler.
    pub ruler_label: PixelRect,
    /// Milestones and notes, below the ruler and as wide as the chart; zero height if there are none.
    pub lane: PixelRect,
    /// Label of that lane.
    pub lane_label: PixelRect,
    /// Label of the critical path.
    pub path_label: PixelRect,
    /// The critical path, right of its label and as wide as the chart; zero height if no path is shown.
    pub path: PixelRect,
    /// Labels of the chart's tracks.
    pub labels: PixelRect,
    /// Rows of markers. The time axis has the same left edge and width.
    pub chart: PixelRect,
    /// Header of the flow panel.
    pub flow_header: PixelRect,
    /// Labels of the flow rows.
    pub flow_labels: PixelRect,
    /// Rows of flows; empty while no flow is entered. As wide as the chart.
    pub flows: PixelRect,
    /// Labels of the pinned rows.
    pub pinned_labels: PixelRect,
    /// Rows of pinned flows; as wide as the chart.
    pub pinned: PixelRect,
    /// Scroll bar right of the chart.
    pub chart_bar: PixelRect,
    /// Scroll bar of the flow rows.
    pub flow_bar: PixelRect,
    /// Scroll bar of the pinned rows.
    pub pinned_bar: PixelRect,
}

/// Sizes of the parts of a canvas that are fixed, in points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PartSizes {
    /// Width of the label column.
    pub labels: f32,
    /// Height of the overview.
    pub overview: f32,
    /// Height of the lane of milestones and notes.
    pub lane: f32,
    /// Height of the critical path.
    pub path: f32,
}

/// Heights requested by the flow panel, in points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlowHeights {
    /// The whole panel, header included.
    pub panel: f32,
    /// All pinned rows.
    pub pinned: f32,
    /// True if there are only pinned rows.
    pub only_pinned: bool,
}

impl FlowHeights {
    /// Heights for a canvas `room` points high and a user-set panel height of `wanted`. Until the user sets one, the panel is as
    /// high as its rows, which need `rows` points, but at most half of the canvas. `None` if the panel is closed.
    #[must_use]
    pub fn new(view: &FlowView, wanted: Option<f32>, rows: f64, room: f32) -> Option<Self> {
        if !view.is_open() {
            return None;
        }
        #[expect(clippy::cast_precision_loss, reason = "pinned flows")]
        let all_pinned = view.pinned.len() as f64 * FLOW_ROW_HEIGHT;
        #[expect(clippy::cast_possible_truncation, reason = "bounded")]
        let [pinned, rows] = [all_pinned, rows].map(|height| height.min(MAX_PINNED_HEIGHT) as f32);
        let of_rows =
            || (FLOW_HEADER_HEIGHT + rows + pinned).clamp(LEAST_FLOW_HEIGHT, (room / 2.0).max(LEAST_FLOW_HEIGHT));
        let wanted = Self::clamp(wanted.unwrap_or_else(of_rows), room);
        let only_pinned = view.entered.is_empty();
        let panel = if only_pinned { wanted.min(FLOW_HEADER_HEIGHT + pinned) } else { wanted };
        Some(Self { panel, pinned, only_pinned })
    }

    /// The header only, for a collapsed panel; `None` if the panel is closed.
    #[must_use]
    pub fn collapsed(view: &FlowView) -> Option<Self> {
        view.is_open().then_some(Self { panel: FLOW_HEADER_HEIGHT, pinned: 0.0, only_pinned: false })
    }

    /// Clamps a panel height so that the panel's header and the chart both fit.
    #[must_use]
    pub fn clamp(wanted: f32, room: f32) -> f32 {
        let least = FLOW_HEADER_HEIGHT + MIN_FLOW_ROWS_HEIGHT;
        wanted.clamp(least, (room * 0.8).max(least))
    }
}

impl Regions {
    /// True if a point of the canvas is over a part with the time axis.
    #[must_use]
    pub fn is_timed(&self, x: f32, y: f32) -> bool {
        [self.chart, self.ruler, self.lane, self.path, self.flows, self.pinned]
            .iter()
            .any(|region| region.contains(x, y))
    }

    /// Divides a canvas (device pixels, `scale` of them per point). The flow panel gets its requested height as long as the
    /// chart keeps its minimum.
    #[must_use]
    pub fn divide(canvas: PixelRect, scale: f32, sizes: PartSizes, flow: Option<FlowHeights>) -> Self {
        // Edges are whole device pixels, so that canvas and widgets meet without a seam.
        let snap = f32::round;
        let points = |points: f32| points * scale;
        let (left, top) = (snap(canvas.x), snap(canvas.y));
        let (right, bottom) = (snap(canvas.right()).max(left), snap(canvas.bottom()).max(top));
        let axis = snap(left + points(sizes.labels)).min(right);
        let bar = if right - axis < points(MIN_AXIS_WIDTH) { 0.0 } else { points(BAR_WIDTH) };
        // The time axis ends at the left edge of the scroll bars.
        let end = snap(right - bar);
        let ruler_top = snap(top + points(sizes.overview)).min(bottom);
        let lane_top = snap(ruler_top + points(RULER_HEIGHT)).min(bottom);
        let path_top = snap(lane_top + points(sizes.lane)).min(bottom);
        let chart_top = snap(path_top + points(sizes.path)).min(bottom);
        let room = (bottom - chart_top - points(MIN_CHART_HEIGHT)).max(0.0);
        let panel = flow.map_or(0.0, |flow| points(flow.panel).min(room));
        let header_top = snap(bottom - panel);
        let header = if flow.is_some() { points(FLOW_HEADER_HEIGHT) } else { 0.0 };
        let rows_top = snap((header_top + header).min(bottom));
        let rows = bottom - rows_top;
        let pinned = flow.map_or(0.0, |flow| {
            let most = if flow.only_pinned { rows } else { rows * 0.5 };
            points(flow.pinned).min(most)
        });
        let pinned_top = snap(bottom - pinned);
        let rect =
            |x: f32, y: f32, right: f32, bottom: f32| PixelRect::new(x, y, (right - x).max(0.0), (bottom - y).max(0.0));
        Self {
            overview: rect(axis, top, end, ruler_top),
            corner: rect(left, top, axis, ruler_top),
            ruler: rect(axis, ruler_top, end, lane_top),
            ruler_label: rect(left, ruler_top, axis, lane_top),
            lane: rect(axis, lane_top, end, path_top),
            lane_label: rect(left, lane_top, axis, path_top),
            path_label: rect(left, path_top, axis, chart_top),
            path: rect(axis, path_top, end, chart_top),
            labels: rect(left, chart_top, axis, header_top),
            chart: rect(axis, chart_top, end, header_top),
            flow_header: rect(left, header_top, right, rows_top),
            flow_labels: rect(left, rows_top, axis, pinned_top),
            flows: rect(axis, rows_top, end, pinned_top),
            pinned_labels: rect(left, pinned_top, axis, bottom),
            pinned: rect(axis, pinned_top, end, bottom),
            chart_bar: rect(end, chart_top, right, header_top),
            flow_bar: rect(end, rows_top, right, pinned_top),
            pinned_bar: rect(end, pinned_top, right, bottom),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZES: PartSizes = PartSizes { labels: 220.0, overview: OVERVIEW_HEIGHT, lane: LANE_LINE, path: 26.0 };

    #[test]
    fn parts_fill_the_canvas_without_gaps_at_any_scale() {
        let flow = FlowHeights { panel: 200.0, pinned: 46.0, only_pinned: false };
        for scale in [1.0, 1.25, 1.5, 2.0, 2.5] {
            let canvas = PixelRect::new(0.0, 38.0 * scale, 1100.3 * scale, 700.7 * scale);
            let parts = Regions::divide(canvas, scale, SIZES, Some(flow));
            assert_eq!(parts.overview.bottom(), parts.ruler.y);
            assert_eq!(parts.ruler.bottom(), parts.lane.y);
            assert_eq!(parts.lane.bottom(), parts.path.y);
            assert_eq!((parts.chart.x, parts.chart.width), (parts.lane.x, parts.lane.width));
            assert_eq!(parts.path.bottom(), parts.chart.y);
            assert_eq!(parts.path_label.right(), parts.path.x);
            assert_eq!(parts.chart.bottom(), parts.flow_header.y);
            assert_eq!(parts.flow_header.bottom(), parts.flows.y);
            assert_eq!(parts.flows.bottom(), parts.pinned.y);
            assert_eq!(parts.labels.right(), parts.chart.x);
            assert_eq!((parts.chart.x, parts.chart.width), (parts.pinned.x, parts.pinned.width));
            assert_eq!((parts.chart.x, parts.chart.width), (parts.overview.x, parts.overview.width));
            assert_eq!((parts.chart.right(), parts.chart.height), (parts.chart_bar.x, parts.chart_bar.height));
            assert_eq!(parts.flow_bar.bottom(), parts.pinned_bar.y);
            for edge in [parts.chart.x, parts.chart.y, parts.chart.bottom(), parts.pinned.bottom()] {
                assert_eq!(edge, edge.round());
            }
        }
    }

    #[test]
    fn a_canvas_too_small_for_its_parts_has_none_of_negative_size() {
        let flow = FlowHeights { panel: 300.0, pinned: 400.0, only_pinned: true };
        for (width, height) in [(0.0, 0.0), (50.0, 10.0), (100.0, 60.0), (300.0, 90.0)] {
            let parts = Regions::divide(PixelRect::new(3.0, 5.0, width, height), 1.5, SIZES, Some(flow));
            for part in [parts.overview, parts.ruler, parts.path, parts.chart, parts.labels, parts.flows, parts.pinned]
            {
                assert!(part.width >= 0.0 && part.height >= 0.0, "{part:?}");
            }
        }
    }
}
