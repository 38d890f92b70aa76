//! Builds the rows of the table from the report: sections, metrics, insights, and what is unfolded below them.

use super::cells::FactContext;
use super::fact_rows::{Targets, push_facts, push_markers};
use super::folds::Folds;
use super::row::{Row, RowContent, SectionHeading};
use super::row_list::RowList;
use super::row_target::RowTarget;
use flowline_index::Derived;
use flowline_insights::insights::{Insight, Insights};
use flowline_insights::page_load::PageId;
use flowline_insights::report::{Metric, MetricKind, Section, SectionKind, Sections};
use flowline_session::{InsightReport, ListedSection, Session};

/// With at most this many sections, those of pages are unfolded at first; else only that of the main page load.
const FEW_SECTIONS: usize = 3;

/// All rows.
pub(super) fn build_rows(session: &Session, report: &InsightReport, folds: &Folds) -> Vec<Row> {
    let index = &session.index;
    let all = Insights::if_built(index).map_or(&[][..], |all| all.list());
    let sections = Sections::if_built(index).map_or(&[][..], |all| all.list());
    let context = FactContext { index, clock: session.view.clock() };
    let mut list = RowList { rows: Vec::new(), context, folds };
    let is_few = report.sections.len() <= FEW_SECTIONS;
    for listed in &report.sections {
        if let Some(section) = sections.get(listed.position) {
            let is_page = section.is_page() && !section.is_of_browser;
            push_section(&mut list, (listed, section), all, listed.is_main || (is_few && is_page));
        }
    }
    list.rows
}

/// Key of a section in saved views: the number of the navigation, or process and window.
fn section_key(list: &RowList<'_>, section: &Section) -> String {
    let pid = section.process.and_then(|process| list.context.index.profile().processes.get(process.index()));
    let window = if let PageId::Window(window) = section.page { format!("w{window}") } else { String::new() };
    match (section.navigation, pid) {
        (Some(number), _) => format!("n{number}"),
        (None, Some(process)) => format!("p{}{window}", process.pid),
        (None, None) => format!("{}{window}", section.kind.name()),
    }
}

fn push_section(list: &mut RowList<'_>, (listed, section): (&ListedSection, &Section), all: &[Insight], is_open: bool) {
    let key = section_key(list, section);
    let content = RowContent::Section(SectionHeading {
        title: listed.title.clone(),
        is_address: listed.is_address,
        is_main: listed.is_main,
        insights: listed.insights.clone(),
        is_soft: section.kind == SectionKind::Soft,
        is_prerendered: section.is_prerendered,
        failed: listed.failed,
    });
    if !list.folding((&key, 1), is_open, content, RowTarget::Fold) {
        return;
    }
    if section.is_page() {
        push_metrics(list, &format!("{key}/metrics"), section);
    }
    let passed = listed.insights.len().saturating_sub(listed.passed);
    let (open, passed) = listed.insights.split_at(passed);
    for at in open {
        push_insight(list, (&key, 2), *at, all);
    }
    if passed.is_empty() {
        return;
    }
    let passed_key = format!("{key}/passed");
    if list.folding((&passed_key, 2), false, RowContent::Passed(passed.to_vec()), RowTarget::Fold) {
        for at in passed {
            push_insight(list, (&key, 3), *at, all);
        }
    }
}

/// The metrics of a page load: one line, and below it a row for each.
fn push_metrics(list: &mut RowList<'_>, key: &str, section: &Section) {
    let headline: Vec<Metric> = MetricKind::HEADLINE.iter().filter_map(|kind| section.metric(*kind)).cloned().collect();
    if !list.folding((key, 2), false, RowContent::Metrics(headline), RowTarget::Fold) {
        return;
    }
    for metric in &section.metrics {
        let target = metric.marker.map_or(RowTarget::Fold, RowTarget::Marker);
        list.plain(format!("{key}/{}", metric.kind.name()), 3, RowContent::Metric(metric.clone()), target);
    }
}

fn push_insight(list: &mut RowList<'_>, (section, level): (&str, usize), position: usize, insights: &[Insight]) {
    let Some(insight) = insights.get(position) else { return };
    let finding = &insight.finding;
    let profile = list.context.index.profile();
    let end = |marker| profile.locate(marker).map(|(thread, local)| profile.thread(thread).markers.end(local));
    let late = finding.late.and_then(|marker| Some((marker, list.context.clock.show(end(marker)?))));
    let key = format!("{section}/{}", insight.name.name());
    let content = RowContent::Insight {
        title: insight.name.title(),
        state: finding.state,
        summary: finding.summary.clone(),
        late: late.map(|(_, time)| time),
        position,
    };
    if !list.folding((&key, level), false, content, RowTarget::Insight(position)) {
        return;
    }
    let below = level + 1;
    let about = RowContent::Text(insight.name.about().to_owned());
    list.plain(format!("{key}/about"), below, about, RowTarget::Fold);
    // The summary of an unknown insight is its first reason.
    for (number, reason) in finding.unknown.iter().enumerate().filter(|(_, reason)| **reason != finding.summary) {
        let text = format!("Unknown: {reason}");
        list.plain(format!("{key}/unknown{number}"), below, RowContent::Text(text), RowTarget::Fold);
    }
    if let Some((marker, time)) = late {
        list.plain(format!("{key}/path"), below, RowContent::Path(time), RowTarget::Path(marker));
    }
    let targets = Targets::new(list.context.index, &finding.markers);
    push_facts(list, (&key, below), &finding.data, &targets);
    push_markers(list, (&key, below), &finding.markers);
}
