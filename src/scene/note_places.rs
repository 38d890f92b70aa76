//! Where notes stand over the chart: a plate with the text of each beside what it is about.
//!
//! Plates make room for each other: one that would cover another one stands further away, and where there is no room at all
//! a note is a dot. So every note can be seen and clicked. Distances are device pixels.

use super::SceneInput;
use super::pixel_rect::PixelRect;
use super::ruler::{pixel_of, text_width};
use super::tracks::{CallRow, ItemKind};
use crate::profile::notes::{Entry, EntryPlace, NoteKind};
use crate::profile::{Implementation, TimeRange};
use crate::view::{NoteId, TrackRef};

/// Height of plates in points.
const HEIGHT: f32 = 18.0;
/// Width of plates in points, at most.
const MAX_WIDTH: f32 = 220.0;
/// Diameter of dots in points.
const DOT: f32 = 9.0;
/// Rows in which a plate looks for room.
const TRIES: usize = 6;
/// With more plates than this, the other notes are dots.
const MAX_PLATES: usize = 200;

/// A note over the chart.
#[derive(Clone, Debug, PartialEq)]
pub struct PlacedNote {
    /// Which.
    pub note: NoteId,
    /// Its plate, or its dot.
    pub rect: PixelRect,
    /// Whether it is a dot.
    pub is_dot: bool,
    /// What it says.
    pub text: String,
    /// What it is about.
    pub anchor: Anchor,
}

/// What a note points at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Anchor {
    /// An entry, by its box.
    Entry(PixelRect),
    /// A part of the axis, from left to right.
    Range(f32, f32),
    /// A moment.
    Moment(f32),
    /// From one entry to another.
    Link(PixelRect, PixelRect),
}

impl Anchor {
    /// The point beside which the plate stands, and whether it stands above it.
    fn point(self, chart: PixelRect) -> ([f32; 2], bool) {
        let inside = |x: f32| x.clamp(chart.x, chart.right().max(chart.x));
        match self {
            Self::Entry(rect) => ([inside(rect.x), rect.y], true),
            Self::Range(left, right) => ([inside(left).midpoint(inside(right)), chart.y], false),
            Self::Moment(x) => ([x, chart.y], false),
            Self::Link(from, to) => {
                let [from, to] = [from, to].map(|rect| [inside(rect.x), rect.y + rect.height / 2.0]);
                ([from[0].midpoint(to[0]), from[1].midpoint(to[1])], true)
            }
        }
    }
}

/// A plate that wants a place.
pub(super) struct Wanted {
    pub(super) note: NoteId,
    pub(super) text: String,
    pub(super) width: f32,
    pub(super) anchor: Anchor,
}

/// Gives every plate a place within the chart. Plates do not overlap.
pub(super) fn place(wanted: Vec<Wanted>, chart: PixelRect, scale: f32) -> Vec<PlacedNote> {
    let (height, gap) = ((HEIGHT * scale).round(), (2.0 * scale).round());
    let mut plates: Vec<PixelRect> = Vec::new();
    let overlaps = |plates: &[PixelRect], rect: PixelRect| {
        plates.iter().any(|other| {
            rect.x < other.right() + gap
                && other.x < rect.right() + gap
                && rect.y < other.bottom() + gap
                && other.y < rect.bottom() + gap
        })
    };
    let placed = wanted.into_iter().map(|wanted| {
        let ([x, y], above) = wanted.anchor.point(chart);
        let left = if above { x } else { x - wanted.width / 2.0 };
        let left = left.clamp(chart.x, (chart.right() - wanted.width).max(chart.x)).round();
        let free = (0..TRIES).find_map(|number| {
            #[expect(clippy::cast_precision_loss, reason = "a small number")]
            let away = number as f32 * (height + gap) + gap;
            let top = if above { y - height - away } else { y + away };
            // Above the topmost row there is no room: then below what it is about.
            let top = if top < chart.y { y + away + height } else { top }.round();
            let rect = PixelRect::new(left, top, wanted.width, height);
            let fits = rect.bottom() <= chart.bottom() && wanted.width <= chart.width && top >= chart.y;
            (fits && plates.len() < MAX_PLATES && !overlaps(&plates, rect)).then_some(rect)
        });
        let dot = (DOT * scale).round();
        let (rect, is_dot) = match free {
            Some(rect) => {
                plates.push(rect);
                (rect, false)
            }
            None => {
                let top = y.clamp(chart.y, (chart.bottom() - dot).max(chart.y));
                (PixelRect::new((x - dot / 2.0).round(), top.round(), dot, dot), true)
            }
        };
        PlacedNote { note: wanted.note, rect, is_dot, text: wanted.text, anchor: wanted.anchor }
    });
    placed.collect()
}

