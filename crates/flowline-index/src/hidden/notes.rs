//! Notes that hide entries: the entries that they hide, and the notes that DevTools would save.

use std::collections::{BTreeMap, BTreeSet};

use super::nest;
use super::nest::{Calls, Hidden, Hide, Markers};
use crate::modifications::{entry_of_call, entry_of_marker};
use flowline_profile::notes::{Entry, EntryLocation, HiddenPart, Note, NoteKind};
use flowline_profile::samples::CallTable;
use flowline_profile::{CallRef, Implementation, LocalMarker, MarkerId, Profile, ThreadId};

/// The hide requests of the notes of a thread.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ThreadHides {
    markers: Vec<Hide>,
    pub(super) calls: Vec<Hide>,
}

/// The hiding notes, by thread. Entries that are not in the recording, and calls in charts that omit functions, are
/// ignored.
pub(super) fn hides(profile: &Profile, notes: &[Note]) -> BTreeMap<ThreadId, ThreadHides> {
    let mut threads: BTreeMap<ThreadId, ThreadHides> = BTreeMap::new();
    for note in notes {
        let (entry, part) = match &note.kind {
            NoteKind::Hidden(entry) => (entry, None),
            NoteKind::HiddenAround(entry, part) => (entry, Some(*part)),
            _ => continue,
        };
        match entry.place {
            EntryLocation::Marker(marker) => {
                let Some((thread, local)) = profile.locate(marker) else { continue };
                threads.entry(thread).or_default().markers.push((local.0, part));
            }
            EntryLocation::Call(CallRef { thread, functions: Implementation::All, call }) => {
                if thread.index() < profile.threads.len() {
                    threads.entry(thread).or_default().calls.push((call, part));
                }
            }
            EntryLocation::Call(_) | EntryLocation::Times | EntryLocation::Unknown => {}
        }
    }
    threads
}

/// The hidden entries of a thread.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct HiddenInThread {
    pub(super) markers: Hidden,
    pub(super) calls: Hidden,
}

impl HiddenInThread {
    pub(super) fn new(profile: &Profile, thread: ThreadId, hides: &ThreadHides, calls: Option<&CallTable>) -> Self {
        let of_markers = || nest::hidden(&Markers(profile.thread(thread)), &hides.markers);
        let of_calls = |calls| nest::hidden(&Calls(profile, calls), &hides.calls);
        Self {
            markers: if hides.markers.is_empty() { Hidden::default() } else { of_markers() },
            calls: calls.filter(|_| !hides.calls.is_empty()).map(of_calls).unwrap_or_default(),
        }
    }

    pub(super) fn count(&self) -> usize {
        self.markers.entries.len() + self.calls.entries.len()
    }
}

fn given_calls(profile: &Profile, thread: ThreadId) -> Option<&CallTable> {
    profile.samples(thread)?.calls.as_ref()
}

/// Expands notes so that each hidden entry has its own note, as DevTools saves them. A note that hides several entries
/// becomes one note per entry, and the innermost visible parents of entries that were hidden here are marked as
/// expandable.
#[must_use]
pub fn expanded(profile: &Profile, notes: &[Note]) -> Vec<Note> {
    let is_own = |note: &Note| match &note.kind {
        NoteKind::HiddenAround(..) => true,
        NoteKind::Hidden(entry) => entry.key.is_none(),
        _ => false,
    };
    if !notes.iter().any(is_own) {
        return notes.to_vec();
    }
    let is_around = |note: &Note| matches!(note.kind, NoteKind::HiddenAround(..));
    let mut all: Vec<Note> = notes.iter().filter(|note| !is_around(note)).cloned().collect();
    let mut known: [BTreeSet<HiddenEntryKey>; 2] = Default::default();
    for note in &all {
        match &note.kind {
            NoteKind::Hidden(entry) => known[0].extend(place(entry)),
            NoteKind::Expandable(entry) => known[1].extend(place(entry)),
            _ => {}
        }
    }
    let own: BTreeSet<HiddenEntryKey> =
        notes.iter().filter(|note| is_own(note)).flat_map(|note| note.kind.entries()).filter_map(place).collect();
    for (thread, hides) in hides(profile, notes) {
        let hidden = HiddenInThread::new(profile, thread, &hides, given_calls(profile, thread));
        let marker = |entry: u32| {
            let id = profile.thread(thread).global(LocalMarker(entry));
            (HiddenEntryKey::Marker(id), entry_of_marker(profile, id))
        };
        let call = |call: u32| {
            let call = CallRef { thread, functions: Implementation::All, call };
            (HiddenEntryKey::Call(thread, call.call), entry_of_call(profile, call))
        };
        let entries = |hidden: &Hidden, of: &dyn Fn(u32) -> (HiddenEntryKey, Option<Entry>)| -> Vec<Note> {
            let mut made = Vec::new();
            let mut parents: BTreeSet<u32> = BTreeSet::new();
            for number in &hidden.entries {
                let (place, entry) = of(*number);
                if own.contains(&place) || !known[0].contains(&place) {
                    parents.extend(hidden.parent(*number));
                }
                let entry = entry.filter(|_| !known[0].contains(&place));
                made.extend(entry.map(|entry| Note { kind: NoteKind::Hidden(entry), text: String::new() }));
            }
            for parent in parents {
                let (place, entry) = of(parent);
                let entry = entry.filter(|_| !known[1].contains(&place));
                made.extend(entry.map(|entry| Note { kind: NoteKind::Expandable(entry), text: String::new() }));
            }
            made
        };
        all.extend(entries(&hidden.markers, &marker));
        all.extend(entries(&hidden.calls, &call));
    }
    all
}

