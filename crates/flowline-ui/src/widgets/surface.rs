//! Surfaces that float over the window: dialogs, toasts and the command palette.

use egui::{Color32, Context, CornerRadius, Frame, Margin, Shadow, Stroke};

use crate::widgets::style::color;
use flowline_scene::{Palette, Rgba};
use flowline_view::Theme;

/// Offset of a surface's shadow in points. The shadow has no blur.
const SHADOW: [i8; 2] = [2, 3];
/// Opacity of a shadow, of 255: 35 % in the dark theme, 12 % in the light one.
const SHADOW_ALPHA: [u8; 2] = [89, 31];

/// The palette of the theme that is shown.
pub(crate) fn palette_of(context: &Context) -> &'static Palette {
    Palette::for_theme(if is_dark(context) { Theme::Dark } else { Theme::Light })
}

/// A floating surface without margins.
pub(crate) fn surface(context: &Context, fill: Rgba, radius: u8) -> Frame {
    let color_of_shadow = Color32::from_black_alpha(SHADOW_ALPHA[usize::from(!is_dark(context))]);
    Frame::new()
        .fill(color(fill))
        .stroke(Stroke::new(1.0, color(palette_of(context).line_strong)))
        .corner_radius(CornerRadius::same(radius))
        .shadow(Shadow { offset: SHADOW, blur: 0, spread: 0, color: color_of_shadow })
        .inner_margin(Margin::ZERO)
}

fn is_dark(context: &Context) -> bool {
    context.theme() == egui::Theme::Dark
}
