//! The time axis maps times to device pixels. Overview, ruler and chart all use it.
//!
//! The origin is an integer number of nanoseconds plus a fraction, so a pixel can be far smaller than a nanosecond
//! anywhere in a recording of any length. Only differences from the origin become floats.

use flowline_profile::{Ns, TimeRange};

/// A nanosecond is at most this many device pixels wide.
const MAX_PIXELS_PER_NS: f64 = 512.0;
/// The share of the view that may extend past either end of the recording.
const OVERSCROLL: f64 = 0.05;

/// A visible range of time over a number of device pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeAxis {
    /// Time at the left edge, rounded down.
    origin: Ns,
    /// Fraction of a nanosecond beyond the origin, in [0, 1).
    fraction: f64,
    /// Nanoseconds per device pixel.
    ns_per_pixel: f64,
    /// Width in device pixels, at least 1.
    width: f64,
    /// The range that the axis can show.
    extent: TimeRange,
    /// The last time of the recording.
    last: Ns,
}

impl TimeAxis {
    /// Creates an axis that shows all of `extent`.
    #[must_use]
    pub fn new(extent: TimeRange, width: f64) -> Self {
        let mut axis = Self {
            origin: extent.start,
            fraction: 0.0,
            ns_per_pixel: 1.0,
            width: width.max(1.0),
            extent,
            last: extent.end,
        };
        axis.show(extent);
        axis
    }

    /// The range that the axis can show.
    #[must_use]
    #[inline]
    pub const fn extent(&self) -> TimeRange {
        self.extent
    }

    /// Changes the range that the axis can show, and moves the view into it.
    #[inline]
    pub fn set_extent(&mut self, extent: TimeRange) {
        if self.extent != extent {
            self.extent = extent;
            self.clamp();
        }
    }

    /// The same axis on a clock that is `by` ahead: every pixel shows the same moment.
    #[must_use]
    #[inline]
    pub fn shifted(&self, by: Ns) -> Self {
        Self { origin: self.origin + by, extent: self.extent.shifted(by), last: self.last + by, ..*self }
    }

    /// Changes the last time that has its own column.
    #[inline]
    pub(crate) const fn set_last(&mut self, last: Ns) {
        self.last = last;
    }

    /// Width in device pixels.
    #[must_use]
    #[inline]
    pub const fn width(&self) -> f64 {
        self.width
    }

    /// Nanoseconds per device pixel.
    #[must_use]
    #[inline]
    pub const fn ns_per_pixel(&self) -> f64 {
        self.ns_per_pixel
    }

    /// Time at the left edge: whole nanoseconds and the fraction beyond them.
    #[must_use]
    #[inline]
    pub const fn origin(&self) -> (Ns, f64) {
        (self.origin, self.fraction)
    }

    /// Length of the visible range in nanoseconds.
    #[must_use]
    #[inline]
    pub fn span(&self) -> f64 {
        self.ns_per_pixel * self.width
    }

    /// The visible range, rounded outwards.
    #[must_use]
    #[inline]
    pub fn visible(&self) -> TimeRange {
        TimeRange::new(self.origin, self.origin + Ns(whole((self.fraction + self.span()).ceil())))
    }

    /// Device pixels from the left edge to a time; negative to the left of the edge.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a difference; exact up to 2^53 ns from the edge")]
    #[inline]
    pub fn pixel(&self, time: Ns) -> f64 {
        (time.0.saturating_sub(self.origin.0) as f64 - self.fraction) / self.ns_per_pixel
    }

    /// The time at a device pixel, rounded down.
    #[must_use]
    #[inline]
    pub fn time(&self, pixel: f64) -> Ns {
        self.origin + Ns(whole((self.fraction + pixel * self.ns_per_pixel).floor()))
    }

    /// Restores [`TimeAxis::origin`] and [`TimeAxis::span`] of another axis, within the limits of this one. Values that
    /// are not finite are ignored.
    pub fn show_exactly(&mut self, origin: Ns, fraction: f64, span: f64) {
        if span.is_finite() && span > 0.0 && fraction.is_finite() {
            self.origin = Ns(origin.0.clamp(-Ns::LIMIT, Ns::LIMIT));
            self.fraction = fraction.clamp(0.0, 1.0 - f64::EPSILON);
            self.ns_per_pixel = span / self.width;
            self.clamp();
        }
    }

    /// Changes the width and keeps the visible range.
    pub fn set_width(&mut self, width: f64) {
        let width = width.max(1.0);
        if width != self.width {
            self.ns_per_pixel *= self.width / width;
            self.width = width;
            self.clamp();
        }
    }

    /// Shows a range. A range that is too short or too long is widened or cut around its middle. A range that ends at
    /// the end of the recording gets one extra pixel: the last column starts at its end, so an instant there is
    /// visible.
    pub fn show(&mut self, range: TimeRange) {
        #[expect(clippy::cast_precision_loss, reason = "a length; exact up to 104 days")]
        let length = range.len() as f64;
        self.origin = range.start;
        self.fraction = 0.0;
        let after_end = if range.end == self.last && self.width > 1.0 { 1.0 } else { 0.0 };
        self.ns_per_pixel = length / (self.width - after_end);
        let shortest = self.shortest();
        if length < shortest {
            self.ns_per_pixel = shortest / self.width;
            self.shift((length - shortest) / 2.0);
        }
        self.clamp();
    }

