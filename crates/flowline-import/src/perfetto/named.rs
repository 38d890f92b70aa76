//! Names of processes and threads.

/// Name and order of a process or a thread.
#[derive(Clone, Debug, Default)]
pub(super) struct Named {
    pub(super) name: String,
    /// Labels of a process.
    pub(super) labels: String,
    pub(super) sort_index: Option<i64>,
    /// True for a name that the process or thread reports itself, false for its command.
    is_own: bool,
}

impl Named {
    /// Sets the name unless a better one is known.
    pub(super) fn learn(&mut self, name: &str, is_own: bool) {
        if !name.is_empty() && (self.name.is_empty() || is_own || !self.is_own) {
            name.clone_into(&mut self.name);
            self.is_own |= is_own;
        }
    }

    /// Sets the name if none is known.
    pub(super) fn learn_if_unnamed(&mut self, name: &str) {
        if self.name.is_empty() {
            name.clone_into(&mut self.name);
        }
    }
}
