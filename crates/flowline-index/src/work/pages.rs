//! The page that each process showed, from the markers of navigations and page loads, and the tabs of these pages.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::tabs::{Tab, Tabs};
use super::work_rank::WorkRank;
use flowline_profile::persist::persist;
use flowline_profile::{LocalMarker, Ns, ProcessId, Profile, StringId, Thread, ThreadId, Value, parallel_chunk_size};

/// Markers whose payload contains an address.
const NAVIGATIONS: [&str; 1] = ["navigationStart"];

/// Markers of Firefox whose payload refers to the window of a page.
const LOADS: [&str; 7] = [
    "DocumentLoad",
    "DOMContentLoaded",
    "FirstContentfulPaint",
    "LargestContentfulPaint",
    "Load",
    "Navigation::Start",
    "TimeToFirstInteractive",
];

/// At most this many markers of a thread are read.
const MAX_READ: usize = 1_000;

/// Schemes of pages that belong to the browser itself.
const OWN_SCHEMES: [&str; 7] =
    ["about:", "chrome:", "chrome-extension:", "devtools:", "moz-extension:", "resource:", "data:"];

/// Names of processes that show pages, as Firefox calls them; the origin may follow.
const CONTENT_PROCESSES: [&str; 3] = ["Isolated Web Content", "Web Content", "WebContent"];

/// Name of the main thread of Chrome's processes that show pages.
const RENDERER_MAIN: &str = "CrRendererMain";

/// The page of each process that showed one.
#[derive(Clone, Debug, Default)]
pub struct ProcessPages {
    /// Processes in ascending order, with the page's address.
    pages: Vec<(u32, String)>,
    tabs: Tabs,
}
persist!(ProcessPages { pages, tabs });

impl ProcessPages {
    /// Finds the pages of all processes, in parallel. If a process showed several, the longest load decides, and of equal
    /// ones the last.
    pub(crate) fn build(profile: &Profile) -> Self {
        let ids =
            |names: &[&str]| -> Vec<StringId> { names.iter().filter_map(|name| profile.strings.find(name)).collect() };
        let (navigations, loads) = (ids(&NAVIGATIONS), ids(&LOADS));
        if navigations.is_empty() && (loads.is_empty() || profile.pages.is_empty()) {
            return Self::default();
        }
        let job_len = parallel_chunk_size(profile.threads.len());
        let threads = profile.threads.par_iter().with_max_len(job_len).enumerate();
        let found: Vec<(ProcessId, Ns, String)> = threads
            .flat_map_iter(|(index, thread)| {
                let pages = page_markers(thread, &navigations, &loads).into_iter();
                pages.filter_map(move |(marker, is_navigation)| {
                    let payload = profile.payload(ThreadId::new(index), marker);
                    let url = if is_navigation { address(&payload) } else { page_address(profile, &payload) }?;
                    (!is_of_browser(&url)).then(|| (thread.process, Ns(thread.markers.range(marker).len()), url))
                })
            })
            .collect();
        let mut best: BTreeMap<ProcessId, (Ns, String)> = BTreeMap::new();
        for (process, length, url) in found {
            let known = best.entry(process).or_insert_with(|| (length, url.clone()));
            if length >= known.0 {
                *known = (length, url);
            }
        }
        let pages = best.into_iter().map(|(process, (_, url))| (process.0, url)).collect();
        Self { pages, tabs: Tabs::default() }
    }

    /// The same with tabs, which are ordered by work among others. A process is named after the page of the tab that it
    /// showed most.
    #[must_use]
    pub(crate) fn with_tabs(mut self, profile: &Profile, work: &WorkRank) -> Self {
        let busiest = |process| work.busiest_of(process).first().map_or(Ns(0), |thread| work.thread(*thread));
        self.tabs = Tabs::build(profile, busiest);
        for page in &mut self.pages {
            let process = ProcessId(page.0);
            let is_named = |tab: &&Tab| tab.process == process && !is_of_browser(&tab.url);
            if let Some(tab) = self.tabs.of_process(process).filter(is_named) {
                page.1.clone_from(&tab.url);
            }
        }
        self
    }

    /// The tabs of a Firefox profile; none for other recordings.
    #[must_use]
    pub const fn tabs(&self) -> &Tabs {
        &self.tabs
    }

    /// Address of the page that a process showed.
    #[must_use]
    pub fn of(&self, process: ProcessId) -> Option<&str> {
        let at = self.pages.binary_search_by_key(&process.0, |page| page.0).ok()?;
        Some(&self.pages[at].1)
    }

    /// True for the threads of processes that showed a page. If the recording names no page, these are the processes that
    /// are made for pages.
    #[must_use]
    pub fn showed_page(&self, profile: &Profile, thread: &Thread) -> bool {
        if !self.pages.is_empty() {
            return self.of(thread.process).is_some();
        }
        let process = &profile.processes[thread.process.index()].name;
        thread.name == RENDERER_MAIN || CONTENT_PROCESSES.iter().any(|name| process.starts_with(name))
    }
}

/// True for pages that belong to the browser itself.
fn is_of_browser(url: &str) -> bool {
    OWN_SCHEMES.iter().any(|scheme| url.starts_with(scheme))
}

/// The first markers of a thread that are navigations (true) or loads (false).
fn page_markers(thread: &Thread, navigations: &[StringId], loads: &[StringId]) -> Vec<(LocalMarker, bool)> {
    let attributes = thread.markers.attributes();
    let kind = |name: StringId| {
        let is_navigation = navigations.contains(&name);
        (is_navigation || loads.contains(&name)).then_some(is_navigation)
    };
    let kinds: Vec<Option<bool>> = attributes.items().iter().map(|own| kind(own.name)).collect();
    if kinds.iter().all(Option::is_none) {
        return Vec::new();
    }
    let markers = (0..thread.markers.len()).filter_map(|marker| Some((marker, kinds[attributes.number(marker)]?)));
    markers.take(MAX_READ).map(|(marker, is_navigation)| (LocalMarker::new(marker), is_navigation)).collect()
}

/// The address in the payload of a navigation of the main frame.
fn address(payload: &Value) -> Option<String> {
    let data = payload.get("data")?;
    let is_part = ["isOutermostMainFrame", "isLoadingMainFrame"]
        .iter()
        .any(|flag| matches!(data.get(flag), Some(Value::Bool(false))));
    let url = data.get("documentLoaderURL").and_then(Value::as_str).filter(|url| !url.is_empty() && !is_part)?;
    Some(url.to_owned())
}

/// The address of the page whose window a payload names.
fn page_address(profile: &Profile, payload: &Value) -> Option<String> {
    let window = payload.get("innerWindowID").and_then(Value::as_i64)?;
    profile.page(window).filter(|url| !url.is_empty()).map(str::to_owned)
}
