//! The tab of a browser to which the window is restricted.

use super::open_recording::Session;
use flowline_index::{Index, Tab};
use flowline_profile::TabId;
use flowline_view::{Command, SelectedTab};

/// A tab with the threads of others; `None` if the recording has no such tab.
#[must_use]
pub fn selected_tab(index: &Index, id: TabId) -> Option<SelectedTab> {
    let tabs = index.pages().tabs();
    tabs.get(id)?;
    Some(SelectedTab { id, hidden: tabs.threads_outside(index.profile(), id).collect() })
}

impl Session {
    /// The selected tab; `None` for the whole browser.
    #[must_use]
    pub fn tab(&self) -> Option<TabId> {
        self.view.tracks.tab()
    }

    /// The tabs between which the user can choose, the one in the foreground first; none if there is only one.
    #[must_use]
    pub fn tabs(&self) -> &[Tab] {
        let tabs = self.index.pages().tabs().list();
        if tabs.len() > 1 { tabs } else { &[] }
    }

    /// The command that restricts the window to a tab; `None` shows the whole browser.
    #[must_use]
    pub fn select_tab(&self, tab: Option<TabId>) -> Command {
        Command::SelectTab(tab.and_then(|id| selected_tab(&self.index, id)))
    }
}
