//! Key facts as cards, and notices of harm as banners.

use egui::{CornerRadius, Rect, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2};

use super::metrics::PAD;
use super::text;
use crate::widgets::icon::{Icon, focus_ring};
use crate::widgets::style::{CAPTION, FACT, SMALL, color};
use flowline_scene::Palette;
use flowline_session::{Banner, KeyFact, Severity};
use flowline_view::Command;

/// Height of a card, and the space between two, in points.
const CARD: f32 = 50.0;
const CARD_GAP: f32 = 9.0;
/// Number of cards per line.
const CARDS: usize = 3;
/// Height of a banner, and the space between two, in points.
const BANNER: f32 = 26.0;
const BANNER_GAP: f32 = 4.0;
/// Opacity of the color of a banner over the panel.
const TINT: f32 = 0.14;

/// Shows the cards side by side.
pub(super) fn cards(ui: &mut Ui, facts: &[KeyFact], palette: &Palette) {
    if facts.is_empty() {
        return;
    }
    ui.add_space(12.0);
    let (area, _) = ui.allocate_exact_size(vec2(ui.available_width(), CARD), Sense::hover());
    #[expect(clippy::cast_precision_loss, reason = "a few cards")]
    let width = (area.width() - 2.0 * PAD - CARD_GAP * (CARDS - 1) as f32) / CARDS as f32;
    let mut left = area.min.x + PAD;
    for (number, fact) in facts.iter().take(CARDS).enumerate() {
        let card = Rect::from_min_size(pos2(left, area.min.y), vec2(width.max(0.0), CARD));
        left += width + CARD_GAP;
        ui.painter().rect(card, 6.0, color(palette.raised), Stroke::new(1.0, color(palette.line)), StrokeKind::Inside);
        // Captions such as "Running, 18.2%" need almost the whole width.
        let inner = Rect::from_min_max(pos2(card.min.x + 8.0, card.min.y), pos2(card.max.x - 4.0, card.max.y));
        let line = |top: f32, height: f32| {
            Rect::from_min_size(pos2(inner.min.x, card.min.y + top), vec2(inner.width(), height))
        };
        text::draw(ui, line(6.0, 20.0), &fact.value, FACT, color(palette.text));
        text::draw(ui, line(26.0, 16.0), &fact.caption, CAPTION, color(palette.text2));
        if let Some(share) = fact.share {
            share_bar(ui, line(43.0, 3.0).with_max_x(card.max.x - 8.0), share, palette);
        }
        let id = ui.scope_id().with(("fact", number));
        let told = text::announce(ui, id, card, &format!("{}: {}", fact.caption, fact.value));
        if !fact.exact.is_empty() {
            told.on_hover_text(fact.exact.as_str());
        }
    }
}

/// Draws a share as a bar.
fn share_bar(ui: &Ui, rect: Rect, share: f64, palette: &Palette) {
    ui.painter().rect_filled(rect, 1.5, color(palette.line));
    #[expect(clippy::cast_possible_truncation, reason = "a share")]
    let width = rect.width() * share.clamp(0.0, 1.0) as f32;
    if width > 0.0 {
        let filled = Rect::from_min_size(rect.min, vec2(width.max(1.0), rect.height()));
        ui.painter().rect_filled(filled, 1.5, color(palette.accent));
    }
}

/// Shows the banners, one below the other. A click on one that names another marker selects it.
pub(super) fn banners(ui: &mut Ui, banners: &[Banner], palette: &Palette, commands: &mut Vec<Command>) {
    for (number, banner) in banners.iter().enumerate() {
        ui.add_space(if number == 0 { 8.0 } else { BANNER_GAP });
        let (area, _) = ui.allocate_exact_size(vec2(ui.available_width(), BANNER), Sense::hover());
        let rect = area.shrink2(vec2(PAD, 0.0));
        let tint = color(match banner.severity {
            Severity::Bad => palette.bad,
            Severity::Warn => palette.warn,
        });
        ui.painter().rect_filled(rect, 4.0, tint.gamma_multiply(TINT));
        let bar = Rect::from_min_size(rect.min, vec2(3.0, rect.height()));
        ui.painter().rect_filled(bar, CornerRadius { nw: 2, sw: 2, ne: 0, se: 0 }, tint);
        let icon = Rect::from_center_size(pos2(rect.min.x + 16.0, rect.center().y), vec2(16.0, 16.0));
        Icon::Warning.paint(ui.painter(), icon, tint);
        let row = Rect::from_min_max(pos2(rect.min.x + 30.0, rect.min.y), pos2(rect.max.x - 8.0, rect.max.y));
        // The text says what is wrong, so the extent gives way.
        let value = Rect::from_min_max(pos2(row.min.x + row.width() * 0.35, row.min.y), row.max);
        let taken = text::draw_right(ui, value, &banner.value, SMALL, color(palette.text));
        let left = Rect::from_min_max(row.min, pos2(row.max.x - taken - 8.0, row.max.y));
        text::draw(ui, left, &banner.text, SMALL, color(palette.text));
        let id = ui.scope_id().with(("banner", number));
        let sense = if banner.marker.is_some() { Sense::click() } else { Sense::hover() };
        let response = ui.interact(rect, id, sense);
        let told = [banner.text.as_str(), &banner.value].into_iter().filter(|part| !part.is_empty());
        let told = told.collect::<Vec<_>>().join(", ");
        let role = if banner.marker.is_some() { Role::Button } else { Role::Label };
        response.widget_info(|| WidgetInfo::labeled(role, true, told.as_str()));
        if response.has_focus() {
            focus_ring(ui, rect);
        }
        if response.clicked() {
            commands.extend(banner.marker.map(Command::Reveal));
        }
        response.on_hover_text(if banner.marker.is_some() { format!("{told}. Click to select it") } else { told });
    }
}
