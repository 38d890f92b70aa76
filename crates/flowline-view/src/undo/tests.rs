//! Random edits, undos and redos. The view must always equal the result of the edits that are not undone.

use super::*;
use crate::NoteId;
use crate::TrackId;
use crate::track_state::{QueryTrackCommand, SelectedTab, TrackRef};
use flowline_profile::notes::NoteKind;
use flowline_profile::{
    CategoryId, Direction, DisplayClock, GroupKind, LocalMarker, Marker, MarkerFlags, MarkerTable, Ns, PayloadRef,
    Process, ProcessId, Profile, StringId, TabId, Thread, ThreadId, TimeRange,
};

fn view() -> ViewState {
    let thread = |process: u32, first: u32| {
        let marker = |at: i64| Marker {
            start: Ns(at * 10),
            end: Ns(at * 10 + 5),
            name: StringId::default(),
            category: CategoryId::default(),
            kind: None,
            flags: MarkerFlags::default(),
            payload: PayloadRef::NONE,
            begin: PayloadRef::NONE,
            supplement: None,
        };
        let markers = MarkerTable::build(vec![marker(1), marker(2)]);
        Thread { process: ProcessId(process), markers, first_marker: MarkerId(first), ..Thread::default() }
    };
    let profile = Profile {
        processes: vec![Process::default(), Process::default()],
        threads: vec![thread(0, 0), thread(0, 2), thread(1, 4), thread(0, 6)],
        ..Profile::default()
    };
    assert_eq!(profile.locate(MarkerId(3)), Some((ThreadId(1), LocalMarker::new(1))));
    ViewState::new(Arc::new(profile), TimeRange::new(Ns(0), Ns(1000)), 500.0)
}

/// All state that edits change.
fn state(view: &ViewState) -> (Tracks, Vec<Note>, Vec<FlowId>, Option<MarkerId>, DisplayClock) {
    let mut tracks = Tracks::default();
    tracks.restore(&view.tracks);
    let notes = view.notes.list.to_vec();
    (tracks, notes, view.flows.pinned.clone(), view.zero, view.clock())
}

fn edit(random: &mut fastrand::Rng) -> Command {
    let thread = ThreadId(random.u32(..4));
    let process = ProcessId(random.u32(..2));
    let track = |random: &mut fastrand::Rng| match random.bool() {
        true => TrackRef::Thread(ThreadId(random.u32(..4))),
        false => TrackRef::Process(ProcessId(random.u32(..2))),
    };
    let note = NoteId(random.usize(..3));
    match random.u8(..27) {
        24 => Command::QueryTrack(QueryTrackCommand::Add { name: "track".into(), sql: "SELECT 1".into() }),
        25 => Command::QueryTrack(QueryTrackCommand::Remove(random.u32(..2))),
        26 => Command::QueryTrack(QueryTrackCommand::Rename(random.u32(..2), random.u8(..3).to_string())),
        0 => Command::ToggleProcess(process),
        1 => Command::ToggleThread(thread),
        2 => Command::ToggleGroup(thread, GroupKind::Name(StringId(random.u32(..2)))),
        3 => Command::ToggleMoreGroups(thread),
        4 => Command::HideEmptyRows(random.bool()),
        5 => Command::ToggleFlowTrack(random.u32(..2)),
        6 => Command::ToggleCounters(Some(process)),
        7 => Command::ToggleTrack(TrackId::new("network", process.0)),
        8 => Command::ToggleEmpty(process),
        9 => Command::ShowAllMarkers(random.bool()),
        10 => Command::HideThread(thread),
        11 => Command::ShowOnly(thread),
        12 => Command::ShowThread(thread),
        13 => Command::HideProcess(process),
        14 if random.bool() => Command::ShowAll,
        14 => {
            let tab = SelectedTab { id: TabId(random.i64(..3)), hidden: [thread].into() };
            Command::SelectTab(random.bool().then_some(tab))
        }
        15 => Command::ShowThreads(vec![thread]),
        16 => [Command::ExpandAll, Command::CollapseAll, Command::ResetOrder][random.usize(..3)].clone(),
        17 => Command::ToggleStackChart(thread),
        18 => {
            let side = if random.bool() { Direction::Back } else { Direction::Forward };
            Command::MoveTrack { track: track(random), beside: track(random), side }
        }
        19 => Command::TogglePinnedThread(thread),
        20 => Command::ZeroAt(random.bool().then(|| MarkerId(random.u32(..9)))),
        21 if random.u8(..4) == 0 => Command::Flow(FlowCommand::UnpinAll),
        21 => Command::Flow(FlowCommand::TogglePin(FlowId(random.u32(..3)))),
        22 => {
            let kind = NoteKind::Bookmark(Ns(random.i64(..5)));
            Command::Note(NoteCommand::Add(Note { kind, text: "x".into() }))
        }
        _ if random.bool() => Command::Note(NoteCommand::Edit(note, random.u8(..4).to_string())),
        _ => Command::Note(NoteCommand::Delete(note)),
    }
}

