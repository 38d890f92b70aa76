//! A short table without scrolling or sorting: a heading, and rows with a square of their color.

use egui::{Align2, CornerRadius, FontId, Id, Rect, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use crate::widgets::elide;
use crate::widgets::style::{SMALL, color};
use flowline_scene::{Palette, Rgba};

/// Height of the heading in points.
const HEADING: f32 = 22.0;
/// Height of a row in points.
const ROW: f32 = 20.0;
/// Side of the square in points, and the distance of the name from it.
const SQUARE: f32 = 9.0;
const NAME: f32 = 14.0;
/// Distance between columns in points.
const GAP: f32 = 12.0;

/// A row: fill and edge of its square, its name, and its numbers.
pub(super) struct SheetRow {
    pub(super) colors: Option<(Rgba, Rgba)>,
    pub(super) name: String,
    pub(super) numbers: Vec<String>,
}

/// Shows a table; `titles` are those of the name and of the numbers.
pub(super) fn show(ui: &mut Ui, titles: &[&str], rows: &[SheetRow], palette: &Palette) {
    let font = FontId::proportional(SMALL);
    let lay_out = |ui: &Ui, text: &str, width: f32, tint: Rgba| elide(ui, text, width, font.clone(), color(tint));
    let widths: Vec<f32> = titles
        .iter()
        .enumerate()
        .skip(1)
        .map(|(column, title)| {
            let texts = rows.iter().filter_map(|row| row.numbers.get(column - 1)).map(String::as_str);
            let width = |text: &str| lay_out(ui, text, f32::INFINITY, palette.text).size().x;
            texts.chain([*title]).map(width).fold(0.0, f32::max)
        })
        .collect();
    let (heading, _) = ui.allocate_exact_size(vec2(ui.available_width(), HEADING), Sense::hover());
    let line = |ui: &Ui, rect: Rect, cells: &[&str], tints: [Rgba; 2], indent: f32| {
        let mut right = rect.max.x;
        for (text, width) in cells.iter().skip(1).zip(&widths).rev() {
            let galley = lay_out(ui, text, *width, tints[1]);
            let at = Align2::RIGHT_CENTER.anchor_size(pos2(right, rect.center().y), galley.size()).min;
            ui.painter().galley(at, galley, color(tints[1]));
            right -= width + GAP;
        }
        let left = rect.min.x + indent;
        let galley = lay_out(ui, cells.first().copied().unwrap_or_default(), right - left, tints[0]);
        let elided = galley.elided;
        let at = Align2::LEFT_CENTER.anchor_size(pos2(left, rect.center().y), galley.size()).min;
        ui.painter().galley(at, galley, color(tints[0]));
        elided
    };
    line(ui, heading, titles, [palette.text2; 2], 0.0);
    ui.painter().hline(heading.x_range(), heading.max.y - 0.5, (1.0, color(palette.line)));
    for (number, row) in rows.iter().enumerate() {
        let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::hover());
        let id: Id = ui.scope_id().with((titles.first(), number));
        let response = ui.interact(rect, id, Sense::hover());
        let spoken = || {
            let numbers = titles.iter().skip(1).zip(&row.numbers).filter(|(_, text)| !text.is_empty());
            let numbers = numbers.map(|(title, text)| format!("{title} {text}"));
            std::iter::once(row.name.clone()).chain(numbers).collect::<Vec<_>>().join(", ")
        };
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, spoken()));
        if response.hovered() {
            ui.painter().rect_filled(rect, 0.0, color(palette.raised));
        }
        if let Some((fill, edge)) = row.colors {
            let middle = pos2(rect.min.x + SQUARE / 2.0, rect.center().y);
            let square = Rect::from_center_size(middle, vec2(SQUARE, SQUARE));
            let stroke = (1.0, color(edge));
            ui.painter().rect(square, CornerRadius::same(2), color(fill), stroke, egui::StrokeKind::Inside);
        }
        let cells: Vec<&str> =
            std::iter::once(row.name.as_str()).chain(row.numbers.iter().map(String::as_str)).collect();
        let indent = if row.colors.is_some() { NAME } else { 0.0 };
        if line(ui, rect, &cells, [palette.text; 2], indent) {
            response.on_hover_text_at_pointer(&row.name);
        }
    }
}
