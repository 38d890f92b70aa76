//! The sections of Firefox profiles: one per window of a page, and one per process with insights but without such a window.

use std::collections::{BTreeMap, BTreeSet};

use super::metric::Metric;
use super::metric_kind::MetricKind;
use super::metrics::{dropped_frames, inp, of_insights, of_milestone};
use super::section::{Section, SectionKind};
use crate::browser_pages::is_of_browser;
use crate::frames::{Frames, PageFrame};
use crate::insights::{Insight, Insights};
use crate::interactions::Interactions;
use crate::page_load::{Milestone, MilestoneKind, Milestones, PageId, tab_of};
use flowline_index::{Derived, Index, Tabs};
use flowline_profile::{Ns, ProcessId, TabId, TimeRange};

/// The windows of the pages themselves, by process and window.
type Windows<'a> = BTreeMap<(ProcessId, i64), Vec<&'a Milestone>>;

/// The sections: pages by time, then pages of the browser, then processes.
pub(super) fn sections(index: &Index) -> Vec<Section> {
    let (profile, insights) = (index.profile(), Insights::of(index).list());
    let mut windows: Windows<'_> = BTreeMap::new();
    for own in Milestones::of(index).all().iter().filter(|own| own.is_main) {
        if let PageId::Window(window) = own.page {
            windows.entry((profile.thread(own.thread).process, window)).or_default().push(own);
        }
    }
    let mut sections: Vec<Section> =
        windows.iter().map(|((process, window), all)| of_window(*process, *window, all)).collect();
    sections.sort_by_key(|own| (own.is_of_browser, own.times.start, own.marker));
    let tabs = index.pages().tabs();
    close(tabs, &mut sections, profile.meta.range.end);
    let mut seen = BTreeSet::new();
    for section in &mut sections {
        // What concerns a process as a whole is listed with its first page.
        let is_first = section.process.is_some_and(|process| seen.insert(process));
        let is_own = |own: &Insight| match own.page {
            PageId::None => is_first && own.process == section.process,
            _ => own.page == section.page && (own.process.is_none() || own.process == section.process),
        };
        section.insights = positions(insights, is_own);
    }
    let others: BTreeSet<ProcessId> =
        insights.iter().filter_map(|own| own.process).filter(|own| !seen.contains(own)).collect();
    sections.extend(others.into_iter().map(|process| Section {
        process: Some(process),
        insights: positions(insights, |own| own.process == Some(process)),
        ..Section::new(SectionKind::Process, profile.meta.range)
    }));
    let frames = Frames::of(index);
    for section in &mut sections {
        let tab = tab_of(tabs, &section.page).map(|tab| tab.id);
        let is_own = |frame: &PageFrame| tab.is_none() || frame.tab == tab;
        section.frames = section.is_page().then(|| frames.counts(section.times, is_own)).flatten();
        section.metrics = metrics(index, insights, section, &windows);
    }
    sections
}

/// The positions of insights, in the order in which they are listed.
fn positions(insights: &[Insight], is_own: impl Fn(&Insight) -> bool) -> Vec<usize> {
    (0..insights.len()).filter(|at| is_own(&insights[*at])).collect()
}

fn of_window(process: ProcessId, window: i64, all: &[&Milestone]) -> Section {
    let navigation = all.iter().find(|own| own.kind == MilestoneKind::Navigation);
    let begun = navigation.and_then(|own| own.time);
    let start = begun.or_else(|| all.iter().filter_map(|own| own.time).min()).unwrap_or(Ns(0));
    let url = all.first().map(|own| own.url.clone()).unwrap_or_default();
    Section {
        page: PageId::Window(window),
        process: Some(process),
        is_of_browser: is_of_browser(&url),
        url,
        marker: navigation.and_then(|own| own.marker),
        ..Section::new(SectionKind::Window, TimeRange { start, end: start })
    }
}

/// Sets the ends: a page lasts until the next one in its tab begins. Pages without a tab last until the next one of their kind
/// begins.
fn close(tabs: &Tabs, sections: &mut [Section], end: Ns) {
    let mut next: BTreeMap<(Option<TabId>, bool), Ns> = BTreeMap::new();
    let mut by_start: Vec<&mut Section> = sections.iter_mut().collect();
    by_start.sort_by_key(|own| (own.times.start, own.marker));
    for section in by_start.into_iter().rev() {
        let tab = tab_of(tabs, &section.page).map(|tab| tab.id);
        let key = (tab, tab.is_none() && section.is_of_browser);
        let until = next.insert(key, section.times.start).unwrap_or(end);
        section.times.end = until.max(section.times.start);
    }
}

fn metrics(index: &Index, insights: &[Insight], section: &Section, windows: &Windows<'_>) -> Vec<Metric> {
    let window = if let PageId::Window(window) = section.page { Some(window) } else { None };
    let all = section.process.zip(window).and_then(|key| windows.get(&key));
    let milestone = |kind| all.into_iter().flatten().copied().find(|own| own.kind == kind);
    let of = |kind, of, missing| of_milestone(kind, milestone(of), missing);
    // The moment at which the paint was on the screen rates it.
    let composited = milestone(MilestoneKind::FirstContentfulComposite);
    let first =
        of(MetricKind::Fcp, MilestoneKind::FirstContentfulPaint, "FirstContentfulPaint is not in the recording");
    let first_rating = composited.map_or(first.rating, |own| own.rating);
    let slowest = window.and_then(|window| Interactions::of(index).inp_of_window(window));
    let [long_tasks, reflow] = of_insights(section.insights.iter().map(|at| &insights[*at]));
    vec![
        first.rated(first_rating),
        of(MetricKind::Lcp, MilestoneKind::LargestContentfulPaint, "LargestContentfulPaint is not in the recording"),
        inp(slowest),
        Metric::unknown(MetricKind::Cls, "Firefox does not record layout shifts"),
        Metric::unknown(MetricKind::Tbt, "Firefox does not record it"),
        of(MetricKind::Load, MilestoneKind::Load, "DocumentLoad is not in the recording"),
        of(MetricKind::DomContentLoaded, MilestoneKind::DomContentLoaded, "DOMContentLoaded is not in the recording"),
        long_tasks,
        dropped_frames(section.frames.as_ref()),
        reflow,
    ]
}
