//! The recording's name in the toolbar, with the menu that opens, compares, saves and closes recordings.

use egui::{Rect, Ui, pos2};

use super::applies::applies;
use crate::commands::{CommandContext, WindowAction};
use crate::widgets::Dropdown;
use crate::widgets::menu::{entry, submenu};
use crate::widgets::style::color;
use crate::window::recent_file::RecentFile;
use crate::window::window_command::WindowCommand;
use flowline_scene::Palette;
use flowline_session::Session;

/// Number of recent recordings in the menu.
const RECENT: usize = 12;
/// Points before the name, which contain the mark.
const MARK_WIDTH: f32 = 28.0;

/// The commands of the menu, in groups.
const GROUPS: [&[WindowAction]; 3] = [
    &[WindowAction::Compare, WindowAction::CompareStatistics, WindowAction::CloseSecond],
    &[
        WindowAction::SaveRange,
        WindowAction::SaveImage,
        WindowAction::SaveNotes,
        WindowAction::SaveTrace,
        WindowAction::CopyLink,
        WindowAction::CopyCommand,
    ],
    &[WindowAction::Reload, WindowAction::Close],
];

/// Shows the mark and the name with its menu.
pub(super) fn show(
    ui: &mut Ui,
    rect: Rect,
    context: CommandContext<'_>,
    recent: &[RecentFile],
    palette: &Palette,
    commands: &mut Vec<WindowCommand>,
) {
    mark(ui, rect, palette);
    let place = Rect::from_min_max(pos2(rect.min.x + MARK_WIDTH, rect.min.y), pos2(rect.max.x - 8.0, rect.max.y));
    let name = context.session.map_or_else(|| "No recording".to_owned(), Session::name);
    let path = context.session.map(|session| session.path.display().to_string()).unwrap_or_default();
    let accessible = format!("Recording {name}");
    let button = Dropdown { name: &accessible, ..Dropdown::menu(&name) };
    button.hint(&path).show_at(ui, place, palette, |ui| contents(ui, context, recent, commands));
}

fn contents(ui: &mut Ui, context: CommandContext<'_>, recent: &[RecentFile], commands: &mut Vec<WindowCommand>) {
    if entry(ui, WindowAction::Open, true) {
        commands.push(WindowAction::Open.into());
    }
    if !recent.is_empty() {
        submenu(ui, "Open recent", |ui| {
            for file in recent.iter().take(RECENT) {
                if ui.button(file.name()).on_hover_text(file.folder()).clicked() {
                    commands.push(WindowCommand::OpenRecent(file.path.clone()));
                    ui.close();
                }
            }
        });
    }
    if context.session.is_none() {
        if entry(ui, WindowAction::OpenExample, true) {
            commands.push(WindowAction::OpenExample.into());
        }
        return;
    }
    for group in GROUPS {
        ui.separator();
        for action in group {
            if applies(*action, context) && entry(ui, *action, true) {
                commands.push((*action).into());
            }
        }
    }
}

/// Draws the mark of the program: two steps of a flow.
fn mark(ui: &Ui, rect: Rect, palette: &Palette) {
    let tint = color(palette.accent);
    let at = |x: f32, y: f32| pos2(rect.min.x + x, rect.center().y + y);
    let points = [at(13.0, -3.0), at(19.0, -3.0), at(19.0, 3.0), at(27.0, 3.0)];
    let stroke = egui::Stroke::new(2.0, tint);
    let curve = egui::epaint::CubicBezierShape::from_points_stroke(points, false, egui::Color32::TRANSPARENT, stroke);
    ui.painter().add(curve);
    for end in [at(14.5, -3.0), at(25.5, 3.0)] {
        ui.painter().circle_filled(end, 2.2, tint);
    }
}
