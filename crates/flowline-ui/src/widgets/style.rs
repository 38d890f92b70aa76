//! Widget style: colors from the scene's palette, dense spacing, small text.

use egui::{Color32, CornerRadius, FontFamily, FontId, Margin, Stroke, TextStyle, Visuals};

use flowline_scene::{Palette, Rgba};
use flowline_view::Theme;

/// Converts a palette color to an egui color.
#[must_use]
pub fn color([red, green, blue, alpha]: Rgba) -> Color32 {
    Color32::from_rgba_unmultiplied(red, green, blue, alpha)
}

/// Applies a theme to a context.
pub fn apply(context: &egui::Context, theme: Theme) {
    let palette = Palette::for_theme(theme);
    let mut visuals = match theme {
        Theme::Dark => Visuals::dark(),
        Theme::Light => Visuals::light(),
    };
    let panel = color(palette.panel);
    visuals.panel_fill = panel;
    visuals.window_fill = panel;
    visuals.window_corner_radius = CornerRadius::same(6);
    visuals.menu_corner_radius = CornerRadius::same(6);
    visuals.window_stroke = Stroke::new(1.0, color(palette.grid));
    visuals.override_text_color = Some(color(palette.text));
    visuals.weak_text_color = Some(color(palette.faint_text));
    visuals.hyperlink_color = color(palette.accent);
    if theme == Theme::Light {
        // The default orange has too little contrast on a light panel.
        visuals.warn_fg_color = egui::Color32::from_rgb(0xa0, 0x48, 0x00);
    }
    visuals.selection.bg_fill = color(flowline_scene::with_alpha(palette.accent, 90));
    visuals.selection.stroke = Stroke::new(1.0, color(palette.text));
    visuals.extreme_bg_color = color(palette.background);
    visuals.widgets.noninteractive.bg_stroke = Stroke::new(1.0, color(palette.grid));
    visuals.widgets.inactive.weak_bg_fill = color(palette.heading);
    visuals.widgets.inactive.bg_fill = color(palette.heading);
    visuals.widgets.hovered.weak_bg_fill = color(flowline_scene::with_alpha(palette.accent, 60));
    visuals.widgets.hovered.bg_stroke = Stroke::NONE;
    visuals.widgets.active.weak_bg_fill = color(flowline_scene::with_alpha(palette.accent, 110));
    for widget in [
        &mut visuals.widgets.noninteractive,
        &mut visuals.widgets.inactive,
        &mut visuals.widgets.hovered,
        &mut visuals.widgets.active,
        &mut visuals.widgets.open,
    ] {
        widget.corner_radius = CornerRadius::same(4);
        widget.expansion = 0.0;
    }
    context.set_theme(match theme {
        Theme::Dark => egui::Theme::Dark,
        Theme::Light => egui::Theme::Light,
    });
    context.all_styles_mut(|style| {
        style.visuals = visuals.clone();
        style.spacing.item_spacing = egui::vec2(6.0, 4.0);
        style.spacing.button_padding = egui::vec2(8.0, 3.0);
        style.spacing.window_margin = Margin::same(10);
        style.spacing.interact_size.y = 20.0;
        let font = |size| FontId::new(size, FontFamily::Proportional);
        style.text_styles = [
            (TextStyle::Small, font(10.5)),
            (TextStyle::Body, font(12.5)),
            (TextStyle::Button, font(12.5)),
            (TextStyle::Heading, font(16.0)),
            (TextStyle::Monospace, FontId::new(12.0, FontFamily::Monospace)),
        ]
        .into();
        // Only the time axis animates. Widgets change immediately, so one frame renders the final image.
        style.animation_time = 0.0;
    });
}

/// Fonts for the canvas: egui's defaults, so that chart labels match the widgets.
#[must_use]
pub fn font_bytes() -> Vec<Vec<u8>> {
    let definitions = egui::FontDefinitions::default();
    let names = definitions.families.get(&FontFamily::Proportional).cloned().unwrap_or_default();
    names.iter().filter_map(|name| definitions.font_data.get(name)).map(|data| (*data.font).as_ref().to_vec()).collect()
}
