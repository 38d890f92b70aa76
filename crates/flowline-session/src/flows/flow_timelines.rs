//! Text of flow timelines: the segments of a flow, the thread it was posted from, and the blockers of each wait. All
//! texts are computed on the pool when first shown, because the blockers on a thread require all of its rows.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::Arc;

use super::wait_text::WaitText;
use crate::tasks::{Job, OnDemand, PoolTask, Wake};
use flowline_format::format_duration_ns;
use flowline_index::Index;
use flowline_index::flows::{
    FlowFacts, FlowTimeline, PostedFrom, RuleMatcher, SegmentKind, TimelineSegment, TimelineTotals,
};
use flowline_profile::{DisplayClock, FlowId, MarkerId, ThreadId};

/// Maximum number of cached timelines.
const MAX_CARDS: usize = 256;
/// Maximum number of cached waits.
const MAX_WAITS: usize = 1024;

/// The timeline of a flow, with a summary.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FlowTimelineCard {
    /// Label by the flow rules.
    pub label: String,
    /// The run and wait segments.
    pub timeline: FlowTimeline,
    /// Total durations.
    pub totals: TimelineTotals,
    /// The origin of the flow: "posted from Socket Thread"; empty if unknown.
    pub posted_from: String,
    /// The threads of the running markers, if they differ from the posting one.
    pub runs_on: Vec<String>,
    /// Type of the flow.
    pub kind: String,
    /// The address, host, path or file of the flow.
    pub resource: Option<String>,
    /// The segment numbers, the most informative ones first.
    ranked: Vec<u32>,
    /// The segments of each marker, ascending.
    by_marker: Vec<(MarkerId, u32)>,
}

/// Maximum number of named threads on which a flow runs.
const MAX_THREADS: usize = 3;

impl FlowTimelineCard {
    fn new(index: &Index, rules: &RuleMatcher, flow: FlowId) -> Self {
        let (profile, graph) = (index.profile(), index.flows());
        let timeline = rules.timeline(profile, graph, flow);
        let FlowFacts { posted_from, mut runs_on, resource, kind } = rules.flow_facts(profile, graph, flow);
        // The summary contains `posted_from` anyway.
        if runs_on.iter().all(|thread| Some(*thread) == posted_from.thread()) {
            runs_on.clear();
        }
        let named: Vec<ThreadId> = posted_from.thread().into_iter().chain(runs_on.iter().copied()).collect();
        // Threads of the same name are distinguished by their processes.
        let name = |thread: ThreadId| {
            let own = profile.long_name(thread);
            let is_shared = named.iter().any(|other| *other != thread && profile.long_name(*other) == own);
            if is_shared { profile.thread_title(thread) } else { own.into_owned() }
        };
        let mut by_marker: Vec<(MarkerId, u32)> =
            (0_u32..).zip(&timeline.segments).map(|(number, segment)| (segment.marker, number)).collect();
        by_marker.sort_unstable();
        Self {
            label: rules.appearance(profile, graph, index.source().styles, flow).label,
            totals: TimelineTotals::from(&timeline),
            ranked: ranked(&timeline.segments),
            by_marker,
            timeline,
            posted_from: match posted_from {
                PostedFrom::Thread(thread) => format!("posted from {}", name(thread)),
                PostedFrom::BeforeRecording => "posted before the recording began".to_owned(),
                PostedFrom::Unknown => String::new(),
            },
            runs_on: runs_on.into_iter().map(name).collect(),
            kind,
            resource,
        }
    }

    /// "nsRefreshDriver, https://a.example/x.png": type and resource.
    #[must_use]
    pub fn subject(&self) -> String {
        let resource = self.resource.iter().filter(|resource| **resource != self.kind);
        let parts = std::iter::once(&self.kind).chain(resource).filter(|text| !text.is_empty());
        parts.map(String::as_str).collect::<Vec<_>>().join(", ")
    }

    /// "Waited 43.3 ms, longest wait 31 ms, ran 3.6 ms, posted from Socket Thread, runs on Main Thread".
    #[must_use]
    pub fn summary(&self) -> String {
        let mut parts = Vec::new();
        if self.totals.wait > 0 {
            parts.push(format!("waited {}", format_duration_ns(self.totals.wait)));
        }
        if self.totals.longest_wait < self.totals.wait {
            parts.push(format!("longest wait {}", format_duration_ns(self.totals.longest_wait)));
        }
        if self.totals.run > 0 {
            parts.push(format!("ran {}", format_duration_ns(self.totals.run)));
        }
        if self.totals.idle > 0 {
            parts.push(format!("idle {}", format_duration_ns(self.totals.idle)));
        }
        if !self.posted_from.is_empty() {
            parts.push(self.posted_from.clone());
        }
        match (self.runs_on.len(), self.runs_on.len().saturating_sub(MAX_THREADS)) {
            (0, _) => {}
            (_, 0) => parts.push(format!("runs on {}", self.runs_on.join(", "))),
            (_, more) => parts.push(format!("runs on {} and {more} more", self.runs_on[..MAX_THREADS].join(", "))),
        }
        let text = parts.join(", ");
        let mut letters = text.chars();
        letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
    }

