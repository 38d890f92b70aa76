//! The interval that a thread was in at a time.

use std::cmp::Reverse;

use crate::Index;
use crate::flows::start_of;
use flowline_profile::{MarkerId, Ns, ThreadId};

/// The innermost interval that is open just before `time`. If several threads have one, the interval that began last.
#[must_use]
pub fn innermost_open(index: &Index, threads: impl Iterator<Item = ThreadId>, time: Ns) -> Option<MarkerId> {
    let on = threads.filter_map(|thread| {
        let (innermost, _) = index.thread_stack(thread).innermost_before(time);
        innermost.map(|marker| index.profile().thread(thread).global(marker))
    });
    on.max_by_key(|marker| (start_of(index.profile(), *marker), Reverse(*marker)))
}
