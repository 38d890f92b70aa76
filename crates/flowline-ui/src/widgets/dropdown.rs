//! A button that opens a menu below itself.

use egui::containers::menu::{MenuConfig, is_in_menu, menu_style};
use egui::{
    Galley, Popup, PopupCloseBehavior, Pos2, Rect, Response, Role, Sense, StrokeKind, TextStyle, Ui, UiKind,
    UiStackInfo,
};
use egui::{Vec2, WidgetInfo, pos2, vec2};
use std::sync::Arc;

use crate::widgets::elide;
use crate::widgets::icon::{Icon, focus_ring};
use crate::widgets::menu;
use crate::widgets::style::color;
use flowline_scene::Palette;

/// Height in points.
const HEIGHT: f32 = 24.0;
/// Points beside the texts, and between them.
const PADDING: f32 = 8.0;
const GAP: f32 = 6.0;
/// Width of the chevron in points.
const CHEVRON: f32 = 14.0;

/// A button that opens a menu.
#[derive(Clone, Debug)]
pub(crate) struct Dropdown<'a> {
    /// A text before the value, such as "Group"; may be empty.
    pub(crate) label: &'a str,
    /// The text of the button: the chosen value, or the name of the menu.
    pub(crate) text: &'a str,
    /// Accessible name.
    pub(crate) name: &'a str,
    /// Tooltip; may be empty.
    pub(crate) hint: &'a str,
    /// True for a choice, which has a border.
    pub(crate) has_frame: bool,
    /// True if the menu closes only on clicks outside, so that several entries can be clicked.
    pub(crate) stays: bool,
}

impl<'a> Dropdown<'a> {
    /// A menu without a border, for commands.
    pub(crate) const fn menu(text: &'a str) -> Self {
        Self { label: "", text, name: text, hint: "", has_frame: false, stays: false }
    }

    /// A bordered choice with a label before its value.
    pub(crate) const fn choice(label: &'a str, text: &'a str, name: &'a str) -> Self {
        Self { label, text, name, hint: "", has_frame: true, stays: false }
    }

    /// The same menu with another accessible name.
    pub(crate) const fn named(self, name: &'a str) -> Self {
        Self { name, ..self }
    }

    pub(crate) const fn hint(self, hint: &'a str) -> Self {
        Self { hint, ..self }
    }

    /// The same menu, which stays open while its entries are clicked.
    pub(crate) const fn staying(self) -> Self {
        Self { stays: true, ..self }
    }

    /// Width in points.
    pub(crate) fn width(&self, ui: &Ui) -> f32 {
        let font = TextStyle::Button.resolve(ui.style());
        let text = ui.painter().layout_no_wrap(self.text.to_owned(), font, egui::Color32::PLACEHOLDER).size().x;
        self.width_beside(ui) + text
    }

    /// Width in points of everything but the text.
    fn width_beside(&self, ui: &Ui) -> f32 {
        let label = self.label_galley(ui, egui::Color32::PLACEHOLDER).map_or(0.0, |label| label.size().x + GAP);
        2.0 * PADDING + label + GAP + CHEVRON
    }

    fn label_galley(&self, ui: &Ui, tint: egui::Color32) -> Option<Arc<Galley>> {
        let font = TextStyle::Small.resolve(ui.style());
        (!self.label.is_empty()).then(|| ui.painter().layout_no_wrap(self.label.to_owned(), font, tint))
    }

    /// Shows the button and, while open, its menu. Inside another menu, it is an entry with a submenu.
    pub(crate) fn show(self, ui: &mut Ui, palette: &Palette, contents: impl FnOnce(&mut Ui)) -> Response {
        if is_in_menu(ui) {
            return self.show_entry(ui, contents);
        }
        let (rect, response) = ui.allocate_exact_size(vec2(self.width(ui), HEIGHT), Sense::click());
        self.show_in(ui, rect, response, palette, contents)
    }

    fn behavior(&self) -> PopupCloseBehavior {
        if self.stays { PopupCloseBehavior::CloseOnClickOutside } else { PopupCloseBehavior::CloseOnClick }
    }

    fn show_entry(self, ui: &mut Ui, contents: impl FnOnce(&mut Ui)) -> Response {
        let text = if self.label.is_empty() { self.text.to_owned() } else { format!("{}: {}", self.label, self.text) };
        let config = MenuConfig::new().close_behavior(self.behavior());
        let response = menu::submenu_with(ui, &text, config, contents);
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, self.name));
        response
    }

    /// Shows the button in a place that the caller has allocated; a longer text is elided.
    pub(crate) fn show_at(
        self,
        ui: &mut Ui,
        rect: Rect,
        palette: &Palette,
        contents: impl FnOnce(&mut Ui),
    ) -> Response {
        let response = ui.interact(rect, ui.scope_id().with(("dropdown", self.name)), Sense::click());
        self.show_in(ui, rect, response, palette, contents)
    }

    fn show_in(
        self,
        ui: &mut Ui,
        rect: Rect,
        response: Response,
        palette: &Palette,
        contents: impl FnOnce(&mut Ui),
    ) -> Response {
        let popup = Popup::menu(&response);
        self.paint(ui, rect, &response, palette, popup.is_open());
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, self.name));
        let behavior = self.behavior();
        let config = MenuConfig::new().close_behavior(behavior);
        let info = UiStackInfo::new(UiKind::Menu).with_tag_value(MenuConfig::MENU_CONFIG_TAG, config);
        let shown =
            popup.close_behavior(behavior).style(menu_style).info(info).show(|ui| menu::scrolling(ui, contents));
        if shown.is_some() || self.hint.is_empty() { response } else { response.on_hover_text(self.hint) }
    }

    fn paint(&self, ui: &Ui, rect: Rect, response: &Response, palette: &Palette, is_open: bool) {
        let is_lit = is_open || response.hovered();
        if self.has_frame {
            let fill = color(if is_lit { palette.raised } else { palette.inset });
            ui.painter().rect(rect, 4.0, fill, (1.0, color(palette.line)), StrokeKind::Inside);
        } else if is_lit {
            ui.painter().rect_filled(rect, 4.0, color(palette.raised));
        }
        if response.has_focus() {
            focus_ring(ui, rect);
        }
        let mut left = rect.min.x + PADDING;
        if let Some(label) = self.label_galley(ui, color(palette.text3)) {
            let place = pos2(left, rect.center().y - label.size().y / 2.0);
            left += label.size().x + GAP;
            ui.painter().galley(place, label, color(palette.text3));
        }
        let font = TextStyle::Button.resolve(ui.style());
        let room = rect.width() - self.width_beside(ui);
        // Rounding must not elide a text that fits exactly.
        let text = elide(ui, self.text, room + 0.5, font, color(palette.text));
        let place: Pos2 = pos2(left, rect.center().y - text.size().y / 2.0);
        let chevron = pos2(place.x + text.size().x + GAP + CHEVRON / 2.0, rect.center().y);
        ui.painter().galley(place, text, color(palette.text));
        let chevron = Rect::from_center_size(chevron, Vec2::splat(CHEVRON));
        Icon::ChevronDown.paint(ui.painter(), chevron, color(palette.text2));
    }
}
