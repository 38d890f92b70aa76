//! The state of an insight, and the rating of a metric, as shape and color: both, so that neither needs the other.

use egui::{Painter, Pos2, Shape, Stroke, Vec2, vec2};

use crate::widgets::icon::Icon;
use crate::widgets::style::color;
use flowline_insights::insights::InsightState;
use flowline_insights::page_load::Rating;
use flowline_scene::Palette;

/// Half of the size of a shape in points.
const RADIUS: f32 = 4.0;

/// The word for a state.
pub(super) const fn state_word(state: InsightState) -> &'static str {
    match state {
        InsightState::Fail => "failed",
        InsightState::Informative => "informative",
        InsightState::Unknown => "unknown",
        InsightState::Pass => "passed",
    }
}

/// Draws the state of an insight: a triangle, a disk, a ring, or a check mark.
pub(super) fn paint_state(painter: &Painter, center: Pos2, state: InsightState, palette: &Palette) {
    match state {
        InsightState::Fail => triangle(painter, center, color(palette.bad)),
        InsightState::Informative => {
            painter.circle_filled(center, RADIUS, color(palette.text2));
        }
        InsightState::Unknown => {
            painter.circle_stroke(center, RADIUS - 0.75, Stroke::new(1.5, color(palette.text3)));
        }
        InsightState::Pass => {
            let square = egui::Rect::from_center_size(center, Vec2::splat(16.0));
            Icon::Check.paint(painter, square, color(palette.good));
        }
    }
}

/// Draws a rating: a disk, a square, or a triangle.
pub(super) fn paint_rating(painter: &Painter, center: Pos2, rating: Rating, palette: &Palette) {
    match rating {
        Rating::Good => {
            painter.circle_filled(center, RADIUS, color(palette.good));
        }
        Rating::NeedsImprovement => {
            let square = egui::Rect::from_center_size(center, Vec2::splat(2.0 * RADIUS - 1.0));
            painter.rect_filled(square, 0.0, color(palette.warn));
        }
        Rating::Poor => triangle(painter, center, color(palette.bad)),
    }
}

fn triangle(painter: &Painter, center: Pos2, fill: egui::Color32) {
    let points = [vec2(0.0, -RADIUS), vec2(RADIUS, RADIUS - 0.5), vec2(-RADIUS, RADIUS - 0.5)];
    let points = points.map(|offset| center + offset).to_vec();
    painter.add(Shape::convex_polygon(points, fill, Stroke::NONE));
}
