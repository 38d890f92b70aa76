//! The button for import warnings.

use egui::{Align2, Rect, Role, Sense, TextStyle, Ui, WidgetInfo, pos2};

use super::toolbar_layout::HEIGHT;
use crate::commands::{WindowAction, title_with_shortcut};
use crate::widgets::counted;
use crate::widgets::icon::{Icon, focus_ring};
use crate::widgets::style::color;
use crate::window::window_command::WindowCommand;
use flowline_scene::Palette;
use flowline_session::Session;

/// Number of warnings of a recording and of its flow rules.
pub(super) fn count(session: &Session) -> usize {
    session.warnings().list().len() + session.flows.setup.messages.len()
}

/// Shows the button; in a small place, it is an icon.
pub(super) fn show(ui: &mut Ui, rect: Rect, session: &Session, palette: &Palette) -> Option<WindowCommand> {
    let count = count(session);
    if count == 0 {
        return None;
    }
    let words = counted(count, "warning");
    let is_severe = !session.flows.setup.messages.is_empty()
        || session.warnings().list().iter().any(|warning| !warning.kind.is_ordinary());
    let tint = color(if is_severe { palette.warn } else { palette.text2 });
    let font = TextStyle::Button.resolve(ui.style());
    let galley = ui.painter().layout_no_wrap(words.clone(), font.clone(), tint);
    let has_words = galley.size().x + HEIGHT + 8.0 <= rect.width();
    let width = if has_words { galley.size().x + HEIGHT + 4.0 } else { HEIGHT };
    let place = Rect::from_min_max(pos2(rect.max.x - 8.0 - width, rect.min.y), pos2(rect.max.x - 8.0, rect.max.y));
    let response = ui.interact(place, ui.scope_id().with("warnings"), Sense::click());
    if response.hovered() {
        ui.painter().rect_filled(place, 4.0, color(palette.raised));
    }
    if response.has_focus() {
        focus_ring(ui, place);
    }
    let icon = Rect::from_min_size(place.min, egui::Vec2::splat(HEIGHT));
    Icon::Warning.paint(ui.painter(), icon, tint);
    if has_words {
        ui.painter().text(pos2(icon.max.x, place.center().y), Align2::LEFT_CENTER, &words, font, tint);
    }
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &words));
    let clicked = response.clicked();
    response.on_hover_text(title_with_shortcut(ui.ctx(), WindowAction::Warnings));
    clicked.then(|| WindowAction::Warnings.into())
}
