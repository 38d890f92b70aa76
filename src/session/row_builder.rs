//! Rows of threads in the arrangement that the recording did not open with. They are built on the pool when they are
//! first shown.
//!
//! Building all of them when the arrangement changes would block the window, and holding both arrangements from the
//! start would cost every recording the memory of a second one. Rows on screen are built first; until a thread's rows
//! are there, its summary is shown. The rows on screen are also built ahead in the other arrangement, so that a switch
//! is seen at once.

use std::sync::Arc;

use super::task::{Task, Wake};
use crate::index::Index;
use crate::profile::ThreadId;
use crate::view::Arrangement;

/// Builds rows, and knows which are being built.
pub struct RowBuilder {
    arrangement: Arrangement,
    task: Task<(Arrangement, ThreadId), ()>,
    built: u64,
}

impl RowBuilder {
    /// `wake` is called when rows have been built.
    #[must_use]
    pub fn new(wake: Wake) -> Self {
        Self { arrangement: Arrangement::default(), task: Task::new(wake), built: 0 }
    }

    /// Builds the rows of these threads, in this order; what still waits for another arrangement is abandoned.
    pub fn follow(&mut self, index: &Arc<Index>, arrangement: Arrangement, missing: impl Iterator<Item = ThreadId>) {
        if self.arrangement != arrangement {
            self.arrangement = arrangement;
            self.task.cancel();
        }
        for thread in missing {
            self.build(index, arrangement, thread);
        }
    }

    /// Builds the rows of a thread.
    pub fn build(&mut self, index: &Arc<Index>, arrangement: Arrangement, thread: ThreadId) {
        let index = Arc::clone(index);
        self.task.add((arrangement, thread), move |_| {
            index.layout(arrangement).thread(thread);
        });
    }

    /// How many threads' rows in the arrangement shown have been built so far.
    pub fn poll(&mut self) -> u64 {
        while let Some((key, ())) = self.task.poll() {
            self.count(key);
        }
        self.built
    }

    fn count(&mut self, (arrangement, _): (Arrangement, ThreadId)) {
        self.built += u64::from(arrangement == self.arrangement);
    }

    /// Whether rows are being built.
    #[must_use]
    pub const fn is_busy(&self) -> bool {
        self.task.is_running()
    }

    /// Waits for them: for pictures and tests.
    pub fn wait(&mut self) {
        let (shown, built) = (self.arrangement, &mut self.built);
        self.task.wait(|(arrangement, _), ()| *built += u64::from(arrangement == shown));
    }
}
