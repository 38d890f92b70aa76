//! Draws the frames on screen: a box for each, with its length if it fits.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::columns::{DrawnFrames, visit};
use super::insight_work::InsightWork;
use super::main_work;
use super::row::{FrameRow, FrameRows, Severity};
use crate::frame::{Frame, Layer};
use crate::geometry::PixelRect;
use crate::layout::{Hit, Item, ItemKind, SceneInput, TrackHeading, TrackRow};
use crate::primitives::{LinkInstance, RectInstance};
use crate::theme::{Palette, Rgba, with_alpha};
use crate::tracks::TrackPainter;
use crate::tracks::bars::{HATCH_STEP, caption_width, hatch_lines, push_caption, tinted_box};
use crate::tracks::row_spans::column_and_reach;
use flowline_format::format_whole_ms;
use flowline_index::Derived;
use flowline_index::search::Hits;
use flowline_insights::frames::{FrameState, Frames, PageFrame};
use flowline_profile::{ProcessId, Profile};

/// Key of the kind.
pub(super) const KEY: &str = "frames";
/// Points between the edges of the item and its boxes.
const INSET: f32 = 3.0;
/// Opacity of frames that a search does not find, or that are not those of the emphasized insight: 25 %.
const DIMMED: u8 = 64;
/// Opacity of frames without new content: lighter than others.
const COMPOSITED: u8 = 110;
/// Opacity of the outlines of hovered frames and of those of an insight: 60 %.
const OUTLINE: u8 = 153;
/// Least width of a caption in points: "9 ms".
const LEAST_CAPTION: f32 = 30.0;
/// Boxes from this width in points on are separated from the next one.
const MIN_GAP_WIDTH: f32 = 4.0;

fn process_of(item: &Item) -> Option<ProcessId> {
    match item.kind {
        ItemKind::Track(TrackHeading { track, expanded: false }) if track.kind == KEY => Some(ProcessId(track.number)),
        ItemKind::TrackRow(TrackRow { track, .. }) if track.kind == KEY => Some(ProcessId(track.number)),
        _ => None,
    }
}

/// The vertical place of the boxes of an item.
fn place(input: &SceneInput<'_>, item: &Item) -> (f32, f32) {
    let inset = (INSET * input.scale).round();
    let (y, height) = (input.item_y(item), input.item_height(item));
    (y + inset, (height - 2.0 * inset).max(1.0))
}

/// True if a frame's markers contain a hit of a search.
pub(super) fn is_hit(profile: &Profile, frame: &PageFrame, hits: &Hits) -> bool {
    let is_hit = |marker| profile.locate(marker).is_some_and(|(thread, local)| hits.contains(thread, local));
    is_hit(frame.marker) || frame.markers.iter().any(|marker| is_hit(*marker))
}

/// The frame at an x coordinate of a row: the selected one first, then the worst one drawn there, then the nearest.
pub(super) fn hit(input: &SceneInput<'_>, process: ProcessId, x: f32) -> Option<Hit> {
    let (frames, rows) = (Frames::if_built(input.index)?, FrameRows::if_built(input.index)?);
    let row = rows.row(process)?;
    let map = input.axis_map();
    let (column, reach) = column_and_reach(x - input.regions.chart.x, input.scale);
    let selected = input.view.selected.and_then(|marker| frames.of_marker(marker)).map(|(number, _)| number);
    let ticks = map.ticks(f64::from(column - reach), f64::from(column + reach + 1));
    let mut best: Option<(i32, DrawnFrames)> = None;
    visit(row, &map, ticks, |drawn| {
        let distance = (drawn.columns.0 - column).max(column - (drawn.columns.1 - 1)).max(0);
        if distance <= reach && best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, drawn));
        }
    });
    let drawn = best?.1;
    let chosen = (drawn.frames.0..drawn.frames.1).take(CHOICES).find(|at| Some(row.number(*at) as usize) == selected);
    let at = chosen.unwrap_or(drawn.shown);
    let frame = &frames.list()[row.number(at) as usize];
    let (thread, _) = input.index.profile().locate(frame.marker)?;
    let count = u32::try_from(drawn.frames.1 - drawn.frames.0).unwrap_or(u32::MAX);
    Some(Hit { thread, marker: frame.marker, count })
}

