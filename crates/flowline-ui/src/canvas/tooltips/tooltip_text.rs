//! The text of a tooltip, and how it is drawn: a few lines at the pointer, without buttons.

use egui::{Area, FontId, Frame, Id, Margin, Order, Pos2, Rect, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use crate::widgets::style::{SMALL, color};
use crate::widgets::{elide, elide_name};
use flowline_scene::{Palette, Rgba};

/// Maximum number of lines while the details panel is open, and while it is closed.
const LINES: usize = 3;
const LINES_ALONE: usize = 6;
/// Range of the width in points, margins included.
const MIN_WIDTH: f32 = 252.0;
const MAX_WIDTH: f32 = 320.0;
/// Maximum width in points of a tooltip with sentences.
const MAX_WIDE: f32 = 480.0;
/// Margins and height of a line in points.
const MARGIN: f32 = 10.0;
const LINE: f32 = 18.0;
/// Width of the bar of the kind, and of the space that it takes, in points.
const BAR: f32 = 4.0;
const BAR_SPACE: f32 = 10.0;
/// Space between the name and the value in points.
const GAP: f32 = 12.0;

/// A line below the name.
#[derive(Clone, Debug, PartialEq, Eq)]
struct TooltipLine {
    text: String,
    /// True for a line that explains, rather than places, the item.
    is_reason: bool,
}

/// The text of a tooltip.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct TooltipText {
    /// Palette entry of the bar before the name.
    color: Option<u8>,
    name: String,
    /// The value at the right of the name, such as a duration.
    value: String,
    lines: Vec<TooltipLine>,
    /// Maximum number of lines, the name included.
    most: usize,
    /// Maximum width in points.
    widest: f32,
}

impl TooltipText {
    /// A tooltip that so far consists of a name and a value.
    pub(crate) fn new(color: Option<u8>, name: &str, value: String, has_details: bool) -> Self {
        let most = if has_details { LINES } else { LINES_ALONE };
        Self { color, name: name.to_owned(), value, lines: Vec::new(), most, widest: MAX_WIDTH }
    }

    /// The same tooltip with room for sentences.
    pub(crate) fn wide(self) -> Self {
        Self { widest: MAX_WIDE, ..self }
    }

    /// True if there is room for another line.
    pub(crate) fn has_room(&self) -> bool {
        self.lines.len() + 1 < self.most
    }

    fn add(&mut self, text: String, is_reason: bool) {
        if self.has_room() && !text.is_empty() {
            self.lines.push(TooltipLine { text, is_reason });
        }
    }

    /// Adds a line with a reason or a value, if there is room.
    pub(crate) fn reason(&mut self, text: impl Into<String>) {
        self.add(text.into(), true);
    }

    /// Adds a line that says where or what the item is, if there is room.
    pub(crate) fn place(&mut self, text: impl Into<String>) {
        self.add(text.into(), false);
    }

    /// Adds lines that are only useful together, however many there are.
    pub(crate) fn list(&mut self, lines: Vec<String>) {
        self.most += lines.len();
        self.lines.extend(lines.into_iter().map(|text| TooltipLine { text, is_reason: false }));
    }

    /// Shows the tooltip next to the pointer. `extra` adds something below the lines, within the margins given by the
    /// distance from the left edge and the width.
    pub(crate) fn show(
        &self,
        ui: &Ui,
        name: &str,
        (pointer, palette): (Pos2, &Palette),
        extra: impl FnOnce(&mut Ui, (f32, f32)),
    ) {
        let screen = ui.ctx().content_rect();
        let width = self.width(ui).min(screen.width() - 8.0);
        // Below and to the right of the pointer, if there is room.
        let right = pointer.x + 16.0 + width <= screen.max.x;
        let below = pointer.y < screen.center().y;
        let (x, horizontal) =
            if right { (pointer.x + 16.0, egui::Align::Min) } else { (pointer.x - 12.0, egui::Align::Max) };
        let (y, vertical) =
            if below { (pointer.y + 14.0, egui::Align::Min) } else { (pointer.y - 10.0, egui::Align::Max) };
        Area::new(Id::unique(name))
            .order(Order::Tooltip)
            .interactable(false)
            .fixed_pos(Pos2::new(x, y))
            .pivot(egui::Align2([horizontal, vertical]))
            .constrain_to(screen.shrink(4.0))
            .show(ui.ctx(), |ui| {
                let frame = Frame::popup(ui.style()).fill(color(palette.raised)).inner_margin(Margin::ZERO);
                frame.show(ui, |ui| {
                    self.draw(ui, width, palette);
                    extra(ui, (MARGIN, width - 2.0 * MARGIN));
                });
            });
    }

