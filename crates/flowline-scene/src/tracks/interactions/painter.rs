//! Draws interactions, and finds them under the pointer.

use super::card::{short_title, title};
use super::rows::{KEY, built, times};
use crate::frame::{Frame, Layer};
use crate::geometry::{AxisMap, PixelRect};
use crate::layout::{Hit, Item, ItemKind, SceneInput, TrackHeading, TrackRow};
use crate::primitives::RectInstance;
use crate::theme::{Palette, Rgba};
use crate::tracks::TrackPainter;
use crate::tracks::row_spans::column_and_reach;
use crate::tracks::timed_row::{Room, SeenEntry, TimedEntry, caption, dimmed, match_line, nearest, outline, seen};
use flowline_index::search::Hits;
use flowline_index::{Index, Packed, Style};
use flowline_insights::interactions::{Interaction, Interactions};
use flowline_insights::page_load::Rating;
use flowline_profile::{Ns, ProcessId};

/// Points above and below the box of the handlers.
const INSET: f32 = 3.0;
/// Thickness of whiskers in points.
const WHISKER: f32 = 1.5;
/// Height of the ends of whiskers in points.
const TICK: f32 = 8.0;
/// Narrower interactions, in points, have no whiskers.
const LEAST_WIDTH: f32 = 4.0;
/// Points between an interaction and its text.
const GAP: f32 = 6.0;
/// A collapsed track draws at most this many of its rows over each other; a later row is only in use while all before it
/// are.
const FEW_ROWS: usize = 32;

/// A row of a process; `None` is the heading of a collapsed track. The heading of an expanded one shows the first row.
type RowKey = (u32, Option<u32>);

fn row_of(item: &Item) -> Option<RowKey> {
    match item.kind {
        ItemKind::Track(TrackHeading { track, expanded }) if track.kind == KEY => {
            Some((track.number, expanded.then_some(0)))
        }
        ItemKind::TrackRow(TrackRow { track, row }) if track.kind == KEY => Some((track.number, Some(row))),
        _ => None,
    }
}

/// The rows of entries that an item shows.
fn rows(index: &Index, (process, row): RowKey) -> Option<(&Interactions, &[Vec<TimedEntry>])> {
    let (all, rows) = built(index)?;
    let rows = rows.track(ProcessId(process))?.rows.as_slice();
    let shown = match row {
        Some(row) => rows.get(row as usize..=row as usize)?,
        None => &rows[..rows.len().min(FEW_ROWS)],
    };
    Some((all, shown))
}

/// True if one of the markers of an interaction matches a search.
pub(super) fn is_hit(index: &Index, all: &Interactions, number: u32, hits: &Hits) -> bool {
    let profile = index.profile();
    let own = all.list().get(number as usize);
    let mut markers = own.into_iter().flat_map(|own| own.markers.iter().chain(&own.presented_by));
    markers.any(|marker| profile.locate(*marker).is_some_and(|(thread, local)| hits.contains(thread, local)))
}

/// The hit at an x coordinate of a row: the selected interaction first, then the one drawn there, then those nearby.
pub(super) fn hit(input: &SceneInput<'_>, key: RowKey, x: f32) -> Option<Hit> {
    let (all, rows) = rows(input.index, key)?;
    let map = input.axis_map();
    let (column, reach) = column_and_reach(x - input.regions.chart.x, input.scale);
    let selected = input.view.selected.and_then(|marker| all.of_marker(marker));
    let is_selected = |entry: &SeenEntry| Some(entry.number as usize) == selected;
    let here = |reach: i32| rows.iter().filter_map(|row| nearest(row, &map, column, reach)).collect::<Vec<_>>();
    let of = |found: Vec<SeenEntry>| found.iter().find(|entry| is_selected(entry)).or(found.last()).copied();
    let found = of(here(0)).or_else(|| of(here(reach)))?;
    let own = all.list().get(found.number as usize)?;
    let (thread, _) = input.index.profile().locate(own.marker)?;
    Some(Hit { thread, marker: own.marker, count: found.count })
}

/// Draws the interactions on screen.
#[derive(Debug, Default)]
pub(super) struct InteractionPainter;

impl TrackPainter for InteractionPainter {
    fn paint(&mut self, input: &SceneInput<'_>, frame: &mut Frame) {
        for item in input.visible_items() {
            let Some((all, rows)) = row_of(item).and_then(|key| rows(input.index, key)) else { continue };
            let place = (input.item_y(item), input.item_height(item));
            let painter = RowPainter { input, all, place, has_texts: rows.len() == 1 };
            // Where rows are drawn over each other, those with a known length are on top.
            let parts: &[Option<bool>] = if rows.len() == 1 { &[None] } else { &[Some(false), Some(true)] };
            for part in parts {
                rows.iter().for_each(|row| painter.draw(frame, row, *part));
            }
        }
    }
}

/// The color of an interaction: how good it is.
fn color(palette: &Palette, own: &Interaction) -> Rgba {
    match own.rating() {
        Some(Rating::Good) => palette.good,
        Some(Rating::NeedsImprovement) => palette.warn,
        Some(Rating::Poor) => palette.bad,
        None => palette.line_strong,
    }
}

