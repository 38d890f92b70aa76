//! `flow_timeline` and `critical_path`.

use flowline_index::Derived;
use flowline_index::waits::{CriticalPath, PathOptions, main_blocker};
use flowline_insights::page_load::Milestones;
use flowline_profile::{FlowId, MarkerId};
use rayon::prelude::*;

use super::builders::{Cell, Columns};
use crate::recording::Recording;
use crate::schema::{CRITICAL_PATH, FLOW_TIMELINE};

/// The facts of a flow.
struct Facts {
    name: String,
    kind: String,
    resource: Option<String>,
    range: (i64, i64),
    run: i64,
    wait: i64,
    longest_wait: i64,
    posted_from: Option<i64>,
    blocker: Option<String>,
}

fn facts(own: &Recording, flow: FlowId) -> Facts {
    let (profile, flows, rules) = (own.profile(), own.index().flows(), own.rules());
    let timeline = rules.timeline(profile, flows, flow);
    let totals = flowline_index::flows::TimelineTotals::from(&timeline);
    let longest = timeline.longest_wait();
    let blocker = longest.and_then(|wait| {
        let (thread, _) = profile.locate(wait.marker)?;
        main_blocker(own.index(), thread, wait.range).map(|name| profile.strings.get(name).to_owned())
    });
    let range = flows.range(profile, flow);
    Facts {
        name: flows.id_text(profile, flow),
        kind: rules.type_of(profile, flows, flow),
        resource: rules.resource(profile, flows, flow),
        range: (range.start.0, range.len()),
        run: totals.run,
        wait: totals.wait,
        longest_wait: totals.longest_wait,
        posted_from: rules.posted_from(profile, flows, flow).thread().map(|thread| i64::from(thread.0)),
        blocker,
    }
}

pub(crate) fn flow_timelines(own: &Recording) -> Columns {
    let flows: Vec<FlowId> = own.index().flows().iter().collect();
    let all: Vec<Facts> = flows.par_iter().map(|flow| facts(own, *flow)).collect();
    let mut rows = Columns::new(FLOW_TIMELINE);
    for (flow, facts) in flows.iter().zip(&all) {
        rows.push(&[
            own.id().into(),
            Cell::number(flow.0),
            facts.name.as_str().into(),
            facts.kind.as_str().into(),
            facts.resource.as_deref().into(),
            facts.range.0.into(),
            facts.range.1.into(),
            facts.run.into(),
            facts.wait.into(),
            facts.longest_wait.into(),
            facts.posted_from.into(),
            facts.blocker.as_deref().into(),
        ]);
    }
    rows
}

/// Adds the critical path to the end of a slice.
pub(crate) fn push_path(own: &Recording, end: MarkerId, rows: &mut Columns) {
    let profile = own.profile();
    let path = CriticalPath::to_marker(own.index(), end, PathOptions::default());
    for (seq, segment) in (0_i64..).zip(&path.segments) {
        let blocker = segment.blocking.as_ref().and_then(|activity| activity.blockers.first());
        rows.push(&[
            own.id().into(),
            Cell::number(end.0),
            seq.into(),
            segment.kind.name().into(),
            segment.range.start.0.into(),
            segment.range.len().into(),
            Cell::number(segment.marker.0),
            Cell::number(segment.thread.0),
            blocker.map(|blocker| profile.strings.get(blocker.name)).into(),
        ]);
    }
}

/// The paths to all milestones that a marker states, and to the slices with these names.
pub(crate) fn critical_paths(own: &Recording, names: &[String]) -> Columns {
    let mut rows = Columns::new(CRITICAL_PATH);
    let profile = own.profile();
    let mut ends: Vec<MarkerId> =
        Milestones::of(own.index()).all().iter().filter_map(|milestone| milestone.time.and(milestone.marker)).collect();
    for (_, thread) in profile.threads_with_ids().filter(|_| !names.is_empty()) {
        let attributes = thread.markers.attributes();
        let named = (0..thread.markers.len()).map(flowline_profile::LocalMarker::new).filter(|local| {
            let name = profile.strings.get(attributes.at(local.index()).name);
            names.iter().any(|wanted| wanted == name)
        });
        ends.extend(named.map(|local| thread.global(local)));
    }
    ends.sort_unstable();
    ends.dedup();
    for end in ends {
        push_path(own, end, &mut rows);
    }
    rows
}
