//! Places the flags of milestones in their lane.
//!
//! Milestones in one pixel column share a pole. Flags never overlap: the most important one of those that collide is
//! written out, and the others are only poles. The cost depends on the pixel columns, not on the number of milestones.

use super::placed_flag::{FlagText, PlacedFlag};
use super::scene_input::SceneInput;
use super::shown_flags::ShownFlags;
use super::time_labels::{pixel_of, text_width, time_label};
use crate::geometry::PixelRect;
use flowline_format::format_whole_ms;
use flowline_insights::flags::Flags;
use flowline_insights::page_load::{Milestone, MilestoneKind, Rating};
use flowline_profile::Ns;

/// At most this many milestones of a column are listed.
const LISTED: usize = 12;
/// Maximum number of letters of the name of a mark.
const NAME_LETTERS: usize = 24;
/// Distance in points from the pole to the text, and from the text to the end of the flag.
const INDENTS: [f32; 2] = [6.0, 6.0];
/// Width in points of the area around a pole without a flag that the pointer hits.
const POLE_REACH: f32 = 6.0;
/// Distance in points from the lane's edge to a flag.
const INSET: f32 = 2.0;

/// Number of lines of the lane, at most 2.
pub(crate) const MAX_LINES: usize = 2;

/// The line of the lane in device pixels: top and height of its flags.
pub(crate) fn lane_rows(lane: PixelRect, scale: f32) -> [(f32, f32); MAX_LINES] {
    let line = (super::regions::LANE_LINE * scale).round();
    let inset = (INSET * scale).round();
    [0.0, 1.0].map(|row| (lane.y + row * line + inset, line - 2.0 * inset))
}

/// Name and time of a milestone: since the navigation, or else on the displayed clock.
pub(crate) fn flag_text(input: &SceneInput<'_>, time: Ns, own: &Milestone) -> String {
    let name = own.name();
    let name = match name.char_indices().nth(NAME_LETTERS) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_owned(),
    };
    // Navigations without a new document have milestones, too.
    let name = if own.is_soft { format!("{name}*") } else { name };
    match own.since {
        _ if own.kind == MilestoneKind::Navigation => format!("{} at {}", own.kind.title(), time_label(input, time)),
        // Browsers report whole milliseconds.
        Some(since) if own.is_so_far => format!("{name} {} so far", format_whole_ms(since.0)),
        Some(since) => format!("{name} {}", format_whole_ms(since.0)),
        None if own.value.is_some() => format!("{name} {}", format_whole_ms(own.value.unwrap_or_default().0)),
        None => format!("{name} at {}", time_label(input, time)),
    }
}

/// The milestones of a pixel column.
struct Column {
    x: f32,
    rank: u8,
    kind: MilestoneKind,
    rating: Option<Rating>,
    is_inactive: bool,
    milestones: Vec<FlagText>,
    others: usize,
}

