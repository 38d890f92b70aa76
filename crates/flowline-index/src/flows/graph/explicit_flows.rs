//! The graph of explicit flows, which the recording lists step by step. Flows are numbered, their markers are sorted by
//! start, and their steps stay available. (`walk` finds the flows of Firefox profiles.)

use rayon::prelude::*;

use super::context::{Context, ParentFinder};
use super::field_references::{IdToken, ThreadReferences};
use super::flow_builder::Flows;
use super::flow_graph::FlowGraph;
use super::marker_flows::FlowsByMarker;
use crate::flows::ids::{FlowIds, FlowsById, hash_at};
use flowline_profile::{
    FlowHints, FlowId, FlowStep, FlowSteps, LocalMarker, MarkerId, Ns, Profile, Reach, Thread, TimeRange,
    parallel_chunk_size,
};

/// Flows per job.
const BATCH: usize = 1 << 12;

/// A flow with its members in start order.
#[derive(Clone, Copy)]
struct SortedFlow {
    start: Ns,
    first: MarkerId,
    /// Position among the recording's explicit flows.
    explicit: u32,
    last: MarkerId,
    /// Its members: number of the job, position in the job's list, count.
    place: (u32, u32, u32),
}

/// Start and end of markers, by marker id.
struct MarkerTimes<'a> {
    /// One past the last marker id of each thread, and the thread.
    threads: Vec<(u32, &'a Thread)>,
}

impl<'a> MarkerTimes<'a> {
    #[inline]
    fn new(profile: &'a Profile) -> Self {
        let last = |thread: &Thread| thread.first_marker.0.saturating_add(MarkerId::new(thread.markers.len()).0);
        Self { threads: profile.threads.iter().map(|thread| (last(thread), thread)).collect() }
    }

    fn get(&self, marker: MarkerId) -> Option<TimeRange> {
        let at = self.threads.partition_point(|(last, _)| *last <= marker.0);
        let (_, thread) = self.threads.get(at)?;
        let local = marker.0.checked_sub(thread.first_marker.0)? as usize;
        let times = thread.markers.times();
        (local < times.len()).then(|| times.range(local))
    }
}

/// The flows of one job, and their members, flow by flow.
fn found_in(
    profile: &Profile,
    times: &MarkerTimes<'_>,
    reaches: &[Reach],
    job: usize,
) -> (Vec<SortedFlow>, Vec<MarkerId>) {
    let (mut found, mut all) = (Vec::with_capacity(BATCH), Vec::new());
    let own = job * BATCH..((job + 1) * BATCH).min(profile.explicit_flows.get().flows.len());
    // Look up the times of all members first. Times that the importer does not know are scattered in memory; reads that
    // do not depend on each other overlap.
    let end = |flow: usize| profile.explicit_flows.get().flows[flow].end as usize;
    let steps = own.start.checked_sub(1).map_or(0, end)..own.end.checked_sub(1).map_or(0, end);
    let known = steps.clone().map(|step| reaches.get(step).copied().unwrap_or(Reach::UNKNOWN));
    let steps = &profile.explicit_flows.get().steps[steps];
    let range = |(step, known): (&FlowStep, Reach)| {
        let range = known.range(step.time);
        debug_assert!(range.is_none() || range == times.get(step.marker), "the importer and the profile agree");
        range.or_else(|| times.get(step.marker))
    };
    let ranges: Vec<Option<TimeRange>> = steps.iter().zip(known).map(range).collect();
    let mut ranges = ranges.into_iter();
    let mut members: Vec<(Ns, MarkerId, Ns)> = Vec::new();
    for explicit in own {
        let steps = profile.explicit_flows.get().steps(explicit);
        let member =
            |(step, range): (&FlowStep, Option<TimeRange>)| range.map(|range| (range.start, step.marker, range.end));
        members.clear();
        members.extend(steps.iter().zip(ranges.by_ref().take(steps.len())).filter_map(member));
        members.sort_unstable();
        members.dedup_by_key(|member| member.1);
        let Some(&(start, first, _)) = members.first() else { continue };
        let last = members.iter().max_by_key(|member| member.2).map_or(first, |member| member.1);
        let number = |index: usize| u32::try_from(index).unwrap_or(u32::MAX);
        let place = (number(job), number(all.len()), number(members.len()));
        found.push(SortedFlow { start, first, explicit: number(explicit), last, place });
        all.extend(members.iter().map(|member| member.1));
    }
    (found, all)
}

