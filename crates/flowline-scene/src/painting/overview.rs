//! The overview: the number of markers in the scope that start in each slice of the committed range, by color. A window
//! shows the visible range.

use crate::frame::Frame;
use crate::geometry::PixelRect;
use crate::layout::{SceneInput, ScopeKey};
use crate::primitives::{BarInstance, RectInstance};
use crate::theme::{PALETTE_LEN, with_alpha};
use flowline_index::{Activity, SLICES};
use flowline_profile::{Ns, TimeRange};
use flowline_view::Theme;

/// Width of a bar in points.
const BAR: f32 = 2.0;

/// Cache key of the bars: region, theme, scale, the scope, true if its activity is current, the activity's range and
/// the range shown.
type BarsKey = (PixelRect, Theme, u32, ScopeKey, bool, [TimeRange; 2]);

/// Cached bars for one size, theme and scope.
#[derive(Debug, Default)]
pub(crate) struct OverviewCache {
    key: Option<BarsKey>,
    bars: Vec<BarInstance>,
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
    let shown = input.scope.without_selection().key();
    let (activity, is_current) = input.scope.activity(input.index);
    let ranges = [activity.range(), input.scope.overview(input.index)];
    let key = (region, input.view.theme, input.scale.to_bits(), shown, is_current, ranges);
    if cache.key != Some(key) {
        cache.key = Some(key);
        cache.bars = bars(input);
    }
    let corner = input.regions.corner;
    frame.draw(corner, [RectInstance::filled(corner, palette.panel)]);
    frame.draw(region, [RectInstance::filled(region, palette.canvas)]);
    frame.draw(region, cache.bars.iter().copied());
    build_hits(input, frame);
    build_window(input, frame);
}

/// One bar every [`BAR`] points. Heights grow with the square root of the count, so that quiet parts stay visible.
fn bars(input: &SceneInput<'_>) -> Vec<BarInstance> {
    let region = input.regions.overview;
    let (activity, _) = input.scope.activity(input.index);
    let width = (BAR * input.scale).round().max(1.0);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a number of bars on screen")]
    let count = (region.width / width).ceil().max(1.0) as usize;
    let columns: Vec<[u32; PALETTE_LEN]> = (0..count).map(|bar| column(input, bar, count)).collect();
    let most = columns.iter().map(|column| column.iter().sum::<u32>()).max().unwrap_or(1).max(1);
    let room = region.height - (4.0 * input.scale).round();
    let mut bars = Vec::new();
    debug_assert!(activity.max() > 0 || most == 1, "columns are sums of slices");
    for (bar, counts) in columns.iter().enumerate() {
        let total: u32 = counts.iter().sum();
        #[expect(clippy::cast_precision_loss, reason = "heights on screen")]
        let (x, height, share) =
            (region.x + bar as f32 * width, (total as f32 / most as f32).sqrt() * room, 1.0 / total.max(1) as f32);
        let height = height.round().max(1.0);
        if total > 0 {
            #[expect(clippy::cast_precision_loss, reason = "heights on screen")]
            let heights = counts.map(|part| height * part as f32 * share);
            bars.push(BarInstance::new(x, region.bottom(), width, &heights));
        }
    }
    bars
}

/// The counts of a bar's slices, by color.
fn column(input: &SceneInput<'_>, bar: usize, count: usize) -> [u32; PALETTE_LEN] {
    let (activity, _) = input.scope.activity(input.index);
    let mut sum = [0; PALETTE_LEN];
    let Some((first, end)) = slices(activity, input.scope.overview(input.index), bar, count) else { return sum };
    for slice in first..end {
        for (sum, part) in sum.iter_mut().zip(activity.slice(slice)) {
            *sum += part;
        }
    }
    // Bars narrower than a slice share its count.
    let bars_per_slice = u32::try_from(count.div_ceil(SLICES)).unwrap_or(1).max(1);
    if bars_per_slice > 1 {
        sum.iter_mut().for_each(|count| *count = count.div_ceil(bars_per_slice));
    }
    sum
}

