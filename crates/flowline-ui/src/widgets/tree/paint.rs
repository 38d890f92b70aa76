//! Draws the rows of a tree: a chevron, the square of a kind, the name, the value in its column, and text at the right
//! edge. Values take one line until they are unfolded.

use std::borrow::Cow;
use std::sync::Arc;

use egui::accesskit::Action as AccessAction;
use egui::text::{LayoutJob, TextWrapping};
use egui::{Color32, FontId, Galley, Id, Rect, Response, Role, Stroke, StrokeKind, Ui, pos2, vec2};

use super::tree_row::{RowStyle, TreeRow};
use crate::widgets::elide_name;
use crate::widgets::icon::Icon;
use crate::widgets::style::{SMALL, color};
use crate::widgets::table;
use flowline_scene::Palette;

/// Height of a one-line row in points.
const HEIGHT: f32 = 20.0;
/// Total vertical padding of a row with several lines in points.
const VERTICAL_PADDING: f32 = 6.0;
/// Left edge of names and of values, and space at the right edge, in points.
const NAMES: f32 = 24.0;
const VALUES: f32 = 116.0;
const RIGHT: f32 = 12.0;
/// Indentation per level and its maximum, in points.
const INDENT: f32 = 12.0;
const MAX_INDENT: f32 = 96.0;
/// Side of the square of a kind, and the space that it takes, in points.
const SQUARE: f32 = 8.0;
const SQUARE_SPACE: f32 = 14.0;
/// Minimum width of the column of texts at the right edge, beside values, in points.
const TAILS: f32 = 64.0;
/// Points between the parts of a row.
const GAP: f32 = 8.0;
/// Maximum characters of a line, and of an unfolded value, because layout is linear in them.
const MAX_LINE_CHARS: usize = 400;
const MAX_CHARS: usize = 20_000;

/// Positions and text layouts of a row.
struct RowLayout {
    /// Left edges of the name and of the value.
    name_at: f32,
    value_at: f32,
    name: Arc<Galley>,
    value: Arc<Galley>,
    tail: Arc<Galley>,
}

/// The visible beginning of a text.
fn visible_text(text: &str, lines: usize) -> Cow<'_, str> {
    let most = if lines > 1 { MAX_CHARS } else { MAX_LINE_CHARS };
    let end = text.char_indices().nth(most).map_or(text.len(), |(end, _)| end);
    let text = &text[..end];
    let is_wrapped = lines <= 1 && text.contains(['\n', '\r']);
    if is_wrapped { Cow::Owned(text.replace(['\n', '\r'], " ")) } else { Cow::Borrowed(text) }
}

fn lay_out(ui: &Ui, text: &str, width: f32, lines: usize) -> Arc<Galley> {
    let text = visible_text(text, lines).into_owned();
    let mut job = LayoutJob::simple(text, FontId::proportional(SMALL), Color32::PLACEHOLDER, width.max(0.0));
    job.wrap = TextWrapping { max_width: width.max(0.0), max_rows: lines, break_anywhere: true, ..job.wrap };
    ui.fonts_mut(|fonts| fonts.layout_job(job))
}

impl RowLayout {
    fn new<T>(ui: &Ui, row: &TreeRow<T>, width: f32) -> Self {
        #[expect(clippy::cast_precision_loss, reason = "a level")]
        let indent = (row.level.saturating_sub(1) as f32 * INDENT).min(MAX_INDENT.min(width / 3.0));
        let name_at = NAMES + indent + if row.color.is_some() { SQUARE_SPACE } else { 0.0 };
        let right = width - RIGHT;
        let room = (right - name_at).max(0.0);
        let tail = lay_out(ui, &row.tail, room * 0.6, 1);
        // Durations in rows below each other form a column.
        let column = if row.value.is_empty() { 0.0 } else { TAILS };
        let end = if row.tail.is_empty() { right } else { right - tail.size().x.max(column) - GAP };
        if row.style == RowStyle::Field {
            let value_at = (VALUES + indent).min(width * 0.6);
            let is_alone = row.value.is_empty() && row.tail.is_empty();
            let name_end = if is_alone { right } else { value_at - GAP };
            let name = lay_out(ui, &row.name, name_end - name_at, 1);
            let value = lay_out(ui, &row.value, end - value_at, row.lines.max(1));
            return Self { name_at, value_at, name, value, tail };
        }
        let value = lay_out(ui, &row.value, room * 0.5, 1);
        let value_at = end - value.size().x;
        let name_end = if row.value.is_empty() { end } else { value_at - GAP };
        let font = FontId::proportional(SMALL);
        let name = elide_name(ui, &row.name, name_end - name_at, font, Color32::PLACEHOLDER);
        Self { name_at, value_at, name, value, tail }
    }
}

