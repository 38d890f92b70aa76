//! Surfaces that float over the window: dialogs, toasts and the command palette.

use egui::{Context, CornerRadius, Frame, Margin, Stroke};

use crate::widgets::style::color;
use flowline_scene::{Palette, Rgba};
use flowline_view::Theme;

/// The palette of the theme that is shown.
pub(crate) fn palette_of(context: &Context) -> &'static Palette {
    Palette::for_theme(if is_dark(context) { Theme::Dark } else { Theme::Light })
}

/// A floating surface without margins.
pub(crate) fn surface(context: &Context, fill: Rgba, radius: u8) -> Frame {
    Frame::new()
        .fill(color(fill))
        .stroke(Stroke::new(1.0, color(palette_of(context).line_strong)))
        .corner_radius(CornerRadius::same(radius))
        .shadow(context.style_of(context.theme()).visuals.window_shadow)
        .inner_margin(Margin::ZERO)
}

fn is_dark(context: &Context) -> bool {
    context.theme() == egui::Theme::Dark
}
