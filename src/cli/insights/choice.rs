//! The page loads and insights that the options select.

use crate::cli::args::PageArgs;
use crate::cli::lookup::find_tab;
use flowline_format::format_counted;
use flowline_index::{Derived, Index};
use flowline_insights::insights::{Insight, Insights};
use flowline_insights::page_load::PageId;
use flowline_insights::report::{Section, SectionKind, Sections};
use flowline_profile::{Profile, TimeRange};

/// A selected section, with its selected insights in the order in which they are shown: what failed first.
pub(crate) struct Chosen<'a> {
    pub(crate) section: &'a Section,
    pub(crate) insights: Vec<&'a Insight>,
}

/// Selects sections and insights.
///
/// # Errors
/// If there is no such navigation, window or tab.
pub(crate) fn choose<'a>(index: &'a Index, options: &PageArgs) -> anyhow::Result<Vec<Chosen<'a>>> {
    let (all, insights) = (Sections::of(index).list(), Insights::of(index).list());
    let zero = index.profile().time_zero();
    let range = options.range.map(|(from, to)| TimeRange::new(zero + from, zero + to));
    let is_in = |own: TimeRange| range.is_none_or(|range| own.start <= range.end && range.start <= own.end);
    let tab = options.tab.as_ref().map(|text| find_tab(index, text)).transpose()?.map(|tab| tab.id);
    let is_named = |own: &&Section| {
        if tab.is_some() && own.tab(index) != tab {
            return false;
        }
        let is_window = options.window.is_none_or(|window| own.page == PageId::Window(window));
        is_window && (options.navigation.is_none() || own.navigation == options.navigation)
    };
    let named: Vec<&Section> = all.iter().filter(is_named).collect();
    if named.is_empty() {
        let pages = format_counted(all.iter().filter(|own| own.is_page()).count() as u64, "page load");
        if let Some(number) = options.navigation {
            anyhow::bail!("--navigation {number}: the recording has {pages}; navigations are numbered from 0");
        }
        if let Some(window) = options.window {
            anyhow::bail!("--window {window}: the recording has {pages}; `dump milestones` prints their windows");
        }
    }
    let with_insights = |section: &'a Section| {
        let own = section.insights.iter().filter_map(|at| insights.get(*at));
        Chosen { section, insights: own.filter(|own| own.finding.range.is_none_or(is_in)).collect() }
    };
    Ok(named.into_iter().filter(|own| is_in(own.times)).map(with_insights).collect())
}

/// What a section is called: `navigation 0`.
pub(crate) fn label(profile: &Profile, section: &Section) -> String {
    let number = section.navigation.map_or_else(String::new, |number| number.to_string());
    match (section.kind, &section.page) {
        (SectionKind::Hard, _) => format!("navigation {number}"),
        (SectionKind::Soft, _) => format!("soft navigation {number}"),
        (SectionKind::Before, _) => "before the first navigation".to_owned(),
        (SectionKind::Window, PageId::Window(window)) => format!("window {window}"),
        _ => {
            let process = section.process.and_then(|own| profile.processes.get(own.index()));
            process.map_or_else(String::new, |own| format!("process {} ({})", own.pid, own.name))
        }
    }
}
