//! The canvas of a view.

use super::regions::Regions;
use flowline_view::Pane;

/// The canvas of a view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Canvas {
    /// The pane of the window, and thereby the recording.
    pub pane: Pane,
    /// Regions of the canvas in device pixels.
    pub regions: Regions,
    /// Size of the window in device pixels.
    pub size: [u32; 2],
    /// Device pixels per point.
    pub scale: f32,
    /// The pointer in device pixels, if it is over the canvas.
    pub pointer: Option<(f32, f32)>,
    /// Pointer position over the time axis of the other recording, in device pixels from the left.
    pub other_pointer: Option<f32>,
    /// True if the pointer line with its time is drawn through all parts of the canvas.
    pub shows_ruler: bool,
    /// True while the user holds a button of the mouse or scrolls: rows that depend on the visible range stay as they are.
    pub is_held: bool,
    /// Height of the rows of the flow panel in points for which the regions were divided, if they depend on it.
    pub flow_rows: Option<f64>,
}

impl Default for Canvas {
    fn default() -> Self {
        let (pane, regions) = (Pane::default(), Regions::default());
        Self {
            pane,
            regions,
            size: [1, 1],
            scale: 1.0,
            pointer: None,
            other_pointer: None,
            shows_ruler: false,
            is_held: false,
            flow_rows: None,
        }
    }
}

impl Canvas {
    /// Pointer position over a part with the time axis, in device pixels from the left.
    #[must_use]
    pub fn timed_pointer(&self) -> Option<f32> {
        self.pointer.filter(|(x, y)| self.regions.is_timed(*x, *y)).map(|(x, _)| x)
    }

    /// Height of the chart in points.
    #[must_use]
    pub fn chart_height(&self) -> f64 {
        f64::from(self.regions.chart.height / self.scale)
    }
}
