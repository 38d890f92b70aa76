//! Counters in the chart: stacked stepped curves, exact to the pixel column at every zoom.
//!
//! A pixel column shows its minimum and maximum value: the line from one to the other, and a fill below it. The
//! value at the column's left edge counts, and so does every change inside the column. A change exactly on the left
//! edge replaces the value before it, so a spike of one sample is one column wide at every zoom. Heights other than
//! zero take at least one pixel. Consecutive columns of equal height are one instance.

use std::sync::Arc;

use crate::frame::{Frame, TextRun};
use crate::geometry::PixelRect;
use crate::layout::{CounterItem, Item, ItemKind, SceneInput, text_width};
use crate::primitives::{CounterInstance, EdgeLines, MAX_ROWS, RectInstance, RowBounds};
use crate::theme::with_alpha;
use crate::tracks::columns::{ColumnRun, changes_in, column_bounds, visit_columns};
use crate::tracks::surfaces::content_top;
use flowline_index::CounterTrack;
use flowline_index::counters::BandExtent;
use flowline_profile::{Counter, CounterId, Ns};

/// Points between a counter's area and the upper and lower edge of its item.
const INSET: (f32, f32) = (5.0, 2.0);
/// Font size of values beside the cursor in points.
const VALUE_SIZE: f32 = 11.0;
/// Font size of the scale at the left edge in points, and its distance from the edge.
const SCALE_SIZE: f32 = 11.0;
const SCALE_GAP: f32 = 4.0;
/// Radius in points of the dot on a counter under the cursor.
const DOT: f32 = 3.0;

/// Converts values, as fractions of the track's unit, to pixels below the area's top.
#[derive(Clone, Copy, Debug)]
struct Heights {
    top: f64,
    pixels_per_part: f64,
    zero: u16,
    height: u16,
}

impl Heights {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to a height on screen")]
    fn new(track: &CounterTrack, height: f32) -> Self {
        let height = height.clamp(2.0, 4096.0) as u16;
        let (bottom, top) = track.range();
        let (bottom, top) = (bottom / track.unit(), top / track.unit());
        let top = if top > bottom { top } else { 1.0 };
        let pixels_per_part = f64::from(height) / (top - bottom);
        // Each side of zero with values keeps at least one pixel.
        let least = u16::from(top > 0.0);
        let most = height - u16::from(bottom < 0.0);
        let zero = ((top * pixels_per_part).round() as u16).clamp(least, most);
        Self { top, pixels_per_part, zero, height }
    }

    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to the height")]
    fn y(self, value: f32) -> u16 {
        let y =
            ((self.top - f64::from(value)) * self.pixels_per_part).round().clamp(0.0, f64::from(self.height)) as u16;
        if value > 0.0 {
            y.min(self.zero - 1)
        } else if value < 0.0 {
            y.max(self.zero + 1)
        } else {
            self.zero
        }
    }

    /// Upper edges of the lighter and of the solid part, then their lower edges.
    fn edges(self, extent: BandExtent) -> [u16; 4] {
        [extent.upper.max, extent.upper.min, extent.lower.max, extent.lower.min].map(|value| self.y(value))
    }
}

/// Joins adjacent columns of equal height into one instance.
struct BandBuilder<'f> {
    frame: &'f mut Frame,
    row: usize,
    columns: (u16, u16),
    /// Edges of each band, the lowest band first.
    edges: Vec<[u16; 4]>,
    /// The edges of the next columns.
    next: Vec<[u16; 4]>,
}

impl BandBuilder<'_> {
    fn add(&mut self, track: &CounterTrack, heights: Heights, run: ColumnRun) {
        let extent = |band| match run.steps {
            (from, to) if to - from == 1 => track.step(band, from),
            (from, to) => track.extent(band, from, to),
        };
        self.next.clear();
        self.next.extend((0..track.bands()).map(|band| heights.edges(extent(band))));
        if self.columns.1 == run.columns.0 && self.edges == self.next {
            self.columns.1 = run.columns.1;
            return;
        }
        self.flush(track, heights);
        self.columns = run.columns;
        std::mem::swap(&mut self.edges, &mut self.next);
    }

    /// Adds the instances, outer bands first because inner ones are drawn over them.
    fn flush(&mut self, track: &CounterTrack, heights: Heights) {
        for (band, edges) in self.edges.iter().enumerate().rev().filter(|(_, edges)| edges[0] < edges[3]) {
            let lines = EdgeLines { top: edges[0] < heights.zero, bottom: edges[3] > heights.zero };
            let instance = CounterInstance::new(self.columns, *edges, track.color(band), lines, self.row).curve();
            self.frame.instances.counters.push(instance);
        }
    }
}

