//! Names of processes and threads.

use super::process_name::NameKind;

/// Name and order of a process or a thread.
#[derive(Clone, Debug, Default)]
pub(super) struct Named {
    pub(super) name: String,
    /// Labels of a process.
    pub(super) labels: String,
    pub(super) sort_index: Option<i64>,
    /// The command line of a process with its arguments.
    pub(super) command_line: String,
    kind: NameKind,
}

impl Named {
    /// Sets the name unless a better one is known.
    pub(super) fn learn(&mut self, name: &str, kind: NameKind) {
        if !name.is_empty() && kind >= self.kind {
            name.clone_into(&mut self.name);
            self.kind = kind;
        }
    }

    /// Sets the name if none is known.
    pub(super) fn learn_if_unnamed(&mut self, name: &str) {
        if self.name.is_empty() {
            name.clone_into(&mut self.name);
        }
    }
}
