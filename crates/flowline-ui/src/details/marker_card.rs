//! Shows the card of a marker in tooltip and details.

use egui::{RichText, Ui};

use flowline_scene::Palette;
use flowline_session::MarkerCard;

use crate::widgets::style::color;
use crate::widgets::{clamp_lines, counted, elide};

/// Maximum characters of a field in tooltips.
const SHORT_CHARS: usize = 220;
/// Maximum characters of a field in the details, because text layout is linear in its length. Copies are complete.
const LONG_CHARS: usize = 20_000;

/// Maximum number of lines of the name above a card, so that the fields below a very long name stay in view.
const HEADING_LINES: usize = 3;

/// Maximum number of lines of a card.
const MAX_LINES: usize = 100;

/// Shows the card; `short` truncates long values.
pub(crate) fn show(card: &MarkerCard, ui: &mut Ui, palette: &Palette, short: bool) {
    show_lines(card, ui, palette, short, card.lines.len());
}

/// Shows the card without the fields of the payload.
pub(crate) fn show_facts(card: &MarkerCard, ui: &mut Ui, palette: &Palette) {
    show_lines(card, ui, palette, false, card.facts);
}

fn show_lines(card: &MarkerCard, ui: &mut Ui, palette: &Palette, short: bool, lines: usize) {
    ui.horizontal_top(|ui| {
        let (swatch, _) = ui.allocate_exact_size(egui::vec2(4.0, 18.0), egui::Sense::hover());
        let fill = palette.fill(card.color);
        ui.painter().rect_filled(swatch, 2.0, color(fill));
        let heading =
            clamp_lines(ui, &card.heading, ui.available_width(), egui::FontId::proportional(14.0), HEADING_LINES);
        let is_cut = heading.elided;
        let label = ui.add(egui::Label::new(heading));
        label.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, &card.heading));
        if is_cut && !short {
            label.on_hover_text(cut(&card.heading, false));
        }
    });
    ui.add(egui::Label::new(RichText::new(&card.place).weak().small()).wrap());
    ui.add_space(2.0);
    let rows = card.name.iter().map(|name| ("Name", name.as_str()));
    let rows: Vec<(&str, &str)> =
        rows.chain(card.lines.iter().take(lines).map(|(label, value)| (label.as_str(), value.as_str()))).collect();
    let font = egui::TextStyle::Body.resolve(ui.style());
    let width_of = |label: &str| elide(ui, label, 150.0, font.clone(), egui::Color32::WHITE).size().x;
    let label_width = rows.iter().take(MAX_LINES).map(|(label, _)| width_of(label)).fold(60.0, f32::max);
    let more = rows.len().saturating_sub(MAX_LINES);
    for (label, value) in rows.into_iter().take(MAX_LINES) {
        row(ui, label, value, label_width, short);
    }
    if more > 0 {
        let text = format!("and {}; Copy includes them all", counted(more, "more field"));
        ui.label(RichText::new(text).weak().small());
    }
    if let Some(description) = card.description.as_ref().filter(|_| !short) {
        ui.add_space(4.0);
        ui.add(egui::Label::new(RichText::new(description).weak()).wrap());
    }
}

/// Shows a label of fixed width and a wrapping value beside it.
pub(crate) fn row(ui: &mut Ui, label: &str, value: &str, label_width: f32, short: bool) {
    ui.horizontal_top(|ui| {
        let (rect, response) = ui.allocate_exact_size(egui::vec2(label_width, 16.0), egui::Sense::hover());
        let tint = ui.visuals().weak_text_color();
        let font = egui::TextStyle::Body.resolve(ui.style());
        ui.painter().galley(rect.min, elide(ui, label, label_width, font, tint), tint);
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, label));
        ui.add_space(4.0);
        let value = cut(value, short);
        let is_link = value.starts_with("https://") || value.starts_with("http://");
        let text = RichText::new(value);
        let text = if is_link { text.color(ui.visuals().hyperlink_color) } else { text };
        ui.add(egui::Label::new(text).wrap());
    });
}

fn cut(text: &str, short: bool) -> String {
    match text.char_indices().nth(if short { SHORT_CHARS } else { LONG_CHARS }) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
