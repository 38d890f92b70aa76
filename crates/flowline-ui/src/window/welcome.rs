//! The welcome page without a recording: ways to open one, recent recordings, and the error of the last load.

use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use egui::{Align, Key, Layout, Response, RichText, Role, ScrollArea, Sense, TextStyle, Ui, WidgetInfo};
use egui::{Modifiers, pos2, vec2};

use crate::commands::{WindowAction, shortcut};
use crate::widgets::elide;
use crate::widgets::menu::context_menu;
use crate::widgets::style::color;
use crate::window::file_formats::FileFormats;
use crate::window::recent_file::RecentFile;
use flowline_format::format_bytes;
use flowline_scene::Palette;

/// Width of the page in points; narrow windows get less.
const WIDTH: f32 = 600.0;
/// Height of a list entry in points.
const ROW: f32 = 40.0;

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

/// Shows the page.
pub(crate) fn show(
    ui: &mut Ui,
    error: Option<&str>,
    formats: &FileFormats,
    recent: &[RecentFile],
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
    recent: &[RecentFile],
    palette: &Palette,
) -> Option<Wanted> {
    let mut wanted = None;
    ui.label(RichText::new("Flowline").size(30.0).strong());
    ui.label(RichText::new("A timeline for recordings too big for the browser").weak());
    if let Some(error) = error {
        ui.add_space(18.0);
        ui.label(RichText::new("Cannot open this file").size(16.0).strong().color(ui.visuals().warn_fg_color));
        ui.add_space(4.0);
        ui.label(error);
    }
    ui.add_space(20.0);
    ui.horizontal_wrapped(|ui| {
        if ui.button("Open a file…").on_hover_text(shortcut(ui.ctx(), WindowAction::Open)).clicked() {
            wanted = Some(Wanted::Choose);
        }
        if ui.button(WindowAction::OpenExample.title()).clicked() {
            wanted = Some(Wanted::Example);
        }
    });
    ui.add_space(10.0);
    let names = if formats.names.is_empty() { String::new() } else { format!(": {}", formats.names) };
    ui.weak(format!("Or drop a recording here{names}."));
    if !recent.is_empty() {
        ui.add_space(22.0);
        ui.label(RichText::new("Recent recordings").size(16.0).strong());
        ui.add_space(6.0);
        let now = SystemTime::now();
        for file in recent {
            wanted = row(ui, file, now, palette).or(wanted);
        }
        ui.add_space(4.0);
        ui.weak("Ctrl+click opens a recording in a new window.");
    }
    ui.add_space(22.0);
    let keys = [
        (WindowAction::Help, "all keys"),
        (WindowAction::Find, "find anything by name"),
        (WindowAction::FullScreen, "full screen"),
    ];
    ui.weak(keys.map(|(action, text)| format!("{}  {text}", shortcut(ui.ctx(), action))).join("      "));
    wanted
}

/// Shows a list entry; returns the user's choice.
fn row(ui: &mut Ui, file: &RecentFile, now: SystemTime, palette: &Palette) -> Option<Wanted> {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::hover());
    let response = ui.interact(rect, ui.scope_id().with(&file.path), Sense::click());
    let (name, folder) = (file.name(), file.folder());
    #[expect(clippy::cast_precision_loss, reason = "a size in words")]
    let size = format_bytes(file.bytes as f64);
    let when = ago(now.duration_since(file.opened).unwrap_or_default());
    response.widget_info(|| WidgetInfo::labeled(Role::Link, true, format!("{name}, {folder}, {size}, {when}")));
    draw(ui, &response, [&name, &folder, &size, &when], palette);
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

fn draw(ui: &Ui, response: &Response, [name, folder, size, when]: [&str; 4], palette: &Palette) {
    let rect = response.rect;
    let visuals = ui.visuals();
    if response.hovered() {
        ui.painter().rect_filled(rect.expand2(vec2(8.0, 0.0)), 4.0, visuals.widgets.hovered.weak_bg_fill);
    }
    if response.has_focus() {
        let stroke = visuals.selection.stroke;
        ui.painter().rect_stroke(rect.expand2(vec2(8.0, 0.0)), 4.0, stroke, egui::StrokeKind::Inside);
    }
    let (font, small) = (TextStyle::Body.resolve(ui.style()), TextStyle::Small.resolve(ui.style()));
    let (text, faint) = (color(palette.text), color(palette.text2));
    let right = elide(ui, &format!("{size} · {when}"), rect.width() * 0.4, small.clone(), faint);
    let room = rect.width() - right.size().x - 16.0;
    let name = elide(ui, name, room, font, text);
    let folder = elide(ui, folder, rect.width(), small, faint);
    ui.painter().galley(pos2(rect.max.x - right.size().x, rect.min.y + 6.0), right, faint);
    ui.painter().galley(pos2(rect.min.x, rect.min.y + 3.0), name, text);
    ui.painter().galley(pos2(rect.min.x, rect.min.y + 21.0), folder, faint);
}

/// Time since an event, in words.
fn ago(time: Duration) -> String {
    let minutes = time.as_secs() / 60;
    let (count, unit) = match minutes {
        0 => return "just now".into(),
        1..60 => (minutes, "minute"),
        60..1_440 => (minutes / 60, "hour"),
        1_440..43_200 => (minutes / 1_440, "day"),
        43_200..525_600 => (minutes / 43_200, "month"),
        _ => (minutes / 525_600, "year"),
    };
    format!("{count} {unit}{} ago", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_use_the_largest_unit_that_fits() {
        let minute = 60;
        for (seconds, text) in [
            (0, "just now"),
            (59, "just now"),
            (minute, "1 minute ago"),
            (59 * minute + 59, "59 minutes ago"),
            (60 * minute, "1 hour ago"),
            (47 * 60 * minute, "1 day ago"),
            (60 * 24 * 60 * minute, "2 months ago"),
            (800 * 24 * 60 * minute, "2 years ago"),
        ] {
            assert_eq!(ago(Duration::from_secs(seconds)), text);
        }
    }
}
