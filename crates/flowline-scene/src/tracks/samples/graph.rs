//! Activity graphs of headings: columns as high as the share of their time in which the threads were busy.
//!
//! A column is a power of two of ticks long and between one and a half and three pixels wide, unless a tick is wider.
//! Columns are parts of a grid that is fixed in time, so they move with the view by whole pixels, also those that an edge
//! of the view cuts. Kinds of work are stacked in the same order everywhere. A column with any activity is at least a pixel
//! high. The columns of an item are kept: a view that moves adds those at its edges, and a zoom computes them again only
//! when it has doubled or halved their width.

use std::collections::HashMap;

use super::order::stack_order;
use crate::frame::{Frame, Layer};
use crate::geometry::AxisMap;
use crate::layout::{Item, SceneInput};
use crate::primitives::{CounterInstance, EdgeLines, MAX_ROWS, RowBounds};
use crate::tracks::surfaces::content_top;
use crate::tracks::{ActivityGraph, TrackPainter};
use flowline_index::IndexId;
use flowline_index::samples::{BusyCursor, CpuTrack, Shares};

/// Columns are narrower than this number of device pixels, and at least half as wide, unless a tick is wider.
const COLUMN: f64 = 3.0;
/// Points between the graph and the upper and lower edge of its item.
const INSET: (f32, f32) = (3.0, 1.0);

/// The grid of columns, which is fixed in time.
#[derive(Clone, Copy, Debug)]
struct Grid {
    /// Logarithm to base 2 of the ticks of a column.
    level: u32,
    /// Number of the first column in view, and of the one after the last.
    numbers: (i64, i64),
    map: AxisMap,
}

impl Grid {
    #[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "ticks have 48 bits")]
    fn new(map: &AxisMap) -> Self {
        let widest = COLUMN * map.ticks_per_pixel();
        let level = (0..48).take_while(|level| (1_u64 << (level + 1)) as f64 <= widest).count() as u32;
        let span = f64::from(map.width) * map.ticks_per_pixel();
        let end = map.origin.saturating_add((f64::from(map.fraction) + span).ceil() as i64);
        // One more, because the edges of the view and of the columns are rounded separately.
        Self { level, numbers: (map.origin >> level, (end >> level) + 2), map: *map }
    }

    /// The pixel at which a column begins, limited to the view.
    #[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "ticks have 48 bits")]
    fn pixel(&self, number: i64) -> u16 {
        let pixels_per_tick = f64::from(self.map.pixels_per_tick);
        let pixels = |ticks: i64| (ticks as f64 * pixels_per_tick).floor();
        let at = if self.level == 0 {
            // A tick may be wider than the view, and then only the distance from the origin is exact.
            let ticks = number.saturating_sub(self.map.origin) as f64 - f64::from(self.map.fraction);
            (ticks * pixels_per_tick).floor()
        } else {
            let origin = (self.map.origin as f64 + f64::from(self.map.fraction)) * pixels_per_tick;
            pixels(number << self.level) - origin.floor()
        };
        u16::try_from(at.clamp(0.0, f64::from(self.map.width.ceil())) as i64).unwrap_or(u16::MAX)
    }
}

/// Part of some equal columns side by side.
#[derive(Clone, Copy, Debug, PartialEq)]
struct GraphPart {
    /// Numbers of the first column and of the one after the last.
    columns: (i64, i64),
    /// Upper and lower edge in pixels below the upper edge of the graph.
    edges: (u16, u16),
    /// Palette entry.
    color: u8,
}

