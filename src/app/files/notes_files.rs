//! Notes files: small files to share, and those of [`super::notes_store`].
//!
//! A file identifies its recording by id, not by path. An entry is matched by its marker number if name and start
//! agree, otherwise by thread, name and start, so versions that number markers differently still find it.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs::File;
use std::path::Path;

use crate::app::output::OutputGuard;
use flowline_cache as cache;
use flowline_index::Index;
use flowline_index::modifications::{Modifications, key_of};
use flowline_json::{Cursor, decode_value};
use flowline_profile::notes::{Entry, EntryLocation, HiddenPart, Note, NoteKind};
use flowline_profile::{LocalMarker, MarkerId, Ns, Profile, StringId, ThreadId, TimeRange, Value};

/// Value of the first member of a notes file.
const FORMAT: &str = "flowline notes";
/// The version that is written, and the newest one that is read.
const VERSION: i64 = 1;
/// Maximum size in bytes of a notes file.
const MAX_BYTES: u64 = 64 << 20;

/// Identity of a recording, independent of its path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordingId(pub(super) String);

impl RecordingId {
    /// Returns the id of the recording in a file.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn of_file(path: &Path) -> std::io::Result<Self> {
        Ok(Self(cache::content_name(path)?))
    }
}

/// Notes read from a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReadNotes {
    /// The notes.
    pub notes: Vec<Note>,
    /// Messages about parts that could not be read as intended.
    pub problems: Vec<String>,
}

/// Writes notes to a file atomically.
///
/// # Errors
/// Errors of the file.
pub fn write_notes(
    guard: &OutputGuard,
    path: &Path,
    index: &Index,
    id: Option<&RecordingId>,
    notes: &[Note],
) -> std::io::Result<()> {
    let mut text = String::new();
    value_of(index.profile(), id, notes).to_json(&mut text);
    guard.write_file(path, |out| out.write_all(text.as_bytes()).map(Some)).map(|_| ())
}

/// Reads a notes file.
///
/// # Errors
/// A message if the file cannot be read, is damaged or was written by a newer version.
pub fn read_notes(path: &Path, index: &Index, id: Option<&RecordingId>) -> Result<ReadNotes, String> {
    let file = File::open(path).map_err(|error| error.to_string())?;
    let length = file.metadata().map_err(|error| error.to_string())?.len();
    if length > MAX_BYTES {
        return Err("the file is too large to be a notes file".into());
    }
    let mut text = Vec::new();
    std::io::Read::read_to_end(&mut std::io::Read::take(file, MAX_BYTES), &mut text)
        .map_err(|error| error.to_string())?;
    let value = decode_value(&mut Cursor::at(&text, 0)).map_err(|error| format!("the file is damaged: {error}"))?;
    if value.get("format").and_then(Value::as_str) != Some(FORMAT) {
        return Err("it is not a notes file".into());
    }
    if value.get("version").and_then(Value::as_i64).is_none_or(|version| version > VERSION) {
        return Err("it was written by a newer version of Flowline".into());
    }
    let Some(Value::List(items)) = value.get("notes") else {
        return Err("the file is damaged: no list of notes".into());
    };
    let mut read = ReadNotes::default();
    let recording = value.get("recording").and_then(Value::as_str);
    if let (Some(recording), Some(id)) = (recording, id)
        && recording != id.0
    {
        read.problems.push("the notes belong to another recording".into());
    }
    let mut found = Modifications::default();
    let finder = EntryFinder::new(index);
    for item in items {
        let text = item.get("text").and_then(Value::as_str).unwrap_or_default().to_owned();
        match kind_of(&finder, item) {
            Some(kind) => {
                found.unknown += kind.entries().filter(|entry| entry.place == EntryLocation::Unknown).count();
                found.notes.push(Note { kind, text });
            }
            None => found.damaged += 1,
        }
    }
    read.problems.extend(found.problems());
    read.notes = found.notes;
    Ok(read)
}

fn member(key: &str, value: Value) -> (String, Value) {
    (key.to_owned(), value)
}

