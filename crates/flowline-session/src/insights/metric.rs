//! The metrics of a page load: paints, the slowest interaction, layout shifts, blocking time.

use flowline_format::{format_fixed, format_whole_ms};
use flowline_insights::insights::{Fact, Insight, fact};
use flowline_insights::layout_shifts::{LayoutShifts, rate_shifts};
use flowline_insights::page_load::{Milestone, MilestoneKind, Rating};
use flowline_profile::{MarkerId, Ns};

/// Lengths of interactions up to which they are good, and up to which they need improvement.
const INTERACTION_BOUNDS: [Ns; 2] = [Ns(200_000_000), Ns(500_000_000)];

/// A metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MetricKind {
    /// First contentful paint.
    Fcp,
    /// Largest contentful paint.
    Lcp,
    /// Interaction to next paint.
    Inp,
    /// Cumulative layout shift.
    Cls,
    /// Total blocking time.
    Tbt,
    /// The load event.
    Load,
}

impl MetricKind {
    /// Short name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fcp => "FCP",
            Self::Lcp => "LCP",
            Self::Inp => "INP",
            Self::Cls => "CLS",
            Self::Tbt => "TBT",
            Self::Load => "Load",
        }
    }

    /// Full name.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Fcp => "First contentful paint",
            Self::Lcp => "Largest contentful paint",
            Self::Inp => "Interaction to next paint",
            Self::Cls => "Cumulative layout shift",
            Self::Tbt => "Total blocking time",
            Self::Load => "Load",
        }
    }
}

/// Value of a metric.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MetricValue {
    /// A duration.
    Time(Ns),
    /// A score without a unit.
    Score(f64),
}

/// A metric of a page load.
#[derive(Clone, Debug, PartialEq)]
pub struct PageMetric {
    /// Which one.
    pub kind: MetricKind,
    /// Its value; `None` if it is unknown.
    pub value: Option<MetricValue>,
    /// How good it is, if it is rated.
    pub rating: Option<Rating>,
    /// Reason why it is unknown.
    pub unknown: String,
    /// The marker of its moment.
    pub marker: Option<MarkerId>,
}

impl PageMetric {
    fn unknown(kind: MetricKind, reason: impl Into<String>) -> Self {
        Self { kind, value: None, rating: None, unknown: reason.into(), marker: None }
    }

    /// A metric that Firefox does not record.
    pub(super) fn not_in_firefox(kind: MetricKind) -> Self {
        Self::unknown(kind, "Firefox does not record it")
    }

    /// The value as text; empty if it is unknown.
    #[must_use]
    pub fn value_text(&self) -> String {
        match self.value {
            // Browsers report whole milliseconds.
            Some(MetricValue::Time(time)) => format_whole_ms(time.0),
            Some(MetricValue::Score(score)) => format_fixed(score, 3),
            None => String::new(),
        }
    }

    /// Name and value: `LCP 1,386 ms`, `INP unknown`.
    #[must_use]
    pub fn text(&self) -> String {
        let value = self.value_text();
        let value = if value.is_empty() { "unknown" } else { &value };
        format!("{} {value}", self.kind.name())
    }

    /// The same with the rating, or with the reason why it is unknown.
    #[must_use]
    pub fn sentence(&self) -> String {
        match self.rating {
            Some(rating) => format!("{}, {}", self.text(), rating.name()),
            None if self.value.is_none() && !self.unknown.is_empty() => format!("{}: {}", self.text(), self.unknown),
            None => self.text(),
        }
    }

    /// The metric of the first of some kinds of milestones that is known.
    pub(super) fn of_milestone(kind: MetricKind, kinds: &[MilestoneKind], own: &[&Milestone], missing: &str) -> Self {
        let of = |wanted: &MilestoneKind| {
            let wanted = *wanted;
            own.iter().copied().filter(move |milestone| milestone.kind == wanted)
        };
        let value = |milestone: &Milestone| milestone.value.or(milestone.since);
        let Some(found) = kinds.iter().flat_map(of).find(|milestone| value(milestone).is_some()) else {
            let reason = kinds.iter().flat_map(of).find_map(|milestone| milestone.unknown.clone());
            return Self::unknown(kind, reason.unwrap_or_else(|| missing.to_owned()));
        };
        Self {
            kind,
            value: value(found).map(MetricValue::Time),
            rating: found.rating,
            unknown: String::new(),
            marker: found.marker,
        }
    }

    /// The length of the slowest interaction, from its insight.
    pub(super) fn of_interactions(insight: Option<&Insight>) -> Self {
        let kind = MetricKind::Inp;
        let Some(insight) = insight else { return Self::unknown(kind, "no interaction recorded") };
        let finding = &insight.finding;
        let Some(Fact::Duration(length)) = fact(&finding.data, "inp_ns") else {
            return Self::unknown(kind, finding.unknown.join(", "));
        };
        let rating = match *length {
            length if length <= INTERACTION_BOUNDS[0] => Rating::Good,
            length if length <= INTERACTION_BOUNDS[1] => Rating::NeedsImprovement,
            _ => Rating::Poor,
        };
        let marker = finding.late.or(finding.markers.first().copied());
        Self { kind, value: Some(MetricValue::Time(*length)), rating: Some(rating), unknown: String::new(), marker }
    }

    /// The score of the worst cluster of layout shifts of a navigation.
    pub(super) fn of_shifts(shifts: &LayoutShifts, navigation: Option<u32>) -> Self {
        let kind = MetricKind::Cls;
        if !shifts.is_recorded() {
            return Self::unknown(kind, "layout shifts are not recorded");
        }
        let worst = shifts.worst(navigation);
        let score = worst.map_or(0.0, |cluster| cluster.score);
        let marker = worst.and_then(|cluster| shifts.shifts().get(cluster.worst)).map(|shift| shift.marker);
        let rating = Some(rate_shifts(score));
        Self { kind, value: Some(MetricValue::Score(score)), rating, unknown: String::new(), marker }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flowline_insights::insights::{Finding, InsightName, InsightState};
    use flowline_insights::page_load::PageId;

    fn interaction(length: Option<i64>) -> Insight {
        let finding = match length {
            Some(ns) => {
                Finding { data: vec![("inp_ns", Fact::Duration(Ns(ns)))], ..Finding::new(InsightState::Fail, "") }
            }
            None => Finding::unknown("no interaction recorded"),
        };
        Insight { name: InsightName::InpBreakdown, navigation: None, page: PageId::None, process: None, finding }
    }

    #[test]
    fn interactions_are_rated_and_unknown_ones_have_a_reason() {
        let text = |length| PageMetric::of_interactions(Some(&interaction(length))).sentence();
        assert_eq!(text(Some(200_000_000)), "INP 200 ms, good");
        assert_eq!(text(Some(342_725_000)), "INP 343 ms, needs improvement");
        assert_eq!(text(Some(500_000_001)), "INP 500 ms, poor");
        assert_eq!(text(None), "INP unknown: no interaction recorded");
    }

    #[test]
    fn without_shifts_the_score_is_unknown_and_not_zero() {
        let shifts = LayoutShifts::default();
        assert_eq!(PageMetric::of_shifts(&shifts, Some(0)).sentence(), "CLS unknown: layout shifts are not recorded");
    }
}
