//! The overview: long tasks or jank, CPU use by kind of work, network requests and milestones of the whole recording. A box
//! shows the visible range, and ticks at the upper edge search hits. Screenshots are widgets.

use super::lane_colors::of_milestone;
use crate::frame::Frame;
use crate::geometry::PixelRect;
use crate::layout::{OverviewParts, SceneInput};
use crate::primitives::{BarInstance, RectInstance};
use crate::theme::{PALETTE_LEN, Palette};
use flowline_index::SLICES;
use flowline_insights::flags::Flags;
use flowline_insights::overview::{BINS, CpuLane, LEVELS, NetworkLane, Responsiveness, bin_start};
use flowline_insights::page_load::MilestoneKind;
use flowline_profile::{Kind, Ns, TimeRange};
use flowline_view::Theme;

/// Width of a bar of CPU use in points.
const BAR: f32 = 2.0;
/// Height of a bar of a long task, and of a level of network requests, in points.
const THIN_BAR: f32 = 4.0;
/// Minimum width of a long task in points.
const MIN_TASK: f32 = 3.0;
/// Height of a tick of a search hit in points.
const TICK: f32 = 4.0;
/// Size of the handles at the edges of the visible range in points.
const HANDLE: [f32; 2] = [6.0, 24.0];

/// Cache key of the lanes: their parts, the range shown, theme, scale, the revision of the lanes, and true once the
/// milestones have been read.
type LanesKey = (OverviewParts, TimeRange, Theme, u32, usize, bool);

/// Cached lanes for one size, theme and scope.
#[derive(Debug, Default)]
pub(crate) struct OverviewCache {
    key: Option<LanesKey>,
    bars: Vec<BarInstance>,
    rects: Vec<RectInstance>,
}

/// The x coordinate of a time in the overview.
#[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "screen coordinates")]
pub(crate) fn pixel(region: PixelRect, extent: TimeRange, time: Ns) -> f32 {
    let part = (time - extent.start).0 as f64 / extent.len().max(1) as f64;
    region.x + (part * f64::from(region.width)) as f32
}

pub(crate) fn build(input: &SceneInput<'_>, frame: &mut Frame, cache: &mut OverviewCache) {
    let region = input.regions.overview;
    if region.height < 1.0 {
        return;
    }
    let palette = frame.palette;
    let parts = input.overview_parts();
    let extent = input.scope.overview(input.index);
    let lanes = input.scope.lanes().map_or(0, |lanes| std::ptr::from_ref(lanes).addr());
    let flags = Flags::if_built(input.index);
    let key = (parts, extent, input.view.theme, input.scale.to_bits(), lanes, flags.is_some());
    if cache.key != Some(key) {
        cache.key = Some(key);
        cache.build(input, palette, extent);
    }
    let corner = input.regions.corner;
    frame.draw(corner, [RectInstance::filled(corner, palette.panel)]);
    frame.draw(region, [RectInstance::filled(region, palette.canvas)]);
    frame.draw(region, cache.bars.iter().copied());
    frame.draw(region, cache.rects.iter().copied());
    build_window(input, frame);
    build_hits(input, frame);
    let line = frame.line_width();
    for part in [region, corner] {
        let edge = PixelRect::new(part.x, part.bottom() - line, part.width, line);
        frame.draw(part, [RectInstance::filled(edge, palette.line)]);
    }
}

impl OverviewCache {
    fn build(&mut self, input: &SceneInput<'_>, palette: &Palette, extent: TimeRange) {
        self.bars.clear();
        self.rects.clear();
        let Some(lanes) = input.scope.lanes() else { return };
        let parts = input.overview_parts();
        if let Some(part) = parts.cpu {
            self.bars = cpu_bars(&lanes.cpu, part, extent, input.scale);
        }
        if let Some((part, tasks)) = parts.tasks.zip(lanes.responsiveness.as_ref()) {
            self.rects.extend(task_rects(tasks, part, extent, (input.scale, palette.bad)));
        }
        if let Some((part, network)) = parts.network.zip(lanes.network.as_ref()) {
            let shown = (extent, lanes.cpu.range());
            self.rects.extend(network_rects(network, part, shown, (input.scale, palette.kind(Kind::Network))));
        }
        if let Some(flags) = Flags::if_built(input.index) {
            let line = crate::geometry::line_width(input.scale);
            self.rects.extend(milestone_lines(flags, input.regions.overview, extent, (line, palette)));
        }
    }
}

