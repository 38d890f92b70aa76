//! A tree inside a panel, for values, stacks and slices: collapsible rows, long lists in pages, keys, and
//! accessibility. The tree is one focusable widget, and the cursor's row is its active descendant. The caller builds
//! the visible rows from top to bottom. The expansion state is stored by row id. Ids derive from names, so the state
//! carries over to the next marker.

mod paint;

use std::collections::HashMap;

use egui::accesskit::Action as AccessAction;
use egui::{Event, Id, Key, Role, Sense, Ui, UiBuilder, pos2, vec2};

use crate::widgets::menu::row_menu;
use crate::widgets::table::{self, Body};
use flowline_scene::Palette;

/// Number of children of a node shown at first, and of further ones per "Show more".
pub(crate) const PAGE: usize = 100;
/// Maximum number of nodes with a stored expansion state; beyond it, all are reset.
const MAX_REMEMBERED: usize = 10_000;
/// Rows per Page Up or Page Down.
const KEY_PAGE: f64 = 12.0;

/// Style of a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum RowStyle {
    /// A name and its value.
    #[default]
    Field,
    /// The heading of the rows below.
    Heading,
    /// A target to select.
    Target,
    /// "Show more".
    More,
}

/// A visible row.
#[derive(Clone, Debug, Default)]
pub(crate) struct TreeRow<T> {
    /// Stable between frames; `None` for plain text.
    pub(crate) id: Option<Id>,
    /// 1 for the outermost.
    pub(crate) level: usize,
    /// Number among its siblings, and the number of siblings.
    pub(crate) place: (usize, usize),
    /// True if it is expanded; `None` without children.
    pub(crate) open: Option<bool>,
    /// Text on the left.
    pub(crate) name: String,
    /// Text beside the name; wraps.
    pub(crate) value: String,
    /// Text at the right edge.
    pub(crate) tail: String,
    pub(crate) style: RowStyle,
    /// Tooltip, if it adds to the row's text; else empty.
    pub(crate) hover: String,
    /// Palette entry of the bar before the name.
    pub(crate) color: Option<u8>,
    /// Entries of its context menu; Ctrl+C selects the first, Ctrl+Shift+C the second.
    pub(crate) menu: &'static [&'static str],
    /// The represented item.
    pub(crate) target: T,
}

/// User action on a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowAction {
    /// A click, or Enter.
    Press,
    /// An entry of its context menu, by number.
    Menu(usize),
}

/// Expanded nodes, the number of children they show, and the cursor.
#[derive(Clone, Debug, Default)]
pub(crate) struct ExpansionState {
    open: HashMap<Id, bool>,
    pages: HashMap<Id, usize>,
    cursor: Option<Id>,
    revision: u64,
}

impl ExpansionState {
    /// Changes whenever the rows must be rebuilt.
    pub(crate) const fn revision(&self) -> u64 {
        self.revision
    }

    /// True if a node is expanded; `default` applies to nodes that the user has not expanded or collapsed.
    pub(crate) fn is_open(&self, id: Id, default: bool) -> bool {
        self.open.get(&id).copied().unwrap_or(default)
    }

    fn set_open(&mut self, id: Id, open: bool) {
        if self.open.len() >= MAX_REMEMBERED {
            self.open.clear();
        }
        self.open.insert(id, open);
        self.revision += 1;
    }

    /// Number of children of a node that are shown.
    pub(crate) fn shown(&self, id: Id) -> usize {
        self.pages.get(&id).copied().unwrap_or(1).saturating_mul(PAGE)
    }

    /// Shows one more page of a node's children.
    pub(crate) fn show_more(&mut self, id: Id) {
        *self.pages.entry(id).or_insert(1) += 1;
        self.revision += 1;
    }

    /// Resets all nodes to the first page, because other content is shown.
    pub(crate) fn reset_pages(&mut self) {
        self.pages.clear();
        self.revision += 1;
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expansion_is_remembered_by_id() {
        let mut expansion = ExpansionState::default();
        let (one, other) = (Id::unique("one"), Id::unique("other"));
        assert!(expansion.is_open(one, true) && !expansion.is_open(one, false));
        expansion.set_open(one, false);
        assert!(!expansion.is_open(one, true) && expansion.is_open(other, true));
        assert_eq!(expansion.shown(one), PAGE);
        expansion.show_more(one);
        assert_eq!((expansion.shown(one), expansion.shown(other)), (2 * PAGE, PAGE));
        expansion.reset_pages();
        assert_eq!((expansion.shown(one), expansion.is_open(one, true)), (PAGE, false));
    }

    #[test]
    fn memory_is_bounded() {
        let mut expansion = ExpansionState::default();
        (0..3 * MAX_REMEMBERED).for_each(|at| expansion.set_open(Id::unique(at), true));
        assert!(expansion.open.len() <= MAX_REMEMBERED);
    }
}
