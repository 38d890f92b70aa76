//! Background work of a recording as its window sees it. A [`Job`] starts tasks on the pool when it follows the view; loops over
//! lists of jobs take the results, tell whether something is running, and wait.

use std::sync::Arc;

use flowline_index::Index;

/// Work on the pool, and its results that have not been taken.
pub trait PoolTask {
    /// True while work is running or waiting, and until its last result is taken.
    fn is_running(&self) -> bool;

    /// Blocks until all results have arrived. They are taken later.
    fn wait(&self);
}

/// Background work that belongs together.
pub trait Job {
    /// All tasks that the job runs.
    fn tasks(&self) -> Vec<&dyn PoolTask>;

    /// Takes the results that have arrived.
    fn poll(&mut self, index: &Arc<Index>);

    /// True while something is running.
    fn is_busy(&self) -> bool {
        self.tasks().iter().any(|task| task.is_running())
    }

    /// Waits for everything and takes the results; for screenshots and tests.
    fn wait(&mut self, index: &Arc<Index>) {
        // Results can start further tasks.
        while self.is_busy() {
            self.tasks().iter().for_each(|task| task.wait());
            self.poll(index);
        }
    }
}