/// An orderable key for an entry, for use in sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum HiddenEntryKey {
    Marker(MarkerId),
    Call(ThreadId, u32),
}

fn place(entry: &Entry) -> Option<HiddenEntryKey> {
    match entry.place {
        EntryLocation::Marker(marker) => Some(HiddenEntryKey::Marker(marker)),
        EntryLocation::Call(call) => Some(HiddenEntryKey::Call(call.thread, call.call)),
        EntryLocation::Times | EntryLocation::Unknown => None,
    }
}

/// The hidden entries that an operation refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HideScope {
    /// The entry itself.
    Itself,
    /// Everything inside the entry.
    Inside,
}

/// The positions of the notes that hide an entry, or something inside it. They include notes that also hide other
/// entries.
#[must_use]
pub fn notes_hiding(profile: &Profile, notes: &[Note], entry: &Entry, whose: HideScope) -> Vec<usize> {
    let Some((thread, number, is_call)) = located(profile, entry) else { return Vec::new() };
    let calls = given_calls(profile, thread);
    let times = |number: u32| match (is_call, calls) {
        (true, Some(calls)) => Calls(profile, calls).times_of(number),
        (true, None) => None,
        (false, _) => Markers(profile.thread(thread)).times_of(number),
    };
    let name = |number: u32| match (is_call, calls) {
        (true, Some(calls)) => nest::Entries::name(&Calls(profile, calls), number),
        (true, None) => 0,
        (false, _) => nest::Entries::name(&Markers(profile.thread(thread)), number),
    };
    let Some((start, end)) = times(number) else { return Vec::new() };
    let is_inside = |(from, to): (i64, i64)| start <= from && to <= end;
    // Names of the affected entries.
    let names: BTreeSet<u32> = match whose {
        HideScope::Itself => [name(number)].into(),
        HideScope::Inside => {
            let own = hides(profile, notes).remove(&thread).unwrap_or_default();
            let hidden = HiddenInThread::new(profile, thread, &own, calls);
            let hidden = if is_call { hidden.calls } else { hidden.markers };
            let inside =
                hidden.entries.iter().filter(|other| **other != number && times(**other).is_some_and(is_inside));
            inside.map(|other| name(*other)).collect()
        }
    };
    let hides_it = |note: &Note| {
        let (of, part) = match &note.kind {
            NoteKind::Hidden(entry) => (entry, None),
            NoteKind::HiddenAround(entry, part) => (entry, Some(*part)),
            _ => return false,
        };
        let Some((other_thread, other, other_is_call)) = located(profile, of) else { return false };
        if (other_thread, other_is_call) != (thread, is_call) {
            return false;
        }
        let Some((from, to)) = times(other) else { return false };
        let contains_it = from <= start && end <= to;
        match (part, whose) {
            (None, HideScope::Itself) => other == number,
            (None, HideScope::Inside) => other != number && is_inside((from, to)),
            (Some(HiddenPart::Name), _) => names.contains(&name(other)),
            (Some(HiddenPart::Children), HideScope::Itself) => other != number && contains_it,
            (Some(HiddenPart::Children), HideScope::Inside) => is_inside((from, to)),
            (Some(HiddenPart::Repeating), HideScope::Itself) => {
                other != number && contains_it && names.contains(&name(other))
            }
            (Some(HiddenPart::Repeating), HideScope::Inside) => {
                (contains_it || is_inside((from, to))) && names.contains(&name(other))
            }
        }
    };
    notes.iter().enumerate().filter(|(_, note)| hides_it(note)).map(|(at, _)| at).collect()
}

/// The positions of the notes that hide something in a thread.
#[must_use]
pub fn notes_hiding_in(profile: &Profile, notes: &[Note], thread: ThreadId) -> Vec<usize> {
    let is_in = |note: &Note| {
        matches!(note.kind, NoteKind::Hidden(_) | NoteKind::HiddenAround(..))
            && note.kind.entries().any(|entry| located(profile, entry).is_some_and(|(of, ..)| of == thread))
    };
    notes.iter().enumerate().filter(|(_, note)| is_in(note)).map(|(at, _)| at).collect()
}

/// The thread of an entry, its number there, and true if it is a call.
fn located(profile: &Profile, entry: &Entry) -> Option<(ThreadId, u32, bool)> {
    match entry.place {
        EntryLocation::Marker(marker) => profile.locate(marker).map(|(thread, local)| (thread, local.0, false)),
        EntryLocation::Call(CallRef { thread, functions: Implementation::All, call }) => Some((thread, call, true)),
        EntryLocation::Call(_) | EntryLocation::Times | EntryLocation::Unknown => None,
    }
}
