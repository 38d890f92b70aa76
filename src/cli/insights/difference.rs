//! `flowline compare --insights`: how the figures of page loads differ between two recordings, and which insights changed
//! their state.

use std::io::Write;

use serde_json::{Value, json};

use super::choice::{Chosen, choose, label};
use super::json::metric_value;
use crate::cli::args::{CompareArgs, PageArgs};
use crate::cli::output::{Cell, aligned};
use flowline_format::{format_fixed, format_integer, format_whole_ms};
use flowline_index::Index;
use flowline_insights::insights::{Insight, InsightName, InsightState};
use flowline_insights::page_load::Rating;
use flowline_insights::report::{Metric, MetricKind, MetricValue};
use flowline_profile::Ns;
use flowline_terminal::{self as terminal, Output};

/// A recording, and the range of its displayed clock to compare.
type Part<'a> = (&'a Index, Option<(Ns, Ns)>);

/// Writes the differences of two recordings.
///
/// # Errors
/// If the output cannot be written.
pub(crate) fn write_difference(options: &CompareArgs, parts: [Part<'_>; 2]) -> anyhow::Result<()> {
    let [a, b] = parts.map(|(index, _)| index);
    let [part_a, part_b] = parts.map(|(_, range)| PageArgs { range, ..PageArgs::default() });
    let (all_a, all_b) = (choose(a, &part_a)?, choose(b, &part_b)?);
    let mut out = Output::new();
    for (number, pair) in pairs(&all_a, &all_b).into_iter().enumerate() {
        if options.json {
            writeln!(out, "{}", as_json(&pair))?;
        } else {
            if number > 0 {
                terminal::line(&mut out, format_args!(""))?;
            }
            as_text(&mut out, [a, b], &pair)?;
        }
    }
    out.flush()?;
    Ok(())
}

/// A page load in both recordings, or in one of them.
type Pair<'a, 'b> = [Option<&'b Chosen<'a>>; 2];

/// Page loads of the same address belong together, the others in their order.
fn pairs<'a, 'b>(a: &'b [Chosen<'a>], b: &'b [Chosen<'a>]) -> Vec<Pair<'a, 'b>> {
    let is_page = |own: &&Chosen<'_>| own.section.is_page() && !own.section.is_of_browser;
    let mut rest: Vec<&Chosen<'_>> = b.iter().filter(is_page).collect();
    let mut pairs: Vec<Pair<'_, '_>> = a.iter().filter(is_page).map(|own| [Some(own), None]).collect();
    for is_same_address in [true, false] {
        for pair in pairs.iter_mut().filter(|pair| pair[1].is_none()) {
            let url = pair[0].map_or("", |own| own.section.url.as_str());
            let found = rest.iter().position(|own| !is_same_address || own.section.url == url);
            pair[1] = found.map(|at| rest.remove(at));
        }
    }
    pairs.extend(rest.into_iter().map(|own| [None, Some(own)]));
    pairs
}

fn metrics<'b>(pair: &Pair<'_, 'b>, kind: MetricKind) -> [Option<&'b Metric>; 2] {
    pair.map(|own| own.and_then(|own| own.section.metric(kind)))
}

fn insights<'b>(pair: &Pair<'_, 'b>, name: InsightName) -> [Option<&'b Insight>; 2] {
    pair.map(|own| own.and_then(|own| own.insights.iter().copied().find(|own| own.name == name)))
}

fn state(own: Option<&Insight>) -> Option<&'static str> {
    own.map(|own| own.finding.state.name())
}

/// The insights whose state differs.
fn changed<'b>(pair: &Pair<'_, 'b>) -> Vec<(InsightName, [Option<&'b Insight>; 2])> {
    let both = InsightName::ALL.into_iter().map(|name| (name, insights(pair, name)));
    both.filter(|(_, [a, b])| state(*a) != state(*b)).collect()
}

