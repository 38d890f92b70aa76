//! Common parts of the tables: columns, sortable headings, rows, keys, and accessibility.
//! A table is one focusable widget. The cursor's row is its active descendant, so screen readers announce the row. Rows
//! are not in the Tab order.

mod columns;
mod export;
mod heading;
mod menus;
mod scroll;
mod text;
mod widths;

use egui::{
    Event, EventFilter, Id, Key, Layout, PointerButton, Popup, Rangef, Rect, Response, RichText, Role, Sense, Ui,
};
use egui::{ScrollArea, UiBuilder, WidgetInfo, pos2, vec2};

pub(crate) use columns::{ColumnKind, NamedColumn, TableColumn, least_width, spans, width_of_whole_columns};
pub(crate) use export::{export_button, exported};
pub(crate) use menus::{CopyRequest, column_menu, copy_menu};
pub(crate) use scroll::{ROW_HEIGHT, Scroll, focus_shown_table, record_opening};
pub(crate) use text::{Cell, Format, LIMIT, in_units, line, write};
pub use widths::Widths;

use crate::commands::{SelectionAction, UiCommand, ViewAction, WindowAction};
use crate::widgets::icon::focus_ring;
use crate::widgets::palette_of;
use crate::widgets::style::color;
use flowline_scene::{Palette, Rgba};

/// Height of the headings in points.
const HEADER_HEIGHT: f32 = 22.0;

