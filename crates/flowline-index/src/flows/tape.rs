//! The tape of a flow: its life as rows of spans. It is built when the tape is first shown.
//!
//! Waits, runs and marks have a pyramid each, as the chart's rows have, so a tape of a million members costs as many spans as
//! fit on the screen. Waits are drawn below runs: a run of a nanosecond takes its pixel from the wait around it.

use super::life::{LifeTotals, SegmentKind, life_under, runs};
use super::rule_matcher::CompiledRule;
use super::rule_names::MemberInfo;
use super::shape_rows::{ShapeRow, ShapeSpan};
use super::{FlowFacts, FlowGraph, RuleMatcher, times_of};
use crate::Index;
use crate::span::{Packed, Style};
use flowline_profile::{FlowId, MarkerId, Profile, TimeRange};

/// One kind of spans with the markers behind them.
#[derive(Clone, Debug, Default)]
struct TapeRow {
    spans: ShapeRow,
    markers: Vec<MarkerId>,
}

impl TapeRow {
    fn add(&mut self, packed: Packed, marker: MarkerId) {
        self.spans.packed.push(packed);
        self.markers.push(marker);
    }

    fn finish(self) -> Self {
        Self { spans: self.spans.finish(), markers: self.markers }
    }

    fn visit(&self, scale: f64, (from, to): (u64, u64), mut each: impl FnMut(Packed, MarkerId, u32)) {
        self.spans.visit(scale, from, to, |ShapeSpan { packed, member, count }| {
            if let Some(marker) = self.markers.get(member) {
                each(packed, *marker, count);
            }
        });
    }

    fn bytes(&self) -> usize {
        self.spans.bytes() + self.markers.capacity() * size_of::<MarkerId>()
    }
}

impl RuleMatcher {
    /// Whether a marker is drawn as a run on the tape of a flow that it is in, and not as a mark.
    #[must_use]
    pub fn is_run(&self, profile: &Profile, flows: &FlowGraph, flow: FlowId, marker: MarkerId) -> bool {
        let rule = self.rule_of(profile, flows, flow).map(|number| &self.rules[number]);
        MemberInfo::new(profile, marker).is_some_and(|member| is_run(rule, profile, member))
    }
}

/// What runs for no time has no segment, so it is a mark.
fn is_run(rule: Option<&CompiledRule>, profile: &Profile, member: MemberInfo) -> bool {
    let flags = profile.thread(member.thread).markers.flags(member.local);
    !times_of(profile, member.marker).is_empty() && runs(rule, flags, member)
}

/// A tape.
#[derive(Clone, Debug)]
pub struct TapeShape {
    /// Posted from, runs on, resource and type.
    pub facts: FlowFacts,
    /// How long it ran and waited.
    pub totals: LifeTotals,
    /// From its first start to its last end.
    pub range: TimeRange,
    /// Palette entry: that of what ran first, else of its first marker.
    pub color: u8,
    waits: TapeRow,
    runs: TapeRow,
    marks: TapeRow,
}

impl TapeShape {
    /// Builds the tape of a flow.
    #[must_use]
    pub fn for_flow(index: &Index, rules: &RuleMatcher, flow: FlowId) -> Self {
        let (profile, graph, clock) = (index.profile(), index.flows(), index.clock());
        let styles = index.source().styles;
        let rule = rules.rule_of(profile, graph, flow).map(|number| &rules.rules[number]);
        let life = life_under(rule, profile, graph, flow);
        let pack = |range: TimeRange, style| Packed::new(clock.tick(range.start), clock.tick(range.end), style);
        let (mut waits, mut runs_row, mut marks) = (TapeRow::default(), TapeRow::default(), TapeRow::default());
        for segment in &life.segments {
            let style = Style::new(styles.get(segment.marker).color());
            match segment.kind {
                SegmentKind::Run => runs_row.add(pack(segment.range, style), segment.marker),
                SegmentKind::Wait => waits.add(pack(segment.range, style), segment.marker),
            }
        }
        let members = graph.members(flow);
        for member in members.iter().filter_map(|marker| MemberInfo::new(profile, *marker)) {
            if !is_run(rule, profile, member) {
                let tick = clock.tick(times_of(profile, member.marker).start);
                let style = Style::new(styles.get(member.marker).color()).with_instant(true);
                marks.add(Packed::new(tick, tick, style), member.marker);
            }
        }
        let color = runs_row.markers.first().or(members.first()).map_or(0, |marker| styles.get(*marker).color());
        Self {
            facts: rules.flow_facts(profile, graph, flow),
            totals: LifeTotals::from(&life),
            range: graph.range(profile, flow),
            color,
            waits: waits.finish(),
            runs: runs_row.finish(),
            marks: marks.finish(),
        }
    }

    /// The waits between two ticks when a pixel lasts `scale` ticks, with the marker at which each ends and the number of
    /// waits in each span.
    pub fn visit_waits(&self, scale: f64, range: (u64, u64), each: impl FnMut(Packed, MarkerId, u32)) {
        self.waits.visit(scale, range, each);
    }

    /// The runs likewise, with the marker that runs.
    pub fn visit_runs(&self, scale: f64, range: (u64, u64), each: impl FnMut(Packed, MarkerId, u32)) {
        self.runs.visit(scale, range, each);
    }

    /// The members that do not run, as points at their starts.
    pub fn visit_marks(&self, scale: f64, range: (u64, u64), each: impl FnMut(Packed, MarkerId, u32)) {
        self.marks.visit(scale, range, each);
    }

    /// Bytes held, its own included: there may be very many small ones.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let texts = self.facts.kind.len() + self.facts.resource.as_ref().map_or(0, String::len);
        size_of::<Self>() + self.waits.bytes() + self.runs.bytes() + self.marks.bytes() + texts
    }
}
