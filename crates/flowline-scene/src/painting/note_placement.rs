//! Places notes in the lane of milestones and notes: each note has a chip with its text at its time.
//!
//! Chips cover neither flags nor each other: a chip without room in the first line goes to the second one, and a note
//! without room there becomes a dot. Dots that would overlap are merged. So every note stays visible and clickable, and
//! thousands of notes stay cheap. Distances are device pixels.

use std::collections::HashMap;

use crate::geometry::PixelRect;
use crate::layout::{Anchor, EntryRow, PlacedFlag, PlacedNote, SceneInput, lane_rows, pixel_of, text_width};
use flowline_profile::TimeRange;
use flowline_profile::notes::{EntryLocation, Note, NoteKind};
use flowline_view::NoteId;

/// Maximum width of chips in points.
const MAX_WIDTH: f32 = 220.0;
/// Diameter of dots in points.
const DOT: f32 = 9.0;
/// Maximum number of chips; further notes are dots.
const MAX_CHIPS: usize = 200;

/// A note to place.
pub(crate) struct Wanted<'a> {
    pub(crate) note: NoteId,
    pub(crate) text: &'a Note,
    /// The start of its times.
    pub(crate) x: f32,
    pub(crate) anchor: Option<Anchor>,
}

/// Places every note, given by start. The first line also contains flags; poles may cross chips.
pub(crate) fn place(wanted: Vec<Wanted<'_>>, flags: &[PlacedFlag], lane: PixelRect, scale: f32) -> Vec<PlacedNote> {
    if lane.height < 1.0 {
        return Vec::new();
    }
    let (gap, dot) = ((2.0 * scale).round(), (DOT * scale).round());
    let rows = lane_rows(lane, scale);
    let flags: Vec<PixelRect> = flags.iter().filter(|flag| flag.has_text).map(|flag| flag.rect).collect();
    // Chips are placed from left to right, so each line only needs its last edge.
    let mut edges = [f32::MIN; 2];
    let mut dots: HashMap<i32, usize> = HashMap::new();
    let mut placed: Vec<PlacedNote> = Vec::new();
    let mut chips = 0;
    for Wanted { note, text, x, anchor } in wanted {
        let text = if text.text.is_empty() { default_text(&text.kind) } else { first_line(&text.text) };
        let width = (text_width(text, scale) + 12.0 * scale).min(MAX_WIDTH * scale).round();
        let left = x.max(lane.x).min((lane.right() - width).max(lane.x)).round();
        let is_free = |line: usize| {
            let covers = |flag: &PixelRect| line == 0 && left < flag.right() + gap && flag.x < left + width + gap;
            left >= edges[line] && !flags.iter().any(covers)
        };
        let line = (0..rows.len()).find(|line| is_free(*line) && chips < MAX_CHIPS && width <= lane.width);
        let (line, rect, is_dot) = match line {
            Some(line) => {
                edges[line] = left + width + gap;
                chips += 1;
                let (top, height) = rows[line];
                (line, PixelRect::new(left, top, width, height), false)
            }
            None => {
                #[expect(clippy::cast_possible_truncation, reason = "screen coordinates")]
                let cell = (x / dot).floor() as i32;
                if let Some(dot) = dots.get(&cell) {
                    placed[*dot].others += 1;
                    continue;
                }
                dots.insert(cell, placed.len());
                let (top, height) = rows[1];
                let middle = (top + (height - dot) / 2.0).round();
                let left = (x - dot / 2.0).round().max(lane.x).min((lane.right() - dot).max(lane.x));
                (1, PixelRect::new(left, middle, dot, dot), true)
            }
        };
        let line = u8::try_from(line).unwrap_or(0);
        placed.push(PlacedNote { note, rect, is_dot, others: 0, text: text.to_owned(), line, anchor });
    }
    placed
}

/// The box of an entry on a row.
fn box_of(input: &SceneInput<'_>, row: Option<EntryRow>) -> Option<PixelRect> {
    let EntryRow { item, times } = row?;
    let (left, right) = (pixel_of(input, times.start), pixel_of(input, times.end));
    Some(PixelRect::new(left, input.item_y(&item), (right - left).max(1.0), input.item_height(&item)))
}

/// True if a box is at least partly on screen.
pub(crate) fn is_visible(rect: PixelRect, chart: PixelRect) -> bool {
    rect.right() >= chart.x && rect.x <= chart.right() && rect.bottom() > chart.y && rect.y < chart.bottom()
}

