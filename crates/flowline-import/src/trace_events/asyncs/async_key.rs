//! Keys that group async events.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;

use crate::trace_events::text::event::Event;
use crate::trace_events::text::ids::{Id, IdKind, NONE, TextId};
use crate::trace_events::text::trace::Trace;

/// Kind of async events. Events of different kinds never share a group.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::trace_events) enum AsyncKind {
    Nestable,
    Legacy,
    /// The life of an object and its snapshots.
    Object,
}

impl AsyncKind {
    pub(in crate::trace_events) const fn of(phase: u8) -> Self {
        match phase {
            b'S' | b'T' | b'p' | b'F' => Self::Legacy,
            b'N' | b'O' | b'D' => Self::Object,
            _ => Self::Nestable,
        }
    }
}

/// Key of a group of async events.
#[derive(Clone, Copy)]
pub(in crate::trace_events) struct AsyncKey {
    pub(in crate::trace_events) kind: AsyncKind,
    /// Category of nestable events, name of other events.
    text: TextId,
    scope: TextId,
    /// Process of a local id, and of an object, whose id is usually its address.
    pid: TextId,
    pub(in crate::trace_events) id: Id,
}

impl AsyncKey {
    /// Returns the key of an async event.
    pub(in crate::trace_events) fn new(trace: &Trace, event: &Event) -> Self {
        let extra = trace.extra(event);
        let kind = AsyncKind::of(event.ph());
        let (name, cat) = trace.labels.get(event.label);
        let is_track = extra.id.kind() == IdKind::Track;
        Self {
            kind,
            text: match kind {
                _ if is_track => NONE,
                AsyncKind::Legacy | AsyncKind::Object => name,
                AsyncKind::Nestable => cat,
            },
            scope: if kind == AsyncKind::Legacy || is_track { NONE } else { extra.scope },
            pid: if extra.id.kind() == IdKind::Local || kind == AsyncKind::Object { trace.pid(event) } else { NONE },
            id: extra.id,
        }
    }

    /// Returns a hash that is the same in every run.
    pub(in crate::trace_events) fn hash(&self) -> u64 {
        let key = (self.kind as u8, self.text, self.scope, self.pid, self.id.kind(), self.id.hash);
        FixedState::default().hash_one(key)
    }

    /// Returns true if both keys are equal.
    pub(in crate::trace_events) fn matches(&self, other: &Self) -> bool {
        (self.kind, self.text, self.scope, self.pid) == (other.kind, other.text, other.scope, other.pid)
            && self.id.matches(&other.id)
    }
}
