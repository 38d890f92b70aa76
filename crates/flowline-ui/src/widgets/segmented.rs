//! A control with a few alternatives side by side, one of which is chosen.

use egui::{Align2, FontId, Rect, Role, Sense, StrokeKind, TextStyle, Ui, WidgetInfo, pos2, vec2};

use crate::widgets::icon::focus_ring;
use crate::widgets::style::color;
use flowline_scene::Palette;

/// Height in points.
const HEIGHT: f32 = 24.0;
/// Points beside the text of an alternative.
const PADDING: f32 = 10.0;
const RADIUS: f32 = 4.0;

/// An alternative of a segmented control.
#[derive(Clone, Debug)]
pub(crate) struct Segment<'a> {
    pub(crate) text: &'a str,
    /// Tooltip.
    pub(crate) hint: String,
    pub(crate) is_chosen: bool,
    pub(crate) is_enabled: bool,
}

/// Width in points of a control with these texts.
pub(crate) fn segmented_width<'a>(ui: &Ui, texts: impl IntoIterator<Item = &'a str>) -> f32 {
    texts.into_iter().map(|text| segment_width(ui, text)).sum()
}

fn segment_width(ui: &Ui, text: &str) -> f32 {
    let font = TextStyle::Button.resolve(ui.style());
    ui.painter().layout_no_wrap(text.to_owned(), font, egui::Color32::PLACEHOLDER).size().x + 2.0 * PADDING
}

/// Shows the control; returns the number of the clicked alternative.
pub(crate) fn segmented(ui: &mut Ui, segments: &[Segment<'_>], palette: &Palette) -> Option<usize> {
    segmented_named(ui, segments, palette, str::to_owned)
}

/// Like [`segmented`], with accessible names that differ from the texts.
pub(crate) fn segmented_named(
    ui: &mut Ui,
    segments: &[Segment<'_>],
    palette: &Palette,
    name: impl Fn(&str) -> String,
) -> Option<usize> {
    let width = segmented_width(ui, segments.iter().map(|segment| segment.text));
    let (rect, _) = ui.allocate_exact_size(vec2(width, HEIGHT), Sense::hover());
    ui.painter().rect(rect, RADIUS, color(palette.inset), (1.0, color(palette.line)), StrokeKind::Inside);
    let font = TextStyle::Button.resolve(ui.style());
    let (mut clicked, mut left) = (None, rect.min.x);
    for (number, segment) in segments.iter().enumerate() {
        let width = segment_width(ui, segment.text);
        let cell = Rect::from_min_size(pos2(left, rect.min.y), vec2(width, HEIGHT));
        left += width;
        let is_beside_chosen = segment.is_chosen || number > 0 && segments[number - 1].is_chosen;
        if number > 0 && !is_beside_chosen {
            let line = cell.shrink2(vec2(0.0, 6.0));
            ui.painter().vline(line.min.x, line.y_range(), (1.0, color(palette.line)));
        }
        if show_segment(ui, cell, (segment, name(segment.text)), &font, palette) {
            clicked = Some(number);
        }
    }
    clicked
}

fn show_segment(
    ui: &mut Ui,
    cell: Rect,
    (segment, name): (&Segment<'_>, String),
    font: &FontId,
    palette: &Palette,
) -> bool {
    let sense = if segment.is_enabled { Sense::click() } else { Sense::hover() };
    let response = ui.interact(cell, ui.scope_id().with(("segment", segment.text)), sense);
    if segment.is_chosen {
        ui.painter().rect_filled(cell, RADIUS, color(palette.accent_fill));
    } else if segment.is_enabled && response.hovered() {
        ui.painter().rect_filled(cell.shrink(1.0), RADIUS, color(palette.raised));
    }
    let tint = match (segment.is_enabled, segment.is_chosen) {
        (_, true) => palette.on_accent,
        (true, false) if response.hovered() => palette.text,
        (true, false) => palette.text2,
        (false, false) => palette.text3,
    };
    ui.painter().text(cell.center(), Align2::CENTER_CENTER, segment.text, font.clone(), color(tint));
    if response.has_focus() {
        focus_ring(ui, cell);
    }
    response.widget_info(|| WidgetInfo::selected(Role::Button, segment.is_enabled, segment.is_chosen, &name));
    let is_clicked = response.clicked();
    if !segment.hint.is_empty() {
        response.on_hover_text(&segment.hint);
    }
    is_clicked
}
