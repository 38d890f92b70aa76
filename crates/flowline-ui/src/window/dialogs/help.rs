//! The dialog with keys, mouse, and search syntax.

use egui::style::ScrollAnimation;
use egui::{Align, Context, Key, Layout, Modifiers, RichText, Role, ScrollArea, Sense, TextEdit, Ui, WidgetInfo, vec2};

use crate::commands::{GESTURES, Gesture, KeyMap, REGISTRY, WIDGET_KEYS};
use crate::tables::samples::TransformKind;
use crate::widgets::style::{BODY, SMALL, color};
use crate::widgets::{Dialog, body_height, key_cap, palette_of};

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

/// Width of the dialog in points, and of one of its two columns at least.
const WIDTH: f32 = 800.0;
const COLUMN: f32 = 320.0;
/// Gap between the columns, and the width of the keys, in points.
const GAP: f32 = 24.0;
const KEYS_WIDTH: f32 = 128.0;

/// The keys with their effects, by section.
type Sections = Vec<(&'static str, Vec<(Vec<String>, &'static str)>)>;

/// The dialog with keys, gestures and the search syntax.
#[derive(Debug, Default)]
pub(crate) struct Help {
    /// Only rows that contain this text are shown.
    filter: String,
    is_open: bool,
}

impl Help {
    /// Shows the dialog; returns true if the user closes it.
    pub(crate) fn show(&mut self, context: &Context, map: KeyMap) -> bool {
        let shown = Dialog::new("Keys and search", WIDTH).show(context, |ui| {
            let edit = TextEdit::singleline(&mut self.filter).hint_text("Find a key or command").desired_width(240.0);
            let response = ui.add(edit);
            response.widget_info(|| WidgetInfo::labeled(Role::SearchInput, true, "Find a key or command"));
            if !std::mem::replace(&mut self.is_open, true) {
                response.request_focus();
            }
            let height = body_height(ui.ctx()) - 40.0;
            let area = ScrollArea::vertical().max_height(height).min_scrolled_height(height);
            area.auto_shrink([false, true]).show(ui, |ui| {
                scroll_by_keys(ui, height, self.filter.is_empty());
                columns(ui, &filtered(sections(map), &self.filter));
            });
        });
        // The key that opens the dialog closes it, although the field has the focus.
        shown.is_closed || self.filter == "?"
    }

    /// Forgets the text of the field.
    pub(crate) fn close(&mut self) {
        *self = Self::default();
    }
}

/// The rows whose keys or effects contain a text.
fn filtered(sections: Sections, filter: &str) -> Sections {
    let wanted = filter.trim().to_lowercase();
    let fits = |(keys, effect): &(Vec<String>, &str)| {
        effect.to_lowercase().contains(&wanted) || keys.iter().any(|key| key.to_lowercase().contains(&wanted))
    };
    let section = |(title, rows): (&'static str, Vec<(Vec<String>, &'static str)>)| {
        let rows: Vec<_> = rows.into_iter().filter(fits).collect();
        (!rows.is_empty()).then_some((title, rows))
    };
    sections.into_iter().filter_map(section).collect()
}

/// Shows the sections in two columns of about the same height; in one if there is no room for two.
fn columns(ui: &mut Ui, sections: &Sections) {
    if sections.is_empty() {
        ui.weak("No key or command matches.");
        return;
    }
    let width = ui.available_width() - 12.0;
    if width < 2.0 * COLUMN + GAP {
        sections.iter().for_each(|(title, rows)| section(ui, title, rows, width));
        return;
    }
    let width = (width - GAP) / 2.0;
    let height = |(_, rows): &(&str, Vec<(Vec<String>, &str)>)| rows.len() + 2;
    let whole: usize = sections.iter().map(height).sum();
    let mut above = 0;
    let split = sections.iter().position(|section| {
        above += height(section);
        2 * above >= whole
    });
    let (left, right) = sections.split_at(split.map_or(sections.len(), |split| split + 1));
    ui.horizontal_top(|ui| {
        for (number, part) in [left, right].into_iter().enumerate() {
            ui.vertical(|ui| {
                ui.set_width(width);
                part.iter().for_each(|(title, rows)| section(ui, title, rows, width));
            });
            if number == 0 {
                ui.add_space(GAP - ui.spacing().item_spacing.x);
            }
        }
    });
}

fn section(ui: &mut Ui, title: &str, rows: &[(Vec<String>, &str)], width: f32) {
    let palette = palette_of(ui.ctx());
    ui.add_space(8.0);
    ui.label(RichText::new(title).size(BODY));
    let (line, _) = ui.allocate_exact_size(vec2(width, 1.0), Sense::hover());
    ui.painter().hline(line.x_range(), line.center().y, (1.0, color(palette.line)));
    for (keys, effect) in rows {
        ui.horizontal_top(|ui| {
            ui.allocate_ui_with_layout(vec2(KEYS_WIDTH, 0.0), Layout::left_to_right(Align::Min), |ui| {
                ui.set_width(KEYS_WIDTH);
                ui.spacing_mut().item_spacing = vec2(4.0, 4.0);
                ui.horizontal_wrapped(|ui| keys.iter().for_each(|key| key_cap(ui, key)));
            });
            let room = (width - KEYS_WIDTH - 8.0).max(40.0);
            ui.vertical(|ui| {
                ui.set_width(room);
                ui.add_space(2.0);
                ui.label(RichText::new(*effect).size(SMALL).color(color(palette.text)));
            });
        });
    }
}

/// Keys and gestures with their effects, by section. Commands without keys are left out.
fn sections(map: KeyMap) -> Sections {
    let of_commands = REGISTRY.iter().map(|section| {
        let rows = section.rows.iter().map(|row| (row.key_names(map), row.title));
        (section.title, rows.filter(|(keys, _)| !keys.is_empty()).collect())
    });
    let gestures = |list: &[Gesture]| {
        list.iter().map(|gesture| (vec![gesture.input.to_owned()], gesture.effect)).collect::<Vec<_>>()
    };
    let transforms = TransformKind::ALL.iter().map(|(_, key, title)| (vec![key.name()], *title));
    of_commands
        .chain([
            ("Sample trees", transforms.collect()),
            ("Keys of the focused widget", gestures(WIDGET_KEYS)),
            ("Mouse", gestures(GESTURES)),
            ("Search syntax", SEARCH.map(|(example, effect)| (vec![example.to_owned()], effect)).into()),
        ])
        .collect()
}

/// Scrolls with arrow keys, Page Up, Page Down, Home and End; `page` is the visible height in points.
fn scroll_by_keys(ui: &Ui, page: f32, has_no_text: bool) {
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
        // Home and End move the cursor in a text.
        if !has_no_text && matches!(key, Key::Home | Key::End) {
            continue;
        }
        if ui.input_mut(|input| input.consume_key(Modifiers::NONE, key)) {
            ui.scroll_with_delta_animation(egui::vec2(0.0, distance), ScrollAnimation::none());
        }
    }
}