/// Draws rows of interactions at one place.
struct RowPainter<'a> {
    input: &'a SceneInput<'a>,
    all: &'a Interactions,
    /// Top and height.
    place: (f32, f32),
    /// False where several rows are drawn over each other.
    has_texts: bool,
}

impl RowPainter<'_> {
    /// Draws a row, or only its interactions with or without a known end.
    fn draw(&self, frame: &mut Frame, row: &[TimedEntry], has_end: Option<bool>) {
        let (input, map) = (self.input, frame.axis);
        let chart = input.regions.chart;
        #[expect(clippy::cast_possible_truncation, reason = "a width in pixels")]
        let visible = (0, chart.width.ceil() as i32);
        let (mut shapes, mut outlines): (Vec<RectInstance>, Vec<RectInstance>) = (Vec::new(), Vec::new());
        let mut taken = chart.x;
        for entry in seen(row, &map, visible) {
            let Some(own) = self.all.list().get(entry.number as usize) else { continue };
            if has_end.is_some_and(|wanted| wanted != own.end.is_some()) {
                continue;
            }
            let is_match = input.search.map(|search| is_hit(input.index, self.all, entry.number, &search.hits));
            let plain = color(frame.palette, own);
            let is_own = own.markers.iter().any(|marker| input.view.is_in_insight(*marker));
            let is_dim = is_match.map_or(input.view.dims_others() && !is_own, |is_match| !is_match);
            let color = if is_dim { dimmed(frame, plain) } else { plain };
            let rect = whole(frame, entry.columns, self.place);
            draw(input, frame, own, (rect, color), &mut shapes);
            if is_match == Some(true) {
                shapes.push(match_line(frame, rect));
            }
            if !is_dim && self.has_texts {
                let room = Room { rect, gap: (GAP * input.scale).round(), since: entry.since, until: entry.until };
                caption(input, frame, (room, &mut taken), self.place, || vec![title(own), short_title(own)]);
            }
            let is = |marker| marker == Some(own.marker);
            if is(input.view.selected) || is(input.view.hovered) || is_own {
                outlines.push(outline(frame, rect, is(input.view.selected)));
            }
        }
        frame.begin_layer(Layer::Markers);
        frame.draw(chart, shapes);
        frame.begin_layer(Layer::Highlights);
        frame.draw(chart, outlines);
    }
}

/// The place of an interaction, without the space above and below it.
#[expect(clippy::cast_precision_loss, reason = "pixel columns")]
fn whole(frame: &Frame, (first, end): (i32, i32), (y, height): (f32, f32)) -> PixelRect {
    let inset = (INSET * frame.scale).round().min((height / 3.0).floor());
    PixelRect::new(frame.axis_left + first as f32, y + inset, (end - first) as f32, height - 2.0 * inset)
}

/// The columns of the part of an interaction between two times.
fn columns(input: &SceneInput<'_>, map: &AxisMap, from: Ns, to: Ns) -> (i32, i32) {
    let clock = input.index.clock();
    map.columns(Packed::new(clock.tick(from), clock.tick(to), Style::default()))
}

/// Adds the box and the whiskers of an interaction, which together light all of its columns.
#[expect(clippy::cast_precision_loss, reason = "pixel columns")]
fn draw(
    input: &SceneInput<'_>,
    frame: &Frame,
    own: &Interaction,
    (rect, color): (PixelRect, Rgba),
    shapes: &mut Vec<RectInstance>,
) {
    let scale = frame.scale;
    if rect.width < LEAST_WIDTH * scale {
        shapes.push(RectInstance::filled(rect, color));
        return;
    }
    let x = |column: i32| (frame.axis_left + column as f32).clamp(rect.x, rect.right());
    let times = times(own);
    let handlers = columns(input, &frame.axis, own.processing_start, own.processing_end);
    let (first, end) = (x(handlers.0).min(rect.right() - 1.0), x(handlers.1));
    let thin = (WHISKER * scale).round().max(1.0);
    let middle = (rect.y + (rect.height - thin) / 2.0).round();
    let tick = (TICK * scale).round().min(rect.height);
    let ends = (rect.y + (rect.height - tick) / 2.0).round();
    if own.processing_start > times.start {
        shapes.push(RectInstance::filled(PixelRect::new(rect.x, middle, first - rect.x, thin), color));
        shapes.push(RectInstance::filled(PixelRect::new(rect.x, ends, thin.min(rect.width), tick), color));
    }
    if times.end > own.processing_end {
        shapes.push(RectInstance::filled(PixelRect::new(end, middle, rect.right() - end, thin), color));
        shapes.push(RectInstance::filled(PixelRect::new(rect.right() - thin, ends, thin, tick), color));
    }
    let handlers = PixelRect::new(first, rect.y, (end - first).max(1.0), rect.height);
    let radius = if handlers.width >= 6.0 * scale { scale } else { 0.0 };
    shapes.push(RectInstance { radius, ..RectInstance::filled(handlers, color) });
}
