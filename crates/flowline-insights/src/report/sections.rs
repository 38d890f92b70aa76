//! All sections of a recording.

use std::collections::{BTreeMap, HashMap};

use super::firefox;
use super::metric::{Metric, MetricValue};
use super::metric_kind::MetricKind;
use super::metrics::{dropped_frames, inp, of_insights, of_milestone};
use super::section::{Section, SectionKind};
use crate::browser_pages::is_of_browser;
use crate::frames::Frames;
use crate::insights::{Insight, Insights};
use crate::interactions::Interactions;
use crate::layout_shifts::{LayoutShifts, LeftOutShifts};
use crate::page::{Navigation, Page};
use crate::page_load::{Milestone, MilestoneKind, Milestones, PageId};
use flowline_index::{Derived, Index, Tab};
use flowline_profile::{Ns, TabId, TimeRange};

/// The sections of a recording.
#[derive(Clone, Debug, Default)]
pub struct Sections {
    list: Vec<Section>,
    main: Option<usize>,
    of_tabs: BTreeMap<TabId, usize>,
}

impl Sections {
    /// All sections by time; in Firefox profiles, pages of the browser and processes without a page follow.
    #[must_use]
    pub fn list(&self) -> &[Section] {
        &self.list
    }

    /// Position of the section of the page load that the recording shows, or of the page of a tab.
    #[must_use]
    pub fn main(&self, tab: Option<TabId>) -> Option<usize> {
        tab.map_or(self.main, |tab| self.of_tabs.get(&tab).copied())
    }

    /// The section of the page load that an insight is about, if it is about a single one.
    #[must_use]
    pub fn of_insight(&self, insight: &Insight) -> Option<&Section> {
        let is_own = |own: &&Section| match insight.page {
            PageId::Window(_) => own.page == insight.page,
            PageId::Frame(_) | PageId::None => own.navigation.is_some() && own.navigation == insight.navigation,
        };
        self.list.iter().find(is_own)
    }
}

impl Derived for Sections {
    fn derive(index: &Index) -> Self {
        let insights = Insights::of(index).list();
        let is_trace = index.profile().source.holds_events();
        let mut list = if is_trace { of_trace(index) } else { firefox::sections(index) };
        for own in &mut list {
            own.insights.sort_by_key(|at| (insights[*at].finding.state, insights[*at].name));
        }
        let main = main_section(index, &list, None);
        let of_tab = |tab: &Tab| Some((tab.id, main_section(index, &list, Some(tab.id))?));
        let of_tabs = index.pages().tabs().list().iter().filter_map(of_tab).collect();
        Self { list, main, of_tabs }
    }
}

/// Position of the section of the page load that the recording shows, or of the page of a tab.
fn main_section(index: &Index, list: &[Section], tab: Option<TabId>) -> Option<usize> {
    let main = Milestones::of(index).main_navigation(tab)?;
    let process = index.profile().thread(main.thread).process;
    list.iter().position(|own| match own.page {
        PageId::Window(_) => own.page == main.page && own.process == Some(process),
        PageId::Frame(_) | PageId::None => own.navigation.is_some() && own.navigation == main.navigation,
    })
}

/// The sections of a trace of Chrome.
fn of_trace(index: &Index) -> Vec<Section> {
    let insights = Insights::of(index).list();
    let navigations: Vec<&Navigation> = Page::of(index).main_navigations().collect();
    let has_others = insights.iter().any(|own| own.navigation.is_none());
    let facts = FactsOfNavigations::of(index);
    let before = has_others.then(|| section(index, &facts, before(index, navigations.first().copied())));
    before.into_iter().chain(navigations.into_iter().map(|own| section(index, &facts, of(own)))).collect()
}

/// Insights and milestones by navigation, collected in one pass: a recording may have thousands of navigations.
struct FactsOfNavigations<'a> {
    /// Positions of insights, ascending.
    insights: BTreeMap<Option<u32>, Vec<usize>>,
    /// The first milestone of each kind.
    milestones: HashMap<(u32, MilestoneKind), &'a Milestone>,
    /// The last navigation.
    last: Option<u32>,
}

