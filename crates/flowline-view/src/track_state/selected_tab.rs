//! The tab of a browser to which the window is restricted: the threads of other tabs are hidden.

use std::collections::BTreeSet;

use flowline_profile::{TabId, ThreadId};

/// The selected tab.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SelectedTab {
    /// The tab.
    pub id: TabId,
    /// The threads of other tabs. Once it is selected, those that are hidden for its sake only: they are shown again with
    /// another tab.
    pub hidden: BTreeSet<ThreadId>,
}