/// The slices of an activity that a bar covers. While the activity still belongs to another range, some bars have none.
fn slices(activity: &Activity, shown: TimeRange, bar: usize, count: usize) -> Option<(usize, usize)> {
    let first = bar * SLICES / count;
    let end = ((bar + 1) * SLICES / count).max(first + 1);
    let range = activity.range();
    if range == shown {
        return Some((first, end));
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "screen coordinates")]
    let time = |bar: usize| shown.start + Ns((shown.len() as f64 * bar as f64 / count as f64) as i64);
    let (from, to) = (time(bar), time(bar + 1));
    let first = activity.slice_of(from);
    range.overlaps(from, to).then(|| (first, activity.slice_of(to).max(first + 1)))
}

/// The start of a slice of a range.
#[expect(clippy::cast_possible_truncation, reason = "a time within the range")]
fn slice_start(range: TimeRange, slice: usize) -> Ns {
    range.start + Ns((i128::from(range.len()) * slice as i128 / SLICES as i128) as i64)
}

/// Marks search hits, and shades the bars while they still count all markers.
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
    let height = (4.0 * input.scale).round();
    let range = activity.range();
    #[expect(clippy::cast_precision_loss, reason = "at most 2048 slices")]
    let place = |slice: usize| match range == extent {
        true => region.x + (slice as f32 * region.width / SLICES as f32).floor(),
        false => pixel(region, extent, slice_start(range, slice)).floor(),
    };
    #[expect(clippy::cast_precision_loss, reason = "screen coordinates")]
    let part = range.len() as f32 / extent.len().max(1) as f32;
    #[expect(clippy::cast_precision_loss, reason = "at most 2048 slices")]
    let width = (part.min(1.0) * region.width / SLICES as f32).max(1.0);
    let color = frame.palette.search_match;
    let shade = frame.palette.shade;
    let marks = (0..SLICES).filter(is_hit).map(|slice| {
        RectInstance::filled(PixelRect::new(place(slice), region.bottom() - height, width.ceil(), height), color)
    });
    let shade = (!is_current).then(|| RectInstance::filled(region, with_alpha(shade, 90)));
    let marks: Vec<_> = shade.into_iter().chain(marks).collect();
    frame.draw(region, marks);
}

/// Draws the visible range as a window: everything else is shaded, and the edges have handles.
fn build_window(input: &SceneInput<'_>, frame: &mut Frame) {
    let region = input.regions.overview;
    let palette = frame.palette;
    let scale = input.scale;
    let extent = input.scope.overview(input.index);
    let visible = input.view.axis.visible();
    let left = pixel(region, extent, visible.start).clamp(region.x, region.right());
    let right = pixel(region, extent, visible.end).clamp(left, region.right());
    let width = (right - left).max(2.0 * scale);
    let line = frame.line_width();
    let handle = (4.0 * scale).round();
    let middle = region.y + region.height / 2.0;
    let mut rects = vec![
        RectInstance::filled(PixelRect::new(region.x, region.y, left - region.x, region.height), palette.shade),
        RectInstance::filled(
            PixelRect::new(left + width, region.y, region.right() - left - width, region.height),
            palette.shade,
        ),
        RectInstance {
            border: palette.accent,
            border_width: line,
            radius: 2.0 * scale,
            ..RectInstance::filled(PixelRect::new(left, region.y, width, region.height), with_alpha(palette.accent, 18))
        },
    ];
    for x in [left, left + width] {
        let rect = PixelRect::new(x - handle / 2.0, middle - 9.0 * scale, handle, 18.0 * scale);
        rects.push(RectInstance { radius: handle / 2.0, ..RectInstance::filled(rect, palette.accent) });
    }
    let selected = input.view.selected.and_then(|marker| input.view.times_of(marker));
    if let Some(selected) = selected.filter(|times| times.start >= extent.start && times.start <= extent.end) {
        let x = pixel(region, extent, selected.start).floor();
        rects.push(RectInstance::filled(PixelRect::new(x, region.y, line, region.height), palette.select));
    }
    frame.draw(region, rects);
}
