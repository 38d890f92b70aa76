//! Activity graphs of headings: columns of two pixels, as high as the share of their time in which the threads were busy.
//!
//! Columns are parts of a grid that is fixed in time, so they move with the view by whole pixels, also those that an edge of
//! the view cuts. Kinds of work are stacked in the same order everywhere. A column with any activity is at least a pixel high.
//! The columns of an item are kept while the zoom stays the same; a view that moves adds those at its edges.

use std::collections::HashMap;

use super::order::stack_order;
use crate::frame::{Frame, Layer};
use crate::geometry::AxisMap;
use crate::layout::{Item, SceneInput};
use crate::primitives::{CounterInstance, EdgeLines, MAX_ROWS, RowBounds};
use crate::tracks::{ActivityGraph, TrackPainter};
use flowline_index::IndexId;
use flowline_index::samples::{BusyCursor, CpuTrack, Shares};

/// Width of a column in device pixels.
const COLUMN: i32 = 2;
/// Points between the graph and the upper and lower edge of its item.
const INSET: (f32, f32) = (3.0, 1.0);

/// The grid of columns, which is fixed in time.
#[derive(Clone, Copy, Debug)]
struct Grid {
    /// Ticks of a column.
    step: f64,
    /// Number of the first column in view, and of the one after the last.
    numbers: (i64, i64),
    /// Device pixels of the first column that are left of the view.
    phase: i32,
}

impl Grid {
    #[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "ticks have 48 bits")]
    fn new(map: &AxisMap) -> Self {
        let step = f64::from(COLUMN) * map.ticks_per_pixel();
        let at = map.origin as f64 / step;
        // The fraction of a tick is many columns wide if a tick is.
        let along = at - at.floor() + f64::from(map.fraction) / step;
        let (first, rest) = (at.floor() + along.floor(), along - along.floor());
        let phase = ((rest * f64::from(COLUMN)) as i32).clamp(0, COLUMN - 1);
        let count = (i64::from(map.width.ceil() as i32 + phase) + i64::from(COLUMN) - 1) / i64::from(COLUMN);
        Self { step, numbers: (first as i64, (first as i64).saturating_add(count)), phase }
    }

    /// The ticks of a column: from the first one in it to the first one in the next column, or the tick before the column
    /// if it contains none. Before tick zero there is nothing.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss, reason = "48 bits")]
    fn ticks(&self, number: i64) -> (u64, u64) {
        let first = |number: i64| (number as f64 * self.step).ceil().max(0.0) as u64;
        let (from, end) = (first(number), first(number.saturating_add(1)));
        if from < end { (from, end) } else { (end.saturating_sub(1), end) }
    }

    /// The pixel columns of a column of the grid, cut at the left edge of the view.
    fn pixels(&self, number: i64) -> (u16, u16) {
        let left = (number - self.numbers.0) * i64::from(COLUMN) - i64::from(self.phase);
        let pixel = |at: i64| u16::try_from(at.max(0)).unwrap_or(u16::MAX);
        (pixel(left), pixel(left + i64::from(COLUMN)))
    }
}

/// Part of a column of the grid: its number, its upper and lower edge, its palette entry.
type GraphPart = (i64, (u16, u16), u8);

/// Everything that the columns of an item depend on, apart from the position of the view.
#[derive(Clone, Debug, PartialEq)]
struct GraphKey {
    index: IndexId,
    pixels_per_tick: f32,
    height: u16,
    graph: ActivityGraph,
    /// Number of threads whose activity is known.
    built: usize,
}

/// The columns of an item, from left to right.
#[derive(Debug)]
struct DrawnGraph {
    key: GraphKey,
    /// Numbers of the first column and of the one after the last.
    numbers: (i64, i64),
    parts: Vec<GraphPart>,
    is_used: bool,
}

impl DrawnGraph {
    const fn new(key: GraphKey) -> Self {
        Self { key, numbers: (0, 0), parts: Vec::new(), is_used: false }
    }

    /// Moves to other columns of the same grid; those that are known already stay.
    fn move_to(&mut self, grid: &Grid, tracks: &[&CpuTrack]) {
        let ((from, end), (known, known_end)) = (grid.numbers, self.numbers);
        if (from, end) == (known, known_end) {
            return;
        }
        let compute = |numbers: (i64, i64)| columns(tracks, &self.key, grid, numbers);
        let kept = (known.max(from), known_end.min(end));
        self.parts = if kept.0 >= kept.1 {
            compute((from, end))
        } else {
            let mut parts = compute((from, kept.0));
            let inside = |part: &&GraphPart| part.0 >= kept.0 && part.0 < kept.1;
            parts.extend(self.parts.iter().filter(inside));
            parts.extend(compute((kept.1, end)));
            parts
        };
        self.numbers = (from, end);
    }
}

