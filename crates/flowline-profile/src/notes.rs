//! Notes on a recording: labels on entries, labeled ranges, links, bookmarks, and other annotations that Chrome's
//! DevTools saves.
//!
//! The target of a note is a moment, a range, or an entry: a marker, a call of a stack chart, or anything else with a
//! name and times. Times are on the recording's clock.

use std::collections::{HashMap, HashSet};

use crate::MarkerId;
use crate::samples::CallRef;
use flowline_format::{Ns, TimeRange};

/// Location of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EntryLocation {
    /// A marker, or the marker of a network request.
    Marker(MarkerId),
    /// A call of a stack chart.
    Call(CallRef),
    /// Only its times are known.
    Times,
    /// None: the key does not match anything in this recording.
    Unknown,
}

/// The target of a note.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Entry {
    /// Location.
    pub place: EntryLocation,
    /// Name; empty if unknown.
    pub name: String,
    /// Start and end; `None` if unknown.
    pub times: Option<TimeRange>,
    /// Key in the file that the note came from, such as `r-5309` in DevTools.
    pub key: Option<String>,
}

impl Entry {
    /// An entry of which only the key is known.
    #[must_use]
    #[inline]
    pub fn unknown(key: &str) -> Self {
        Self { place: EntryLocation::Unknown, name: String::new(), times: None, key: Some(key.to_owned()) }
    }

    /// The marker, if the entry is one.
    #[must_use]
    #[inline]
    pub const fn marker(&self) -> Option<MarkerId> {
        match self.place {
            EntryLocation::Marker(marker) => Some(marker),
            _ => None,
        }
    }

    /// True if both are the same entry, regardless of names.
    #[must_use]
    #[inline]
    pub fn is_same(&self, other: &Self) -> bool {
        match self.place {
            EntryLocation::Marker(_) | EntryLocation::Call(_) => self.place == other.place,
            EntryLocation::Times | EntryLocation::Unknown => self.key == other.key && self.times == other.times,
        }
    }
}

/// Entries that are hidden relative to another entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HiddenPart {
    /// Everything inside it.
    Children,
    /// Everything with the same name inside it.
    Repeating,
    /// Everything with the same name in its thread, including the entry itself.
    Name,
}

/// Kind and target of a note.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum NoteKind {
    /// A label on an entry.
    Label(Entry),
    /// A labeled time range.
    Range(TimeRange),
    /// An arrow from one entry to another.
    Link(Entry, Entry),
    /// A moment.
    Bookmark(Ns),
    /// A committed range; outermost first.
    Breadcrumb(TimeRange),
    /// A hidden entry.
    Hidden(Entry),
    /// Entries that are hidden relative to an entry.
    HiddenAround(Entry, HiddenPart),
    /// An entry with hidden entries.
    Expandable(Entry),
}

impl NoteKind {
    /// Name for scripts.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Label(_) => "label",
            Self::Range(_) => "range",
            Self::Link(..) => "link",
            Self::Bookmark(_) => "bookmark",
            Self::Breadcrumb(_) => "breadcrumb",
            Self::Hidden(_) => "hidden",
            Self::HiddenAround(_, HiddenPart::Children) => "hidden children",
            Self::HiddenAround(_, HiddenPart::Repeating) => "hidden repeating",
            Self::HiddenAround(_, HiddenPart::Name) => "hidden name",
            Self::Expandable(_) => "expandable",
        }
    }

    /// The entries that it refers to.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        let [first, second] = match self {
            Self::Label(entry) | Self::Hidden(entry) | Self::HiddenAround(entry, _) | Self::Expandable(entry) => {
                [Some(entry), None]
            }
            Self::Link(from, to) => [Some(from), Some(to)],
            Self::Range(_) | Self::Bookmark(_) | Self::Breadcrumb(_) => [None, None],
        };
        first.into_iter().chain(second)
    }

    /// From the start to the end of its targets; `None` if no time is known.
    #[must_use]
    pub fn times(&self) -> Option<TimeRange> {
        match self {
            Self::Range(range) | Self::Breadcrumb(range) => Some(*range),
            Self::Bookmark(time) => Some(TimeRange::new(*time, *time)),
            _ => self.entries().filter_map(|entry| entry.times).reduce(TimeRange::union),
        }
    }

    /// True for notes that the user writes and reads; false for view state.
    #[must_use]
    #[inline]
    pub const fn is_shown(&self) -> bool {
        matches!(self, Self::Label(_) | Self::Range(_) | Self::Link(..) | Self::Bookmark(_))
    }
}