    /// The width that shows every line in full, within the limits.
    fn width(&self, ui: &Ui) -> f32 {
        let measured =
            |text: &str| elide(ui, text, self.widest, FontId::proportional(SMALL), egui::Color32::WHITE).size().x;
        let bar = if self.color.is_some() { BAR_SPACE } else { 0.0 };
        let value = if self.value.is_empty() { 0.0 } else { measured(&self.value) + GAP };
        let lines = self.lines.iter().map(|line| measured(&line.text));
        let widest = lines.fold(measured(&self.name) + value, f32::max);
        (widest + bar + 2.0 * MARGIN).clamp(MIN_WIDTH, self.widest)
    }

    fn draw(&self, ui: &mut Ui, width: f32, palette: &Palette) {
        ui.spacing_mut().item_spacing = vec2(0.0, 0.0);
        ui.set_width(width);
        ui.add_space(MARGIN - 3.0);
        let left = if self.color.is_some() { BAR_SPACE } else { 0.0 };
        let row = |ui: &mut Ui, text: &str| {
            let (rect, response) = ui.allocate_exact_size(vec2(width, LINE), Sense::hover());
            response.widget_info(|| WidgetInfo::labeled(Role::Label, true, text));
            Rect::from_min_max(pos2(rect.min.x + MARGIN + left, rect.min.y), pos2(rect.max.x - MARGIN, rect.max.y))
        };
        let put = |ui: &Ui, area: Rect, text: &str, tint: Rgba, at_end: bool| {
            let galley = elide(ui, text, area.width(), FontId::proportional(SMALL), color(tint));
            let size = galley.size();
            let x = if at_end { area.max.x - size.x } else { area.min.x };
            ui.painter().galley(pos2(x, area.center().y - size.y / 2.0), galley, color(tint));
            size.x
        };
        let mut area = row(ui, &self.name);
        if let Some(entry) = self.color {
            let bar = Rect::from_min_size(pos2(area.min.x - BAR_SPACE, area.min.y + 2.0), vec2(BAR, LINE - 4.0));
            ui.painter().rect_filled(bar, 2.0, color(palette.fill(entry)));
        }
        if !self.value.is_empty() {
            let taken = put(ui, area, &self.value, palette.text, true);
            let value = Rect::from_min_max(pos2(area.max.x - taken, area.min.y), area.max);
            let response = ui.interact(value, ui.scope_id().with("value"), Sense::hover());
            response.widget_info(|| WidgetInfo::labeled(Role::Label, true, self.value.as_str()));
            area.max.x -= taken + GAP;
        }
        let tint = color(palette.text);
        let name = elide_name(ui, &self.name, area.width(), FontId::proportional(SMALL), tint);
        let top = area.center().y - name.size().y / 2.0;
        ui.painter().galley(pos2(area.min.x, top), name, tint);
        for line in &self.lines {
            let area = row(ui, &line.text);
            put(ui, area, &line.text, if line.is_reason { palette.text } else { palette.text2 }, false);
        }
        ui.add_space(MARGIN - 3.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tooltip_has_at_most_three_lines_or_six_without_details() {
        for (has_details, most) in [(true, 3), (false, 6)] {
            let mut text = TooltipText::new(None, "name", "1 ms".to_owned(), has_details);
            (0..20).for_each(|number| text.reason(format!("line {number}")));
            assert_eq!(text.lines.len() + 1, most);
            assert!(!text.has_room());
        }
    }

    #[test]
    fn a_list_is_complete() {
        let mut text = TooltipText::new(None, "name", String::new(), true);
        text.list((0..8).map(|number| format!("phase {number}")).collect());
        assert_eq!(text.lines.len(), 8);
        (0..4).for_each(|number| text.place(format!("line {number}")));
        assert_eq!(text.lines.len(), 10, "the others have as much room as without it");
    }

    #[test]
    fn empty_lines_take_no_room() {
        let mut text = TooltipText::new(None, "name", String::new(), true);
        (0..5).for_each(|_| text.place(""));
        assert!(text.has_room() && text.lines.is_empty());
    }
}
