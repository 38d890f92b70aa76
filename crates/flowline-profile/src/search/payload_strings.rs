//! The strings of the string tables that payloads reference, by payload type.
//!
//! A payload of a Firefox profile references a string by its index. A search that finds text in a string table must
//! read the payloads of the types that reference this string. Usually there are none, because the strings of a table
//! are also marker names.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use foldhash::{HashMap, HashSet};

use crate::{ThreadId, TypeId};

/// The strings of a table that payloads of a type reference.
#[derive(Debug)]
pub(super) struct Named {
    /// One bit per string.
    bits: Vec<AtomicU64>,
    /// True if some payloads could not be read.
    pub(super) has_unknown: AtomicBool,
}

impl Named {
    pub(super) fn new(strings: usize) -> Self {
        let bits = (0..strings.div_ceil(64)).map(|_| AtomicU64::new(0)).collect();
        Self { bits, has_unknown: AtomicBool::new(false) }
    }

    pub(super) fn add(&self, string: u64) {
        let (word, bit) = (usize::try_from(string / 64), 1 << (string % 64));
        let word = word.ok().and_then(|word| self.bits.get(word));
        if let Some(word) = word.filter(|word| word.load(Ordering::Relaxed) & bit == 0) {
            word.fetch_or(bit, Ordering::Relaxed);
        }
    }

    fn holds(&self, string: u64) -> bool {
        let word = usize::try_from(string / 64).ok().and_then(|word| self.bits.get(word));
        word.is_some_and(|word| word.load(Ordering::Relaxed) >> (string % 64) & 1 == 1)
    }
}

/// The strings that payloads reference, excluding members with flow ids.
#[derive(Debug, Default)]
pub struct PayloadStrings {
    /// Number of the string table of each thread.
    pub(super) table_of: Vec<usize>,
    /// The referenced strings of each table, by payload type. Types that do not occur or have no such members are not
    /// listed.
    pub(super) tables: Vec<HashMap<TypeId, Named>>,
}

impl PayloadStrings {
    /// True if a payload of a type in a thread may reference one of these strings.
    #[must_use]
    #[inline]
    pub fn may_name(&self, thread: ThreadId, kind: TypeId, strings: &HashSet<u64>) -> bool {
        let table = self.table_of.get(thread.index()).and_then(|table| self.tables.get(*table));
        table.and_then(|table| table.get(&kind)).is_some_and(|named| {
            named.has_unknown.load(Ordering::Relaxed) || strings.iter().any(|string| named.holds(*string))
        })
    }
}
