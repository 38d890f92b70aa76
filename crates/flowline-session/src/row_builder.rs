//! Builds rows of threads in the arrangement that the recording was not opened with, and stack charts. They are built
//! on the pool when first shown.
//!
//! Building all of them when the arrangement changes would block the window, and keeping both arrangements from the
//! start would cost every recording the memory of a second one. Rows on screen are built first; until a thread's rows
//! are built, its summary is shown. Rows on screen are also prebuilt in the other arrangement, so that a switch is
//! immediate.

use std::sync::Arc;

use super::task::{Task, Wake};
use flowline_index::Index;
use flowline_profile::{CallDisplay, ThreadId};
use flowline_view::Arrangement;

/// Rows of a thread to build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rows {
    /// The rows of an arrangement.
    Markers(Arrangement),
    /// The stack chart of some functions and in some colors.
    Calls(CallDisplay),
    /// The network requests of all threads.
    Network,
    /// The custom tracks.
    CustomTracks,
}

impl Rows {
    fn is_shown_in(self, arrangement: Arrangement) -> bool {
        self != Self::Markers(arrangement.other())
    }
}

/// Builds rows of threads on the pool.
pub struct RowBuilder {
    arrangement: Arrangement,
    task: Task<(Rows, ThreadId), ()>,
    built: u64,
}

impl RowBuilder {
    /// `wake` is called when rows have been built.
    #[must_use]
    pub fn new(wake: Wake) -> Self {
        Self { arrangement: Arrangement::default(), task: Task::new(wake), built: 0 }
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
    pub fn build_charts(&mut self, index: &Arc<Index>, calls: CallDisplay, missing: impl Iterator<Item = ThreadId>) {
        for thread in missing {
            let index = Arc::clone(index);
            self.task.add((Rows::Calls(calls), thread), move |_| {
                index.charts().showing(calls.functions).build(thread, calls.colors);
            });
        }
    }

    /// Derives the network requests.
    pub fn build_network(&mut self, index: &Arc<Index>) {
        let index = Arc::clone(index);
        self.task.add((Rows::Network, ThreadId::default()), move |_| {
            index.network();
        });
    }

    /// Derives the custom tracks.
    pub fn build_custom_tracks(&mut self, index: &Arc<Index>) {
        let index = Arc::clone(index);
        self.task.add((Rows::CustomTracks, ThreadId::default()), move |_| {
            index.custom_tracks();
        });
    }

    /// Takes finished rows; returns the number of threads built so far in the current arrangement, and of stack charts.
    pub fn poll(&mut self) -> u64 {
        while let Some((key, ())) = self.task.poll() {
            self.count(key);
        }
        self.built
    }

    fn count(&mut self, (rows, _): (Rows, ThreadId)) {
        self.built += u64::from(rows.is_shown_in(self.arrangement));
    }

    /// True while rows are being built.
    #[must_use]
    pub const fn is_busy(&self) -> bool {
        self.task.is_running()
    }

    /// Waits for all jobs; for screenshots and tests.
    pub fn wait(&mut self) {
        let (shown, built) = (self.arrangement, &mut self.built);
        self.task.wait(|(rows, _), ()| *built += u64::from(rows.is_shown_in(shown)));
    }
}
