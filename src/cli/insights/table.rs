//! The answers of `insights` for people: per page load its figures, its frames, and what failed.

use std::io::Write;

use super::choice::{Chosen, label};
use crate::cli::output::{Cell, aligned};
use flowline_format::{format_count, format_counted};
use flowline_insights::frames::FrameCounts;
use flowline_insights::insights::{Insight, InsightState};
use flowline_insights::page_load::Rating;
use flowline_insights::report::{Metric, MetricKind, SectionKind};
use flowline_profile::{MarkerId, Profile};
use flowline_terminal as terminal;

/// Writes all sections. A time without a navigation is left out if nothing happened in it.
pub(crate) fn write_table(out: &mut impl Write, profile: &Profile, all: &[Chosen<'_>]) -> std::io::Result<()> {
    let says = |own: &&Chosen<'_>| {
        let is_said = |own: &&Insight| matches!(own.finding.state, InsightState::Fail | InsightState::Informative);
        own.section.kind != SectionKind::Before || all.len() == 1 || own.insights.iter().any(is_said)
    };
    for (number, own) in all.iter().filter(says).enumerate() {
        if number > 0 {
            terminal::line(out, format_args!(""))?;
        }
        section(out, profile, own)?;
    }
    if all.is_empty() {
        terminal::line(out, format_args!("no page load, and nothing else that insights are about"))?;
    }
    Ok(())
}

fn section(out: &mut impl Write, profile: &Profile, own: &Chosen<'_>) -> std::io::Result<()> {
    let (label, url) = (label(profile, own.section), &own.section.url);
    let title = if url.is_empty() { label } else { format!("{label}: {url}") };
    terminal::line(out, format_args!("{}", terminal::visible(&title)))?;
    let heading = vec![Cell::text("metric"), Cell::number("value"), Cell::text("rating"), Cell::number("marker")];
    let headline = MetricKind::HEADLINE.into_iter().filter_map(|kind| own.section.metric(kind));
    // Outside of page loads, most figures have no meaning.
    let headline = headline.filter(|metric| own.section.is_page() || metric.value.is_some());
    aligned(out, std::iter::once(heading).chain(headline.map(metric)))?;
    let frames = own.section.frames.as_ref().map_or_else(|| "not recorded".to_owned(), frames);
    terminal::line(out, format_args!("frames: {frames}"))?;
    for metric in own.section.metrics.iter().filter(|metric| !metric.note.is_empty()) {
        terminal::line(out, format_args!("{}: {}", metric.kind.title(), metric.note))?;
    }
    let is = |state: InsightState| own.insights.iter().copied().filter(move |own| own.finding.state == state);
    let found: Vec<&Insight> = is(InsightState::Fail).chain(is(InsightState::Informative)).collect();
    if !found.is_empty() {
        terminal::line(out, format_args!(""))?;
        let heading = vec![Cell::text("state"), Cell::text("insight"), Cell::number("marker"), Cell::text("summary")];
        aligned(out, std::iter::once(heading).chain(found.into_iter().map(insight)))?;
    }
    let names: Vec<&str> = is(InsightState::Pass).map(|own| own.name.name()).collect();
    if !names.is_empty() {
        terminal::line(out, format_args!("passed: {}", names.join(", ")))?;
    }
    for own in is(InsightState::Unknown) {
        let reasons = terminal::visible(&own.finding.unknown.join("; "));
        terminal::line(out, format_args!("unknown: {}: {reasons}", own.name.name()))?;
    }
    Ok(())
}

/// A marker's number, as other commands take it.
fn number(marker: Option<MarkerId>) -> Cell {
    Cell::number(marker.map_or_else(String::new, |marker| marker.0.to_string()))
}

fn metric(own: &Metric) -> Vec<Cell> {
    let value = own.value.map_or_else(|| "unknown".to_owned(), |value| value.text());
    let rating = if own.value.is_none() { own.unknown.as_str() } else { own.rating.map_or("", Rating::name) };
    vec![Cell::text(own.kind.title()), Cell::number(value), Cell::text(rating), number(own.marker)]
}

fn frames(counts: &FrameCounts) -> String {
    let partly = (counts.partial > 0).then(|| format!("{} partly shown", format_count(counts.partial)));
    let all = [
        Some(format!("{} shown", format_count(counts.shown))),
        partly,
        Some(format!("{} dropped", format_count(counts.dropped))),
        Some(format!("{} late", format_count(counts.late))),
    ];
    all.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn insight(own: &Insight) -> Vec<Cell> {
    let finding = &own.finding;
    let marker = finding.late.or_else(|| finding.markers.first().copied());
    let summary = match finding.summary.is_empty() {
        true => format_counted(finding.markers.len() as u64, "marker"),
        false => finding.summary.clone(),
    };
    vec![Cell::text(finding.state.name()), Cell::text(own.name.name()), number(marker), Cell::whole(summary)]
}
