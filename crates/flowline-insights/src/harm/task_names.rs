//! The names of all long tasks.

use std::collections::HashMap;

use rayon::prelude::*;

use super::long_tasks::LongTasks;
use super::task_name::task_name;
use flowline_index::{Derived, Index};
use flowline_profile::MarkerId;

/// The names of the long tasks of a recording.
#[derive(Clone, Debug, Default)]
pub struct TaskNames(HashMap<MarkerId, String>);

impl TaskNames {
    /// The name of a long task; `None` for other markers, and if nothing is known about what ran inside.
    #[must_use]
    pub fn of_marker(&self, marker: MarkerId) -> Option<&str> {
        self.0.get(&marker).map(String::as_str)
    }
}

impl Derived for TaskNames {
    fn derive(index: &Index) -> Self {
        let tasks = LongTasks::of(index).slices().all();
        let named = tasks.par_iter().filter_map(|task| Some((task.marker, task_name(index.profile(), *task)?)));
        Self(named.collect())
    }
}
