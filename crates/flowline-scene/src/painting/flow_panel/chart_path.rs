//! Paths of the entered flows over the chart: a curve from each marker to the next, across threads. If the recording
//! contains explicit steps, the curves are its arrows, and several targets fan out from one start. An arrow at the
//! chart's edge points to a marker that is scrolled or zoomed out of view. A marker in a collapsed track is connected
//! at the track's heading.

use std::collections::HashMap;
use std::ops::Range;

use crate::frame::Frame;
use crate::geometry::PixelRect;
use crate::layout::SceneInput;
use crate::primitives::{LinkInstance, LinkKind, RectInstance};
use crate::theme::with_alpha;
use flowline_profile::{FlowId, FlowStep, FlowSteps, MarkerId, Ns, Profile, TrackKind};

/// Maximum number of curves in the path of one flow. With more markers in view, the path passes through every n-th.
const MAX_CURVES: usize = 600;

/// Vertical positions of markers in the chart, looked up once for each track list.
#[derive(Debug, Default)]
pub(crate) struct PathCache {
    list: u64,
    /// Top and height of the marker's row in points from the top of the content.
    rows: HashMap<MarkerId, Option<(f64, f64)>>,
}

impl PathCache {
    /// Vertical middle of a marker's row in points from the top of the content.
    pub(crate) fn middle(&mut self, input: &SceneInput<'_>, marker: MarkerId) -> Option<f64> {
        self.row(input, marker).map(|(top, height)| top + height / 2.0)
    }

    /// Lower edge of a marker's row in points from the top of the content.
    pub(crate) fn lower_edge(&mut self, input: &SceneInput<'_>, marker: MarkerId) -> Option<f64> {
        self.row(input, marker).map(|(top, height)| top + height)
    }

    fn row(&mut self, input: &SceneInput<'_>, marker: MarkerId) -> Option<(f64, f64)> {
        if self.list != input.list.number || self.rows.len() > 100_000 {
            self.list = input.list.number;
            self.rows.clear();
        }
        *self.rows.entry(marker).or_insert_with(|| {
            let (thread, local) = input.index.profile().locate(marker)?;
            let item = input.list.item_of(input.index, input.view.arrangement, thread, local)?;
            Some((item.y, item.height))
        })
    }
}

/// A point of the path.
#[derive(Clone, Copy)]
struct Stop {
    x: f32,
    /// End of the path on this marker: the marker's end, or the next stop if that comes first.
    x_end: f32,
    y: f32,
    /// True if the marker is out of view above or below.
    clipped: bool,
}

/// Draws the paths of the entered flows.
pub(crate) fn build(input: &SceneInput<'_>, frame: &mut Frame, cache: &mut PathCache) {
    let chart = input.regions.chart;
    let (mut links, mut dots) = (Vec::new(), Vec::new());
    let paths = if input.view.flows.path { 8 } else { 0 };
    selected_arrows(input, frame, cache, &mut links);
    for flow in input.view.flows.entered.iter().take(paths) {
        let path = path(input, frame, cache, *flow);
        for (from, to) in path.curves {
            curve(input, frame, from, to, &mut links);
        }
        let radius = 4.5 * input.scale;
        for stop in path.stops.iter().filter(|stop| !stop.clipped) {
            let rect = PixelRect::new(stop.x - radius, stop.y - radius, 2.0 * radius, 2.0 * radius);
            dots.push(RectInstance {
                border: frame.palette.flow,
                radius,
                border_width: 2.0 * input.scale,
                ..RectInstance::filled(rect, frame.palette.canvas)
            });
        }
    }
    if links.is_empty() && dots.is_empty() {
        return;
    }
    // A halo in the canvas color keeps the curves readable over markers of any color.
    let seam: Vec<LinkInstance> = links
        .iter()
        .filter(|link| link.kind != LinkKind::Head as u32)
        .map(|link| LinkInstance {
            color: with_alpha(frame.palette.canvas, 153),
            width: link.width + 2.0 * input.scale,
            ..*link
        })
        .collect();
    frame.draw(chart, seam);
    frame.draw(chart, links);
    frame.draw(chart, dots);
}

