//! The parts of a flow that its rule determines: the box around its main interval, the lines to the markers before and
//! after it, and the faded part of the box. Flow tracks, flow lanes and the flow panel draw the same parts.

use super::shape_rows::pack;
use crate::flows::rules::{FlowAppearance, FlowPlacement};
use crate::rows::{Clock, Packed, Style};
use flowline_profile::{Ns, TimeRange};

/// Opacity of a box with a fade, outside the fade.
const PLAIN_OPACITY: f32 = 0.2;

/// A box with its lines and fades, in ticks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RuleBox {
    /// The main interval.
    pub main: Packed,
    /// The time before and after it.
    lines: [Option<Packed>; 2],
    /// The plain part of a box with a fade, then its faded part. The color byte is the opacity of the background over
    /// them.
    fades: [Option<Packed>; 2],
}

impl RuleBox {
    /// The box of a flow as its rule places it.
    pub(crate) fn new(clock: Clock, placed: &FlowPlacement) -> Self {
        Self::of_parts(clock, placed.color, (placed.range, placed.main), placed.fade)
    }

    /// The box of a flow, if its rule describes one.
    #[must_use]
    pub(crate) fn of(clock: Clock, appearance: &FlowAppearance, range: TimeRange) -> Option<Self> {
        let FlowAppearance { color, main, fade, is_boxed, .. } = *appearance;
        is_boxed.then(|| Self::of_parts(clock, color, (range, main), fade))
    }

    fn of_parts(clock: Clock, color: u8, (range, main): (TimeRange, TimeRange), fade: Option<(Ns, f32)>) -> Self {
        let style = Style::new(color);
        let part =
            |start: Ns, end: Ns, style: Style| (end > start).then(|| pack(clock, TimeRange { start, end }, style));
        let lines = [part(range.start, main.start, style), part(main.end.max(range.start), range.end, style)];
        let fades = fade.filter(|(from, _)| *from < main.end).map_or([None; 2], |(from, opacity)| {
            // The rest of the box is faint, too; the fade exceeds or undercuts it.
            let at = from.max(main.start);
            [part(main.start, at, veil(PLAIN_OPACITY)), part(at, main.end, veil(opacity))]
        });
        Self { main: pack(clock, main, style), lines, fades }
    }

    /// The lines before and after the main interval.
    pub fn lines(&self) -> impl Iterator<Item = Packed> + use<> {
        self.lines.into_iter().flatten()
    }

    /// The parts of a box with a fade; none without a fade.
    pub fn fades(&self) -> impl Iterator<Item = Packed> + use<> {
        self.fades.into_iter().flatten()
    }

    /// The part of the box that the fade of the rule covers.
    #[must_use]
    pub const fn faded(&self) -> Option<Packed> {
        self.fades[1]
    }
}

/// Opacity of the background over a box of this opacity, encoded as a style's color.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to 255")]
#[inline]
fn veil(opacity: f32) -> Style {
    Style::of_opacity(((1.0 - opacity.clamp(0.0, 1.0)) * 255.0) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_has_lines_on_both_sides_and_a_faded_end() {
        let clock = Clock::default();
        let range = |start, end| TimeRange { start: Ns(start), end: Ns(end) };
        let ticks = |packed: Packed| (packed.start(), packed.end());
        let shape = RuleBox::of_parts(clock, 3, (range(0, 100), range(20, 80)), Some((Ns(50), 0.4)));
        assert_eq!(ticks(shape.main), (20, 80));
        assert_eq!(shape.lines().map(ticks).collect::<Vec<_>>(), [(0, 20), (80, 100)]);
        let fades: Vec<_> = shape.fades().map(|fade| (ticks(fade), fade.style().opacity())).collect();
        assert_eq!(fades, [((20, 50), 204), ((50, 80), 153)]);
        assert_eq!(shape.faded().map(ticks), Some((50, 80)));
        let late = RuleBox::of_parts(clock, 3, (range(0, 100), range(0, 80)), Some((Ns(80), 0.4)));
        assert_eq!((late.lines().count(), late.fades().count()), (1, 0), "a fade from the end on covers nothing");
    }
}
