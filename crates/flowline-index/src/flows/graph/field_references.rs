//! Flow field references: the flow ids in the fields of markers, read from the payloads in place.
//!
//! A field contains one id or a list of ids. One pass over a thread's markers collects its references and the parents
//! of its flow markers. Ids are not decoded: a reference points to the string token of its id in the input.

use std::hash::BuildHasher;
use std::ops::Range;

use foldhash::fast::FixedState;
use foldhash::{HashMap, HashSet};
use rayon::prelude::*;

use super::context::ParentFinder;
use crate::flows::ids::IdPositions;
use flowline_json::{Cursor, JsonError, KeyPredictor, Kind, RawString, fast_path};
use flowline_profile::{
    Attributes, Begins, LocalMarker, MarkerId, PayloadRef, Profile, Schema, Thread, ThreadId, TypeId, WarningKind,
    Warnings,
};

/// The flow fields of a payload type, in schema order.
#[derive(Clone, Debug, Default)]
pub(crate) struct FlowFields {
    /// Key, and true if the field terminates flows.
    fields: Vec<(String, bool)>,
    /// Number of each field by key; used for more than [`FEW_FIELDS`] fields.
    by_key: HashMap<String, u32>,
    /// First bytes of each key as a word.
    words: Vec<u64>,
}

/// Maximum number of fields for linear search; more fields are looked up in a map.
const FEW_FIELDS: usize = 6;

impl FlowFields {
    fn from_schema(schema: &Schema) -> Self {
        let mut fields = Self::default();
        for field in schema.flow_fields() {
            let terminating = field.format.is_terminating_flow();
            match fields.by_key.get(&field.key) {
                // A key that the schema lists twice is one field. It terminates if either entry does.
                Some(number) => fields.fields[*number as usize].1 |= terminating,
                None => {
                    fields.by_key.insert(field.key.clone(), u32::try_from(fields.fields.len()).unwrap_or(u32::MAX));
                    fields.fields.push((field.key.clone(), terminating));
                    fields.words.push(fast_path::key_word(field.key.as_bytes()));
                }
            }
        }
        fields
    }

    /// True if there are no flow fields.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }

    fn number(&self, key: RawString<'_>) -> Option<u32> {
        if memchr::memchr(b'\\', key.bytes).is_some() {
            return self.by_key.get(&key.decode()).copied();
        }
        if self.fields.len() > FEW_FIELDS {
            return self.by_key.get(std::str::from_utf8(key.bytes).ok()?).copied();
        }
        (0_u32..).zip(&self.fields).find(|(_, (known, _))| known.as_bytes() == key.bytes).map(|(number, _)| number)
    }
}

/// Key predictor for the payloads of a type; each key has the number of its flow field.
type FieldKeys = KeyPredictor<Option<u32>>;

/// The flow fields of every payload type.
pub(crate) fn flow_fields(profile: &Profile) -> Vec<FlowFields> {
    profile
        .types
        .iter()
        .map(|(_, kind)| kind.schema.as_ref().map(FlowFields::from_schema).unwrap_or_default())
        .collect()
}

/// A reference to a flow id from one field of one marker.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FlowReference {
    pub(crate) marker: LocalMarker,
    /// Position of the id in the thread's list.
    pub(crate) id: u32,
    /// Position among the marker's references, which are in the order of its type's flow fields.
    pub(crate) order: u32,
    pub(crate) terminating: bool,
}

/// The flow field references of a thread.
#[derive(Debug, Default)]
pub(crate) struct ThreadReferences {
    /// By marker, then by field.
    pub(crate) field_references: Vec<FlowReference>,
    /// The referenced ids; an id may be listed more than once.
    pub(crate) ids: Vec<IdToken>,
    /// Child and parent of every flow marker that has a parent, ascending by child.
    pub(crate) links: Vec<[MarkerId; 2]>,
    pub(crate) warnings: Warnings,
}

/// An id: the hash of its text and the byte offset of its string token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, bytemuck::Zeroable)]
pub(crate) struct IdToken {
    pub(crate) hash: u64,
    pub(crate) offset: u64,
}

/// The value of a flow field.
#[derive(Clone, Copy, Debug)]
enum FieldValue {
    Null,
    /// Index into the thread's string table.
    Index(u64),
    /// Byte offset of a string token.
    Text(u64),
    WrongType,
}

/// The content of a flow field.
#[derive(Clone, Debug)]
enum FieldContent {
    One(FieldValue),
    /// A range of [`Reader::items`].
    List(Range<usize>),
}

/// Hash of an id's text.
#[inline]
pub(crate) fn hash(text: &[u8]) -> u64 {
    FixedState::default().hash_one(text)
}

/// Hash of the decoded text of a string token.
#[inline]
fn hash_token(raw: RawString<'_>) -> u64 {
    let plain = raw.bytes.is_ascii() && memchr::memchr(b'\\', raw.bytes).is_none();
    if plain { hash(raw.bytes) } else { hash(raw.decode().as_bytes()) }
}

