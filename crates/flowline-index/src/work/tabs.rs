//! The tabs of a Firefox profile: groups of windows with the same `tabID`, the pages that they showed, and the processes in
//! which these pages ran.
//!
//! A marker names the window that it belongs to. Processes are found from a few markers of each name, because a recording
//! can have millions.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use super::tab_marks::{TabMarks, WindowUse};
use flowline_profile::persist::persist;
use flowline_profile::{Ns, Page, ProcessId, Profile, TabId, ThreadId};

/// Pages with addresses that begin so are no contents of a tab.
const NO_CONTENTS: [&str; 4] = ["about:blank", "chrome:", "resource:", "moz-extension:"];

/// A tab.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tab {
    /// Its id.
    pub id: TabId,
    /// Its windows, also those of frames inside its pages, ascending.
    pub windows: Vec<i64>,
    /// The window of its page; of several, the one that most markers name.
    pub window: i64,
    /// Address of that page.
    pub url: String,
    /// True for a tab of a private window.
    pub is_private: bool,
    /// True if the recording states that it was in the foreground.
    pub is_foreground: bool,
    /// The process of its page.
    pub process: ProcessId,
    /// The processes of its pages and of the frames inside them, ascending.
    pub processes: Vec<ProcessId>,
}
persist!(Tab { id, windows, window, url, is_private, is_foreground, process, processes });

/// The tabs of a recording, the one in the foreground when it began first.
#[derive(Clone, Debug, Default)]
pub struct Tabs {
    list: Vec<Tab>,
    /// Windows in ascending order, with the positions of their tabs.
    windows: Vec<(i64, u32)>,
    /// Processes in ascending order, with the positions of the tabs whose windows most of their markers name.
    processes: Vec<(u32, u32)>,
}
persist!(Tabs { list, windows, processes });

/// Order of a tab among all: pages of the browser last; when it was first known to be in the foreground; how much it painted;
/// how long its process was busy; its id.
type Rank = (bool, bool, Ns, Reverse<u64>, Reverse<Ns>, TabId);

impl Tabs {
    /// Finds the tabs of a profile. `busy` is the time of the busiest thread of a process.
    pub(crate) fn build(profile: &Profile, busy: impl Fn(ProcessId) -> Ns) -> Self {
        if profile.source.holds_events() || profile.pages.is_empty() {
            return Self::default();
        }
        let mut groups: BTreeMap<TabId, Vec<&Page>> = BTreeMap::new();
        for page in &profile.pages {
            groups.entry(tab_of(profile, page)).or_default().push(page);
        }
        groups.retain(|_, pages| pages.iter().any(|page| is_content(page)));
        if groups.is_empty() {
            return Self::default();
        }
        let marks = TabMarks::read(profile);
        let tabs = groups.into_iter().filter_map(|(id, pages)| tab(profile, id, &pages, &marks));
        let mut ranked: Vec<(Rank, Tab)> = tabs
            .map(|tab| {
                let own = tab.windows.iter();
                let shown = own.clone().filter_map(|window| marks.foreground(*window)).min();
                let painted = own.map(|window| marks.painted(*window)).fold(0, u64::saturating_add);
                let order = (Reverse(painted), Reverse(busy(tab.process)));
                let is_of_browser = tab.url.starts_with("about:");
                let rank = (is_of_browser, shown.is_none(), shown.unwrap_or_default(), order.0, order.1, tab.id);
                (rank, Tab { is_foreground: shown.is_some(), ..tab })
            })
            .collect();
        ranked.sort_by_key(|own| own.0);
        Self::new(ranked.into_iter().map(|(_, tab)| tab).collect(), &marks)
    }

    fn new(list: Vec<Tab>, marks: &TabMarks) -> Self {
        let numbered = || (0_u32..).zip(&list);
        let mut windows: Vec<(i64, u32)> =
            numbered().flat_map(|(at, tab)| tab.windows.iter().map(move |window| (*window, at))).collect();
        windows.sort_unstable();
        let mut best: BTreeMap<ProcessId, (u64, u32)> = BTreeMap::new();
        for (at, tab) in numbered() {
            for process in &tab.processes {
                let count = tab.windows.iter().map(|window| marks.count(*window, *process)).sum();
                let known = best.entry(*process).or_insert((count, at));
                if count > known.0 {
                    *known = (count, at);
                }
            }
        }
        let processes = best.into_iter().map(|(process, (_, at))| (process.0, at)).collect();
        Self { list, windows, processes }
    }

