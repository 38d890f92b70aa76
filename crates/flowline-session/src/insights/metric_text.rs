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

/// Its value: `1,386 ms`, `232 ms so far`; `None` if it is unknown.
#[must_use]
pub fn metric_value(metric: &Metric) -> Option<String> {
    let so_far = if metric.is_so_far { " so far" } else { "" };
    metric.value.map(|value| value.text() + so_far)
}

/// Name and value: `LCP 1,386 ms`, `INP unknown`.
#[must_use]
pub fn metric_text(metric: &Metric) -> String {
    let value = metric_value(metric).unwrap_or_else(|| "unknown".to_owned());
    format!("{} {value}", metric.kind.title())
}

/// The same with the rating and with what it leaves out, or with the reason why it is unknown.
#[must_use]
pub fn metric_sentence(metric: &Metric) -> String {
    let text = metric_text(metric);
    let note = if metric.note.is_empty() { String::new() } else { format!(": {}", metric.note) };
    match metric.rating {
        Some(rating) => format!("{text}, {}{note}", rating.name()),
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
        assert_eq!(
            metric_sentence(&known.clone().rated(Some(Rating::NeedsImprovement))),
            "LCP 1,386 ms, needs improvement"
        );
        assert_eq!(metric_sentence(&known.so_far(true)), "LCP 1,386 ms so far");
        let unknown = Metric::unknown(MetricKind::Inp, "no interaction recorded");
        assert_eq!(
            (metric_text(&unknown), metric_sentence(&unknown)),
            ("INP unknown".to_owned(), "INP unknown: no interaction recorded".to_owned())
        );
    }
}
