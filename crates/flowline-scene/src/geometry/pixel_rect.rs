//! Rectangles in device pixels.

/// A rectangle in device pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PixelRect {
    /// Left edge.
    pub x: f32,
    /// Top edge.
    pub y: f32,
    /// Width.
    pub width: f32,
    /// Height.
    pub height: f32,
}

impl PixelRect {
    /// A rectangle from its corner and size.
    #[must_use]
    pub const fn new(x: f32, y: f32, width: f32, height: f32) -> Self {
        Self { x, y, width, height }
    }

    /// Right edge.
    #[must_use]
    pub fn right(self) -> f32 {
        self.x + self.width
    }

    /// Bottom edge.
    #[must_use]
    pub fn bottom(self) -> f32 {
        self.y + self.height
    }

    /// True if a point is inside.
    #[must_use]
    pub fn contains(self, x: f32, y: f32) -> bool {
        x >= self.x && x < self.right() && y >= self.y && y < self.bottom()
    }

    /// The intersection; empty if the rectangles do not overlap.
    #[must_use]
    pub fn intersect(self, other: Self) -> Self {
        let (x, y) = (self.x.max(other.x), self.y.max(other.y));
        let width = (self.right().min(other.right()) - x).max(0.0);
        let height = (self.bottom().min(other.bottom()) - y).max(0.0);
        Self { x, y, width, height }
    }
}

/// Width of a thin line in device pixels: one point, a whole number of pixels.
#[must_use]
pub fn line_width(scale: f32) -> f32 {
    scale.round().max(1.0)
}

/// Marker rectangles at least this many device pixels wide have a border.
#[must_use]
pub fn min_bordered_width(scale: f32) -> f32 {
    4.0 * line_width(scale)
}

/// Distance in device pixels of the corners of an instant's diamond from its middle column: 4 points, a whole number.
#[must_use]
pub fn diamond_reach(scale: f32) -> f32 {
    (4.0 * scale).ceil().max(1.0)
}

/// Device pixels between the lines of hatching: about 8 points, an even number.
#[must_use]
pub fn hatch_period(scale: f32) -> f32 {
    2.0 * (4.0 * scale).round().max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_whole_pixels_and_halves_are_rounded_up() {
        let scales = [0.5, 1.0, 1.25, 1.5, 2.0, 2.5, 3.0];
        assert_eq!(scales.map(line_width), [1.0, 1.0, 1.0, 2.0, 2.0, 3.0, 3.0]);
        assert_eq!(min_bordered_width(2.5), 12.0);
    }
}
