//! Colors of both themes, as 8-bit sRGB tokens. Color states the kind of work, red states harm, blue states time or
//! control, and white or black states selection; nothing else is colored.
//!
//! The tests prove the contrast ratios (WCAG 2) and the distances between kinds for people with normal and with
//! color-deficient vision (Machado, Oliveira and Fernandes 2009, full severity; distances in OKLab, times 100).

use flowline_index::IDLE_ENTRY;
use flowline_profile::Kind;
use flowline_view::Theme;

/// Red, green, blue, alpha.
pub type Rgba = [u8; 4];

/// Edges that differ less from their fills, as a sum over the channels, are not seen on them.
const LEAST_DIFFERENCE: u32 = 40;

/// Number of fills.
pub const PALETTE_LEN: usize = flowline_index::PALETTE_ENTRIES;

/// The colors of a theme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Palette {
    /// Fills by palette entry of the index: the kinds, then idle, two shades of `System`, harm and warnings.
    pub fills: [Rgba; PALETTE_LEN],
    /// Outlines of slices, and the color of slices narrower than 3 px, by palette entry. They contrast with the canvas,
    /// and the palest marks with grid lines.
    pub edges: [Rgba; PALETTE_LEN],
    /// Background of the canvas.
    pub canvas: Rgba,
    /// Background of every other row.
    pub stripe: Rgba,
    /// Background of toolbar, ruler and panels.
    pub panel: Rgba,
    /// Background of process and thread headings.
    pub heading: Rgba,
    /// Background of raised surfaces: menus, tooltips, cards, hovered rows.
    pub raised: Rgba,
    /// Background of text fields.
    pub inset: Rgba,
    /// Decorative separators.
    pub line: Rgba,
    /// Borders of inputs and floating surfaces.
    pub line_strong: Rgba,
    /// Lines of the time grid.
    pub grid: Rgba,
    /// Text.
    pub text: Rgba,
    /// Secondary text.
    pub text2: Rgba,
    /// Hints and disabled text, never data.
    pub text3: Rgba,
    /// Text in slices.
    pub ink: Rgba,
    /// Time and focus: the visible range, the selected range, the focus ring.
    pub accent: Rgba,
    /// Background of pressed and chosen controls, and of selected rows.
    pub accent_fill: Rgba,
    /// Background of the selected range and the focused row.
    pub accent_soft: Rgba,
    /// Text on `accent_fill`.
    pub on_accent: Rgba,
    /// Outline of the selected slice.
    pub select: Rgba,
    /// Search matches.
    pub search_match: Rgba,
    /// Arrows and links of flows.
    pub flow: Rgba,
    /// Links in text.
    pub link: Rgba,
    /// Good values.
    pub good: Rgba,
    /// Values to look at, and waits.
    pub warn: Rgba,
    /// Harm.
    pub bad: Rgba,
    /// Drawn over the overview outside the visible range.
    pub shade: Rgba,
    /// First and largest contentful paint.
    pub milestone_fcp: Rgba,
    /// `DOMContentLoaded`.
    pub milestone_dcl: Rgba,
    /// The load event.
    pub milestone_load: Rgba,
}

const fn rgb(hex: u32) -> Rgba {
    let [_, red, green, blue] = hex.to_be_bytes();
    [red, green, blue, 255]
}

/// The fills of a theme: the kinds by their numbers, then idle, two shades of `System`, harm and warnings.
const fn fills(kinds: [u32; 10], others: [u32; 6]) -> [Rgba; PALETTE_LEN] {
    let mut fills = [[0; 4]; PALETTE_LEN];
    let mut at = 0;
    while at < PALETTE_LEN {
        fills[at] = rgb(if at < 10 { kinds[at] } else { others[at - 10] });
        at += 1;
    }
    fills
}

const DARK_FILLS: [Rgba; PALETTE_LEN] = fills(
    [0x8C93A7, 0xEFC440, 0x8C71CB, 0x5DBB76, 0x6A9DF8, 0x6AD6F5, 0xDB6B18, 0xCDEBA6, 0x548A7B, 0xF89BC1],
    [0x2B313D, 0x9FA6BB, 0x7A8094, 0xFF6B6B, 0xF2B13C, 0x8C93A7],
);

const LIGHT_FILLS: [Rgba; PALETTE_LEN] = fills(
    [0x9BA2B3, 0xF5CE55, 0x9C80E2, 0x79CF91, 0x86B4FF, 0x8FE3FA, 0xEE8A45, 0xD6EEB5, 0x64A08F, 0xFFB8D6],
    [0xD5D9E1, 0xAEB5C7, 0x898FA0, 0xE87478, 0xE0A54A, 0x9BA2B3],
);

const LIGHT_EDGES: [Rgba; PALETTE_LEN] = fills(
    [0x868D9D, 0xAE8800, 0x997DDF, 0x479D63, 0x628ED6, 0x4298AD, 0xD4732A, 0x7F945F, 0x5C9887, 0xBA7995],
    [0x858D9B, 0x868D9D, 0x7E8596, 0xC4282D, 0x9A5B00, 0x868D9D],
);

/// Idle has the color of lines, so its edge is that of strong lines: narrow marks would vanish on the grid.
const DARK_EDGES: [Rgba; PALETTE_LEN] = {
    let mut edges = DARK_FILLS;
    edges[IDLE_ENTRY as usize] = rgb(0x6E7889);
    edges
};

