//! Targets of notes in the chart: tints of labeled ranges, lines of bookmarks, outlines of entries with a line to their label,
//! arrows of links. The texts are in the lane above the chart.

use super::overlays::{self, Overlay};
use crate::frame::Frame;
use crate::geometry::PixelRect;
use crate::layout::{Anchor, PlacedNote, SceneInput};
use crate::primitives::RectInstance;
use crate::theme::with_alpha;

/// Alpha of the line between an entry and its label.
const LEADER: u8 = 110;

/// Draws the targets.
pub(crate) fn build(input: &SceneInput<'_>, frame: &mut Frame) {
    let color = frame.palette.search_match;
    let overlay = |anchor| Overlay { anchor, everywhere: false, color, plate: None };
    let overlays: Vec<Overlay> = input.placed_notes().iter().filter_map(|note| note.anchor.map(overlay)).collect();
    let leader = |note: &PlacedNote| leader(input.regions.chart, note, frame.line_width());
    let leaders = input.placed_notes().iter().filter_map(leader);
    let leaders: Vec<RectInstance> =
        leaders.map(|line| RectInstance::filled(line, with_alpha(color, LEADER))).collect();
    frame.draw(input.regions.chart, leaders);
    overlays::draw(input, frame, &overlays);
}

/// The line from the lane, where the label of an entry is, down to the entry; `None` for other notes and entries out of view.
fn leader(chart: PixelRect, note: &PlacedNote, width: f32) -> Option<PixelRect> {
    let Some(Anchor::Entry(entry)) = note.anchor else { return None };
    let is_shown = !note.is_dot && entry.right() >= chart.x && entry.x <= chart.right() && entry.y > chart.y;
    // Below the label, if the entry is that long.
    let x = note.rect.x.clamp(entry.x.max(chart.x), entry.right().min(chart.right()).max(entry.x.max(chart.x)));
    is_shown.then(|| PixelRect::new(x.floor(), chart.y, width, entry.y.min(chart.bottom()) - chart.y))
}

#[cfg(test)]
mod tests {
    use super::*;
    use flowline_view::NoteId;

    #[test]
    fn a_line_leads_from_the_label_to_its_entry() {
        let chart = PixelRect::new(200.0, 100.0, 800.0, 600.0);
        let note = |label: f32, anchor| PlacedNote {
            note: NoteId(1),
            rect: PixelRect::new(label, 80.0, 60.0, 16.0),
            is_dot: false,
            others: 0,
            text: "slow".to_owned(),
            line: 0,
            anchor,
        };
        let entry = |left: f32, top: f32, width: f32| Some(Anchor::Entry(PixelRect::new(left, top, width, 16.0)));
        let line = |label: f32, anchor| leader(chart, &note(label, anchor), 1.0);
        // Straight down from the label, or from the nearest place of the entry.
        assert_eq!(line(300.0, entry(300.0, 250.0, 50.0)), Some(PixelRect::new(300.0, 100.0, 1.0, 150.0)));
        assert_eq!(line(200.0, entry(100.0, 250.0, 500.0)), Some(PixelRect::new(200.0, 100.0, 1.0, 150.0)));
        assert_eq!(line(900.0, entry(940.0, 250.0, 500.0)), Some(PixelRect::new(940.0, 100.0, 1.0, 150.0)));
        // An entry below the edge has a line that leads there; one above or beside the chart has none.
        assert_eq!(line(300.0, entry(300.0, 900.0, 50.0)), Some(PixelRect::new(300.0, 100.0, 1.0, 600.0)));
        assert_eq!(line(300.0, entry(300.0, 50.0, 50.0)), None);
        assert_eq!(line(300.0, entry(1200.0, 250.0, 50.0)), None);
        assert_eq!(line(300.0, Some(Anchor::Moment(300.0))), None);
        let dot = PlacedNote { is_dot: true, ..note(300.0, entry(300.0, 250.0, 50.0)) };
        assert_eq!(leader(chart, &dot, 1.0), None);
    }
}
