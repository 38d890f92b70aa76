//! Rows of a key and a value. A value takes one line; a click unfolds it.

use std::sync::Arc;

use egui::text::LayoutJob;
use egui::{Color32, FontId, Galley, Id, Rect, Response, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use super::metrics::{PAD, ROW, TEXT, VALUES};
use super::text;
use crate::widgets::icon::focus_ring;
use crate::widgets::menu::{context_menu, entry};
use crate::widgets::style::{SMALL, color};
use crate::widgets::{elide, grouped};
use flowline_scene::Palette;

/// Maximum number of lines of an unfolded value, until all of them are shown.
const LINES: usize = 6;
/// Maximum characters that are laid out, because layout is linear in them. Copies are complete.
const MAX_CHARS: usize = 20_000;
/// Values with more characters than this are never laid out on one line.
const MAX_LINE_CHARS: usize = 400;

/// How much of a value is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Unfolded {
    #[default]
    No,
    Lines,
    All,
}

fn is_link(value: &str) -> bool {
    value.starts_with("https://") || value.starts_with("http://")
}

/// Lays a value out on several lines; with `rows`, the rest is cut off.
fn lines(ui: &Ui, value: &str, width: f32, rows: Option<usize>, tint: Color32) -> Arc<Galley> {
    let end = value.char_indices().nth(MAX_CHARS).map_or(value.len(), |(end, _)| end);
    let mut job = LayoutJob::simple(value[..end].to_owned(), FontId::proportional(SMALL), tint, width.max(20.0));
    if let Some(rows) = rows {
        job.wrap.max_rows = rows;
    }
    // Prose breaks between words; addresses and numbers have none.
    job.wrap.break_anywhere = !value.contains(' ');
    ui.fonts_mut(|fonts| fonts.layout_job(job))
}

/// Shows a row of a key and a value.
pub(super) fn row(ui: &mut Ui, key: &str, value: &str, palette: &Palette) {
    row_as(ui, (key, value), Unfolded::No, palette);
}

/// Shows a row of a key and a sentence, which takes as many lines as it needs until a click folds it.
pub(super) fn sentence(ui: &mut Ui, key: &str, value: &str, palette: &Palette) {
    row_as(ui, (key, value), Unfolded::Lines, palette);
}

fn row_as(ui: &mut Ui, (key, value): (&str, &str), initially: Unfolded, palette: &Palette) {
    let id = ui.scope_id().with(("row", key));
    let unfolded: Unfolded = ui.data(|data| data.get_temp(id)).unwrap_or(initially);
    let width = ui.available_width();
    let room = (width - VALUES - PAD).max(20.0);
    let tint = color(if is_link(value) { palette.link } else { palette.text });
    let line = elide(ui, value, room, FontId::proportional(SMALL), tint);
    let folds = line.elided || value.contains('\n') || value.chars().nth(MAX_LINE_CHARS).is_some();
    let shown = match unfolded {
        _ if !folds => line,
        Unfolded::No => line,
        Unfolded::Lines => lines(ui, value, room, Some(LINES), tint),
        Unfolded::All => lines(ui, value, room, None, tint),
    };
    let is_cut = shown.elided && unfolded == Unfolded::Lines;
    let height = if shown.rows.len() > 1 { shown.size().y + 6.0 } else { ROW };
    let (rect, _) = ui.allocate_exact_size(vec2(width, height), Sense::hover());
    key_label(ui, id, rect, key, palette);
    let area = Rect::from_min_max(pos2(rect.min.x + VALUES, rect.min.y), pos2(rect.max.x - PAD, rect.max.y));
    let sense = if folds { Sense::click() } else { Sense::hover() };
    let response = ui.interact(area, id, sense);
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, value));
    let top = if shown.rows.len() > 1 { area.min.y + 3.0 } else { area.center().y - shown.size().y / 2.0 };
    ui.painter().galley(pos2(area.min.x, top), shown, tint);
    if response.has_focus() {
        focus_ring(ui, area);
    }
    if response.clicked() {
        let next = if unfolded == Unfolded::No { Unfolded::Lines } else { Unfolded::No };
        ui.data_mut(|data| data.insert_temp(id, next));
    }
    copy_menu(&response, key, value);
    if folds && unfolded == Unfolded::No {
        let end = value.char_indices().nth(MAX_LINE_CHARS).map_or(value.len(), |(end, _)| end);
        response.on_hover_text(&value[..end]);
    }
    if is_cut && show_all(ui, id, value, palette) {
        ui.data_mut(|data| data.insert_temp(id, Unfolded::All));
    }
}

