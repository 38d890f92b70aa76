//! Scale of the interface: a factor on top of the screen's device pixels per point. egui stores it, and the canvas
//! reads it from there with the other metrics, so text stays sharp and hit testing stays exact.

use egui::Context;

use flowline_profile::Direction;

/// The minimum and maximum factor.
pub const SCALE_LIMITS: (f32, f32) = (0.5, 3.0);
/// Step between two factors.
const STEP: f32 = 0.1;

/// Rounds a factor to a whole step within the limits. Returns 1 for NaN and infinities.
#[must_use]
pub fn clamp_scale(factor: f32) -> f32 {
    if !factor.is_finite() {
        return 1.0;
    }
    (factor.clamp(SCALE_LIMITS.0, SCALE_LIMITS.1) / STEP).round() * STEP
}

/// Makes the interface one step larger (forward) or smaller (back), or resets it (`None`).
pub(crate) fn change(context: &Context, step: Option<Direction>) {
    let factor = context.zoom_factor();
    context.set_zoom_factor(clamp_scale(match step {
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
            assert!((clamp_scale(given) - expected).abs() < 1e-6, "{given}");
        }
    }
}