/// The path of a flow.
#[derive(Default)]
struct Path {
    /// The steps in view plus one on either side, thinned out if there are too many.
    stops: Vec<Stop>,
    curves: Vec<(Stop, Stop)>,
}

impl Path {
    /// A path that connects consecutive stops.
    fn chain(mut stops: Vec<Stop>) -> Self {
        for at in 1..stops.len() {
            stops[at - 1].x_end = stops[at - 1].x_end.min(stops[at].x);
        }
        let curves = stops.windows(2).map(|pair| (pair[0], pair[1])).collect();
        Self { stops, curves }
    }
}

fn path(input: &SceneInput<'_>, frame: &Frame, cache: &mut PathCache, flow: FlowId) -> Path {
    let (profile, graph) = (input.index.profile(), input.index.flows());
    let visible = input.view.axis.visible();
    let around = |range: Range<usize>, count: usize| range.start.saturating_sub(1)..(range.end + 1).min(count);
    let steps = graph.steps(profile, flow);
    if steps.is_empty() {
        let members = graph.members(flow);
        let range = graph.members_between(profile, flow, visible.start, visible.end + Ns(1));
        let range = around(range, members.len());
        let thinned = members[range.clone()].iter().step_by((range.len() / MAX_CURVES).max(1));
        return Path::chain(thinned.filter_map(|marker| stop(input, frame, cache, *marker, None)).collect());
    }
    let first = steps.partition_point(|step| { step.time } < visible.start);
    let end = steps.partition_point(|step| { step.time } <= visible.end);
    let range = around(first..end, steps.len());
    let thinned = range.clone().step_by((range.len() / MAX_CURVES).max(1));
    let stop_at = |cache: &mut PathCache, at: usize| {
        let step = steps.get(at)?;
        stop(input, frame, cache, step.marker, Some(step.time))
    };
    if is_operation(profile, &steps) {
        return Path::chain(thinned.filter_map(|at| stop_at(cache, at)).collect());
    }
    let mut path = Path::default();
    // The last step that is not a target, with its stop.
    let mut source: Option<(usize, Stop)> = None;
    for at in thinned {
        let Some(to) = stop_at(cache, at) else { continue };
        let is_target = steps.is_target(at);
        // A thinned path continues from the last drawn step. A target connects to its own source.
        if let Some(wanted) = steps.source(at)
            && source.is_none_or(|(known, _)| is_target && known != wanted)
        {
            let from = stop_at(cache, wanted);
            path.stops.extend(from);
            source = from.map(|from| (wanted, from));
        }
        path.curves.extend(source.map(|(_, from)| (from, to)));
        path.stops.push(to);
        if !is_target {
            source = Some((at, to));
        }
    }
    path
}

/// True if the steps are parts of an asynchronous operation, where no step leads to the next.
fn is_operation(profile: &Profile, steps: &FlowSteps<'_>) -> bool {
    let is_async = |step: &FlowStep| {
        let thread = profile.locate(step.marker).map(|(thread, _)| thread);
        thread.is_some_and(|thread| profile.thread(thread).kind == TrackKind::Async)
    };
    steps.first().is_some_and(is_async) && steps.arrows().next().is_none()
}

/// The stop on a marker: from its start to its end, or only the time of a step.
#[expect(clippy::cast_possible_truncation, reason = "screen coordinates")]
fn stop(
    input: &SceneInput<'_>,
    frame: &Frame,
    cache: &mut PathCache,
    marker: MarkerId,
    time: Option<Ns>,
) -> Option<Stop> {
    let chart = input.regions.chart;
    let (packed, place) = input.packed_marker(marker).zip(cache.middle(input, marker))?;
    let (first, end) = frame.axis.columns(packed);
    #[expect(clippy::cast_precision_loss, reason = "pixel columns")]
    let (mut x, mut x_end) = (chart.x + first as f32 + 0.5, chart.x + end as f32 - 0.5);
    if let Some(time) = time {
        let at = chart.x + frame.axis.pixel(input.index.clock().tick(time));
        x = at.clamp(x, x_end.max(x));
        x_end = x;
    }
    let y = chart.y + ((place - input.view.scroll) * f64::from(input.scale)).round() as f32;
    let margin = 5.0 * input.scale;
    let inside = y.clamp(chart.y + margin, (chart.bottom() - margin).max(chart.y + margin));
    Some(Stop { x, x_end: x_end.max(x), y: inside, clipped: inside != y })
}

