//! Metrics of page loads as text.

use flowline_insights::report::{Metric, MetricKind};

/// Full name of a metric.
#[must_use]
pub const fn metric_name(kind: MetricKind) -> &'static str {
    match kind {
        MetricKind::Fcp => "First contentful paint",
        MetricKind::Lcp => "Largest contentful paint",
        MetricKind::Inp => "Interaction to next paint",
        MetricKind::Cls => "Cumulative layout shift",
        MetricKind::Tbt => "Total blocking time",
        MetricKind::DomContentLoaded => "DOM content loaded",
        MetricKind::Load | MetricKind::LongTasks | MetricKind::DroppedFrames | MetricKind::ForcedReflow => kind.title(),
    }
}

/// Name and value: `LCP 1,386 ms`, `INP unknown`.
#[must_use]
pub fn metric_text(metric: &Metric) -> String {
    let value = metric.value.map_or_else(|| "unknown".to_owned(), |value| value.text());
    format!("{} {value}", metric.kind.title())
}

/// The same with the rating, or with the reason why it is unknown.
#[must_use]
pub fn metric_sentence(metric: &Metric) -> String {
    let text = metric_text(metric);
    match metric.rating {
        Some(rating) => format!("{text}, {}", rating.name()),
        None if metric.value.is_none() && !metric.unknown.is_empty() => format!("{text}: {}", metric.unknown),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flowline_insights::page_load::Rating;
    use flowline_insights::report::MetricValue;
    use flowline_profile::Ns;

    #[test]
    fn metrics_state_their_rating_or_why_they_are_unknown() {
        let known = Metric::known(MetricKind::Lcp, MetricValue::Time(Ns(1_386_400_000)), None);
        assert_eq!(metric_sentence(&known), "LCP 1,386 ms");
        assert_eq!(metric_sentence(&known.rated(Some(Rating::NeedsImprovement))), "LCP 1,386 ms, needs improvement");
        let unknown = Metric::unknown(MetricKind::Inp, "no interaction recorded");
        assert_eq!(
            (metric_text(&unknown), metric_sentence(&unknown)),
            ("INP unknown".to_owned(), "INP unknown: no interaction recorded".to_owned())
        );
    }
}