/// Minimum number of markers per part. Each part has its own list of ids, so small parts duplicate ids.
const PART: usize = 1 << 17;

/// Reads the flow fields of a thread's markers. A large thread is read in parts on all cores.
#[inline]
pub(crate) fn read(profile: &Profile, id: ThreadId, fields: &[FlowFields]) -> ThreadReferences {
    let part = profile.thread(id).markers.len().div_ceil(2 * rayon::current_num_threads());
    read_in_parts(profile, id, fields, part.max(PART))
}

/// Like [`read`], with `part` markers per part.
fn read_in_parts(profile: &Profile, id: ThreadId, fields: &[FlowFields], part: usize) -> ThreadReferences {
    let count = profile.thread(id).markers.len();
    let first = (0..count.div_ceil(part)).into_par_iter().with_max_len(1);
    let read = |number: usize| {
        read_part(profile, id, fields, number * part..count.min(number.saturating_add(1).saturating_mul(part)))
    };
    let parts: Vec<ThreadReferences> = first.map(read).collect();
    let mut parts = parts.into_iter();
    let mut all = parts.next().unwrap_or_default();
    for part in parts {
        let listed = u32::try_from(all.ids.len()).unwrap_or(u32::MAX);
        let reference =
            |reference: FlowReference| FlowReference { id: reference.id.saturating_add(listed), ..reference };
        all.field_references.extend(part.field_references.into_iter().map(reference));
        all.ids.extend(part.ids);
        all.warnings.merge(part.warnings);
    }
    let (thread, mut parents) = (profile.thread(id), ParentFinder::default());
    for marker in
        all.field_references.chunk_by(|a, b| a.marker == b.marker).map(|field_references| field_references[0].marker)
    {
        parents.add(thread.global(marker), thread.markers.range(marker), thread.markers.flags(marker));
    }
    all.links = parents.finish();
    all
}

/// Reads the flow fields of some markers of a thread.
fn read_part(profile: &Profile, id: ThreadId, fields: &[FlowFields], markers: Range<usize>) -> ThreadReferences {
    let thread = profile.thread(id);
    let mut reader = Reader {
        profile,
        id,
        thread,
        begins: thread.markers.start_payloads(),
        by_index: IdPositions::default(),
        found: Vec::new(),
        items: Vec::new(),
        out: ThreadReferences::default(),
    };
    let mut keys: Vec<Option<FieldKeys>> = Vec::new();
    keys.resize_with(fields.len(), || None);
    let attributes = thread.markers.attributes();
    let with_fields = |own: &Attributes| {
        let kind = own.kind().map(TypeId::index)?;
        Some((kind, fields.get(kind).filter(|fields| !fields.is_empty())?))
    };
    let wanted: Vec<Option<(usize, &FlowFields)>> = attributes.items().iter().map(with_fields).collect();
    for marker in markers {
        if let Some((kind, fields)) = wanted[attributes.number(marker)] {
            reader.marker(LocalMarker::new(marker), fields, keys[kind].get_or_insert_default());
        }
    }
    reader.out
}

struct Reader<'a> {
    profile: &'a Profile,
    id: ThreadId,
    thread: &'a Thread,
    begins: Begins<'a>,
    /// Listed ids, by index into the thread's string table.
    by_index: IdPositions,
    /// Contents of the current marker's fields, with field numbers.
    found: Vec<(u32, FieldContent)>,
    /// The ids of the current marker's lists.
    items: Vec<FieldValue>,
    out: ThreadReferences,
}