/// A note.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Note {
    /// Kind and target.
    pub kind: NoteKind,
    /// Text; may be empty.
    pub text: String,
}

/// Difference between two lists of notes. An edited note counts as one removed and one added.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NoteChanges {
    added: Vec<Note>,
    removed: Vec<Note>,
}

impl NoteChanges {
    /// The changes from one list to another.
    #[must_use]
    pub fn between(before: &[Note], after: &[Note]) -> Self {
        let mut counts: HashMap<&Note, i64> = HashMap::new();
        for note in before {
            *counts.entry(note).or_default() += 1;
        }
        let mut added = Vec::new();
        for note in after {
            let count = counts.entry(note).or_default();
            *count -= 1;
            if *count < 0 {
                added.push(note.clone());
            }
        }
        let mut removed = Vec::new();
        for note in before {
            let count = counts.entry(note).or_default();
            if *count > 0 {
                *count -= 1;
                removed.push(note.clone());
            }
        }
        Self { added, removed }
    }

    /// True if nothing changed.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.added.is_empty() && self.removed.is_empty()
    }

    /// Applies the changes to another list. Notes that the list already contains are not added again.
    #[must_use]
    pub fn applied_to(&self, list: &[Note]) -> Vec<Note> {
        let mut removed: HashMap<&Note, usize> = HashMap::new();
        for note in &self.removed {
            *removed.entry(note).or_default() += 1;
        }
        let mut kept = Vec::with_capacity(list.len() + self.added.len());
        for note in list {
            match removed.get_mut(note).filter(|count| **count > 0) {
                Some(count) => *count -= 1,
                None => kept.push(note.clone()),
            }
        }
        let known: HashSet<&Note> = list.iter().collect();
        kept.extend(self.added.iter().filter(|note| !known.contains(note)).cloned());
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn notes(times: &[i64]) -> Vec<Note> {
        times.iter().map(|time| Note { kind: NoteKind::Bookmark(Ns(*time)), text: String::new() }).collect()
    }

    #[test]
    fn changes_of_two_lists_are_merged_note_by_note() {
        for (base, mine, theirs, merged) in [
            (&[][..], &[1][..], &[2][..], &[2, 1][..]),
            (&[1, 2], &[2], &[1, 2, 3], &[2, 3]),
            (&[1, 2], &[1], &[2], &[]),
            (&[1], &[1, 2], &[1, 2], &[1, 2]),
            (&[1, 1], &[1], &[1, 1], &[1]),
            (&[1, 2], &[1, 2], &[1], &[1]),
            (&[1, 2], &[2, 1], &[1, 2], &[1, 2]),
        ] {
            let mine = NoteChanges::between(&notes(base), &notes(mine));
            assert_eq!(mine.applied_to(&notes(theirs)), notes(merged), "{base:?} {theirs:?}");
        }
    }

    #[test]
    fn changes_lead_from_one_list_to_the_other() {
        let mut random = fastrand::Rng::with_seed(5);
        let mut list = |length: usize| notes(&(0..length).map(|_| random.i64(..4)).collect::<Vec<_>>());
        let sorted = |list: Vec<Note>| {
            let mut texts: Vec<String> = list.into_iter().map(|note| format!("{note:?}")).collect();
            texts.sort();
            texts
        };
        for length in 0..40 {
            let (before, after) = (list(length % 7), list(length % 5));
            let changes = NoteChanges::between(&before, &after);
            assert_eq!(changes.is_empty(), sorted(before.clone()) == sorted(after.clone()));
            let added_twice = before.iter().any(|note| changes.added.contains(note));
            if !added_twice {
                assert_eq!(sorted(changes.applied_to(&before)), sorted(after));
            }
        }
    }
}
