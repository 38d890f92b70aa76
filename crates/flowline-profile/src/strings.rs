//! Interned strings, and the recording's own string tables.
//!
//! Names and types are interned once per recording ([`Strings`]). A recording's own string tables are much larger
//! (function names, URLs, flow ids), so they are stored as byte offsets and decoded on demand ([`StringTable`]): 8
//! bytes per string.

use std::hash::BuildHasher as _;
use std::sync::OnceLock;

use foldhash::fast::FixedState;
use hashbrown::HashTable;

use crate::Column;
use crate::StringId;
use crate::persist::persist;

/// All interned strings of a recording in one buffer.
#[derive(Clone, Debug, Default)]
pub struct Strings {
    text: String,
    /// End of each string in `text`.
    ends: Column<u64>,
    /// Ids by hash of the text. Built on first use, because restored strings are rarely searched.
    lookup: OnceLock<HashTable<u32>>,
}
persist!(Strings { text, ends; lookup });

/// Hash of a text.
fn hash(text: &str) -> u64 {
    FixedState::default().hash_one(text)
}

impl Strings {
    /// The id of `text`, which is interned if it is new.
    pub fn intern(&mut self, text: &str) -> StringId {
        let hash = hash(text);
        if let Some(id) = self.find_hashed(text, hash) {
            return id;
        }
        let id = self.push(text);
        let mut lookup = self.lookup.take().unwrap_or_default();
        lookup.insert_unique(hash, id.0, |id| self.hash_of(StringId(*id)));
        self.lookup = OnceLock::from(lookup);
        id
    }

    fn hash_of(&self, id: StringId) -> u64 {
        hash(self.get(id))
    }

    /// Adds a text that is known to be new. The caller manages the numbers: do not combine this with
    /// [`Strings::intern`].
    pub(super) fn push(&mut self, text: &str) -> StringId {
        let id = StringId::new(self.ends.len());
        self.text.push_str(text);
        self.ends.push(self.text.len() as u64);
        id
    }

    /// The id of `text`, if it is interned.
    #[must_use]
    #[inline]
    pub fn find(&self, text: &str) -> Option<StringId> {
        self.find_hashed(text, hash(text))
    }

    fn find_hashed(&self, text: &str, hash: u64) -> Option<StringId> {
        let lookup = self.lookup.get_or_init(|| {
            let mut lookup = HashTable::with_capacity(self.len());
            for (id, _) in self.iter() {
                lookup.insert_unique(self.hash_of(id), id.0, |id| self.hash_of(StringId(*id)));
            }
            lookup
        });
        lookup.find(hash, |id| self.get(StringId(*id)) == text).copied().map(StringId)
    }

    /// The text of an id; empty if the id is out of range.
    #[must_use]
    #[inline]
    pub fn get(&self, id: StringId) -> &str {
        let Some(&end) = self.ends.get(id.index()) else { return "" };
        let start = id.index().checked_sub(1).map_or(0, |before| self.ends[before]);
        let place = usize::try_from(start).ok().zip(usize::try_from(end).ok());
        place.and_then(|(start, end)| self.text.get(start..end)).unwrap_or_default()
    }

    /// Number of distinct strings.
    #[must_use]
    #[inline]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// True if there are no strings.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// All strings in the order of their ids.
    #[inline]
    pub fn iter(&self) -> impl Iterator<Item = (StringId, &str)> {
        (0..self.len()).map(|index| (StringId::new(index), self.get(StringId::new(index))))
    }

    /// Size of the heap memory in bytes.
    #[must_use]
    #[inline]
    pub fn bytes(&self) -> usize {
        self.text.capacity() + self.ends.heap_bytes() + self.lookup.get().map_or(0, HashTable::allocation_size)
    }
}

/// One of the recording's own string tables: the byte offset of each string's opening quote.
#[derive(Clone, Debug, Default)]
pub struct StringTable {
    offsets: Column<u64>,
}
persist!(StringTable { offsets });

impl StringTable {
    /// A table of the string tokens at these byte offsets.
    #[must_use]
    #[inline]
    pub fn new(offsets: Vec<u64>) -> Self {
        Self { offsets: offsets.into() }
    }

    /// The offsets that the table was built from.
    #[must_use]
    #[inline]
    pub fn into_offsets(mut self) -> Vec<u64> {
        std::mem::take(self.offsets.make_mut())
    }

    /// Number of strings.
    #[must_use]
    #[inline]
    pub fn len(&self) -> usize {
        self.offsets.len()
    }

    /// True if the table is empty.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.offsets.is_empty()
    }

    /// The string at `index`, decoded from `text`; `None` if the index is out of range.
    #[must_use]
    #[inline]
    pub fn get(&self, text: &[u8], index: u64) -> Option<String> {
        let offset = *self.offsets.get(usize::try_from(index).ok()?)?;
        flowline_json::decode_string(text, usize::try_from(offset).ok()?)
    }

    /// The byte offset of the string token at `index`; `None` if the index is out of range.
    #[must_use]
    #[inline]
    pub fn offset(&self, index: u64) -> Option<u64> {
        self.offsets.get(usize::try_from(index).ok()?).copied()
    }

    /// True if the strings are in the input in the order of their indexes.
    #[must_use]
    #[inline]
    pub fn is_ascending(&self) -> bool {
        self.offsets.is_sorted()
    }

    /// True if there is a string at `index`; only checks its opening quote.
    #[must_use]
    #[inline]
    pub fn holds(&self, text: &[u8], index: u64) -> bool {
        let offset = usize::try_from(index).ok().and_then(|index| self.offsets.get(index));
        offset.and_then(|&offset| text.get(usize::try_from(offset).ok()?)) == Some(&b'"')
    }

    /// The bytes between the quotes of the string at `index`, with escapes unresolved.
    #[must_use]
    #[inline]
    pub fn raw<'a>(&self, text: &'a [u8], index: u64) -> Option<&'a [u8]> {
        let offset = *self.offsets.get(usize::try_from(index).ok()?)?;
        flowline_json::Cursor::at(text, usize::try_from(offset).ok()?).string().ok().map(|raw| raw.bytes)
    }

    /// Size of the heap memory in bytes.
    #[must_use]
    #[inline]
    pub fn bytes(&self) -> usize {
        self.offsets.heap_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interning_assigns_each_text_one_id() {
        let mut strings = Strings::default();
        let (a, b) = (strings.intern("a"), strings.intern("b"));
        assert_ne!(a, b);
        assert_eq!(strings.intern("a"), a);
        assert_eq!((strings.get(a), strings.get(b), strings.get(StringId(9))), ("a", "b", ""));
        assert_eq!(strings.find("b"), Some(b));
    }

    #[test]
    fn tables_decode_on_demand() {
        let text = br#"["x\ty","z"]"#;
        let table = StringTable::new(vec![1, 8]);
        assert_eq!(table.get(text, 0).as_deref(), Some("x\ty"));
        assert_eq!(table.get(text, 1).as_deref(), Some("z"));
        assert_eq!(table.get(text, 2), None);
    }
}
