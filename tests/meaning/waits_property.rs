//! Invariants of postings, flow timelines, waits and critical paths, on random and real recordings.

use std::collections::HashMap;
use std::sync::Arc;

use flowline::index::Index;
use flowline::index::flows::{FlowRules, RuleMatcher, SegmentKind};
use flowline::index::waits::{CriticalPath, PathKind, PathOptions, blocking, main_blocker};
use flowline::profile::{LocalMarker, MarkerFlags, MarkerId, Ns, Profile, ThreadId, TimeRange};

use crate::recording::flows::name_of;
use crate::recording::{Row, real};
use crate::waits::{DISPATCH, PUT, firefox, post, task, times, work};

/// Milestones of the examples, whose causes are not all recorded.
const MILESTONES: [&str; 3] = ["DocumentLoad", "FirstContentfulPaint", "LargestContentfulPaint"];

/// The rule read literally: a walk along the markers of each id in start order.
fn naive_flows(profile: &Profile) -> Vec<Vec<MarkerId>> {
    const STAGES: [&str; 3] = [DISPATCH, PUT, "CycleCollectedJSContext::DispatchToMicroTask"];
    let mut all: Vec<(Ns, MarkerId)> = (0..profile.marker_count())
        .map(MarkerId::new)
        .map(|marker| {
            let (thread, local) = profile.locate(marker).expect("a marker");
            (profile.thread(thread).markers.start(local), marker)
        })
        .collect();
    all.sort_unstable();
    let mut flows: Vec<Vec<MarkerId>> = Vec::new();
    let mut open: HashMap<String, usize> = HashMap::new();
    for (_, marker) in all {
        let (thread, local) = profile.locate(marker).expect("a marker");
        let payload = profile.payload_resolved(thread, local);
        let Some(id) = payload.get("flow").and_then(|id| id.as_str()).map(str::to_owned) else { continue };
        let stage = |marker: MarkerId| STAGES.iter().position(|stage| name_of(profile, marker) == *stage);
        let reached = open.get(&id).and_then(|flow| flows[*flow].iter().filter_map(|member| stage(*member)).max());
        let is_new = stage(marker).zip(reached).is_some_and(|(own, reached)| own <= reached);
        if is_new || !open.contains_key(&id) {
            open.insert(id.clone(), flows.len());
            flows.push(Vec::new());
        }
        flows[open[&id]].push(marker);
    }
    flows
}

fn random_recording(random: &mut fastrand::Rng) -> Vec<Vec<Row>> {
    let names = [DISPATCH, PUT, "CycleCollectedJSContext::DispatchToMicroTask", "Other", "Task"];
    (0..random.usize(1..4))
        .map(|_| {
            (0..random.usize(1..14))
                .map(|_| {
                    let (at, id) = (f64::from(random.u32(0..40)), random.u32(0..3));
                    let name = names[random.usize(..names.len())];
                    match random.u8(..4) {
                        0 => post(name, at, id),
                        1 => work("Work", at, at + f64::from(random.u32(0..12))),
                        _ => task(name, at, at + f64::from(random.u32(0..12)), id),
                    }
                })
                .collect()
        })
        .collect()
}

#[test]
fn invariants_hold_for_random_recordings() {
    let mut random = fastrand::Rng::with_seed(16);
    for _ in 0..400 {
        let index = firefox(random_recording(&mut random));
        let expected = naive_flows(index.profile());
        let found: Vec<Vec<MarkerId>> = index.flows().iter().map(|flow| index.flows().members(flow).to_vec()).collect();
        assert_eq!(found, expected);
        check(&index, &mut random, 6);
    }
}

/// Checks the invariants of all flow timelines, of waits, and of the paths to some markers.
pub(crate) fn check(index: &Index, random: &mut fastrand::Rng, paths: usize) {
    let (profile, graph) = (index.profile(), index.flows());
    let rules = RuleMatcher::new(FlowRules::built_in(), profile);
    for flow in graph.iter().take(2_000) {
        let (timeline, range) = (rules.timeline(profile, graph, flow), graph.range(profile, flow));
        let ends: Vec<Ns> =
            timeline.segments.iter().flat_map(|segment| [segment.range.start, segment.range.end]).collect();
        assert_eq!(ends.first().copied().unwrap_or(range.start), range.start);
        assert_eq!(ends.last().copied().unwrap_or(range.start), range.end);
        assert!(timeline.segments.windows(2).all(|pair| pair[0].range.end == pair[1].range.start));
        assert!(timeline.segments.iter().all(|segment| !segment.range.is_empty()));
        let kinds = [SegmentKind::Run, SegmentKind::Wait, SegmentKind::Idle];
        assert_eq!(kinds.into_iter().map(|kind| timeline.total(kind)).sum::<i64>(), range.len());
        for segment in &timeline.segments {
            let times = times(profile, segment.marker);
            match segment.kind {
                SegmentKind::Run => {
                    assert!(times.start <= segment.range.start && segment.range.end <= times.end);
                    assert!(graph.members(flow).contains(&segment.marker));
                }
                SegmentKind::Wait | SegmentKind::Idle => assert!(graph.members(flow).contains(&segment.marker)),
            }
        }
    }
    let count = profile.marker_count();
    for _ in 0..paths.min(count) {
        check_path(index, MarkerId::new(random.usize(..count)), random.bool());
    }
}