/// The columns of the lanes in a part of the overview, from `from` to `to` pixels of its width.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss, reason = "columns")]
fn bins_of(range: TimeRange, extent: TimeRange, width: f32, (from, to): (f32, f32)) -> (usize, usize) {
    let bin = |x: f32| {
        let since =
            (extent.start - range.start).0 as f64 + f64::from(x) / f64::from(width.max(1.0)) * extent.len() as f64;
        since / range.len().max(1) as f64 * BINS as f64
    };
    let first = bin(from).max(0.0).floor() as usize;
    let end = bin(to).min(BINS as f64).ceil().max(0.0) as usize;
    (first, end)
}

/// One bar every [`BAR`] points, as high as its share of a full column.
fn cpu_bars(cpu: &CpuLane, part: PixelRect, extent: TimeRange, scale: f32) -> Vec<BarInstance> {
    let width = (BAR * scale).round().max(1.0);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a number of bars on screen")]
    let count = (part.width / width).ceil().max(0.0) as usize;
    let bar = |bar: usize| {
        #[expect(clippy::cast_precision_loss, reason = "screen coordinates")]
        let (from, to) = (bar as f32 * width, (bar + 1) as f32 * width);
        let (first, end) = bins_of(cpu.range(), extent, part.width, (from, to.min(part.width)));
        let mut sum = [0_u64; PALETTE_LEN];
        for bin in first..end {
            sum.iter_mut().zip(cpu.column(bin)).for_each(|(sum, work)| *sum += work);
        }
        let total: u64 = sum.iter().sum();
        if total == 0 {
            return None;
        }
        #[expect(clippy::cast_precision_loss, reason = "heights on screen")]
        let full = (cpu.full() * (end - first) as u64).max(1) as f32;
        #[expect(clippy::cast_precision_loss, reason = "heights on screen")]
        let share = (total as f32 / full).min(1.0);
        let height = (share * part.height).round().max(1.0);
        #[expect(clippy::cast_precision_loss, reason = "heights on screen")]
        let heights = sum.map(|work| height * work as f32 / total as f32);
        Some(BarInstance::new(part.x + from, part.bottom(), width.min(part.width - from), &heights))
    };
    (0..count).filter_map(bar).collect()
}

/// Bars of long tasks or jank, joined where they touch.
fn task_rects(
    tasks: &Responsiveness,
    part: PixelRect,
    extent: TimeRange,
    (scale, color): (f32, [u8; 4]),
) -> Vec<RectInstance> {
    let (height, least) = ((THIN_BAR * scale).round(), (MIN_TASK * scale).round());
    let y = (part.y + (part.height - height) / 2.0).round();
    let mut spans: Vec<(f32, f32)> = Vec::new();
    for times in tasks.times() {
        let left = pixel(part, extent, times.start).floor();
        let right = pixel(part, extent, times.end).ceil().max(left + least);
        match spans.last_mut() {
            Some(last) if last.1 >= left => last.1 = last.1.max(right),
            _ => spans.push((left, right)),
        }
    }
    let bar = |(left, right): (f32, f32)| PixelRect::new(left, y, right - left, height);
    spans.into_iter().map(|span| RectInstance::filled(bar(span), color)).collect()
}

/// Bars of requests on two levels.
fn network_rects(
    network: &NetworkLane,
    part: PixelRect,
    (extent, range): (TimeRange, TimeRange),
    (scale, color): (f32, [u8; 4]),
) -> Vec<RectInstance> {
    let (height, gap) = ((THIN_BAR * scale).round(), (2.0 * scale).round());
    let mut rects = Vec::new();
    for level in 0..LEVELS {
        #[expect(clippy::cast_precision_loss, reason = "one of two levels")]
        let y = part.y + gap + level as f32 * (height + scale.round());
        let mut bin = 0;
        while bin < BINS {
            let end = (bin..BINS).find(|bin| !network.is_busy(level, *bin)).unwrap_or(BINS);
            if end > bin {
                let left = pixel(part, extent, bin_start(range, bin)).floor();
                let right = pixel(part, extent, bin_start(range, end)).ceil();
                rects.push(RectInstance::filled(PixelRect::new(left, y, right - left, height), color));
            }
            bin = end + 1;
        }
    }
    rects
}

