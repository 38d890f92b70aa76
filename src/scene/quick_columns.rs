//! The columns of many spans at once, for those who draw them on the processor.

use super::AxisMap;
use crate::index::Packed;

/// Finds the columns of spans in the view without most of the arithmetic of [`AxisMap::columns`], with which it agrees: where an
/// end lies too near the edge of a column to be sure of what the shader's f32 rounds off, it does not tell.
#[derive(Clone, Copy, Debug)]
pub struct QuickColumns {
    origin: i64,
    fraction: f64,
    pixels_per_tick: f64,
    width: f64,
    /// So near to an edge, in pixels.
    edge: f64,
}

impl QuickColumns {
    /// For the spans of a frame.
    #[must_use]
    pub fn new(axis: &AxisMap) -> Self {
        let width = f64::from(axis.width);
        Self {
            origin: axis.origin,
            fraction: f64::from(axis.fraction),
            pixels_per_tick: f64::from(axis.pixels_per_tick),
            width,
            // A float keeps 24 bits, and the shader rounds five times on the way.
            edge: width * 2.0_f64.powi(-21) + 1e-6,
        }
    }

    /// First and one-past-last column, if they are sure.
    #[must_use]
    pub fn of(&self, packed: Packed) -> Option<(i32, i32)> {
        let (start, end) = (self.place(packed.start()), self.place(packed.end()));
        let is_in_view = start >= 0.0 && end < self.width;
        if !is_in_view {
            return None;
        }
        #[expect(clippy::cast_possible_truncation, reason = "a pixel column")]
        let (first, last) = (start as i32, end as i32);
        let is_inside = |place: f64, column: i32| {
            let rest = place - f64::from(column);
            rest > self.edge && rest < 1.0 - self.edge
        };
        (is_inside(start, first) & is_inside(end, last)).then_some((first, last + 1))
    }

    #[expect(clippy::cast_precision_loss, reason = "ticks have 48 bits")]
    fn place(&self, tick: u64) -> f64 {
        (tick.cast_signed().wrapping_sub(self.origin) as f64 - self.fraction) * self.pixels_per_tick
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::Style;

    #[test]
    fn what_it_tells_is_what_the_shader_does() {
        let mut seed = 11_u64;
        let mut random = |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 20) % below
        };
        let mut told = 0;
        for round in 0..60_000 {
            let zoom = [4e-7, 0.003, 0.37, 1.0, 5.5][round % 5];
            let origin = [0_i64, -700, 90_000, 1 << 43][round / 5 % 4];
            let axis = AxisMap { origin, fraction: [0.0, 0.25, 0.9][round % 3], pixels_per_tick: zoom, width: 1920.0 };
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "ticks of a screen")]
            let ticks = (1920.0 / zoom) as u64;
            let start = u64::try_from(origin.max(0)).expect("not negative") + random(ticks + ticks / 8);
            let length = random(ticks) >> random(40);
            let packed = Packed::new(start, start + length, Style::default().with_point_end(round % 2 == 0));
            if let Some(columns) = QuickColumns::new(&axis).of(packed) {
                assert_eq!(columns, axis.columns(packed), "{packed:?} on {axis:?}");
                told += 1;
            }
        }
        assert!(told > 30_000, "{told}");
    }
}