/// Among more merged frames than this, the selected one is not looked for.
const CHOICES: usize = 1_000;

/// Draws the frames on screen.
#[derive(Debug, Default)]
pub(super) struct FramePainter {
    /// Number of the search result, and the frames that it found.
    found: Option<(u64, BTreeMap<ProcessId, FrameRow>)>,
    /// The work of the emphasized insight.
    work: Option<InsightWork>,
    rects: Vec<RectInstance>,
    lines: Vec<LinkInstance>,
}

impl TrackPainter for FramePainter {
    fn paint(&mut self, input: &SceneInput<'_>, frame: &mut Frame) {
        let built = Frames::if_built(input.index).zip(FrameRows::if_built(input.index));
        let Some((frames, rows)) = built else { return };
        let chart = input.regions.chart;
        let items: Vec<(Item, ProcessId)> =
            input.visible_items().iter().filter_map(|item| Some((*item, process_of(item)?))).collect();
        for (item, process) in &items {
            let Some(row) = rows.row(*process) else { continue };
            let alpha = if input.is_dimmed() { DIMMED } else { u8::MAX };
            frame.begin_layer(Layer::Markers);
            self.draw_row(input, frame, item, (row, frames), alpha);
            if let Some(own) = self.insight_row(input, frames, *process, row) {
                frame.begin_layer(Layer::SearchHits);
                Self::default().draw_row(input, frame, item, (own, frames), u8::MAX);
            }
            if let Some(found) = self.found_row(input, frames, *process, row) {
                frame.begin_layer(Layer::SearchHits);
                let mut own = Self::default();
                own.draw_row(input, frame, item, (found, frames), u8::MAX);
            }
        }
        let work = self.insight_work(input);
        if items.is_empty() && input.view.selected.is_none() {
            return;
        }
        frame.begin_layer(Layer::Highlights);
        let mut rects = Vec::new();
        for (item, process) in &items {
            let Some(row) = rows.row(*process) else { continue };
            if let Some(work) = work {
                rects.extend(insight_outlines(input, frame, item, (row, frames, work)));
            }
            rects.extend(highlights(input, frame, item, row, frames));
        }
        rects.extend(main_work::rects(input, frame, frames));
        frame.draw(chart, rects);
    }
}

impl FramePainter {
    /// The frames of a row that a search found.
    fn found_row(
        &mut self,
        input: &SceneInput<'_>,
        frames: &Frames,
        process: ProcessId,
        row: &FrameRow,
    ) -> Option<&FrameRow> {
        let search = input.search?;
        if self.found.as_ref().is_none_or(|(number, _)| *number != search.number) {
            self.found = Some((search.number, BTreeMap::new()));
        }
        let (_, found) = self.found.as_mut()?;
        let is_found = |own: &PageFrame| is_hit(input.index.profile(), own, &search.hits);
        let filtered = || row.filtered(input.index, frames, is_found);
        Some(&*found.entry(process).or_insert_with(filtered)).filter(|row| row.len() > 0)
    }

    /// The frames of a row that belong to the emphasized insight.
    fn insight_row(
        &mut self,
        input: &SceneInput<'_>,
        frames: &Frames,
        process: ProcessId,
        row: &FrameRow,
    ) -> Option<&FrameRow> {
        if self.insight_work(input).is_none() || !input.view.dims_others() {
            return None;
        }
        self.work.as_mut().map(|work| work.row(input.index, frames, (process, row))).filter(|row| row.len() > 0)
    }

    /// The work of the emphasized insight, once its markers are known.
    fn insight_work(&mut self, input: &SceneInput<'_>) -> Option<&InsightWork> {
        let focus = input.view.insight.as_ref().filter(|focus| focus.markers.is_some());
        let Some(focus) = focus else {
            self.work = None;
            return None;
        };
        if self.work.as_ref().is_none_or(|work| !work.is_of(focus)) {
            self.work = Some(InsightWork::new(input.index.profile(), focus));
        }
        self.work.as_ref()
    }