/// Builds the graph.
pub(crate) fn build(profile: &Profile) -> FlowGraph {
    let times = MarkerTimes::new(profile);
    let FlowHints { hashes, reaches } = profile.explicit_flows.get().take_hints();
    let jobs = profile.explicit_flows.get().flows.len().div_ceil(BATCH);
    let parts: Vec<(Vec<SortedFlow>, Vec<MarkerId>)> =
        (0..jobs).into_par_iter().map(|job| found_in(profile, &times, &reaches, job)).collect();
    drop(reaches);
    let mut found: Vec<SortedFlow> = parts.iter().flat_map(|part| &part.0).copied().collect();
    found.par_sort_unstable_by_key(|flow| (flow.start, flow.first, flow.explicit));
    let text = profile.source.bytes();
    let place = |flow: &SortedFlow| {
        let offset = profile.explicit_flows.get().flows[flow.explicit as usize].id;
        let hash = match hashes.get(flow.explicit as usize) {
            Some(hash) => *hash,
            None => hash_at(text, offset),
        };
        debug_assert_eq!(hash, hash_at(text, offset), "the importer and the index use the same hash");
        IdToken { hash, offset }
    };
    let by_id = || {
        let listed = ThreadReferences { ids: found.par_iter().map(place).collect(), ..ThreadReferences::default() };
        let (ids, mut numbers) = FlowIds::join(text, &[listed]);
        let id_of = numbers.pop().unwrap_or_default();
        let id_uses = FlowsById::build(&id_of, ids.len());
        (ids, id_of, id_uses)
    };
    let by_marker = || {
        let mut offsets = Vec::with_capacity(found.len() + 1);
        let mut members = Vec::with_capacity(parts.iter().map(|part| part.1.len()).sum());
        offsets.push(0);
        for flow in &found {
            let (job, at, count) = flow.place;
            members.extend_from_slice(&parts[job as usize].1[at as usize..(at + count) as usize]);
            offsets.push(u32::try_from(members.len()).unwrap_or(u32::MAX));
        }
        let marker_flows = FlowsByMarker::build(profile.marker_count(), &offsets, &members);
        let threads = profile.threads.par_iter().with_max_len(parallel_chunk_size(profile.threads.len()));
        let links = threads.map(|thread| links(thread, &marker_flows));
        let context = Context::build(links.collect::<Vec<_>>().concat());
        (offsets, members, marker_flows, context)
    };
    // Ids and markers are independent of each other.
    let ((ids, id_of, id_uses), (offsets, members, marker_flows, context)) = rayon::join(by_id, by_marker);
    drop(parts);
    let flows = Flows {
        id_of: id_of.into(),
        last: found.iter().map(|flow| flow.last).collect(),
        offsets: offsets.into(),
        members: members.into(),
    };
    let explicit = found.into_iter().map(|flow| flow.explicit).collect();
    FlowGraph { ids, flows, marker_flows, context, id_uses, explicit, ..FlowGraph::default() }
}

/// Child and parent of every flow marker of a thread that has a parent.
fn links(thread: &Thread, marker_flows: &FlowsByMarker) -> Vec<[MarkerId; 2]> {
    let markers = &thread.markers;
    let first = thread.first_marker.0;
    let last = first.saturating_add(u32::try_from(markers.len()).unwrap_or(u32::MAX));
    let mut parents = ParentFinder::default();
    for marker in marker_flows.between(MarkerId(first), MarkerId(last)) {
        let local = LocalMarker(marker.0 - first);
        parents.add(marker, markers.range(local), markers.flags(local));
    }
    parents.finish()
}

impl FlowGraph {
    /// Steps of an explicit flow in time order; none for other flows.
    #[must_use]
    #[inline]
    pub fn steps<'a>(&self, profile: &'a Profile, flow: FlowId) -> FlowSteps<'a> {
        let explicit = self.explicit.get(flow.index());
        explicit.map(|explicit| profile.explicit_flows.get().steps(*explicit as usize)).unwrap_or_default()
    }

    /// Name of an explicit flow in the recording; empty if it has none.
    #[must_use]
    pub fn explicit_name<'a>(&self, profile: &'a Profile, flow: FlowId) -> &'a str {
        let explicit = self
            .explicit
            .get(flow.index())
            .and_then(|explicit| profile.explicit_flows.get().flows.get(*explicit as usize));
        explicit.map_or("", |flow| profile.strings.get(flow.name))
    }
}
