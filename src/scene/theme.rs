//! Colours of both themes, as 8-bit sRGB. Fills are chosen for a luminance at which dark text reads on them in either
//! theme and neighbours of one hue differ in lightness too, so that colour-blind eyes tell categories apart.

use crate::index::COLOR_WORDS;
use crate::view::Theme;

/// Red, green, blue, alpha.
pub type Rgba = [u8; 4];

/// Number of palette entries.
pub const PALETTE_LEN: usize = COLOR_WORDS.len();

/// Every colour that the canvas uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Palette {
    /// Fills by palette entry of the index.
    pub fills: [Rgba; PALETTE_LEN],
    /// Behind everything.
    pub background: Rgba,
    /// Behind every other row.
    pub stripe: Rgba,
    /// Behind process and thread headings.
    pub heading: Rgba,
    /// Behind toolbar, ruler and panels.
    pub panel: Rgba,
    /// Lines of the time grid.
    pub grid: Rgba,
    /// Text on panels.
    pub text: Rgba,
    /// Less important text.
    pub faint_text: Rgba,
    /// Text in markers.
    pub marker_text: Rgba,
    /// Time: cursor line, visible range, selected range.
    pub accent: Rgba,
    /// Selected.
    pub selected: Rgba,
    /// Search hits in the overview.
    pub hit: Rgba,
    /// Drawn over what is outside the visible range.
    pub shade: Rgba,
}

const fn rgb(hex: u32) -> Rgba {
    let [_, red, green, blue] = hex.to_be_bytes();
    [red, green, blue, 255]
}

/// In the order of [`COLOR_WORDS`].
const DARK_FILLS: [Rgba; PALETTE_LEN] = [
    rgb(0x96_9d_ab), // grey
    rgb(0x6f_77_85), // darkgrey
    rgb(0xa8_78_e0), // purple
    rgb(0xe6_b6_48), // yellow
    rgb(0xe8_82_52), // orange
    rgb(0x4a_b8_d0), // lightblue
    rgb(0x56_b8_80), // green
    rgb(0x5a_94_ee), // blue
    rgb(0xe4_5f_66), // red
    rgb(0xd8_6f_c0), // magenta
    rgb(0xb0_8b_63), // brown
    rgb(0x9c_d0_58), // lightgreen
    rgb(0xf2_9a_9a), // lightred
    rgb(0x5c_64_72), // transparent (idle)
    rgb(0x7d_88_b8), // ink
    rgb(0x3f_b3_a6), // teal
];

const LIGHT_FILLS: [Rgba; PALETTE_LEN] = [
    rgb(0xae_b4_bf),
    rgb(0x8b_92_9e),
    rgb(0xb9_8f_ec),
    rgb(0xec_c0_56),
    rgb(0xf0_95_68),
    rgb(0x5c_c4_da),
    rgb(0x66_c2_8c),
    rgb(0x74_a8_f4),
    rgb(0xee_76_7c),
    rgb(0xe2_86_cc),
    rgb(0xbf_9c_76),
    rgb(0xa8_d8_6a),
    rgb(0xf6_ac_ac),
    rgb(0xc6_cb_d4),
    rgb(0x96_a0_cc),
    rgb(0x52_c2_b5),
];

const DARK: Palette = Palette {
    fills: DARK_FILLS,
    background: rgb(0x14_16_1b),
    stripe: rgb(0x18_1b_21),
    heading: rgb(0x1e_22_2a),
    panel: rgb(0x1b_1e_26),
    grid: [255, 255, 255, 18],
    text: rgb(0xe2_e6_ee),
    faint_text: rgb(0x8c_95_a6),
    marker_text: rgb(0x10_12_16),
    accent: rgb(0x5b_a0_ff),
    selected: rgb(0xff_ff_ff),
    hit: rgb(0xff_d7_4a),
    shade: [10, 12, 16, 150],
};

const LIGHT: Palette = Palette {
    fills: LIGHT_FILLS,
    background: rgb(0xfb_fb_fd),
    stripe: rgb(0xf4_f5_f8),
    heading: rgb(0xe9_eb_f0),
    panel: rgb(0xf1_f2_f6),
    grid: [0, 0, 0, 22],
    text: rgb(0x1c_20_28),
    faint_text: rgb(0x62_6a_78),
    marker_text: rgb(0x14_16_1c),
    accent: rgb(0x1f_6f_eb),
    selected: rgb(0x10_12_16),
    hit: rgb(0xc2_7a_00),
    shade: [238, 240, 245, 170],
};

impl Palette {
    /// The colours of a theme.
    #[must_use]
    pub const fn of(theme: Theme) -> &'static Self {
        match theme {
            Theme::Dark => &DARK,
            Theme::Light => &LIGHT,
        }
    }
}

/// The same colour with another alpha.
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
    fn text_is_readable_on_everything_it_stands_on() {
        for theme in [Theme::Dark, Theme::Light] {
            let palette = Palette::of(theme);
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
            let palette = Palette::of(theme);
            for (word, fill) in COLOR_WORDS.iter().zip(palette.fills) {
                assert!(contrast(palette.stripe, fill) >= 1.4, "{theme:?} {word}");
            }
        }
    }
}
