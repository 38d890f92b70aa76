//! Restricting the window to a tab, and showing the whole browser again.

use std::collections::BTreeSet;

use super::selected_tab::SelectedTab;
use super::tracks::Tracks;
use flowline_profile::{TabId, ThreadId};

impl Tracks {
    /// Restricts the window to a tab: hides the threads of others. `None` shows the whole browser. Threads that the user hid
    /// stay hidden.
    pub fn select_tab(&mut self, tab: Option<SelectedTab>) {
        if let Some(before) = self.tab.take() {
            self.hidden.retain(|thread| !before.hidden.contains(thread));
        }
        let Some(tab) = tab else { return };
        let hidden: BTreeSet<ThreadId> = tab.hidden.difference(&self.hidden).copied().collect();
        self.hidden.extend(&hidden);
        self.tab = Some(SelectedTab { hidden, ..tab });
    }

    /// The selected tab.
    #[must_use]
    pub fn tab(&self) -> Option<TabId> {
        self.tab.as_ref().map(|tab| tab.id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn threads(ids: &[u32]) -> BTreeSet<ThreadId> {
        ids.iter().map(|id| ThreadId(*id)).collect()
    }

    #[test]
    fn a_tab_hides_the_threads_outside_and_keeps_those_that_the_user_hid() {
        let mut tracks = Tracks::default();
        tracks.hidden = threads(&[1, 2]);
        tracks.select_tab(Some(SelectedTab { id: TabId(7), hidden: threads(&[2, 3]) }));
        assert_eq!((tracks.hidden.clone(), tracks.tab()), (threads(&[1, 2, 3]), Some(TabId(7))));
        tracks.select_tab(Some(SelectedTab { id: TabId(8), hidden: threads(&[1, 4]) }));
        assert_eq!((tracks.hidden.clone(), tracks.tab()), (threads(&[1, 2, 4]), Some(TabId(8))));
        tracks.select_tab(None);
        assert_eq!((tracks.hidden.clone(), tracks.tab()), (threads(&[1, 2]), None));
    }
}
