//! The scale of the interface: a factor on top of the screen's own device pixels per point. egui has it; the canvas takes it from
//! there with everything else, so text stays sharp and the pointer hits what it is over.

use egui::Context;

use flowline_profile::Direction;

/// The least and the greatest factor.
pub const SCALES: (f32, f32) = (0.5, 3.0);
/// The factor changes by this much.
const STEP: f32 = 0.1;

/// A factor that can be used: within the limits, in whole steps. What is no number is 1.
#[must_use]
pub fn usable_scale(factor: f32) -> f32 {
    if !factor.is_finite() {
        return 1.0;
    }
    (factor.clamp(SCALES.0, SCALES.1) / STEP).round() * STEP
}

/// Makes the interface one step larger (forward) or smaller, or its usual size.
pub(crate) fn change(context: &Context, step: Option<Direction>) {
    let factor = context.zoom_factor();
    context.set_zoom_factor(usable_scale(match step {
        None => 1.0,
        Some(Direction::Forward) => factor + STEP,
        Some(Direction::Back) => factor - STEP,
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_are_steps_within_limits() {
        for (given, expected) in [(1.0, 1.0), (1.26, 1.3), (0.0, 0.5), (99.0, 3.0), (f32::NAN, 1.0)] {
            assert!((usable_scale(given) - expected).abs() < 1e-6, "{given}");
        }
    }
}