/// Arrows are drawn for at most this many flows of the selected marker.
const MAX_SELECTED_FLOWS: usize = 24;

/// Draws the arrows into and out of the selected marker, one step each way. Needs explicit steps in the recording.
fn selected_arrows(input: &SceneInput<'_>, frame: &Frame, cache: &mut PathCache, links: &mut Vec<LinkInstance>) {
    let (profile, graph) = (input.index.profile(), input.index.flows());
    let Some(selected) = input.view.selected else { return };
    let Some((thread, local)) = profile.locate(selected) else { return };
    let markers = &profile.thread(thread).markers;
    let (start, end) = (markers.start(local), markers.end(local));
    let mut drawn: Vec<(MarkerId, MarkerId)> = Vec::new();
    for flow in graph.flows_of(selected).iter().take(MAX_SELECTED_FLOWS) {
        let steps = graph.steps(profile, *flow);
        // Flows can be long, so only the steps near the marker and the targets after them are examined.
        let first = steps.partition_point(|step| { step.time } < start).saturating_sub(2);
        let end = steps.partition_point(|step| { step.time } <= end);
        let targets = (end..steps.len()).take(MAX_CURVES).take_while(|at| steps.is_target(*at)).count();
        let near = first..(end + targets + 1).min(steps.len()).min(first + MAX_CURVES);
        let arrows = near.filter_map(|at| Some((steps.get(steps.source(at)?)?, steps.get(at)?)));
        for (from, to) in arrows {
            let ends = (from.marker, to.marker);
            if ends.0 == ends.1 || (ends.0 != selected && ends.1 != selected) || drawn.contains(&ends) {
                continue;
            }
            drawn.push(ends);
            let from = stop(input, frame, cache, from.marker, Some(from.time));
            let to = stop(input, frame, cache, to.marker, Some(to.time));
            if let Some((from, to)) = from.zip(to) {
                curve(input, frame, from, to, links);
            }
        }
    }
}

fn curve(input: &SceneInput<'_>, frame: &Frame, from: Stop, to: Stop, links: &mut Vec<LinkInstance>) {
    let chart = input.regions.chart;
    let scale = input.scale;
    let edge = 3.0 * scale;
    let (left, right) = (chart.x + edge, (chart.right() - edge).max(chart.x + edge));
    if to.x < left && from.x_end < left || from.x_end > right {
        return;
    }
    let color = frame.palette.flow;
    let width = 2.0 * scale;
    let start = [from.x_end.clamp(left, right), from.y];
    let tip = [to.x.clamp(left, right), to.y];
    let head = 8.0 * scale;
    if to.clipped {
        // The arrow points up or down, toward the next step of the path.
        let base = [tip[0], if to.y > chart.y + chart.height / 2.0 { tip[1] - head } else { tip[1] + head }];
        links.push(LinkInstance::new(LinkKind::Curve, start, base, color, width));
        links.push(LinkInstance::new(LinkKind::Head, base, tip, color, 8.0 * scale));
        return;
    }
    // A dot would hide the tip of the arrow, so the arrow ends before the dot.
    let tip = if to.x <= right { [tip[0] - 4.0 * scale, tip[1]] } else { tip };
    let base = [tip[0] - head, tip[1]];
    links.push(LinkInstance::new(LinkKind::Curve, start, base, color, width));
    links.push(LinkInstance::new(LinkKind::Head, base, tip, color, 8.0 * scale));
}
