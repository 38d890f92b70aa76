//! Placement of notes over the chart: each note has a plate with its text beside its anchor.
//!
//! Plates do not overlap: a plate that would cover another one moves further away, and a note without enough room
//! becomes a dot. Dots that would overlap are merged. So every note stays visible and clickable, and thousands of notes
//! stay cheap. Distances are device pixels.

use std::collections::HashMap;

use crate::geometry::PixelRect;
use crate::layout::{Anchor, EntryRow, PlacedNote, SceneInput, pixel_of, text_width};
use flowline_profile::TimeRange;
use flowline_profile::notes::{EntryLocation, Note, NoteKind};
use flowline_view::NoteId;

/// Height of plates in points.
const HEIGHT: f32 = 18.0;
/// Maximum width of plates in points.
const MAX_WIDTH: f32 = 220.0;
/// Diameter of dots in points.
const DOT: f32 = 9.0;
/// Number of rows tried for each plate.
const TRIES: usize = 6;
/// Maximum number of plates; further notes are dots.
const MAX_PLATES: usize = 200;

/// A note to place.
pub(crate) struct Wanted<'a> {
    pub(crate) note: NoteId,
    pub(crate) text: &'a Note,
    pub(crate) anchor: Anchor,
}

/// Plates by the chart line that contains their top; a line is as high as a plate.
struct Plates {
    lines: HashMap<i32, Vec<PixelRect>>,
    count: usize,
    /// Height of a line, and the gap between plates.
    height: f32,
    gap: f32,
}

impl Plates {
    #[expect(clippy::cast_possible_truncation, reason = "screen coordinates")]
    fn line(&self, y: f32) -> i32 {
        (y / (self.height + self.gap)).floor() as i32
    }

    fn is_free(&self, rect: PixelRect) -> bool {
        let (line, gap) = (self.line(rect.y), self.gap);
        let near = (line - 1..=line + 1).filter_map(|line| self.lines.get(&line)).flatten();
        let overlaps = |other: &PixelRect| {
            rect.x < other.right() + gap
                && other.x < rect.right() + gap
                && rect.y < other.bottom() + gap
                && other.y < rect.bottom() + gap
        };
        self.count < MAX_PLATES && !near.into_iter().any(overlaps)
    }

    fn add(&mut self, rect: PixelRect) {
        self.lines.entry(self.line(rect.y)).or_default().push(rect);
        self.count += 1;
    }
}

/// Places every note within the chart. Plates do not overlap, and each cell of the dot grid has at most one dot.
pub(crate) fn place(wanted: Vec<Wanted<'_>>, chart: PixelRect, scale: f32) -> Vec<PlacedNote> {
    let (height, gap) = ((HEIGHT * scale).round(), (2.0 * scale).round());
    if chart.height < height {
        return Vec::new();
    }
    let dot = (DOT * scale).round();
    let mut plates = Plates { lines: HashMap::new(), count: 0, height, gap };
    let mut dots: HashMap<[i32; 2], usize> = HashMap::new();
    let mut placed: Vec<PlacedNote> = Vec::new();
    for Wanted { note, text, anchor } in wanted {
        let ([x, y], above) = anchor.point(chart);
        let (dot_x, dot_y) = ((x - dot / 2.0).round(), y.clamp(chart.y, (chart.bottom() - dot).max(chart.y)).round());
        #[expect(clippy::cast_possible_truncation, reason = "screen coordinates")]
        let cell = [dot_x, dot_y].map(|side| (side / dot).floor() as i32);
        // A dot in this cell means that an earlier plate had no room here.
        if let Some(dot) = dots.get(&cell) {
            placed[*dot].others += 1;
            continue;
        }
        let text = if text.text.is_empty() { default_text(&text.kind) } else { first_line(&text.text) };
        let width = (text_width(text, scale) + 12.0 * scale).min(MAX_WIDTH * scale).round();
        let left = if above { x } else { x - width / 2.0 };
        let left = left.clamp(chart.x, (chart.right() - width).max(chart.x)).round();
        let free = (0..TRIES).find_map(|number| {
            #[expect(clippy::cast_precision_loss, reason = "a small number")]
            let away = number as f32 * (height + gap) + gap;
            let top = if above { y - height - away } else { y + away };
            // A plate without room above the topmost row goes below its anchor.
            let top = if top < chart.y { y + away + height } else { top }.round();
            let rect = PixelRect::new(left, top, width, height);
            let fits = rect.bottom() <= chart.bottom() && width <= chart.width && top >= chart.y;
            (fits && plates.is_free(rect)).then_some(rect)
        });
        let (rect, is_dot) = match free {
            Some(rect) => {
                plates.add(rect);
                (rect, false)
            }
            None => {
                dots.insert(cell, placed.len());
                (PixelRect::new(dot_x, dot_y, dot, dot), true)
            }
        };
        placed.push(PlacedNote { note, rect, is_dot, others: 0, text: text.to_owned(), anchor });
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

    fn wanted(note: &Note, number: usize, x: f32, y: f32) -> Wanted<'_> {
        let anchor = Anchor::Entry(PixelRect::new(x, y, 10.0, 17.0));
        Wanted { note: NoteId(number), text: note, anchor }
    }

    #[test]
    fn plates_make_room_for_each_other_and_fold_to_dots() {
        let (chart, note) = (PixelRect::new(100.0, 50.0, 800.0, 400.0), note());
        let few = place((0..3).map(|number| wanted(&note, number, 300.0, 250.0)).collect(), chart, 1.0);
        assert!(few.iter().all(|note| !note.is_dot));
        let at = |at: u16| wanted(&note, at.into(), 100.0 + f32::from(at % 700), 250.0);
        let many = place((0..2000_u16).map(at).collect(), chart, 1.0);
        let all: usize = many.iter().map(|note| 1 + note.others).sum();
        assert_eq!(all, 2000, "no note is dropped");
        assert!(many.iter().any(|note| note.is_dot && note.others > 0));
        for (number, one) in many.iter().enumerate() {
            if !one.is_dot {
                assert_eq!(one.rect.intersect(chart), one.rect, "plate is not inside the chart");
            }
            for other in many[..number].iter().filter(|other| other.is_dot == one.is_dot && !one.is_dot) {
                let common = one.rect.intersect(other.rect);
                assert!(common.width <= 0.0 || common.height <= 0.0, "{one:?} and {other:?}");
            }
        }
    }

    #[test]
    fn a_crowd_of_notes_is_as_many_dots_as_have_room() {
        let (chart, note) = (PixelRect::new(0.0, 0.0, 900.0, 180.0), note());
        let at = |number: u16| wanted(&note, number.into(), f32::from(number % 900), f32::from(number % 180));
        let placed = place((0..60_000_u16).map(at).collect(), chart, 1.0);
        assert_eq!(placed.iter().map(|note| 1 + note.others).sum::<usize>(), 60_000);
        let dots = placed.iter().filter(|note| note.is_dot).count();
        assert!(dots <= 102 * 21, "{dots} dots");
    }

    #[test]
    fn a_label_of_the_topmost_row_stands_below_it() {
        let (chart, note) = (PixelRect::new(0.0, 50.0, 800.0, 400.0), note());
        let placed = place(vec![wanted(&note, 0, 10.0, 52.0)], chart, 1.0);
        assert!(!placed[0].is_dot && placed[0].rect.y >= 52.0 + 17.0, "{placed:?}");
    }
}
