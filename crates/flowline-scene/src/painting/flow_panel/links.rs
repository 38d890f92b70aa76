//! Connections between rows of the panel. Each connection belongs to a single time, so all of them are vertical. A
//! marker shared by several flows is a line between its dots. A cause is an arrow from the parent's interval down or up
//! to the child's dot, at the child's start.
//!
//! For the hovered marker, or else the selected one, connections are followed up and down through all rows shown. With
//! all connections enabled, they are drawn for every member of the entered flows in view.

use std::collections::HashSet;

use crate::frame::Frame;
use crate::geometry::PixelRect;
use crate::layout::{Area, SceneInput};
use crate::primitives::{LinkInstance, LinkKind};
use crate::theme::with_alpha;
use flowline_profile::{FlowId, MarkerId, Ns, TimeRange};

/// With more connections than this, they are drawn with [`CROWD_ALPHA`].
const CROWD: usize = 500;
/// Opacity of connections in a crowd, out of 255.
const CROWD_ALPHA: u8 = 56;
/// An arrow head reaches this many points to either side of its marker.
const REACH: f32 = 8.0;
/// At most this many dots are highlighted together with the one under the pointer.
const MAX_LIT: usize = 100;
/// At most this many markers are followed in one frame.
const BUDGET: usize = 4_000;

/// The connections of a part of the panel.
pub(super) struct Links {
    links: Vec<LinkInstance>,
    /// The markers at the other ends of the hovered marker's arrows, at most [`MAX_LIT`].
    pub(super) lit: Vec<MarkerId>,
}

impl Links {
    pub(super) fn draw(self, frame: &mut Frame, rect: PixelRect) {
        frame.draw(rect, self.links);
    }
}

/// Finds the connections that touch one part of the panel.
pub(super) fn find(input: &SceneInput<'_>, frame: &Frame, areas: &[Area<'_>; 2]) -> Links {
    let mut linker = Linker { input, areas, drawn: HashSet::new(), links: Vec::new(), visited: HashSet::new(), frame };
    if input.view.flows.all_connections {
        for marker in members_of(input, input.view.flows.entered.iter().copied()) {
            linker.shared(marker);
            linker.cause(marker);
            linker.effects(marker, 1);
        }
    }
    let mut lit = Vec::new();
    if let Some(marker) = input.view.hovered.or(input.view.selected) {
        // Markers followed for other arrows are followed again; connections already drawn are not drawn twice.
        linker.visited.clear();
        linker.shared(marker);
        let parents = linker.causes(marker);
        linker.effects(marker, usize::MAX);
        if input.view.hovered.is_some() {
            lit = parents.into_iter().chain(linker.visited).take(MAX_LIT).collect();
        }
    }
    let mut links = linker.links;
    // This many opaque connections would hide the rows below.
    if links.len() > CROWD {
        links.iter_mut().for_each(|link| link.color = with_alpha(link.color, CROWD_ALPHA));
    }
    Links { links, lit }
}

/// The markers with which the members of the entered flows and of the flow under the pointer are associated, each with that
/// flow: the parents and the children of these members, and the members themselves if other rows show them, too. At most
/// [`MAX_LIT`].
pub(super) fn associated(input: &SceneInput<'_>, areas: &[Area<'_>; 2]) -> Vec<(FlowId, MarkerId)> {
    let (view, graph) = (&input.view.flows, input.index.flows());
    let shown = |marker: &MarkerId| {
        let has_row = |flow: &&FlowId| areas.iter().any(|area| area.part.row(**flow).is_some());
        graph.flows_of(*marker).iter().filter(has_row).count()
    };
    let mut found = Vec::new();
    let flows = view.entered.iter().copied().chain(view.hovered.filter(|flow| !view.entered.contains(flow)));
    // All members, so that nothing changes while the view moves.
    let members = flows.flat_map(|flow| {
        let all = graph.members(flow);
        all.iter().step_by((all.len() / BUDGET).max(1)).map(move |marker| (flow, *marker))
    });
    for (flow, marker) in members {
        let own = Some(marker).filter(|marker| shown(marker) > 1);
        let parent = graph.parent(marker).filter(|parent| shown(parent) > 0);
        let children = graph.children(marker).take(MAX_LIT).filter(|child| shown(child) > 0);
        found.extend(own.into_iter().chain(parent).chain(children).map(|marker| (flow, marker)));
        if found.len() >= 2 * MAX_LIT {
            break;
        }
    }
    found.sort_unstable();
    found.dedup();
    found.truncate(MAX_LIT);
    found
}

/// Members of flows that start in view; every n-th of a flow if there are more than [`BUDGET`].
fn members_of(input: &SceneInput<'_>, flows: impl Iterator<Item = FlowId>) -> Vec<MarkerId> {
    let (profile, graph) = (input.index.profile(), input.index.flows());
    let visible = in_reach(input);
    let mut markers = Vec::new();
    for flow in flows {
        let range = graph.members_between(profile, flow, visible.start, visible.end);
        let step = (range.len() / BUDGET).max(1);
        markers.extend(graph.members(flow)[range].iter().step_by(step));
    }
    markers
}

/// The time range in view, widened by the reach of arrow heads.
fn in_reach(input: &SceneInput<'_>) -> TimeRange {
    let axis = &input.view.axis;
    let reach = f64::from(REACH * input.scale);
    TimeRange { start: axis.time(-reach), end: axis.time(axis.width() + reach) + Ns(1) }
}

struct Linker<'a, 'f> {
    input: &'a SceneInput<'a>,
    areas: &'a [Area<'a>; 2],
    frame: &'f Frame,
    /// Column, rows and kind of the connections already drawn, since duplicates in one position would look the same.
    drawn: HashSet<(i32, i32, i32, bool)>,
    visited: HashSet<MarkerId>,
    links: Vec<LinkInstance>,
}

