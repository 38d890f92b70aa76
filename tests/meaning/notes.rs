//! Notes: DevTools notes in traces are read and written without loss; edits and undo match a replay.

use std::sync::Arc;

use flowline::import::write_annotated;
use flowline::index::modifications::{Modifications, written};
use flowline::index::{Arrangement, Index};
use flowline::profile::notes::{Entry, EntryLocation, Note, NoteKind};
use flowline::profile::{Ns, ProcessId, Profile, ThreadId, TimeRange};
use flowline::view::{Command, NoteCommand, NoteId, ViewState};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::recording::read_bytes;
use crate::recording::real::{open, shared};

/// Two slices, a measure written as two halves, and a request; one sample in `f`.
const EVENTS: &str = r#"[
 {"name":"thread_name","ph":"M","cat":"__metadata","pid":1,"tid":2,"ts":0,"args":{"name":"CrRendererMain"}},
 {"name":"Outer","ph":"X","cat":"c","pid":1,"tid":2,"ts":100,"dur":900,"args":{"a":1}},
 {"name":"Begun","ph":"B","cat":"c","pid":1,"tid":2,"ts":200},
 {"name":"Begun","ph":"E","cat":"c","pid":1,"tid":2,"ts":400,"args":{"late":true}},
 {"name":"work","ph":"b","cat":"blink.user_timing","id":"0x1","pid":1,"tid":2,"ts":300},
 {"name":"work","ph":"e","cat":"blink.user_timing","id":"0x1","pid":1,"tid":2,"ts":600},
 {"name":"ResourceSendRequest","ph":"I","s":"t","cat":"d","pid":1,"tid":2,"ts":500,"args":{"data":{"requestId":"r","url":"http://a.test/one.js","priority":"High"}}},
 {"name":"ResourceFinish","ph":"I","s":"t","cat":"d","pid":1,"tid":2,"ts":800,"args":{"data":{"requestId":"r","didFail":false,"finishTime":0.0008}}}
]"#;

