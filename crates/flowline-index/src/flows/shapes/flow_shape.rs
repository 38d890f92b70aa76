//! Shapes of a row of the flow panel: a dot at the start of each member, a tint for its interval, the run and wait
//! segments, and the data of the label. They are built when the row is first shown, in one step per member.
//!
//! Dots and tints have pyramids like the chart's rows, so drawing a million dots costs only as many as fit on the
//! screen. Members of different threads may overlap in time, so a tint begins where the earlier ones end; together, the
//! tints cover exactly the union of the intervals.

use std::collections::HashSet;

use super::rule_box::RuleBox;
use super::shape_rows::{ShapeRow, ShapeSpan, TintBuilder, pack};
use crate::Index;
use crate::WARN_ENTRY;
use crate::flows::lanes::{FlowTimeline, SegmentKind};
use crate::flows::rules::{FlowAppearance, RuleMatcher};
use crate::rows::{Clock, Packed, Style};
use crate::waits::{knows_flow_requests, network_wait};
use flowline_profile::{Column, FlowId, Kind, MarkerId, TimeRange};

/// A row of the flow panel.
#[derive(Clone, Debug)]
pub struct FlowShape {
    /// Appearance of the flow or group.
    pub appearance: FlowAppearance,
    /// The text of the id; empty for a group.
    pub id: String,
    /// Time from the first start to the last end.
    pub range: TimeRange,
    /// Number of members or, for a group, of flows.
    pub members: usize,
    /// Number of threads that have members.
    pub threads: usize,
    /// Number of processes that have members.
    pub processes: usize,
    /// Ticks of the whole range.
    pub whole: Packed,
    /// The box of the flow's rule, if it describes one.
    pub boxed: Option<RuleBox>,
    /// True if the styles of waits tell whether the flow's network request was on its way; false until the requests of
    /// flows are known.
    pub knows_requests: bool,
    dots: ShapeRow,
    tints: ShapeRow,
    /// Run segments of the flow timeline.
    runs: ShapeRow,
    /// Wait segments of the flow timeline.
    waits: ShapeRow,
}

impl FlowShape {
    /// Builds the row of a flow.
    #[must_use]
    pub fn for_flow(index: &Index, rules: &RuleMatcher, flow: FlowId) -> Self {
        let (profile, graph, clock) = (index.profile(), index.flows(), index.clock());
        let members = graph.members(flow);
        let source = index.source();
        let mut dots = ShapeRow { packed: Column::with_capacity(members.len()), ..ShapeRow::default() };
        let mut tints = TintBuilder::default();
        let (mut threads, mut processes) = (HashSet::new(), HashSet::new());
        for (number, marker) in members.iter().enumerate() {
            let Some((thread, local)) = profile.locate(*marker) else { continue };
            if threads.insert(thread) {
                processes.insert(profile.thread(thread).process);
            }
            let columns = &profile.thread(thread).markers;
            let TimeRange { start, end } = columns.range(local);
            let style = source.styles.get(*marker);
            let tick = clock.tick(start);
            dots.packed.push(Packed::new(tick, tick, style));
            if !style.is_instant() {
                tints.add(Packed::new(tick, clock.tick(end), style), number);
            }
        }
        let range = graph.range(profile, flow);
        let appearance = rules.appearance(profile, graph, source.styles, flow);
        let style = Style::new(appearance.color);
        let timeline = rules.timeline(profile, graph, flow);
        let knows_requests = knows_flow_requests(index);
        let is_network = |wait: TimeRange| match knows_requests {
            true => network_wait(index, flow, wait).is_some(),
            // Until then, those of a request are likely to be.
            false => appearance.color == Kind::Network as u8,
        };
        let (runs, waits) = (run_row(clock, &timeline), wait_row(clock, &timeline, is_network));
        Self {
            id: graph.id_text(profile, flow),
            range,
            members: members.len(),
            threads: threads.len(),
            processes: processes.len(),
            whole: pack(clock, range, style),
            boxed: RuleBox::of(clock, &appearance, range),
            knows_requests,
            appearance,
            dots: dots.finish(),
            tints: tints.finish(),
            runs,
            waits,
        }
    }

