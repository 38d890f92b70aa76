//! Motion while a key is held down. It lasts from press to release. Its speed depends neither on the frame rate nor on
//! the system's key repeat.
//!
//! Tapping a key moves by one step at the same speed; the step completes after the release.

use super::axis::TimeAxis;

/// Natural logarithm of the zoom factor per second.
const ZOOM_SPEED: f64 = 3.0;
/// Chart widths per second.
const PAN_SPEED: f64 = 0.75;
/// Vertical scroll speed in points per second.
const SCROLL_SPEED: f64 = 600.0;
/// Duration of the motion caused by a tap in seconds: a zoom by 1.6, or a pan by 12% of the width.
const TAP: f64 = 0.16;

/// Direction of a held key's motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveDirection {
    /// Zoom in.
    ZoomIn,
    /// Zoom out.
    ZoomOut,
    /// Pan to earlier times.
    Left,
    /// Pan to later times.
    Right,
    /// Scroll to rows above.
    Up,
    /// Scroll to rows below.
    Down,
}

impl MoveDirection {
    /// All directions.
    pub const ALL: [Self; 6] = [Self::ZoomIn, Self::ZoomOut, Self::Left, Self::Right, Self::Up, Self::Down];
}

/// A held key.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct HeldKey {
    is_down: bool,
    /// Remaining seconds of the step that the key press started.
    step_left: f64,
}

impl HeldKey {
    /// Seconds of motion in the next `seconds`.
    fn advance(&mut self, seconds: f64) -> f64 {
        let moving = if self.is_down { seconds } else { seconds.min(self.step_left) };
        self.step_left = (self.step_left - moving).max(0.0);
        moving
    }
}

/// The directions of the keys that are held down.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct KeyMotion {
    keys: [HeldKey; MoveDirection::ALL.len()],
    /// Device pixel to zoom about.
    anchor: f64,
}

impl KeyMotion {
    /// Handles a key press; zooming keeps the time at device pixel `anchor` in place.
    #[inline]
    pub fn press(&mut self, direction: MoveDirection, anchor: f64) {
        self.keys[direction as usize] = HeldKey { is_down: true, step_left: TAP };
        self.anchor = anchor;
    }

    /// Handles a key release.
    #[inline]
    pub fn release(&mut self, direction: MoveDirection) {
        self.keys[direction as usize].is_down = false;
    }

    /// Changes the pixel to zoom about; called when the pointer moves.
    #[inline]
    pub fn set_anchor(&mut self, anchor: f64) {
        self.anchor = anchor;
    }

    /// Zoom factor of a tap.
    #[must_use]
    #[inline]
    pub fn tap_zoom() -> f64 {
        (ZOOM_SPEED * TAP).exp()
    }

    /// Distance of a tap in chart widths.
    #[must_use]
    #[inline]
    pub const fn tap_pan() -> f64 {
        PAN_SPEED * TAP
    }

    /// Vertical distance of a tap in points.
    #[must_use]
    #[inline]
    pub const fn tap_scroll() -> f64 {
        SCROLL_SPEED * TAP
    }

    /// Stops immediately, even in the middle of a step.
    #[inline]
    pub fn stop(&mut self) {
        *self = Self::default();
    }

    /// True if anything moves.
    #[must_use]
    #[inline]
    pub fn is_active(&self) -> bool {
        self.keys.iter().any(|key| key.is_down || key.step_left > 0.0)
    }

    /// Moves the axis for `seconds`. Returns the number of points that the rows scroll.
    #[must_use]
    pub fn advance(&mut self, axis: &mut TimeAxis, seconds: f64) -> f64 {
        let seconds = seconds.max(0.0);
        let [zoom_in, zoom_out, left, right, up, down] = self.keys.each_mut().map(|key| key.advance(seconds));
        let zoom = ZOOM_SPEED * (zoom_in - zoom_out);
        if zoom != 0.0 {
            axis.zoom(self.anchor, zoom.exp());
        }
        let pan = PAN_SPEED * (right - left);
        if pan != 0.0 {
            axis.pan(pan * axis.width());
        }
        SCROLL_SPEED * (down - up)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flowline_profile::{Ns, TimeRange};

    fn axis() -> TimeAxis {
        let mut axis = TimeAxis::new(TimeRange::new(Ns(0), Ns(3_600_000_000_000)), 1000.0);
        axis.zoom(500.0, 1e3);
        axis
    }

    /// The axis after `seconds` of motion with frames of these lengths, repeated.
    fn after(seconds: f64, frames: &[f64], direction: MoveDirection) -> TimeAxis {
        let (mut axis, mut held) = (axis(), KeyMotion::default());
        held.press(direction, 250.0);
        let mut time = 0.0;
        for frame in frames.iter().cycle() {
            let step = frame.min(seconds - time);
            let _scroll = held.advance(&mut axis, step);
            time += step;
            if time >= seconds {
                return axis;
            }
        }
        axis
    }

    #[test]
    fn speed_does_not_depend_on_the_frame_rate() {
        for direction in [MoveDirection::ZoomIn, MoveDirection::ZoomOut, MoveDirection::Left, MoveDirection::Right] {
            let smooth = after(1.0, &[1.0 / 144.0], direction);
            for frames in [&[1.0 / 30.0][..], &[0.2], &[0.004, 0.15, 0.03]] {
                let rough = after(1.0, frames, direction);
                let apart = smooth.pixel(rough.origin().0).abs();
                assert!(apart < 0.01 && (smooth.ns_per_pixel() / rough.ns_per_pixel() - 1.0).abs() < 1e-9, "{apart}");
            }
        }
    }

    #[test]
    fn a_tap_moves_one_step_even_within_a_single_frame() {
        let (mut axis, mut held) = (axis(), KeyMotion::default());
        let before = axis.ns_per_pixel();
        held.press(MoveDirection::ZoomIn, 0.0);
        held.release(MoveDirection::ZoomIn);
        for _ in 0..60 {
            let _scroll = held.advance(&mut axis, 1.0 / 60.0);
        }
        assert!(!held.is_active());
        let factor = before / axis.ns_per_pixel();
        assert!((factor - KeyMotion::tap_zoom()).abs() < 1e-6, "{factor}");
    }

    #[test]
    fn opposite_keys_cancel_each_other() {
        let (mut axis, mut held) = (axis(), KeyMotion::default());
        let before = axis;
        held.press(MoveDirection::Left, 0.0);
        held.press(MoveDirection::Right, 0.0);
        assert_eq!(held.advance(&mut axis, 0.1), 0.0);
        assert_eq!(axis, before);
    }
}
