//! Where the figures of a section come from.

use super::metric::{Metric, MetricValue};
use super::metric_kind::MetricKind;
use crate::frames::FrameCounts;
use crate::insights::{Fact, Insight, InsightName, InsightState, fact};
use crate::interactions::Interaction;
use crate::page_load::Milestone;
use flowline_profile::Ns;

/// A figure that a milestone states.
pub(super) fn of_milestone(kind: MetricKind, own: Option<&Milestone>, missing: &str) -> Metric {
    let Some(own) = own else { return Metric::unknown(kind, missing) };
    match own.value.or(own.since) {
        Some(value) => {
            Metric::known(kind, MetricValue::Time(value), own.marker).rated(own.rating).so_far(own.is_so_far)
        }
        None => Metric::unknown(kind, own.unknown.as_deref().unwrap_or("the navigation is not in the recording")),
    }
}

/// The slowest interaction, as browsers rate it.
pub(super) fn inp(slowest: Option<&Interaction>) -> Metric {
    let known = slowest.and_then(|own| Some((own, own.length()?)));
    let Some((own, length)) = known else { return Metric::unknown(MetricKind::Inp, "no interaction recorded") };
    // The paint is what came late, where a marker of its own states it.
    let marker = own.presented_by.unwrap_or(own.marker);
    Metric::known(MetricKind::Inp, MetricValue::Time(length), Some(marker)).rated(own.rating())
}

/// The figures that insights state: long tasks and forced reflows.
pub(super) fn of_insights<'a>(insights: impl Iterator<Item = &'a Insight> + Clone) -> [Metric; 2] {
    [
        of_insight(insights.clone(), MetricKind::LongTasks, InsightName::LongTasks, &["count"]),
        of_insight(insights, MetricKind::ForcedReflow, InsightName::ForcedReflow, &["total_ns", "forced_ns"]),
    ]
}

fn of_insight<'a>(
    mut insights: impl Iterator<Item = &'a Insight>,
    kind: MetricKind,
    name: InsightName,
    keys: &[&str],
) -> Metric {
    let Some(own) = insights.find(|own| own.name == name) else {
        return Metric::unknown(kind, "not recorded");
    };
    let finding = &own.finding;
    let stated = keys.iter().find_map(|key| match fact(&finding.data, key) {
        Some(Fact::Duration(time)) => Some(MetricValue::Time(*time)),
        Some(Fact::Count(count)) => u64::try_from(*count).ok().map(MetricValue::Count),
        _ => None,
    });
    let nothing = match kind {
        MetricKind::LongTasks => MetricValue::Count(0),
        _ => MetricValue::Time(Ns(0)),
    };
    let value = stated.or_else(|| (finding.state == InsightState::Pass).then_some(nothing));
    match value.filter(|_| finding.state != InsightState::Unknown) {
        Some(value) => Metric::known(kind, value, finding.late.or_else(|| finding.markers.first().copied())),
        None => Metric::unknown(kind, finding.unknown.first().map_or("not recorded", String::as_str)),
    }
}

/// The number of frames that were not shown.
pub(super) fn dropped_frames(counts: Option<&FrameCounts>) -> Metric {
    let kind = MetricKind::DroppedFrames;
    match counts {
        Some(counts) => Metric::known(kind, MetricValue::Count(counts.dropped), counts.first_dropped),
        None => Metric::unknown(kind, "no frames in the recording"),
    }
}