    /// The longest wait that ends at a marker: its number and duration in nanoseconds.
    #[must_use]
    pub fn wait_before(&self, marker: MarkerId) -> Option<(usize, i64)> {
        let from = self.by_marker.partition_point(|(of, _)| *of < marker);
        let own = self.by_marker[from..].iter().take_while(|(of, _)| *of == marker).map(|(_, number)| *number as usize);
        let waits = own.filter(|number| self.timeline.segments[*number].kind == SegmentKind::Wait);
        waits.map(|number| (number, self.timeline.segments[number].range.len())).max_by_key(|(_, ns)| *ns)
    }

    /// The numbers of `most` segments, in order: the first one, those of a marker, then the longest waits, then the
    /// longest runs.
    #[must_use]
    pub fn listed(&self, most: usize, marker: Option<MarkerId>) -> Vec<usize> {
        let own = marker.map_or(&[][..], |marker| {
            let from = self.by_marker.partition_point(|(of, _)| *of < marker);
            let count = self.by_marker[from..].partition_point(|(of, _)| *of == marker);
            &self.by_marker[from..from + count]
        });
        let ranked = self.ranked.iter().copied();
        let own = own.iter().map(|(_, number)| *number);
        let mut listed = BTreeSet::new();
        for number in ranked.clone().take(1).chain(own).chain(ranked) {
            if listed.len() == most {
                break;
            }
            listed.insert(number);
        }
        listed.into_iter().map(|number| number as usize).collect()
    }
}

/// The segment numbers: the first one, then the longest waits, then the longest runs.
fn ranked(segments: &[TimelineSegment]) -> Vec<u32> {
    let mut ranked: Vec<u32> = (0_u32..).zip(segments).map(|(number, _)| number).collect();
    ranked.sort_unstable_by_key(|number| {
        let segment = &segments[*number as usize];
        (*number != 0, segment.kind != SegmentKind::Wait, Reverse(segment.range.len()), *number)
    });
    ranked
}

/// "Wait 1,203.1 to 1,246.4 (43.3 ms)".
#[must_use]
pub fn segment_text(segment: &TimelineSegment, clock: DisplayClock) -> String {
    let kind = match segment.kind {
        SegmentKind::Run => "Run",
        SegmentKind::Wait => "Wait",
        SegmentKind::Idle => "Idle",
    };
    let [start, end] = [segment.range.start, segment.range.end].map(|time| clock.position(time));
    format!("{kind} {start} to {end} ({})", format_duration_ns(segment.range.len()))
}

/// Texts of timelines and waits, computed on demand.
pub struct FlowTimelines {
    cards: OnDemand<FlowId, FlowTimelineCard>,
    waits: OnDemand<(FlowId, usize), WaitText>,
}

impl FlowTimelines {
    /// `wake` is called when there is a new text to show.
    #[must_use]
    pub fn new(wake: &Wake) -> Self {
        Self { cards: OnDemand::new(wake, MAX_CARDS), waits: OnDemand::new(wake, MAX_WAITS) }
    }

    /// The timeline card of a flow; `None` until it is computed.
    #[must_use]
    pub fn card(&self, index: &Arc<Index>, rules: &Arc<RuleMatcher>, flow: FlowId) -> Option<Arc<FlowTimelineCard>> {
        let (index, rules) = (Arc::clone(index), Arc::clone(rules));
        self.cards.get(flow, move |_| FlowTimelineCard::new(&index, &rules, flow))
    }

    /// The blockers of a wait of a flow, by segment number; `None` until they are computed.
    #[must_use]
    pub fn wait_text(
        &self,
        index: &Arc<Index>,
        card: &Arc<FlowTimelineCard>,
        (flow, segment): (FlowId, usize),
    ) -> Option<Arc<WaitText>> {
        let (index, wait) = (Arc::clone(index), *card.timeline.segments.get(segment)?);
        self.waits.get((flow, segment), move |_| WaitText::new(&index, flow, &wait))
    }
}

impl Job for FlowTimelines {
    fn tasks(&self) -> Vec<&dyn PoolTask> {
        vec![&self.cards, &self.waits]
    }

    /// Widgets look finished texts up.
    fn poll(&mut self, _index: &Arc<Index>) {}
}