/// Position of a counter's area within its item.
fn place(input: &SceneInput<'_>, item: &Item) -> RowBounds {
    let (above, below) = ((INSET.0 * input.scale).round(), (INSET.1 * input.scale).round());
    let above = content_top(input, item, above);
    let height = (input.item_height(item) - above - below).max(2.0);
    RowBounds::new(input.item_y(item) + above, height)
}

/// The counters on screen.
fn visible<'a>(input: &SceneInput<'a>) -> impl Iterator<Item = (Item, &'a Counter, &'a CounterTrack)> {
    let (profile, counters, list, view) = (input.index.profile(), input.index.counters(), input.list, input.view);
    let height = f64::from(input.regions.chart.height / input.scale);
    list.visible(view.scroll, view.scroll + height).iter().filter_map(move |item| match item.kind {
        ItemKind::Counter(CounterItem { counter }) => {
            Some((*item, profile.counters.get(counter.index())?, counters.track(counter)?))
        }
        _ => None,
    })
}

/// Draws the areas on screen.
pub(super) fn build(input: &SceneInput<'_>, frame: &mut Frame) {
    let chart = input.regions.chart;
    let line = frame.line_width();
    let map = frame.axis;
    let start = frame.count::<CounterInstance>();
    let mut lines = Vec::new();
    // Shared by all counters; computed only if one is on screen.
    let mut bounds: Vec<u64> = Vec::new();
    for (item, _, track) in visible(input) {
        let row = frame.rows.len();
        if row >= MAX_ROWS {
            break;
        }
        let place = place(input, &item);
        frame.rows.push(place);
        let heights = Heights::new(track, place.height);
        if heights.zero < heights.height {
            lines.push(PixelRect::new(chart.x, place.y + f32::from(heights.zero), chart.width, line));
        }
        let mut bands = BandBuilder { frame, row, columns: (0, 0), edges: Vec::new(), next: Vec::new() };
        if bounds.is_empty() {
            bounds = column_bounds(input, &map);
        }
        visit_columns(track.tick_tree(), &map, &bounds, |run| bands.add(track, heights, run));
        bands.flush(track, heights);
    }
    // The zero line, unless it is the area's lower edge.
    let color = frame.palette.grid;
    frame.draw(chart, lines.into_iter().map(|rect| RectInstance::filled(rect, color)));
    frame.draw_since::<CounterInstance>(chart, start);
    scales(input, frame);
}

/// Opacity of the background of a scale, which keeps it readable over the curve.
const SCALE_BACK: u8 = 232;

/// Writes the greatest and the least value of each counter on screen at the left edge of its row.
fn scales(input: &SceneInput<'_>, frame: &mut Frame) {
    let (chart, scale, size) = (input.regions.chart, input.scale, SCALE_SIZE * input.scale);
    let line = (size * 1.3).ceil();
    let mut plates = Vec::new();
    for (item, counter, track) in visible(input) {
        let (top, height) = (input.item_y(&item), input.item_height(&item));
        let (least, most) = track.range();
        let mut write = |value: f64, y: f32| {
            let clip = PixelRect::new(chart.x + SCALE_GAP * scale, y, chart.width, line);
            let text: Arc<str> = Arc::from(counter.value_text(value));
            let plate = PixelRect::new(chart.x, y.round(), text_width(&text, scale) + 2.0 * SCALE_GAP * scale, line);
            plates.push(RectInstance::filled(plate, with_alpha(frame.palette.canvas, SCALE_BACK)));
            frame.texts.push(TextRun {
                text,
                x: clip.x,
                y: y.round(),
                size,
                color: frame.palette.text2,
                clip: clip.intersect(chart),
            });
        };
        write(most, top + scale);
        // A compact row has no room for both.
        if height >= 2.0 * line && least < most {
            write(least, top + height - line - scale);
        }
    }
    frame.draw(chart, plates);
}

/// The time at which counters are read for a canvas column.
#[must_use]
pub fn counter_time(input: &SceneInput<'_>, x: f32) -> Ns {
    input.view.axis.time(f64::from(x.floor() - input.regions.chart.x))
}