fn value_of(profile: &Profile, id: Option<&RecordingId>, notes: &[Note]) -> Value {
    let mut members = vec![member("format", Value::String(FORMAT.into())), member("version", Value::Int(VERSION))];
    members.extend(id.map(|id| member("recording", Value::String(id.0.clone()))));
    members.push(member("notes", Value::List(notes.iter().map(|note| note_value(profile, note)).collect())));
    Value::Object(members)
}

fn note_value(profile: &Profile, note: &Note) -> Value {
    let mut members = vec![member("kind", Value::String(note.kind.name().into()))];
    if !note.text.is_empty() {
        members.push(member("text", Value::String(note.text.clone())));
    }
    match &note.kind {
        NoteKind::Label(entry)
        | NoteKind::Hidden(entry)
        | NoteKind::HiddenAround(entry, _)
        | NoteKind::Expandable(entry) => {
            members.push(member("entry", entry_value(profile, entry)));
        }
        NoteKind::Link(from, to) => {
            members.extend([member("from", entry_value(profile, from)), member("to", entry_value(profile, to))]);
        }
        NoteKind::Range(range) | NoteKind::Breadcrumb(range) => members.extend(times_members(*range)),
        NoteKind::Bookmark(time) => members.push(member("start_ns", Value::Int(time.0))),
    }
    Value::Object(members)
}

fn times_members(range: TimeRange) -> [(String, Value); 2] {
    [member("start_ns", Value::Int(range.start.0)), member("end_ns", Value::Int(range.end.0))]
}

fn entry_value(profile: &Profile, entry: &Entry) -> Value {
    let text = |text: &str| Value::String(text.to_owned());
    let mut members = Vec::new();
    if !entry.name.is_empty() {
        members.push(member("name", text(&entry.name)));
    }
    members.extend(entry.times.map(times_members).into_iter().flatten());
    members.extend(entry.key.as_ref().map(|key| member("key", text(key))));
    let thread = match entry.place {
        EntryLocation::Marker(marker) => {
            members.push(member("marker", Value::Int(marker.0.into())));
            profile.locate(marker).map(|(thread, local)| {
                members.push(member("marker_name", text(profile.marker_name(thread, local))));
                let start = profile.thread(thread).markers.start(local);
                members.push(member("marker_start_ns", Value::Int(start.0)));
                thread
            })
        }
        EntryLocation::Call(call) => {
            members.extend(key_of(profile, call).map(|key| member("call", text(&key))));
            Some(call.thread)
        }
        EntryLocation::Times | EntryLocation::Unknown => None,
    };
    if let Some(thread) = thread.map(|thread| (profile.process_of(thread), profile.thread(thread))) {
        members.extend([member("pid", text(&thread.0.pid)), member("tid", text(&thread.1.tid))]);
    }
    Value::Object(members)
}

fn time(value: &Value, key: &str) -> Option<Ns> {
    value.get(key).and_then(Value::as_i64).map(Ns).filter(|time| time.is_supported())
}

fn times(value: &Value) -> Option<TimeRange> {
    Some(TimeRange::new(time(value, "start_ns")?, time(value, "end_ns")?))
}

fn kind_of(finder: &EntryFinder<'_>, item: &Value) -> Option<NoteKind> {
    let entry = |key: &str| item.get(key).and_then(|entry| finder.entry(entry));
    Some(match item.get("kind")?.as_str()? {
        "label" => NoteKind::Label(entry("entry")?),
        "hidden" => NoteKind::Hidden(entry("entry")?),
        "hidden children" => NoteKind::HiddenAround(entry("entry")?, HiddenPart::Children),
        "hidden repeating" => NoteKind::HiddenAround(entry("entry")?, HiddenPart::Repeating),
        "hidden name" => NoteKind::HiddenAround(entry("entry")?, HiddenPart::Name),
        "expandable" => NoteKind::Expandable(entry("entry")?),
        "link" => NoteKind::Link(entry("from")?, entry("to")?),
        "range" => NoteKind::Range(times(item)?),
        "breadcrumb" => NoteKind::Breadcrumb(times(item)?),
        "bookmark" => NoteKind::Bookmark(time(item, "start_ns")?),
        _ => return None,
    })
}

