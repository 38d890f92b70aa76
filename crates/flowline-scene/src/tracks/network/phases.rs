//! The phases of requests inside their bars. Rectangles drawn over a bar make it a line while nothing is done for the
//! request, an outline while the connection is set up, and pale until the first byte; the bar is unchanged while data
//! arrives. No column of a bar is fully covered, so a bar with phases is visible in the same columns as one without.

use crate::frame::Frame;
use crate::geometry::PixelRect;
use crate::layout::{Item, SceneInput};
use crate::primitives::RectInstance;
use crate::theme::{Rgba, with_alpha};
use crate::tracks::Background;
use flowline_index::Packed;
use flowline_index::network::{NetworkRequest, Outcome, PhaseWeight};

/// Opacity of the background over the part of a bar in which a request waits: 38 % of the bar's color remain.
const PALE: u8 = 158;
/// Height in points of a bar while nothing is done for the request.
const THIN: f32 = 1.5;
/// Height in points of a bar while a connection is set up.
const OUTLINE: f32 = 6.0;

/// The part of a bar that has room for a label.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LabelRoom {
    /// Ticks of the part.
    pub(crate) packed: Packed,
    /// True if the part is pale, so that labels need the color of text on the background.
    pub(crate) is_pale: bool,
}

/// The color of a bar's edge, which a thin line consists of.
fn edge_of(frame: &Frame, place: PhaseRect) -> Rgba {
    let entry = place.packed.colored(frame.color_by).style().color();
    frame.palette.edge(frame.rows[place.slot].entry(entry))
}

/// The color behind a bar.
fn behind(frame: &Frame, place: PhaseRect) -> Rgba {
    let palette = frame.palette;
    match place.item.kind.background() {
        Background::Stripe | Background::TrackHeading { .. } => palette.stripe,
        Background::Heading => palette.heading,
        Background::Plain | Background::LineBelow => palette.canvas,
    }
}

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
    ) -> LabelRoom {
        let clock = input.index.clock();
        let style = place.packed.style();
        let (first, end) = frame.axis.columns(place.packed);
        let inside = |tick: u64| tick.clamp(place.packed.start(), place.packed.end());
        let (mut room, mut widest) = (LabelRoom { packed: place.packed, is_pale: false }, 0);
        let (mut done, mut framed) = (first, end);
        let mut is_thin = false;
        for phase in request.segments() {
            let packed = Packed::new(inside(clock.tick(phase.start)), inside(clock.tick(phase.end)), style);
            let (from, to) = frame.axis.columns(packed);
            let (from, to) = (from.max(done), to.min(end));
            if to <= from {
                continue;
            }
            done = to;
            match phase.kind.weight() {
                PhaseWeight::Thin => {
                    let line = self.around(frame, place, (from, to), THIN);
                    self.push(frame, (from, to), line, edge_of(frame, place));
                    is_thin = true;
                    continue;
                }
                PhaseWeight::Outline => {
                    self.outline(frame, place, (from, to));
                    is_thin = true;
                    continue;
                }
                PhaseWeight::Pale => self.veil(frame, place, (from, to)),
                PhaseWeight::Solid => {}
            }
            framed = framed.min(from);
            if to - from > widest {
                let is_pale = phase.kind.weight() == PhaseWeight::Pale;
                (room, widest) = (LabelRoom { packed, is_pale }, to - from);
            }
        }
        if widest == 0 && is_thin {
            // A label would be over lines.
            room.packed = Packed::new(place.packed.start(), place.packed.start(), style);
        }
        if request.outcome == Outcome::Failed {
            self.frame_failed(frame, place, (framed.min(end - 1).max(first), end));
        }
        room
    }

    /// Draws the collected rectangles on the frame's current layer.
    pub(crate) fn draw(&mut self, input: &SceneInput<'_>, frame: &mut Frame) {
        frame.draw(input.regions.chart, self.rects.drain(..));
    }

    /// Makes a part of a bar pale. Its upper and lower edges stay.
    fn veil(&mut self, frame: &Frame, place: PhaseRect, columns: (i32, i32)) {
        let (row, line) = (frame.rows[place.slot], frame.line_width());
        let pale = with_alpha(behind(frame, place), PALE);
        self.push(frame, columns, (row.y + line, row.height - 2.0 * line), pale);
    }

    /// Covers a bar above and below its middle, of which `points` remain; returns the place of the rest.
    fn around(&mut self, frame: &Frame, place: PhaseRect, columns: (i32, i32), points: f32) -> (f32, f32) {
        let row = frame.rows[place.slot];
        let height = (points * frame.scale).round().max(frame.line_width());
        let above = ((row.height - height) / 2.0).floor().max(0.0);
        let behind = behind(frame, place);
        self.push(frame, columns, (row.y, above), behind);
        self.push(frame, columns, (row.y + above + height, row.height - above - height), behind);
        (row.y + above, height)
    }

    /// Leaves the outline of a thin box.
    fn outline(&mut self, frame: &Frame, place: PhaseRect, (first, end): (i32, i32)) {
        let (y, height) = self.around(frame, place, (first, end), OUTLINE);
        let line = frame.line_width();
        #[expect(clippy::cast_possible_truncation, reason = "a line")]
        let side = line as i32;
        self.push(frame, (first + side, end - side), (y + line, height - 2.0 * line), behind(frame, place));
    }

    /// Draws the border of a failed request.
    fn frame_failed(&mut self, frame: &Frame, place: PhaseRect, (first, end): (i32, i32)) {
        let row = frame.rows[place.slot];
        #[expect(clippy::cast_precision_loss, reason = "pixel columns")]
        let rect = PixelRect::new(frame.axis_left + first as f32, row.y, (end - first) as f32, row.height);
        let border = RectInstance::filled(rect, [0; 4]);
        self.rects.push(RectInstance { border: frame.palette.bad, border_width: frame.line_width(), ..border });
    }

    fn push(&mut self, frame: &Frame, (first, end): (i32, i32), (y, height): (f32, f32), color: Rgba) {
        if end > first && height > 0.0 {
            #[expect(clippy::cast_precision_loss, reason = "pixel columns")]
            let rect = PixelRect::new(frame.axis_left + first as f32, y, (end - first) as f32, height);
            self.rects.push(RectInstance::filled(rect, color));
        }
    }
}
