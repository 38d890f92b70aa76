//! Keys that group async events.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;

use crate::chrome::text::event::Event;
use crate::chrome::text::ids::{Id, IdKind, NONE, TextId};
use crate::chrome::text::trace::Trace;

/// Key of a group of async events.
#[derive(Clone, Copy)]
pub(in crate::chrome) struct AsyncKey {
    /// True for legacy events, which never share a group with nestable events.
    pub(in crate::chrome) legacy: bool,
    /// Category of nestable events, name of legacy events.
    text: TextId,
    scope: TextId,
    /// Process of a local id.
    pid: TextId,
    pub(in crate::chrome) id: Id,
}

const fn is_legacy(phase: u8) -> bool {
    matches!(phase, b'S' | b'T' | b'p' | b'F')
}

impl AsyncKey {
    /// Returns the key of an async event.
    pub(in crate::chrome) fn new(trace: &Trace, event: &Event) -> Self {
        let extra = trace.extra(event);
        let legacy = is_legacy(event.ph());
        let (name, cat) = trace.labels.get(event.label);
        let is_track = extra.id.kind() == IdKind::Track;
        Self {
            legacy,
            text: match legacy {
                _ if is_track => NONE,
                true => name,
                false => cat,
            },
            scope: if legacy || is_track { NONE } else { extra.scope },
            pid: if extra.id.kind() == IdKind::Local { trace.pid(event) } else { NONE },
            id: extra.id,
        }
    }

    /// Returns a hash that is the same in every run.
    pub(in crate::chrome) fn hash(&self) -> u64 {
        let key = (self.legacy, self.text, self.scope, self.pid, self.id.kind(), self.id.hash);
        FixedState::default().hash_one(key)
    }

    /// Returns true if both keys are equal.
    pub(in crate::chrome) fn matches(&self, other: &Self) -> bool {
        (self.legacy, self.text, self.scope, self.pid) == (other.legacy, other.text, other.scope, other.pid)
            && self.id.matches(&other.id)
    }
}