fn as_json(pair: &Pair<'_, '_>) -> Value {
    let page = |own: &Option<&Chosen<'_>>| {
        own.map(|own| json!({"url": own.section.url, "kind": own.section.kind.name(), "navigation": own.section.navigation}))
    };
    let of_metrics = MetricKind::ALL.map(|kind| {
        let [a, b] = metrics(pair, kind);
        let [of_a, of_b] = [a, b].map(|own| own.map_or(Value::Null, metric_value));
        let rating = |own: Option<&Metric>| own.and_then(|own| own.rating).map(Rating::name);
        json!({"metric": kind.key(), "a": of_a, "b": of_b, "rating_a": rating(a), "rating_b": rating(b)})
    });
    let of_insights = changed(pair).into_iter().map(|(name, [a, b])| {
        let summary = |own: Option<&Insight>| own.map(|own| own.finding.summary.clone());
        json!({"insight": name.name(), "a": state(a), "b": state(b), "summary_a": summary(a), "summary_b": summary(b)})
    });
    json!({
        "a": page(&pair[0]),
        "b": page(&pair[1]),
        "metrics": of_metrics,
        "insights": of_insights.collect::<Vec<_>>(),
    })
}

fn as_text(out: &mut impl Write, indexes: [&Index; 2], pair: &Pair<'_, '_>) -> std::io::Result<()> {
    for ((letter, index), own) in ["A", "B"].into_iter().zip(indexes).zip(pair) {
        let title = own.map_or_else(
            || "no such page load".to_owned(),
            |own| format!("{}: {}", label(index.profile(), own.section), own.section.url),
        );
        terminal::line(out, format_args!("{letter} {}", terminal::visible(&title)))?;
    }
    let heading = ["A", "B", "difference"].map(Cell::number);
    let heading = std::iter::once(Cell::text("metric")).chain(heading).chain([Cell::text("rating")]);
    let rows = MetricKind::ALL.into_iter().filter_map(|kind| metric_row(kind, metrics(pair, kind)));
    aligned(out, std::iter::once(heading.collect()).chain(rows))?;
    let changed = changed(pair);
    if changed.is_empty() {
        return terminal::line(out, format_args!("no insight changed its state"));
    }
    let heading = ["insight", "A", "B"].map(Cell::text).into_iter().chain([Cell::whole("summary")]).collect();
    let rows = changed.into_iter().map(|(name, [a, b])| {
        let told = [b, a].into_iter().flatten().find(|own| own.finding.state != InsightState::Pass).or(b).or(a);
        let summary = told.map_or("", |own| own.finding.summary.as_str());
        let states = [state(a), state(b)].map(|state| Cell::text(state.unwrap_or("-")));
        std::iter::once(Cell::text(name.name())).chain(states).chain([Cell::whole(summary)]).collect()
    });
    aligned(out, std::iter::once(heading).chain(rows))
}

/// The row of a figure; none if both recordings lack it.
fn metric_row(kind: MetricKind, both: [Option<&Metric>; 2]) -> Option<Vec<Cell>> {
    let values = both.map(|own| own.and_then(|own| own.value));
    if values.iter().all(Option::is_none) {
        return None;
    }
    let text = |value: Option<MetricValue>| value.map_or_else(|| "unknown".to_owned(), MetricValue::text);
    let difference = match values {
        [Some(a), Some(b)] => difference(a, b),
        _ => String::new(),
    };
    let ratings = both.map(|own| own.and_then(|own| own.rating).map(Rating::name));
    let rating = match ratings {
        [Some(a), Some(b)] if a != b => format!("{a}, then {b}"),
        [a, b] => a.or(b).unwrap_or_default().to_owned(),
    };
    let numbers = [text(values[0]), text(values[1]), difference].map(Cell::number);
    Some(std::iter::once(Cell::text(kind.title())).chain(numbers).chain([Cell::text(rating)]).collect())
}

/// The difference of two values of one kind, with its sign.
fn difference(a: MetricValue, b: MetricValue) -> String {
    let (is_more, text) = match (a, b) {
        (MetricValue::Time(a), MetricValue::Time(b)) => (b > a, format_whole_ms((b - a).0)),
        (MetricValue::Score(a), MetricValue::Score(b)) => (b > a, format_fixed(b - a, 3)),
        (MetricValue::Count(a), MetricValue::Count(b)) => {
            let signed = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
            (b > a, format_integer(signed(b).saturating_sub(signed(a))))
        }
        _ => return String::new(),
    };
    if is_more { format!("+{text}") } else { text }
}
