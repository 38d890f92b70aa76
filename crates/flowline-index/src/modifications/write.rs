//! Writes notes as the value of `metadata.modifications`, in the format that DevTools reads.
//!
//! An entry that was read from a file keeps its key. Other entries get a new key: `p-…` for calls, otherwise the
//! position of the event as `r-N`, or as `s-N` if DevTools creates a synthetic event from it.

use std::collections::BTreeMap;

use super::events::{self, Position};
use super::keys::key_of;
use flowline_profile::notes::{Entry, EntryLocation, Note, NoteKind};
use flowline_profile::{MarkerId, Ns, Profile, TimeRange, Value};

/// Notes in the format of a trace.
#[derive(Clone, Debug, PartialEq)]
pub struct Written {
    /// The JSON text.
    pub text: String,
    /// Number of notes that were omitted because they refer to entries that have no key.
    pub omitted: usize,
}

struct Keys<'a> {
    profile: &'a Profile,
    events: BTreeMap<usize, Position>,
}

/// The byte offset of a marker's event.
fn offset_of(profile: &Profile, marker: MarkerId) -> Option<usize> {
    let (thread, local) = profile.locate(marker)?;
    let markers = &profile.thread(thread).markers;
    markers.begin(local).unwrap_or(markers.payload(local)).offset()
}

impl Keys<'_> {
    fn key(&self, entry: &Entry) -> Option<Value> {
        let made = || match entry.place {
            EntryLocation::Marker(marker) => {
                let Position { number, is_made } = self.events.get(&offset_of(self.profile, marker)?)?;
                Some(format!("{}-{number}", if *is_made { "s" } else { "r" }))
            }
            EntryLocation::Call(call) => key_of(self.profile, call),
            EntryLocation::Times | EntryLocation::Unknown => None,
        };
        entry.key.clone().or_else(made).map(Value::String)
    }
}

/// Writes notes for a trace.
#[must_use]
pub fn written(profile: &Profile, notes: &[Note]) -> Written {
    let entries = notes.iter().flat_map(|note| note.kind.entries()).filter(|entry| entry.key.is_none());
    let offsets = entries.filter_map(Entry::marker).filter_map(|marker| offset_of(profile, marker)).collect();
    let keys = Keys { profile, events: events::positions(profile.source.bytes(), offsets) };
    let mut lists: [Vec<Value>; 5] = Default::default();
    let (mut windows, mut omitted) = (Vec::new(), 0);
    for note in notes {
        let text = || member("label", Value::String(note.text.clone()));
        let item = match &note.kind {
            NoteKind::Label(entry) => keys.key(entry).map(|key| (0, Value::Object(vec![member("entry", key), text()]))),
            NoteKind::Range(range) => Some((1, Value::Object(vec![member("bounds", window(*range)), text()]))),
            NoteKind::Bookmark(time) => {
                let bounds = window(TimeRange::new(*time, *time));
                let is_bookmark = member("bookmark", Value::Bool(true));
                Some((1, Value::Object(vec![member("bounds", bounds), text(), is_bookmark])))
            }
            NoteKind::Link(from, to) => keys.key(from).zip(keys.key(to)).map(|(from, to)| {
                let mut members = vec![member("entryFrom", from), member("entryTo", to)];
                members.extend((!note.text.is_empty()).then(text));
                (2, Value::Object(members))
            }),
            NoteKind::Hidden(entry) => keys.key(entry).map(|key| (3, key)),
            // These notes are written as one note per hidden entry: see `hidden::expanded`.
            NoteKind::HiddenAround(..) => None,
            NoteKind::Expandable(entry) => keys.key(entry).map(|key| (4, key)),
            NoteKind::Breadcrumb(range) => {
                windows.push(*range);
                continue;
            }
        };
        match item {
            Some((list, item)) => lists[list].push(item),
            None => omitted += 1,
        }
    }
    let value = value(lists, breadcrumb(profile, &windows));
    let mut text = String::new();
    value.to_json(&mut text);
    Written { text, omitted }
}

/// The breadcrumb windows of notes, outermost first.
pub fn breadcrumbs(notes: &[Note]) -> impl Iterator<Item = TimeRange> {
    notes.iter().filter_map(|note| match note.kind {
        NoteKind::Breadcrumb(range) => Some(range),
        _ => None,
    })
}

/// Replaces the breadcrumb windows of notes by those of a view, outermost first. As in DevTools, the first window is
/// the whole recording. If the other windows are already the same, the notes are returned unchanged.
#[must_use]
pub fn with_breadcrumbs(profile: &Profile, notes: &[Note], windows: &[TimeRange]) -> Vec<Note> {
    let own: Vec<TimeRange> = breadcrumbs(notes).collect();
    if own.ends_with(windows) && own.len() <= windows.len() + 1 {
        return notes.to_vec();
    }
    let is_other = |note: &&Note| !matches!(note.kind, NoteKind::Breadcrumb(_));
    let whole = (!windows.is_empty()).then_some(profile.meta.range);
    let all = whole.into_iter().chain(windows.iter().copied());
    let windows = all.map(|window| Note { kind: NoteKind::Breadcrumb(window), text: String::new() });
    notes.iter().filter(is_other).cloned().chain(windows).collect()
}

fn value([labels, ranges, links, hidden, expandable]: [Vec<Value>; 5], breadcrumb: Value) -> Value {
    let entries = [member("hiddenEntries", Value::List(hidden)), member("expandableEntries", Value::List(expandable))];
    let annotations = [
        member("entryLabels", Value::List(labels)),
        member("labelledTimeRanges", Value::List(ranges)),
        member("linksBetweenEntries", Value::List(links)),
    ];
    Value::Object(vec![
        member("entriesModifications", Value::Object(entries.into())),
        member("initialBreadcrumb", breadcrumb),
        member("annotations", Value::Object(annotations.into())),
    ])
}

/// The windows, each nested in the previous one. DevTools shows nothing if there is no window, so there is always one.
fn breadcrumb(profile: &Profile, windows: &[TimeRange]) -> Value {
    if windows.is_empty() {
        let members = [
            member("window", window(profile.meta.range)),
            member("child", Value::Null),
            member("added", Value::Bool(true)),
        ];
        return Value::Object(members.into());
    }
    windows
        .iter()
        .rev()
        .fold(Value::Null, |child, range| Value::Object(vec![member("window", window(*range)), member("child", child)]))
}

fn member(key: &str, value: Value) -> (String, Value) {
    (key.to_owned(), value)
}

/// A window in microseconds.
fn window(range: TimeRange) -> Value {
    let length = Ns(range.len());
    Value::Object(vec![
        member("min", microseconds(range.start)),
        member("max", microseconds(range.end)),
        member("range", microseconds(length)),
    ])
}

fn microseconds(time: Ns) -> Value {
    if time.0 % 1000 == 0 {
        return Value::Int(time.0 / 1000);
    }
    #[expect(clippy::cast_precision_loss, reason = "times of traces have fewer digits")]
    let exact = time.0 as f64 / 1e3;
    Value::Number(exact)
}
