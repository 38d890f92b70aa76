//! Rows of entries that do not overlap, in time order, drawn without a pyramid: a frame visits an entry only if it lights a
//! pixel that none before it lights, so its cost depends on the pixels, not on the entries.

use std::sync::Arc;

use crate::frame::{Frame, TextRun};
use crate::geometry::{AxisMap, PixelRect};
use crate::layout::{SceneInput, TEXT_SIZE, text_width};
use crate::primitives::RectInstance;
use crate::theme::{Rgba, mix, with_alpha};
use flowline_format::format_counted;
use flowline_index::Packed;

/// Part of the canvas in the color of entries that a search does not match.
const DIMMED: f32 = 0.75;
/// Room in points that a caption needs.
const LEAST_ROOM: f32 = 24.0;

/// An entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TimedEntry {
    /// Its number in its list.
    pub(super) number: u32,
    /// Its ticks.
    pub(super) packed: Packed,
}

/// An entry that a frame draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SeenEntry {
    pub(super) number: u32,
    /// Its columns: first and one past the last.
    pub(super) columns: (i32, i32),
    /// Number of entries that it stands for: itself, and those after it in its last column.
    pub(super) count: u32,
    /// End of the previous entry that is drawn.
    pub(super) since: i32,
    /// First column of the next entry that is drawn.
    pub(super) until: i32,
}

/// The room for a text beside an entry.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    /// The drawn entry.
    pub(super) rect: PixelRect,
    /// Pixels between it and the text.
    pub(super) gap: f32,
    /// The columns between its neighbors.
    pub(super) since: i32,
    pub(super) until: i32,
}

/// The entries that light columns from `from` up to `to`, in time order.
pub(super) fn seen<'a>(
    entries: &'a [TimedEntry],
    map: &'a AxisMap,
    (from, to): (i32, i32),
) -> impl Iterator<Item = SeenEntry> + 'a {
    let columns = |entry: &TimedEntry| map.columns(entry.packed);
    let mut at = entries.partition_point(|entry| columns(entry).1 <= from);
    let mut since =
        at.checked_sub(1).and_then(|before| entries.get(before)).map_or(i32::MIN, |before| columns(before).1);
    std::iter::from_fn(move || {
        let entry = entries.get(at)?;
        let own = columns(entry);
        if own.0 >= to {
            return None;
        }
        let rest = &entries[at + 1..];
        let skipped = rest.partition_point(|other| columns(other).1 <= own.1);
        at += 1 + skipped;
        let until = entries.get(at).map_or(i32::MAX, |next| columns(next).0);
        let count = u32::try_from(1 + skipped).unwrap_or(u32::MAX);
        let seen = SeenEntry { number: entry.number, columns: own, count, since, until };
        since = own.1;
        Some(seen)
    })
}

/// The last drawn entry over a column, or else the closest one within `reach` columns.
pub(super) fn nearest(entries: &[TimedEntry], map: &AxisMap, column: i32, reach: i32) -> Option<SeenEntry> {
    let mut best: Option<(i32, SeenEntry)> = None;
    for entry in seen(entries, map, (column - reach, column + reach + 1)) {
        let distance = (entry.columns.0 - column).max(column - (entry.columns.1 - 1)).max(0);
        if distance <= reach && best.is_none_or(|(least, _)| distance <= least) {
            best = Some((distance, entry));
        }
    }
    best.map(|(_, entry)| entry)
}

/// True if a row has an entry in a closed range of ticks.
pub(super) fn has_any(entries: &[TimedEntry], (from, to): (u64, u64)) -> bool {
    let first = entries.partition_point(|entry| entry.packed.end() < from);
    entries.get(first).is_some_and(|entry| entry.packed.start() <= to)
}

/// The number of damaged things that a track lacks, as text; empty for none.
pub(super) fn left_out(count: u32, one: &str) -> String {
    if count == 0 { String::new() } else { format!("{} left out", format_counted(u64::from(count), one)) }
}

/// A text, and another one after a comma if it is not empty.
pub(super) fn join(text: String, more: &str) -> String {
    if more.is_empty() { text } else { format!("{text}, {more}") }
}

/// The color of an entry that a search does not match.
pub(super) fn dimmed(frame: &Frame, color: Rgba) -> Rgba {
    mix(color, frame.palette.canvas, DIMMED)
}

