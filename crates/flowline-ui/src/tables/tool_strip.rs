//! The one line above a table: its tools at the left, the active filters in their slot, the count and the buttons at the
//! right. Its height never changes, so that a new filter moves nothing under the pointer.

use egui::{Align, Layout, ScrollArea, Ui, UiBuilder, vec2};

use super::active_filters::{self, FilterSet};
use flowline_scene::Palette;
use flowline_session::Session;
use flowline_view::Command;

/// Height in points of the line and of its controls.
const HEIGHT: f32 = 32.0;
const CONTROL_HEIGHT: f32 = 24.0;
/// Width in points that the slot always has; it also takes the space beside the tools.
const SLOT_WIDTH: f32 = 116.0;

/// The slot of the active filters.
pub(crate) struct FilterSlot<'a> {
    session: &'a Session,
    palette: &'a Palette,
    /// `None` for tables that ignore the scope.
    filters: Option<FilterSet>,
    /// The command that clears the clicked filter.
    pub(crate) cleared: Option<Command>,
}

impl<'a> FilterSlot<'a> {
    pub(crate) const fn new(session: &'a Session, filters: Option<FilterSet>, palette: &'a Palette) -> Self {
        Self { session, palette, filters, cleared: None }
    }

    /// Shows the filters in the remaining space of a right-to-left layout.
    fn show(&mut self, ui: &mut Ui) {
        let Some(filters) = self.filters else { return };
        let cleared = active_filters::show(ui, self.session, filters, self.palette);
        self.cleared = cleared.or(self.cleared.take());
    }
}

/// Shows the line: `left` adds the tools, and `right` adds buttons from right to left.
pub(crate) fn show<S, R>(
    ui: &mut Ui,
    slot: &mut FilterSlot<'_>,
    state: &mut S,
    left: impl FnOnce(&mut Ui, &mut S),
    right: impl FnOnce(&mut Ui, &mut S) -> R,
) -> R {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), HEIGHT), egui::Sense::hover());
    let line = rect.shrink2(vec2(4.0, 0.0));
    let mut end =
        ui.new_child(UiBuilder::new().max_rect(line).layout(Layout::right_to_left(Align::Center)).id_salt("end"));
    style(&mut end);
    let result = right(&mut end, state);
    let rest = end.available_rect_before_wrap();
    // A long list of tools scrolls instead of wrapping.
    let split = rest.max.x - if slot.filters.is_some() { SLOT_WIDTH.min(rest.width()) } else { 0.0 };
    let (tools, filters) = (rest.with_max_x(split - 8.0), rest.with_min_x(split));
    let mut child =
        ui.new_child(UiBuilder::new().max_rect(tools).layout(Layout::left_to_right(Align::Center)).id_salt("tools"));
    style(&mut child);
    let used = ScrollArea::horizontal().scroll_bar_visibility(egui::scroll_area::ScrollBarVisibility::AlwaysHidden);
    let used = used.show(&mut child, |ui| {
        ui.set_height(HEIGHT);
        ui.horizontal_centered(|ui| left(ui, state));
        ui.min_rect().max.x
    });
    let begin = used.inner.min(tools.max.x) + 12.0;
    let filters = filters.with_min_x(begin.min(filters.min.x));
    let mut child = ui
        .new_child(UiBuilder::new().max_rect(filters).layout(Layout::left_to_right(Align::Center)).id_salt("filters"));
    style(&mut child);
    slot.show(&mut child);
    result
}

fn style(ui: &mut Ui) {
    let spacing = ui.spacing_mut();
    spacing.item_spacing = vec2(4.0, 0.0);
    spacing.interact_size.y = CONTROL_HEIGHT;
}
