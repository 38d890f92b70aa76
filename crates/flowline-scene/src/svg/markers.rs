//! Rows of markers, areas of counters, and bars. Narrow markers are written as runs of pixel columns, one path per
//! color.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::Range;

use super::colors::{marker_look, mix};
use super::document::{Paint, SvgWriter, short};
use super::marks;
use crate::frame::{Batch, Frame};
use crate::geometry::{PixelRect, hatch_period, min_bordered_width};
use crate::primitives::{BarInstance, CounterInstance, Emphasis, MarkerInstance, RowBounds};
use crate::reference::diamond_reach_in;
use crate::theme::{Rgba, with_alpha};

/// Maximum size in bytes of a run of pixel columns.
pub const RUN_BYTES: usize = 48;

/// Share of the background in the solid part and in the spread of counters, as in `shaders/counter.wgsl`.
const SOLID: f32 = 0.34;
const SPREAD: f32 = 0.56;
/// Share of the background below a curve, and the width of its line in points.
const BELOW: f32 = 0.8;
const CURVE_WIDTH: f32 = 1.5;

/// Path data by color.
#[derive(Default)]
struct Paths(BTreeMap<Rgba, String>);

impl Paths {
    fn add(&mut self, color: Rgba, rect: PixelRect) {
        if rect.width > 0.0 && rect.height > 0.0 {
            let (x, y, w, h) = (short(rect.x), short(rect.y), short(rect.width), short(rect.height));
            // Writing to a string cannot fail.
            let _ = write!(self.0.entry(color).or_default(), "M{x} {y}h{w}v{h}h-{w}z");
        }
    }

    fn write(&mut self, svg: &mut SvgWriter) {
        for (color, data) in std::mem::take(&mut self.0) {
            svg.path(&data, Paint::Color(color), None);
        }
    }
}

/// Number of columns of the canvas.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "on screen")]
fn columns_of(frame: &Frame) -> usize {
    (frame.axis.width.max(0.0).ceil() as usize).min(1 << 20)
}

#[expect(clippy::cast_precision_loss, reason = "pixel columns")]
fn area(frame: &Frame, columns: Range<i32>, place: RowBounds) -> PixelRect {
    let width = (columns.end - columns.start) as f32;
    PixelRect::new(frame.axis_left + columns.start as f32, place.y, width, place.height)
}

/// Writes a batch of markers. Of each row, wide markers come first, then the pixel columns of narrow ones that no later
/// marker covers.
pub(super) fn write(svg: &mut SvgWriter, frame: &Frame, batch: &Batch, markers: &[MarkerInstance]) {
    svg.clip(batch.clip);
    let mut cells: Vec<Option<Rgba>> = vec![None; columns_of(frame)];
    let mut paths = Paths::default();
    let mut pending: Vec<Range<f32>> = Vec::new();
    for row in markers.chunk_by(|a, b| a.row() == b.row()) {
        let Some(place) = row.first().map(|marker| frame.rows[marker.row()]) else { continue };
        let lines = place.y..place.y + place.height;
        // Later markers are drawn on top: those of the same row, and those of a row in the same position, such as a
        // summary over its backdrop.
        if pending.iter().any(|other| lines.start < other.end && other.start < lines.end) {
            paths.write(svg);
            pending.clear();
        }
        pending.push(lines);
        write_row(svg, frame, row, place, &mut cells, &mut paths);
    }
    paths.write(svg);
}

fn write_row(
    svg: &mut SvgWriter,
    frame: &Frame,
    row: &[MarkerInstance],
    place: RowBounds,
    cells: &mut [Option<Rgba>],
    paths: &mut Paths,
) {
    cells.fill(None);
    let width = cells.len();
    let clamp = |column: i32| usize::try_from(column).unwrap_or(0).min(width);
    #[expect(clippy::cast_possible_truncation, reason = "a few pixels")]
    let min_bordered = min_bordered_width(frame.scale) as i32;
    for marker in row {
        let (first, end) = frame.axis.columns(marker.packed());
        if marker.has(MarkerInstance::ALONE) {
            diamond(frame, *marker, first, paths);
            continue;
        }
        let bordered = end - first >= min_bordered;
        let look = marker_look(frame.palette, *marker, place, bordered);
        let columns = clamp(first)..clamp(end);
        if !bordered {
            cells[columns].fill(Some(look.fill));
            continue;
        }
        cells[columns].fill(None);
        let edge = look.edge.unwrap_or(look.fill);
        let fill = match look.between {
            Some(between) => {
                let period = hatch_period(frame.scale);
                let origin = frame.axis_left - frame.axis.phase(period) + place.y;
                svg.hatch(look.fill, between, period, 0.5, origin)
            }
            None => Paint::Color(look.fill),
        };
        svg.rect(area(frame, first..end, place), 0.0, fill, Paint::Color(edge), frame.line_width());
        marks::write(svg, frame, *marker, area(frame, first..end, place));
    }
    let mut start = 0;
    for run in cells.chunk_by(|a, b| a == b) {
        let end = start + run.len();
        if let Some(color) = run[0] {
            let column = |at: usize| i32::try_from(at).unwrap_or(i32::MAX);
            paths.add(color, area(frame, column(start)..column(end), place));
        }
        start = end;
    }
}

