//! The axis as the shader sees it, and the shader's arithmetic in Rust: from ticks to pixel columns.
//!
//! `columns` mirrors `columns` of `shaders/marker.wgsl` operation by operation; a test compares the two on a GPU. Hit
//! testing, labels and the CPU reference use it too, so what the pointer hits is what is drawn there.

use crate::index::{Clock, Packed};
use crate::view::TimeAxis;

/// Device pixels beyond the view's edges at which columns are clamped.
pub const BEYOND: f32 = 64.0;

/// Ticks to device pixels: subtract the origin as integers, then scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AxisMap {
    /// Tick at the left edge, rounded down; negative before tick zero.
    pub origin: i64,
    /// What was rounded off, in [0, 1) ticks.
    pub fraction: f32,
    /// Device pixels a tick lasts.
    pub pixels_per_tick: f32,
    /// Width in device pixels.
    pub width: f32,
}

impl AxisMap {
    /// The map of an axis under a clock.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "f32 is what the shader has")]
    pub fn new(axis: &TimeAxis, clock: Clock) -> Self {
        let (origin, fraction) = axis.origin();
        let tick_ns = i64::try_from(clock.tick_ns()).unwrap_or(i64::MAX);
        let since = origin.0.saturating_sub(clock.base().0);
        let rest = since.rem_euclid(tick_ns) as f64 + fraction;
        Self {
            origin: since.div_euclid(tick_ns),
            fraction: (rest / tick_ns as f64) as f32,
            pixels_per_tick: (tick_ns as f64 / axis.ns_per_pixel()) as f32,
            width: axis.width() as f32,
        }
    }

    /// Ticks a device pixel lasts.
    #[must_use]
    pub fn ticks_per_pixel(&self) -> f64 {
        1.0 / f64::from(self.pixels_per_tick)
    }

    /// The whole device pixel of a grid that is fixed in time and repeats every `period` pixels (a whole number) on which
    /// the view's left edge lies: it moves with the view by whole pixels, however far from tick zero. In [0, period).
    #[must_use]
    #[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "ticks have 48 bits")]
    pub fn phase(&self, period: f32) -> f32 {
        let ticks = f64::from(period) * self.ticks_per_pixel();
        let rest = (self.origin as f64).rem_euclid(ticks) + f64::from(self.fraction);
        ((rest * f64::from(self.pixels_per_tick)) % f64::from(period)).floor() as f32
    }

    /// Unrounded device pixels from the left edge to a tick.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "the shader's own precision")]
    pub fn pixel(&self, tick: u64) -> f32 {
        let distance = i64::try_from(tick).unwrap_or(i64::MAX).wrapping_sub(self.origin);
        let magnitude = distance.unsigned_abs();
        let high = (magnitude >> 32) as f32;
        let low = (magnitude & 0xffff_ffff) as f32;
        let length = high * 4_294_967_296.0 + low;
        let signed = if distance < 0 { -length } else { length };
        (signed - self.fraction) * self.pixels_per_tick
    }

    /// First and one-past-last pixel column of a span, at least one column, clamped so far outside the view that no border
    /// of a clamped end is seen.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "clamped to the width before")]
    pub fn columns(&self, packed: Packed) -> (i32, i32) {
        let (low, high) = (-BEYOND, self.width + BEYOND);
        let first = self.pixel(packed.start()).floor().clamp(low, high);
        let last = self.pixel(packed.end());
        // A span that ends in a point lights the point's column, even if it lies exactly on the column's edge.
        let end = if packed.style().ends_in_point() { last.ceil().max(last.floor() + 1.0) } else { last.ceil() };
        let end = end.clamp(low, high).max(first + 1.0);
        (first as i32, end as i32)
    }

    /// Ticks that cover a range of pixels, a pixel wider on both sides to be safe; closed.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturating on purpose")]
    pub fn ticks(&self, from_pixel: f64, to_pixel: f64) -> (u64, u64) {
        let tick = |pixel: f64| {
            let offset = (pixel * self.ticks_per_pixel() + f64::from(self.fraction)) as i64;
            self.origin.saturating_add(offset).max(0) as u64
        };
        (tick(from_pixel - 1.0).saturating_sub(1), tick(to_pixel + 1.0).saturating_add(1))
    }
}