/// The on-screen target of a note with times in view; `rows` are the rows of its entries.
pub(crate) fn anchored(input: &SceneInput<'_>, kind: &NoteKind, rows: [Option<EntryRow>; 2]) -> Option<Anchor> {
    let chart = input.regions.chart;
    let over_axis = |range: TimeRange| Anchor::Range(pixel_of(input, range.start), pixel_of(input, range.end));
    match kind {
        NoteKind::Label(entry) => match box_of(input, rows[0]) {
            Some(rect) => is_visible(rect, chart).then_some(Anchor::Entry(rect)),
            // An entry without a row in the chart, such as a frame, is labeled at its times.
            None if entry.place == EntryLocation::Times => entry.times.map(over_axis),
            None => None,
        },
        NoteKind::Link(..) => {
            let (from, to) = (box_of(input, rows[0])?, box_of(input, rows[1])?);
            let around = PixelRect::new(
                from.x.min(to.x),
                from.y.min(to.y),
                (from.x - to.x).abs() + 1.0,
                (from.y - to.y).abs() + from.height,
            );
            is_visible(around, chart).then_some(Anchor::Link(from, to))
        }
        // A range that only touches the edge is not on screen.
        NoteKind::Range(range) => Some(over_axis(*range)).filter(|place| match place {
            Anchor::Range(left, right) => *right > chart.x && *left < chart.right(),
            _ => true,
        }),
        NoteKind::Bookmark(time) => Some(Anchor::Moment(pixel_of(input, *time))),
        NoteKind::Breadcrumb(_) | NoteKind::Hidden(_) | NoteKind::HiddenAround(..) | NoteKind::Expandable(_) => None,
    }
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

/// Label of a note without text.
const fn default_text(kind: &NoteKind) -> &'static str {
    match kind {
        NoteKind::Label(_) => "Label",
        NoteKind::Link(..) => "Link",
        NoteKind::Bookmark(_) => "Bookmark",
        _ => "Range",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flowline_profile::Ns;

    fn note() -> Note {
        Note { kind: NoteKind::Bookmark(Ns(0)), text: "a text".into() }
    }

    fn wanted(note: &Note, number: usize, x: f32) -> Wanted<'_> {
        Wanted { note: NoteId(number), text: note, x, anchor: None }
    }

    #[test]
    fn chips_make_room_for_each_other_and_fold_to_dots() {
        let (lane, note) = (PixelRect::new(100.0, 50.0, 800.0, 40.0), note());
        let few = place(
            [100.0, 120.0, 400.0].iter().enumerate().map(|(at, x)| wanted(&note, at, *x)).collect(),
            &[],
            lane,
            1.0,
        );
        assert_eq!(
            few.iter().map(|note| (note.is_dot, note.line)).collect::<Vec<_>>(),
            [(false, 0), (false, 1), (false, 0)]
        );
        let at = |at: u16| wanted(&note, at.into(), 100.0 + f32::from(at) * 0.4);
        let many = place((0..2000_u16).map(at).collect(), &[], lane, 1.0);
        let all: usize = many.iter().map(|note| 1 + note.others).sum();
        assert_eq!(all, 2000, "no note is dropped");
        assert!(many.iter().any(|note| note.is_dot && note.others > 0));
        for (number, one) in many.iter().enumerate().filter(|(_, one)| !one.is_dot) {
            assert_eq!(one.rect.intersect(lane), one.rect, "chip is not inside the lane");
            for other in many[..number].iter().filter(|other| !other.is_dot) {
                let common = one.rect.intersect(other.rect);
                assert!(common.width <= 0.0 || common.height <= 0.0, "{one:?} and {other:?}");
            }
        }
    }

    #[test]
    fn a_crowd_of_notes_is_as_many_dots_as_have_room() {
        let (lane, note) = (PixelRect::new(0.0, 0.0, 900.0, 40.0), note());
        let at = |number: u16| wanted(&note, number.into(), f32::from(number) * 0.015);
        let placed = place((0..60_000_u16).map(at).collect(), &[], lane, 1.0);
        assert_eq!(placed.iter().map(|note| 1 + note.others).sum::<usize>(), 60_000);
        let dots = placed.iter().filter(|note| note.is_dot).count();
        assert!(dots <= 102, "{dots} dots");
    }

    #[test]
    fn a_chip_does_not_cover_a_flag() {
        use flowline_insights::page_load::MilestoneKind;
        let (lane, note) = (PixelRect::new(0.0, 50.0, 800.0, 40.0), note());
        let rect = PixelRect::new(90.0, 52.0, 80.0, 16.0);
        let (kind, milestones) = (MilestoneKind::Load, Vec::new());
        let flag = PlacedFlag {
            kind,
            rating: None,
            x: 90.0,
            pole: rect,
            rect,
            has_text: true,
            is_inactive: false,
            milestones,
            others: 0,
        };
        let placed = place(vec![wanted(&note, 0, 100.0), wanted(&note, 1, 300.0)], &[flag], lane, 1.0);
        assert_eq!(placed.iter().map(|note| note.line).collect::<Vec<_>>(), [1, 0]);
    }
}
