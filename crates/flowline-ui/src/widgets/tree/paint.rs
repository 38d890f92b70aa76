//! Draws the rows of a tree: a triangle, a color bar, the name, the value beside it, and text at the right edge.

use std::borrow::Cow;
use std::sync::Arc;

use egui::accesskit::Action as AccessAction;
use egui::text::{LayoutJob, TextWrapping};
use egui::{Color32, FontId, Galley, Id, Rect, Response, Role, TextStyle, Ui, pos2, vec2};

use super::tree_row::{RowStyle, TreeRow};
use crate::widgets::arrow;
use crate::widgets::style::color;
use crate::widgets::table;
use flowline_scene::Palette;

/// Height of a one-line row in points.
const HEIGHT: f32 = 18.0;
/// Total vertical padding of a row in points.
const VERTICAL_PADDING: f32 = 3.0;
/// Indentation per level and its maximum, in points.
const INDENT: f32 = 12.0;
const MAX_INDENT: f32 = 96.0;
/// Width of the triangle in points.
const TRIANGLE: f32 = 13.0;
/// Points between the parts of a row.
const GAP: f32 = 7.0;
/// Maximum lines of a value.
const LINES: usize = 3;
/// Maximum characters that fit these lines.
const MAX_VISIBLE_CHARS: usize = 400;
/// Values wrap in trees of at most this many rows; in longer trees, all rows are one line high.
const MAX_WRAPPING: usize = 500;
/// Fraction of a row for the name beside a long value.
const NAME_FRACTION: f32 = 0.45;
/// Values of fewer bytes count as short.
const SHORT_BYTES: usize = 40;

/// Positions and text layouts of a row.
struct RowLayout {
    left: f32,
    bar: f32,
    name: Arc<Galley>,
    value: Arc<Galley>,
    tail: Arc<Galley>,
}

fn font(ui: &Ui) -> FontId {
    TextStyle::Body.resolve(ui.style())
}

/// The visible beginning of a text, on one line.
fn visible_text(text: &str) -> Cow<'_, str> {
    let end = text.char_indices().nth(MAX_VISIBLE_CHARS).map_or(text.len(), |(end, _)| end);
    let text = &text[..end];
    if text.contains(['\n', '\r']) { Cow::Owned(text.replace(['\n', '\r'], " ")) } else { Cow::Borrowed(text) }
}

fn lay_out(ui: &Ui, text: &str, width: f32, lines: usize) -> Arc<Galley> {
    let mut job = LayoutJob::simple(visible_text(text).into_owned(), font(ui), Color32::PLACEHOLDER, width.max(0.0));
    job.wrap = TextWrapping { max_width: width.max(0.0), max_rows: lines, break_anywhere: lines == 1, ..job.wrap };
    ui.fonts_mut(|fonts| fonts.layout_job(job))
}

impl RowLayout {
    fn new<T>(ui: &Ui, row: &TreeRow<T>, width: f32, lines: usize) -> Self {
        #[expect(clippy::cast_precision_loss, reason = "a level")]
        let left = (row.level.saturating_sub(1) as f32 * INDENT).min(MAX_INDENT.min(width / 3.0));
        let bar = left + TRIANGLE;
        let text = if row.color.is_some() { bar + 8.0 } else { bar };
        let room = (width - text).max(0.0);
        let tail = lay_out(ui, &row.tail, room * 0.5, 1);
        let room = if row.tail.is_empty() { room } else { (room - tail.size().x - GAP).max(0.0) };
        let is_short = row.value.len() < SHORT_BYTES;
        let name_room = match row.style {
            _ if row.value.is_empty() => room,
            // A short value is shown in full; the name gets the remaining width.
            _ if is_short => (room - lay_out(ui, &row.value, room, 1).size().x - GAP).max(room * NAME_FRACTION),
            RowStyle::Field => room * NAME_FRACTION,
            // Targets are recognized by their names.
            _ => room * 0.75,
        };
        let name = lay_out(ui, &row.name, name_room, 1);
        let value = lay_out(ui, &row.value, room - name.size().x - GAP, lines);
        Self { left, bar, name, value, tail }
    }
}

