//! Shapes of flow rows and connections of flows, with the geometry and colors of `shaders/flow.wgsl` and
//! `shaders/link.wgsl`.

use super::colors::{ink, mix};
use super::document::{Paint, SvgWriter, short};
use crate::frame::{Batch, Frame};
use crate::geometry::{PixelRect, hatch_period};
use crate::primitives::{
    BOX_OPACITY, BOX_PAD, Emphasis, FlowInstance, FlowShapeKind, LinkInstance, LinkKind, RowBounds,
};
use crate::theme::{Rgba, with_alpha};

/// In points, as in the shader.
const BOX_RADIUS: f32 = 7.0;
const DOT_RADIUS: f32 = 3.5;
const HATCH_HEIGHT: f32 = 9.0;

/// A color with an opacity from 0 to 1.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most 255")]
fn faded(color: Rgba, opacity: f32) -> Rgba {
    with_alpha(color, (opacity.clamp(0.0, 1.0) * 255.0).round() as u8)
}

/// Writes a batch of shapes.
pub(super) fn write(svg: &mut SvgWriter, frame: &Frame, batch: &Batch, shapes: &[FlowInstance]) {
    svg.clip(batch.clip);
    for shape in shapes {
        write_shape(svg, frame, *shape);
    }
}

#[expect(clippy::cast_precision_loss, reason = "pixel columns")]
fn write_shape(svg: &mut SvgWriter, frame: &Frame, shape: FlowInstance) {
    let is = |kind: FlowShapeKind| shape.kind() == kind as u32;
    let (first, end) = if is(FlowShapeKind::Hatch) { shape.hatched() } else { frame.axis.columns(shape.packed()) };
    let (left, width) = (frame.axis_left + first as f32, (end - first) as f32);
    let place = frame.rows[shape.row()];
    let style = shape.packed().style();
    let is_line = is(FlowShapeKind::Wait) || is(FlowShapeKind::Line);
    // Lines stand out like narrow marks.
    let color = if is_line { frame.palette.edge(style.color()) } else { frame.palette.fill(style.color()) };
    let hovered = shape.emphasis() == Emphasis::Hovered as u32;
    let selected = shape.emphasis() == Emphasis::Selected as u32;
    let (line, scale) = (frame.line_width(), frame.scale);
    let thick = scale.max(1.0);
    let fill = if hovered { 0.34 } else { BOX_OPACITY };
    let inner = inset(left, width, place, line);
    if is(FlowShapeKind::Box) {
        let pad = (BOX_PAD * scale).round();
        let rect = PixelRect::new(left - pad, place.y, width + 2.0 * pad, place.height);
        let (fill, border) = (Paint::Color(faded(color, fill)), Paint::Color(faded(color, 0.95)));
        svg.rect(rect, (BOX_RADIUS * scale).min(place.height / 2.0), fill, border, 1.2 * thick);
    } else if is(FlowShapeKind::Dot) {
        let marked = hovered || selected || shape.emphasis() == Emphasis::Linked as u32;
        let radius = (DOT_RADIUS + if marked { 1.5 } else { 0.0 }) * scale;
        let half = width / 2.0 - 0.5 + radius;
        let rect =
            PixelRect::new(left + width / 2.0 - half, place.y + place.height / 2.0 - radius, 2.0 * half, 2.0 * radius);
        let ring = if marked { frame.palette.select } else { mix(color, ink(frame.palette), 0.25) };
        let centre = if marked { color } else { frame.palette.canvas };
        let ring_width = if marked { 2.0 } else { 1.3 } * thick;
        svg.rect(rect, radius, Paint::Color(centre), Paint::Color(ring), ring_width);
    } else if is(FlowShapeKind::Tint) {
        let lit = hovered || shape.emphasis() == Emphasis::Linked as u32;
        let (border, width) = match (selected, lit) {
            (true, _) => (Paint::Color(frame.palette.select), (1.5 * thick).round()),
            (false, true) => (Paint::Color(faded(frame.palette.select, 0.6)), thick.round_ties_even()),
            (false, false) => (Paint::None, 0.0),
        };
        svg.rect(inner, 0.0, Paint::Color(color), border, width);
    } else if is(FlowShapeKind::Fade) {
        let veil = with_alpha(frame.palette.canvas, style.opacity());
        svg.rect(inner, 0.0, Paint::Color(veil), Paint::None, 0.0);
    } else if is(FlowShapeKind::Hatch) || is(FlowShapeKind::Wait) {
        let wait = is(FlowShapeKind::Wait);
        let period = hatch_period(scale);
        let (stripe, between, part) = match (wait, hovered) {
            (true, true) => (0.8, 0.3, 0.34),
            (true, false) => (0.55, 0.2, 0.34),
            (false, true) => (1.0, 0.15, 0.4),
            (false, false) => (0.8, 0.15, 0.4),
        };
        let gap = ((place.height - HATCH_HEIGHT * scale) / 2.0).round_ties_even().max(0.0);
        let height = if wait { inner.height } else { place.height - 2.0 * gap };
        let inner = PixelRect { y: place.y + (place.height - height) / 2.0, height, ..inner };
        let origin = frame.axis_left - frame.axis.phase(period) + inner.y;
        let paint = svg.hatch(faded(color, stripe), faded(color, between), period, part, origin);
        svg.rect(inner, 0.0, paint, Paint::None, 0.0);
    } else {
        let rect = PixelRect::new(left, place.y + place.height / 2.0 - line, width, 2.0 * line);
        svg.rect(rect, 0.0, Paint::Color(faded(color, if hovered { 0.9 } else { 0.6 })), Paint::None, 0.0);
    }
}

/// The part of a row inside its border lines.
fn inset(left: f32, width: f32, place: RowBounds, line: f32) -> PixelRect {
    let half = (place.height / 2.0 - line).max(1.0);
    PixelRect::new(left, place.y + place.height / 2.0 - half, width, 2.0 * half)
}

/// Writes a batch of connections.
pub(super) fn write_links(svg: &mut SvgWriter, frame: &Frame, batch: &Batch, links: &[LinkInstance]) {
    svg.clip(batch.clip);
    for link in links {
        let [[ax, ay], [bx, by]] = [link.from, link.to];
        let start = format!("M{} {}", short(ax), short(ay));
        if link.kind == LinkKind::Head as u32 {
            let (dx, dy) = (bx - ax, by - ay);
            let length = dx.hypot(dy).max(1e-4);
            let (nx, ny) = (-dy / length * link.width / 2.0, dx / length * link.width / 2.0);
            let points = [(ax + nx, ay + ny), (ax - nx, ay - ny)].map(|(x, y)| format!("{} {}", short(x), short(y)));
            let data = format!("M{}L{} {}L{}Z", points[0], short(bx), short(by), points[1]);
            svg.path(&data, Paint::Color(link.color), None);
        } else if link.kind == LinkKind::Curve as u32 {
            let scale = frame.scale;
            let away = ((bx - ax).abs() * 0.5 + (by - ay).abs() * 0.05).clamp(8.0 * scale, 120.0 * scale);
            let bend = [ax + away, ay, bx - away, by, bx, by].map(|number| short(number).to_string());
            svg.path(&format!("{start}C{}", bend.join(" ")), Paint::None, Some((link.color, link.width)));
        } else {
            let data = format!("{start}L{} {}", short(bx), short(by));
            svg.path(&data, Paint::None, Some((link.color, link.width)));
        }
    }
}