/// Matches entries of a file with markers.
struct EntryFinder<'a> {
    index: &'a Index,
    /// Cache by start time: the first marker of each name on each thread. Thousands of notes may refer to one start
    /// time.
    at: RefCell<HashMap<Ns, FirstMarkers>>,
}

/// The first marker of each name on each thread, in thread order.
type FirstMarkers = HashMap<StringId, Vec<(ThreadId, MarkerId)>>;

impl<'a> EntryFinder<'a> {
    fn new(index: &'a Index) -> Self {
        Self { index, at: RefCell::default() }
    }

    /// Returns the markers that start at a time.
    fn starting_at(&self, start: Ns) -> FirstMarkers {
        let mut found = FirstMarkers::new();
        for (id, thread) in self.index.profile().threads_with_ids() {
            let times = thread.markers.times();
            let first = times.partition_point(|other| other < start);
            for local in (first..times.len()).take_while(|at| times.start(*at) == start).map(LocalMarker::new) {
                let markers = found.entry(thread.markers.name(local)).or_default();
                if markers.last().is_none_or(|(last, _)| *last != id) {
                    markers.push((id, thread.global(local)));
                }
            }
        }
        found
    }

    fn entry(&self, value: &Value) -> Option<Entry> {
        let Value::Object(_) = value else { return None };
        let text = |key: &str| value.get(key).and_then(Value::as_str);
        let named = Entry {
            place: EntryLocation::Unknown,
            name: text("name").unwrap_or_default().to_owned(),
            times: times(value),
            key: text("key").map(str::to_owned),
        };
        if let Some(number) = value.get("marker").and_then(Value::as_i64) {
            let place = self.marker(value, number).map_or(EntryLocation::Unknown, EntryLocation::Marker);
            return Some(Entry { place, ..named });
        }
        if let Some(call) = text("call") {
            let found = Modifications::entry_of_key(self.index, call);
            return Some(found.map_or(named.clone(), |found| Entry { key: named.key, ..found }));
        }
        let place = if named.times.is_some() { EntryLocation::Times } else { EntryLocation::Unknown };
        Some(Entry { place, ..named })
    }

    /// Returns the marker with the given number if name and start agree, otherwise the first marker with the same
    /// thread, name and start.
    fn marker(&self, value: &Value, number: i64) -> Option<MarkerId> {
        let profile = self.index.profile();
        let text = |key: &str| value.get(key).and_then(Value::as_str);
        let (name, start) = (text("marker_name")?, time(value, "marker_start_ns")?);
        let marker = u32::try_from(number).ok().map(MarkerId);
        let is_meant = |marker: &MarkerId| {
            profile.locate(*marker).is_some_and(|(thread, local)| {
                profile.marker_name(thread, local) == name && profile.thread(thread).markers.start(local) == start
            })
        };
        if let Some(marker) = marker.filter(is_meant) {
            return Some(marker);
        }
        let name = profile.strings.find(name)?;
        let mut at = self.at.borrow_mut();
        let of_name = at.entry(start).or_insert_with(|| self.starting_at(start)).get(&name)?;
        let is_of = |thread: ThreadId| {
            text("tid").is_none_or(|tid| tid == profile.thread(thread).tid)
                && text("pid").is_none_or(|pid| pid == profile.process_of(thread).pid)
        };
        of_name.iter().find(|(thread, _)| is_of(*thread)).map(|(_, marker)| *marker)
    }
}

/// Converts notes on the beginning of a recording to notes on the whole recording.
pub(crate) fn carried(notes: &[Note], beginning: &Profile, whole: &Index) -> Vec<Note> {
    let finder = EntryFinder::new(whole);
    let carry =
        |note: &Note| Some(Note { kind: kind_of(&finder, &note_value(beginning, note))?, text: note.text.clone() });
    notes.iter().filter_map(carry).collect()
}