/// Lines of milestones, at most one per pixel column.
fn milestone_lines(
    flags: Flags<'_>,
    region: PixelRect,
    extent: TimeRange,
    (line, palette): (f32, &Palette),
) -> Vec<RectInstance> {
    let mut lines: Vec<RectInstance> = Vec::new();
    for at in flags.before(extent.start)..flags.len() {
        let Some((time, own)) = flags.get(at).filter(|(time, _)| *time <= extent.end) else { break };
        if own.kind == MilestoneKind::Mark {
            continue;
        }
        let x = pixel(region, extent, time).floor();
        if lines.last().is_none_or(|last| last.rect[0] < x) {
            let rect = PixelRect::new(x, region.y, line, region.height);
            lines.push(RectInstance::filled(rect, of_milestone(palette, own.kind, own.rating)));
        }
    }
    lines
}

/// Marks search hits at the upper edge.
fn build_hits(input: &SceneInput<'_>, frame: &mut Frame) {
    let Some(search) = input.search else { return };
    let region = input.regions.overview;
    let (activity, is_current) = input.scope.activity(input.index);
    let is_current = is_current && search.complete;
    let extent = input.scope.overview(input.index);
    // Partial results are known only by slices of the whole recording.
    if !is_current && input.scope.committed().is_some() {
        return;
    }
    let is_hit = |slice: &usize| {
        if is_current {
            activity.slice(*slice).iter().any(|count| *count > 0)
        } else {
            search.slices.get(*slice) == Some(&true)
        }
    };
    let height = (TICK * input.scale).round();
    let range = activity.range();
    #[expect(clippy::cast_possible_truncation, reason = "a time within the range")]
    let start = |slice: usize| range.start + Ns((i128::from(range.len()) * slice as i128 / SLICES as i128) as i64);
    let color = frame.palette.search_match;
    let tick = |slice: usize| {
        let (left, right) = (pixel(region, extent, start(slice)), pixel(region, extent, start(slice + 1)));
        let width = (right - left).ceil().max(1.0);
        RectInstance::filled(PixelRect::new(left.floor(), region.y, width, height), color)
    };
    let ticks: Vec<_> = (0..SLICES).filter(is_hit).map(tick).collect();
    frame.draw(region, ticks);
}

/// Draws the visible range as a box: everything else is shaded, and the edges have handles.
fn build_window(input: &SceneInput<'_>, frame: &mut Frame) {
    let region = input.regions.overview;
    let (palette, scale) = (frame.palette, input.scale);
    let extent = input.scope.overview(input.index);
    let visible = input.view.axis.visible();
    let left = pixel(region, extent, visible.start).clamp(region.x, region.right()).round();
    let right = pixel(region, extent, visible.end).clamp(left, region.right());
    let width = (right - left).max(2.0 * scale).round();
    let line = frame.line_width();
    let [handle, height] = HANDLE.map(|points| (points * scale).round());
    let height = height.min(region.height);
    let top = (region.y + (region.height - height) / 2.0).round();
    let shade = palette.shade;
    let mut rects = vec![
        RectInstance::filled(PixelRect::new(region.x, region.y, left - region.x, region.height), shade),
        RectInstance::filled(
            PixelRect::new(left + width, region.y, region.right() - left - width, region.height),
            shade,
        ),
        RectInstance {
            border: palette.accent,
            border_width: line,
            ..RectInstance::filled(PixelRect::new(left, region.y, width, region.height), [0; 4])
        },
    ];
    for x in [left, left + width] {
        let rect = PixelRect::new((x - handle / 2.0).round(), top, handle, height);
        rects.push(RectInstance { radius: handle / 2.0, ..RectInstance::filled(rect, palette.accent) });
    }
    let selected = input.view.selected.and_then(|marker| input.view.times_of(marker));
    if let Some(selected) = selected.filter(|times| times.start >= extent.start && times.start <= extent.end) {
        let x = pixel(region, extent, selected.start).floor();
        rects.push(RectInstance::filled(PixelRect::new(x, region.y, line, region.height), palette.select));
    }
    frame.draw(region, rects);
}
