//! The chevron of a collapsible row.

use egui::epaint::PathShape;
use egui::{Stroke, vec2};

/// Points from the middle of the chevron to its ends.
const REACH: f32 = 3.5;
const WIDTH: f32 = 1.4;

/// Draws the chevron of a collapsible row.
pub(crate) fn arrow(painter: &egui::Painter, center: egui::Pos2, open: bool, tint: egui::Color32) {
    let half = REACH / 2.0;
    let points = match open {
        true => [vec2(-REACH, -half), vec2(0.0, half), vec2(REACH, -half)],
        false => [vec2(-half, -REACH), vec2(half, 0.0), vec2(-half, REACH)],
    };
    let points = points.map(|offset| center + offset).to_vec();
    painter.add(PathShape::line(points, Stroke::new(WIDTH, tint)));
}
