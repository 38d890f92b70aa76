//! Tracks with the states of threads of the Linux scheduler. Their slices cover all of a thread's time, but only some of it
//! is work.

use super::profile::Profile;
use super::thread::{THREAD_STATE_SUFFIX, Thread};
use crate::StringId;

/// Name of the state in which a thread works.
const RUNNING: &str = "Running";

impl Profile {
    /// True for the name of a slice on a track of thread states that shows that the thread did not run: it slept, or it
    /// waited for a CPU.
    #[must_use]
    pub fn is_waiting_state(&self, thread: &Thread, name: StringId) -> bool {
        self.source.holds_events() && thread.tid.ends_with(THREAD_STATE_SUFFIX) && self.strings.get(name) != RUNNING
    }
}
