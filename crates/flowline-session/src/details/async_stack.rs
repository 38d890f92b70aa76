//! The stack of the selection, with the stacks of its asynchronous callers.

use std::sync::Arc;

use crate::tasks::{Job, PoolTask, Task, Wake};
use flowline_index::{Index, StackTarget};
use flowline_profile::stack::StackTrace;

/// The parts of the stack of the selected marker or call.
pub struct AsyncStack {
    task: Task<StackTarget, Vec<StackTrace>>,
    shown: Option<(StackTarget, Vec<StackTrace>)>,
}

impl AsyncStack {
    /// `wake` is called when a stack is ready.
    #[must_use]
    pub fn new(wake: Wake) -> Self {
        Self { task: Task::new(wake), shown: None }
    }

    /// Starts looking up the stack of the current selection.
    pub fn follow(&mut self, index: &Arc<Index>, selected: Option<StackTarget>) {
        let is_shown = |of: StackTarget| self.shown.as_ref().is_some_and(|(known, _)| *known == of);
        match selected {
            None => {
                self.task.cancel();
                self.shown = None;
            }
            Some(of) if !is_shown(of) && !self.task.is_for(&of) => {
                let index = Arc::clone(index);
                self.task.replace(of, move |_| index.async_stack(of));
            }
            Some(_) => {}
        }
    }

    /// A result without frames and without asynchronous callers needs no heading.
    fn take(&mut self, of: StackTarget, mut parts: Vec<StackTrace>) {
        if parts.len() == 1 && parts[0].frames.is_empty() {
            parts.clear();
        }
        self.shown = Some((of, parts));
    }

    /// The parts for the selection: the enclosing calls, then a titled part for each asynchronous caller. Empty while
    /// the lookup runs.
    #[must_use]
    pub fn parts(&self, selected: Option<StackTarget>) -> &[StackTrace] {
        match &self.shown {
            Some((of, parts)) if Some(*of) == selected => parts,
            _ => &[],
        }
    }
}

impl Job for AsyncStack {
    fn tasks(&self) -> Vec<&dyn PoolTask> {
        vec![&self.task]
    }

    fn poll(&mut self, _index: &Arc<Index>) {
        while let Some((of, parts)) = self.task.poll() {
            self.take(of, parts);
        }
    }
}
