//! Contrast ratios and distances of the colors, as the documentation of the theme states them.

use super::*;

const THEMES: [Theme; 2] = [Theme::Dark, Theme::Light];

/// Linear light of the three channels, 0 to 1.
fn linear(color: Rgba) -> [f64; 3] {
    let channel = |channel: u8| {
        let value = f64::from(channel) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    [channel(color[0]), channel(color[1]), channel(color[2])]
}

/// Contrast ratio (WCAG 2).
fn contrast(a: Rgba, b: Rgba) -> f64 {
    let luminance = |color| {
        let [red, green, blue] = linear(color);
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    };
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

/// `color` at `opacity` over `below`.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a mix of bytes is a byte")]
fn over(color: Rgba, opacity: f64, below: Rgba) -> Rgba {
    let mix = |at: usize| (f64::from(color[at]) * opacity + f64::from(below[at]) * (1.0 - opacity)).round() as u8;
    [mix(0), mix(1), mix(2), 255]
}

/// The color in OKLab (Ottosson 2020), as seen through a matrix on linear light.
fn oklab(color: Rgba, vision: [[f64; 3]; 3]) -> [f64; 3] {
    let times = |matrix: [[f64; 3]; 3], [x, y, z]: [f64; 3]| matrix.map(|[a, b, c]| a * x + b * y + c * z);
    let seen = times(vision, linear(color)).map(|channel| channel.clamp(0.0, 1.0));
    let cones = times(
        [
            [0.412_221_470_8, 0.536_332_536_3, 0.051_445_992_9],
            [0.211_903_498_2, 0.680_699_545_1, 0.107_396_956_6],
            [0.088_302_461_9, 0.281_718_837_6, 0.629_978_700_5],
        ],
        seen,
    );
    times(
        [
            [0.210_454_255_3, 0.793_617_785, -0.004_072_046_8],
            [1.977_998_495_1, -2.428_592_205, 0.450_593_709_9],
            [0.025_904_037_1, 0.782_771_766_2, -0.808_675_766],
        ],
        cones.map(f64::cbrt),
    )
}

/// Distance of two colors in OKLab, times 100.
fn distance(a: Rgba, b: Rgba, vision: [[f64; 3]; 3]) -> f64 {
    let (a, b) = (oklab(a, vision), oklab(b, vision));
    100.0 * a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
}

const NORMAL: [[f64; 3]; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
const PROTANOPIA: [[f64; 3]; 3] =
    [[0.152_286, 1.052_583, -0.204_868], [0.114_503, 0.786_281, 0.099_216], [-0.003_882, -0.048_116, 1.051_998]];
const DEUTERANOPIA: [[f64; 3]; 3] =
    [[0.367_322, 0.860_646, -0.227_968], [0.280_085, 0.672_501, 0.047_413], [-0.011_820, 0.042_940, 0.968_881]];

/// Requires a contrast ratio.
fn require(what: &str, front: Rgba, back: Rgba, least: f64) {
    let measured = contrast(front, back);
    assert!(measured >= least, "{what}: {measured:.2}, at least {least}");
}

#[test]
fn borders_keep_slices_side_by_side_apart() {
    for theme in THEMES {
        let palette = Palette::for_theme(theme);
        for (entry, border) in palette.borders().into_iter().enumerate().take(10) {
            require(&format!("{theme:?} border of {entry} on its fill"), border, palette.fills[entry], 1.25);
            if theme == Theme::Light {
                require(&format!("border of {entry} on the canvas"), border, palette.canvas, 3.29);
            }
        }
    }
}

#[test]
fn text_is_readable_on_every_surface() {
    for theme in THEMES {
        let palette = Palette::for_theme(theme);
        let surfaces = [palette.canvas, palette.stripe, palette.panel, palette.heading, palette.raised, palette.inset];
        for surface in surfaces {
            require(&format!("{theme:?} text"), palette.text, surface, 7.0);
            for (name, color) in [
                ("text2", palette.text2),
                ("text3", palette.text3),
                ("link", palette.link),
                ("good", palette.good),
                ("warn", palette.warn),
                ("bad", palette.bad),
            ] {
                require(&format!("{theme:?} {name} on {surface:?}"), color, surface, 4.5);
            }
        }
        require("on_accent", palette.on_accent, palette.accent_fill, 4.5);
        require("text on accent_fill", palette.text, palette.accent_fill, 4.5);
        require("text2 on accent_soft", palette.text2, palette.accent_soft, 4.5);
        for (name, color) in [
            ("good", palette.good),
            ("warn", palette.warn),
            ("bad", palette.bad),
            ("milestone_dcl", palette.milestone_dcl),
            ("search_match", palette.search_match),
        ] {
            require(
                &format!("{theme:?} text on a flag of {name}"),
                palette.text,
                over(color, 0.22, palette.canvas),
                4.5,
            );
            require(
                &format!("{theme:?} text on a banner of {name}"),
                palette.text,
                over(color, 0.13, palette.panel),
                4.5,
            );
        }
    }
}

#[test]
fn controls_and_marks_stand_out() {
    for theme in THEMES {
        let palette = Palette::for_theme(theme);
        for (name, color) in [
            ("accent", palette.accent),
            ("select", palette.select),
            ("search_match", palette.search_match),
            ("flow", palette.flow),
            ("line_strong", palette.line_strong),
            ("milestone_fcp", palette.milestone_fcp),
            ("milestone_dcl", palette.milestone_dcl),
            ("milestone_load", palette.milestone_load),
        ] {
            require(&format!("{theme:?} {name}"), color, palette.canvas, 3.0);
        }
        require("accent on panel", palette.accent, palette.panel, 3.0);
        require("input border", palette.line_strong, palette.panel, 3.0);
    }
}

#[test]
fn slices_stand_out_and_their_text_is_readable() {
    for theme in THEMES {
        let palette = Palette::for_theme(theme);
        for kind in Kind::ALL {
            let edge = palette.edge(kind as u8);
            let fill = palette.kind(kind);
            require(&format!("{theme:?} ink on {kind:?}"), palette.ink, fill, 4.5);
            let least = if theme == Theme::Light { 3.3 } else { 4.5 };
            require(&format!("{theme:?} edge of {kind:?}"), edge, palette.canvas, least);
            require(&format!("{theme:?} edge of {kind:?} on a stripe"), edge, palette.stripe, 3.0);
            let waiting = over(fill, 0.38, palette.canvas);
            require(&format!("{theme:?} text on a waiting request of {kind:?}"), palette.text, waiting, 4.5);
        }
        // The other entries have text and edges, too.
        for entry in 10..16 {
            require(&format!("{theme:?} text on {entry}"), palette.label_on(entry), palette.fill(entry), 4.5);
            require(&format!("{theme:?} edge of {entry}"), palette.edge(entry), palette.canvas, 3.0);
        }
    }
}

#[test]
fn the_palest_mark_is_visible_on_a_grid_line() {
    for theme in THEMES {
        let palette = Palette::for_theme(theme);
        for entry in 0..16 {
            // Marks narrower than a pixel keep at least 45 % of their color.
            let mark = over(palette.edge(entry), 0.45, palette.canvas);
            for (name, back) in [("grid", palette.grid), ("canvas", palette.canvas), ("stripe", palette.stripe)] {
                require(&format!("{theme:?} mark of {entry} on {name}"), mark, back, 1.3);
            }
        }
    }
}

#[test]
fn everyone_can_tell_the_kinds_apart() {
    // The least distances of the pairs of kinds, dark and light.
    for (vision, least) in [(NORMAL, [10.2, 9.0]), (PROTANOPIA, [7.0, 5.0]), (DEUTERANOPIA, [7.0, 5.0])] {
        for (theme, least) in THEMES.into_iter().zip(least) {
            let palette = Palette::for_theme(theme);
            for (at, a) in Kind::ALL.into_iter().enumerate() {
                for b in &Kind::ALL[at + 1..] {
                    let measured = distance(palette.kind(a), palette.kind(*b), vision);
                    assert!(measured >= least, "{theme:?}: {a:?} and {b:?} differ by {measured:.1}");
                }
            }
        }
    }
}
