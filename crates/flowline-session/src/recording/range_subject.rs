//! The threads that the summary of a range describes. Sums over all threads of a recording say little about a range, so
//! the summary describes one thread unless the user asks for more.

use super::open_recording::Session;
use flowline_index::Index;
use flowline_profile::ThreadId;

/// How much the summary of a range covers while no rows or threads are selected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SummaryReach {
    /// One thread.
    #[default]
    Thread,
    /// The threads of its process.
    Process,
    /// All threads.
    Everything,
}

impl SummaryReach {
    /// All reaches, the narrowest first.
    pub const ALL: [Self; 3] = [Self::Thread, Self::Process, Self::Everything];

    /// Name in the control.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Thread => "Thread",
            Self::Process => "Process",
            Self::Everything => "Everything",
        }
    }
}

impl Session {
    /// The thread that the summary of a range describes: the one under the drag that selected the range, else that of the
    /// selected marker, else the main thread of the page, else the busiest thread.
    #[must_use]
    pub fn summary_thread(&self) -> Option<ThreadId> {
        let of_marker = || Some(self.index.profile().locate(self.view.selected?)?.0);
        let dragged = self.range_thread.filter(|thread| thread.index() < self.index.profile().threads.len());
        dragged.or_else(of_marker).or_else(|| main_thread(&self.index))
    }

    /// The threads that a summary covers; `None` for all.
    #[must_use]
    pub fn summary_threads(&self, reach: SummaryReach) -> Option<Vec<ThreadId>> {
        let (thread, profile) = (self.summary_thread()?, self.index.profile());
        match reach {
            SummaryReach::Thread => Some(vec![thread]),
            SummaryReach::Process => {
                let process = profile.thread(thread).process;
                let own = profile.threads_with_ids().filter(|(_, other)| other.process == process);
                Some(own.map(|(id, _)| id).filter(|id| self.scope().shows(*id)).collect())
            }
            SummaryReach::Everything => None,
        }
    }
}

/// The main thread of the page's process, or else the busiest thread.
fn main_thread(index: &Index) -> Option<ThreadId> {
    let (profile, page) = (index.profile(), index.page_process());
    let threads = || profile.threads_with_ids().filter(|(id, _)| profile.is_thread(*id));
    let of_page = threads().find(|(_, thread)| thread.is_main && Some(thread.process) == page);
    let busiest = || threads().max_by_key(|(id, _)| (index.rank().thread(*id), std::cmp::Reverse(*id)));
    of_page.or_else(busiest).map(|(id, _)| id)
}