    /// Draws the boxes of a row.
    fn draw_row(
        &mut self,
        input: &SceneInput<'_>,
        frame: &mut Frame,
        item: &Item,
        (row, frames): (&FrameRow, &Frames),
        alpha: u8,
    ) {
        let chart = input.regions.chart;
        let shown = frame.axis.ticks(0.0, f64::from(chart.width));
        let (y, height) = place(input, item);
        let (map, palette, line) = (frame.axis, frame.palette, frame.line_width());
        let origin = frame.axis_left - map.phase((HATCH_STEP * input.scale).round().max(2.0) * 2.0);
        let mut captions: Vec<(PixelRect, Arc<str>)> = Vec::new();
        // Columns of merged frames in the same state are one rectangle.
        let mut merged: Option<DrawnFrames> = None;
        let rect_of = |(first, end): (i32, i32)| {
            let width = MIN_GAP_WIDTH * input.scale;
            #[expect(clippy::cast_precision_loss, reason = "pixel columns")]
            let (left, right) = (first as f32, end as f32);
            let gap = if right - left >= width { line } else { 0.0 };
            PixelRect::new(frame.axis_left + left, y, right - left - gap, height)
        };
        visit(row, &map, shown, |drawn| {
            if let Some(last) = &mut merged {
                if drawn.single().is_none() && last.columns.1 == drawn.columns.0 && last.severity == drawn.severity {
                    last.columns.1 = drawn.columns.1;
                    return;
                }
                self.push(rect_of(last.columns), last.severity, None, (palette, alpha), (input.scale, line, origin));
                merged = None;
            }
            let Some(at) = drawn.single() else {
                merged = Some(drawn);
                return;
            };
            let rect = rect_of(drawn.columns);
            let room = rect.intersect(chart);
            let own = &frames.list()[row.number(at) as usize];
            let caption = caption(own, drawn.severity, (room.width, input.scale));
            // Hatching begins after the caption, so that it crosses no text.
            let hatched = caption.as_ref().map_or(rect.x, |(_, width)| room.x + width);
            self.push(rect, drawn.severity, Some(hatched), (palette, alpha), (input.scale, line, origin));
            captions.extend(caption.map(|(text, _)| (rect, text)));
        });
        if let Some(last) = merged {
            self.push(rect_of(last.columns), last.severity, None, (palette, alpha), (input.scale, line, origin));
        }
        frame.draw(chart, self.rects.drain(..));
        frame.draw(chart, self.lines.drain(..));
        let color = with_alpha(palette.text, alpha);
        for (rect, text) in captions {
            push_caption(input, frame, rect, color, text);
        }
    }

    /// Adds the rectangle of merged frames, or the box of a single one and its stripes, from a left edge on.
    fn push(
        &mut self,
        rect: PixelRect,
        severity: Severity,
        hatched: Option<f32>,
        (palette, alpha): (&Palette, u8),
        (scale, line, origin): (f32, f32, f32),
    ) {
        let Some(color) = color_of(severity, palette) else { return };
        let color = with_alpha(color, u8::try_from(u16::from(color[3]) * u16::from(alpha) / 255).unwrap_or(alpha));
        let Some(from) = hatched else {
            self.rects.push(RectInstance::filled(rect, with_alpha(color, color[3].min(200))));
            return;
        };
        self.rects.push(tinted_box(rect, color, line));
        let left = from.max(rect.x + line);
        if let Some(step) = hatching(severity)
            && rect.width >= HATCH_STEP * scale
        {
            let (width, height) = (rect.right() - line - left, rect.height - 2.0 * line);
            let inside = PixelRect::new(left, rect.y + line, width.max(0.0), height);
            self.lines.extend(hatch_lines(inside, color, scale, (step, origin)));
        }
    }
}

/// Distance in points between the lines of hatching of frames that are not as they should be.
const fn hatching(severity: Severity) -> Option<f32> {
    match severity {
        Severity::Late | Severity::Dropped => Some(HATCH_STEP),
        Severity::Partial => Some(2.0 * HATCH_STEP),
        Severity::Idle | Severity::Composited | Severity::Good => None,
    }
}