/// Shows the headings; returns the number of the clicked one. `sorted` is the sorted column's number and whether it is
/// descending. Dragging the edges of headings changes the widths.
pub(crate) fn resizable_header(
    ui: &mut Ui,
    columns: &[NamedColumn<'_>],
    sorted: (usize, bool),
    widths: &mut Widths,
) -> Option<usize> {
    let (pressed, rect) = sortable(ui, columns, sorted);
    widths::edges(ui, rect, columns, &spans(columns, without_bar(rect)), widths);
    pressed
}

/// Shows sortable headings; returns the number of the clicked one and the rectangle of all.
fn sortable(ui: &mut Ui, columns: &[NamedColumn<'_>], sorted: (usize, bool)) -> (Option<usize>, Rect) {
    let mut pressed = None;
    let rect = headings(ui, columns, |ui, number, title| {
        if columns[number].kind == ColumnKind::Picture {
            plain_heading(ui, title);
            return;
        }
        let order = (sorted.0 == number).then_some(sorted.1);
        let column = &columns[number];
        if heading::show(ui, (title, column.title), column.kind, order).clicked() {
            pressed = Some(number);
        }
    });
    (pressed, rect)
}

/// Horizontal range of the rows below the headings, without the scroll bar.
fn without_bar(headings: Rect) -> Rangef {
    Rangef::new(headings.min.x, headings.max.x - crate::widgets::virtual_list::BAR)
}

/// Shows the headings of a tree, whose order is fixed; dragging the edges of headings changes the widths.
pub(crate) fn resizable_plain_header(ui: &mut Ui, columns: &[NamedColumn<'_>], widths: &mut Widths) {
    let rect = plain_headings(ui, columns);
    widths::edges(ui, rect, columns, &spans(columns, without_bar(rect)), widths);
}

fn plain_headings(ui: &mut Ui, columns: &[NamedColumn<'_>]) -> Rect {
    headings(ui, columns, |ui, _, title| plain_heading(ui, title))
}

/// A heading that does not sort.
fn plain_heading(ui: &mut Ui, title: &str) {
    ui.label(RichText::new(title).small().weak());
}

/// Lays out the headings; `show` gets the number and the title of each. Returns the rectangle of all.
fn headings(ui: &mut Ui, columns: &[NamedColumn<'_>], mut show: impl FnMut(&mut Ui, usize, &str)) -> Rect {
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), HEADER_HEIGHT), Sense::hover());
    for (number, (column, span)) in columns.iter().zip(spans(columns, without_bar(rect))).enumerate() {
        let align = egui::Align::Center;
        let layout = match column.kind {
            ColumnKind::Text | ColumnKind::Picture => Layout::left_to_right(align),
            _ => Layout::right_to_left(align),
        };
        let cell = Rect::from_x_y_ranges(span, rect.y_range());
        let mut child = ui.new_child(UiBuilder::new().max_rect(cell).layout(layout).id_salt(("heading", number)));
        child.shrink_clip_rect(rect);
        show(&mut child, number, &column.heading());
    }
    rect
}

/// Sort order after a click on a heading. The sorted column is reversed; `descending` is the initial order of others.
pub(crate) fn pressed<C: PartialEq>(sorted: (C, bool), column: C, descending: bool) -> (C, bool) {
    let (by, before) = sorted;
    if by == column { (column, !before) } else { (column, descending) }
}

/// Draws a cell's text; text that does not fit ends in an ellipsis.
pub(crate) fn cell(ui: &Ui, row: Rect, span: Rangef, kind: ColumnKind, text: &str, tint: Rgba) {
    let font = egui::TextStyle::Body.resolve(ui.style());
    // A zero is a hint rather than a value.
    let is_zero =
        kind != ColumnKind::Text && text.starts_with('0') && text.bytes().all(|byte| matches!(byte, b'0' | b'.'));
    let tint = if is_zero { ui.visuals().weak_text_color() } else { color(tint) };
    let galley = crate::widgets::elide(ui, text, span.span(), font, tint);
    let width = galley.size().x;
    let left = match kind {
        ColumnKind::Text | ColumnKind::Picture => span.min,
        _ => span.max - width,
    };
    let top = row.center().y - galley.size().y / 2.0;
    if kind == ColumnKind::Shares {
        share_bar(ui, row, span, text);
    }
    ui.painter().galley(pos2(left.max(span.min), top), galley, tint);
}

/// Height of the bar of a share in points.
const SHARE_HEIGHT: f32 = 6.0;

/// Draws the bar of a percentage at the left of its cell. More than 100% fills it.
fn share_bar(ui: &Ui, row: Rect, span: Rangef, text: &str) {
    let number = text.trim_start_matches('<').trim_end_matches('%').replace(',', "");
    let Ok(percent) = number.parse::<f32>() else { return };
    let room = columns::SHARE_BAR.min(span.span());
    let bar = Rect::from_min_size(pos2(span.min, row.center().y - SHARE_HEIGHT / 2.0), vec2(room, SHARE_HEIGHT));
    let palette = palette_of(ui.ctx());
    ui.painter().rect_filled(bar, 2.0, color(palette.line));
    let width = room * (percent / 100.0).clamp(0.0, 1.0);
    ui.painter().rect_filled(bar.with_max_x(bar.min.x + width), 2.0, color(palette.accent));
}

/// Adds a tooltip with the full text of a cell if the cell is elided.
pub(crate) fn explain_cell(ui: &Ui, response: Response, span: Rangef, text: &str) -> Response {
    if !response.hover_pos().is_some_and(|pointer| span.contains(pointer.x)) {
        return response;
    }
    let font = egui::TextStyle::Body.resolve(ui.style());
    let is_short = crate::widgets::elide(ui, text, span.span(), font, egui::Color32::PLACEHOLDER).elided;
    if is_short { response.on_hover_text_at_pointer(text) } else { response }
}

/// Draws a row's background and returns its response; `cursor` is true if the cursor is on the row.
pub(crate) fn row(ui: &Ui, id: Id, rect: Rect, cursor: bool, palette: &Palette) -> Response {
    let response = ui.interact(rect, id, Sense::CLICK);
    if cursor {
        ui.painter().rect_filled(rect.shrink2(vec2(4.0, 0.0)), 4.0, color(palette.accent_fill));
    } else if response.hovered() {
        ui.painter().rect_filled(rect.shrink2(vec2(4.0, 0.0)), 4.0, color(palette.raised));
    }
    response
}

/// Announces a row to screen readers: its text, its selected state, its number and the number of rows.
pub(crate) fn announce_row(
    ui: &Ui,
    response: &Response,
    role: Role,
    cursor: bool,
    (number, count): (usize, usize),
    text: impl Fn() -> String,
) {
    response.widget_info(|| WidgetInfo::labeled(role, true, text()));
    ui.ctx().accesskit_node_builder(response.id, |node| {
        node.set_selected(cursor);
        node.set_position_in_set(number);
        node.set_size_of_set(count);
    });
}

/// Color of a cell's text; on the cursor's row, no text is faint.
pub(crate) const fn tint(palette: &Palette, faint: bool, cursor: bool) -> Rgba {
    match (cursor, faint) {
        (true, _) => palette.on_accent,
        (false, true) => palette.text2,
        (false, false) => palette.text,
    }
}

/// The focusable widget of a table or tree.
pub(crate) struct Body {
    /// Parent of the rows.
    pub(crate) ui: Ui,
    /// True if it has the keyboard focus and no menu is open.
    pub(crate) focused: bool,
    response: Response,
}

impl Body {
    /// Takes the remaining space. `text` is its accessible name.
    pub(crate) fn new(ui: &mut Ui, id: Id, role: Role, text: impl Fn() -> String) -> Self {
        let area = ui.available_rect_before_wrap();
        // While a menu is open, the menu receives the keys.
        let focused = ui.memory(|memory| memory.has_focus(id)) && !Popup::is_any_open(ui.ctx());
        let response = ui.interact(area, id, Sense::click());
        response.widget_info(|| WidgetInfo::labeled(role, true, text()));
        if focused {
            let filter = EventFilter { tab: false, horizontal_arrows: true, vertical_arrows: true, escape: true };
            ui.memory_mut(|memory| memory.set_focus_lock_filter(id, filter));
        }
        let ui = ui.new_child(UiBuilder::new().max_rect(area).accessibility_parent(id).id_salt("rows"));
        Self { ui, focused, response }
    }

    /// Announces the cursor's row to screen readers.
    pub(crate) fn announce_cursor(&self, row: Id) {
        self.ui.ctx().accesskit_node_builder(self.response.id, |node| node.set_active_descendant(row.accesskit_id()));
    }

    /// Call after the rows. Requests focus after a click on the table, and surrenders it on Escape.
    pub(crate) fn finish(self, pressed: bool) {
        if self.focused {
            // The ring is inside, because the table fills the panel.
            focus_ring(&self.ui, self.response.rect.shrink(2.0));
        }
        // `clicked` would include Enter, which may move the focus elsewhere.
        if self.response.clicked_by(PointerButton::Primary) || pressed {
            self.response.request_focus();
            self.ui.ctx().request_repaint();
        }
        if self.focused
            && table_handles(&self.ui, UiCommand::Window(WindowAction::Escape))
            && key(&self.ui, Key::Escape) > 0
        {
            self.response.surrender_focus();
        }
    }
}

/// True if a focused table handles an action itself.
pub(crate) fn table_handles(ui: &Ui, command: UiCommand) -> bool {
    // Escape closes an open window first.
    let is_window = |layer: &egui::LayerId| layer.order == egui::Order::Middle;
    let below_window = || ui.memory(|memory| memory.areas().visible_layer_ids().iter().any(is_window));
    match command {
        UiCommand::Selection(SelectionAction::RowNeighbor(_) | SelectionAction::Copy)
        | UiCommand::View(ViewAction::Page(_) | ViewAction::Edge(_))
        // In a table, this key copies all rows.
        | UiCommand::Window(WindowAction::CopyLink) => true,
        UiCommand::Window(WindowAction::Escape) => !below_window(),
        UiCommand::Window(_)
        | UiCommand::View(_)
        | UiCommand::Selection(_)
        | UiCommand::Flow(_)
        | UiCommand::Note(_) => false,
    }
}

/// Number of presses of a key without modifiers; consumes them.
pub(crate) fn key(ui: &Ui, wanted: Key) -> usize {
    keys(ui, |key, modifiers| key == wanted && modifiers.is_none())
}

/// True if a key was pressed that goes to the filter of the focused table.
pub(crate) fn finds(ui: &Ui) -> bool {
    text_key(ui, "/") > 0 || ui.input(|input| input.modifiers.command && input.key_pressed(Key::F))
}

/// Number of times a character was typed; consumes the events.
pub(crate) fn text_key(ui: &Ui, wanted: &str) -> usize {
    ui.input_mut(|input| {
        let before = input.events.len();
        input.events.retain(|event| !matches!(event, Event::Text(text) if text == wanted));
        before - input.events.len()
    })
}

fn keys(ui: &Ui, wanted: impl Fn(Key, egui::Modifiers) -> bool) -> usize {
    ui.input_mut(|input| {
        let before = input.events.len();
        input.events.retain(|event| match event {
            Event::Key { key, pressed: true, modifiers, .. } => !wanted(*key, *modifiers),
            _ => true,
        });
        before - input.events.len()
    })
}

/// Target row of this frame's arrow, Page Up, Page Down, Home and End keys; `None` without such keys or rows.
pub(crate) fn moved(ui: &Ui, here: impl FnOnce() -> Option<usize>, rows: usize, fits: f64) -> Option<usize> {
    #[expect(clippy::cast_possible_truncation, reason = "rows on screen")]
    let page = (fits as isize - 1).max(1);
    let steps = [(Key::ArrowDown, 1), (Key::ArrowUp, -1), (Key::PageDown, page), (Key::PageUp, -page)];
    let step: isize = steps.map(|(name, by)| by * isize::try_from(key(ui, name)).unwrap_or(0)).iter().sum();
    let (home, end) = (key(ui, Key::Home) > 0, key(ui, Key::End) > 0);
    let last = rows.checked_sub(1)?;
    if home {
        return Some(0);
    }
    if end {
        return Some(last);
    }
    (step != 0).then(|| here().map_or(0, |here| here.saturating_add_signed(step).min(last)))
}

/// Copy request from this frame's keys.
pub(crate) fn copying(ui: &Ui) -> Option<CopyRequest> {
    if keys(ui, |key, modifiers| key == Key::C && modifiers.command && modifiers.shift) > 0 {
        return Some(CopyRequest::All(Format::Tsv));
    }
    ui.input(|input| input.events.iter().any(|event| matches!(event, Event::Copy))).then_some(CopyRequest::Row)
}

/// Shows a table at the width its columns need; in less space, it scrolls horizontally.
pub(crate) fn wide<R>(ui: &mut Ui, columns: &[NamedColumn<'_>], table: impl FnOnce(&mut Ui) -> R) -> R {
    let needed = columns::least_width(columns) + crate::widgets::virtual_list::BAR;
    ui.scope(|ui| {
        // Reserve space for the bar, so that it covers no row.
        ui.spacing_mut().scroll.floating_allocated_width = ui.spacing().scroll.bar_width;
        let area = ScrollArea::horizontal().auto_shrink(false).show(ui, |ui| {
            ui.set_min_width(needed.max(ui.available_width()));
            table(ui)
        });
        area.inner
    })
    .inner
}

pub(crate) use crate::widgets::counted;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_click_on_a_heading_reverses_the_order() {
        assert_eq!(pressed(("a", false), "a", true), ("a", true));
        assert_eq!(pressed(("a", true), "a", true), ("a", false));
        assert_eq!(pressed(("a", true), "b", false), ("b", false));
        assert_eq!(pressed(("a", false), "b", true), ("b", true));
    }
}