    /// All tabs; the one that was in the foreground when the recording began is first.
    #[must_use]
    pub fn list(&self) -> &[Tab] {
        &self.list
    }

    /// The tab that decides what the recording shows first.
    #[must_use]
    pub fn first(&self) -> Option<&Tab> {
        self.list.first()
    }

    /// A tab by its id.
    #[must_use]
    pub fn get(&self, id: TabId) -> Option<&Tab> {
        self.list.iter().find(|tab| tab.id == id)
    }

    /// The threads of the processes that showed no page of a tab.
    pub fn threads_outside<'a>(&'a self, profile: &'a Profile, id: TabId) -> impl Iterator<Item = ThreadId> + 'a {
        let own = self.get(id).map_or(&[][..], |tab| &tab.processes);
        let others = profile.threads_with_ids().filter(move |(_, thread)| own.binary_search(&thread.process).is_err());
        others.map(|(id, _)| id)
    }

    /// The tab of a window.
    #[must_use]
    pub fn of_window(&self, window: i64) -> Option<&Tab> {
        let at = self.windows.binary_search_by_key(&window, |own| own.0).ok()?;
        self.list.get(self.windows[at].1 as usize)
    }

    /// The tab that a process showed; of several, the one whose windows most of its markers name.
    #[must_use]
    pub fn of_process(&self, process: ProcessId) -> Option<&Tab> {
        let at = self.processes.binary_search_by_key(&process.0, |own| own.0).ok()?;
        self.list.get(self.processes[at].1 as usize)
    }
}

/// The tab of a page. Old versions have no ids of tabs: there, it is the outermost window.
fn tab_of(profile: &Profile, page: &Page) -> TabId {
    const MAX_DEPTH: usize = 64;
    if let Some(tab) = page.tab {
        return tab;
    }
    let mut outer = page;
    for _ in 0..MAX_DEPTH {
        match profile.page_of(outer.embedder).filter(|_| outer.embedder != 0) {
            Some(next) => outer = next,
            None => break,
        }
    }
    TabId(outer.window)
}

/// True for a page that a tab shows.
fn is_content(page: &Page) -> bool {
    page.embedder == 0 && !NO_CONTENTS.iter().any(|start| page.url.starts_with(start))
}

/// A tab; `None` without a marker of one of its windows.
fn tab(profile: &Profile, id: TabId, pages: &[&Page], marks: &TabMarks) -> Option<Tab> {
    let used = |page: &&Page| marks.uses(page.window).map(|own: WindowUse| own.count).fold(0, u64::saturating_add);
    let contents = pages.iter().copied().filter(|page| is_content(page));
    // Of equally used ones, the last one.
    let page = contents.max_by_key(used)?;
    let all: Vec<WindowUse> = pages.iter().flat_map(|page| marks.uses(page.window)).collect();
    // The parent process has markers for the requests of all tabs.
    let parent = profile.threads.first().map(|thread| thread.process);
    let is_only_parent = all.iter().all(|own| Some(own.process) == parent);
    let is_own = |own: &WindowUse| is_only_parent || Some(own.process) != parent;
    let processes: BTreeSet<ProcessId> = all.iter().filter(|own| is_own(own)).map(|own| own.process).collect();
    let of_page = marks.uses(page.window).filter(is_own).max_by_key(|own| (own.count, Reverse(own.process)));
    let process = of_page.map(|own| own.process).or_else(|| processes.first().copied())?;
    Some(Tab {
        id,
        windows: pages.iter().map(|page| page.window).collect::<BTreeSet<i64>>().into_iter().collect(),
        window: page.window,
        url: page.url.clone(),
        is_private: pages.iter().any(|page| page.is_private),
        is_foreground: false,
        process,
        processes: processes.into_iter().collect(),
    })
}
