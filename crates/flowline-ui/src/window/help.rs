//! The help window: keys, mouse, search language.

use egui::style::ScrollAnimation;
use egui::{Grid, Key, Modifiers, RichText, ScrollArea, Window};

use crate::input::bindings::bindings;
use crate::input::keys::KeyMap;

/// Shows the help while `open`.
pub(crate) fn show(context: &egui::Context, map: KeyMap, open: &mut bool) {
    Window::new("Keys and search")
        .open(open)
        .collapsible(false)
        .resizable(false)
        .anchor(egui::Align2::CENTER_CENTER, egui::Vec2::ZERO)
        .show(context, |ui| {
            let room = context.content_rect().size() - egui::vec2(48.0, 120.0);
            let room = egui::vec2(room.x.max(120.0), room.y.max(60.0));
            // A window that is as wide as its contents begins narrow, and the area would stay so.
            let area = ScrollArea::both().max_height(room.y).max_width(room.x).min_scrolled_width(room.x);
            area.show(ui, |ui| {
                scroll_by_keys(ui, room.y);
                table(ui, "keys", &bindings(map));
                ui.add_space(8.0);
                ui.label(RichText::new("Search").strong());
                table(
                    ui,
                    "search",
                    &[
                        ("paint load", "name, category or any field holds each of these"),
                        ("paint, load", "one of these; \"a b, c\" keeps spaces and commas together"),
                        ("-paint  -cat:dom", "leaves these out"),
                        ("name:dom  cat:network  type:text", "looks in one field"),
                        (
                            "thread:gecko  process:web  pid:12  tid:34",
                            "looks in names and ids of threads and processes",
                        ),
                        ("URI:png  URI:=about:blank", "any field of the payload; the whole field"),
                        ("dur:>5ms  self:>=1ms  start:2s..3s  end:<10s", "by times; ns, us, ms, s, m, h"),
                        ("latency:>20ms  size:10KB..1MB", "by any field that is a number"),
                        (
                            "res:https://example.com/a",
                            "by resource: one contains the other; what occurs is offered while typing",
                        ),
                        ("flow:ID", "the markers of a flow"),
                        ("thread:gecko dur:>20ms", "what takes long on the main threads"),
                    ],
                );
            });
        });
}

/// Arrows, Page Up and Down, Home and End scroll; `page` is the height that is visible in points.
fn scroll_by_keys(ui: &egui::Ui, page: f32) {
    if ui.ctx().text_edit_focused() {
        return;
    }
    let far = 1e6;
    let keys = [
        (Key::ArrowDown, -40.0),
        (Key::ArrowUp, 40.0),
        (Key::PageDown, -page * 0.9),
        (Key::PageUp, page * 0.9),
        (Key::End, -far),
        (Key::Home, far),
    ];
    for (key, distance) in keys {
        if ui.input_mut(|input| input.consume_key(Modifiers::NONE, key)) {
            ui.scroll_with_delta_animation(egui::vec2(0.0, distance), ScrollAnimation::none());
        }
    }
}

fn table(ui: &mut egui::Ui, name: &str, rows: &[(&str, &str)]) {
    Grid::new(name).num_columns(2).spacing([24.0, 4.0]).striped(true).show(ui, |ui| {
        for (left, right) in rows {
            ui.label(RichText::new(*left).monospace());
            ui.label(*right);
            ui.end_row();
        }
    });
}
