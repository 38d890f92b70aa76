//! The time axis in shader form, and a Rust version of the shaders' conversion from ticks to pixel columns.
//!
//! [`AxisMap::columns`] mirrors `columns` of `shaders/common.wgsl`; a test compares both on a GPU. Hit testing, labels
//! and the CPU reference also use it, so the pointer hits the pixels that are drawn.

use flowline_index::{Clock, Packed};
use flowline_view::TimeAxis;

/// Columns are clamped this many device pixels beyond the view's edges.
pub const CLAMP_MARGIN: f32 = 64.0;

/// Converts ticks to device pixels: subtracts the origin as integers, then scales.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AxisMap {
    /// Tick at the left edge, rounded down; negative before tick zero.
    pub origin: i64,
    /// The fraction of a tick beyond the origin, in [0, 1).
    pub fraction: f32,
    /// Device pixels per tick.
    pub pixels_per_tick: f32,
    /// Width in device pixels.
    pub width: f32,
}

/// The floor of a screen coordinate, without a library call.
#[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "screen coordinates fit an i32")]
fn floor(value: f32) -> i32 {
    let whole = value as i32;
    whole - i32::from(whole as f32 > value)
}

impl AxisMap {
    /// Creates the map for an axis; `clock` defines the ticks.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "shaders use f32")]
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

    /// Ticks per device pixel.
    #[must_use]
    pub fn ticks_per_pixel(&self) -> f64 {
        1.0 / f64::from(self.pixels_per_tick)
    }

    /// The phase of a grid that is fixed in time and repeats every `period` pixels (a whole number), at the view's left
    /// edge. The result is a whole number in [0, period). It moves with the view by whole pixels, at any distance from
    /// tick zero.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "ticks have 48 bits")]
    pub fn phase(&self, period: f32) -> f32 {
        let ticks = f64::from(period) * self.ticks_per_pixel();
        let rest = (self.origin as f64).rem_euclid(ticks) + f64::from(self.fraction);
        ((rest * f64::from(self.pixels_per_tick)) % f64::from(period)).floor() as f32
    }

    /// Device pixels from the left edge to a tick, not rounded.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "the shader has the same precision")]
    pub fn pixel(&self, tick: u64) -> f32 {
        let distance = i64::try_from(tick).unwrap_or(i64::MAX).wrapping_sub(self.origin);
        // Signed integers convert to floats faster than unsigned ones.
        let magnitude = distance.saturating_abs();
        let high = (magnitude >> 32) as f32;
        let low = (magnitude & 0xffff_ffff) as f32;
        let length = high * 4_294_967_296.0 + low;
        let signed = if distance < 0 { -length } else { length };
        (signed - self.fraction) * self.pixels_per_tick
    }

