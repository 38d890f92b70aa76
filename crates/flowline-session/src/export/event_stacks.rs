//! Stacks that trace events refer to (`sf`, `stack`), of all markers of a recording.

use std::cell::OnceCell;

use flowline_profile::stack::{FrameTable, StackTrace};
use flowline_profile::{LocalMarker, Profile, ThreadId};

/// The stacks of the events of a recording.
#[derive(Debug)]
pub struct EventStacks<'a> {
    profile: &'a Profile,
    /// False if no event can have a stack.
    may_exist: bool,
    table: OnceCell<FrameTable>,
}

impl<'a> EventStacks<'a> {
    /// The stacks of a recording.
    #[must_use]
    pub fn new(profile: &'a Profile) -> Self {
        Self { profile, may_exist: profile.may_have_event_stacks(), table: OnceCell::new() }
    }

    /// The recording.
    #[must_use]
    pub const fn profile(&self) -> &'a Profile {
        self.profile
    }

    /// The stack of a marker's event; if only the end of the marker has a stack, that one. `None` without a stack.
    #[must_use]
    pub fn of(&self, thread: ThreadId, marker: LocalMarker) -> Option<StackTrace> {
        if !self.may_exist {
            return None;
        }
        let refs = self.profile.event_stack_refs(thread, marker);
        let first = |table: &FrameTable| refs.resolve(&self.profile.source, table).into_iter().next();
        if refs.is_empty() { None } else { first(self.table.get_or_init(|| FrameTable::build(self.profile))) }
    }
}
