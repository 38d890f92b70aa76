//! The animation of the time axis.

use super::axis::TimeAxis;
use flowline_profile::{Ns, TimeRange};

/// Time constant of animations in seconds: the time in which an animation covers 63% of its distance.
const MOTION_TIME: f64 = 0.06;
/// An animation ends when the remaining distance is below this: a logarithmic zoom factor or a number of pixels.
const MOTION_REST: f64 = 0.002;

/// The animation of an axis: a zoom about a fixed pixel, or a pan. A new animation can start from any state of the
/// previous one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Motion {
    /// Natural logarithm of the remaining zoom factor, and the pixel to zoom about.
    zoom: Option<(f64, f64)>,
    /// Remaining device pixels to pan.
    pan: f64,
    /// The exact view at the end of an animation to a range.
    goal: Option<TimeRange>,
}

impl Motion {
    /// Adds a zoom about a pixel.
    #[inline]
    pub fn zoom(&mut self, pixel: f64, factor: f64) {
        let left = self.zoom.map_or(0.0, |(left, _)| left);
        *self = Self { zoom: Some((left + factor.ln(), pixel)), pan: 0.0, goal: None };
    }

    /// Adds a pan.
    #[inline]
    pub fn pan(&mut self, pixels: f64) {
        *self = Self { zoom: None, pan: self.pan + pixels, goal: None };
    }

    /// Animates to a range: a zoom about the pixel that both views share, or a pan if both have the same length.
    pub fn show(&mut self, axis: &TimeAxis, range: TimeRange) {
        let mut goal = *axis;
        goal.show(range);
        let factor = axis.ns_per_pixel() / goal.ns_per_pixel();
        let (origin, fraction) = goal.origin();
        let distance = axis.pixel(origin) + fraction / axis.ns_per_pixel();
        let anchor = distance / (1.0 - 1.0 / factor);
        let far = !anchor.is_finite() || anchor.abs() > 1e6 * axis.width();
        *self = if far {
            Self { zoom: None, pan: distance, goal: Some(range) }
        } else {
            Self { zoom: Some((factor.ln(), anchor)), pan: 0.0, goal: Some(range) }
        };
    }

    /// The same animation on a clock that is `by` ahead.
    #[must_use]
    #[inline]
    pub fn shifted(&self, by: Ns) -> Self {
        Self { goal: self.goal.map(|goal| goal.shifted(by)), ..*self }
    }

    /// True if no animation is running.
    #[must_use]
    #[inline]
    pub const fn is_done(&self) -> bool {
        self.zoom.is_none() && self.pan == 0.0 && self.goal.is_none()
    }

    /// Stops the animation.
    #[inline]
    pub fn stop(&mut self) {
        *self = Self::default();
    }

    /// Moves the axis by `seconds` of the animation.
    pub fn advance(&mut self, axis: &mut TimeAxis, seconds: f64) {
        let part = 1.0 - (-seconds.clamp(0.0, 0.1) / MOTION_TIME).exp();
        if let Some((left, pixel)) = self.zoom {
            let step = if left.abs() < MOTION_REST { left } else { left * part };
            let before = axis.ns_per_pixel();
            axis.zoom(pixel, step.exp());
            let stuck = (axis.ns_per_pixel() / before).ln().abs() < step.abs() * 0.01;
            self.zoom = (left != step && !stuck).then_some((left - step, pixel));
        }
        if self.pan != 0.0 {
            let step = if self.pan.abs() < 0.5 { self.pan } else { self.pan * part };
            let before = axis.origin();
            axis.pan(step);
            self.pan = if before == axis.origin() { 0.0 } else { self.pan - step };
        }
        if self.zoom.is_none()
            && self.pan == 0.0
            && let Some(goal) = self.goal.take()
        {
            axis.show(goal);
        }
    }

    /// Completes the animation immediately.
    pub fn finish(&mut self, axis: &mut TimeAxis) {
        if let Some(goal) = self.goal {
            axis.show(goal);
        } else {
            if let Some((left, pixel)) = self.zoom {
                axis.zoom(pixel, left.exp());
            }
            axis.pan(self.pan);
        }
        self.stop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn motions_arrive_exactly() {
        const HOUR: i64 = 3_600_000_000_000;
        let target = TimeRange::new(Ns(6 * HOUR), Ns(6 * HOUR + 1000));
        let mut axis = TimeAxis::new(TimeRange::new(Ns(5 * HOUR), Ns(9 * HOUR)), 1600.0);
        let mut motion = Motion::default();
        motion.show(&axis, target);
        for _ in 0..1000 {
            motion.advance(&mut axis, 1.0 / 60.0);
        }
        assert!(motion.is_done());
        assert_eq!(axis.visible(), target);
    }
}
