//! Arrows between the hovered or selected flow lane and related lanes: from its creator, to the flows it created, and
//! lines to lanes that share a marker with it. A connection to a lane scrolled out of view ends at the edge of the
//! chart.

use std::collections::HashSet;

use super::selected_lane;
use crate::frame::Frame;
use crate::layout::SceneInput;
use crate::primitives::{LinkInstance, LinkKind};
use crate::theme::with_alpha;
use flowline_profile::{FlowId, MarkerId};

/// Maximum number of connections drawn for a lane. With more members in view, every n-th is examined.
const BUDGET: usize = 400;
/// Maximum number of flows followed per marker.
const MAX_FLOWS: usize = 64;

struct Linker<'a, 'f> {
    input: &'a SceneInput<'a>,
    frame: &'f Frame,
    /// Column and rows of the connections so far, since duplicates in one position would look the same.
    drawn: HashSet<(i32, i32, i32)>,
    links: Vec<LinkInstance>,
}

/// Draws the connections of the hovered lane, or else of the selected one.
pub(super) fn build(input: &SceneInput<'_>, frame: &mut Frame) {
    let Some(flow) = input.view.flows.hovered.or_else(|| selected_lane(input)) else { return };
    let mut linker = Linker { input, frame, drawn: HashSet::new(), links: Vec::new() };
    linker.connect(flow);
    let links = linker.links;
    // A seam in the background color keeps connections readable over markers of any color.
    let seam: Vec<LinkInstance> = links
        .iter()
        .filter(|link| link.kind != LinkKind::Head as u32)
        .map(|link| LinkInstance { color: with_alpha(frame.palette.canvas, 190), width: link.width + 2.0, ..*link })
        .collect();
    frame.draw(input.regions.chart, seam);
    frame.draw(input.regions.chart, links);
}

impl Linker<'_, '_> {
    fn connect(&mut self, flow: FlowId) {
        let (profile, graph) = (self.input.index.profile(), self.input.index.flows());
        let Some(own) = self.middle(flow) else { return };
        let members = graph.members(flow);
        if let Some(first) = members.first()
            && let Some(parent) = graph.parent(*first)
        {
            for creator in graph.flows_of(parent).iter().take(MAX_FLOWS).filter(|creator| **creator != flow) {
                self.link(*first, self.middle(*creator), Some(own), true);
            }
        }
        let visible = self.input.view.axis.visible();
        let inside = graph.members_between(profile, flow, visible.start, visible.end);
        let step = (inside.len() / BUDGET).max(1);
        for marker in members[inside].iter().step_by(step) {
            for other in graph.flows_of(*marker).iter().take(MAX_FLOWS).filter(|other| **other != flow) {
                self.link(*marker, Some(own), self.middle(*other), false);
            }
        }
        // A member can begin before the view and create flows in view.
        let step = (members.len() / BUDGET).max(1);
        for marker in members.iter().step_by(step) {
            let children = graph.children_between(profile, *marker, visible);
            let step = (children.len() / BUDGET).max(1);
            for child in children.step_by(step) {
                let begins = |created: &&FlowId| graph.members(**created).first() == Some(&child);
                let created = graph.flows_of(child).iter().take(MAX_FLOWS).filter(begins);
                for created in created.filter(|created| **created != flow) {
                    self.link(child, Some(own), self.middle(*created), true);
                }
            }
            if self.links.len() > 2 * BUDGET {
                return;
            }
        }
    }

    /// The vertical middle of a lane, clamped to the chart.
    #[expect(clippy::cast_possible_truncation, reason = "screen coordinates")]
    fn middle(&self, flow: FlowId) -> Option<f32> {
        let (item, chart) = (self.input.list.lane(flow)?, self.input.regions.chart);
        let y = (item.y + item.height / 2.0 - self.input.view.scroll) * f64::from(self.input.scale);
        let y = y.round().clamp(-1e6, 1e6) as f32 + chart.y;
        Some(y.clamp(chart.y, chart.bottom()))
    }

    /// A line at the start of a marker between two heights, with an arrow head if the marker `creates` a flow.
    #[expect(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "a pixel column")]
    fn link(&mut self, marker: MarkerId, from: Option<f32>, to: Option<f32>, creates: bool) {
        let (Some(from), Some(to)) = (from, to) else { return };
        let (input, frame) = (self.input, self.frame);
        let Some(packed) = input.packed_marker(marker) else { return };
        let (column, _) = frame.axis.columns(packed);
        let x = column as f32 + 0.5;
        let is_new = self.drawn.insert((column, from as i32, to as i32));
        if from == to || !(0.0..frame.axis.width).contains(&x) || self.links.len() > 2 * BUDGET || !is_new {
            return;
        }
        let (scale, x) = (input.scale, frame.axis_left + x);
        if !creates {
            let color = frame.palette.flow;
            self.links.push(LinkInstance::new(LinkKind::Line, [x, from], [x, to], color, 1.4 * scale));
            return;
        }
        let (color, head) = (frame.palette.text2, if from < to { -7.0 * scale } else { 7.0 * scale });
        self.links.push(LinkInstance::new(LinkKind::Line, [x, from], [x, to + head], color, 1.4 * scale));
        self.links.push(LinkInstance::new(LinkKind::Head, [x, to + head], [x, to], color, 7.0 * scale));
    }
}