impl Reader<'_> {
    fn marker(&mut self, marker: LocalMarker, fields: &FlowFields, keys: &mut FieldKeys) {
        self.found.clear();
        self.items.clear();
        // Later values win: the last of a repeated key, and the end's payload over the start's.
        if let Some(start) = self.begins.of(marker) {
            self.scan(start, fields, keys);
        }
        self.scan(self.thread.markers.payload(marker), fields, keys);
        self.found.sort_by_key(|(number, _)| *number);
        let before = self.out.field_references.len();
        for at in 0..self.found.len() {
            let (number, found) = self.found[at].clone();
            if self.found.get(at + 1).is_some_and(|(next, _)| *next == number) {
                continue;
            }
            let (key, terminating) = &fields.fields[number as usize];
            let reference = |id, reader: &mut Self| {
                let order = u32::try_from(reader.out.field_references.len() - before).unwrap_or(u32::MAX);
                reader.out.field_references.push(FlowReference { marker, id, order, terminating: *terminating });
            };
            match found {
                FieldContent::One(found) => {
                    self.listed(found, marker, key).into_iter().for_each(|id| reference(id, self));
                }
                FieldContent::List(items) => {
                    // A repeated id in a list counts once.
                    let mut seen: HashSet<u64> = HashSet::default();
                    for item in items {
                        let Some(id) = self.listed(self.items[item], marker, key) else { continue };
                        if seen.insert(self.out.ids[id as usize].hash) {
                            reference(id, self);
                        }
                    }
                }
            }
        }
    }

    /// Reads the flow fields of a payload. Malformed JSON ends the scan; the fields before it count.
    fn scan(&mut self, place: PayloadRef, fields: &FlowFields, keys: &mut FieldKeys) {
        let before = self.found.len();
        if !self.profile.source.holds_events()
            && let Some(offset) = place.offset()
        {
            if self.scan_plain(offset, fields, keys).is_some() {
                return;
            }
            self.found.truncate(before);
        }
        let source = &self.profile.source;
        let _damaged = source.with_payload(place, |cursor| self.scan_object(cursor, fields));
    }

    /// The fast path for plain payloads.
    fn scan_plain(&mut self, start: usize, fields: &FlowFields, keys: &mut FieldKeys) -> Option<usize> {
        if fields.fields.len() > FEW_FIELDS {
            return None;
        }
        let text = self.profile.source.bytes();
        let field = |word, key| {
            let is_key = |(number, (name, _)): &(u32, &(String, bool))| {
                fast_path::is_key(text, key, word, name.as_bytes(), fields.words[*number as usize])
            };
            (0..).zip(&fields.fields).find(is_key).map(|(number, _)| number)
        };
        let found = &mut self.found;
        keys.members(text, start, field, |number, value| {
            let Some(number) = number else { return fast_path::value_end(text, value) };
            let (raw, end) = fast_path::scalar(text, value)?;
            let id = if text[value] == b'"' {
                FieldValue::Text(value as u64)
            } else {
                let index = std::str::from_utf8(raw).ok().and_then(|text| text.parse().ok());
                index.map_or(FieldValue::WrongType, FieldValue::Index)
            };
            found.push((number, FieldContent::One(id)));
            Some(end)
        })
    }

    fn scan_object(&mut self, cursor: &mut Cursor<'_>, fields: &FlowFields) -> Result<(), JsonError> {
        cursor.enter_object()?;
        while let Some(key) = cursor.next_key()? {
            match fields.number(key) {
                Some(number) => {
                    let first = self.items.len();
                    let found = if cursor.peek()? == Kind::Array {
                        cursor.enter_array()?;
                        while cursor.next_element()? {
                            self.items.push(value(cursor)?);
                        }
                        FieldContent::List(first..self.items.len())
                    } else {
                        FieldContent::One(value(cursor)?)
                    };
                    self.found.push((number, found));
                }
                None => cursor.skip_value()?,
            }
        }
        Ok(())
    }

    /// Position of a field's id in the list; adds the id if it is new and a warning if the value is invalid.
    fn listed(&mut self, found: FieldValue, marker: LocalMarker, key: &str) -> Option<u32> {
        let text = self.profile.source.bytes();
        let place = |kind, reader: &mut Self| {
            let (thread, number) = (reader.id.0, reader.thread.global(marker).0);
            reader.out.warnings.add(kind, || format!("thread {thread}, marker {number}, flow field {key}"));
            None
        };
        match found {
            FieldValue::Null => None,
            FieldValue::WrongType => place(WarningKind::WrongType, self),
            FieldValue::Text(offset) => {
                let raw = Cursor::at(text, usize::try_from(offset).ok()?).string().ok()?;
                Some(self.push(IdToken { hash: hash_token(raw), offset }))
            }
            FieldValue::Index(index) => {
                if let Some(id) = self.by_index.get(index) {
                    return Some(id);
                }
                let offset = self.thread.strings.offset(index);
                let raw = offset.and_then(|offset| {
                    Cursor::at(text, usize::try_from(offset).ok()?).string().ok().map(|raw| (offset, raw))
                });
                let Some((offset, raw)) = raw else { return place(WarningKind::IndexOutOfRange, self) };
                let id = self.push(IdToken { hash: hash_token(raw), offset });
                self.by_index.insert(index, id);
                Some(id)
            }
        }
    }

    #[inline]
    fn push(&mut self, id: IdToken) -> u32 {
        let number = u32::try_from(self.out.ids.len()).unwrap_or(u32::MAX);
        self.out.ids.push(id);
        number
    }
}

/// Reads an id.
fn value(cursor: &mut Cursor<'_>) -> Result<FieldValue, JsonError> {
    Ok(match cursor.peek()? {
        Kind::Null => {
            cursor.skip_value()?;
            FieldValue::Null
        }
        Kind::String => {
            let offset = cursor.offset() as u64;
            cursor.string()?;
            FieldValue::Text(offset)
        }
        Kind::Number => {
            let index = std::str::from_utf8(cursor.scalar()?).ok().and_then(|text| text.parse().ok());
            index.map_or(FieldValue::WrongType, FieldValue::Index)
        }
        _ => {
            cursor.skip_value()?;
            FieldValue::WrongType
        }
    })
}

#[cfg(test)]
mod tests;
