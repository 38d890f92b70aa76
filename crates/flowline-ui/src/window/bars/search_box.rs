//! Search box of the toolbar, with the number of hits.

use egui::{Button, Key, Modifiers, RichText, Role, TextEdit, Ui, WidgetInfo};

use crate::canvas::notices;
use crate::commands::{ViewAction, with_shortcut};
use crate::widgets::style::color;
use crate::widgets::{counted, cursor_to_end, grouped, select_all};
use crate::window::bars::completion::Completion;
use crate::window::bars::toolbar_layout::{ToolbarLayout, ToolbarSize, results_text};
use crate::window::state::ShellState;
use crate::window::window_command::WindowCommand;
use flowline_profile::Direction;
use flowline_scene::Palette;
use flowline_session::Session;
use flowline_view::Command;

/// Id of the search box.
const SEARCH_BOX: &str = "search box";

/// Shows the search box and the number of hits. In a narrow window, the box shrinks to make room for the number; in a
/// small window, the count of all markers is hidden too.
pub(super) fn show(
    ui: &mut Ui,
    session: &Session,
    state: &ShellState,
    (palette, tools): (&Palette, ToolbarLayout),
    commands: &mut Vec<WindowCommand>,
) {
    let id = egui::Id::unique(SEARCH_BOX);
    let mut text = session.view.search.clone();
    let completion = Completion::new(ui, session, id);
    let part = || (ui.available_width() * 0.28 - 20.0).clamp(110.0, 300.0);
    let width = tools.search_width.unwrap_or_else(part);
    let response = ui.add(
        TextEdit::singleline(&mut text)
            .id(id)
            .hint_text("Search:  thread:gecko dur:>20ms -paint")
            .desired_width(width)
            .margin(egui::vec2(8.0, 4.0))
            .lock_focus(completion.is_some()),
    );
    response.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, "Search markers"));
    if state.focus_search {
        response.request_focus();
        select_all(ui.ctx(), id, &session.view.search);
    }
    let completed = match completion {
        Some(completion) => completion.show(ui, &session.view.search, response.rect),
        None => {
            notices::search_problems(ui, session, response.rect, palette);
            None
        }
    };
    if let Some(completed) = completed {
        cursor_to_end(ui.ctx(), id, &completed);
        response.request_focus();
        commands.push(Command::Search(completed).into());
    } else if text != session.view.search {
        commands.push(Command::Search(text).into());
    }
    // Enter takes the focus from a single-line box; it is requested back, so typing can go on.
    let entered = response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
    if entered {
        let back = ui.input(|input| input.modifiers.matches_logically(Modifiers::SHIFT));
        commands.push(Command::StepHit(if back { Direction::Back } else { Direction::Forward }).into());
        response.request_focus();
    }
    if session.view.search.is_empty() {
        return;
    }
    if icon_button(ui, "✖", ViewAction::ClearSearch.title()).clicked() {
        commands.push(Command::Search(String::new()).into());
    }
    let total = session.index.profile().marker_count();
    let text = match session.hits() {
        _ if session.is_searching() => "searching…".to_owned(),
        Some(hits) => {
            let left = session.scope().counted(session.index.profile()).unwrap_or(hits.total());
            if tools.room < ToolbarSize::Narrow { grouped(left) } else { results_text(left, total) }
        }
        None => String::new(),
    };
    let found = ui.label(RichText::new(text).color(color(palette.accent)));
    found.on_hover_text(format!("of {}", counted(total, "marker")));
    for (icon, direction, text) in [("⏶", Direction::Back, "Previous hit"), ("⏷", Direction::Forward, "Next hit")] {
        let back = direction == Direction::Back;
        let hint = with_shortcut(ui.ctx(), text, ViewAction::Confirm { back });
        if icon_button(ui, icon, &hint).clicked() {
            commands.push(Command::StepHit(direction).into());
        }
    }
}

/// A button with a symbol as text and its function as accessible name.
fn icon_button(ui: &mut Ui, icon: &str, name: &str) -> egui::Response {
    let response = ui.add(Button::new(icon).frame(false)).on_hover_text(name);
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, name));
    response
}