fn show_all(ui: &mut Ui, id: Id, value: &str, palette: &Palette) -> bool {
    let text = format!("Show all, {} characters", grouped(value.chars().count()));
    link_row(ui, id.with("all"), VALUES, &text, palette).clicked()
}

fn copy_menu(response: &Response, key: &str, value: &str) {
    context_menu(response, |ui| {
        if entry(ui, "Copy value", true) {
            ui.copy_text(value.to_owned());
        }
        if entry(ui, "Copy row", true) {
            ui.copy_text(format!("{key}: {value}"));
        }
    });
}

/// Draws and announces the key of a row.
fn key_label(ui: &Ui, id: Id, rect: Rect, key: &str, palette: &Palette) {
    let area = Rect::from_min_size(
        pos2(rect.min.x + TEXT, rect.min.y),
        vec2((VALUES - TEXT - 8.0).min(rect.width()), ROW.min(rect.height())),
    );
    text::draw(ui, area, key, SMALL, color(palette.text2));
    text::announce(ui, id.with("key"), area, key);
}

/// Shows a row of a key and a link; `name` is the accessible name of the link. Returns the response of the link.
pub(super) fn link(ui: &mut Ui, key: &str, (label, name): (&str, &str), palette: &Palette) -> Response {
    let id = ui.scope_id().with(("link", key, name));
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::hover());
    key_label(ui, id, rect, key, palette);
    let area = Rect::from_min_max(pos2(rect.min.x + VALUES, rect.min.y), pos2(rect.max.x - PAD, rect.max.y));
    link_at(ui, id, area, (label, name), palette)
}

/// Shows a line that is a link, indented by `left`.
pub(super) fn link_row(ui: &mut Ui, id: Id, left: f32, label: &str, palette: &Palette) -> Response {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::hover());
    let area = Rect::from_min_max(pos2(rect.min.x + left, rect.min.y), pos2(rect.max.x - PAD, rect.max.y));
    link_at(ui, id, area, (label, label), palette)
}

/// Shows a link at a place.
pub(super) fn link_at(ui: &Ui, id: Id, area: Rect, (label, name): (&str, &str), palette: &Palette) -> Response {
    let tint = color(palette.link);
    let galley = elide(ui, label, area.width(), FontId::proportional(SMALL), tint);
    let area = Rect::from_min_size(area.min, vec2(galley.size().x.max(8.0), area.height()));
    let response = ui.interact(area, id, Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, name));
    let place = pos2(area.min.x, area.center().y - galley.size().y / 2.0);
    if response.hovered() || response.has_focus() {
        let y = place.y + galley.size().y - 1.0;
        ui.painter().hline(area.x_range(), y, (1.0, tint));
        ui.ctx().set_cursor_icon(egui::CursorIcon::PointingHand);
    }
    ui.painter().galley(place, galley, tint);
    if response.has_focus() {
        focus_ring(ui, area);
    }
    response
}

/// Shows a text that wraps, in the secondary color.
pub(super) fn note(ui: &mut Ui, note: &str, palette: &Palette) {
    let width = (ui.available_width() - TEXT - PAD).max(20.0);
    let tint = color(palette.text2);
    let galley = lines(ui, note, width, None, tint);
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), galley.size().y + 4.0), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, note));
    ui.painter().galley(pos2(rect.min.x + TEXT, rect.min.y + 2.0), galley, tint);
}
