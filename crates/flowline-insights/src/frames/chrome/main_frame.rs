//! The work of the main thread on its way to the screen: from its trigger over its commit to its activation.

use flowline_profile::{MarkerId, Ns, ThreadId, TimeRange};

/// Work of the main thread for a frame.
#[derive(Clone, Debug)]
pub(super) struct MainFrame {
    pub(super) thread: ThreadId,
    /// Start of the task that began it.
    pub(super) trigger: Ns,
    /// End of its commit, once it is known.
    pub(super) commit: Ns,
    /// The number that the browser gave it.
    pub(super) number: Option<i64>,
    /// Its markers.
    pub(super) markers: Vec<MarkerId>,
}

impl MainFrame {
    pub(super) fn work(&self) -> (ThreadId, TimeRange) {
        (self.thread, TimeRange::new(self.trigger, self.commit))
    }
}

/// The work that is not committed yet, and the work that is committed and not shown yet.
#[derive(Debug, Default)]
pub(super) struct MainFrames {
    pub(super) pending_commit: Option<MainFrame>,
    pub(super) pending_activation: Option<MainFrame>,
}

impl MainFrames {
    /// Begins work, if none is open.
    pub(super) fn begin(&mut self, thread: ThreadId, trigger: Ns) -> &mut MainFrame {
        let new = || MainFrame { thread, trigger, commit: trigger, number: None, markers: Vec::new() };
        self.pending_commit.get_or_insert_with(new)
    }

    /// Commits the open work; false if there is none.
    pub(super) fn commit(&mut self, end: Ns, marker: MarkerId) -> bool {
        let Some(mut open) = self.pending_commit.take() else { return false };
        open.commit = end.max(open.trigger);
        open.markers.push(marker);
        self.pending_activation = Some(open);
        true
    }
}
