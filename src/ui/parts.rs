//! How the canvas is divided: overview, ruler, chart, flow panel, and the label columns beside them.

use egui::{Rect, pos2};

use crate::scene::{PixelRect, Regions};

/// Heights in points.
const OVERVIEW_HEIGHT: f32 = 50.0;
const RULER_HEIGHT: f32 = 22.0;

/// Parts of the canvas in points.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parts {
    /// Overview.
    pub overview: Rect,
    /// Ruler, right of the label column.
    pub ruler: Rect,
    /// Label column.
    pub labels: Rect,
    /// Chart.
    pub chart: Rect,
    /// Header of the flow panel; like the panel's other parts without height while it is closed.
    pub flow_header: Rect,
    /// Label column of the flow rows.
    pub flow_labels: Rect,
    /// Flow rows.
    pub flows: Rect,
    /// Label column of the pinned rows.
    pub pinned_labels: Rect,
    /// Pinned rows.
    pub pinned: Rect,
}

/// Height of the flow panel's header in points.
pub(super) const FLOW_HEADER_HEIGHT: f32 = 26.0;
/// The chart keeps at least this height in points beside the flow panel.
pub(super) const LEAST_CHART: f32 = 60.0;

/// What the flow panel wants, in points.
#[derive(Clone, Copy, Debug)]
pub(super) struct FlowHeights {
    /// All of it, header included.
    pub panel: f32,
    /// Height of all pinned rows.
    pub pinned: f32,
    /// Whether there is nothing but pinned rows.
    pub only_pinned: bool,
}

impl Parts {
    /// Divides an area; `label_width` points go to the label column, and to the flow panel what it wants if it is open.
    #[must_use]
    pub(super) fn divide(area: Rect, label_width: f32, scale: f32, flow: Option<FlowHeights>) -> Self {
        // Edges lie on whole device pixels, so that canvas and widgets meet without a seam.
        let snap = |value: f32| (value * scale).round() / scale;
        let left = snap(area.min.x + label_width);
        let top = snap(area.min.y + OVERVIEW_HEIGHT);
        let below = snap(top + RULER_HEIGHT);
        let area =
            Rect::from_min_max(pos2(snap(area.min.x), snap(area.min.y)), pos2(snap(area.max.x), snap(area.max.y)));
        let room = (area.max.y - below - LEAST_CHART).max(0.0);
        let panel = flow.map_or(0.0, |flow| flow.panel.min(room));
        let header_top = snap(area.max.y - panel);
        let rows_top = snap((header_top + if flow.is_some() { FLOW_HEADER_HEIGHT } else { 0.0 }).min(area.max.y));
        let rows = area.max.y - rows_top;
        let pinned = flow.map_or(0.0, |flow| {
            let most = if flow.only_pinned { rows } else { rows * 0.5 };
            flow.pinned.min(most)
        });
        let pinned_top = snap(area.max.y - pinned);
        let band = |top: f32, bottom: f32| {
            let labels = Rect::from_min_max(pos2(area.min.x, top), pos2(left, bottom));
            (labels, Rect::from_min_max(pos2(left, top), pos2(area.max.x, bottom)))
        };
        let (labels, chart) = band(below, header_top);
        let (flow_labels, flows) = band(rows_top, pinned_top);
        let (pinned_labels, pinned) = band(pinned_top, area.max.y);
        Self {
            overview: Rect::from_min_max(area.min, pos2(area.max.x, top)),
            ruler: Rect::from_min_max(pos2(left, top), pos2(area.max.x, below)),
            labels,
            chart,
            flow_header: Rect::from_min_max(pos2(area.min.x, header_top), pos2(area.max.x, rows_top)),
            flow_labels,
            flows,
            pinned_labels,
            pinned,
        }
    }

    /// The same in device pixels.
    #[must_use]
    pub(super) fn regions(&self, scale: f32) -> Regions {
        let pixels = |rect: Rect| {
            let (min, max) = ((rect.min.to_vec2() * scale).round(), (rect.max.to_vec2() * scale).round());
            PixelRect::new(min.x, min.y, (max.x - min.x).max(0.0), (max.y - min.y).max(0.0))
        };
        Regions {
            overview: pixels(self.overview),
            ruler: pixels(self.ruler),
            chart: pixels(self.chart),
            flows: pixels(self.flows),
            pinned: pixels(self.pinned),
        }
    }
}
