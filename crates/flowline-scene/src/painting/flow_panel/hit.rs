//! Hit testing in the flow panel, with the geometry that is drawn.

use crate::layout::{Area, FlowHit, FlowItem, FlowItemKind, FlowTarget, SceneInput, ShapeKey};
use crate::primitives::BOX_PAD;
use flowline_index::flows::ShapeSpan;
use flowline_profile::FlowId;

/// Hit radius around a dot's center in points.
pub(super) const DOT_REACH: f32 = 5.0;

/// Returns the hit at a point of the panel.
#[must_use]
pub fn flow_hit(input: &SceneInput<'_>, x: f32, y: f32) -> Option<FlowHit> {
    let areas = input.flow_areas()?;
    let area = areas.iter().find(|area| area.rect.contains(x, y))?;
    let item = area.part.at(area.scroll + f64::from((y - area.rect.y) / area.scale))?;
    match item.kind {
        FlowItemKind::Group { section, name, .. } => Some(FlowHit::Group(section, name)),
        FlowItemKind::Flow { flow, .. } => Some(FlowHit::Flow { flow, target: target(input, area, item, flow, x, y) }),
    }
}

fn target(input: &SceneInput<'_>, area: &Area<'_>, item: &FlowItem, flow: FlowId, x: f32, y: f32) -> FlowTarget {
    let Some(shape) = input.flows.and_then(|scene| scene.shapes.get(ShapeKey::Flow(flow))) else {
        return FlowTarget::Row;
    };
    let members = input.index.flows().members(flow);
    let map = input.axis_map();
    let place = area.place(item);
    let along = x - area.rect.x;
    let reach = f64::from(DOT_REACH * input.scale);
    let (from, to) = map.ticks(f64::from(along) - reach, f64::from(along) + reach);
    let mut nearest: Option<(f32, ShapeSpan)> = None;
    #[expect(clippy::cast_precision_loss, reason = "pixel columns")]
    shape.visit_dots(map.ticks_per_pixel(), from, to, |span| {
        let (first, end) = map.columns(span.packed);
        let distance = (first as f32 + 0.5 - along).max(along - (end as f32 - 0.5)).max(0.0);
        if f64::from(distance) <= reach && nearest.is_none_or(|(least, _)| distance <= least) {
            nearest = Some((distance, span));
        }
    });
    let on_line = (y - (place.y + place.height / 2.0)).abs() <= DOT_REACH * input.scale;
    if let Some((_, span)) = nearest.filter(|_| on_line)
        && let Some(marker) = members.get(span.member)
    {
        return FlowTarget::Dot { marker: *marker, count: span.count };
    }
    if y < place.y || y >= place.y + place.height {
        return FlowTarget::Row;
    }
    let (from, to) = map.ticks(f64::from(along), f64::from(along) + 1.0);
    let mut under = None;
    #[expect(clippy::cast_precision_loss, reason = "pixel columns")]
    shape.visit_tints(map.ticks_per_pixel(), from, to, |span| {
        let (first, end) = map.columns(span.packed);
        if first as f32 <= along && along < end as f32 {
            under = members.get(span.member).copied();
        }
    });
    if let Some(marker) = under {
        return FlowTarget::Interval(marker);
    }
    let (first, end) = map.columns(shape.whole);
    let pad = BOX_PAD * input.scale;
    #[expect(clippy::cast_precision_loss, reason = "pixel columns")]
    let in_time = along >= first as f32 - pad && along < end as f32 + pad;
    if in_time { FlowTarget::Box } else { FlowTarget::Row }
}
