//! Builds rows of threads in the arrangement that the recording was not opened with, stack charts, and tracks of other kinds. They are built
//! on the pool when first shown.
//!
//! Building all of them when the arrangement changes would block the window, and keeping both arrangements from the
//! start would cost every recording the memory of a second one. Rows on screen are built first; until a thread's rows
//! are built, its summary is shown. Rows on screen are also prebuilt in the other arrangement, so that a switch is
//! immediate.

use std::sync::Arc;

use crate::tasks::{Job, PoolTask, Task, Wake};
use flowline_index::Index;
use flowline_profile::{Implementation, ThreadId};
use flowline_scene::TrackKind;
use flowline_view::Arrangement;

/// Rows of a thread to build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rows {
    /// The rows of an arrangement.
    Markers(Arrangement),
    /// The stack chart of some functions and in some colors.
    Calls(Implementation),
    /// The stack of markers and calls.
    Merged,
    /// The activity that headings show.
    Activity,
    /// The data of a kind of track, by its key.
    Tracks(&'static str),
}

impl Rows {
    fn is_shown_in(self, arrangement: Arrangement) -> bool {
        self != Self::Markers(arrangement.other()) && self != Self::Activity
    }
}

/// Builds rows of threads on the pool.
pub struct RowBuilder {
    arrangement: Arrangement,
    task: Task<(Rows, ThreadId), ()>,
    built: u64,
    /// Threads whose stack of markers and calls was built since the last [`RowBuilder::take_merged`].
    merged: Vec<ThreadId>,
}

impl RowBuilder {
    /// `wake` is called when rows have been built.
    #[must_use]
    pub fn new(wake: Wake) -> Self {
        Self { arrangement: Arrangement::default(), task: Task::new(wake), built: 0, merged: Vec::new() }
    }

    /// Builds the rows of the `missing` threads, in this order; waiting jobs of the other arrangement are abandoned.
    pub fn follow(&mut self, index: &Arc<Index>, arrangement: Arrangement, missing: impl Iterator<Item = ThreadId>) {
        if self.arrangement != arrangement {
            self.arrangement = arrangement;
            self.task.retain(|(rows, _)| !matches!(rows, Rows::Markers(_)));
        }
        for thread in missing {
            self.build(index, arrangement, thread);
        }
    }

    /// Builds the rows of a thread.
    pub fn build(&mut self, index: &Arc<Index>, arrangement: Arrangement, thread: ThreadId) {
        let index = Arc::clone(index);
        self.task.add((Rows::Markers(arrangement), thread), move |_| {
            index.layout(arrangement).thread(thread);
        });
    }

    /// Builds the stack charts of the `missing` threads, in this order.
    pub fn build_charts(&mut self, index: &Arc<Index>, calls: Implementation, missing: impl Iterator<Item = ThreadId>) {
        for thread in missing {
            let index = Arc::clone(index);
            self.task.add((Rows::Calls(calls), thread), move |_| {
                index.charts().showing(calls).build(thread);
            });
        }
    }

    /// Builds the stacks of markers and calls of the `missing` threads, in this order.
    pub fn build_merged(&mut self, index: &Arc<Index>, missing: impl Iterator<Item = ThreadId>) {
        for thread in missing {
            let index = Arc::clone(index);
            self.task.add((Rows::Merged, thread), move |_| {
                index.charts().build_merged(index.source(), thread);
            });
        }
    }

    /// The threads whose stack of markers and calls has been built since the last call.
    pub fn take_merged(&mut self) -> Vec<ThreadId> {
        std::mem::take(&mut self.merged)
    }

    /// Builds the activity of a thread.
    pub fn build_activity(&mut self, index: &Arc<Index>, thread: ThreadId) {
        let index = Arc::clone(index);
        self.task.add((Rows::Activity, thread), move |_| index.build_activity(thread));
    }

    /// Derives the data of a kind of track.
    pub fn derive(&mut self, index: &Arc<Index>, kind: &'static dyn TrackKind) {
        let index = Arc::clone(index);
        self.task.add((Rows::Tracks(kind.key()), ThreadId::default()), move |_| kind.derive(&index));
    }

    /// Number of threads whose rows in the current arrangement were built so far, plus the number of stack charts.
    #[must_use]
    pub const fn built(&self) -> u64 {
        self.built
    }
}

impl Job for RowBuilder {
    fn tasks(&self) -> Vec<&dyn PoolTask> {
        vec![&self.task]
    }

    fn poll(&mut self, _index: &Arc<Index>) {
        while let Some(((rows, thread), ())) = self.task.poll() {
            if rows == Rows::Merged {
                self.merged.push(thread);
            }
            self.built += u64::from(rows.is_shown_in(self.arrangement));
        }
    }
}