#[test]
fn the_view_equals_the_result_of_the_remaining_edits() {
    let mut random = fastrand::Rng::with_seed(31);
    for _ in 0..150 {
        let mut view = view();
        let (mut done, mut undone): (Vec<Command>, Vec<Command>) = (Vec::new(), Vec::new());
        for _ in 0..random.usize(1..40) {
            match random.u8(..10) {
                0..=2 => {
                    view.apply(Command::Undo);
                    undone.extend(done.pop());
                }
                3..=4 => {
                    view.apply(Command::Redo);
                    done.extend(undone.pop());
                }
                _ => {
                    let (before, edit) = (state(&view), edit(&mut random));
                    view.apply(edit.clone());
                    // A command without effect is not a step.
                    if state(&view) != before {
                        done.push(edit);
                        undone.clear();
                    }
                }
            }
            let mut replayed = self::view();
            done.iter().for_each(|command| replayed.apply(command.clone()));
            assert_eq!(state(&view), state(&replayed), "after {done:?}");
            assert_eq!(view.can_undo(), [!done.is_empty(), !undone.is_empty()]);
        }
    }
}

#[test]
fn notes_of_another_window_are_not_undone() {
    let bookmark = |time: i64| Note { kind: NoteKind::Bookmark(Ns(time)), text: String::new() };
    let times = |view: &ViewState| -> Vec<i64> {
        let time = |note: &Note| if let NoteKind::Bookmark(time) = note.kind { time.0 } else { -1 };
        view.notes.list.iter().map(time).collect()
    };
    let mut view = view();
    for time in [1, 2, 3] {
        view.apply(Command::Note(NoteCommand::Add(bookmark(time))));
    }
    assert_eq!(view.notes.asked, Some(NoteId(2)), "its text editor is open");
    view.apply(Command::Undo);
    // The other window has deleted the first and added two.
    view.merge_notes(&NoteChanges::between(&[bookmark(1)], &[bookmark(8), bookmark(9)]));
    assert_eq!(times(&view), [2, 8, 9]);
    view.apply(Command::Undo);
    assert_eq!(times(&view), [8, 9], "only changes of this window are undone");
    view.apply(Command::Redo);
    view.apply(Command::Redo);
    assert_eq!(times(&view), [2, 3, 8, 9]);
    view.apply(Command::Note(NoteCommand::Ask(Some(NoteId(1)))));
    view.merge_notes(&NoteChanges::between(&[bookmark(2)], &[bookmark(7)]));
    assert_eq!((times(&view), view.notes.asked), (vec![3, 8, 9, 7], Some(NoteId(0))), "the same note");
}

#[test]
fn adding_and_naming_a_note_is_one_step() {
    let note = |text: &str| Note { kind: NoteKind::Bookmark(Ns(1)), text: text.into() };
    let edit = |id: usize, text: &str| Command::Note(NoteCommand::Edit(NoteId(id), text.into()));
    let texts = |view: &ViewState| view.notes.list.iter().map(|note| note.text.to_string()).collect::<Vec<_>>();
    let mut view = view();
    view.apply(Command::Note(NoteCommand::Add(Note { kind: NoteKind::Bookmark(Ns(2)), text: "first".into() })));
    view.apply(Command::Note(NoteCommand::Add(note(""))));
    view.apply(edit(1, "named"));
    view.apply(edit(1, "renamed"));
    view.apply(Command::Undo);
    assert_eq!(texts(&view), ["first", "named"], "a later text is a step of its own");
    view.apply(Command::Undo);
    assert_eq!(texts(&view), ["first"], "no note without its name is restored");
    view.apply(Command::Redo);
    assert_eq!(texts(&view), ["first", "named"]);
    // A text that is added later, without the editor of the new note, is a step of its own.
    view.apply(Command::Undo);
    view.apply(Command::Note(NoteCommand::Add(note(""))));
    view.apply(Command::Note(NoteCommand::Ask(None)));
    view.apply(edit(1, "later"));
    view.apply(Command::Undo);
    assert_eq!(texts(&view), ["first", ""]);
}
