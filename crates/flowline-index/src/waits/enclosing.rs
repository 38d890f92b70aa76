//! The intervals around an interval that can have a cause. Most intervals of a deep nest have none, so they are skipped
//! together once they are known.

use std::collections::HashMap;

use super::scheduler::is_thread_state;
use crate::Index;
use flowline_profile::{MarkerId, StringId};

/// The intervals that enclose an interval, below the message loops.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Around {
    /// The closest interval around it that can have a cause.
    pub(super) next: Option<MarkerId>,
    /// The outermost interval around it.
    pub(super) outermost: Option<MarkerId>,
}

/// The intervals around those that were looked at.
#[derive(Debug, Default)]
pub(super) struct Enclosing {
    known: HashMap<MarkerId, Around>,
}

impl Enclosing {
    /// The intervals that enclose a marker. Message loops run all tasks, so an open loop does not explain why a task ran; `loops` are
    /// their names.
    pub(super) fn around(&mut self, index: &Index, loops: &[StringId], marker: MarkerId) -> Around {
        let Some((id, local)) = index.profile().locate(marker) else { return Around::default() };
        let (thread, stack) = (index.profile().thread(id), index.thread_stack(id));
        let outer = stack.ancestors(local).take_while(|outer| !loops.contains(&thread.markers.name(*outer)));
        // The markers from the given one outward, up to the first one that is known.
        let mut chain = Vec::new();
        let mut known = None;
        for marker in std::iter::once(marker).chain(outer.map(|outer| thread.global(outer))) {
            chain.push(marker);
            known = self.known.get(&marker).copied();
            if known.is_some() {
                break;
            }
        }
        let mut around = known.unwrap_or_default();
        let mut outer = None;
        for marker in chain.into_iter().rev() {
            if let Some(outer) = outer {
                let next = Some(outer).filter(|outer| can_have_cause(index, *outer)).or(around.next);
                around = Around { next, outermost: around.outermost.or(Some(outer)) };
            }
            self.known.insert(marker, around);
            outer = Some(marker);
        }
        around
    }
}

/// False if nothing in the recording can be the cause of a marker.
fn can_have_cause(index: &Index, marker: MarkerId) -> bool {
    let profile = index.profile();
    let is_state = || profile.locate(marker).is_some_and(|(thread, local)| is_thread_state(profile, thread, local));
    !index.flows().flows_of(marker).is_empty()
        || index.network().request_of(marker).is_some()
        || index.initiators().of(marker).is_some()
        || is_state()
}