/// Heights of rows in points.
pub(crate) fn heights<T>(ui: &Ui, rows: &[TreeRow<T>]) -> Vec<f32> {
    let width = ui.available_width();
    let height = |row: &TreeRow<T>| {
        if row.lines <= 1 {
            return HEIGHT;
        }
        (RowLayout::new(ui, row, width).value.size().y + VERTICAL_PADDING).max(HEIGHT).round()
    };
    rows.iter().map(height).collect()
}

/// True if a click unfolds the value of a row.
pub(crate) fn folds<T>(ui: &Ui, row: &TreeRow<T>, width: f32) -> bool {
    row.style == RowStyle::Field
        && row.open.is_none()
        && (row.lines > 1 || row.value.contains('\n') || RowLayout::new(ui, row, width).value.elided)
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
    let layout = RowLayout::new(ui, row, rect.width());
    draw(ui, row, (&layout, rect, is_cursor), palette);
    if !row.hover.is_empty() {
        return response.on_hover_text(&row.hover);
    }
    if layout.name.elided || (layout.value.elided && row.lines <= 1) {
        let whole = if row.value.is_empty() { row.name.clone() } else { format!("{}: {}", row.name, row.value) };
        return response.on_hover_text(whole);
    }
    response
}

fn draw<T>(ui: &Ui, row: &TreeRow<T>, (layout, rect, is_cursor): (&RowLayout, Rect, bool), palette: &Palette) {
    let middle = rect.min.y + HEIGHT / 2.0;
    let left = rect.min.x + layout.name_at;
    let square_space = if row.color.is_some() { SQUARE_SPACE } else { 0.0 };
    let (text, faint) = if is_cursor { (palette.text, palette.text) } else { (palette.text, palette.text2) };
    if let Some(open) = row.open {
        let icon = if open { Icon::ChevronDown } else { Icon::ChevronRight };
        let center = pos2(left - square_space - 10.0, middle);
        icon.paint(ui.painter(), Rect::from_center_size(center, vec2(16.0, 16.0)), color(faint));
    }
    if let Some(entry) = row.color {
        let square = Rect::from_min_size(pos2(left - square_space, middle - SQUARE / 2.0), vec2(SQUARE, SQUARE));
        ui.painter().rect_filled(square, 2.0, color(palette.fill(entry)));
        ui.painter().rect_stroke(square, 2.0, Stroke::new(1.0, color(palette.edge(entry))), StrokeKind::Inside);
    }
    let (name_tint, value_tint) = match row.style {
        RowStyle::Field if row.value.starts_with("https://") || row.value.starts_with("http://") => {
            (faint, palette.link)
        }
        RowStyle::Field => (faint, text),
        RowStyle::Heading | RowStyle::Target => (text, faint),
        RowStyle::More => (palette.link, faint),
    };
    let tail_tint = match row.style {
        _ if row.links => palette.link,
        RowStyle::Target => text,
        _ => faint,
    };
    let top = |galley: &Galley| middle - galley.rows.first().map_or(galley.size().y, |row| row.height()) / 2.0;
    let put = |galley: &Arc<Galley>, x: f32, tint| {
        ui.painter().galley(pos2(x, top(galley)), Arc::clone(galley), color(tint));
    };
    put(&layout.name, left, name_tint);
    put(&layout.value, rect.min.x + layout.value_at, value_tint);
    put(&layout.tail, rect.max.x - RIGHT - layout.tail.size().x, tail_tint);
}

/// A row as screen readers announce it.
fn sentence<T>(row: &TreeRow<T>) -> String {
    let mut sentence = row.name.clone();
    for part in [&row.value, &row.tail] {
        if !part.is_empty() {
            sentence += if sentence.is_empty() { "" } else { ", " };
            sentence += &visible_text(part, 1);
        }
    }
    match row.open {
        Some(true) => sentence + ", expanded",
        Some(false) => sentence + ", collapsed",
        None => sentence,
    }
}