/// The caption of a box and its width, if it fits into the room. Hatching goes first: it needs room for two lines.
fn caption(frame: &PageFrame, severity: Severity, (room, scale): (f32, f32)) -> Option<(Arc<str>, f32)> {
    let rest = if hatching(severity).is_some() { 2.0 * HATCH_STEP * scale } else { 0.0 };
    if severity == Severity::Idle || room < LEAST_CAPTION * scale + rest {
        return None;
    }
    let fits = |text: Arc<str>| {
        let width = caption_width(&text, scale);
        (width + rest <= room).then_some((text, width))
    };
    // Without room for the state, the color and the hatching still show it.
    fits(label(frame)).or_else(|| fits(Arc::from(format_whole_ms(frame.times.len()))))
}

/// The color of frames; idle ones have none.
fn color_of(severity: Severity, palette: &Palette) -> Option<Rgba> {
    match severity {
        Severity::Idle => None,
        Severity::Composited => Some(with_alpha(palette.good, COMPOSITED)),
        Severity::Good => Some(palette.good),
        Severity::Partial | Severity::Late => Some(palette.warn),
        Severity::Dropped => Some(palette.bad),
    }
}

/// The length of a frame in whole milliseconds, after the state if it was not shown.
fn label(frame: &PageFrame) -> Arc<str> {
    let length = format_whole_ms(frame.times.len());
    match frame.state {
        FrameState::Dropped | FrameState::Missed => Arc::from(format!("{}, {length}", frame.state.title())),
        _ => Arc::from(length),
    }
}

/// The outline of a frame's columns.
fn outline_of(
    input: &SceneInput<'_>,
    frame: &Frame,
    item: &Item,
    (first, end): (i32, i32),
    (color, width): (Rgba, f32),
) -> RectInstance {
    let (y, height) = place(input, item);
    #[expect(clippy::cast_precision_loss, reason = "pixel columns")]
    let (left, right) = (frame.axis_left + first as f32, frame.axis_left + end as f32);
    let rect = PixelRect::new(left - width, y - width, right - left + 2.0 * width, height + 2.0 * width);
    RectInstance { border: color, border_width: width, ..RectInstance::filled(rect, [0; 4]) }
}

/// Outlines of the frames of the emphasized insight. Merged ones are not outlined.
fn insight_outlines(
    input: &SceneInput<'_>,
    frame: &Frame,
    item: &Item,
    (row, frames, work): (&FrameRow, &Frames, &InsightWork),
) -> Vec<RectInstance> {
    let shown = frame.axis.ticks(0.0, f64::from(input.regions.chart.width));
    let style = (with_alpha(frame.palette.text, OUTLINE), frame.line_width());
    let mut rects = Vec::new();
    visit(row, &frame.axis, shown, |drawn| {
        let own = drawn.single().map(|at| &frames.list()[row.number(at) as usize]);
        if own.is_some_and(|own| work.has(own, row.main)) {
            rects.push(outline_of(input, frame, item, drawn.columns, style));
        }
    });
    rects
}

/// Outlines of the selected and the hovered frame.
fn highlights(
    input: &SceneInput<'_>,
    frame: &Frame,
    item: &Item,
    row: &FrameRow,
    frames: &Frames,
) -> Vec<RectInstance> {
    let selected = input.view.selected;
    let hovered = input.view.hovered.filter(|hovered| Some(*hovered) != selected);
    let line = frame.line_width();
    let palette = frame.palette;
    let outline = |marker, color: Rgba, width: f32| {
        let (number, _) = frames.of_marker(marker)?;
        let at = row.find(u32::try_from(number).ok()?)?;
        let (start, end) = row.ticks(at);
        let columns = frame.axis.columns(flowline_index::Packed::new(start, end, flowline_index::Style::default()));
        Some(outline_of(input, frame, item, columns, (color, width)))
    };
    let mut rects: Vec<RectInstance> = Vec::new();
    rects.extend(hovered.and_then(|marker| outline(marker, with_alpha(palette.text, OUTLINE), line)));
    rects.extend(selected.and_then(|marker| outline(marker, palette.select, 2.0 * line)));
    rects
}
