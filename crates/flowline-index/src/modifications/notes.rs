//! The notes of a trace, as DevTools saves them.

use super::keys::Resolver;
use super::metadata::metadata_member;
use crate::Index;
use flowline_profile::notes::{Entry, EntryLocation, Note, NoteKind};
use flowline_profile::{Ns, TimeRange, Value};

/// The notes of a trace.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Modifications {
    /// The notes, by kind, in file order within a kind.
    pub notes: Vec<Note>,
    /// Number of entry keys that match nothing in this recording.
    pub unknown: usize,
    /// Number of malformed items, which are skipped.
    pub damaged: usize,
}

impl Modifications {
    /// Reads the notes of a recording. Only traces contain them.
    #[must_use]
    #[inline]
    pub fn read(index: &Index) -> Self {
        let Some(value) = metadata_member(index.profile(), "modifications") else { return Self::default() };
        Self::of_value(index, &value)
    }

    /// Reads the notes from a value in the format of `metadata.modifications`.
    #[must_use]
    pub fn of_value(index: &Index, value: &Value) -> Self {
        let mut read = Self::default();
        let resolver = Resolver::new(index, value);
        let annotations = value.get("annotations");
        let list = |of: Option<&Value>, name: &str| of.and_then(|of| of.get(name)).map_or(&[][..], items).to_vec();
        for item in list(annotations, "entryLabels") {
            let entry = resolver.entry(item.get("entry"));
            read.add(entry.map(NoteKind::Label), text_of(&item));
        }
        for item in list(annotations, "labelledTimeRanges") {
            let range = item.get("bounds").and_then(range);
            let is_bookmark = item.get("bookmark").is_some_and(Value::is_truthy);
            let kind = |range: TimeRange| {
                if is_bookmark { NoteKind::Bookmark(range.start) } else { NoteKind::Range(range) }
            };
            read.add(range.map(kind), text_of(&item));
        }
        for item in list(annotations, "linksBetweenEntries") {
            let ends = resolver.entry(item.get("entryFrom")).zip(resolver.entry(item.get("entryTo")));
            read.add(ends.map(|(from, to)| NoteKind::Link(from, to)), text_of(&item));
        }
        let mut crumb = value.get("initialBreadcrumb").filter(|crumb| !crumb.is_null());
        while let Some(found) = crumb {
            // Skip the placeholder window that is added because DevTools requires one.
            if found.get("added").is_some_and(Value::is_truthy) {
                break;
            }
            read.add(found.get("window").and_then(range).map(NoteKind::Breadcrumb), String::new());
            crumb = found.get("child").filter(|child| !child.is_null());
        }
        let entries = value.get("entriesModifications");
        for key in list(entries, "hiddenEntries") {
            read.add(resolver.entry(Some(&key)).map(NoteKind::Hidden), String::new());
        }
        for key in list(entries, "expandableEntries") {
            read.add(resolver.entry(Some(&key)).map(NoteKind::Expandable), String::new());
        }
        read
    }

    /// The entry that a key refers to. Keys of events are not resolved.
    #[must_use]
    #[inline]
    pub fn entry_of_key(index: &Index, key: &str) -> Option<Entry> {
        let entry = Resolver::new(index, &Value::Null).entry(Some(&Value::String(key.to_owned())))?;
        Some(entry).filter(|entry| entry.place != EntryLocation::Unknown)
    }

    fn add(&mut self, kind: Option<NoteKind>, text: String) {
        let Some(kind) = kind else {
            self.damaged += 1;
            return;
        };
        self.unknown += kind.entries().filter(|entry| entry.place == EntryLocation::Unknown).count();
        self.notes.push(Note { kind, text });
    }

    /// Messages about notes that could not be fully read.
    #[must_use]
    pub fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        let count = |count: usize, one: &str, many: &str| format!("{count} {}", if count == 1 { one } else { many });
        if self.unknown > 0 {
            let entries = count(self.unknown, "note refers to an entry", "notes refer to entries");
            problems.push(format!("{entries} missing from this recording"));
        }
        if self.damaged > 0 {
            problems.push(format!("{} skipped", count(self.damaged, "malformed note was", "malformed notes were")));
        }
        problems
    }
}

fn items(value: &Value) -> &[Value] {
    if let Value::List(items) = value { items } else { &[] }
}

fn text_of(item: &Value) -> String {
    item.get("label").and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// A window in microseconds.
fn range(bounds: &Value) -> Option<TimeRange> {
    let time = |name: &str| time_of_us(bounds.get(name)?);
    Some(TimeRange::new(time("min")?, time("max")?))
}

/// Converts a number of microseconds to a time.
fn time_of_us(number: &Value) -> Option<Ns> {
    if let Value::Int(whole) = number {
        return whole.checked_mul(1000).map(Ns).filter(|time| time.0.abs() <= Ns::LIMIT);
    }
    Ns::from_ms(number.as_f64()? / 1000.0)
}
