//! Computes the pixel columns of many spans in fixed point.

use super::axis_map::AxisMap;
use flowline_index::Packed;

/// Finds the pixel columns of spans faster than [`AxisMap::columns`], with the same results. Returns `None` if an end
/// is so close to the edge of a column that the shader's f32 rounding decides.
#[derive(Clone, Copy, Debug)]
pub struct FixedPointColumns {
    origin: u64,
    /// More ticks than are in view.
    max_ticks: u64,
    /// Pixels per tick, in fixed point with [`BITS`] fractional bits, like the fields below.
    factor: u64,
    fraction: u64,
    width: u64,
    /// Ends closer than this to the edge of a column have no result. At half a pixel, no end has a result.
    edge: u64,
}

/// Fractional bits.
const BITS: u32 = 48;
const PIXEL: u64 = 1 << BITS;

impl FixedPointColumns {
    /// Creates the converter for an axis.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss, reason = "bounded")]
    pub fn new(axis: &AxisMap) -> Self {
        let (width, pixels_per_tick) = (f64::from(axis.width).clamp(0.0, 8192.0), f64::from(axis.pixels_per_tick));
        let fixed = |pixels: f64| (pixels * PIXEL as f64) as u64;
        let factor = fixed(pixels_per_tick);
        // A float has 24 bits and the shader rounds five times; the factor itself is rounded to its last bit.
        let edge = width * (2.0_f64.powi(-21) + 1.0 / factor as f64) + 1e-6;
        let is_sure = edge < 0.5 && pixels_per_tick < 2048.0;
        Self {
            origin: axis.origin.cast_unsigned(),
            max_ticks: (width / pixels_per_tick) as u64 + 1,
            factor,
            fraction: fixed(f64::from(axis.fraction) * pixels_per_tick),
            width: fixed(width),
            edge: if is_sure { fixed(edge) } else { PIXEL / 2 },
        }
    }

    /// First and one-past-last column, if both are certain.
    #[must_use]
    #[inline]
    pub fn columns(&self, packed: Packed) -> Option<(u32, u32)> {
        let start = packed.start().wrapping_sub(self.origin);
        let end = packed.end().wrapping_sub(self.origin);
        if start >= self.max_ticks || end >= self.max_ticks {
            return None;
        }
        let [start, end] = [start, end].map(|ticks| ticks.wrapping_mul(self.factor).wrapping_sub(self.fraction));
        let is_sure = |place: u64| {
            let inside = (place % PIXEL).wrapping_sub(self.edge) < PIXEL - 2 * self.edge;
            inside & (place < self.width)
        };
        let column = |place: u64| (place >> BITS) as u32;
        (is_sure(start) & is_sure(end)).then(|| (column(start), column(end) + 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flowline_index::Style;

    #[test]
    fn columns_are_those_of_the_axis_map() {
        let mut rng = fastrand::Rng::with_seed(11);
        let mut random = |below: u64| rng.u64(..below);
        let mut answered = 0;
        for round in 0..60_000 {
            let zoom = [3e-8, 0.003, 0.37, 1.0, 5.5][round % 5];
            let origin = [0_i64, -700, 90_000, 1 << 43][round / 5 % 4];
            let axis = AxisMap { origin, fraction: [0.0, 0.25, 0.9][round % 3], pixels_per_tick: zoom, width: 1920.0 };
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "ticks of a screen")]
            let ticks = (1920.0 / zoom) as u64;
            let start = u64::try_from(origin.max(0)).expect("not negative") + random(ticks + ticks / 8);
            let length = random(ticks) >> random(40);
            let packed = Packed::new(start, start + length, Style::default().with_point_end(round % 2 == 0));
            if let Some((first, end)) = FixedPointColumns::new(&axis).columns(packed) {
                let columns = (i32::try_from(first).expect("small"), i32::try_from(end).expect("small"));
                assert_eq!(columns, axis.columns(packed), "{packed:?} on {axis:?}");
                answered += 1;
            }
        }
        assert!(answered > 30_000, "{answered}");
    }
}
