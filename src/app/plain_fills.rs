//! Backgrounds of panels among the widgets' shapes. egui draws them like text, through a texture, which costs a software GPU
//! more than everything else in a frame; the painter fills them directly.

use egui::emath::TSTransform;
use egui::epaint::ClippedShape;
use egui::{Color32, CornerRadius, Rect, Shape};

use crate::scene::{PixelRect, RectInstance};

/// Smallest area of a background in square points; less is not worth the search for what lies below.
const MIN_AREA: f32 = 4_096.0;

/// Takes plain opaque rectangles out of the shapes of a frame, if no shape that stays lies below them: drawn before all others,
/// they leave the picture as it is. They are in the order in which they were drawn.
pub(super) fn take_plain_fills(shapes: &mut [ClippedShape], pixels_per_point: f32) -> Vec<RectInstance> {
    let mut fills = Vec::new();
    // Where something is drawn that stays.
    let mut drawn: Vec<Rect> = Vec::new();
    for ClippedShape { clip_rect, shape, transform_after_tessellation } in shapes {
        let is_moved = *transform_after_tessellation != TSTransform::IDENTITY;
        let bounds = *transform_after_tessellation * shape.visual_bounding_rect();
        let place = bounds.intersect(*clip_rect);
        if !place.is_positive() {
            continue;
        }
        match plain_fill(shape).filter(|_| place.area() >= MIN_AREA && !is_moved) {
            Some((rect, color)) if !drawn.iter().any(|below| below.intersects(place)) => {
                fills.push(RectInstance::filled(pixels(rect, *clip_rect, pixels_per_point), color.to_array()));
                *shape = Shape::Noop;
            }
            _ => drawn.push(place),
        }
    }
    fills
}

/// Place and colour of a shape that is nothing but an opaque rectangle.
fn plain_fill(shape: &Shape) -> Option<(Rect, Color32)> {
    let Shape::Rect(rect) = shape else { return None };
    let is_plain = rect.fill.is_opaque()
        && rect.corner_radius == CornerRadius::ZERO
        && rect.stroke.is_empty()
        && rect.blur_width == 0.0
        && rect.brush.is_none()
        && rect.angle == 0.0
        && rect.round_to_pixels.unwrap_or(true);
    is_plain.then_some((rect.rect, rect.fill))
}

/// The device pixels of a rectangle inside a clip rectangle; both are rounded as egui rounds them.
fn pixels(rect: Rect, clip: Rect, pixels_per_point: f32) -> PixelRect {
    let round = |value: f32| (value * pixels_per_point).round();
    let part = |rect: Rect| {
        let (x, y) = (round(rect.min.x), round(rect.min.y));
        PixelRect::new(x, y, round(rect.max.x) - x, round(rect.max.y) - y)
    };
    part(rect).intersect(part(clip))
}

#[cfg(test)]
mod tests {
    use egui::{Stroke, StrokeKind, pos2, vec2};

    use super::*;

    const ALL: Rect = Rect { min: pos2(0.0, 0.0), max: pos2(1_000.0, 1_000.0) };

    fn clipped(clip_rect: Rect, shape: Shape) -> ClippedShape {
        ClippedShape { clip_rect, shape, transform_after_tessellation: TSTransform::IDENTITY }
    }

    fn fill(x: f32, y: f32, size: f32, color: Color32) -> ClippedShape {
        let rect = Rect::from_min_size(pos2(x, y), vec2(size, size));
        clipped(ALL, Shape::rect_filled(rect, 0.0, color))
    }

    fn places(fills: &[RectInstance]) -> Vec<[f32; 4]> {
        fills.iter().map(|fill| fill.rect).collect()
    }

    #[test]
    fn backgrounds_are_taken_and_what_lies_over_others_stays() {
        let text = clipped(ALL, Shape::circle_filled(pos2(150.0, 150.0), 5.0, Color32::RED));
        let over = fill(140.0, 140.0, 100.0, Color32::BLUE);
        let mut shapes = vec![
            fill(0.0, 0.0, 300.0, Color32::BLACK),
            fill(10.0, 10.0, 100.0, Color32::WHITE),
            text.clone(),
            over.clone(),
            fill(400.0, 0.0, 100.0, Color32::GREEN),
            // On what stays: it must be drawn after it.
            fill(230.0, 230.0, 100.0, Color32::RED),
            fill(800.0, 800.0, 20.0, Color32::GREEN),
        ];
        let last = shapes[5..].to_vec();
        let fills = take_plain_fills(&mut shapes, 1.0);
        let expected = [[0.0, 0.0, 300.0, 300.0], [10.0, 10.0, 100.0, 100.0], [400.0, 0.0, 100.0, 100.0]];
        assert_eq!(places(&fills), expected);
        assert_eq!(fills[1].fill, [255; 4]);
        let noop = clipped(ALL, Shape::Noop);
        let left = [vec![noop.clone(), noop.clone(), text, over, noop], last].concat();
        assert!(shapes == left, "{shapes:?}");
    }

    #[test]
    fn only_plain_opaque_rectangles_are_taken() {
        let rect = Rect::from_min_size(pos2(10.0, 10.0), vec2(500.0, 500.0));
        let stroke = Stroke::new(1.0, Color32::RED);
        let shapes = [
            Shape::rect_filled(rect, 4.0, Color32::BLACK),
            Shape::rect_filled(rect, 0.0, Color32::from_black_alpha(200)),
            Shape::rect_stroke(rect, 0.0, stroke, StrokeKind::Inside),
            Shape::Rect(egui::epaint::RectShape::filled(rect, 0.0, Color32::BLACK).with_blur_width(3.0)),
            Shape::circle_filled(rect.center(), 100.0, Color32::BLACK),
        ];
        for shape in shapes {
            let mut shapes = [clipped(ALL, shape)];
            let before = shapes.clone();
            assert!(take_plain_fills(&mut shapes, 1.0).is_empty() && shapes == before, "{before:?}");
        }
    }

    #[test]
    fn edges_are_those_of_pixels_inside_the_clip_rectangle() {
        let rect = Rect::from_min_max(pos2(10.3, 20.4), pos2(200.2, 300.6));
        let clip_rect = Rect::from_min_max(pos2(0.0, 50.2), pos2(150.0, 1_000.0));
        let mut shapes = [clipped(clip_rect, Shape::rect_filled(rect, 0.0, Color32::BLACK))];
        assert_eq!(places(&take_plain_fills(&mut shapes, 2.0)), [[21.0, 100.0, 279.0, 501.0]]);
    }
}
