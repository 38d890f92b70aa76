//! The section with the times of a marker or call, and its time by kind of work.

use egui::{Rect, Sense, Stroke, StrokeKind, Ui, pos2, vec2};

use super::metrics::{KIND_ROW, PAD, ROW, SQUARE, TEXT, VALUES};
use super::section::{self, CollapsedSections, Section};
use super::{grid, text};
use crate::widgets::style::{SMALL, color};
use flowline_format::format_duration_ns;
use flowline_scene::Palette;
use flowline_session::{KindShare, MarkerSummary, percent_text};

/// Width of the column of shares in points.
const SHARES: f32 = 46.0;
/// Height of the stacked bar in points, and the space between its parts.
const BAR: f32 = 10.0;
const BAR_GAP: f32 = 1.0;
/// A share of at least this much is the whole.
const WHOLE: f64 = 0.999;

/// Shows the section.
pub(super) fn show(ui: &mut Ui, summary: &MarkerSummary, collapsed: &mut CollapsedSections, palette: &Palette) {
    section::show(ui, (Section::Timing, ""), collapsed, palette, |ui| {
        for (label, value) in &summary.timing {
            grid::row(ui, label, value, palette);
        }
        by_kind(ui, &summary.kinds, palette);
    });
}

/// Shows the time by kind: a stacked bar, and a table.
fn by_kind(ui: &mut Ui, kinds: &[KindShare], palette: &Palette) {
    // A single kind that takes all of the time is that of the header.
    if kinds.len() < 2 && kinds.first().is_none_or(|kind| kind.share > WHOLE) {
        return;
    }
    let (row, _) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::hover());
    let key = Rect::from_min_size(pos2(row.min.x + TEXT, row.min.y), vec2(VALUES - TEXT - 8.0, ROW));
    text::draw(ui, key, "By kind", SMALL, color(palette.text2));
    text::announce(ui, ui.scope_id().with("by kind"), key, "By kind");
    let room = (row.max.x - PAD - row.min.x - VALUES).max(0.0);
    let mut left = row.min.x + VALUES;
    for kind in kinds {
        #[expect(clippy::cast_possible_truncation, reason = "a width")]
        let width = room * kind.share.clamp(0.0, 1.0) as f32;
        let part = Rect::from_min_size(
            pos2(left, row.center().y - BAR / 2.0),
            vec2((width - BAR_GAP).max(1.0).min((row.max.x - PAD - left).max(0.0)), BAR),
        );
        left += width;
        let entry = kind.kind as u8;
        ui.painter().rect_filled(part, 1.5, color(palette.fill(entry)));
        ui.painter().rect_stroke(part, 1.5, Stroke::new(1.0, color(palette.edge(entry))), StrokeKind::Inside);
    }
    for kind in kinds {
        kind_row(ui, kind, palette);
    }
}

fn kind_row(ui: &mut Ui, kind: &KindShare, palette: &Palette) {
    let (row, _) = ui.allocate_exact_size(vec2(ui.available_width(), KIND_ROW), Sense::hover());
    let area = Rect::from_min_max(pos2(row.min.x + VALUES, row.min.y), pos2(row.max.x - PAD, row.max.y));
    text::square(ui, area, kind.kind as u8, palette);
    #[expect(clippy::cast_possible_truncation, reason = "thousandths of a share")]
    let share = percent_text((kind.share * 1e6) as i64, 1_000_000);
    text::draw_right(ui, area, &share, SMALL, color(palette.text2));
    let value = Rect::from_min_max(pos2(area.min.x + SQUARE + 6.0, area.min.y), pos2(area.max.x - SHARES, area.max.y));
    let time = format_duration_ns(kind.ns);
    let taken = text::draw_right(ui, value, &time, SMALL, color(palette.text));
    let name = Rect::from_min_max(value.min, pos2(value.max.x - taken - 6.0, value.max.y));
    text::draw(ui, name, kind.kind.title(), SMALL, color(palette.text2));
    let id = ui.scope_id().with(("kind", kind.kind as u8));
    text::announce(ui, id, area, &format!("{}, {time}, {share}", kind.kind.title()));
}