    /// Zooms by a factor (above 1: in) and keeps the time at `pixel` in place.
    pub fn zoom(&mut self, pixel: f64, factor: f64) {
        let wanted = (self.ns_per_pixel / factor).clamp(self.shortest() / self.width, self.longest() / self.width);
        let moved = pixel * (self.ns_per_pixel - wanted);
        self.ns_per_pixel = wanted;
        self.shift(moved);
        self.clamp();
    }

    /// Moves the view; positive shows later times.
    #[inline]
    pub fn pan(&mut self, pixels: f64) {
        self.shift(pixels * self.ns_per_pixel);
        self.clamp();
    }

    #[inline]
    fn shift(&mut self, ns: f64) {
        let moved = self.fraction + ns;
        let floor = moved.floor();
        self.origin = self.origin + Ns(whole(floor));
        self.fraction = (moved - floor).clamp(0.0, 1.0 - f64::EPSILON);
    }

    #[inline]
    fn shortest(&self) -> f64 {
        self.width / MAX_PIXELS_PER_NS
    }

    #[expect(clippy::cast_precision_loss, reason = "a length; exact up to 104 days")]
    #[inline]
    fn longest(&self) -> f64 {
        (self.extent.len() as f64 * (1.0 + 2.0 * OVERSCROLL)).max(self.shortest())
    }

    /// Keeps the view within the extent and its margins.
    fn clamp(&mut self) {
        let span = self.span();
        if !span.is_finite() || span > self.longest() {
            self.ns_per_pixel = self.longest() / self.width;
        } else if span < self.shortest() {
            self.ns_per_pixel = self.shortest() / self.width;
        }
        let span = self.span();
        let margin = span * OVERSCROLL;
        let left = self.pixel(self.extent.start) * self.ns_per_pixel;
        let right = self.pixel(self.extent.end) * self.ns_per_pixel;
        // `left`/`right`: nanoseconds from the view's left edge to the ends of the extent.
        if right - left + 2.0 * margin <= span {
            self.shift(left.midpoint(right) - span / 2.0);
        } else if left > margin {
            self.shift(left - margin);
        } else if right < span - margin {
            self.shift(right + margin - span);
        }
    }
}

/// Converts an already rounded float to an integer; saturates.
#[expect(clippy::cast_possible_truncation, reason = "saturates intentionally")]
fn whole(value: f64) -> i64 {
    value as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: i64 = 3_600_000_000_000;

    fn axis() -> TimeAxis {
        TimeAxis::new(TimeRange::new(Ns(5 * HOUR), Ns(9 * HOUR)), 1600.0)
    }

    #[test]
    fn zooming_keeps_the_time_under_the_cursor() {
        let mut axis = axis();
        let pixel = 417.0;
        let before = axis.time(pixel);
        for _ in 0..60 {
            axis.zoom(pixel, 1.7);
            assert!((axis.time(pixel).0 - before.0).abs() <= 1, "{:?}", axis);
        }
        assert!(axis.ns_per_pixel() < 0.01, "one nanosecond is many pixels wide");
    }

    #[test]
    fn the_end_of_the_recording_has_a_column() {
        for (start, end, width) in [(0, 1_000_000, 800.0), (-7, 1_234_567_890_123, 333.0), (5 * HOUR, 9 * HOUR, 1919.0)]
        {
            let extent = TimeRange::new(Ns(start), Ns(end));
            for range in [extent, TimeRange::new(Ns(start / 2 + end / 2), Ns(end))] {
                let mut axis = TimeAxis::new(extent, width);
                axis.show(range);
                assert!(axis.pixel(range.start) >= 0.0, "{axis:?}");
                assert!((axis.pixel(range.end) - (width - 1.0)).abs() < 1e-6 * width, "{axis:?}");
                let before = axis;
                axis.show(axis.visible());
                assert!((axis.ns_per_pixel() / before.ns_per_pixel() - 1.0).abs() < 1e-5, "going back keeps the zoom");
            }
        }
    }

    #[test]
    fn panning_by_pixels_and_back_returns() {
        let mut axis = axis();
        axis.zoom(800.0, 1e9);
        let before = axis;
        axis.pan(33.0);
        axis.pan(-33.0);
        assert!((axis.pixel(before.origin().0) - before.pixel(before.origin().0)).abs() < 1e-6);
    }

    #[test]
    fn the_view_never_leaves_the_recording() {
        let mut axis = axis();
        axis.zoom(0.0, 0.001);
        assert!(axis.span() <= 4.0 * HOUR as f64 * 1.11);
        axis.zoom(800.0, 100.0);
        axis.pan(1e12);
        assert!(axis.visible().start < Ns(9 * HOUR));
        axis.pan(-1e12);
        assert!(axis.visible().end > Ns(5 * HOUR));
    }

    #[test]
    fn an_empty_recording_has_an_axis() {
        let mut axis = TimeAxis::new(TimeRange::default(), 100.0);
        axis.zoom(3.0, 2.0);
        axis.pan(5.0);
        assert!(axis.span() > 0.0 && axis.span().is_finite());
    }
}
