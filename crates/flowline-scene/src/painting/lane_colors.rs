//! Colors of overview, ruler, milestones and notes.

use crate::theme::{Palette, Rgba, with_alpha};
use flowline_index::page_load::MilestoneKind;

/// Share of the color in the tint of a flag, in 255ths: 22 %.
const TINT: u8 = 56;
/// Opacity of a pole in the chart, in 255ths: 55 %.
const POLE: u8 = 140;
/// Opacity of the shade outside the visible range, in 255ths: 62 %.
const SHADE: u8 = 158;

/// The color of a milestone.
pub(crate) const fn of_milestone(palette: &Palette, kind: MilestoneKind) -> Rgba {
    match kind {
        MilestoneKind::DomContentLoaded => palette.accent,
        MilestoneKind::Load => palette.fills[8],
        MilestoneKind::Mark => palette.fills[9],
        MilestoneKind::Navigation => palette.faint_text,
        _ => palette.fills[6],
    }
}

/// A tint of a color over a background, without transparency, so that lines behind it do not show.
pub(crate) fn tint(color: Rgba, background: Rgba) -> Rgba {
    let mix = |channel: usize| {
        let (own, below) = (u32::from(color[channel]), u32::from(background[channel]));
        let mixed = (own * u32::from(TINT) + below * u32::from(255 - TINT) + 127) / 255;
        u8::try_from(mixed).unwrap_or(u8::MAX)
    };
    [mix(0), mix(1), mix(2), 255]
}

/// The color of a pole in the chart.
pub(crate) const fn pole(color: Rgba) -> Rgba {
    with_alpha(color, POLE)
}

/// Drawn over the overview outside the visible range.
pub(crate) const fn shade(palette: &Palette) -> Rgba {
    with_alpha(palette.shade, SHADE)
}