/// The box of an entry on the canvas, if its row is in the list of tracks.
fn box_of(input: &SceneInput<'_>, entry: &Entry) -> Option<PixelRect> {
    let times = entry.times?;
    let profile = input.index.profile();
    let item = match entry.place {
        EntryPlace::Marker(marker) => {
            let (thread, local) = profile.locate(marker)?;
            let shown = input.list.shown();
            let heading = || input.list.heading_of(TrackRef::Thread(thread)).copied();
            // What is hidden is noted on what is around it.
            let parent = || profile.locate(shown.visible_parent(profile, marker)?);
            let visible = if shown.hides(thread, local) { parent() } else { Some((thread, local)) };
            let item = visible
                .and_then(|(thread, local)| input.list.item_of(input.index, input.view.arrangement, thread, local));
            item.or_else(|| heading().filter(|_| shown.hides(thread, local)))?
        }
        EntryPlace::Call(call) if call.functions == Implementation::All => {
            let shown = input.list.shown();
            let visible = if shown.hides_call(call) { shown.visible_parent_call(call) } else { Some(call) };
            let chart = shown.chart(input.index, Implementation::All, call.thread);
            let row = visible.and_then(|call| chart?.find(profile, call.call));
            let row = row.map_or(u32::MAX, |(row, _)| u32::try_from(row).unwrap_or(u32::MAX));
            let row = CallRow { thread: call.thread, row };
            let items = input.list.items();
            let of_row = items.iter().find(|item| matches!(item.kind, ItemKind::Calls(shown) if shown == row));
            let of_thread =
                |item: &&super::Item| matches!(item.kind, ItemKind::Thread(heading) if heading.thread == call.thread);
            *of_row.or_else(|| items.iter().find(of_thread))?
        }
        EntryPlace::Call(_) | EntryPlace::Times | EntryPlace::Unknown => return None,
    };
    let (left, right) = (pixel_of(input, times.start), pixel_of(input, times.end));
    Some(PixelRect::new(left, input.item_y(&item), (right - left).max(1.0), input.item_height(&item)))
}

/// Whether a box is on screen at least in part.
fn is_visible(rect: PixelRect, chart: PixelRect) -> bool {
    rect.right() >= chart.x && rect.x <= chart.right() && rect.bottom() > chart.y && rect.y < chart.bottom()
}

fn anchor_of(input: &SceneInput<'_>, kind: &NoteKind) -> Option<Anchor> {
    let (chart, visible) = (input.regions.chart, input.view.axis.visible());
    let is_in_view = |times: TimeRange| times.end >= visible.start && times.start <= visible.end;
    if !kind.times().is_some_and(is_in_view) {
        return None;
    }
    let over_axis = |range: TimeRange| Anchor::Range(pixel_of(input, range.start), pixel_of(input, range.end));
    match kind {
        NoteKind::Label(entry) => match box_of(input, entry) {
            Some(rect) => is_visible(rect, chart).then_some(Anchor::Entry(rect)),
            // What has no row in the chart, as frames have none, is labelled at its times.
            None if entry.place == EntryPlace::Times => entry.times.map(over_axis),
            None => None,
        },
        NoteKind::Link(from, to) => {
            let (from, to) = (box_of(input, from)?, box_of(input, to)?);
            let around = PixelRect::new(
                from.x.min(to.x),
                from.y.min(to.y),
                (from.x - to.x).abs() + 1.0,
                (from.y - to.y).abs() + from.height,
            );
            is_visible(around, chart).then_some(Anchor::Link(from, to))
        }
        NoteKind::Range(range) => Some(over_axis(*range)),
        NoteKind::Bookmark(time) => Some(Anchor::Moment(pixel_of(input, *time))),
        NoteKind::Breadcrumb(_) | NoteKind::Hidden(_) | NoteKind::HiddenAround(..) | NoteKind::Expandable(_) => None,
    }
}

impl SceneInput<'_> {
    /// The notes over the chart, in the order of time: what is drawn, and what the pointer hits.
    #[must_use]
    pub fn placed_notes(&self) -> Vec<PlacedNote> {
        let (notes, chart, scale) = (&self.view.notes, self.regions.chart, self.scale);
        if !notes.shown || notes.list.is_empty() || chart.height < HEIGHT * scale {
            return Vec::new();
        }
        let wanted = notes.by_time().into_iter().filter_map(|id| {
            let note = notes.get(id)?;
            let anchor = anchor_of(self, &note.kind)?;
            let text = if note.text.is_empty() { default_text(&note.kind).to_owned() } else { first_line(&note.text) };
            let width = (text_width(&text, scale) + 12.0 * scale).min(MAX_WIDTH * scale).round();
            Some(Wanted { note: id, text, width, anchor })
        });
        place(wanted.collect(), chart, scale)
    }
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().to_owned()
}

/// What a note without a text says.
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

    fn wanted(number: usize, x: f32, y: f32) -> Wanted {
        let anchor = Anchor::Entry(PixelRect::new(x, y, 10.0, 17.0));
        Wanted { note: NoteId(number), text: "text".into(), width: 60.0, anchor }
    }

    #[test]
    fn plates_make_room_for_each_other_and_fold_to_dots() {
        let chart = PixelRect::new(100.0, 50.0, 800.0, 400.0);
        let few = place((0..3).map(|number| wanted(number, 300.0, 250.0)).collect(), chart, 1.0);
        assert!(few.iter().all(|note| !note.is_dot));
        let many =
            place((0..2000_u16).map(|at| wanted(at.into(), 100.0 + f32::from(at % 700), 250.0)).collect(), chart, 1.0);
        assert_eq!(many.len(), 2000, "none is left out");
        assert!(many.iter().any(|note| note.is_dot));
        let plates: Vec<PixelRect> = many.iter().filter(|note| !note.is_dot).map(|note| note.rect).collect();
        for (number, plate) in plates.iter().enumerate() {
            assert_eq!(plate.intersect(chart), *plate, "inside the chart");
            for other in &plates[..number] {
                let common = plate.intersect(*other);
                assert!(common.width <= 0.0 || common.height <= 0.0, "{plate:?} and {other:?}");
            }
        }
    }

    #[test]
    fn a_label_of_the_topmost_row_stands_below_it() {
        let chart = PixelRect::new(0.0, 50.0, 800.0, 400.0);
        let placed = place(vec![wanted(0, 10.0, 52.0)], chart, 1.0);
        assert!(!placed[0].is_dot && placed[0].rect.y >= 52.0 + 17.0, "{placed:?}");
    }
}