fn trace(modifications: &Value) -> String {
    format!(r#"{{"metadata": {{"source":"DevTools", "modifications": {modifications} }}, "traceEvents":{EVENTS} }}"#)
}

fn index(text: &str) -> Index {
    let profile = read_bytes(text.as_bytes().to_vec()).expect("a trace");
    Index::build(Arc::new(profile), Arrangement::Stack)
}

fn modifications() -> Value {
    json!({
        "entriesModifications": {"hiddenEntries": ["r-1"], "expandableEntries": []},
        "initialBreadcrumb": {
            "window": {"min": 0, "max": 1000, "range": 1000},
            "child": {"window": {"min": 100, "max": 500, "range": 400}, "child": null},
        },
        "annotations": {
            "entryLabels": [
                {"entry": "r-1", "label": "raw"}, {"entry": "r-2", "label": "in two halves"},
                {"entry": "s-4", "label": "a measure"}, {"entry": "s-6", "label": "a request"},
                {"entry": "p-9-9-9-9", "label": "nowhere"}, {"entry": "r-999999", "label": "beyond"},
            ],
            "labelledTimeRanges": [{"bounds": {"min": 150, "max": 300, "range": 150}, "label": "range \u{201c}ü\u{201d}"}],
            "linksBetweenEntries": [{"entryFrom": "r-1", "entryTo": "s-4"}],
        },
    })
}

/// Kind, entries (name and start), and label.
type Plain = (&'static str, Vec<(String, Option<i64>)>, String);

fn names(notes: &[Note]) -> Vec<Plain> {
    let entry = |entry: &Entry| (entry.name.clone(), entry.times.map(|times| times.start.0 / 1000));
    notes.iter().map(|note| (note.kind.name(), note.kind.entries().map(entry).collect(), note.text.clone())).collect()
}

#[test]
fn devtools_notes_are_read_and_unknown_keys_are_kept_and_counted() {
    let read = Modifications::read(&index(&trace(&modifications())));
    assert_eq!((read.unknown, read.damaged), (2, 0));
    let known = |name: &str, time: i64| (name.to_owned(), Some(time));
    let names = names(&read.notes);
    assert_eq!(names[0], ("label", vec![known("Outer", 100)], "raw".to_owned()));
    assert_eq!(names[1].1, [known("Begun", 200)], "its arguments are in its end event");
    assert_eq!(names[2].1, [known("work", 300)]);
    assert_eq!(names[3].1, [known("one.js", 500)]);
    assert_eq!(names[4], ("label", vec![(String::new(), None)], "nowhere".to_owned()));
    assert_eq!(names[6].0, "range");
    assert_eq!(names[7], ("link", vec![known("Outer", 100), known("work", 300)], String::new()));
    assert_eq!([names[8].0, names[9].0, names[10].0], ["breadcrumb", "breadcrumb", "hidden"]);
    let range = TimeRange::new(Ns(150_000), Ns(300_000));
    assert_eq!(read.notes[6].kind, NoteKind::Range(range));
    assert_eq!(read.problems().len(), 1, "{:?}", read.problems());
}

#[test]
fn damaged_notes_are_skipped_and_counted() {
    for damaged in
        [json!(null), json!(7), json!([]), json!({"annotations": 7}), json!({"annotations": {"entryLabels": 3}})]
    {
        let read = Modifications::read(&index(&trace(&damaged)));
        assert_eq!(read.notes, [], "{damaged}");
    }
    let damaged = json!({"annotations": {
        "entryLabels": [7, {"entry": 3}, {"entry": "r-1"}],
        "labelledTimeRanges": [{"bounds": {"min": "x"}}, {"bounds": {"min": 1e300, "max": 0}}],
        "linksBetweenEntries": [{"entryFrom": "r-1"}],
    }, "initialBreadcrumb": {"window": 3, "child": {"child": {}}}});
    let read = Modifications::read(&index(&trace(&damaged)));
    assert_eq!((read.notes.len(), read.damaged), (1, 8), "{read:?}");
}

fn annotated(text: &[u8], notes: &[Note], profile: &Profile) -> Vec<u8> {
    let made = written(profile, notes);
    let mut out = Vec::new();
    write_annotated(text, made.text.as_bytes(), &mut out).expect("written");
    out
}

#[test]
fn devtools_notes_are_written_back_unchanged() {
    let text = trace(&modifications());
    let index = index(&text);
    let read = Modifications::read(&index);
    let copy = annotated(text.as_bytes(), &read.notes, index.profile());
    let copied: Value = serde_json::from_slice(&copy).expect("JSON");
    assert_eq!(copied["metadata"]["modifications"], modifications());
    let own = modifications().to_string();
    let [before, after] = [text.find(&own).expect("there"), text.len() - text.find(&own).expect("there") - own.len()];
    assert_eq!(copy[..before], text.as_bytes()[..before], "the text before is unchanged");
    assert_eq!(copy[copy.len() - after..], text.as_bytes()[text.len() - after..], "the text after is unchanged");
}

/// Notes without keys, which exist only in files.
fn bare(notes: &[Note]) -> Vec<Note> {
    let bare = |entry: &Entry| Entry { key: None, ..entry.clone() };
    let kind = |kind: &NoteKind| match kind {
        NoteKind::Label(entry) => NoteKind::Label(bare(entry)),
        NoteKind::Link(from, to) => NoteKind::Link(bare(from), bare(to)),
        kind => kind.clone(),
    };
    notes.iter().map(|note| Note { kind: kind(&note.kind), text: note.text.clone() }).collect()
}

#[test]
fn own_notes_are_read_back_from_a_trace() {
    for text in [format!("{{\"traceEvents\":{EVENTS}}}"), EVENTS.to_owned()] {
        let before = index(&text);
        let profile = before.profile();
        let entries: Vec<Entry> = (0..profile.marker_count())
            .filter_map(|marker| u32::try_from(marker).ok())
            .filter_map(|marker| {
                flowline::index::modifications::entry_of_marker(profile, flowline::profile::MarkerId(marker))
            })
            .filter(|entry| !entry.name.starts_with("Resource"))
            .collect();
        assert_eq!(entries.len(), 3);
        let mut notes: Vec<Note> = entries
            .iter()
            .map(|entry| Note { kind: NoteKind::Label(entry.clone()), text: format!("on {}", entry.name) })
            .collect();
        let range = TimeRange::new(Ns(100_001), Ns(200_500));
        notes.push(Note { kind: NoteKind::Range(range), text: "to the nanosecond".into() });
        notes.push(Note { kind: NoteKind::Bookmark(Ns(333_333)), text: String::new() });
        notes.push(Note { kind: NoteKind::Link(entries[2].clone(), entries[0].clone()), text: "why".into() });
        let copy = annotated(text.as_bytes(), &notes, profile);
        let after = index(std::str::from_utf8(&copy).expect("text"));
        let read = Modifications::read(&after);
        assert_eq!(bare(&read.notes), notes);
        let again = annotated(&copy, &read.notes, after.profile());
        assert_eq!(again, copy, "writing the notes again changes nothing");
    }
}

#[test]
fn a_real_annotated_trace_keeps_its_modifications() {
    let Some(path) = shared("traces/rec-a-annotated.json.gz") else { return };
    let index = Index::build(Arc::new(open(&path).expect("readable")), Arrangement::Stack);
    let profile = index.profile();
    let text = profile.source.bytes();
    let read = Modifications::read(&index);
    assert_eq!((read.unknown, read.damaged), (0, 0));
    let copy = annotated(text, &read.notes, profile);
    let [before, after]: [Value; 2] = [text, &copy].map(|text| serde_json::from_slice(text).expect("JSON"));
    assert_eq!(after["metadata"]["modifications"], before["metadata"]["modifications"]);
    assert!(after == before);
}

/// An edit of the notes or of the tracks.
fn edit(number: u8, at: usize) -> Command {
    let time = i64::from(number);
    let range = |from: i64| NoteKind::Range(TimeRange::new(Ns(from), Ns(from + 7)));
    match number % 8 {
        0 => Command::Note(NoteCommand::Add(Note { kind: NoteKind::Bookmark(Ns(time)), text: String::new() })),
        1 => Command::Note(NoteCommand::Add(Note { kind: range(time), text: "x".into() })),
        2 => Command::Note(NoteCommand::Edit(NoteId(at), format!("text {number}"))),
        3 => Command::Note(NoteCommand::Delete(NoteId(at))),
        4 => Command::Note(NoteCommand::Move { note: NoteId(at), to: range(time * 2), continues: false }),
        5 => Command::ToggleProcess(ProcessId::new(at)),
        6 => Command::ToggleThread(ThreadId::new(at)),
        _ => Command::Note(NoteCommand::Move {
            note: NoteId(at),
            to: NoteKind::Bookmark(Ns(time + 1)),
            continues: false,
        }),
    }
}

fn view() -> ViewState {
    ViewState::new(Arc::new(Profile::default()), TimeRange::new(Ns(0), Ns(1000)), 800.0)
}

type Content = (Vec<Note>, Vec<ProcessId>, Vec<ThreadId>);

fn content(view: &ViewState) -> Content {
    let tracks = &view.tracks;
    (view.notes.list.to_vec(), tracks.collapsed.iter().copied().collect(), tracks.expanded.iter().copied().collect())
}

/// True if an edit gives the note that the step before added the text that it was asked for.
fn is_first_text(edit: &Command, view: &ViewState, past: &[Content]) -> bool {
    let Command::Note(NoteCommand::Edit(note, _)) = edit else { return false };
    let [.., before, last] = past else { return false };
    let is_added = last.0.split_last().is_some_and(|(added, others)| {
        added.text.is_empty()
            && others == before.0
            && note.0 == others.len()
            && (&before.1, &before.2) == (&last.1, &last.2)
    });
    is_added && view.notes.asked == Some(*note)
}

proptest! {
    /// The naive history stores everything after each step.
    #[test]
    fn undo_equals_a_replay_of_the_remaining_edits(steps in prop::collection::vec((0_u8..80, 0_usize..6), 0..60)) {
        let mut view = view();
        let (mut past, mut future): (Vec<Content>, Vec<Content>) = (vec![content(&view)], Vec::new());
        for (number, at) in steps {
            match number {
                56.. => {
                    let again = number % 3 == 0;
                    view.apply(if again { Command::Redo } else { Command::Undo });
                    if again {
                        past.extend(future.pop());
                    } else if past.len() > 1 {
                        future.extend(past.pop());
                    }
                }
                _ => {
                    let edit = edit(number, at);
                    let is_named = is_first_text(&edit, &view, &past);
                    view.apply(edit);
                    let now = content(&view);
                    if past.last() != Some(&now) {
                        // The state between adding a note and naming it is not a step.
                        let _unnamed = if is_named { past.pop() } else { None };
                        past.push(now);
                        future.clear();
                    }
                }
            }
            prop_assert_eq!(Some(&content(&view)), past.last());
            prop_assert_eq!(view.can_undo(), [past.len() > 1, !future.is_empty()]);
        }
    }
}

#[test]
fn a_drag_is_one_undo_step_and_a_second_label_edits_the_first() {
    let mut view = view();
    let add = |kind: NoteKind| Command::Note(NoteCommand::Add(Note { kind, text: String::new() }));
    view.apply(add(NoteKind::Bookmark(Ns(10))));
    for (time, continues) in [(20, false), (30, true), (40, true)] {
        let to = NoteKind::Bookmark(Ns(time));
        view.apply(Command::Note(NoteCommand::Move { note: NoteId(0), to, continues }));
    }
    view.apply(Command::Undo);
    assert_eq!(view.notes.list[0].kind, NoteKind::Bookmark(Ns(10)));
    let entry =
        Entry { place: EntryLocation::Times, name: "x".into(), times: Some(TimeRange::new(Ns(1), Ns(2))), key: None };
    view.apply(add(NoteKind::Label(entry.clone())));
    view.apply(Command::Note(NoteCommand::Edit(NoteId(1), "first".into())));
    view.apply(add(NoteKind::Label(entry)));
    assert_eq!((view.notes.list.len(), view.notes.asked), (2, Some(NoteId(1))));
    assert_eq!(view.notes.list[1].text, "first");
}