/// Everything that the columns of an item depend on, apart from the position of the view.
#[derive(Clone, Debug, PartialEq)]
struct GraphKey {
    index: IndexId,
    level: u32,
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
    fn move_to(&mut self, (from, end): (i64, i64), tracks: &[&CpuTrack]) {
        let (known, known_end) = self.numbers;
        if (from, end) == (known, known_end) {
            return;
        }
        let compute = |numbers: (i64, i64)| columns(tracks, &self.key, numbers);
        let kept = (known.max(from), known_end.min(end));
        self.parts = if kept.0 >= kept.1 {
            compute((from, end))
        } else {
            let mut parts = compute((from, kept.0));
            let inside = |part: &GraphPart| {
                let columns = (part.columns.0.max(kept.0), part.columns.1.min(kept.1));
                (columns.0 < columns.1).then_some(GraphPart { columns, ..*part })
            };
            parts.extend(self.parts.iter().filter_map(inside));
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
        // A search dims markers that it does not find, and an insight those of others, which a graph cannot show.
        if input.is_dimmed() {
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
            let key = GraphKey { index: input.index.id(), level: grid.level, height, graph, built: tracks.len() };
            let name = item.kind.widget_key();
            let drawn = self.drawn.entry(name).or_insert_with(|| DrawnGraph::new(key.clone()));
            if drawn.key != key {
                *drawn = DrawnGraph::new(key);
            }
            drawn.move_to(grid.numbers, &tracks);
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
    let above = content_top(input, item, above);
    let height = (input.item_height(item) - above - below).max(2.0);
    RowBounds::new(input.item_y(item) + above, height)
}

/// Adds the instances of the columns in view.
fn draw(frame: &mut Frame, grid: &Grid, parts: &[GraphPart], row: usize) {
    let instance = |part: &GraphPart| {
        let columns = (grid.pixel(part.columns.0), grid.pixel(part.columns.1));
        let (top, bottom) = part.edges;
        let edges = [top, top, bottom, bottom];
        (columns.0 < columns.1).then(|| CounterInstance::new(columns, edges, part.color, EdgeLines::default(), row))
    };
    frame.instances.counters.extend(parts.iter().filter_map(instance));
}

/// The columns of some threads, by number. Equal ones without an edge in between are one part.
#[expect(clippy::cast_sign_loss, reason = "numbers from zero on")]
fn columns(tracks: &[&CpuTrack], key: &GraphKey, (from, end): (i64, i64)) -> Vec<GraphPart> {
    let mut parts: Vec<GraphPart> = Vec::new();
    // Before tick zero there is nothing.
    let mut number = from.max(0);
    if number >= end {
        return parts;
    }
    let tick = |number: i64| (number as u64) << key.level;
    let mut cursors: Vec<BusyCursor<'_>> = tracks.iter().map(|track| BusyCursor::new(track, tick(number))).collect();
    let busy_until = |cursors: &mut [BusyCursor<'_>], number: i64| {
        let mut shares: Shares = [0; _];
        cursors.iter_mut().for_each(|cursor| cursor.advance(tick(number), &mut shares));
        shares
    };
    while number < end {
        let shares = busy_until(&mut cursors, number + 1);
        add(&mut parts, (number, number + 1), &shares, key);
        number += 1;
        // The following columns in which no step begins are equal.
        let next = cursors.iter().map(BusyCursor::next_step).min().unwrap_or(u64::MAX);
        let steady = i64::try_from(next >> key.level).unwrap_or(i64::MAX).min(end);
        if steady > number {
            let shares = busy_until(&mut cursors, number + 1);
            add(&mut parts, (number, steady), &shares, key);
            busy_until(&mut cursors, steady);
            number = steady;
        }
    }
    parts
}

/// Adds the parts of equal columns from the bottom up, from the shares of one of them.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "heights of a few pixels"
)]
fn add(parts: &mut Vec<GraphPart>, columns: (i64, i64), shares: &Shares, key: &GraphKey) {
    let total: u64 = shares.iter().sum();
    if total == 0 {
        return;
    }
    let height = key.height;
    // The busy time that fills the height.
    let whole = (1_u64 << key.level) as f64 * 100.0 * f64::from(key.graph.divisor.max(1));
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
            let part = GraphPart { columns, edges: (top, bottom), color: *color };
            match parts.last_mut() {
                // A part at the bottom that is the last one of its column is its only one.
                Some(last)
                    if sum == total
                        && bottom == height
                        && last.columns.1 == columns.0
                        && (last.edges, last.color) == (part.edges, part.color) =>
                {
                    last.columns.1 = columns.1;
                }
                _ => parts.push(part),
            }
            bottom = top;
        }
        if sum == total {
            break;
        }
    }
}

#[cfg(test)]
mod tests;
