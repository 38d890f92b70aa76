//! Widget style: colors from the tokens of the scene's palette, sizes of text, dense spacing.

use egui::epaint::Shadow;
use egui::style::{WidgetVisuals, Widgets};
use egui::{Color32, CornerRadius, FontFamily, FontId, Margin, Stroke, TextStyle, Visuals};

use flowline_scene::{Palette, Rgba};
use flowline_view::Theme;

/// Converts a palette color to an egui color.
#[must_use]
pub fn color([red, green, blue, alpha]: Rgba) -> Color32 {
    Color32::from_rgba_unmultiplied(red, green, blue, alpha)
}

/// Headline of the first-run page, in points.
pub const HERO: f32 = 24.0;
/// Titles of details, dialogs and blocks of a page.
pub const TITLE: f32 = 16.0;
/// Key facts.
pub const FACT: f32 = 15.0;
/// Controls, tabs, names of processes and threads, section titles.
pub const BODY: f32 = 13.0;
/// Slice labels, tables, details, status bar, tooltips.
pub const SMALL: f32 = 12.0;
/// Ruler, flags, lane names; the smallest text.
pub const CAPTION: f32 = 11.0;
/// Code, shell commands, raw JSON.
pub const MONO: f32 = 12.0;

/// Applies a theme to a context.
pub fn apply(context: &egui::Context, theme: Theme) {
    let palette = Palette::for_theme(theme);
    let visuals = visuals(palette, theme);
    context.set_theme(match theme {
        Theme::Dark => egui::Theme::Dark,
        Theme::Light => egui::Theme::Light,
    });
    context.all_styles_mut(|style| {
        style.visuals = visuals.clone();
        style.spacing.item_spacing = egui::vec2(8.0, 4.0);
        style.spacing.button_padding = egui::vec2(8.0, 3.0);
        style.spacing.window_margin = Margin::same(12);
        style.spacing.menu_margin = Margin::same(4);
        style.spacing.interact_size.y = 24.0;
        let font = |size| FontId::new(size, FontFamily::Proportional);
        style.text_styles = [
            (TextStyle::Small, font(CAPTION)),
            (TextStyle::Body, font(SMALL)),
            (TextStyle::Button, font(BODY)),
            (TextStyle::Heading, font(TITLE)),
            (TextStyle::Monospace, FontId::new(MONO, FontFamily::Monospace)),
        ]
        .into();
        // Only the time axis animates. Widgets change immediately, so one frame renders the final image.
        style.animation_time = 0.0;
    });
}

/// Every visual of egui, from the tokens.
fn visuals(palette: &Palette, theme: Theme) -> Visuals {
    let mut visuals = match theme {
        Theme::Dark => Visuals::dark(),
        Theme::Light => Visuals::light(),
    };
    visuals.override_text_color = None;
    visuals.weak_text_alpha = 1.0;
    visuals.weak_text_color = Some(color(palette.text2));
    // The contrast of disabled text is that of hints.
    visuals.disabled_alpha = disabled_alpha(theme);
    visuals.hyperlink_color = color(palette.link);
    visuals.faint_bg_color = color(palette.stripe);
    visuals.extreme_bg_color = color(palette.inset);
    visuals.text_edit_bg_color = Some(color(palette.inset));
    visuals.code_bg_color = color(palette.inset);
    visuals.warn_fg_color = color(palette.warn);
    visuals.error_fg_color = color(palette.bad);
    visuals.panel_fill = color(palette.panel);
    visuals.window_fill = color(palette.raised);
    visuals.window_stroke = Stroke::new(1.0, color(palette.line_strong));
    visuals.window_corner_radius = CornerRadius::same(8);
    visuals.menu_corner_radius = CornerRadius::same(6);
    let shadow = Color32::from_black_alpha(if theme == Theme::Dark { 89 } else { 31 });
    visuals.window_shadow = Shadow { offset: [2, 3], blur: 0, spread: 0, color: shadow };
    visuals.popup_shadow = visuals.window_shadow;
    visuals.selection.bg_fill = color(palette.accent_fill);
    visuals.selection.stroke = Stroke::new(1.0, color(palette.on_accent));
    visuals.text_cursor.stroke.color = color(palette.accent);
    visuals.widgets = widgets(palette);
    visuals
}

/// Opacity of disabled controls.
const fn disabled_alpha(theme: Theme) -> f32 {
    match theme {
        Theme::Dark => 0.6,
        Theme::Light => 0.7,
    }
}

/// The looks of a widget by its state. Only its fill and its border tell the state; text keeps its contrast.
fn widgets(palette: &Palette) -> Widgets {
    let look = |fill, weak_fill, border, text| WidgetVisuals {
        bg_fill: color(fill),
        weak_bg_fill: color(weak_fill),
        bg_stroke: Stroke::new(1.0, color(border)),
        corner_radius: CornerRadius::same(4),
        fg_stroke: Stroke::new(1.0, color(text)),
        expansion: 0.0,
    };
    Widgets {
        noninteractive: look(palette.panel, palette.panel, palette.line, palette.text),
        inactive: look(palette.heading, palette.raised, palette.line, palette.text),
        hovered: look(palette.raised, palette.raised, palette.line_strong, palette.text),
        active: look(palette.accent_fill, palette.accent_fill, palette.accent, palette.on_accent),
        open: look(palette.raised, palette.raised, palette.line_strong, palette.text),
    }
}

/// Fonts for the canvas: egui's defaults, so that chart labels match the widgets.
#[must_use]
pub fn font_bytes() -> Vec<Vec<u8>> {
    let definitions = egui::FontDefinitions::default();
    let names = definitions.families.get(&FontFamily::Proportional).cloned().unwrap_or_default();
    names.iter().filter_map(|name| definitions.font_data.get(name)).map(|data| (*data.font).as_ref().to_vec()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance (WCAG 2).
    fn luminance(color: [f64; 3]) -> f64 {
        let linear = color.map(|channel| {
            let value = channel / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        });
        0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    }

    #[test]
    fn disabled_text_is_readable() {
        for theme in [Theme::Dark, Theme::Light] {
            let (palette, alpha) = (Palette::for_theme(theme), f64::from(disabled_alpha(theme)));
            for surface in [palette.panel, palette.raised] {
                let channel = |at: usize| f64::from(palette.text[at]) * alpha + f64::from(surface[at]) * (1.0 - alpha);
                let text = luminance([channel(0), channel(1), channel(2)]);
                let below = luminance([surface[0], surface[1], surface[2]].map(f64::from));
                let contrast = (text.max(below) + 0.05) / (text.min(below) + 0.05);
                assert!(contrast >= 4.5, "{theme:?}: {contrast:.2}");
            }
        }
    }
}
