//! Search field of the toolbar. Its right end has a fixed place for the number of hits and the buttons that walk them, so
//! that nothing moves while the user types.

use egui::{Align2, Frame, Key, Modifiers, Rect, Role, Sense, StrokeKind, TextEdit, TextStyle, Ui, Vec2, WidgetInfo};
use egui::{pos2, vec2};

use crate::canvas::notices;
use crate::commands::{ViewAction, WindowAction, shortcut, with_shortcut};
use crate::widgets::icon::{Icon, focus_ring, paint_button};
use crate::widgets::style::color;
use crate::widgets::{counted, cursor_to_end, grouped, select_all};
use crate::window::bars::completion::Completion;
use crate::window::state::ShellState;
use crate::window::window_command::WindowCommand;
use flowline_profile::Direction;
use flowline_scene::Palette;
use flowline_session::Session;
use flowline_view::Command;

/// Id of the search field.
const SEARCH_BOX: &str = "search box";
/// Points before the text, which contain the icon, and the place at the right end.
const LEFT: f32 = 28.0;
const RIGHT: f32 = 128.0;
/// Width in points of the key at the right end of an empty field.
const KEY_WIDTH: f32 = 36.0;
/// Side of the buttons in the field in points.
const BUTTON: f32 = 20.0;
/// Below this width in points, the field drops the number of hits.
const MIN_WIDTH_FOR_COUNT: f32 = 240.0;
/// Below this width in points, the field drops the buttons that walk the hits; Enter and Shift+Enter do the same.
const MIN_WIDTH_FOR_STEPS: f32 = 150.0;

/// Shows the search field in its place.
pub(super) fn show(
    ui: &mut Ui,
    session: &Session,
    state: &ShellState,
    (palette, rect): (&Palette, Rect),
    commands: &mut Vec<WindowCommand>,
) {
    let id = egui::Id::unique(SEARCH_BOX);
    let mut text = session.view.search.clone();
    let completion = Completion::new(ui, session, id);
    ui.painter().rect(rect, 4.0, color(palette.inset), (1.0, color(palette.line_strong)), StrokeKind::Inside);
    let icon = Rect::from_center_size(pos2(rect.min.x + 14.0, rect.center().y), Vec2::splat(16.0));
    Icon::Search.paint(ui.painter(), icon, color(palette.text2));
    let end = match rect.width() {
        // Without a search, only the key is at the right end.
        _ if session.view.search.is_empty() => KEY_WIDTH,
        width if width >= MIN_WIDTH_FOR_COUNT => RIGHT,
        width if width >= MIN_WIDTH_FOR_STEPS => 3.0 * BUTTON + 4.0,
        _ => BUTTON + 4.0,
    };
    let place = Rect::from_min_max(pos2(rect.min.x + LEFT, rect.min.y), pos2(rect.max.x - end, rect.max.y));
    let field = TextEdit::singleline(&mut text)
        .id(id)
        .frame(Frame::NONE)
        .hint_text(hint(ui, place.width()))
        .align(Align2::LEFT_CENTER)
        .min_size(place.size())
        .desired_width(place.width())
        .lock_focus(completion.is_some());
    let response = ui.put(place, field);
    response.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, "Search markers"));
    if response.has_focus() {
        focus_ring(ui, rect);
    }
    if state.focus_search {
        response.request_focus();
        select_all(ui.ctx(), id, &session.view.search);
    }
    let completed = match completion {
        Some(completion) => completion.show(ui, &session.view.search, rect),
        None => {
            notices::search_problems(ui, session, rect, palette);
            None
        }
    };
    // Enter takes the focus from the field, so that keys act on the chart.
    let has_entered = response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
    if let Some(completed) = completed {
        cursor_to_end(ui.ctx(), id, &completed);
        response.request_focus();
        commands.push(Command::Search(completed).into());
    } else if text != session.view.search {
        commands.push(Command::Search(text).into());
    }
    if has_entered {
        let back = ui.input(|input| input.modifiers.matches_logically(Modifiers::SHIFT));
        commands.push(Command::StepHit(if back { Direction::Back } else { Direction::Forward }).into());
    }
    let end = Rect::from_min_max(pos2(place.max.x, rect.min.y), pos2(rect.max.x - 4.0, rect.max.y));
    if session.view.search.is_empty() {
        key_cap(ui, end, palette);
    } else {
        results(ui, end, session, palette, commands);
    }
}

