//! The string table of one thread.
//!
//! Firefox has a string table for each thread, and a profile may contain it after the markers. Strings are therefore
//! numbered as they occur, and the table is written last; until then, a flow id uses eight bytes.

use crate::json::Output;
use crate::plan::Hop;
use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{self, Write};

/// The string table of a thread while it is being written.
#[derive(Debug, Default)]
pub(super) struct Strings {
    /// Indexes into `names`, or flow ids, which have their highest bit set.
    entries: Vec<u64>,
    names: Vec<Cow<'static, str>>,
    index_of_name: HashMap<Cow<'static, str>, usize>,
    /// The few ids that occur throughout the recording.
    lasting: HashMap<u64, usize>,
    /// Ids of the last few steps; `older` is cleared when a generation ends.
    recent: HashMap<u64, usize>,
    older: HashMap<u64, usize>,
}

impl Strings {
    pub(super) fn name(&mut self, name: &'static str) -> u64 {
        self.add(Cow::Borrowed(name))
    }

    /// Returns the index of a text that only stacks use; there are few.
    pub(super) fn text(&mut self, text: String) -> u64 {
        self.add(Cow::Owned(text))
    }

    fn add(&mut self, name: Cow<'static, str>) -> u64 {
        if let Some(&index) = self.index_of_name.get(&name) {
            return index as u64;
        }
        let index = self.entries.len();
        self.entries.push(self.names.len() as u64);
        self.names.push(name.clone());
        self.index_of_name.insert(name, index);
        index as u64
    }

    pub(super) fn flow(&mut self, hop: &Hop) -> u64 {
        let known = if hop.lasting {
            self.lasting.get(&hop.id)
        } else {
            self.recent.get(&hop.id).or_else(|| self.older.get(&hop.id))
        };
        if let Some(&index) = known {
            return index as u64;
        }
        let index = self.entries.len();
        self.entries.push(hop.id);
        let map = if hop.lasting { &mut self.lasting } else { &mut self.recent };
        map.insert(hop.id, index);
        index as u64
    }

    /// Forgets brief flows from before the last call. Call this at most once in as many steps as a flow has hops.
    pub(super) fn age(&mut self) {
        std::mem::swap(&mut self.older, &mut self.recent);
        self.recent.clear();
    }

    /// Returns the number of flow ids in the maps.
    #[cfg(test)]
    pub(super) fn remembered(&self) -> usize {
        self.lasting.len() + self.recent.len() + self.older.len()
    }

    /// Writes the table; checks for errors regularly.
    pub(super) fn write<W: Write>(&self, output: &mut Output<W>) -> io::Result<()> {
        output.raw("[");
        for (position, &entry) in self.entries.iter().enumerate() {
            if position > 0 {
                output.raw(",");
            }
            match usize::try_from(entry).ok().and_then(|index| self.names.get(index)) {
                Some(name) => output.text(name),
                None => output.flow_id(entry),
            };
            if position % 4_096 == 0 {
                output.check()?;
            }
        }
        output.raw("]");
        Ok(())
    }
}