/// Adds the lines of an instant's diamond.
#[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "a few pixels")]
fn diamond(frame: &Frame, marker: MarkerInstance, column: i32, paths: &mut Paths) {
    let (place, reach) = (frame.rows[marker.row()], diamond_reach_in(frame, marker));
    let look = marker_look(frame.palette, marker, place, true);
    let (line, is_selected) = (frame.line_width() as i32, marker.emphasis() == Emphasis::Selected as u32);
    let outline = if is_selected { 2 * line } else { 0 };
    let middle = place.y + (place.height / 2.0).floor();
    let color_at = |distance: i32| match reach - distance {
        from_edge if from_edge < outline => frame.palette.select,
        from_edge if from_edge < outline + line => look.edge.unwrap_or(look.fill),
        _ => look.fill,
    };
    for down in -reach..=reach {
        let half = reach - down.abs();
        let columns: Vec<i32> = (-half..=half).collect();
        let color = |across: &i32| color_at(across.abs() + down.abs());
        for run in columns.chunk_by(|one, next| color(one) == color(next)) {
            let (Some(first), Some(last)) = (run.first(), run.last()) else { continue };
            let bounds = RowBounds::new(middle + down as f32, 1.0);
            paths.add(color(first), area(frame, column + first..column + last + 1, bounds));
        }
    }
}

/// Writes a batch of counters.
pub(super) fn write_counters(svg: &mut SvgWriter, frame: &Frame, batch: &Batch, counters: &[CounterInstance]) {
    svg.clip(batch.clip);
    let (line, background) = (frame.line_width(), frame.palette.canvas);
    let mut paths = Paths::default();
    for counter in counters {
        let (first, end) = counter.columns();
        let place = frame.rows[counter.row()];
        let (color, edge) = (frame.palette.fills[counter.color() & 15], frame.palette.edges[counter.color() & 15]);
        let [top, solid_top, solid_bottom, bottom] = counter.edges().map(f32::from);
        let has = |bit: u32| counter.0[3] & bit != 0;
        let inner_top = if has(CounterInstance::TOP_LINE) { (top + line).min(bottom) } else { top };
        let inner_bottom = if has(CounterInstance::BOTTOM_LINE) { (bottom - line).max(inner_top) } else { bottom };
        let mut part = |from: f32, to: f32, color: Rgba| {
            let rect =
                area(frame, first.into()..end.into(), RowBounds { y: place.y + from, height: to - from, ..place });
            paths.add(color, rect);
        };
        if has(CounterInstance::CURVE) {
            let width = (CURVE_WIDTH * frame.scale + 0.5).floor();
            let from = if has(CounterInstance::TOP_LINE) { solid_top + width } else { solid_top };
            let to = if has(CounterInstance::BOTTOM_LINE) { solid_bottom - width } else { solid_bottom };
            let from = from.clamp(top, bottom);
            let to = to.clamp(from, bottom);
            part(top, from, edge);
            part(from, to, mix(color, background, BELOW));
            part(to, bottom, edge);
            continue;
        }
        let inside = |y: f32| y.clamp(inner_top, inner_bottom);
        part(top, inner_top, edge);
        part(inner_top, inside(solid_top), mix(color, background, SPREAD));
        part(inside(solid_top), inside(solid_bottom), mix(color, background, SOLID));
        part(inside(solid_bottom.max(solid_top)), inner_bottom, mix(color, background, SPREAD));
        part(inner_bottom, bottom, edge);
    }
    paths.write(svg);
}

/// Writes a batch of bars, one path per color.
pub(super) fn write_bars(svg: &mut SvgWriter, frame: &Frame, batch: &Batch, bars: &[BarInstance]) {
    svg.clip(batch.clip);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a byte")]
    let opacity = (BarInstance::OPACITY * 255.0).round() as u8;
    let mut paths = Paths::default();
    for (color, place) in bars.iter().flat_map(|bar| bar.parts()) {
        paths.add(with_alpha(frame.palette.fills[color], opacity), place);
    }
    paths.write(svg);
}
