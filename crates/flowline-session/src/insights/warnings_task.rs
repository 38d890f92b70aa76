//! Reads the events of page loads for the warnings about them, once for a recording that may have some.

use std::sync::Arc;

use crate::tasks::{Job, OnDemand, PoolTask, Wake};
use flowline_index::{Derived, Index};
use flowline_insights::warnings::PageWarnings;

/// The reading of these events.
pub(crate) struct WarningsTask(OnDemand<(), ()>);

impl WarningsTask {
    /// `wake` is called when the warnings are complete.
    pub(crate) fn new(wake: &Wake) -> Self {
        Self(OnDemand::new(wake, 1))
    }

    /// Starts to read, if that has not been done.
    pub(crate) fn follow(&self, index: &Arc<Index>) {
        if PageWarnings::may_have(index.profile()) {
            let own = Arc::clone(index);
            self.0.get((), move |_| {
                PageWarnings::of(&own);
            });
        }
    }
}

impl Job for WarningsTask {
    fn tasks(&self) -> Vec<&dyn PoolTask> {
        vec![&self.0]
    }

    fn poll(&mut self, _index: &Arc<Index>) {}
}
