//! The insights of a recording as the window lists them: sections with titles, and insights in the order of their states.

use flowline_index::{Derived, Index};
use flowline_insights::insights::{InsightState, Insights};
use flowline_insights::page_load::Milestones;
use flowline_insights::report::{Section, SectionKind, Sections};
use flowline_profile::{Profile, TabId};

/// A section as it is listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedSection {
    /// Its position in [`Sections::list`].
    pub position: usize,
    /// The address of its page, or what it is about.
    pub title: String,
    /// True if the title is an address.
    pub is_address: bool,
    /// True for the page load that the recording shows.
    pub is_main: bool,
    /// Positions in [`Insights::list`]: what failed first, what passed last.
    pub insights: Vec<usize>,
    /// Number of insights that failed, at the beginning of the list.
    pub failed: usize,
    /// Number of insights that passed, at its end.
    pub passed: usize,
}

/// All sections.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InsightReport {
    /// The sections, or those of a tab, in the order of [`Sections::list`].
    pub sections: Vec<ListedSection>,
    /// Number of insights by state, in the order of states: failed, informative, unknown, passed.
    pub counts: [(InsightState, usize); 4],
}

impl InsightReport {
    /// True if a recording may have insights. This reads no markers.
    #[must_use]
    pub fn may_exist(profile: &Profile) -> bool {
        // The main thread of the browser is the first thread of a profile of Firefox.
        let is_of_browser = || profile.threads.first().is_some_and(|thread| thread.name == "GeckoMain");
        let names = ["RunTask", "LongTask", "RefreshDriverTick"];
        Milestones::may_have(profile)
            || names.iter().any(|name| profile.strings.find(name).is_some())
            || is_of_browser()
    }

    /// Lists the insights of a recording. The main page load is that of a tab, if there is one.
    #[must_use]
    pub fn build(index: &Index, tab: Option<TabId>) -> Self {
        let sections = Sections::of(index).list();
        let has_pages = sections.iter().any(Section::is_page);
        let main = Sections::of(index).main(tab);
        let is_listed = |own: &Section| tab.is_none() || own.tab(index) == tab;
        let listed = sections.iter().enumerate().filter(|(_, own)| is_listed(own)).map(|(position, own)| {
            let is_main = main.map_or(position == 0, |main| main == position);
            listed(index, own, (position, is_main, has_pages))
        });
        let states = [InsightState::Fail, InsightState::Informative, InsightState::Unknown, InsightState::Pass];
        let sections: Vec<ListedSection> = listed.collect();
        let insights = Insights::of(index).list();
        let listed: Vec<usize> = match tab {
            Some(_) => sections.iter().flat_map(|section| section.insights.iter().copied()).collect(),
            None => (0..insights.len()).collect(),
        };
        let count = |state| listed.iter().filter(|at| insights[**at].finding.state == state).count();
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

fn listed(index: &Index, own: &Section, (position, is_main, has_pages): (usize, bool, bool)) -> ListedSection {
    let all = Insights::of(index).list();
    let state = |at: &usize| all.get(*at).map(|insight| insight.finding.state);
    let insights = own.insights.clone();
    let with = |wanted: InsightState| insights.iter().filter(|at| state(at) == Some(wanted)).count();
    let (failed, passed) = (with(InsightState::Fail), with(InsightState::Pass));
    let is_address = own.is_page() && !own.url.is_empty();
    let title = if is_address { own.url.clone() } else { title(index, own, has_pages) };
    ListedSection { position, title, is_address, is_main, insights, failed, passed }
}

/// Title of a section without an address.
fn title(index: &Index, own: &Section, has_pages: bool) -> String {
    let process = own.process.and_then(|id| Some((id, index.profile().processes.get(id.index())?)));
    match own.kind {
        SectionKind::Before if has_pages => "Before the first navigation".to_owned(),
        SectionKind::Before => "Whole recording".to_owned(),
        SectionKind::Hard | SectionKind::Soft => "Navigation".to_owned(),
        SectionKind::Window | SectionKind::Process => {
            let heading = process.map(|(id, process)| process.heading(index.pages().of(id)));
            heading.filter(|heading| !heading.is_empty()).unwrap_or_else(|| "Process".to_owned())
        }
    }
}
