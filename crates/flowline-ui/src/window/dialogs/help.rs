//! The help window: keys, mouse, and search syntax.

use egui::style::ScrollAnimation;
use egui::{Grid, Key, Modifiers, RichText, ScrollArea, Window};

use crate::commands::{GESTURES, Gesture, KeyMap, REGISTRY, WIDGET_KEYS, WindowAction, shortcut};
use crate::tables::samples::TransformKind;

/// Examples of the search syntax.
const SEARCH: [(&str, &str); 11] = [
    ("paint load", "all words match, in name, category or any field"),
    ("paint, load", "either one matches; \"a b, c\" is one text"),
    ("-paint  -cat:dom", "excludes matches"),
    ("name:dom  cat:network  type:text", "searches one field"),
    ("thread:gecko  process:web  pid:12  tid:34", "searches names and ids of threads and processes"),
    ("URI:png  URI:=about:blank", "a payload field contains / equals the text"),
    ("dur:>5ms  self:>=1ms  start:2s..3s  end:<10s", "compares times (ns, us, ms, s, m, h)"),
    ("latency:>20ms  size:10KB..1MB", "compares any numeric field"),
    ("res:https://example.com/a", "resource contains the text or the reverse, with suggestions"),
    ("flow:ID", "markers of a flow"),
    ("thread:gecko dur:>20ms", "long markers on main threads"),
];

/// Minimum width of the keys in points, so that the effects of all sections align.
const KEYS_WIDTH: f32 = 190.0;

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
            // A window without a minimum width starts narrow, and the scroll area would keep that width.
            let area = ScrollArea::both().max_height(room.y).max_width(room.x).min_scrolled_width(room.x);
            area.show(ui, |ui| {
                scroll_by_keys(ui, room.y);
                let find = shortcut(context, WindowAction::Find);
                ui.weak(format!("{find} finds every command by name, including those without keys."));
                for (title, rows) in sections(map) {
                    heading(ui, title);
                    table(ui, title, &rows);
                }
                heading(ui, "Search syntax");
                table(ui, "syntax", &SEARCH.map(|(example, effect)| (example.to_owned(), effect)));
            });
        });
}

/// Keys and gestures with their effects, by section. Commands without keys are left out.
fn sections(map: KeyMap) -> Vec<(&'static str, Vec<(String, &'static str)>)> {
    let of_commands = REGISTRY.iter().map(|section| {
        let rows = section.rows.iter().map(|row| (row.key_names(map).join("  "), row.title));
        (section.title, rows.filter(|(keys, _)| !keys.is_empty()).collect())
    });
    let gestures =
        |list: &[Gesture]| list.iter().map(|gesture| (gesture.input.to_owned(), gesture.effect)).collect::<Vec<_>>();
    let transforms = TransformKind::ALL.iter().map(|(_, key, title)| (key.name(), *title));
    of_commands
        .chain([
            ("Sample trees", transforms.collect()),
            ("Keys of the focused widget", gestures(WIDGET_KEYS)),
            ("Mouse", gestures(GESTURES)),
        ])
        .collect()
}

/// Scrolls with arrow keys, Page Up, Page Down, Home and End; `page` is the visible height in points.
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

fn heading(ui: &mut egui::Ui, title: &str) {
    ui.add_space(8.0);
    ui.label(RichText::new(title).strong());
}

fn table(ui: &mut egui::Ui, name: &str, rows: &[(String, &str)]) {
    Grid::new(name).num_columns(2).min_col_width(KEYS_WIDTH).spacing([24.0, 4.0]).striped(true).show(ui, |ui| {
        for (left, right) in rows {
            ui.label(RichText::new(left).monospace());
            ui.label(*right);
            ui.end_row();
        }
    });
}
