//! CPU activity of threads: areas that are exact to the pixel column at every zoom, like counters.
//!
//! The height of a column is the maximum percentage at any time in it. The column is solid up to the minimum and
//! lighter above. Its colors are the active categories, each in proportion to its CPU time in the column, stacked in
//! the same order everywhere. Nothing is blurred, and nonzero values take at least one pixel.

use super::order::stack_order;
use crate::frame::{Frame, Layer};
use crate::layout::{Item, SceneInput};
use crate::primitives::{CounterInstance, EdgeLines, MAX_ROWS, RowBounds};
use crate::tracks::TrackPainter;
use crate::tracks::columns::{ColumnRun, changes_in, column_bounds, visit_columns};
use crate::tracks::surfaces::content_top;
use flowline_index::samples::Shares;
use flowline_profile::ThreadId;

/// Points between the area and the upper and lower edge of its item.
const INSET: (f32, f32) = (3.0, 1.0);

/// Draws the activity on screen.
#[derive(Debug, Default)]
pub(crate) struct ActivityPainter;

/// Position of the activity within its item.
fn place(input: &SceneInput<'_>, item: &Item) -> RowBounds {
    let (above, below) = ((INSET.0 * input.scale).round(), (INSET.1 * input.scale).round());
    let above = content_top(input, item, above);
    let height = (input.item_height(item) - above - below).max(2.0);
    RowBounds::new(input.item_y(item) + above, height)
}

/// Height of a percentage in pixels: at least one pixel for nonzero values.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to the height")]
fn pixels(percent: f32, height: f32) -> u16 {
    let exact = (percent / 100.0 * height).round().clamp(0.0, height) as u16;
    if percent > 0.0 { exact.max(1) } else { 0 }
}

/// A palette entry, and the edges of its part of a column, as in [`CounterInstance`].
type ColorBand = (u8, [u16; 4]);

/// Joins adjacent columns with equal bands.
struct ActivityColumns<'f> {
    frame: &'f mut Frame,
    row: usize,
    /// Height of the row in pixels.
    height: u16,
    columns: (u16, u16),
    bands: Vec<ColorBand>,
    next: Vec<ColorBand>,
}

impl ActivityColumns<'_> {
    /// Adds columns that are `most` pixels high and solid up to `least`.
    fn add(&mut self, columns: (u16, u16), [least, most]: [u16; 2], shares: &Shares, order: &[u8]) {
        self.next.clear();
        let total: u64 = shares.iter().sum();
        let (bottom, solid_top) = (self.height, self.height - least);
        let (mut sum, mut from) = (0, bottom);
        for &color in order.iter().filter(|_| most > 0) {
            let share = shares[usize::from(color)];
            if share == 0 {
                continue;
            }
            sum += share;
            let top = bottom - part(most, sum, total);
            if top < from {
                self.next.push((color, [top, solid_top.clamp(top, from), from, from]));
                from = top;
            }
        }
        if self.columns.1 == columns.0 && self.bands == self.next {
            self.columns.1 = columns.1;
            return;
        }
        self.flush();
        self.columns = columns;
        std::mem::swap(&mut self.bands, &mut self.next);
    }

    fn flush(&mut self) {
        let last = self.bands.len();
        for (number, (color, edges)) in (1..).zip(&self.bands) {
            let lines = EdgeLines { top: number == last, bottom: false };
            let instance = CounterInstance::new(self.columns, *edges, *color, lines, self.row);
            self.frame.instances.counters.push(instance);
        }
    }
}

/// A share of a height, rounded.
#[expect(clippy::cast_possible_truncation, reason = "at most the height")]
fn part(height: u16, sum: u64, total: u64) -> u16 {
    let (height, sum, total) = (u128::from(height), u128::from(sum), u128::from(total.max(1)));
    ((2 * height * sum + total) / (2 * total)).min(height) as u16
}

impl TrackPainter for ActivityPainter {
    fn paint(&mut self, input: &SceneInput<'_>, frame: &mut Frame) {
        frame.begin_layer(Layer::Counters);
        let (chart, map) = (input.regions.chart, frame.axis);
        let start = frame.count::<CounterInstance>();
        // Shared by all threads; computed only if one is on screen.
        let mut bounds: Vec<u64> = Vec::new();
        for item in input.visible_items() {
            // Graphs of headings have a painter of their own.
            let thread = item.kind.activity(input).filter(|_| item.kind.graph(input).is_none());
            let track = thread.and_then(|thread| input.index.cpu().get(thread));
            let Some(track) = track else { continue };
            let row = frame.rows.len();
            if row >= MAX_ROWS {
                break;
            }
            let place = place(input, item);
            frame.rows.push(place);
            if bounds.is_empty() {
                bounds = column_bounds(input, &map);
            }
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a height on screen")]
            let height = place.height.min(4096.0) as u16;
            let (columns, bands, next) = ((0, 0), Vec::new(), Vec::new());
            let mut areas = ActivityColumns { frame, row, height, columns, bands, next };
            visit_columns(track.tick_tree(), &map, &bounds, |ColumnRun { columns, steps }| {
                let extent = track.extent(steps.0, steps.1);
                let shares = match steps {
                    (from, to) if to - from == 1 => track.color_of(from),
                    _ => track.shares(steps, (bounds[usize::from(columns.0)], bounds[usize::from(columns.1)])),
                };
                let heights = [extent.min, extent.max].map(|percent| pixels(percent, f32::from(height)));
                areas.add(columns, heights, &shares, stack_order());
            });
            areas.flush();
        }
        frame.draw_since::<CounterInstance>(chart, start);
    }
}

/// Minimum and maximum percentage of a thread in the column at `x`, if it changes there.
#[must_use]
pub fn cpu_spread(input: &SceneInput<'_>, thread: ThreadId, x: f32) -> Option<(f32, f32)> {
    let (track, map) = (input.index.cpu().get(thread)?, input.axis_map());
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a column of the chart")]
    let column = (x - input.regions.chart.x).floor().max(0.0) as u16;
    let (first, after) = changes_in(track.tick_tree(), &map, column)?;
    let extent = track.extent(first, after);
    (extent.min < extent.max).then_some((extent.min, extent.max))
}