/// The innermost stack-based interval of a thread that covers a whole range.
fn innermost(profile: &Profile, thread: ThreadId, range: TimeRange) -> Option<MarkerId> {
    let data = profile.thread(thread);
    let all = (0..data.markers.len()).map(LocalMarker::new);
    let on = all.filter(|marker| {
        let own = data.markers.range(*marker);
        let nests = data.markers.flags(*marker).has(MarkerFlags::STACK_BASED);
        nests && own.start <= range.start && own.end >= range.end
    });
    let depth = |marker: &LocalMarker| {
        let own = data.markers.range(*marker);
        (own.start, std::cmp::Reverse(own.end), *marker)
    };
    on.max_by_key(depth).map(|marker| data.global(marker))
}

fn check_path(index: &Index, target: MarkerId, assume_followed: bool) {
    let profile = index.profile();
    let path = CriticalPath::to_marker(index, target, PathOptions { assume_followed });
    let end = times(profile, target).end;
    assert_eq!(path.range().end, end);
    assert!(path.segments.windows(2).all(|pair| pair[0].range.end == pair[1].range.start), "no gap, no overlap");
    let sum: i64 = path.segments.iter().map(|segment| segment.range.len()).sum();
    assert_eq!(sum, (end - path.range().start).0);
    for (at, segment) in path.segments.iter().enumerate() {
        assert!(
            !segment.range.is_empty()
                || (at == 0 && segment.kind == PathKind::Unknown)
                || segment.kind == PathKind::Followed,
            "only the first segment and direct successors are empty"
        );
        let is_loop = ["RunLoop::Run", "ThreadController active", "MessagePump::Run", "MessageLoop::Run"]
            .contains(&name_of(profile, segment.marker).as_str());
        match segment.kind {
            // What completed a milestone may not be recorded, nor what happened between it and its navigation.
            PathKind::Unknown => {
                let name = name_of(profile, segment.marker);
                let is_milestone = segment.marker == target && MILESTONES.contains(&name.as_str());
                assert!(is_loop || is_milestone || segment.range.is_empty(), "{name}");
            }
            kind => assert!(!is_loop || kind != PathKind::Run, "a message loop has no runs of its own"),
        }
        assert!(assume_followed || segment.kind != PathKind::Followed);
        let own = times(profile, segment.marker);
        match segment.kind {
            PathKind::Run => {
                assert!(own.start <= segment.range.start && segment.range.end <= own.end);
                let (thread, local) = profile.locate(segment.marker).expect("a marker");
                let flags = profile.thread(thread).markers.flags(local);
                // The reference looks at every marker of the thread.
                let is_compared = at < 200 || at % 97 == 0;
                if is_compared && flags.has(MarkerFlags::STACK_BASED) && profile.thread(thread).groups.is_empty() {
                    assert_eq!(innermost(profile, thread, segment.range), Some(segment.marker));
                }
            }
            PathKind::Wait => {
                assert!(segment.range.end >= own.start, "a wait ends where its marker can continue");
                if let Some(found) = &segment.blocking {
                    let blockers: i64 = found.blockers.iter().map(|blocker| blocker.ns).sum();
                    assert_eq!(blockers + found.idle + found.unknown, segment.range.len());
                    assert_eq!(blocking(index, segment.thread, segment.range).as_ref(), Some(found));
                    let main = found.blockers.first().map(|blocker| blocker.name);
                    assert_eq!(main_blocker(index, segment.thread, segment.range), main);
                }
            }
            PathKind::Network => assert!(index.network().request_of(segment.marker).is_some()),
            PathKind::Followed => assert!(segment.range.len() <= 1_000_000),
            PathKind::Unknown => {}
        }
    }
}

#[test]
fn invariants_hold_for_real_recordings() {
    let mut random = fastrand::Rng::with_seed(5);
    for file in ["profiles/firefox-153-processed-1s.json.gz", "traces/chromium-156-2s.json.gz"] {
        let Some(path) = real::shared(file) else { continue };
        let profile = real::open(&path).expect("a recording");
        let arrangement = profile.meta.arrangement();
        check(&Index::build(Arc::new(profile), arrangement), &mut random, 25);
    }
}