    /// The first tick in a pixel column or to the right of it, by [`AxisMap::pixel`]; a tick beyond all others if none
    /// exists.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an estimate, corrected below")]
    pub fn first_tick(&self, column: u16) -> u64 {
        const BEYOND_ALL: u64 = 1 << 50;
        let column = f32::from(column);
        let is_before = |tick: u64| self.pixel(tick) < column;
        // The smallest f32 distance that reaches the column is close to the exact distance.
        let reaches = |distance: f32| (distance - self.fraction) * self.pixels_per_tick >= column;
        let mut distance = (f64::from(column) * self.ticks_per_pixel() + f64::from(self.fraction)) as f32;
        for _ in 0..4 {
            let below = distance.next_down();
            distance = match (reaches(below), reaches(distance)) {
                (true, _) => below,
                (false, true) => break,
                (false, false) => distance.next_up(),
            };
        }
        // Ticks round to this distance from half a step below it. Ticks with a high word are rounded twice.
        let step = f64::from(distance) - f64::from(distance.next_down());
        let along = f64::from(distance) - step / 2.0;
        let guess = (self.origin.saturating_add(along as i64).max(0) as u64).min(BEYOND_ALL);
        let rounded = if along < 4_294_967_296.0 { 1 } else { 1 << 8 };
        // The search starts at the estimate and widens until it contains the tick.
        let (mut low, mut high) = (guess, guess);
        let mut reach = rounded;
        while is_before(high) {
            if high >= BEYOND_ALL {
                return BEYOND_ALL;
            }
            (low, high, reach) = (high + 1, (high + reach).min(BEYOND_ALL), reach * 2);
        }
        let mut reach = rounded;
        while low > 0 && !is_before(low - 1) {
            (high, low, reach) = (low - 1, low.saturating_sub(reach), reach * 2);
        }
        while low < high {
            let middle = low.midpoint(high);
            if is_before(middle) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        high
    }

    /// First and one-past-last pixel column of a span, at least one column. Columns are clamped far enough outside the
    /// view that the border of a clamped end is never visible.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "clamped to the width above")]
    pub fn columns(&self, packed: Packed) -> (i32, i32) {
        // The limits are whole numbers, so rounding after clamping equals the shader's rounding before clamping.
        let (low, high) = (-CLAMP_MARGIN, self.width + CLAMP_MARGIN);
        let first = floor(self.pixel(packed.start()).clamp(low, high));
        let last = self.pixel(packed.end()).clamp(low, high);
        // A span that ends in a point lights the point's column, even if the point is exactly on the column's edge.
        let end = if packed.style().ends_in_point() { floor(last) + 1 } else { -floor(-last) };
        (first, end.min(high as i32).max(first + 1))
    }

    /// The closed range of ticks that covers a pixel range plus one pixel on either side.
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

#[cfg(test)]
mod tests {
    use super::{AxisMap, CLAMP_MARGIN};
    use flowline_index::{Packed, Style};

    #[test]
    fn columns_are_those_of_the_shader() {
        // `columns` of shaders/common.wgsl, operation by operation.
        let shader = |map: &AxisMap, packed: Packed| {
            let (low, high) = (-CLAMP_MARGIN, map.width + CLAMP_MARGIN);
            let first = map.pixel(packed.start()).floor().clamp(low, high);
            let last = map.pixel(packed.end());
            let point = if packed.style().ends_in_point() { last.ceil().max(last.floor() + 1.0) } else { last.ceil() };
            (first, point.clamp(low, high).max(first + 1.0))
        };
        let mut rng = fastrand::Rng::with_seed(7);
        let mut random = move |below: u64| rng.u64(..below);
        for round in 0..100_000 {
            let map = AxisMap {
                origin: i64::try_from(random(4000)).expect("small") - 2000,
                fraction: random(4) as f32 / 4.0,
                pixels_per_tick: [1.0, 0.5, 0.37, 13.0, 1e-3][round % 5],
                width: 300.0,
            };
            let start = random(3000);
            let style = Style::default().with_point_end(random(2) == 0);
            let packed = Packed::new(start, start + random(4) * random(400), style);
            let (first, end) = map.columns(packed);
            assert_eq!((first as f32, end as f32), shader(&map, packed), "{map:?} {packed:?}");
        }
    }

    #[test]
    fn the_first_tick_of_a_column_is_where_pixels_say() {
        let mut rng = fastrand::Rng::with_seed(11);
        let mut random = move |bits: u32| rng.u64(..1 << bits);
        for round in 0..20_000 {
            let zoom = i32::try_from(random(6)).expect("small") - 40;
            let origin = i64::try_from(random(1 + round % 48)).expect("small");
            let map = AxisMap {
                origin: if random(2) == 0 { -origin } else { origin },
                fraction: random(10) as f32 / 1024.0,
                pixels_per_tick: (1.0 + random(10) as f32 / 1024.0) * 2_f32.powi(zoom),
                width: 2000.0,
            };
            let column = u16::try_from(random(11)).expect("small");
            let tick = map.first_tick(column);
            let edge = f32::from(column);
            assert!(tick >= 1 << 48 || map.pixel(tick) >= edge, "{map:?} {column}: {tick} is left of the column");
            assert!(tick == 0 || map.pixel(tick - 1) < edge, "{map:?} {column}: {tick} is not the first");
        }
    }
}