/// Maximum lines per value in this tree.
fn lines<T>(rows: &[TreeRow<T>]) -> usize {
    if rows.len() <= MAX_WRAPPING { LINES } else { 1 }
}

/// Heights of rows in points.
pub(crate) fn heights<T>(ui: &Ui, rows: &[TreeRow<T>]) -> Vec<f32> {
    let (width, lines) = (ui.available_width(), lines(rows));
    let height = |row: &TreeRow<T>| {
        // Short values fit on one line of any readable panel; collapsed rows are always one line high.
        if lines == 1 || row.value.len() < 8 || row.open == Some(false) {
            return HEIGHT;
        }
        (RowLayout::new(ui, row, width, lines).value.size().y + VERTICAL_PADDING).max(HEIGHT).round()
    };
    rows.iter().map(height).collect()
}

/// Draws a row and announces it to screen readers.
pub(crate) fn row<T>(
    ui: &Ui,
    row: &TreeRow<T>,
    (id, rect, is_cursor): (Id, Rect, bool),
    palette: &Palette,
) -> Response {
    let response = table::row(ui, id, rect, is_cursor, palette);
    table::announce_row(ui, &response, Role::TreeItem, is_cursor, row.place, || sentence(row));
    ui.ctx().accesskit_node_builder(id, |accessible| {
        accessible.set_level(row.level);
        if let Some(open) = row.open {
            accessible.set_expanded(open);
            accessible.add_action(if open { AccessAction::Collapse } else { AccessAction::Expand });
        }
    });
    let is_high = rect.height() > HEIGHT;
    let layout = RowLayout::new(ui, row, rect.width(), if is_high { LINES } else { 1 });
    let middle = rect.min.y + HEIGHT / 2.0;
    if let Some(open) = row.open {
        arrow(ui.painter(), pos2(rect.min.x + layout.left + 5.0, middle), open, color(palette.text2));
    }
    if let Some(fill) = row.color {
        let fill = color(palette.fill(fill));
        let bar = Rect::from_center_size(pos2(rect.min.x + layout.bar + 2.0, middle), vec2(3.0, 11.0));
        ui.painter().rect_filled(bar, 1.5, fill);
    }
    let faint = color(if is_cursor { palette.text } else { palette.text2 });
    let text = color(palette.text);
    let (name_tint, value_tint) = match row.style {
        RowStyle::Field => (faint, text),
        RowStyle::Heading | RowStyle::Target => (text, faint),
        RowStyle::More => (color(palette.accent), faint),
    };
    let name_left = rect.min.x + layout.bar + if row.color.is_some() { 8.0 } else { 0.0 };
    let top = |galley: &Galley| middle - galley.rows.first().map_or(galley.size().y, |row| row.height()) / 2.0;
    let painter = ui.painter();
    painter.galley(pos2(name_left, top(&layout.name)), Arc::clone(&layout.name), name_tint);
    let is_link =
        row.style == RowStyle::Field && (row.value.starts_with("https://") || row.value.starts_with("http://"));
    let value_tint = if is_link { ui.visuals().hyperlink_color } else { value_tint };
    let value_left = name_left + layout.name.size().x + GAP;
    painter.galley(pos2(value_left, top(&layout.value)), Arc::clone(&layout.value), value_tint);
    painter.galley(pos2(rect.max.x - layout.tail.size().x, top(&layout.tail)), Arc::clone(&layout.tail), faint);
    if !row.hover.is_empty() {
        return response.on_hover_text(&row.hover);
    }
    if layout.name.elided || layout.value.elided || row.value.len() > visible_text(&row.value).len() {
        let whole = if row.value.is_empty() { row.name.clone() } else { format!("{}: {}", row.name, row.value) };
        return response.on_hover_text(whole);
    }
    response
}

/// A row as screen readers announce it.
fn sentence<T>(row: &TreeRow<T>) -> String {
    let mut sentence = row.name.clone();
    for part in [&row.value, &row.tail] {
        if !part.is_empty() {
            sentence += if sentence.is_empty() { "" } else { ", " };
            sentence += &visible_text(part);
        }
    }
    match row.open {
        Some(true) => sentence + ", expanded",
        Some(false) => sentence + ", collapsed",
        None => sentence,
    }
}
