//! The one line above a table: its tools at the left, the active filters in their slot, the count and the buttons at the
//! right. Its height never changes, so that a new filter moves nothing under the pointer. Tools that do not fit are in a
//! menu behind the others. Their widths are those of the last frame in which they were in the line.

use std::collections::BTreeMap;

use egui::{Align, Id, Label, Layout, RichText, Ui, UiBuilder, vec2};

use super::active_filters::{self, FilterSet};
use crate::widgets::Dropdown;
use flowline_scene::Palette;
use flowline_session::Session;
use flowline_view::Command;

/// Height in points of the line and of its controls.
const HEIGHT: f32 = 32.0;
const CONTROL_HEIGHT: f32 = 24.0;
/// Width in points that the slot always has; it also takes the space beside the tools.
const SLOT_WIDTH: f32 = 116.0;
/// Points between two tools.
const GAP: f32 = 4.0;
/// Width in points below which a text goes into the menu.
const LEAST_TEXT: f32 = 72.0;

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

/// The tools of a table, the most important first.
pub(crate) struct Tools<'t, S> {
    /// Name of the table, which distinguishes its tools from those of other tables.
    table: &'static str,
    list: Vec<Tool<'t, S>>,
}

/// Shows a tool, and changes the state of its table.
type Show<'t, S> = Box<dyn FnOnce(&mut Ui, &mut S) + 't>;

/// A tool of a table.
struct Tool<'t, S> {
    name: &'static str,
    /// True for a text that is elided when there is little space.
    is_elastic: bool,
    show: Show<'t, S>,
}

impl<'t, S> Tools<'t, S> {
    pub(crate) const fn new(table: &'static str) -> Self {
        Self { table, list: Vec::new() }
    }

    /// Adds a tool. Tools that do not fit are in a menu.
    pub(crate) fn add(&mut self, name: &'static str, show: impl FnOnce(&mut Ui, &mut S) + 't) {
        self.list.push(Tool { name, is_elastic: false, show: Box::new(show) });
    }

    /// Adds a text, which is elided when there is little space.
    pub(crate) fn add_text(&mut self, name: &'static str, text: impl Into<RichText>) {
        let label = Label::new(text.into()).truncate();
        let show = move |ui: &mut Ui, _: &mut S| _ = ui.add(label);
        self.list.push(Tool { name, is_elastic: true, show: Box::new(show) });
    }
}

/// Widths in points of the tools of a table when they were last in the line.
type ToolWidths = BTreeMap<&'static str, f32>;

/// The number of tools that fit into `room` points. If not all do, a menu of `more` points takes the others.
fn fitting(widths: &[f32], room: f32, more: f32) -> usize {
    // Rounding must not move a tool into the menu.
    let ends: Vec<f32> = widths
        .iter()
        .scan(0.0, |end, width| {
            let here = *end + width;
            *end = if *width > 0.0 { here + GAP } else { here };
            Some(here - 0.5)
        })
        .collect();
    if ends.last().is_none_or(|end| *end <= room) {
        return widths.len();
    }
    ends.iter().take_while(|end| **end + GAP + more <= room).count()
}

/// Shows the tools in a line, and a menu of those that do not fit. Returns the right end of the last tool.
fn show_tools<S>(ui: &mut Ui, tools: Tools<'_, S>, state: &mut S, palette: &Palette) -> f32 {
    let id = ui.scope_id().with(("tools", tools.table));
    let before: ToolWidths = ui.data(|data| data.get_temp(id)).unwrap_or_default();
    let width = |tool: &Tool<'_, S>| {
        let known = before.get(tool.name).copied().unwrap_or(0.0);
        if tool.is_elastic { known.min(LEAST_TEXT) } else { known }
    };
    let widths: Vec<f32> = tools.list.iter().map(width).collect();
    let more = Dropdown::menu("More").named("More tools").hint("Tools that do not fit").staying();
    let shown = fitting(&widths, ui.available_width(), more.width(ui));
    let mut now = before.clone();
    let mut list = tools.list.into_iter();
    for tool in list.by_ref().take(shown) {
        let (name, width) = in_scope(ui, id, tool, state);
        // A tool that is absent while its table is being computed comes back.
        if width > 0.0 {
            now.insert(name, width);
        }
    }
    let rest: Vec<Tool<'_, S>> = list.collect();
    if !rest.is_empty() {
        let (place, _) = ui.allocate_exact_size(vec2(more.width(ui), CONTROL_HEIGHT), egui::Sense::hover());
        // Its id does not depend on the tools before it, so that the menu stays open when their number changes.
        more.show_at(ui, place, palette, |ui| rest.into_iter().for_each(|tool| _ = in_scope(ui, id, tool, state)));
    }
    if now != before {
        ui.data_mut(|data| data.insert_temp(id, now));
        // A tool that became wider may not fit anymore.
        ui.ctx().request_repaint();
    }
    ui.min_rect().max.x
}