const DARK: Palette = Palette {
    fills: DARK_FILLS,
    edges: DARK_EDGES,
    canvas: rgb(0x12151B),
    stripe: rgb(0x161A21),
    panel: rgb(0x1A1E26),
    heading: rgb(0x1D222B),
    raised: rgb(0x232833),
    inset: rgb(0x0E1116),
    line: rgb(0x2B313D),
    line_strong: rgb(0x6E7889),
    grid: rgb(0x20252E),
    text: rgb(0xE6EAF2),
    text2: rgb(0xA9B2C2),
    text3: rgb(0x8791A3),
    ink: rgb(0x0B0D12),
    accent: rgb(0x6CA6FF),
    accent_fill: rgb(0x1F3F73),
    accent_soft: rgb(0x1B2A44),
    on_accent: rgb(0xE6EEFF),
    select: rgb(0xFFFFFF),
    search_match: rgb(0xFFD54A),
    flow: rgb(0xFFC24D),
    link: rgb(0x7FB2FF),
    good: rgb(0x4FC27B),
    warn: rgb(0xF2B13C),
    bad: rgb(0xFF6B6B),
    shade: with_alpha(rgb(0x0A0C10), 158),
    milestone_fcp: rgb(0x4FC27B),
    milestone_dcl: rgb(0x7FB2FF),
    milestone_load: rgb(0xFF8A8A),
};

const LIGHT: Palette = Palette {
    fills: LIGHT_FILLS,
    edges: LIGHT_EDGES,
    canvas: rgb(0xFFFFFF),
    stripe: rgb(0xF7F8FA),
    panel: rgb(0xF3F4F7),
    heading: rgb(0xECEEF2),
    raised: rgb(0xFFFFFF),
    inset: rgb(0xFFFFFF),
    line: rgb(0xD5D9E1),
    line_strong: rgb(0x858D9B),
    grid: rgb(0xE9ECF1),
    text: rgb(0x171B22),
    text2: rgb(0x464E5C),
    text3: rgb(0x5B6473),
    ink: rgb(0x12151B),
    accent: rgb(0x1A62D6),
    accent_fill: rgb(0xD6E4FC),
    accent_soft: rgb(0xE8F0FE),
    on_accent: rgb(0x0C3F94),
    select: rgb(0x12151B),
    search_match: rgb(0xB26B00),
    flow: rgb(0xA85B00),
    link: rgb(0x1A5BC4),
    good: rgb(0x1B7A42),
    warn: rgb(0x9A5B00),
    bad: rgb(0xC4282D),
    shade: with_alpha(rgb(0xE4E7ED), 158),
    milestone_fcp: rgb(0x1B7A42),
    milestone_dcl: rgb(0x1A5BC4),
    milestone_load: rgb(0xC4282D),
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

    /// The fill of a palette entry of the index.
    #[must_use]
    pub fn fill(&self, entry: u8) -> Rgba {
        self.fills[usize::from(entry) % PALETTE_LEN]
    }

    /// The outline of a palette entry of the index.
    #[must_use]
    pub fn edge(&self, entry: u8) -> Rgba {
        self.edges[usize::from(entry) % PALETTE_LEN]
    }

    /// Borders of slices, which keep slices side by side apart: the edge where it is seen on the fill. On a light canvas,
    /// else a darker fill; on a dark one, whose fills have no edges, the fill mixed with the canvas.
    #[must_use]
    pub fn borders(&self) -> [Rgba; PALETTE_LEN] {
        std::array::from_fn(|entry| {
            let (fill, edge) = (self.fills[entry], self.edges[entry]);
            let difference: u32 = (0..3).map(|channel| u32::from(fill[channel].abs_diff(edge[channel]))).sum();
            match difference {
                0 => mix(fill, self.canvas, 0.34),
                1..LEAST_DIFFERENCE => mix(fill, self.text, 0.3),
                _ => edge,
            }
        })
    }

    /// The color of text on a palette entry of the index.
    #[must_use]
    pub const fn label_on(&self, entry: u8) -> Rgba {
        if entry == IDLE_ENTRY { self.text } else { self.ink }
    }

    /// The color of text on a fill of the palette.
    #[must_use]
    pub fn label_on_fill(&self, fill: Rgba) -> Rgba {
        if fill == self.fill(IDLE_ENTRY) { self.text } else { self.ink }
    }

    /// The fill of a kind.
    #[must_use]
    pub fn kind(&self, kind: Kind) -> Rgba {
        self.fill(kind as u8)
    }
}

/// Mixes two colors; `part` (0 to 1) is the share of the second one. The result is opaque.
#[must_use]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "channels are bytes")]
pub(crate) fn mix(a: Rgba, b: Rgba, part: f32) -> Rgba {
    let channel =
        |at: usize| (f32::from(a[at]) * (1.0 - part) + f32::from(b[at]) * part).round().clamp(0.0, 255.0) as u8;
    [channel(0), channel(1), channel(2), u8::MAX]
}

/// The same color with another alpha.
#[must_use]
pub const fn with_alpha(color: Rgba, alpha: u8) -> Rgba {
    [color[0], color[1], color[2], alpha]
}

#[cfg(test)]
mod tests;