/// Adds the first of some texts that fits beside an entry: to the right of it, else to the left. `taken` is where the text
/// before it on the row ends.
pub(super) fn caption(
    input: &SceneInput<'_>,
    frame: &mut Frame,
    (room, taken): (Room, &mut f32),
    (y, height): (f32, f32),
    texts: impl FnOnce() -> Vec<String>,
) {
    let (chart, size, rect) = (input.regions.chart, TEXT_SIZE * input.scale, room.rect);
    #[expect(clippy::cast_precision_loss, reason = "pixel columns")]
    let edge = |column: i32| frame.axis_left + column as f32;
    let right = (rect.right() + room.gap, edge(room.until).min(chart.right()) - room.gap);
    let left = (edge(room.since).max(chart.x).max(*taken) + room.gap, rect.x - room.gap);
    let widest = (right.1 - right.0).max(left.1 - left.0);
    if widest < LEAST_ROOM * input.scale || rect.right() < chart.x || rect.x > chart.right() {
        return;
    }
    let place = |text: &String| {
        let width = text_width(text, input.scale).ceil();
        let starts_at = |(from, to): (f32, f32), x: f32| (to - from >= width).then_some((x, width));
        starts_at(right, right.0).or_else(|| starts_at(left, left.1 - width))
    };
    let Some((text, (x, width))) = texts().into_iter().find_map(|text| place(&text).map(|found| (text, found))) else {
        return;
    };
    *taken = x + width;
    let clip = PixelRect::new(x, y, width + room.gap, height).intersect(chart);
    let y = (y + (height - size * 1.3) / 2.0).round();
    frame.texts.push(TextRun { text: Arc::from(text), x, y, size, color: frame.palette.text, clip });
}

/// The outline of the selected entry, or of the hovered one.
pub(super) fn outline(frame: &Frame, rect: PixelRect, is_selected: bool) -> RectInstance {
    let line = frame.line_width();
    let (width, border) = match is_selected {
        true => (2.0 * line, frame.palette.select),
        false => (line, with_alpha(frame.palette.text, 153)),
    };
    let around = PixelRect::new(rect.x - width, rect.y - width, rect.width + 2.0 * width, rect.height + 2.0 * width);
    RectInstance { border, border_width: width, ..RectInstance::filled(around, [0; 4]) }
}

/// The line below an entry that a search matches.
pub(super) fn match_line(frame: &Frame, rect: PixelRect) -> RectInstance {
    let height = 2.0 * frame.line_width();
    RectInstance::filled(PixelRect { y: rect.bottom() - height, height, ..rect }, frame.palette.search_match)
}

#[cfg(test)]
mod tests {
    use super::*;
    use flowline_index::Style;

    fn entries(ranges: &[(u64, u64)]) -> Vec<TimedEntry> {
        let entry = |(number, (start, end)): (u32, &(u64, u64))| TimedEntry {
            number,
            packed: Packed::new(*start, *end, Style::default()),
        };
        (0..).zip(ranges).map(entry).collect()
    }

    #[test]
    fn a_frame_visits_at_most_one_entry_per_column() {
        let many = entries(&(0..10_000).map(|at| (at * 10, at * 10 + 5)).collect::<Vec<_>>());
        let map = AxisMap { origin: 0, fraction: 0.0, pixels_per_tick: 0.001, width: 100.0 };
        let found: Vec<SeenEntry> = seen(&many, &map, (0, 100)).collect();
        assert_eq!(found.len(), 100);
        assert_eq!(found.iter().map(|entry| entry.count).sum::<u32>(), 10_000);
        assert!(found.iter().enumerate().all(|(column, entry)| entry.columns.0 == i32::try_from(column).expect("few")));
    }

    #[test]
    fn the_nearest_entry_is_within_reach() {
        let few = entries(&[(10, 20), (30, 31)]);
        let map = AxisMap { origin: 0, fraction: 0.0, pixels_per_tick: 1.0, width: 100.0 };
        let at = |column| nearest(&few, &map, column, 3).map(|entry| entry.number);
        assert_eq!(
            [5, 7, 15, 22, 26, 28, 33, 34].map(at),
            [None, Some(0), Some(0), Some(0), None, Some(1), Some(1), None]
        );
    }
}
