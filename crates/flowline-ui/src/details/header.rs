//! The header of the details: kind, title, place, and the buttons for going back and forward, pinning and closing.

use egui::{FontId, Rect, Role, Sense, Ui, UiBuilder, WidgetInfo, pos2, vec2};

use super::metrics::{PAD, TEXT};
use super::text;
use crate::commands::{SelectionAction, WindowAction, with_shortcut};
use crate::hidden_panels::PanelKind;
use crate::widget_requests::run_command;
use crate::widgets::icon::{Icon, icon_button, icon_toggle};
use crate::widgets::menu::{context_menu, entry};
use crate::widgets::style::{SMALL, TITLE, color};
use crate::widgets::{clamp_lines, elide};
use flowline_format::{is_place, shorten_middle};
use flowline_profile::{Direction, ThreadId};
use flowline_scene::Palette;
use flowline_session::Session;
use flowline_view::Command;

/// Maximum number of lines of a title.
const LINES: usize = 2;
/// Numbers of characters to which a place is shortened, the first that fits.
const LETTERS: [usize; 8] = [64, 56, 50, 45, 40, 36, 32, 28];
/// Maximum number of characters of a title in its tooltip.
const MAX_HOVER: usize = 4_000;
/// Width of the buttons at the right in points.
const BUTTONS: f32 = 4.0 * 24.0;
/// Width of the bar of the kind in points.
const BAR: f32 = 4.0;

/// The contents of a header.
pub(super) struct Header<'a> {
    /// Palette entry of the bar; without one, the bar has the color of lines.
    pub(super) color: Option<u8>,
    pub(super) title: &'a str,
    /// Shortened forms of the title, used if it does not fit; the longest first.
    pub(super) short: &'a [String],
    pub(super) subtitle: &'a str,
    /// The thread that can be pinned.
    pub(super) thread: Option<ThreadId>,
}

/// Shows a header; returns the user's commands.
pub(super) fn show(ui: &mut Ui, session: &Session, header: &Header<'_>, palette: &Palette) -> Vec<Command> {
    let mut commands = Vec::new();
    let width = ui.available_width();
    let room = (width - TEXT - BUTTONS - PAD).max(40.0);
    let font = FontId::proportional(TITLE);
    let fits = |title: &str| !clamp_lines(ui, title, room, font.clone(), LINES).elided;
    let shown = std::iter::once(header.title).chain(header.short.iter().map(String::as_str)).find(|title| fits(title));
    // A place keeps its host and its last segment.
    let middle = match shown {
        None if is_place(header.title) => {
            LETTERS.into_iter().map(|letters| shorten_middle(header.title, letters)).find(|title| fits(title))
        }
        _ => None,
    };
    let shown = shown.or(middle.as_deref()).or(header.short.last().map(String::as_str)).unwrap_or(header.title);
    let title = clamp_lines(ui, shown, room, font, LINES);
    let height = title.size().y.max(20.0);
    let (area, _) = ui.allocate_exact_size(vec2(width, PAD + height + 20.0), Sense::hover());
    let top = area.min.y + PAD;
    let bar = Rect::from_min_size(pos2(area.min.x + PAD, top), vec2(BAR, height + 20.0));
    let fill = header.color.map_or(palette.line, |entry| palette.fill(entry));
    ui.painter().rect_filled(bar, 2.0, color(fill));

    let place = Rect::from_min_size(pos2(area.min.x + TEXT, top), vec2(room, height));
    let is_cut = title.elided || shown != header.title;
    let response = ui.interact(place, ui.scope_id().with("title"), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, header.title));
    ui.painter().galley_with_override_text_color(place.min, title, color(palette.text));
    context_menu(&response, |ui| {
        if entry(ui, "Copy name", true) {
            ui.copy_text(header.title.to_owned());
        }
    });
    if is_cut {
        let end = header.title.char_indices().nth(MAX_HOVER).map_or(header.title.len(), |(end, _)| end);
        response.on_hover_text(&header.title[..end]);
    }
    let below = Rect::from_min_size(pos2(place.min.x, top + height + 2.0), vec2((width - TEXT - PAD).max(20.0), 18.0));
    text::draw(ui, below, header.subtitle, SMALL, color(palette.text2));
    let told = text::announce(ui, ui.scope_id().with("subtitle"), below, header.subtitle);
    if elide(ui, header.subtitle, below.width(), FontId::proportional(SMALL), color(palette.text2)).elided {
        told.on_hover_text(header.subtitle);
    }
    let corner = pos2(area.max.x - BUTTONS - PAD + 4.0, top - 5.0);
    let buttons = Rect::from_min_size(corner, vec2(BUTTONS + 1.0, 24.0));
    let mut row = ui.new_child(
        UiBuilder::new().max_rect(buttons).layout(egui::Layout::left_to_right(egui::Align::Center)).id_salt("header"),
    );
    row.spacing_mut().item_spacing.x = 0.0;
    show_buttons(&mut row, session, header.thread, &mut commands);
    commands
}

fn show_buttons(ui: &mut Ui, session: &Session, thread: Option<ThreadId>, commands: &mut Vec<Command>) {
    for (direction, icon, name) in [
        (Direction::Back, Icon::ChevronLeft, "Previous selection"),
        (Direction::Forward, Icon::ChevronRight, "Next selection"),
    ] {
        let hint = with_shortcut(ui.ctx(), name, SelectionAction::History(direction));
        let can_go = session.view.selections.can_go(direction);
        let pressed = ui.add_enabled_ui(can_go, |ui| icon_button(ui, icon, name, &hint).clicked()).inner;
        if pressed {
            commands.push(Command::StepSelection(direction));
        }
    }
    let pinned = thread.map(|thread| (thread, session.view.tracks.order.pinned.contains(&thread)));
    let name = if pinned.is_some_and(|(_, pinned)| pinned) { "Unpin thread" } else { "Pin thread" };
    let hint = format!("{name}: keep its rows at the top");
    let pressed = ui.add_enabled_ui(pinned.is_some(), |ui| {
        icon_toggle(ui, Icon::Pin, name, &hint, Some(pinned.is_some_and(|(_, pinned)| pinned))).clicked()
    });
    if pressed.inner {
        commands.extend(pinned.map(|(thread, _)| Command::TogglePinnedThread(thread)));
    }
    let hint = with_shortcut(ui.ctx(), "Close details", WindowAction::Panel(PanelKind::Details));
    if icon_button(ui, Icon::Close, "Close details", &hint).clicked() {
        run_command(ui.ctx(), WindowAction::Panel(PanelKind::Details));
    }
}
