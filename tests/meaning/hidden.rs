//! Hidden entries: hiding by notes, layout of the remaining entries, writing, and showing entries again.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use flowline::index::hidden::{FilteredRows, FilteredRowsKey, HideScope, expanded, notes_hiding, notes_hiding_in};
use flowline::index::modifications::{Modifications, breadcrumbs, entry_of_marker, with_breadcrumbs, written};
use flowline::index::{Arrangement, Index};
use flowline::profile::notes::{Entry, EntryLocation, HiddenPart, Note, NoteKind};
use flowline::profile::{CallRef, Implementation, LocalMarker, MarkerId, Ns, ThreadId, TimeRange};
use flowline::view::{Command, NoteCommand, NoteId, ViewState};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::recording::read_bytes;
use crate::recording::real::{open, shared};

/// A slice: name, start and length in microseconds.
type Made = (&'static str, i64, i64);

fn text_of(made: &[Made]) -> String {
    let event = |(name, ts, dur): &Made| json!({"name": name, "ph": "X", "pid": 1, "tid": 1, "ts": ts, "dur": dur});
    json!({"traceEvents": made.iter().map(event).collect::<Vec<_>>()}).to_string()
}

fn index(made: &[Made]) -> Index {
    let profile = read_bytes(text_of(made).into_bytes()).expect("a trace");
    Index::build(Arc::new(profile), Arrangement::Stack)
}

const THREAD: ThreadId = ThreadId(0);

fn marker(index: &Index, name: &str, number: usize) -> MarkerId {
    let profile = index.profile();
    let thread = profile.thread(THREAD);
    let all = (0..thread.markers.len()).map(LocalMarker::new);
    let mut own = all.filter(|local| profile.marker_name(THREAD, *local) == name);
    thread.global(own.nth(number).expect("a marker"))
}

fn hide(index: &Index, marker: MarkerId, part: Option<HiddenPart>) -> Note {
    let entry = entry_of_marker(index.profile(), marker).expect("an entry");
    let kind = part.map_or(NoteKind::Hidden(entry.clone()), |part| NoteKind::HiddenAround(entry, part));
    Note { kind, text: String::new() }
}

fn shown(index: &Index, notes: &[Note], arrangement: Arrangement) -> FilteredRows {
    let choice = FilteredRowsKey { arrangement, ..FilteredRowsKey::default() };
    FilteredRows::build(index, notes, choice, &FilteredRows::default(), &|| true)
}

/// Names on each row of the thread.
fn rows(index: &Index, shown: &FilteredRows, arrangement: Arrangement) -> Vec<String> {
    index.layout(arrangement).thread(THREAD);
    let layout = shown.layout(index, arrangement, THREAD).expect("rows");
    let names = |row: usize| {
        let names = layout.rows.row(row).iter().map(|marker| index.profile().marker_name(THREAD, *marker));
        names.collect::<Vec<_>>().join(" ")
    };
    (0..layout.rows.len()).map(names).collect()
}

/// A task with a layout that paints twice, and a separate task.
const NESTED: [Made; 7] = [
    ("task", 0, 100),
    ("layout", 10, 50),
    ("paint", 12, 10),
    ("layout", 13, 5),
    ("paint", 30, 10),
    ("paint", 70, 10),
    ("task", 200, 10),
];

#[test]
fn children_of_a_hidden_entry_move_up() {
    let index = index(&NESTED);
    let stack = Arrangement::Stack;
    let layout = marker(&index, "layout", 0);
    let all = ["task task", "layout paint", "paint paint", "layout"];
    assert_eq!(rows(&index, &FilteredRows::default(), stack), all);
    for (part, expected, inside) in [
        (None, vec!["task task", "paint paint paint", "layout"], Some(("task", 1))),
        (Some(HiddenPart::Children), vec!["task task", "layout paint"], Some(("layout", 3))),
        (Some(HiddenPart::Repeating), vec!["task task", "layout paint", "paint paint"], Some(("paint", 1))),
        (Some(HiddenPart::Name), vec!["task task", "paint paint paint"], Some(("task", 1))),
    ] {
        let shown = shown(&index, &[hide(&index, layout, part)], stack);
        assert_eq!(rows(&index, &shown, stack), expected, "{part:?}");
        let inside_it = inside.map(|(name, _)| index.profile().locate(marker(&index, name, 0)).expect("a place"));
        let (thread, local) = inside_it.expect("a place");
        assert_eq!(shown.inside(thread, local), inside.expect("a count").1, "{part:?}");
        assert_eq!(shown.total(), shown.counts(THREAD)[0]);
    }
    // By name, only the hidden entries are missing, and empty groups disappear.
    let by_name = shown(&index, &[hide(&index, layout, Some(HiddenPart::Name))], Arrangement::ByName);
    assert_eq!(rows(&index, &by_name, Arrangement::ByName), ["task task", "paint paint paint"]);
}

#[test]
fn notes_about_missing_entries_hide_nothing() {
    let index = index(&NESTED);
    let mut note = hide(&index, marker(&index, "layout", 0), None);
    let NoteKind::Hidden(entry) = &mut note.kind else { panic!("the note hides an entry") };
    entry.place = flowline::profile::notes::EntryLocation::Marker(MarkerId(9_999));
    assert!(shown(&index, &[note], Arrangement::Stack).is_empty());
}

#[test]
fn notes_that_hide_an_entry_or_its_contents_are_found() {
    let index = index(&NESTED);
    let profile = index.profile();
    let [task, layout, paint, inner] =
        [("task", 0), ("layout", 0), ("paint", 0), ("layout", 1)].map(|(name, at)| marker(&index, name, at));
    let notes = [
        hide(&index, paint, None),
        hide(&index, layout, Some(HiddenPart::Children)),
        hide(&index, layout, Some(HiddenPart::Repeating)),
        hide(&index, inner, Some(HiddenPart::Name)),
    ];
    let entry = |marker| entry_of_marker(profile, marker).expect("an entry");
    let itself = |marker| notes_hiding(profile, &notes, &entry(marker), HideScope::Itself);
    assert_eq!(itself(paint), [0, 1]);
    assert_eq!(itself(inner), [1, 2, 3]);
    assert_eq!(itself(layout), [3]);
    assert_eq!(itself(task), [0_usize; 0]);
    assert_eq!(notes_hiding(profile, &notes, &entry(task), HideScope::Inside), [0, 1, 2, 3]);
    assert_eq!(notes_hiding(profile, &notes[..1], &entry(marker(&index, "task", 1)), HideScope::Inside), [0_usize; 0]);
    assert_eq!(notes_hiding_in(profile, &notes, THREAD), [0, 1, 2, 3]);
}

#[test]
fn hidden_entries_are_written_one_by_one_and_read_back() {
    let index = index(&NESTED);
    let layout = marker(&index, "layout", 0);
    let notes = [hide(&index, layout, Some(HiddenPart::Children)), hide(&index, marker(&index, "task", 1), None)];
    let all = expanded(index.profile(), &notes);
    let text = written(index.profile(), &all).text;
    let value: Value = serde_json::from_str(&text).expect("JSON");
    let entries = &value["entriesModifications"];
    let keys = |list: &Value| -> BTreeSet<String> {
        list.as_array().expect("a list").iter().map(|key| key.as_str().expect("a key").to_owned()).collect()
    };
    assert_eq!(keys(&entries["hiddenEntries"]), ["r-2", "r-3", "r-4", "r-6"].map(str::to_owned).into());
    assert_eq!(keys(&entries["expandableEntries"]), ["r-1".to_owned()].into());
    let mut trace: Value = serde_json::from_str(&text_of(&NESTED)).expect("JSON");
    trace["metadata"] = json!({"modifications": value});
    let copy = read_bytes(trace.to_string().into_bytes()).expect("a trace");
    let copy = Index::build(Arc::new(copy), Arrangement::Stack);
    let read = Modifications::read(&copy);
    assert_eq!((read.unknown, read.damaged), (0, 0));
    let [one, other] = [(&index, &notes[..]), (&copy, &read.notes[..])]
        .map(|(index, notes)| rows(index, &shown(index, notes, Arrangement::Stack), Arrangement::Stack));
    assert_eq!(one, other);
    assert_eq!(expanded(copy.profile(), &read.notes), read.notes, "notes from a file are unchanged");
}

#[test]
fn hiding_twice_adds_one_note_and_can_be_undone() {
    let index = index(&NESTED);
    let mut view = ViewState::new(Arc::clone(index.profile()), index.extent(), 800.0);
    let note = hide(&index, marker(&index, "paint", 0), None);
    for _ in 0..2 {
        view.apply(Command::Note(NoteCommand::Hide(note.kind.clone())));
    }
    assert_eq!((view.notes.list.len(), view.notes.asked, view.can_undo()), (1, None, [true, false]));
    view.apply(Command::Note(NoteCommand::Unhide(vec![NoteId(0), NoteId(7)])));
    assert!(view.notes.list.is_empty());
    view.apply(Command::Undo);
    assert_eq!(*view.notes.list, [note]);
    view.apply(Command::Undo);
    view.apply(Command::Redo);
    assert_eq!(view.notes.list.len(), 1);
}

fn window(from: i64, to: i64) -> TimeRange {
    TimeRange::new(Ns(from * 1000), Ns(to * 1000))
}

#[test]
fn saved_windows_are_restored_and_written_back() {
    let index = index(&NESTED);
    let view = |windows: &[TimeRange]| {
        let mut view = ViewState::new(Arc::clone(index.profile()), index.extent(), 800.0);
        view.open_windows(windows);
        // A view may end up to one pixel late.
        let (shown, pixel) = (view.axis.visible(), index.extent().len() / 700);
        let near = |time: Ns| {
            windows.last().is_none_or(|window| {
                [window.start, window.end].iter().any(|end| end.0.abs_diff(time.0) as i64 <= pixel)
            })
        };
        (view.breadcrumbs.ranges().to_vec(), near(shown.start) && near(shown.end))
    };
    let whole = index.profile().meta.range;
    assert_eq!(view(&[]), (vec![], true));
    assert_eq!(view(&[whole]), (vec![], true));
    let nested = [window(0, 100), window(20, 80)];
    assert_eq!(view(&[whole, nested[0], nested[1]]), (nested.to_vec(), true));
    // The innermost window is shown, even outside its parent. Windows beyond the recording are ignored.
    assert_eq!(view(&[window(0, 50), window(100, 150)]), (vec![window(100, 150)], true));
    let beyond = view(&[window(0, 50), window(7000, 8000)]);
    assert_eq!(beyond.0, [window(0, 50)]);

    let profile = index.profile();
    let crumb = |range| Note { kind: NoteKind::Breadcrumb(range), text: String::new() };
    let own = [whole, nested[0], nested[1]].map(crumb);
    assert_eq!(with_breadcrumbs(profile, &own, &nested), own);
    let deeper = with_breadcrumbs(profile, &own, &nested[..1]);
    assert_eq!(breadcrumbs(&deeper).collect::<Vec<_>>(), [whole, nested[0]]);
    assert_eq!(with_breadcrumbs(profile, &own, &[]), []);
    assert_eq!(with_breadcrumbs(profile, &[], &[]), []);
}

/// True if one slice is inside another one.
fn is_inside(made: &[(i64, i64)], inner: usize, outer: usize) -> bool {
    let ((from, length), (start, whole)) = (made[inner], made[outer]);
    let order = |at: usize| (made[at].0, std::cmp::Reverse(made[at].1), at);
    whole > 0 && order(outer) < order(inner) && from + length <= start + whole
}

proptest! {
    /// A naive reading of the rules hides the same entries, and the rest is laid out as in a recording without them.
    #[test]
    fn hidden_entries_follow_the_rules(
        made in prop::collection::vec((0_i64..60, 0_i64..40, 0_usize..3), 1..40),
        hides in prop::collection::vec((0_usize..40, 0_u8..4), 0..6),
    ) {
        const NAMES: [&str; 3] = ["a", "b", "c"];
        let mut made = made;
        // File order equals marker order.
        made.sort_by_key(|(start, length, _)| (*start, std::cmp::Reverse(*length)));
        let slices: Vec<Made> = made.iter().map(|(start, length, name)| (NAMES[*name], *start, *length)).collect();
        let index = index(&slices);
        let thread = index.profile().thread(THREAD);
        prop_assume!(thread.markers.len() == made.len());
        let part = |number: u8| match number {
            0 => None,
            1 => Some(HiddenPart::Children),
            2 => Some(HiddenPart::Repeating),
            _ => Some(HiddenPart::Name),
        };
        let hides: Vec<(usize, u8)> = hides.into_iter().map(|(at, part)| (at % made.len(), part)).collect();
        let notes: Vec<Note> =
            hides.iter().map(|(at, number)| hide(&index, thread.global(LocalMarker::new(*at)), part(*number))).collect();
        let times: Vec<(i64, i64)> = made.iter().map(|(start, length, _)| (*start, *length)).collect();
        let is_hidden = |at: usize| {
            hides.iter().any(|(of, number)| {
                let same = made[*of].2 == made[at].2;
                match number {
                    0 => *of == at,
                    1 => is_inside(&times, at, *of),
                    2 => same && is_inside(&times, at, *of),
                    _ => same,
                }
            })
        };
        for arrangement in [Arrangement::Stack, Arrangement::ByName] {
            let shown = shown(&index, &notes, arrangement);
            index.layout(arrangement).thread(THREAD);
            let layout = shown.layout(&index, arrangement, THREAD).expect("rows");
            let mut row_of: BTreeMap<usize, usize> = BTreeMap::new();
            for row in 0..layout.rows.len() {
                for marker in layout.rows.row(row) {
                    prop_assert!(row_of.insert(marker.index(), row).is_none());
                }
            }
            for at in 0..made.len() {
                prop_assert_eq!(!is_hidden(at), row_of.contains_key(&at), "marker {} of {:?}", at, &hides);
                prop_assert_eq!(is_hidden(at), shown.hides(THREAD, LocalMarker::new(at)));
            }
            // The remaining entries are laid out as if the hidden ones did not exist.
            let others: Vec<Made> = (0..made.len()).filter(|at| !is_hidden(*at)).map(|at| slices[at]).collect();
            if others.is_empty() {
                continue;
            }
            let index = self::index(&others);
            let layout = index.layout(arrangement).thread(THREAD);
            let expected: BTreeMap<usize, usize> = (0..layout.rows.len())
                .flat_map(|row| layout.rows.row(row).iter().map(move |marker| (marker.index(), row)))
                .collect();
            prop_assert_eq!(row_of.into_values().collect::<Vec<_>>(), expected.into_values().collect::<Vec<_>>());
        }
    }
}

#[test]
fn hidden_entries_of_a_real_trace_match_devtools() {
    let Some((recording, expected)) =
        shared("traces/rec-a-annotated.json.gz").zip(shared("cases/real/rec-a-annotated-devtools.expected.json"))
    else {
        return;
    };
    let index = Index::build(Arc::new(open(&recording).expect("readable")), Arrangement::Stack);
    let expected: Value = serde_json::from_slice(&std::fs::read(expected).expect("readable")).expect("JSON");
    let notes = Modifications::read(&index).notes;
    let shown = shown(&index, &notes, Arrangement::Stack);
    // The file lists one of them twice.
    let hidden = expected["annotations"]["hidden"].as_array().expect("a list").iter();
    let hidden: BTreeSet<String> = hidden.filter(|entry| !entry.is_null()).map(Value::to_string).collect();
    assert_eq!(shown.total(), hidden.len());
    // The same applies to the stack charts once they are built.
    for (thread, _) in shown.threads() {
        index.charts().build(thread);
    }
    let shown = self::shown(&index, &notes, Arrangement::Stack);
    for (thread, _) in shown.threads() {
        let [_, calls] = shown.counts(thread);
        let chart = shown.chart(&index, Implementation::All, thread).expect("a chart");
        let left: usize = (0..chart.rows().len()).map(|row| chart.rows().row(row).len()).sum();
        assert_eq!(left + calls, chart.calls(index.profile()).len());
    }
    // The remaining entries are in rows without overlaps, and every row moved up as far as possible.
    for (thread, count) in shown.threads() {
        let data = index.profile().thread(thread);
        let layout = shown.layout(&index, Arrangement::Stack, thread).expect("rows");
        let rows: usize = (0..layout.rows.len()).map(|row| layout.rows.row(row).len()).sum();
        let [markers, calls] = shown.counts(thread);
        assert_eq!((rows + markers, markers + calls), (data.markers.len(), count));
        for row in 0..layout.rows.len() {
            let markers = layout.rows.row(row);
            let ends = markers.iter().map(|marker| data.markers.end(*marker));
            let starts = markers.iter().skip(1).map(|marker| data.markers.start(*marker));
            assert!(ends.zip(starts).all(|(end, start)| end <= start), "row {row}");
        }
    }
}

/// Names on each row of the only thread's stack chart.
fn call_rows(index: &Index, shown: &FilteredRows) -> Vec<String> {
    let profile = index.profile();
    let chart = shown.chart(index, Implementation::All, THREAD).expect("a chart");
    let calls = chart.calls(profile);
    let name = |call: &u32| profile.func_name(profile.stacks.func(calls.stack[*call as usize])).to_owned();
    let pyramids = chart.pyramids().expect("pyramids");
    assert_eq!(pyramids.len(), chart.rows().len());
    let rows = (0..chart.rows().len()).map(|row| chart.rows().row(row).iter().map(name).collect::<Vec<_>>().join(" "));
    rows.collect()
}

#[test]
fn callees_of_a_hidden_call_move_up() {
    let node = |id: u32, name: &str, children: &[u32]| {
        let frame = json!({"functionName": name, "scriptId": "1", "url": "u.js", "lineNumber": 1, "columnNumber": 0});
        json!({"id": id, "callFrame": frame, "children": children})
    };
    let nodes = [
        node(1, "(root)", &[2]),
        node(2, "a", &[3, 5]),
        node(3, "b", &[4]),
        node(4, "c", &[]),
        node(5, "c", &[6]),
        node(6, "c", &[]),
    ];
    let recording = json!({"nodes": nodes, "startTime": 1000, "endTime": 2000,
        "samples": [2, 3, 4, 3, 2, 5, 6, 5, 2, 1], "timeDeltas": [0, 100, 100, 100, 100, 100, 100, 100, 100, 100]});
    let profile = read_bytes(recording.to_string().into_bytes()).expect("a profile");
    let index = Index::build(Arc::new(profile), Arrangement::Stack);
    index.charts().build(THREAD);
    assert_eq!(call_rows(&index, &FilteredRows::default()), ["a", "b c", "c c"]);
    let chart = index.charts().if_built(THREAD).expect("a chart");
    let call = |row: usize, position: usize| CallRef {
        thread: THREAD,
        functions: Implementation::All,
        call: chart.rows().row(row)[position],
    };
    let note = |call: CallRef, part: Option<HiddenPart>| {
        let times = chart.times(index.profile(), call.call);
        let entry = Entry { place: EntryLocation::Call(call), name: String::new(), times, key: None };
        let kind = part.map_or(NoteKind::Hidden(entry.clone()), |part| NoteKind::HiddenAround(entry, part));
        Note { kind, text: String::new() }
    };
    for (of, part, expected) in [
        (call(1, 0), None, vec!["a", "c c", "c"]),
        (call(0, 0), None, vec!["b c", "c c"]),
        (call(0, 0), Some(HiddenPart::Children), vec!["a"]),
        (call(1, 1), Some(HiddenPart::Repeating), vec!["a", "b c", "c"]),
    ] {
        let shown = shown(&index, &[note(of, part)], Arrangement::Stack);
        assert_eq!(call_rows(&index, &shown), expected, "{part:?}");
    }
    let shown = shown(&index, &[note(call(1, 0), None)], Arrangement::Stack);
    assert!(shown.hides_call(call(1, 0)) && !shown.hides_call(call(1, 1)));
    assert_eq!((shown.inside_call(call(0, 0)), shown.counts(THREAD)), (1, [0, 1]));
}
