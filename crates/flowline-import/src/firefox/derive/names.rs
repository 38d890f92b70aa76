//! Names of derived markers.

use std::collections::HashMap;

use super::context::ThreadContext;
use crate::firefox::threads::sentinels::NONE;
use flowline_profile::StringId;

/// A name of a derived marker. Strings are decoded when threads are joined, once for all threads that share a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::firefox) enum NameRef {
    /// An index into the thread's string table.
    Table(u32),
    /// A built-in name.
    Builtin(&'static str),
}

/// The name of markers whose name index is out of range.
pub const UNKNOWN_NAME: &str = "(unknown)";

/// The names used in a thread, with dense ids, so that only used strings are decoded.
#[derive(Default)]
pub(super) struct Names {
    pub(super) list: Vec<NameRef>,
    /// Ids by index of the thread's string table, [`NONE`] for unused strings.
    pub(super) by_index: Vec<u32>,
    pub(super) by_text: HashMap<&'static str, StringId>,
}

impl Names {
    /// The id of the string at `index` of the thread's table, and true if that string exists.
    pub(super) fn intern_index(&mut self, context: &ThreadContext<'_>, index: u32) -> (StringId, bool) {
        match self.by_index.get(index as usize) {
            Some(&id) if id != NONE => return (StringId(id), true),
            Some(_) => {}
            None => return (self.intern_text(UNKNOWN_NAME), false),
        }
        if !context.strings.holds(context.source.bytes(), u64::from(index)) {
            return (self.intern_text(UNKNOWN_NAME), false);
        }
        let id = StringId::new(self.list.len());
        self.list.push(NameRef::Table(index));
        self.by_index[index as usize] = id.0;
        (id, true)
    }

    pub(super) fn intern_text(&mut self, text: &'static str) -> StringId {
        *self.by_text.entry(text).or_insert_with(|| {
            self.list.push(NameRef::Builtin(text));
            StringId::new(self.list.len() - 1)
        })
    }
}
