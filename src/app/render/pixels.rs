//! Rectangles of whole device pixels.

use egui::{Rect, pos2};

use flowline_scene::PixelRect;

/// A rectangle of whole pixels: left, top, right, bottom; right and bottom are exclusive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Pixels(pub(super) [i32; 4]);

/// Rounds down without a library call, because windows contain many glyphs. The result is clamped so that sums do not
/// overflow.
#[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "limited before")]
fn floor(edge: f32) -> i32 {
    let edge = edge.clamp(-1e6, 1e6);
    let whole = edge as i32;
    whole - i32::from(whole as f32 > edge)
}

fn ceil(edge: f32) -> i32 {
    -floor(-edge)
}

/// Rounds to the nearest integer; halves are rounded away from zero.
#[expect(clippy::cast_precision_loss, reason = "limited in `floor`")]
fn round(edge: f32) -> i32 {
    let whole = floor(edge.abs());
    let nearest = whole + i32::from(edge.abs() - whole as f32 >= 0.5);
    if edge < 0.0 { -nearest } else { nearest }
}

impl Pixels {
    /// Returns all pixels of a target.
    pub(super) fn of_size([width, height]: [u32; 2]) -> Self {
        let edge = |length: u32| i32::try_from(length).unwrap_or(i32::MAX);
        Self([0, 0, edge(width), edge(height)])
    }

    /// Returns the pixels to which a clip rectangle in points limits drawing; `scale` is pixels per point.
    pub(super) fn rounded(rect: Rect, scale: f32) -> Self {
        Self([rect.min.x, rect.min.y, rect.max.x, rect.max.y].map(|edge| round(edge * scale)))
    }

    /// Returns bounds of the pixels whose centers a rectangle in points contains.
    pub(super) fn covered(rect: Rect, scale: f32) -> Self {
        let [left, top] = [rect.min.x, rect.min.y].map(|edge| ceil(edge * scale - 0.501));
        let [right, bottom] = [rect.max.x, rect.max.y].map(|edge| floor(edge * scale + 0.501));
        Self([left, top, right, bottom])
    }

    /// Returns the pixels that a rectangle in points contains entirely, inset by `margin` pixels on each side.
    pub(super) fn inside(rect: Rect, scale: f32, margin: i32) -> Self {
        let [left, top] = [rect.min.x, rect.min.y].map(|edge| ceil(edge * scale));
        let [right, bottom] = [rect.max.x, rect.max.y].map(|edge| floor(edge * scale));
        Self([left + margin, top + margin, right - margin, bottom - margin])
    }

    /// Returns the pixels that a rectangle touches.
    pub(super) fn touched(rect: PixelRect) -> Self {
        Self([floor(rect.x), floor(rect.y), ceil(rect.right()), ceil(rect.bottom())])
    }

    pub(super) fn intersect(self, other: Self) -> Self {
        let (Self([l, t, r, b]), Self([left, top, right, bottom])) = (self, other);
        Self([l.max(left), t.max(top), r.min(right), b.min(bottom)])
    }

    pub(super) fn intersects(self, other: Self) -> bool {
        self.intersect(other).area() > 0
    }

    /// Returns the smallest rectangle that contains both.
    pub(super) fn union(self, other: Self) -> Self {
        let (Self([l, t, r, b]), Self([left, top, right, bottom])) = (self, other);
        Self([l.min(left), t.min(top), r.max(right), b.max(bottom)])
    }

    /// Number of pixels.
    pub(super) fn area(self) -> i32 {
        let [left, top, right, bottom] = self.0;
        (right - left).max(0).saturating_mul((bottom - top).max(0))
    }

    #[expect(clippy::cast_precision_loss, reason = "a line has fewer than 16 million pixels")]
    pub(super) fn edges(self) -> [f32; 4] {
        self.0.map(|edge| edge as f32)
    }

    pub(super) fn rect(self) -> PixelRect {
        let [left, top, right, bottom] = self.edges();
        PixelRect::new(left, top, right - left, bottom - top)
    }

    /// Converts to points; `scale` is pixels per point.
    pub(super) fn points(self, scale: f32) -> Rect {
        let [left, top, right, bottom] = self.edges().map(|edge| edge / scale);
        Rect::from_min_max(pos2(left, top), pos2(right, bottom))
    }
}
