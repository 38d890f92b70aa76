//! The part of a recording that is shown first, such as its page load. It is found on the pool after the first frames, and
//! shown once, unless the view has been moved before.

use std::sync::Arc;

use crate::tasks::{Job, PoolTask, Task, Wake};
use flowline_index::{Derived, Index};
use flowline_insights::first_part::{FirstPart, FirstParts};

/// Finds the part.
pub(crate) struct OpeningPart {
    task: Task<(), Option<FirstPart>>,
    pub(super) state: State,
}

/// The progress of the search.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum State {
    /// The part is to be shown as soon as it is known.
    Awaited,
    /// The part has just been found.
    Found(FirstPart),
    /// The part has been shown.
    Shown(FirstPart),
    /// There is no such part, or it is not wanted.
    Settled,
}

impl OpeningPart {
    /// `wake` is called when the part is known.
    pub(crate) fn new(index: &Index, wake: Wake) -> Self {
        let state = if FirstParts::may_have(index) { State::Awaited } else { State::Settled };
        Self { task: Task::new(wake), state }
    }

    /// Starts to find the part.
    pub(super) fn follow(&mut self, index: &Arc<Index>) {
        if self.state == State::Awaited && !self.task.is_for(&()) {
            let index = Arc::clone(index);
            self.task.replace((), move |_| FirstParts::of(&index).part().cloned());
        }
    }

    /// True until the part is known.
    pub(crate) const fn is_running(&self) -> bool {
        self.task.is_running()
    }

    /// True until the part is shown or known to be absent.
    pub(super) const fn is_awaited(&self) -> bool {
        matches!(self.state, State::Awaited | State::Found(_))
    }

    /// Abandons the search; nothing is shown, or named as shown.
    pub(super) fn settle(&mut self) {
        self.task.cancel();
        self.state = State::Settled;
    }
}

impl Job for OpeningPart {
    fn tasks(&self) -> Vec<&dyn PoolTask> {
        vec![&self.task]
    }

    fn poll(&mut self, _index: &Arc<Index>) {
        if let Some(found) = self.task.poll_newest() {
            self.state = found.map_or(State::Settled, State::Found);
        }
    }
}
