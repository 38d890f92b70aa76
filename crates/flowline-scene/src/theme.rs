//! Colors of both themes, as 8-bit sRGB. Dark text is readable on every fill in both themes. Fills of similar hue also
//! differ in lightness, so that color-blind people can tell categories apart.

use flowline_index::COLOR_WORDS;
use flowline_view::Theme;

/// Red, green, blue, alpha.
pub type Rgba = [u8; 4];

/// Number of palette entries.
pub const PALETTE_LEN: usize = COLOR_WORDS.len();

/// The colors of the canvas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Palette {
    /// Fills by palette entry of the index.
    pub fills: [Rgba; PALETTE_LEN],
    /// Background of the canvas.
    pub background: Rgba,
    /// Background of every other row.
    pub stripe: Rgba,
    /// Background of process and thread headings.
    pub heading: Rgba,
    /// Background of toolbar, ruler and panels.
    pub panel: Rgba,
    /// Lines of the time grid.
    pub grid: Rgba,
    /// Text on panels.
    pub text: Rgba,
    /// Secondary text.
    pub faint_text: Rgba,
    /// Text in markers.
    pub marker_text: Rgba,
    /// Time indicators: the pointer line, the visible range, the selected range.
    pub accent: Rgba,
    /// The selected marker.
    pub selected: Rgba,
    /// Search hits in the overview.
    pub hit: Rgba,
    /// Drawn over the overview outside the visible range.
    pub shade: Rgba,
    /// Flow connections: markers shared by several flows, and the path of a flow.
    pub connection: Rgba,
    /// Arrows from causes to effects.
    pub context: Rgba,
}

const fn rgb(hex: u32) -> Rgba {
    let [_, red, green, blue] = hex.to_be_bytes();
    [red, green, blue, 255]
}

/// In the order of [`COLOR_WORDS`].
const DARK_FILLS: [Rgba; PALETTE_LEN] = [
    rgb(0x969dab), // grey
    rgb(0x6f7785), // darkgrey
    rgb(0xa878e0), // purple
    rgb(0xe6b648), // yellow
    rgb(0xe88252), // orange
    rgb(0x4ab8d0), // lightblue
    rgb(0x56b880), // green
    rgb(0x5a94ee), // blue
    rgb(0xe45f66), // red
    rgb(0xd86fc0), // magenta
    rgb(0xb08b63), // brown
    rgb(0x9cd058), // lightgreen
    rgb(0xf29a9a), // lightred
    rgb(0x5c6472), // transparent (idle)
    rgb(0x7d88b8), // ink
    rgb(0x3fb3a6), // teal
];

const LIGHT_FILLS: [Rgba; PALETTE_LEN] = [
    rgb(0xaeb4bf),
    rgb(0x8b929e),
    rgb(0xb98fec),
    rgb(0xecc056),
    rgb(0xf09568),
    rgb(0x5cc4da),
    rgb(0x66c28c),
    rgb(0x74a8f4),
    rgb(0xee767c),
    rgb(0xe286cc),
    rgb(0xbf9c76),
    rgb(0xa8d86a),
    rgb(0xf6acac),
    rgb(0xc6cbd4),
    rgb(0x96a0cc),
    rgb(0x52c2b5),
];

const DARK: Palette = Palette {
    fills: DARK_FILLS,
    background: rgb(0x14161b),
    stripe: rgb(0x181b21),
    heading: rgb(0x1e222a),
    panel: rgb(0x1b1e26),
    grid: [255, 255, 255, 18],
    text: rgb(0xe2e6ee),
    faint_text: rgb(0x8c95a6),
    marker_text: rgb(0x101216),
    accent: rgb(0x5ba0ff),
    selected: rgb(0xffffff),
    hit: rgb(0xffd74a),
    shade: [10, 12, 16, 150],
    connection: rgb(0xffcc55),
    context: rgb(0xc4cad6),
};

const LIGHT: Palette = Palette {
    fills: LIGHT_FILLS,
    background: rgb(0xfbfbfd),
    stripe: rgb(0xf4f5f8),
    heading: rgb(0xe9ebf0),
    panel: rgb(0xf1f2f6),
    grid: [0, 0, 0, 22],
    text: rgb(0x1c2028),
    faint_text: rgb(0x626a78),
    marker_text: rgb(0x14161c),
    accent: rgb(0x1f6feb),
    selected: rgb(0x101216),
    hit: rgb(0xc27a00),
    shade: [238, 240, 245, 170],
    connection: rgb(0xb36b00),
    context: rgb(0x4a5261),
};

impl Palette {
    /// The colors of a theme.
    #[must_use]
    pub const fn for_theme(theme: Theme) -> &'static Self {
        match theme {
            Theme::Dark => &DARK,
            Theme::Light => &LIGHT,
        }
    }
}

/// The same color with another alpha.
#[must_use]
pub const fn with_alpha(color: Rgba, alpha: u8) -> Rgba {
    [color[0], color[1], color[2], alpha]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance (WCAG 2).
    fn luminance(color: Rgba) -> f64 {
        let linear = |channel: u8| {
            let value = f64::from(channel) / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * linear(color[0]) + 0.7152 * linear(color[1]) + 0.0722 * linear(color[2])
    }

    fn contrast(a: Rgba, b: Rgba) -> f64 {
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn text_is_readable_on_every_background() {
        for theme in [Theme::Dark, Theme::Light] {
            let palette = Palette::for_theme(theme);
            for (word, fill) in COLOR_WORDS.iter().zip(palette.fills) {
                let least = if *word == "transparent" || *word == "darkgrey" { 3.0 } else { 4.5 };
                let measured = contrast(palette.marker_text, fill);
                assert!(measured >= least, "{theme:?} {word}: {measured:.1}");
            }
            assert!(contrast(palette.text, palette.panel) >= 7.0);
            assert!(contrast(palette.faint_text, palette.panel) >= 4.5);
            assert!(contrast(palette.text, palette.heading) >= 7.0);
        }
    }

    #[test]
    fn markers_stand_out_from_the_background() {
        for theme in [Theme::Dark, Theme::Light] {
            let palette = Palette::for_theme(theme);
            for (word, fill) in COLOR_WORDS.iter().zip(palette.fills) {
                assert!(contrast(palette.stripe, fill) >= 1.4, "{theme:?} {word}");
            }
        }
    }
}
