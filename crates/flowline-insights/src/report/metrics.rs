//! Where the figures of a section come from.

use std::collections::BTreeMap;

use super::frame_counts::FrameCounts;
use super::metric::{Metric, MetricValue};
use super::metric_kind::MetricKind;
use crate::insights::{Fact, Insight, InsightName, InsightState, fact};
use crate::interactions::Interaction;
use crate::page_load::{Milestone, Rating};
use flowline_profile::Ns;

/// One interaction in this many may be left out as an exception.
const EXCEPTIONS: usize = 50;
/// At most this many are left out.
const MOST_EXCEPTIONS: usize = 9;
/// Bounds of the ratings of interactions.
const INP_BOUNDS: [Ns; 2] = [Ns(200_000_000), Ns(500_000_000)];

/// A figure that a milestone states.
pub(super) fn of_milestone(kind: MetricKind, own: Option<&Milestone>, missing: &str) -> Metric {
    let Some(own) = own else { return Metric::unknown(kind, missing) };
    match own.value.or(own.since) {
        Some(value) => Metric::known(kind, MetricValue::Time(value), own.marker).rated(own.rating),
        None => Metric::unknown(kind, own.unknown.as_deref().unwrap_or("the navigation is not in the recording")),
    }
}

/// INP of some interactions: the slowest one, but for one in fifty.
pub(super) fn inp<'a>(interactions: impl Iterator<Item = &'a Interaction>) -> Metric {
    let mut longest: BTreeMap<(bool, i64), (Ns, &Interaction)> = BTreeMap::new();
    for own in interactions.filter(|own| !own.is_nested) {
        let Some(length) = own.length() else { continue };
        let press = own.press.map(|press| (true, i64::from(press)));
        let key = own.id.map(|id| (false, id)).or(press).unwrap_or((true, -i64::from(own.marker.0)));
        let known = longest.entry(key).or_insert((length, own));
        if length > known.0 {
            *known = (length, own);
        }
    }
    let mut all: Vec<(Ns, &Interaction)> = longest.into_values().collect();
    all.sort_by_key(|(length, own)| (std::cmp::Reverse(*length), own.start, own.marker));
    let place = (all.len() / EXCEPTIONS).min(MOST_EXCEPTIONS);
    let Some((length, own)) = all.get(place) else {
        return Metric::unknown(MetricKind::Inp, "no interaction recorded");
    };
    let rating = match *length {
        length if length <= INP_BOUNDS[0] => Rating::Good,
        length if length <= INP_BOUNDS[1] => Rating::NeedsImprovement,
        _ => Rating::Poor,
    };
    Metric::known(MetricKind::Inp, MetricValue::Time(*length), Some(own.marker)).rated(Some(rating))
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