/// Draws the graphs of headings.
#[derive(Debug, Default)]
pub(crate) struct GraphPainter {
    drawn: HashMap<(&'static str, [u32; 2]), DrawnGraph>,
}

impl TrackPainter for GraphPainter {
    fn paint(&mut self, input: &SceneInput<'_>, frame: &mut Frame) {
        // A search dims markers that it does not find, which a graph cannot show.
        if input.search.is_some() {
            return;
        }
        frame.begin_layer(Layer::Markers);
        let (chart, map) = (input.regions.chart, frame.axis);
        let start = frame.count::<CounterInstance>();
        let grid = Grid::new(&map);
        for item in input.visible_items() {
            let Some(graph) = item.kind.graph(input) else { continue };
            let tracks: Vec<&CpuTrack> = graph.threads.iter().filter_map(|id| input.index.activity_of(*id)).collect();
            let row = frame.rows.len();
            if tracks.is_empty() || row >= MAX_ROWS {
                continue;
            }
            let place = place(input, item);
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a height on screen")]
            let height = place.height.clamp(1.0, 4096.0) as u16;
            frame.rows.push(place);
            let key = GraphKey {
                index: input.index.id(),
                pixels_per_tick: map.pixels_per_tick,
                height,
                graph,
                built: tracks.len(),
            };
            let name = item.kind.widget_key();
            let drawn = self.drawn.entry(name).or_insert_with(|| DrawnGraph::new(key.clone()));
            if drawn.key != key {
                *drawn = DrawnGraph::new(key);
            }
            drawn.move_to(&grid, &tracks);
            drawn.is_used = true;
            draw(frame, &grid, &drawn.parts, row);
        }
        self.drawn.retain(|_, drawn| std::mem::take(&mut drawn.is_used));
        frame.draw_since::<CounterInstance>(chart, start);
    }
}

/// Position of a graph within its item.
fn place(input: &SceneInput<'_>, item: &Item) -> RowBounds {
    let (above, below) = ((INSET.0 * input.scale).round(), (INSET.1 * input.scale).round());
    let height = (input.item_height(item) - above - below).max(2.0);
    RowBounds::new(input.item_y(item) + above, height)
}

/// Adds the instances of the columns in view. Side by side, columns of one equal part are one instance.
fn draw(frame: &mut Frame, grid: &Grid, parts: &[GraphPart], row: usize) {
    let mut push = |first: i64, last: i64, (top, bottom): (u16, u16), color: u8| {
        let columns = (grid.pixels(first).0, grid.pixels(last).1);
        let (edges, lines) = ([top, top, bottom, bottom], EdgeLines::default());
        frame.instances.counters.push(CounterInstance::new(columns, edges, color, lines, row));
    };
    let mut run: Option<(i64, GraphPart)> = None;
    for column in parts.chunk_by(|one, next| one.0 == next.0) {
        if let ([part], Some((_, last))) = (column, &mut run)
            && (part.0, part.1, part.2) == (last.0 + 1, last.1, last.2)
        {
            last.0 = part.0;
            continue;
        }
        if let Some((first, (last, edges, color))) = run.take() {
            push(first, last, edges, color);
        }
        match column {
            [part] => run = Some((part.0, *part)),
            parts => parts.iter().for_each(|(number, edges, color)| push(*number, *number, *edges, *color)),
        }
    }
    if let Some((first, (last, edges, color))) = run {
        push(first, last, edges, color);
    }
}

/// The columns of some threads, by number.
fn columns(tracks: &[&CpuTrack], key: &GraphKey, grid: &Grid, (from, end): (i64, i64)) -> Vec<GraphPart> {
    let mut parts: Vec<GraphPart> = Vec::new();
    if from >= end {
        return parts;
    }
    let mut done = grid.ticks(from);
    let mut cursors: Vec<BusyCursor<'_>> = tracks.iter().map(|track| BusyCursor::new(track, done.0)).collect();
    let mut busy_until = |end: u64| {
        let mut shares: Shares = [0; _];
        cursors.iter_mut().for_each(|cursor| cursor.advance(end, &mut shares));
        shares
    };
    let mut shares = busy_until(done.1);
    for number in from..end {
        let ticks = grid.ticks(number);
        // A tick that is wider than a column fills several.
        if ticks != done {
            shares = busy_until(ticks.1);
            done = ticks;
        }
        #[expect(clippy::cast_precision_loss, reason = "heights of a few pixels")]
        let whole = (ticks.1 - ticks.0) as f64 * 100.0 * f64::from(key.graph.divisor.max(1));
        add(&mut parts, number, &shares, whole, key.height);
    }
    parts
}

/// Adds the parts of a column from the bottom up. `whole` is the busy time that fills the height.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "heights of a few pixels"
)]
fn add(parts: &mut Vec<GraphPart>, number: i64, shares: &Shares, whole: f64, height: u16) {
    let total: u64 = shares.iter().sum();
    if total == 0 {
        return;
    }
    // Truncation after adding a half rounds like `round`, which is a call of the math library.
    let rounded = |value: f64| f64::from((value + 0.5) as u16);
    let most = rounded(total as f64 / whole * f64::from(height)).clamp(1.0, f64::from(height));
    let (mut sum, mut bottom) = (0_u64, height);
    for color in stack_order() {
        let share = shares[usize::from(*color) % shares.len()];
        if share == 0 {
            continue;
        }
        sum += share;
        let top = height - (rounded(most * sum as f64 / total as f64).min(most) as u16).min(height);
        if top < bottom {
            parts.push((number, (top, bottom), *color));
            bottom = top;
        }
        if sum == total {
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Grid;

    #[test]
    fn columns_cover_all_ticks_in_order_at_every_zoom() {
        for step in [0.013, 0.25, 0.3, 0.999, 1.0, 1.7, 2.0, 41.5] {
            for from in [0_i64, 3, 1_000_000_007] {
                let grid = Grid { step, numbers: (from, from + 200), phase: 0 };
                let mut done = grid.ticks(from);
                for number in from..from + 200 {
                    let ticks = grid.ticks(number);
                    assert!(ticks.0 < ticks.1, "{step}: column {number} is empty");
                    assert!(ticks == done || ticks.0 == done.1, "{step}: {ticks:?} after {done:?}");
                    done = ticks;
                }
            }
            let grid = Grid { step, numbers: (-9, 9), phase: 0 };
            assert!((-9..-1).all(|number| grid.ticks(number) == (0, 0)), "{step}: nothing is before tick zero");
        }
    }
}
