//! Colors of overview, ruler, milestones and notes.

use crate::theme::{Palette, Rgba, with_alpha};
use flowline_insights::page_load::{MilestoneKind, Rating};
use flowline_profile::Kind;

/// Share of the color in the tint of a flag, in 255ths: 22 %.
const TINT: u8 = 56;
/// Opacity of a pole in the chart, in 255ths: 55 %.
const POLE: u8 = 140;

/// The color of a milestone. The paint of an interaction has the color of its rating, as its box has.
pub(crate) const fn of_milestone(palette: &Palette, kind: MilestoneKind, rating: Option<Rating>) -> Rgba {
    match kind {
        MilestoneKind::DomContentLoaded => palette.milestone_dcl,
        MilestoneKind::Load => palette.milestone_load,
        MilestoneKind::Mark => palette.fills[Kind::User as usize],
        MilestoneKind::Navigation => palette.text3,
        MilestoneKind::InteractionToNextPaint => match rating {
            Some(Rating::Good) => palette.good,
            Some(Rating::NeedsImprovement) => palette.warn,
            Some(Rating::Poor) => palette.bad,
            None => palette.text3,
        },
        _ => palette.milestone_fcp,
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
