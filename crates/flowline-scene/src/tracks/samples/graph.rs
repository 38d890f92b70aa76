//! Activity graphs of headings: columns of two pixels, as high as the share of their time in which the threads were busy.
//!
//! Columns are parts of a grid that is fixed in time, so they move with the view by whole pixels. Kinds of work are stacked
//! in the same order everywhere. A column with any activity is at least a pixel high. The columns of an item are kept while
//! the axis stands still.

use std::collections::HashMap;

use super::order::stack_order;
use crate::frame::{Frame, Layer};
use crate::geometry::AxisMap;
use crate::layout::{Item, SceneInput};
use crate::primitives::{CounterInstance, EdgeLines, MAX_ROWS, RowBounds};
use crate::tracks::columns::column_bounds;
use crate::tracks::{ActivityGraph, TrackPainter};
use flowline_index::IndexId;
use flowline_index::samples::{CpuTrack, Shares};

/// Width of a column in device pixels.
const COLUMN: usize = 2;
/// Points between the graph and the upper and lower edge of its item.
const INSET: (f32, f32) = (3.0, 1.0);

/// Part of a column: its columns, its upper and lower edge, its palette entry.
type GraphPart = ((u16, u16), (u16, u16), u8);

/// Everything that the columns of an item depend on.
#[derive(Clone, Debug, PartialEq)]
struct GraphKey {
    index: IndexId,
    map: AxisMap,
    height: u16,
    graph: ActivityGraph,
    /// Number of threads whose activity is known.
    built: usize,
}

/// The columns of an item, from left to right.
#[derive(Debug)]
struct DrawnGraph {
    key: GraphKey,
    parts: Vec<GraphPart>,
    is_used: bool,
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
        let mut bounds: Vec<u64> = Vec::new();
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
            let key = GraphKey { index: input.index.id(), map, height, graph, built: tracks.len() };
            let name = item.kind.widget_key();
            if self.drawn.get(&name).is_none_or(|drawn| drawn.key != key) {
                if bounds.is_empty() {
                    bounds = column_bounds(input, &map);
                }
                let parts = columns(&tracks, key.graph.divisor, &bounds, &map, height);
                self.drawn.insert(name, DrawnGraph { key, parts, is_used: false });
            }
            let Some(drawn) = self.drawn.get_mut(&name) else { continue };
            drawn.is_used = true;
            for (columns, (top, bottom), color) in &drawn.parts {
                let (edges, lines) = ([*top, *top, *bottom, *bottom], EdgeLines::default());
                frame.instances.counters.push(CounterInstance::new(*columns, edges, *color, lines, row));
            }
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

/// The columns of some threads. `bounds` are the first ticks of all pixel columns and of the one after the last.
fn columns(tracks: &[&CpuTrack], divisor: u32, bounds: &[u64], map: &AxisMap, height: u16) -> Vec<GraphPart> {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small whole number")]
    let phase = map.phase(2.0) as usize;
    let mut parts: Vec<GraphPart> = Vec::new();
    let start = bounds.first().copied().unwrap_or(0);
    let mut before: Vec<usize> = tracks.iter().map(|track| track.steps_before(start)).collect();
    let last = bounds.len().saturating_sub(1);
    let mut left = 0;
    while left < last {
        let right = if left == 0 { COLUMN - phase.min(COLUMN - 1) } else { left + COLUMN }.min(last);
        let times = (bounds[left], bounds[right]);
        let mut shares: Shares = [0; _];
        for (track, before) in tracks.iter().zip(&mut before) {
            *before = track.add_busy(*before, times, &mut shares);
        }
        #[expect(clippy::cast_precision_loss, reason = "heights of a few pixels")]
        let whole = (times.1 - times.0).max(1) as f64 * 100.0 * f64::from(divisor.max(1));
        let edges = [left, right].map(|edge| u16::try_from(edge).unwrap_or(u16::MAX));
        add(&mut parts, (edges[0], edges[1]), &shares, whole, height);
        left = right;
    }
    parts
}

/// Adds the parts of a column from the bottom up; a part that continues the column before is joined with it. `whole` is the
/// busy time that fills the height.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "heights of a few pixels"
)]
fn add(parts: &mut Vec<GraphPart>, columns: (u16, u16), shares: &Shares, whole: f64, height: u16) {
    let total: u64 = shares.iter().sum();
    if total == 0 {
        return;
    }
    let most = (total as f64 / whole * f64::from(height)).round().clamp(1.0, f64::from(height));
    let (mut sum, mut bottom) = (0_u64, height);
    let first = parts.len();
    for color in stack_order() {
        let share = shares[usize::from(*color) % shares.len()];
        if share == 0 {
            continue;
        }
        sum += share;
        let top = height - ((most * sum as f64 / total as f64).round().min(most) as u16).min(height);
        if top < bottom {
            parts.push((columns, (top, bottom), *color));
            bottom = top;
        }
        if sum == total {
            break;
        }
    }
    // Columns of one part are common at high zoom.
    if let [.., before, own] = &parts[..]
        && parts.len() == first + 1
        && before.0.1 == own.0.0
        && (before.1, before.2) == (own.1, own.2)
        && (first < 2 || parts[first - 2].0 != before.0)
    {
        let end = own.0.1;
        parts.pop();
        if let Some(before) = parts.last_mut() {
            before.0.1 = end;
        }
    }
}