/// Shows a tool whose widgets have the same ids in the line and in the menu. Returns its name and its width. A tool without
/// widgets takes no room.
fn in_scope<S>(ui: &mut Ui, id: Id, tool: Tool<'_, S>, state: &mut S) -> (&'static str, f32) {
    let place = UiBuilder::new().scope_id(id.with(tool.name)).max_rect(ui.available_rect_before_wrap());
    let mut child = ui.new_child(place.layout(*ui.layout()));
    (tool.show)(&mut child, state);
    let rect = child.min_rect();
    if rect.width() > 0.0 {
        ui.advance_cursor_after_rect(rect);
    }
    (tool.name, rect.width())
}

/// Shows the line: `tools` at the left, and the buttons that `right` adds from right to left.
pub(crate) fn show<S, R>(
    ui: &mut Ui,
    slot: &mut FilterSlot<'_>,
    state: &mut S,
    tools: Tools<'_, S>,
    right: impl FnOnce(&mut Ui, &mut S) -> R,
) -> R {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), HEIGHT), egui::Sense::hover());
    let line = rect.shrink2(vec2(4.0, 0.0));
    let mut end =
        ui.new_child(UiBuilder::new().max_rect(line).layout(Layout::right_to_left(Align::Center)).id_salt("end"));
    style(&mut end);
    let result = right(&mut end, state);
    let rest = end.available_rect_before_wrap();
    let split = rest.max.x - if slot.filters.is_some() { SLOT_WIDTH.min(rest.width()) } else { 0.0 };
    let (place, filters) = (rest.with_max_x((split - 8.0).max(rest.min.x)), rest.with_min_x(split));
    let mut child =
        ui.new_child(UiBuilder::new().max_rect(place).layout(Layout::left_to_right(Align::Center)).id_salt("tools"));
    child.shrink_clip_rect(place);
    style(&mut child);
    let used = show_tools(&mut child, tools, state, slot.palette);
    let begin = used.min(place.max.x) + 12.0;
    let filters = filters.with_min_x(begin.min(filters.min.x));
    let mut child = ui
        .new_child(UiBuilder::new().max_rect(filters).layout(Layout::left_to_right(Align::Center)).id_salt("filters"));
    style(&mut child);
    slot.show(&mut child);
    result
}

fn style(ui: &mut Ui) {
    let spacing = ui.spacing_mut();
    spacing.item_spacing = vec2(GAP, 0.0);
    spacing.interact_size.y = CONTROL_HEIGHT;
}

#[cfg(test)]
mod tests {
    use super::fitting;

    #[test]
    fn tools_that_do_not_fit_are_in_the_menu_from_the_first_one_on() {
        let widths = [100.0, 50.0, 80.0];
        assert_eq!(fitting(&widths, 238.0, 60.0), 3, "all fit exactly");
        assert_eq!(fitting(&widths, 237.0, 60.0), 2, "the menu takes the place of the last one");
        assert_eq!(fitting(&widths, 218.0, 60.0), 2);
        assert_eq!(fitting(&widths, 217.0, 60.0), 1);
        assert_eq!(fitting(&widths, 20.0, 60.0), 0, "nothing but the menu");
        assert_eq!(fitting(&[], 0.0, 60.0), 0);
        assert_eq!(fitting(&[0.0, 0.0], 10.0, 60.0), 2, "tools that were never shown");
    }
}
