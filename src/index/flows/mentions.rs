//! Mentions: which marker names which flow id in which field, read from the payloads in place.
//!
//! One pass over a thread's markers gives its mentions and the context of its flow markers. Ids are not decoded: a
//! mention points to its id's string token in the input.

use std::collections::HashMap;
use std::hash::Hasher;

use crate::profile::json::{Cursor, JsonError, Kind, RawString};
use crate::profile::payload::Supplement;
use crate::profile::{
    LocalMarker, MarkerFlags, MarkerId, Ns, PayloadRef, Profile, Thread, ThreadId, WarningKind, Warnings,
};

/// A flow field of a payload type.
#[derive(Clone, Debug)]
pub(super) struct FlowField {
    key: String,
    terminating: bool,
}

/// The flow fields of every payload type, in schema order; empty for types without any.
pub(super) fn flow_fields(profile: &Profile) -> Vec<Vec<FlowField>> {
    let fields = |schema: &crate::profile::Schema| {
        let field = |field: &crate::profile::Field| FlowField {
            key: field.key.clone(),
            terminating: field.format.is_terminating_flow(),
        };
        schema.flow_fields().map(field).collect()
    };
    profile.types.iter().map(|(_, kind)| kind.schema.as_ref().map(fields).unwrap_or_default()).collect()
}

/// One flow field of one marker that names an id.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mention {
    pub(super) marker: LocalMarker,
    /// Number of the id in the thread's list.
    pub(super) id: u32,
    /// Position among the marker's flow fields.
    pub(super) field: u16,
    pub(super) terminating: bool,
}

/// What a thread says of flows.
#[derive(Debug, Default)]
pub(super) struct ThreadMentions {
    /// In the order of the walk within a thread: by marker, then by field.
    pub(super) mentions: Vec<Mention>,
    /// Hash and place of the ids mentioned; an id may stand there more than once.
    pub(super) ids: Vec<IdPlace>,
    /// Child and parent of every flow marker that has a parent, ascending by child.
    pub(super) links: Vec<(MarkerId, MarkerId)>,
    pub(super) warnings: Warnings,
}

/// An id by its text's hash, and the byte offset of its string token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct IdPlace {
    pub(super) hash: u64,
    pub(super) offset: u64,
}

/// What a flow field holds.
#[derive(Clone, Copy, Debug, Default)]
enum Found {
    /// The key is not there.
    #[default]
    Absent,
    Null,
    /// Index into the thread's string table.
    Index(u64),
    /// Byte offset of a string token.
    Text(u64),
    WrongType,
}

/// Hash of an id's text.
pub(super) fn hash(text: &[u8]) -> u64 {
    let mut hasher = std::hash::DefaultHasher::new();
    hasher.write(text);
    hasher.finish()
}

/// Hash of a string token's text.
fn hash_token(raw: RawString<'_>) -> u64 {
    if memchr::memchr(b'\\', raw.bytes).is_some() { hash(raw.decode().as_bytes()) } else { hash(raw.bytes) }
}

/// Reads the flow fields of a thread's markers.
pub(super) fn read(profile: &Profile, id: ThreadId, fields: &[Vec<FlowField>]) -> ThreadMentions {
    let thread = profile.thread(id);
    let mut reader = Reader {
        profile,
        id,
        thread,
        by_index: HashMap::new(),
        open: Vec::new(),
        found: Vec::new(),
        out: ThreadMentions::default(),
    };
    for marker in (0..thread.markers.len()).map(LocalMarker::new) {
        let kind = thread.markers.kind(marker);
        let fields = kind.and_then(|kind| fields.get(kind.index())).map_or(&[][..], Vec::as_slice);
        if !fields.is_empty() {
            reader.marker(marker, fields);
        }
    }
    reader.out
}

struct Reader<'a> {
    profile: &'a Profile,
    id: ThreadId,
    thread: &'a Thread,
    /// Ids already listed, by index into the thread's string table.
    by_index: HashMap<u64, u32>,
    /// Stack-based interval flow markers that are open, innermost last: end and marker.
    open: Vec<(Ns, MarkerId)>,
    /// What the fields of the marker at hand hold.
    found: Vec<Found>,
    out: ThreadMentions,
}

