//! The insights of a recording by page load: a section per navigation of a trace or per process of a profile, with
//! metrics.

use std::collections::BTreeMap;

use super::metric::{MetricKind, PageMetric};
use flowline_index::Index;
use flowline_insights::insights::{Insight, InsightName, InsightState, Insights};
use flowline_insights::layout_shifts::LayoutShifts;
use flowline_insights::page::Page;
use flowline_insights::page_load::{Milestone, MilestoneKind, Milestones, PageId};
use flowline_profile::{ProcessId, Profile};

/// The metrics of a page load.
#[derive(Clone, Debug, PartialEq)]
pub struct LoadMetrics {
    /// Address of the document; empty if unknown.
    pub url: String,
    /// FCP, LCP, INP, CLS, TBT, Load.
    pub metrics: Vec<PageMetric>,
}

/// The insights of a navigation, of the time before the first one, or of a process.
#[derive(Clone, Debug, PartialEq)]
pub struct InsightSection {
    /// Number of the navigation.
    pub navigation: Option<u32>,
    /// The process of a profile.
    pub process: Option<ProcessId>,
    /// The address, or what the section is about.
    pub title: String,
    /// True if the title is an address.
    pub is_address: bool,
    /// True for a navigation without a new document.
    pub is_soft: bool,
    /// True if the section is about the page load that the recording shows.
    pub is_main: bool,
    /// The page loads: one for a navigation, one per window for a process.
    pub loads: Vec<LoadMetrics>,
    /// Positions in [`Insights::list`], in the order in which they are listed: what failed first, what passed last.
    pub insights: Vec<usize>,
    /// Number of insights at the end of the list that passed.
    pub passed: usize,
}

/// All sections.
#[derive(Clone, Debug, PartialEq)]
pub struct InsightReport {
    /// Sections by time, or by process.
    pub sections: Vec<InsightSection>,
    /// Number of insights by state, in the order of states: failed, informative, unknown, passed.
    pub counts: [(InsightState, usize); 4],
}

impl InsightReport {
    /// True if a recording may have insights. This reads no markers.
    #[must_use]
    pub fn may_exist(profile: &Profile) -> bool {
        const MAIN_THREADS: [&str; 2] = ["CrRendererMain", "GeckoMain"];
        Milestones::may_have(profile)
            || (profile.source.holds_events() && profile.strings.find("RunTask").is_some())
            || profile.threads_with_ids().any(|(_, thread)| MAIN_THREADS.contains(&thread.name.as_str()))
    }

    /// Lists the insights of a recording.
    #[must_use]
    pub fn build(index: &Index) -> Self {
        let insights = Insights::of(index).list();
        let sections = match index.profile().source.holds_events() {
            true => navigations(index, insights),
            false => processes(index, insights),
        };
        let states = [InsightState::Fail, InsightState::Informative, InsightState::Unknown, InsightState::Pass];
        let count = |state| insights.iter().filter(|insight| insight.finding.state == state).count();
        Self { sections, counts: states.map(|state| (state, count(state))) }
    }

    /// Number of insights.
    #[must_use]
    pub fn len(&self) -> usize {
        self.counts.iter().map(|(_, count)| count).sum()
    }

    /// True without insights.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The milestones of the page itself that belong to each key.
fn milestones_by<K: Ord>(index: &Index, key: impl Fn(&Milestone) -> Option<K>) -> BTreeMap<K, Vec<&Milestone>> {
    let mut by_key: BTreeMap<K, Vec<&Milestone>> = BTreeMap::new();
    let all = Milestones::of(index).all().iter();
    for own in all.filter(|own| own.is_main && own.kind != MilestoneKind::Mark) {
        if let Some(key) = key(own) {
            by_key.entry(key).or_default().push(own);
        }
    }
    by_key
}

/// The insights of each key, in the order in which they are listed.
fn insights_by<K: Ord>(insights: &[Insight], key: impl Fn(&Insight) -> Option<K>) -> BTreeMap<K, Vec<usize>> {
    let mut by_key: BTreeMap<K, Vec<usize>> = BTreeMap::new();
    for (at, insight) in insights.iter().enumerate() {
        if let Some(key) = key(insight) {
            by_key.entry(key).or_default().push(at);
        }
    }
    for list in by_key.values_mut() {
        list.sort_by_key(|at| (insights[*at].finding.state, insights[*at].name));
    }
    by_key
}

fn passed(insights: &[Insight], own: &[usize]) -> usize {
    own.iter().filter(|at| insights[**at].finding.state == InsightState::Pass).count()
}

fn inp<'a>(insights: &'a [Insight], own: &[usize]) -> Option<&'a Insight> {
    own.iter().map(|at| &insights[*at]).find(|insight| insight.name == InsightName::InpBreakdown)
}

