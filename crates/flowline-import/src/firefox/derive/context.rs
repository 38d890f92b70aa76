//! The inputs of the derivation of one thread.

use super::ipc::Messages;
use super::rules::PayloadTypeInfo;
use crate::firefox::threads::raw_thread::RawThread;
use crate::firefox::threads::sentinels::{NO_TIME, NO_TYPE};
use flowline_profile::payload::decode;
use flowline_profile::{
    CategoryId, Marker, MarkerFlags, Ns, PayloadRef, Source, StringId, StringTable, TimeRange, TypeId, Value,
};

/// The inputs of the derivation of one thread.
pub(in crate::firefox) struct ThreadContext<'a> {
    pub(in crate::firefox) raw: &'a RawThread,
    pub(in crate::firefox) kinds: &'a [PayloadTypeInfo],
    pub(in crate::firefox) range: TimeRange,
    pub(in crate::firefox) source: &'a Source,
    pub(in crate::firefox) strings: &'a StringTable,
    /// The messages of all threads.
    pub(in crate::firefox) messages: &'a Messages,
    /// The thread's index.
    pub(in crate::firefox) index: usize,
    /// Number of categories its process has.
    pub(in crate::firefox) categories: usize,
    /// True if [`super::Derived::rows`] is requested.
    pub(in crate::firefox) wants_rows: bool,
}

impl ThreadContext<'_> {
    pub(super) fn kind(&self, row: usize) -> Option<&PayloadTypeInfo> {
        self.kinds.get(usize::from(self.raw.markers.kind[row]))
    }

    pub(super) fn payload(&self, row: usize) -> PayloadRef {
        PayloadRef(self.raw.markers.payload[row])
    }

    pub(super) fn payload_value(&self, row: usize) -> Value {
        decode(self.source, self.payload(row))
    }

    /// True if the category of a row is out of range. Without any categories, zero is valid.
    pub(super) fn has_unknown_category(&self, row: usize) -> bool {
        let category = self.raw.markers.category[row] as usize;
        category >= self.categories.max(1)
    }

    pub(super) fn start(&self, row: usize) -> Option<Ns> {
        Self::valid(self.raw.markers.start[row], self.raw.shift)
    }

    pub(super) fn end(&self, row: usize) -> Option<Ns> {
        Self::valid(self.raw.markers.end[row], self.raw.shift)
    }

    fn valid(time: Ns, shift: Ns) -> Option<Ns> {
        (time != NO_TIME).then(|| time + shift)
    }

    /// The marker of a row with these times and flags, without a supplement.
    pub(super) fn marker(&self, row: usize, name: StringId, start: Ns, end: Ns, flags: MarkerFlags) -> Marker {
        let kind = self.raw.markers.kind[row];
        let stack_based = !flags.has(MarkerFlags::INSTANT) && self.kind(row).is_some_and(|kind| kind.is_stack_based);
        Marker {
            start,
            end,
            name,
            category: CategoryId(self.raw.markers.category[row]),
            kind: (kind != NO_TYPE).then_some(TypeId(u32::from(kind))),
            flags: if stack_based { flags.with(MarkerFlags::STACK_BASED) } else { flags },
            payload: self.payload(row),
            begin: PayloadRef::NONE,
            supplement: None,
        }
    }
}