impl Reader<'_> {
    fn marker(&mut self, marker: LocalMarker, fields: &[FlowField]) {
        self.found.clear();
        self.found.resize(fields.len(), Found::Absent);
        self.scan(self.thread.markers.payload[marker.index()], fields);
        if let Some(Supplement::Start(start)) = self.thread.markers.supplement(marker) {
            // The end's payload has been read; the start's fills in the keys that it lacks.
            self.scan(*start, fields);
        }
        let before = self.out.mentions.len();
        for (number, field) in fields.iter().enumerate() {
            let Some(id) = self.listed(self.found[number], marker, &field.key) else { continue };
            self.out.mentions.push(Mention {
                marker,
                id,
                field: u16::try_from(number).unwrap_or(u16::MAX),
                terminating: field.terminating,
            });
        }
        if self.out.mentions.len() > before {
            self.context(marker);
        }
    }

    /// Notes the parent of a flow marker: the innermost stack-based interval flow marker open at its start.
    fn context(&mut self, marker: LocalMarker) {
        let markers = &self.thread.markers;
        let (start, global) = (markers.start[marker.index()], self.thread.global(marker));
        while self.open.pop_if(|(end, _)| *end < start).is_some() {}
        if let Some((_, parent)) = self.open.last() {
            self.out.links.push((global, *parent));
        }
        let flags = markers.flags[marker.index()];
        if flags.has(MarkerFlags::STACK_BASED) && !flags.has(MarkerFlags::INSTANT) {
            self.open.push((markers.end[marker.index()], global));
        }
    }

    /// Looks for the fields that are still absent. Damage inside a payload ends the scan: what stands before it counts.
    fn scan(&mut self, place: PayloadRef, fields: &[FlowField]) {
        let Some(offset) = place.offset() else { return };
        let missing: Vec<bool> = self.found.iter().map(|found| matches!(found, Found::Absent)).collect();
        let _damaged = self.scan_object(&mut Cursor::at(self.profile.source.bytes(), offset), fields, &missing);
    }

    fn scan_object(
        &mut self,
        cursor: &mut Cursor<'_>,
        fields: &[FlowField],
        missing: &[bool],
    ) -> Result<(), JsonError> {
        cursor.enter_object()?;
        while let Some(key) = cursor.next_key()? {
            let is_key = |field: &FlowField| {
                field.key.as_bytes() == key.bytes
                    || (memchr::memchr(b'\\', key.bytes).is_some() && field.key == key.decode())
            };
            match fields.iter().position(is_key).filter(|number| missing[*number]) {
                // A repeated key: the last one counts, as everywhere.
                Some(number) => self.found[number] = value(cursor)?,
                None => cursor.skip_value()?,
            }
        }
        Ok(())
    }

    /// The number of the id that a field names, listed now if it is new; bad ones are counted as warnings.
    fn listed(&mut self, found: Found, marker: LocalMarker, key: &str) -> Option<u32> {
        let text = self.profile.source.bytes();
        let place = |kind, reader: &mut Self| {
            let (thread, number) = (reader.id.0, reader.thread.global(marker).0);
            reader.out.warnings.add(kind, || format!("thread {thread}, marker {number}, flow field {key}"));
            None
        };
        match found {
            Found::Absent | Found::Null => None,
            Found::WrongType => place(WarningKind::WrongType, self),
            Found::Text(offset) => {
                let raw = Cursor::at(text, usize::try_from(offset).ok()?).string().ok()?;
                Some(self.push(IdPlace { hash: hash_token(raw), offset }))
            }
            Found::Index(index) => {
                if let Some(&id) = self.by_index.get(&index) {
                    return Some(id);
                }
                let offset = self.thread.strings.offset(index);
                let raw = offset.and_then(|offset| {
                    Cursor::at(text, usize::try_from(offset).ok()?).string().ok().map(|raw| (offset, raw))
                });
                let Some((offset, raw)) = raw else { return place(WarningKind::IndexOutOfRange, self) };
                let id = self.push(IdPlace { hash: hash_token(raw), offset });
                self.by_index.insert(index, id);
                Some(id)
            }
        }
    }

    fn push(&mut self, id: IdPlace) -> u32 {
        let number = u32::try_from(self.out.ids.len()).unwrap_or(u32::MAX);
        self.out.ids.push(id);
        number
    }
}

/// Reads a flow field's value.
fn value(cursor: &mut Cursor<'_>) -> Result<Found, JsonError> {
    Ok(match cursor.peek()? {
        Kind::Null => {
            cursor.skip_value()?;
            Found::Null
        }
        Kind::String => {
            let offset = cursor.offset() as u64;
            cursor.string()?;
            Found::Text(offset)
        }
        Kind::Number => {
            let index = std::str::from_utf8(cursor.scalar()?).ok().and_then(|text| text.parse().ok());
            index.map_or(Found::WrongType, Found::Index)
        }
        _ => {
            cursor.skip_value()?;
            Found::WrongType
        }
    })
}