/// Places the flags in view.
pub(crate) fn place_flags(input: &SceneInput<'_>, flags: Flags<'_>) -> Vec<PlacedFlag> {
    let (lane, scale) = (input.regions.lane, input.scale);
    if lane.height < 1.0 {
        return Vec::new();
    }
    let columns = columns(input, flags);
    let mut order: Vec<usize> = (0..columns.len()).collect();
    order.sort_by_key(|at| columns[*at].rank);
    let mut taken: Vec<PixelRect> = Vec::new();
    let mut written: Vec<Option<PixelRect>> = vec![None; columns.len()];
    let [(top, height), _] = lane_rows(lane, scale);
    for at in order {
        let column = &columns[at];
        // A navigation is a line without a label.
        let Some(text) = column.milestones.first().filter(|_| column.kind != MilestoneKind::Navigation) else {
            continue;
        };
        let width = (text_width(&text.text, scale) + INDENTS.iter().sum::<f32>() * scale).round();
        // At the right edge, the flag is left of its pole.
        let left = if column.x + width <= lane.right() { column.x } else { column.x + pole_width(scale) - width };
        let rect = PixelRect::new(left, top, width, height);
        let overlaps = |other: &PixelRect| rect.x < other.right() && other.x < rect.right();
        if left >= lane.x && !taken.iter().any(overlaps) {
            taken.push(rect);
            written[at] = Some(rect);
        }
    }
    let reach = (POLE_REACH * scale).round();
    let (width, poles) = (pole_width(scale), columns.iter().map(|column| column.x).collect::<Vec<f32>>());
    let placed = columns.into_iter().zip(written).enumerate().map(|(at, (column, flag))| {
        let Column { x, kind, rating, is_inactive, milestones, others, rank: _ } = column;
        // The pointer hits the milestone of a pole on that pole, so the area around another does not reach over it.
        let pole = || {
            let margin = (reach - width) / 2.0;
            let before = at.checked_sub(1).map_or(f32::NEG_INFINITY, |before| poles[before] + width);
            let after = poles.get(at + 1).copied().unwrap_or(f32::INFINITY);
            let (left, right) = (before.max(x - margin).min(x), after.min(x + width + margin));
            PixelRect::new(left, top, right - left, height).intersect(lane)
        };
        let is_covered = flag.is_none() && taken.iter().any(|flag| flag.x < x + width && x < flag.right());
        let begin = if is_covered { top + height } else { top };
        let end = if flag.is_some() { top + height } else { lane.bottom() };
        PlacedFlag {
            kind,
            rating,
            x,
            pole: PixelRect::new(x, begin, width, (end - begin).max(0.0)),
            rect: flag.unwrap_or_else(pole),
            has_text: flag.is_some(),
            is_inactive,
            milestones,
            others,
        }
    });
    placed.collect()
}

/// Width of a pole in device pixels.
fn pole_width(scale: f32) -> f32 {
    (2.0 * scale).round().max(1.0)
}

/// Distance from the left edge of a flag to its text in device pixels.
pub(crate) fn flag_indent(scale: f32) -> f32 {
    INDENTS[0] * scale
}

/// The columns in view that have milestones, from left to right.
fn columns(input: &SceneInput<'_>, flags: Flags<'_>) -> Vec<Column> {
    let shown = ShownFlags::new(input, flags);
    let (lane, axis) = (input.regions.lane, &input.view.axis);
    let visible = axis.visible();
    let mut at = flags.before(visible.start);
    let mut columns: Vec<Column> = Vec::new();
    while let Some((time, _)) = flags.get(at).filter(|(time, _)| *time <= visible.end) {
        let x = pixel_of(input, time);
        // The first milestone in a later column.
        let next_time = axis.time(f64::from(x - input.regions.chart.x) + 0.5);
        let end = flags.before(next_time).max(at + 1);
        if x < lane.right() && x >= lane.x {
            columns.extend(column(input, &shown, (at, end), x));
        }
        at = end;
    }
    columns
}

/// The column of some milestones in succession, of which those of other tabs are left out.
fn column(input: &SceneInput<'_>, flags: &ShownFlags<'_>, (from, to): (usize, usize), x: f32) -> Option<Column> {
    let rank = |own: &Milestone| own.kind.rank().unwrap_or(u8::MAX);
    let mut own = (from..to).filter_map(|at| flags.get(at).map(|(time, own)| (rank(own), at, time, own)));
    let mut listed: Vec<(u8, usize, Ns, &Milestone)> = own.by_ref().take(LISTED).collect();
    let others = own.count();
    listed.sort_by_key(|(rank, at, ..)| (*rank, *at));
    let (rank, _, _, first) = *listed.first()?;
    let (kind, rating, is_inactive) = (first.kind, first.rating, first.inactive == Some(true));
    let text = |(_, position, time, own): (u8, usize, Ns, &Milestone)| FlagText {
        position,
        text: flag_text(input, time, own) + &flags.page_of(own),
    };
    Some(Column { x, rank, kind, rating, is_inactive, milestones: listed.into_iter().map(text).collect(), others })
}