    /// Builds the row of a group of flows: a dot at the start of each flow, and tints for the union of their ranges.
    /// `flows` must be ascending.
    #[must_use]
    pub fn for_group(index: &Index, label: String, flows: &[FlowId]) -> Self {
        let (profile, graph, clock) = (index.profile(), index.flows(), index.clock());
        let styles = index.source().styles;
        let mut dots = ShapeRow { packed: Column::with_capacity(flows.len()), ..ShapeRow::default() };
        let mut tints = TintBuilder::default();
        let mut all: Option<TimeRange> = None;
        for (number, flow) in flows.iter().enumerate() {
            let range = graph.range(profile, *flow);
            let style = graph.members(*flow).first().map(|marker| styles.get(*marker)).unwrap_or_default();
            let style = Style::new(style.color());
            let packed = pack(clock, range, style);
            dots.packed.push(Packed::new(packed.start(), packed.start(), style));
            tints.add(packed, number);
            all = Some(all.map_or(range, |all| all.union(range)));
        }
        let range = all.unwrap_or_default();
        let first = flows.first().and_then(|flow| graph.members(*flow).first()).copied();
        let color = first.map_or(0, |marker| styles.get(marker).color());
        let thread = first.and_then(|marker| profile.locate(marker)).map(|(thread, _)| thread).unwrap_or_default();
        let whole = pack(clock, range, Style::new(color));
        Self {
            appearance: FlowAppearance {
                label,
                field: String::new(),
                thread,
                color,
                main: range,
                fade: None,
                is_boxed: false,
            },
            id: String::new(),
            range,
            members: flows.len(),
            threads: 0,
            processes: 0,
            whole,
            boxed: None,
            knows_requests: true,
            dots: dots.finish(),
            tints: tints.finish(),
            runs: ShapeRow::default(),
            waits: ShapeRow::default(),
        }
    }

    /// Visits the dots between two ticks at `ticks_per_pixel`; dots in the same pixel are merged.
    pub fn visit_dots(&self, ticks_per_pixel: f64, from: u64, to: u64, each: impl FnMut(ShapeSpan)) {
        self.dots.visit(ticks_per_pixel, from, to, each);
    }

    /// Visits the tints between two ticks at `ticks_per_pixel`.
    pub fn visit_tints(&self, ticks_per_pixel: f64, from: u64, to: u64, each: impl FnMut(ShapeSpan)) {
        self.tints.visit(ticks_per_pixel, from, to, each);
    }

    /// Visits the runs between two ticks at `ticks_per_pixel`.
    pub fn visit_runs(&self, ticks_per_pixel: f64, from: u64, to: u64, each: impl FnMut(ShapeSpan)) {
        self.runs.visit(ticks_per_pixel, from, to, each);
    }

    /// Visits the waits between two ticks at `ticks_per_pixel`.
    pub fn visit_waits(&self, ticks_per_pixel: f64, from: u64, to: u64, each: impl FnMut(ShapeSpan)) {
        self.waits.visit(ticks_per_pixel, from, to, each);
    }

    /// Heap memory in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.dots.bytes()
            + self.tints.bytes()
            + self.runs.bytes()
            + self.waits.bytes()
            + self.id.len()
            + self.appearance.label.len()
    }
}

/// The row of run segments. Segments that touch are merged into one span.
fn run_row(clock: Clock, timeline: &FlowTimeline) -> ShapeRow {
    row_of(clock, timeline, SegmentKind::Run, |_| Style::default())
}

/// The row of wait segments, in the color of the network where a request was on its way.
fn wait_row(clock: Clock, timeline: &FlowTimeline, is_network: impl Fn(TimeRange) -> bool) -> ShapeRow {
    let style = |wait| Style::new(if is_network(wait) { Kind::Network as u8 } else { WARN_ENTRY });
    row_of(clock, timeline, SegmentKind::Wait, style)
}

/// The row of segments of a kind. Segments of the same style that touch are merged into one span.
fn row_of(clock: Clock, timeline: &FlowTimeline, kind: SegmentKind, style: impl Fn(TimeRange) -> Style) -> ShapeRow {
    let mut ranges: Vec<(TimeRange, Style)> = Vec::new();
    for segment in timeline.segments.iter().filter(|segment| segment.kind == kind) {
        let style = style(segment.range);
        match ranges.last_mut().filter(|(last, same)| last.end == segment.range.start && *same == style) {
            Some((last, _)) => last.end = segment.range.end,
            None => ranges.push((segment.range, style)),
        }
    }
    let packed: Vec<Packed> = ranges.into_iter().map(|(range, style)| pack(clock, range, style)).collect();
    ShapeRow { packed: packed.into(), ..ShapeRow::default() }.finish()
}

/// Name by which flows are grouped: the name of the first marker.
#[must_use]
pub fn group_name(index: &Index, flow: FlowId) -> flowline_profile::StringId {
    let profile = index.profile();
    let first: Option<&MarkerId> = index.flows().members(flow).first();
    let place = first.and_then(|marker| profile.locate(*marker));
    place.map_or_else(Default::default, |(thread, local)| profile.thread(thread).markers.name(local))
}
