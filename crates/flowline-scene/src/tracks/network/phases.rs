//! The phases of requests inside their bars. Rectangles drawn over a bar make it thin while the network is not working
//! on the request, and pale until the first byte; the bar is unchanged while data arrives. No column of a bar is fully
//! covered, so a bar with phases is visible in the same columns as one without.

use crate::frame::Frame;
use crate::geometry::PixelRect;
use crate::layout::{Item, SceneInput};
use crate::primitives::RectInstance;
use crate::theme::Rgba;
use crate::tracks::Background;
use flowline_index::Packed;
use flowline_index::network::{NetworkRequest, PhaseWeight};

/// Makes a bar paler; text on it stays dark.
const PALE: Rgba = [255, 255, 255, 105];
/// Share of a bar's height that remains in thin phases.
const THIN: f32 = 0.3;

/// A bar on screen.
#[derive(Clone, Copy)]
pub(crate) struct PhaseRect {
    /// Row of the frame.
    pub(crate) slot: usize,
    /// Ticks of the bar.
    pub(crate) packed: Packed,
    /// Item of the bar.
    pub(crate) item: Item,
}

/// Collects rectangles to draw over bars.
#[derive(Debug, Default)]
pub(crate) struct PhasePainter {
    rects: Vec<RectInstance>,
}

impl PhasePainter {
    /// Adds the phases of a request; returns the part of the bar that has room for a label.
    pub(crate) fn add(
        &mut self,
        input: &SceneInput<'_>,
        frame: &Frame,
        place: PhaseRect,
        request: &NetworkRequest,
    ) -> Packed {
        let clock = input.index.clock();
        let style = place.packed.style();
        let (first, end) = frame.axis.columns(place.packed);
        let phases = request.segments();
        let thick = || phases.iter().filter(|phase| phase.kind.weight() != PhaseWeight::Thin);
        let Some((from, to)) = thick().next().zip(thick().next_back()) else {
            // The recording has no network timings for this request.
            self.veil(frame, place.slot, (first, end), PALE);
            return place.packed;
        };
        let inside = |tick: u64| tick.clamp(place.packed.start(), place.packed.end());
        let label = Packed::new(inside(clock.tick(from.start)), inside(clock.tick(to.end)), style);
        let mut done = first;
        for phase in thick() {
            let weight = phase.kind.weight();
            let packed = Packed::new(clock.tick(phase.start), clock.tick(phase.end), style);
            let (from, to) = frame.axis.columns(packed);
            let (from, to) = (from.max(done), to.min(end));
            if to <= from {
                continue;
            }
            self.thin(frame, place, (done, from));
            if weight == PhaseWeight::Pale {
                self.veil(frame, place.slot, (from, to), PALE);
            }
            done = to;
        }
        self.thin(frame, place, (done, end));
        label
    }

    /// Draws the collected rectangles on the frame's current layer.
    pub(crate) fn draw(&mut self, input: &SceneInput<'_>, frame: &mut Frame) {
        frame.draw(input.regions.chart, self.rects.drain(..));
    }

    fn veil(&mut self, frame: &Frame, slot: usize, columns: (i32, i32), color: Rgba) {
        let place = frame.rows[slot];
        self.push(frame, columns, (place.y, place.height), color);
    }

    /// Covers a bar above and below its middle with the background.
    fn thin(&mut self, frame: &Frame, place: PhaseRect, columns: (i32, i32)) {
        let row = frame.rows[place.slot];
        let height = (row.height * THIN).round().max(frame.line_width());
        let above = ((row.height - height) / 2.0).floor().max(0.0);
        let palette = frame.palette;
        let behind = match place.item.kind.background() {
            Background::Stripe | Background::TrackHeading { .. } => palette.stripe,
            Background::Heading => palette.heading,
            Background::Plain | Background::LineBelow => palette.canvas,
        };
        self.push(frame, columns, (row.y, above), behind);
        self.push(frame, columns, (row.y + above + height, row.height - above - height), behind);
    }

    fn push(&mut self, frame: &Frame, (first, end): (i32, i32), (y, height): (f32, f32), color: Rgba) {
        if end > first && height > 0.0 {
            #[expect(clippy::cast_precision_loss, reason = "pixel columns")]
            let rect = PixelRect::new(frame.axis_left + first as f32, y, (end - first) as f32, height);
            self.rects.push(RectInstance::filled(rect, color));
        }
    }
}
