//! The flags of the selected tab, with the names of their pages if several pages are in view.

use super::scene_input::SceneInput;
use flowline_index::network::short_host;
use flowline_index::{Index, Tab};
use flowline_insights::flags::Flags;
use flowline_insights::page_load::{Milestone, PageId};
use flowline_profile::{Ns, TabId};

/// At most this many flags in view are looked at to find out whether they belong to several pages.
const MAX_LOOKED_AT: usize = 10_000;

/// The flags of a view.
pub(super) struct ShownFlags<'a> {
    index: &'a Index,
    flags: Flags<'a>,
    tab: Option<TabId>,
    /// True if flags name their pages.
    names_pages: bool,
}

impl<'a> ShownFlags<'a> {
    pub(super) fn new(input: &SceneInput<'a>, flags: Flags<'a>) -> Self {
        let shown = Self { index: input.index, flags, tab: input.view.tracks.tab(), names_pages: false };
        Self { names_pages: shown.has_several_pages(input), ..shown }
    }

    /// A flag by position, if it is shown.
    pub(super) fn get(&self, position: usize) -> Option<(Ns, &'a Milestone)> {
        let found = self.flags.get(position)?;
        // Flags without a tab are shown with every tab.
        let is_shown = self.tab.is_none() || tab_of(self.index, found.1).is_none_or(|tab| Some(tab.id) == self.tab);
        is_shown.then_some(found)
    }

    /// The page of a flag as the end of its text, if flags name their pages.
    pub(super) fn page_of(&self, own: &Milestone) -> String {
        match short_host(&own.url) {
            host if self.names_pages && !host.is_empty() => format!(", {host}"),
            _ => String::new(),
        }
    }

    /// True if the flags in view belong to pages of several tabs.
    fn has_several_pages(&self, input: &SceneInput<'_>) -> bool {
        if self.tab.is_some() || self.index.pages().tabs().list().len() < 2 {
            return false;
        }
        let visible = input.view.axis.visible();
        let from = self.flags.before(visible.start);
        let in_view = (from..self.flags.len()).take(MAX_LOOKED_AT).filter_map(|at| self.flags.get(at));
        let in_view = in_view.take_while(|(time, _)| *time <= visible.end);
        let mut tabs = in_view.filter_map(|(_, own)| tab_of(self.index, own)).map(|tab| tab.id);
        tabs.next().is_some_and(|first| tabs.any(|other| other != first))
    }
}

fn tab_of<'a>(index: &'a Index, own: &Milestone) -> Option<&'a Tab> {
    match own.page {
        PageId::Window(window) => index.pages().tabs().of_window(window),
        PageId::Frame(_) | PageId::None => None,
    }
}