impl Linker<'_, '_> {
    /// Top and bottom of the boxes of the rows that contain any of these flows, from top to bottom.
    fn rows(&self, flows: &[FlowId]) -> Vec<(f32, f32)> {
        let mut rows: Vec<(f32, f32)> = Vec::new();
        for area in self.areas.iter().filter(|area| area.rect.height >= 1.0) {
            for item in flows.iter().take(BUDGET).filter_map(|flow| area.part.row(*flow)) {
                let (place, half) = (area.place(item), area.place(item).height / 2.0);
                // A connection to a row scrolled out of view ends at the edge of the row's own part.
                let middle = (place.y + half).clamp(area.rect.y, area.rect.bottom());
                rows.push((middle - half, middle + half));
            }
        }
        rows.sort_by(|a, b| a.0.total_cmp(&b.0));
        // The flows of a collapsed group share a row, and so do rows scrolled out at the same edge.
        rows.dedup();
        rows
    }

    fn rows_of(&self, marker: MarkerId) -> Vec<(f32, f32)> {
        self.rows(self.input.index.flows().flows_of(marker))
    }

    /// The middle of the pixel column in which a marker starts; `None` outside the view.
    #[expect(clippy::cast_precision_loss, reason = "a pixel column")]
    fn x(&self, marker: MarkerId) -> Option<f32> {
        let packed = self.input.packed_marker(marker)?;
        let (column, _) = self.frame.axis.columns(packed);
        let x = column as f32 + 0.5;
        let reach = REACH * self.input.scale;
        (x > -reach && x < self.frame.axis.width + reach).then_some(self.frame.axis_left + x)
    }

    #[expect(clippy::cast_possible_truncation, reason = "screen coordinates")]
    fn is_new(&mut self, x: f32, from: f32, to: f32, is_context: bool) -> bool {
        self.drawn.insert((x as i32, from as i32, to as i32, is_context))
    }

    /// Draws the line through all rows that contain a marker.
    fn shared(&mut self, marker: MarkerId) {
        let Some(x) = self.x(marker) else { return };
        let rows = self.rows_of(marker);
        for pair in rows.windows(2) {
            let middle = |row: (f32, f32)| ((row.0 + row.1) / 2.0).floor();
            let (from, to) = (middle(pair[0]), middle(pair[1]));
            if self.is_new(x, from, to, false) {
                let (color, width) = (self.frame.palette.flow, 1.6 * self.input.scale);
                self.links.push(LinkInstance::new(LinkKind::Line, [x, from], [x, to], color, width));
            }
        }
    }

    /// Draws the arrow from a marker's parent to the marker. It starts at the nearest row of the parent.
    fn cause(&mut self, marker: MarkerId) -> Option<MarkerId> {
        let parent = self.input.index.flows().parent(marker)?;
        let x = self.x(marker)?;
        let parents = self.rows_of(parent);
        let children = self.rows_of(marker);
        for child in &children {
            let distance = |row: &&(f32, f32)| (row.0 - child.0).abs();
            let Some(parent) = parents.iter().min_by(|a, b| distance(a).total_cmp(&distance(b))) else { continue };
            if parent != child {
                self.arrow(x, *parent, *child);
            }
        }
        (!parents.is_empty()).then_some(parent)
    }

    fn arrow(&mut self, x: f32, parent: (f32, f32), child: (f32, f32)) {
        let scale = self.input.scale;
        let down = parent.0 < child.0;
        // From the parent's interval inside its box to just before the child's dot.
        let middle = |row: (f32, f32)| (row.0 + row.1) / 2.0;
        let inset = if down { -4.0 * scale } else { 4.0 * scale };
        let (from, to) = (middle(parent), middle(child) + 1.2 * inset);
        if !self.is_new(x, from, to, true) {
            return;
        }
        let color = self.frame.palette.text2;
        let base = to + 1.6 * inset;
        self.links.push(LinkInstance::new(LinkKind::Line, [x, from], [x, base], color, 1.2 * scale));
        self.links.push(LinkInstance::new(LinkKind::Head, [x, base], [x, to], color, 7.0 * scale));
    }

    /// Draws arrows from parent to parent, up to the last parent that has a row. Returns these parents.
    fn causes(&mut self, marker: MarkerId) -> Vec<MarkerId> {
        let mut parents = Vec::new();
        let mut marker = marker;
        for _ in 0..BUDGET {
            let Some(parent) = self.cause(marker) else { break };
            self.shared(parent);
            parents.push(parent);
            marker = parent;
        }
        parents
    }

    /// Draws arrows to children that have rows, `depth` generations down.
    fn effects(&mut self, marker: MarkerId, depth: usize) {
        let graph = self.input.index.flows();
        let visible = in_reach(self.input);
        let mut open = vec![(marker, 0)];
        while let Some((marker, level)) = open.pop() {
            if level >= depth || self.visited.len() > BUDGET {
                continue;
            }
            // Arrows of children out of view are out of view, too. With very many children, every n-th is followed.
            let children = graph.children_between(self.input.index.profile(), marker, visible);
            let step = (children.len() / (BUDGET / 2)).max(1);
            for child in children.step_by(step) {
                let shown = graph
                    .flows_of(child)
                    .iter()
                    .any(|flow| self.areas.iter().any(|area| area.part.row(*flow).is_some()));
                if self.visited.len() > BUDGET || !shown || !self.visited.insert(child) {
                    continue;
                }
                self.cause(child);
                open.push((child, level + 1));
            }
        }
    }
}
