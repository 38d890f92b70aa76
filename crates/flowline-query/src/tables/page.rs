//! `network_request`, `milestone` and `insight`.

use flowline_index::Derived;
use flowline_index::network::{NetworkRequest, PhaseKind};
use flowline_insights::insights::Insights;
use flowline_insights::page_load::{Milestones, Rating};

use super::builders::{Cell, Columns};
use crate::recording::Recording;
use crate::schema::{INSIGHT, MILESTONE, NETWORK_REQUEST};

/// The phases with a column, in the order of the columns.
const PHASES: [PhaseKind; 12] = [
    PhaseKind::Redirect,
    PhaseKind::Queued,
    PhaseKind::Stalled,
    PhaseKind::Dns,
    PhaseKind::Connect,
    PhaseKind::Tls,
    PhaseKind::Sent,
    PhaseKind::Waiting,
    PhaseKind::Download,
    PhaseKind::Processing,
    PhaseKind::Open,
    PhaseKind::Unknown,
];

/// The time of a phase, without the parts that belong to a more specific one; NULL if the request has no such phase.
fn phase_ns(request: &NetworkRequest, kind: PhaseKind) -> Option<i64> {
    let own = request.segments().into_iter().filter(|segment| segment.kind == kind);
    own.map(|segment| segment.length().0).reduce(i64::saturating_add)
}

pub(crate) fn requests(own: &Recording) -> Columns {
    let mut rows = Columns::new(NETWORK_REQUEST);
    for request in own.index().network().requests() {
        let mut cells = vec![
            own.id().into(),
            Cell::number(request.marker.0),
            Cell::number(request.process.0),
            request.url.as_str().into(),
            Cell::known(&request.method),
            request.status.into(),
            Cell::known(&request.mime),
            Cell::known(&request.resource),
            Cell::known(&request.protocol),
            Cell::known(&request.priority),
            Cell::known(&request.initial_priority),
            Cell::known(&request.initiator),
            Cell::known(&request.cache),
            request.outcome.name().into(),
            request.start.0.into(),
            request.duration().0.into(),
        ];
        cells.extend(PHASES.map(|kind| Cell::from(phase_ns(request, kind))));
        cells.extend([Cell::from(request.encoded_bytes), Cell::from(request.decoded_bytes)]);
        rows.push(&cells);
    }
    rows
}

pub(crate) fn milestones(own: &Recording) -> Columns {
    let mut rows = Columns::new(MILESTONE);
    for milestone in Milestones::of(own.index()).all() {
        rows.push(&[
            own.id().into(),
            milestone.navigation.map(i64::from).into(),
            milestone.kind.name().into(),
            Cell::known(&milestone.mark),
            milestone.time.map(|time| time.0).into(),
            milestone.since.map(|since| since.0).into(),
            milestone.value.map(|value| value.0).into(),
            milestone.rating.map(Rating::name).into(),
            milestone.is_main.into(),
            milestone.is_soft.into(),
            Cell::known(&milestone.url),
            Cell::number(milestone.thread.0),
            milestone.marker.map(|marker| i64::from(marker.0)).into(),
            milestone.unknown.as_deref().into(),
        ]);
    }
    rows
}

pub(crate) fn insights(own: &Recording) -> Columns {
    let mut rows = Columns::new(INSIGHT);
    for insight in Insights::of(own.index()).list() {
        let finding = &insight.finding;
        rows.push(&[
            own.id().into(),
            insight.name.name().into(),
            insight.navigation.map(i64::from).into(),
            insight.process.map(|process| i64::from(process.0)).into(),
            finding.state.name().into(),
            finding.summary.as_str().into(),
            finding.range.map(|range| range.start.0).into(),
            finding.range.map(|range| range.len()).into(),
            finding.late.map(|marker| i64::from(marker.0)).into(),
        ]);
    }
    rows
}