/// The sections of a trace.
fn navigations(index: &Index, insights: &[Insight]) -> Vec<InsightSection> {
    let page = Page::of(index);
    let shifts = LayoutShifts::of(index);
    let main = Milestones::of(index).main_navigation().and_then(|own| own.navigation);
    let milestones = milestones_by(index, |own| own.navigation);
    let by_navigation = insights_by(insights, |insight| Some(insight.navigation));
    let nothing = Vec::new();
    let mut sections = Vec::new();
    let own_insights = |navigation: Option<u32>| by_navigation.get(&navigation).cloned().unwrap_or_default();
    let before = own_insights(None);
    let has_navigations = page.main_navigations().next().is_some();
    if !before.is_empty() {
        let title = if has_navigations { "Before the first navigation" } else { "Whole recording" };
        let is_main = !has_navigations;
        let passed = passed(insights, &before);
        sections.push(InsightSection { is_main, passed, insights: before, ..InsightSection::new(title) });
    }
    for navigation in page.main_navigations() {
        let own = own_insights(navigation.number);
        let of_page = navigation.number.and_then(|number| milestones.get(&number)).unwrap_or(&nothing);
        let is_soft = navigation.is_soft;
        let missing = |name: &str| format!("{name} is not recorded");
        let paint = if is_soft { missing("SoftNavigationStart") } else { missing("firstContentfulPaint") };
        let of = |kind, kinds: &[MilestoneKind], why: &str| PageMetric::of_milestone(kind, kinds, of_page, why);
        let largest = missing("largestContentfulPaint::Candidate");
        let metrics = vec![
            of(MetricKind::Fcp, &[MilestoneKind::FirstContentfulPaint], &paint),
            of(MetricKind::Lcp, &[MilestoneKind::LargestContentfulPaint], &largest),
            PageMetric::of_interactions(inp(insights, &own)),
            PageMetric::of_shifts(shifts, navigation.number),
            of(MetricKind::Tbt, &[MilestoneKind::TotalBlockingTime], &missing("InteractiveTime")),
            of(MetricKind::Load, &[MilestoneKind::Load], &missing("MarkLoad")),
        ];
        let has_address = !navigation.url.is_empty();
        let title = if has_address { navigation.url.as_str() } else { "Navigation" };
        sections.push(InsightSection {
            navigation: navigation.number,
            is_address: has_address,
            is_soft,
            is_main: navigation.number.is_some() && navigation.number == main,
            loads: vec![LoadMetrics { url: navigation.url.clone(), metrics }],
            passed: passed(insights, &own),
            insights: own,
            ..InsightSection::new(title)
        });
    }
    sections
}

/// The sections of a profile.
fn processes(index: &Index, insights: &[Insight]) -> Vec<InsightSection> {
    let profile = index.profile();
    let main = Milestones::of(index).main_navigation().map(|own| profile.thread(own.thread).process);
    let by_window = milestones_by(index, |own| match own.page {
        PageId::Window(window) => Some((profile.thread(own.thread).process, window)),
        PageId::Frame(_) | PageId::None => None,
    });
    let by_process = insights_by(insights, |insight| insight.process);
    let mut loads: BTreeMap<ProcessId, Vec<LoadMetrics>> = BTreeMap::new();
    for ((process, _), own) in &by_window {
        // Windows without a navigation, such as blank ones, have nothing to measure.
        if own.iter().any(|milestone| milestone.since.is_some()) {
            let inp = by_process.get(process).and_then(|list| inp(insights, list));
            loads.entry(*process).or_default().push(window_metrics(own, inp));
        }
    }
    let mut all: Vec<ProcessId> = by_process.keys().chain(loads.keys()).copied().collect();
    all.sort_unstable();
    all.dedup();
    // The process of the page comes first.
    all.sort_by_key(|process| Some(*process) != main);
    let section = |process: ProcessId| {
        let own = by_process.get(&process).cloned().unwrap_or_default();
        let heading = profile.processes.get(process.index()).map(|own| own.heading(index.pages().of(process)));
        InsightSection {
            process: Some(process),
            is_main: main.is_none() || main == Some(process),
            loads: loads.remove(&process).unwrap_or_default(),
            passed: passed(insights, &own),
            insights: own,
            ..InsightSection::new(&heading.filter(|text| !text.is_empty()).unwrap_or_else(|| "Process".to_owned()))
        }
    };
    all.into_iter().map(section).collect()
}

/// The metrics of a window of a profile.
fn window_metrics(own: &[&Milestone], inp: Option<&Insight>) -> LoadMetrics {
    let of = |kind, kinds: &[MilestoneKind], why: &str| PageMetric::of_milestone(kind, kinds, own, why);
    // The composite is when the paint was on the screen.
    let paints = [MilestoneKind::FirstContentfulComposite, MilestoneKind::FirstContentfulPaint];
    let metrics = vec![
        of(MetricKind::Fcp, &paints, "FirstContentfulPaint is not recorded"),
        of(MetricKind::Lcp, &[MilestoneKind::LargestContentfulPaint], "LargestContentfulPaint is not recorded"),
        PageMetric::of_interactions(inp),
        PageMetric::not_in_firefox(MetricKind::Cls),
        PageMetric::not_in_firefox(MetricKind::Tbt),
        of(MetricKind::Load, &[MilestoneKind::Load], "DocumentLoad is not recorded"),
    ];
    LoadMetrics { url: own.iter().map(|own| own.url.clone()).find(|url| !url.is_empty()).unwrap_or_default(), metrics }
}

impl InsightSection {
    fn new(title: &str) -> Self {
        Self {
            navigation: None,
            process: None,
            title: title.to_owned(),
            is_address: false,
            is_soft: false,
            is_main: false,
            loads: Vec::new(),
            insights: Vec::new(),
            passed: 0,
        }
    }
}
