//! The welcome page without a recording: ways to open one, recent recordings, and the error of the last load.

use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use egui::{Align, FontId, Key, Layout, Response, RichText, Role, ScrollArea, Sense, Ui, WidgetInfo};
use egui::{Modifiers, pos2, vec2};

use crate::commands::{WindowAction, shortcut};
use crate::widgets::icon::{Icon, focus_ring};
use crate::widgets::menu::context_menu;
use crate::widgets::style::{BODY, HERO, SMALL, TITLE, color};
use crate::widgets::{elide, empty_state, key_cap, page_icon_button, page_icon_button_width};
use crate::window::file_formats::FileFormats;
use crate::window::recent_activity::{ACTIVITY_COLUMNS, ACTIVITY_HEIGHT, RecentActivity};
use crate::window::recent_file::RecentFile;
use flowline_format::{format_bytes, format_duration_ns, format_when};
use flowline_profile::Kind;
use flowline_scene::Palette;

/// Width of the page in points; narrow windows get less.
const WIDTH: f32 = 960.0;
/// Minimum width with the recipes beside the list.
const WIDE: f32 = 760.0;
/// Height of a list entry, and of the drop zone, in points.
const ROW: f32 = 44.0;
const ZONE: f32 = 148.0;
/// Kinds of files that the drop zone names.
const FILES: &str = ".json  .json.gz  .pftrace  .perfetto-trace  .cpuprofile  .perf";

/// Programs, and how to record them; true for a shell command or code.
const RECIPES: [(&str, &str, bool); 5] = [
    ("Firefox", "Ctrl+Shift+1, record, Ctrl+Shift+2, save", false),
    ("Chrome", "DevTools, Performance, record, save profile", false),
    ("Android", "perfetto -o trace.pftrace -t 10s", true),
    ("Linux", "perf record -g; perf script > out.perf", true),
    ("PyTorch", "prof.export_chrome_trace(\"t.json\")", true),
];

/// The user's choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// Choose a file.
    Choose,
    /// Open the bundled example.
    Example,
    /// Open a recording.
    Open(PathBuf),
    /// Open a recording in a new window.
    Beside(PathBuf),
    /// Remove a recording from the list.
    Forget(PathBuf),
}

/// The recent recordings.
#[derive(Clone, Copy)]
pub(crate) struct Recent<'a> {
    pub(crate) files: &'a [RecentFile],
    /// Seconds to add to UTC to get local time.
    pub(crate) utc_offset: i64,
}

/// Shows the page.
pub(crate) fn show(
    ui: &mut Ui,
    error: Option<&str>,
    formats: &FileFormats,
    recent: Recent<'_>,
    palette: &Palette,
) -> Option<Wanted> {
    let mut wanted = None;
    let width = WIDTH.min(ui.available_width() - 32.0);
    let height = ui.available_height();
    let margin = (ui.available_width() - width) / 2.0;
    ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
        ui.add_space((height * 0.14).min(120.0));
        ui.horizontal_top(|ui| {
            ui.add_space(margin);
            ui.allocate_ui_with_layout(vec2(width, 0.0), Layout::top_down(Align::Min), |ui| {
                ui.set_width(width);
                wanted = page(ui, error, formats, recent, palette);
            });
        });
        ui.add_space(24.0);
    });
    wanted
}

fn page(
    ui: &mut Ui,
    error: Option<&str>,
    formats: &FileFormats,
    recent: Recent<'_>,
    palette: &Palette,
) -> Option<Wanted> {
    let mut wanted = None;
    ui.label(RichText::new("Open a recording").size(HERO));
    let names = if formats.names.is_empty() { String::new() } else { format!("{}. ", formats.names) };
    ui.label(RichText::new(format!("{names}Nothing leaves this computer.")).size(BODY).color(color(palette.text2)));
    if let Some(error) = error {
        ui.add_space(16.0);
        ui.label(RichText::new("Cannot open this file").size(TITLE).color(color(palette.bad)));
        ui.label(error);
    }
    ui.add_space(24.0);
    wanted = drop_zone(ui, palette).or(wanted);
    ui.add_space(24.0);
    let width = ui.available_width();
    if width >= WIDE {
        ui.horizontal_top(|ui| {
            ui.spacing_mut().item_spacing.x = 0.0;
            ui.vertical(|ui| {
                ui.set_width((width * 7.0 / 12.0).floor());
                wanted = list(ui, recent, palette).or(wanted.take());
            });
            ui.add_space(48.0);
            ui.vertical(|ui| {
                ui.set_width(ui.available_width());
                recipes(ui, palette);
            });
        });
    } else {
        wanted = list(ui, recent, palette).or(wanted);
        ui.add_space(24.0);
        recipes(ui, palette);
    }
    ui.add_space(24.0);
    line(ui, palette);
    ui.add_space(8.0);
    let shortcut = |action: WindowAction| shortcut(ui.ctx(), action);
    let keys = [
        ("W A S D".to_owned(), "zoom and pan"),
        (shortcut(WindowAction::Search), "search"),
        ("F".to_owned(), "zoom to selection"),
        ("Drag".to_owned(), "pan and scroll"),
        (shortcut(WindowAction::Find), "all commands"),
        (shortcut(WindowAction::Help), "all keys"),
    ];
    ui.horizontal_wrapped(|ui| {
        for (key, effect) in keys {
            key_cap(ui, &key);
            ui.label(RichText::new(effect).size(SMALL).color(color(palette.text2)));
            ui.add_space(16.0);
        }
    });
    wanted
}