/// Examples of a search, as far as they fit.
fn hint(ui: &Ui, width: f32) -> &'static str {
    let font = TextStyle::Body.resolve(ui.style());
    let fits = |text: &&str| {
        ui.painter().layout_no_wrap((*text).to_owned(), font.clone(), egui::Color32::PLACEHOLDER).size().x <= width
    };
    const HINTS: [&str; 3] = ["Search names, arguments, URLs, dur:>20ms", "Search names, arguments, URLs", "Search"];
    HINTS.into_iter().find(fits).unwrap_or("Search")
}

/// The key that focuses the field.
fn key_cap(ui: &Ui, place: Rect, palette: &Palette) {
    let key = shortcut(ui.ctx(), WindowAction::Search);
    let font = egui::FontId::proportional(crate::widgets::style::CAPTION);
    let galley = ui.painter().layout_no_wrap(key.clone(), font.clone(), color(palette.text3));
    let size = vec2((galley.size().x + 8.0).max(17.0), 17.0);
    let cap = Rect::from_center_size(pos2(place.max.x - 4.0 - size.x / 2.0, place.center().y), size);
    ui.painter().rect_stroke(cap, 3.0, (1.0, color(palette.line)), StrokeKind::Inside);
    ui.painter().text(cap.center(), Align2::CENTER_CENTER, key, font, color(palette.text3));
}

/// The number of hits, and buttons that walk and clear them.
fn results(ui: &mut Ui, place: Rect, session: &Session, palette: &Palette, commands: &mut Vec<WindowCommand>) {
    // A tiny field has room for one button.
    let skipped = if place.width() < 3.0 * BUTTON - 4.0 { 2 } else { 0 };
    let buttons = [
        (Icon::ChevronUp, "Previous hit", ViewAction::Confirm { back: true }, Command::StepHit(Direction::Back)),
        (Icon::ChevronDown, "Next hit", ViewAction::Confirm { back: false }, Command::StepHit(Direction::Forward)),
        (Icon::Close, ViewAction::ClearSearch.title(), ViewAction::ClearSearch, Command::Search(String::new())),
    ];
    let mut left = place.max.x - if skipped > 0 { BUTTON } else { 3.0 * BUTTON };
    let first = left;
    for (icon, name, action, command) in buttons.into_iter().skip(skipped) {
        let rect = Rect::from_center_size(pos2(left + BUTTON / 2.0, place.center().y), Vec2::splat(BUTTON));
        left += BUTTON;
        let response = ui.interact(rect, ui.scope_id().with(("search", name)), Sense::click());
        paint_button(ui, &response, rect, icon, false);
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, name));
        if response.clicked() {
            commands.push(command.into());
        }
        response.on_hover_text(with_shortcut(ui.ctx(), name, action));
    }
    let (short, full) = found(session);
    let place = Rect::from_min_max(place.min, pos2(first - 4.0, place.max.y));
    let response = ui.interact(place, ui.scope_id().with("number of hits"), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &full));
    let font = TextStyle::Small.resolve(ui.style());
    let galley = crate::widgets::elide(ui, &short, place.width().max(0.0), font, color(palette.text2));
    if place.width() > 24.0 {
        let at = pos2(place.max.x - galley.size().x, place.center().y - galley.size().y / 2.0);
        ui.painter().galley(at, galley, color(palette.text2));
    }
    response.on_hover_text(full);
}

/// The number of hits as a short and as a complete text.
fn found(session: &Session) -> (String, String) {
    let profile = session.index.profile();
    match session.hits() {
        _ if session.is_searching() => ("…".to_owned(), "Searching…".to_owned()),
        Some(hits) => {
            let left = session.scope().counted(profile).unwrap_or(hits.total());
            (grouped(left), format!("{} of {}", grouped(left), counted(profile.marker_count(), "marker")))
        }
        None => (String::new(), String::new()),
    }
}
