//! Insights and their facts as JSON: integer nanoseconds, markers and threads as numbers.

use serde_json::{Map, Value, json};

use flowline_insights::insights::{Fact, Insight};
use flowline_insights::page_load::PageId;
use flowline_insights::report::{Metric, MetricValue};
use flowline_profile::{MarkerId, Profile};

/// The largest integer up to which every float of a whole number is exact.
const MAX_EXACT: f64 = 9_007_199_254_740_992.0;

/// An insight with all its keys, as `dump` and `insights --json` print it.
pub(crate) fn insight_json(profile: &Profile, own: &Insight) -> Value {
    let finding = &own.finding;
    let window = if let PageId::Window(window) = own.page { Some(window) } else { None };
    let process = own.process.and_then(|process| profile.processes.get(process.index()));
    let numbers = |markers: &[MarkerId]| markers.iter().map(|marker| marker.0).collect::<Vec<_>>();
    let data = finding.data.iter().map(|(name, fact)| ((*name).to_owned(), fact_json(fact)));
    json!({
        "insight": own.name.name(),
        "navigation": own.navigation,
        "window": window,
        "pid": process.map(|process| process.pid.as_str()),
        "state": finding.state.name(),
        "summary": finding.summary,
        "unknown": (!finding.unknown.is_empty()).then_some(&finding.unknown),
        "range_ns": finding.range.map(|range| [range.start.0, range.end.0]),
        "markers": numbers(&finding.markers),
        "late": finding.late.map(|marker| marker.0),
        "data": if finding.data.is_empty() { Value::Null } else { Value::Object(data.collect()) },
    })
}

/// The value of a figure.
pub(super) fn metric_value(own: &Metric) -> Value {
    match own.value {
        Some(MetricValue::Time(time)) => time.0.into(),
        Some(MetricValue::Score(score)) => score.into(),
        Some(MetricValue::Count(count)) => count.into(),
        None => Value::Null,
    }
}

fn fact_json(fact: &Fact) -> Value {
    match fact {
        Fact::Unknown => Value::Null,
        Fact::Duration(time) | Fact::Moment(time) => time.0.into(),
        Fact::Bytes(number) => whole(*number),
        Fact::Count(count) => (*count).into(),
        Fact::Number(number) => (*number).into(),
        Fact::Flag(flag) => (*flag).into(),
        Fact::Text(text) | Fact::Url(text) => text.as_str().into(),
        Fact::Marker(marker) => marker.0.into(),
        Fact::Thread(thread) => thread.0.into(),
        Fact::List(facts) => facts.iter().map(fact_json).collect(),
        Fact::Group(facts) => {
            let facts = facts.iter().map(|(name, fact)| ((*name).to_owned(), fact_json(fact)));
            Value::Object(facts.collect::<Map<_, _>>())
        }
    }
}

/// A number that is an integer as a rule, without a decimal point if it is one.
#[expect(clippy::cast_possible_truncation, reason = "whole and exact")]
fn whole(number: f64) -> Value {
    if number.fract() == 0.0 && number.abs() <= MAX_EXACT { (number as i64).into() } else { number.into() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flowline_profile::{Ns, ThreadId};

    #[test]
    fn facts_are_plain_values() {
        let list = Fact::List(vec![Fact::Marker(MarkerId(3)), Fact::Thread(ThreadId::new(1)), Fact::Unknown]);
        let facts = Fact::Group(vec![
            ("lcp_ns", Fact::Duration(Ns(-5))),
            ("wasted_bytes", Fact::Bytes(6_879.0)),
            ("part_bytes", Fact::Bytes(0.5)),
            ("cls", Fact::Number(f64::NAN)),
            ("fast", Fact::Flag(true)),
            ("of", list),
        ]);
        let expected = json!({"lcp_ns": -5, "wasted_bytes": 6879, "part_bytes": 0.5, "cls": null, "fast": true,
            "of": [3, 1, null]});
        assert_eq!(fact_json(&facts), expected);
    }
}