impl<'a> FactsOfNavigations<'a> {
    fn of(index: &'a Index) -> Self {
        let mut insights: BTreeMap<_, Vec<usize>> = BTreeMap::new();
        for (at, own) in Insights::of(index).list().iter().enumerate() {
            insights.entry(own.navigation).or_default().push(at);
        }
        let mut milestones = HashMap::new();
        for own in Milestones::of(index).all().iter().filter(|own| own.is_main) {
            if let Some(navigation) = own.navigation {
                milestones.entry((navigation, own.kind)).or_insert(own);
            }
        }
        let last = Page::of(index).main_navigations().filter_map(|own| own.number).max();
        Self { insights, milestones, last }
    }
}

/// The time before the first navigation.
fn before(index: &Index, first: Option<&Navigation>) -> Section {
    let range = index.profile().meta.range;
    let end = first.map_or(range.end, |first| (first.time - Ns(1_000)).max(range.start));
    Section::new(SectionKind::Before, TimeRange { start: range.start, end })
}

fn of(navigation: &Navigation) -> Section {
    let kind = if navigation.is_soft { SectionKind::Soft } else { SectionKind::Hard };
    Section {
        navigation: navigation.number,
        page: PageId::Frame(navigation.frame.clone()),
        url: navigation.url.clone(),
        is_of_browser: is_of_browser(&navigation.url),
        is_prerendered: navigation.is_prerendered,
        marker: Some(navigation.marker),
        ..Section::new(kind, TimeRange { start: navigation.time, end: navigation.end })
    }
}

/// Fills a section in.
fn section(index: &Index, facts: &FactsOfNavigations<'_>, own: Section) -> Section {
    let positions = facts.insights.get(&own.navigation).cloned().unwrap_or_default();
    let frames = Frames::of(index).counts(own.times, |_| true);
    let section = Section { insights: positions, frames, ..own };
    Section { metrics: metrics(index, facts, &section), ..section }
}

fn metrics(index: &Index, facts: &FactsOfNavigations<'_>, section: &Section) -> Vec<Metric> {
    let milestone = |kind: MetricKind, of: MilestoneKind, name: &str| {
        let missing = match section.is_page() {
            true => format!("{name} is not in the recording"),
            false => "no navigation".to_owned(),
        };
        let own = section.navigation.and_then(|navigation| facts.milestones.get(&(navigation, of)).copied());
        of_milestone(kind, own, &missing)
    };
    let insights = Insights::of(index).list();
    let [long_tasks, reflow] = of_insights(section.insights.iter().map(|at| &insights[*at]));
    vec![
        milestone(MetricKind::Fcp, MilestoneKind::FirstContentfulPaint, "firstContentfulPaint"),
        milestone(MetricKind::Lcp, MilestoneKind::LargestContentfulPaint, "largestContentfulPaint::Candidate"),
        // Until the page is left, a slower interaction may follow.
        inp(Interactions::of(index).inp(section.navigation)).so_far(facts.last == section.navigation),
        cls(LayoutShifts::of(index), section.navigation),
        milestone(MetricKind::Tbt, MilestoneKind::TotalBlockingTime, "InteractiveTime"),
        milestone(MetricKind::Load, MilestoneKind::Load, "MarkLoad"),
        milestone(MetricKind::DomContentLoaded, MilestoneKind::DomContentLoaded, "MarkDOMContent"),
        long_tasks,
        dropped_frames(section.frames.as_ref()),
        reflow,
    ]
}

fn cls(shifts: &LayoutShifts, navigation: Option<u32>) -> Metric {
    let kind = MetricKind::Cls;
    if let Some(reason) = shifts.unknown(navigation) {
        return Metric::unknown(kind, reason);
    }
    let note = shifts.left_out(navigation).map(LeftOutShifts::text);
    match shifts.worst(navigation) {
        Some(worst) => {
            let marker = shifts.shifts().get(worst.worst).map(|shift| shift.marker);
            Metric::known(kind, MetricValue::Score(worst.score), marker).rated(Some(worst.rating())).noted(note)
        }
        None => {
            let rating = crate::layout_shifts::rate_shifts(0.0);
            Metric::known(kind, MetricValue::Score(0.0), None).rated(Some(rating)).noted(note)
        }
    }
}
