//! Shows a tree and handles its keys.

use egui::accesskit::Action as AccessAction;
use egui::{Event, Id, Key, Role, Sense, Ui, UiBuilder, pos2, vec2};

use super::expansion::ExpansionState;
use super::paint;
use super::tree_row::TreeRow;
use crate::widgets::menu::row_menu;
use crate::widgets::table::{self, Body};
use flowline_scene::Palette;

/// Rows per Page Up or Page Down.
const KEY_PAGE: f64 = 12.0;

/// User action on a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowAction {
    /// A click, or Enter.
    Press,
    /// An entry of its context menu, by number.
    Menu(usize),
}

/// Id and accessible name of a tree.
#[derive(Clone, Copy)]
pub(crate) struct TreeIdentity<'a> {
    /// Id of the widget.
    pub(crate) id: Id,
    /// Accessible name.
    pub(crate) label: &'a str,
}

/// Shows the rows; returns the number of the row the user acted on, and the action.
pub(crate) fn show<T>(
    ui: &mut Ui,
    identity: TreeIdentity<'_>,
    expansion: &mut ExpansionState,
    rows: &[TreeRow<T>],
    palette: &Palette,
) -> Option<(usize, RowAction)> {
    let heights = paint::heights(ui, rows);
    let total: f32 = heights.iter().sum();
    let (area, _) = ui.allocate_exact_size(vec2(ui.available_width(), total), Sense::hover());
    let mut holder = ui.new_child(UiBuilder::new().max_rect(area).id_salt(identity.id));
    let body = Body::new(&mut holder, identity.id, Role::Tree, || identity.label.to_owned());
    let cursor = expansion.cursor.and_then(|cursor| rows.iter().position(|row| row.id == Some(cursor)));
    // With focus from the Tab key, the cursor starts at the top.
    let cursor = cursor.or(body.focused.then_some(0));
    let visible = ui.clip_rect().y_range();
    let (mut top, mut done, mut toggled) = (area.min.y, None, None);
    let mut tops = Vec::with_capacity(rows.len());
    for (number, (row, height)) in rows.iter().zip(&heights).enumerate() {
        tops.push(top);
        let rect = egui::Rect::from_min_size(pos2(area.min.x, top), vec2(area.width(), *height));
        top += height;
        let Some(id) = row.id.filter(|_| rect.y_range().intersects(visible)) else { continue };
        let is_cursor = body.focused && cursor == Some(number);
        let response = paint::row(&body.ui, row, (id, rect, is_cursor), palette);
        if is_cursor {
            body.announce_cursor(id);
        }
        if !row.menu.is_empty() {
            row_menu(&response, identity.id, is_cursor, |ui| {
                for (entry, text) in row.menu.iter().enumerate() {
                    if ui.button(*text).clicked() {
                        done = Some((number, RowAction::Menu(entry)));
                        ui.close();
                    }
                }
            });
        }
        let asks = |action| ui.input(|input| input.has_accesskit_action_request(id, action));
        if row.open.is_some() && (asks(AccessAction::Expand) || asks(AccessAction::Collapse)) {
            toggled = Some(number);
        } else if response.clicked() {
            (done, expansion.cursor) = (Some((number, RowAction::Press)), Some(id));
        }
    }
    let pressed = matches!(done, Some((_, RowAction::Press))) || toggled.is_some();
    if body.focused {
        let here = cursor.unwrap_or(0);
        let keys = keys(&body.ui, rows, here);
        if let Some(to) = keys.to.filter(|to| *to < rows.len()) {
            expansion.cursor = rows[to].id;
            let rect = egui::Rect::from_min_size(pos2(area.min.x, tops[to]), vec2(area.width(), heights[to]));
            ui.scroll_to_rect(rect, None);
            ui.ctx().request_repaint();
        }
        toggled = toggled.or(keys.toggle);
        done = done.or(keys.action);
    }
    body.finish(pressed);
    // A click on a collapsible row expands or collapses it.
    if let Some((number, RowAction::Press)) = done
        && rows[number].open.is_some()
    {
        (done, toggled) = (None, Some(number));
    }
    // A click on a long value unfolds it or folds it up.
    if let Some((number, RowAction::Press)) = done
        && let Some(id) = rows[number].id
        && paint::folds(ui, &rows[number], area.width())
    {
        expansion.set_unfolded(id, rows[number].lines <= 1);
        done = None;
        ui.ctx().request_repaint();
    }
    if let Some(row) = toggled.and_then(|number| rows.get(number))
        && let (Some(id), Some(open)) = (row.id, row.open)
    {
        expansion.set_open(id, !open);
        ui.ctx().request_repaint();
    }
    done
}

/// Effect of this frame's keys.
#[derive(Default)]
struct KeyResult {
    to: Option<usize>,
    toggle: Option<usize>,
    action: Option<(usize, RowAction)>,
}

fn keys<T>(ui: &Ui, rows: &[TreeRow<T>], here: usize) -> KeyResult {
    let mut keys = KeyResult::default();
    let Some(row) = rows.get(here) else { return keys };
    keys.to = table::moved(ui, || Some(here), rows.len(), KEY_PAGE);
    let key = |key| table::key(ui, key) > 0;
    if key(Key::ArrowRight) {
        match row.open {
            Some(false) => keys.toggle = Some(here),
            Some(true) => keys.to = Some(here + 1),
            None => {}
        }
    }
    if key(Key::ArrowLeft) {
        match row.open {
            Some(true) => keys.toggle = Some(here),
            _ => keys.to = (0..here).rev().find(|above| rows[*above].level < row.level),
        }
    }
    if key(Key::Enter) || key(Key::Space) {
        keys.action = Some((here, RowAction::Press));
    }
    match table::copying(ui) {
        Some(table::CopyRequest::Row) if !row.menu.is_empty() => keys.action = Some((here, RowAction::Menu(0))),
        Some(table::CopyRequest::All(_)) if row.menu.len() > 1 => keys.action = Some((here, RowAction::Menu(1))),
        _ => {}
    }
    // The tree has handled the copy: the window must not handle it again.
    if keys.action.is_some() {
        ui.input_mut(|input| input.events.retain(|event| !matches!(event, Event::Copy)));
    }
    keys
}