/// A line between blocks of the page.
fn line(ui: &mut Ui, palette: &Palette) {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), 1.0), Sense::hover());
    ui.painter().hline(rect.x_range(), rect.center().y, (1.0, color(palette.line)));
}

/// The title of a block of the page.
fn block(ui: &mut Ui, title: &str, palette: &Palette) {
    ui.label(RichText::new(title).size(TITLE));
    ui.add_space(4.0);
    line(ui, palette);
}

/// Shows where a file can be dropped, with the buttons that open one.
fn drop_zone(ui: &mut Ui, palette: &Palette) -> Option<Wanted> {
    let mut wanted = None;
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), ZONE), Sense::hover());
    ui.painter().rect_filled(rect, 8.0, color(palette.panel));
    let corners = [rect.left_top(), rect.right_top(), rect.right_bottom(), rect.left_bottom(), rect.left_top()];
    let stroke = egui::Stroke::new(1.0, color(palette.line_strong));
    ui.painter().extend(egui::Shape::dashed_line(&corners, stroke, 6.0, 5.0));
    let mut child = ui.new_child(egui::UiBuilder::new().max_rect(rect.shrink(20.0)).id_salt("drop zone"));
    child.vertical_centered(|ui| {
        ui.label(RichText::new("Drop a file or a folder here").size(TITLE));
        ui.label(RichText::new(FILES).monospace().color(color(palette.text2)));
    });
    let actions = [(Icon::Folder, "Open file"), (Icon::Play, WindowAction::OpenExample.title())];
    let widths = actions.map(|(_, text)| page_icon_button_width(ui, text));
    let width = widths[0] + widths[1] + ui.spacing().item_spacing.x;
    let buttons = pos2(rect.center().x - width / 2.0, rect.max.y - 60.0);
    let place = egui::Rect::from_min_size(buttons, vec2(width, 32.0));
    let layout = Layout::left_to_right(Align::Center);
    let mut child = ui.new_child(egui::UiBuilder::new().max_rect(place).layout(layout).id_salt("open"));
    let [(icon, text), (example_icon, example)] = actions;
    let open = page_icon_button(&mut child, icon, text, true);
    if open.on_hover_text(shortcut(child.ctx(), WindowAction::Open)).clicked() {
        wanted = Some(Wanted::Choose);
    }
    if page_icon_button(&mut child, example_icon, example, false).clicked() {
        wanted = Some(Wanted::Example);
    }
    wanted
}

/// Shows the recent recordings; arrow keys move between them.
fn list(ui: &mut Ui, recent: Recent<'_>, palette: &Palette) -> Option<Wanted> {
    block(ui, "Recent", palette);
    if recent.files.is_empty() {
        empty_state(ui, "No recent recordings.", "Recordings that you open are listed here.", None);
    }
    let local = |time: SystemTime| {
        let since = time.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
        i64::try_from(since).unwrap_or(0).saturating_add(recent.utc_offset)
    };
    let now = local(SystemTime::now());
    let mut wanted = None;
    for file in recent.files {
        wanted = row(ui, file, &format_when(local(file.opened), now), palette).or(wanted);
    }
    if !recent.files.is_empty() {
        ui.weak("Ctrl+click opens a recording in a new window.");
    }
    wanted
}

fn recipes(ui: &mut Ui, palette: &Palette) {
    block(ui, "Make a recording", palette);
    for (program, how, is_code) in RECIPES {
        ui.add_space(4.0);
        ui.label(RichText::new(program).size(BODY));
        let how = RichText::new(how).size(SMALL).color(color(palette.text2));
        ui.label(if is_code { how.monospace() } else { how });
    }
}