/// Minimum and maximum height of a counter's stack in the column at `x`, if it changes there.
#[must_use]
pub fn counter_spread(input: &SceneInput<'_>, counter: CounterId, x: f32) -> Option<(f64, f64)> {
    let track = input.index.counters().track(counter)?;
    let map = input.axis_map();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a column of the chart")]
    let column = (x - input.regions.chart.x).floor().max(0.0) as u16;
    let last = track.bands().checked_sub(1)?;
    let (first, after) = changes_in(track.tick_tree(), &map, column)?;
    let found = spread(track, last, (first, after));
    (found.0 < found.1).then_some(found)
}

/// Minimum and maximum total of a counter.
#[must_use]
pub fn counter_extremes(track: &CounterTrack) -> Option<(f64, f64)> {
    let last = track.bands().checked_sub(1)?;
    let steps = track.ticks().len();
    (steps > 0).then(|| spread(track, last, (0, steps)))
}

/// Minimum and maximum total of a counter in some of its steps; `last` is its topmost band.
fn spread(track: &CounterTrack, last: usize, (first, after): (usize, usize)) -> (f64, f64) {
    let extent = track.extent(last, first, after);
    let (bottom, top) = track.range();
    let least = if bottom < 0.0 { extent.lower.min } else { extent.upper.min };
    let most = if top > 0.0 { extent.upper.max } else { extent.lower.max };
    (value_of(least, track.unit()), value_of(most, track.unit()))
}

/// The value of a height, rounded to the precision of heights.
fn value_of(part: f32, unit: f64) -> f64 {
    let value = f64::from(part) * unit;
    let digits = 10_f64.powf(6.0 - value.abs().max(f64::MIN_POSITIVE).log10().ceil());
    let rounded = (value * digits).round() / digits;
    if rounded.is_finite() { rounded } else { value }
}

/// The value of a counter at a time: the sum of its series.
#[must_use]
pub fn counter_total(counter: &Counter, track: &CounterTrack, time: Ns) -> Option<f64> {
    (0..counter.series.len()).filter_map(|series| track.value(counter, series, time)).reduce(|sum, value| sum + value)
}

/// Draws the values at the pointer's time: a dot on every counter on screen, and the value beside it. The counter under
/// the pointer has a tooltip instead of the value.
pub(super) fn build_values(input: &SceneInput<'_>, frame: &mut Frame) {
    let regions = &input.regions;
    let chart = regions.chart;
    let timed = [chart, regions.ruler, regions.flows, regions.pinned];
    let Some((x, y)) = input.pointer.filter(|(x, y)| timed.iter().any(|region| region.contains(*x, *y))) else {
        return;
    };
    let time = counter_time(input, x);
    let (palette, scale) = (frame.palette, input.scale);
    let mut rects = Vec::new();
    for (item, counter, track) in visible(input) {
        let Some(value) = counter_total(counter, track, time) else { continue };
        let place = place(input, &item);
        #[expect(clippy::cast_possible_truncation, reason = "at most one")]
        let part = (value / track.unit()) as f32;
        let height = Heights::new(track, place.height).y(part);
        let at = place.y + f32::from(height);
        let radius = DOT * scale;
        let middle = x.floor() + 0.5;
        rects.push(RectInstance {
            radius,
            border: palette.canvas,
            border_width: frame.line_width(),
            ..RectInstance::filled(
                PixelRect::new(middle - radius, at - radius, 2.0 * radius, 2.0 * radius),
                palette.text,
            )
        });
        let top = input.item_y(&item);
        let is_under_pointer = chart.contains(x, y) && y >= top && y < top + input.item_height(&item);
        if is_under_pointer {
            continue;
        }
        let text = counter.value_text(value);
        let size = VALUE_SIZE * scale;
        let width = (text_width(&text, scale) + 8.0 * scale).ceil();
        let height = (size * 1.45).round();
        let left = if middle + 6.0 * scale + width < chart.right() {
            middle + 6.0 * scale
        } else {
            middle - 6.0 * scale - width
        };
        let plate_top = (at - height / 2.0).clamp(top, (top + input.item_height(&item) - height).max(top)).round();
        let plate = PixelRect::new(left.round(), plate_top, width, height);
        rects.push(RectInstance { radius: 3.0 * scale, ..RectInstance::filled(plate, with_alpha(palette.panel, 225)) });
        frame.texts.push(TextRun {
            text: Arc::from(text),
            x: plate.x + 4.0 * scale,
            y: (plate.y + (plate.height - size * 1.3) / 2.0).round(),
            size,
            color: palette.text,
            clip: plate.intersect(chart),
        });
    }
    frame.draw(chart, rects);
}
