//! Flow lane: the timeline of a flow as rows of spans. It is built when the lane is first shown.
//!
//! Waits, runs and marks each have a pyramid, like the chart's rows, so drawing a lane with a million members costs
//! only as many spans as fit on the screen. Runs are drawn over waits, so a run of one nanosecond is visible within a
//! wait.

use super::flow_timeline::{FlowFacts, FlowRoles, SegmentKind, TimelineTotals, timeline_under};
use crate::Index;
use crate::flows::graph::{FlowGraph, times_of};
use crate::flows::ids::short_address;
use crate::flows::rules::{MemberInfo, RuleMatcher};
use crate::flows::shapes::{RuleBox, ShapeRow, ShapeSpan};
use crate::rows::{Packed, Style};
use flowline_profile::{FlowId, MarkerId, Profile, TimeRange};

/// Spans of one kind with their markers.
#[derive(Clone, Debug, Default)]
struct LaneRow {
    spans: ShapeRow,
    markers: Vec<MarkerId>,
}

impl LaneRow {
    #[inline]
    fn add(&mut self, packed: Packed, marker: MarkerId) {
        self.spans.packed.push(packed);
        self.markers.push(marker);
    }

    #[inline]
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

    #[inline]
    fn bytes(&self) -> usize {
        self.spans.bytes() + self.markers.capacity() * size_of::<MarkerId>()
    }
}

impl RuleMatcher {
    /// True if a flow's lane shows the marker as a run, false if it shows a mark.
    #[must_use]
    #[inline]
    pub fn is_run(&self, profile: &Profile, flows: &FlowGraph, flow: FlowId, marker: MarkerId) -> bool {
        let roles = self.roles(profile, flows, flow);
        MemberInfo::new(profile, marker).is_some_and(|member| is_run(&roles, profile, member))
    }
}

/// True if a member is drawn as a run. A run of zero length has no segment, so it is drawn as a mark.
#[inline]
fn is_run(roles: &FlowRoles<'_>, profile: &Profile, member: MemberInfo) -> bool {
    let flags = profile.thread(member.thread).markers.flags(member.local);
    !times_of(profile, member.marker).is_empty() && roles.runs(flags, member)
}

/// The shapes of a flow lane.
#[derive(Clone, Debug)]
pub struct LaneShape {
    /// Posting thread, running threads, resource and type.
    pub facts: FlowFacts,
    /// Total run and wait times.
    pub totals: TimelineTotals,
    /// Time from the first start to the last end.
    pub range: TimeRange,
    /// Palette entry of the first run, else of the first marker.
    pub color: u8,
    /// Label by the flow rules.
    pub label: String,
    /// The box of the flow's rule, if it describes one.
    pub boxed: Option<RuleBox>,
    waits: LaneRow,
    runs: LaneRow,
    marks: LaneRow,
}

impl LaneShape {
    /// Builds the lane of a flow.
    #[must_use]
    pub fn for_flow(index: &Index, rules: &RuleMatcher, flow: FlowId) -> Self {
        let (profile, graph, clock) = (index.profile(), index.flows(), index.clock());
        let styles = index.source().styles;
        let roles = rules.roles(profile, graph, flow);
        let timeline = timeline_under(&roles, profile, graph, flow);
        let pack = |range: TimeRange, style| Packed::new(clock.tick(range.start), clock.tick(range.end), style);
        let (mut waits, mut runs_row, mut marks) = (LaneRow::default(), LaneRow::default(), LaneRow::default());
        for segment in &timeline.segments {
            let style = Style::new(styles.get(segment.marker).color());
            match segment.kind {
                SegmentKind::Run => runs_row.add(pack(segment.range, style), segment.marker),
                SegmentKind::Wait => waits.add(pack(segment.range, style), segment.marker),
                SegmentKind::Idle => {}
            }
        }
        let members = graph.members(flow);
        for member in members.iter().filter_map(|marker| MemberInfo::new(profile, *marker)) {
            if !is_run(&roles, profile, member) {
                let tick = clock.tick(times_of(profile, member.marker).start);
                let style = Style::new(styles.get(member.marker).color()).with_instant(true);
                marks.add(Packed::new(tick, tick, style), member.marker);
            }
        }
        let color = runs_row.markers.first().or(members.first()).map_or(0, |marker| styles.get(*marker).color());
        let appearance = rules.appearance(profile, graph, styles, flow);
        let range = graph.range(profile, flow);
        Self {
            boxed: RuleBox::of(clock, &appearance, range),
            label: appearance.label,
            facts: rules.flow_facts(profile, graph, flow),
            totals: TimelineTotals::from(&timeline),
            range,
            color,
            waits: waits.finish(),
            runs: runs_row.finish(),
            marks: marks.finish(),
        }
    }

    /// The name of the flow and of the object that it is about: its label, and its resource if the label lacks it. A label
    /// that is only an address follows the flow's type.
    #[must_use]
    pub fn title(&self) -> String {
        title(&self.label, &self.facts.kind, self.facts.resource.as_deref())
    }

    /// Visits the waits between two ticks at `scale` ticks per pixel, each with the marker at which it ends and the
    /// number of merged waits.
    pub fn visit_waits(&self, scale: f64, range: (u64, u64), each: impl FnMut(Packed, MarkerId, u32)) {
        self.waits.visit(scale, range, each);
    }

    /// Visits the runs in the same way, each with the running marker.
    pub fn visit_runs(&self, scale: f64, range: (u64, u64), each: impl FnMut(Packed, MarkerId, u32)) {
        self.runs.visit(scale, range, each);
    }

    /// Visits the members that are not runs, as points at their starts.
    pub fn visit_marks(&self, scale: f64, range: (u64, u64), each: impl FnMut(Packed, MarkerId, u32)) {
        self.marks.visit(scale, range, each);
    }

    /// Memory in bytes, including the struct itself, because there may be very many small lanes.
    #[must_use]
    #[inline]
    pub fn bytes(&self) -> usize {
        let texts = self.label.len() + self.facts.kind.len() + self.facts.resource.as_ref().map_or(0, String::len);
        size_of::<Self>() + self.waits.bytes() + self.runs.bytes() + self.marks.bytes() + texts
    }
}

fn title(label: &str, kind: &str, resource: Option<&str>) -> String {
    let Some(resource) = resource.filter(|resource| !resource.is_empty()) else { return label.to_owned() };
    let short = short_address(resource);
    let is_address = label == short || label == resource;
    match () {
        () if is_address && (kind.is_empty() || kind == label) => resource.to_owned(),
        () if is_address => format!("{kind}, {resource}"),
        () if label.contains(&short) => label.to_owned(),
        () => format!("{label}, {resource}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lane_is_named_by_the_flow_and_its_object() {
        let url = "https://a.example/x.png";
        for (label, kind, resource, expected) in [
            ("Promise job", "RunMicroTask", None, "Promise job"),
            ("LoadTask", "LoadTask", Some(url), "LoadTask, https://a.example/x.png"),
            (
                "a.example/x.png",
                "nsHttpChannel::AsyncOpen",
                Some(url),
                "nsHttpChannel::AsyncOpen, https://a.example/x.png",
            ),
            ("Image a.example/x.png", "imgLoader::Load", Some(url), "Image a.example/x.png"),
            ("a.example/x.png", "", Some(url), url),
        ] {
            assert_eq!(title(label, kind, resource), expected);
        }
    }
}