/// Shows a list entry; returns the user's choice.
fn row(ui: &mut Ui, file: &RecentFile, when: &str, palette: &Palette) -> Option<Wanted> {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::hover());
    let response = ui.interact(rect, ui.scope_id().with(&file.path), Sense::click());
    let (name, folder) = (file.name(), file.folder());
    #[expect(clippy::cast_precision_loss, reason = "a size in words")]
    let size = format_bytes(file.bytes as f64);
    let facts = file.facts.as_ref();
    let kind = facts.map(|facts| facts.kind.as_str()).filter(|kind| !kind.is_empty());
    let length = facts.map(|facts| format_duration_ns(facts.length.0)).unwrap_or_default();
    let known =
        [Some(name.as_str()), Some(&folder), kind, Some(&length).filter(|text| !text.is_empty()).map(|text| &**text)];
    let known: Vec<&str> = known.into_iter().flatten().chain([size.as_str(), when]).collect();
    response.widget_info(|| WidgetInfo::labeled(Role::Link, true, known.join(", ")));
    let texts = Texts { name: &name, below: kind.unwrap_or(&folder), length: &length, size: &size, when };
    draw(ui, &response, &texts, facts.map(|facts| &facts.activity), palette);
    // The window has room for the kind, not for the folder.
    let response = if kind.is_some() { response.on_hover_text(&folder) } else { response };
    let mut wanted = None;
    if response.clicked() {
        let beside = ui.input(|input| input.modifiers.command);
        wanted = Some(if beside { Wanted::Beside(file.path.clone()) } else { Wanted::Open(file.path.clone()) });
    }
    if response.has_focus() && ui.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Delete)) {
        wanted = Some(Wanted::Forget(file.path.clone()));
    }
    context_menu(&response, |ui| {
        let choices = [
            ("Open", Wanted::Open(file.path.clone())),
            ("Open in a new window", Wanted::Beside(file.path.clone())),
            ("Remove from this list", Wanted::Forget(file.path.clone())),
        ];
        for (text, choice) in choices {
            if ui.button(text).clicked() {
                wanted = Some(choice);
                ui.close();
            }
        }
    });
    wanted
}

/// The texts of a list entry.
struct Texts<'a> {
    name: &'a str,
    /// The kind of the recording, or its folder.
    below: &'a str,
    length: &'a str,
    size: &'a str,
    when: &'a str,
}

/// Right edges of the columns from the right end of an entry, and the widths of the texts, in points.
const COLUMNS: [(f32, f32); 3] = [(12.0, 88.0), (112.0, 80.0), (200.0, 80.0)];
/// Entries narrower than this have no lengths.
const ROOMY: f32 = 480.0;
/// Width of a column of the miniature in points.
const BAR: f32 = 2.0;

fn draw(ui: &Ui, response: &Response, texts: &Texts<'_>, activity: Option<&RecentActivity>, palette: &Palette) {
    let rect = response.rect;
    if response.has_focus() {
        ui.painter().rect_filled(rect, 6.0, color(palette.accent_soft));
        focus_ring(ui, rect.shrink(2.0));
    } else if response.hovered() {
        ui.painter().rect_filled(rect, 6.0, color(palette.raised));
    }
    let (font, small) = (FontId::proportional(BODY), FontId::proportional(SMALL));
    let (text, faint) = (color(palette.text), color(palette.text2));
    let columns = if rect.width() < ROOMY { 2 } else { 3 };
    for ((right, width), value) in COLUMNS.iter().zip([texts.when, texts.size, texts.length]).take(columns) {
        let galley = elide(ui, value, *width, small.clone(), faint);
        let place = pos2(rect.max.x - right - galley.size().x, rect.center().y - galley.size().y / 2.0);
        ui.painter().galley(place, galley, faint);
    }
    let miniature = egui::Rect::from_min_size(
        pos2(rect.min.x + 12.0, rect.center().y - f32::from(ACTIVITY_HEIGHT) / 2.0),
        vec2(BAR * 32.0, f32::from(ACTIVITY_HEIGHT)),
    );
    draw_activity(ui, miniature, activity, palette);
    let left = miniature.max.x + 12.0;
    let (right, width) = COLUMNS[columns - 1];
    let room = (rect.max.x - right - width - 12.0 - left).max(0.0);
    let name = elide(ui, texts.name, room, font, text);
    let below = elide(ui, texts.below, room, small, faint);
    ui.painter().galley(pos2(left, rect.min.y + 5.0), name, text);
    ui.painter().galley(pos2(left, rect.min.y + 23.0), below, faint);
}

/// Draws the miniature of a recording's activity; only its ground if it is unknown.
fn draw_activity(ui: &Ui, rect: egui::Rect, activity: Option<&RecentActivity>, palette: &Palette) {
    ui.painter().rect_filled(rect, 2.0, color(palette.inset));
    let columns = activity.map(RecentActivity::columns).unwrap_or_default();
    for (number, column) in columns.iter().enumerate().take(ACTIVITY_COLUMNS) {
        #[expect(clippy::cast_precision_loss, reason = "a few columns")]
        let left = rect.min.x + number as f32 * BAR;
        let mut bottom = rect.max.y;
        for kind in Kind::ALL {
            let height = f32::from(column[kind as usize]);
            let bar = egui::Rect::from_min_max(pos2(left, bottom - height), pos2(left + BAR, bottom));
            if height > 0.0 {
                ui.painter().rect_filled(bar, 0.0, color(palette.fills[kind as usize]));
            }
            bottom -= height;
        }
    }
    let border = egui::Stroke::new(1.0, color(palette.line));
    ui.painter().rect_stroke(rect.expand(1.0), 2.0, border, egui::StrokeKind::Inside);
}
