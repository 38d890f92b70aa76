//! Notes by keyboard only, with screen reader texts: adding, editing, undo, the list, links, deleting.

use egui::accesskit::Role;
use egui::{Key, Modifiers, pos2};
use flowline::profile::notes::{Entry, EntryLocation, Note, NoteKind};
use flowline::profile::{Ns, TimeRange};
use flowline::ui::TableKind;
use flowline::view::{Command, NoteCommand};

use crate::harness::window::Window;

impl Window {
    fn notes(&self) -> Vec<(NoteKind, String)> {
        self.view().notes.list.iter().map(|note| (note.kind.clone(), note.text.clone())).collect()
    }

    fn write_note(&mut self, text: &str) {
        assert!(self.has(Role::TextInput, "Note text"), "the note text field is open");
        self.type_text(text);
        self.key(Key::Enter);
        self.settle();
        assert!(!self.has(Role::TextInput, "Note text"));
    }
}

#[test]
fn notes_match_the_selection_and_can_be_undone() {
    let mut window = Window::tall();
    let (marker, place) = window.marker_with_fields();
    window.apply(Command::Reveal(marker));
    window.settle();
    window.key(Key::N);
    window.write_note("slow here");
    let notes = window.notes();
    assert!(
        matches!(&notes[..], [(NoteKind::Label(entry), text)] if entry.marker() == Some(marker) && text == "slow here")
    );
    let spoken: Vec<String> =
        window.nodes().iter().filter(|node| node.role == Role::Note).map(|node| node.text.clone()).collect();
    assert!(
        matches!(&spoken[..], [text] if text.starts_with("Label on ") && text.ends_with(": slow here")),
        "{spoken:?}"
    );

    // N on the same marker edits its label; Escape keeps the label unchanged.
    window.key(Key::N);
    window.type_text("er");
    window.key(Key::Escape);
    assert_eq!(window.notes()[0].1, "slow here");

    let times = window.view().times_of(marker).expect("a marker");
    window.apply(Command::Select(None));
    let range = TimeRange { end: times.start + flowline::profile::Ns(1_000_000), ..times };
    window.apply(Command::SelectRange(Some(range)));
    window.key(Key::N);
    window.write_note("a range");
    assert_eq!(window.notes()[1], (NoteKind::Range(range), "a range".to_owned()));

    window.apply(Command::SelectRange(None));
    window.point_at(pos2(place.x + 30.0, place.y));
    window.key(Key::N);
    window.write_note("here");
    let NoteKind::Bookmark(time) = window.notes()[2].0 else { panic!("a bookmark") };
    crate::harness::window::near(&window, time.0, window.time_at(place.x + 30.0), 1.0);

    window.chord(Modifiers::COMMAND, Key::Z);
    assert_eq!(window.notes().len(), 2, "a bookmark and its text are one step");
    window.chord(Modifiers::COMMAND | Modifiers::SHIFT, Key::Z);
    assert_eq!(window.notes()[2].1, "here");

    // The list contains all notes in time order.
    window.chord(Modifiers::COMMAND, Key::N);
    assert_eq!(window.shell().state.table, Some(TableKind::Notes));
    window.settle();
    let is_note = |text: &String| ["slow here", "a range", "here"].iter().any(|note| text.ends_with(note));
    let rows: Vec<String> = window.items(Role::Row).into_iter().map(|node| node.text).filter(is_note).collect();
    assert_eq!(rows.len(), 3, "{rows:?}");
    assert!(rows.iter().any(|row| row.contains("slow here")) && rows.iter().any(|row| row.contains("a range")));
    window.key(Key::Delete);
    assert_eq!(window.notes().len(), 2, "the cursor's note is deleted");
    window.chord(Modifiers::COMMAND, Key::Z);
    assert_eq!(window.notes().len(), 3);
}

#[test]
fn two_markers_can_be_linked_by_keys() {
    let mut window = Window::tall();
    let (first, _) = window.marker_with_fields();
    window.apply(Command::Reveal(first));
    window.chord(Modifiers::ALT, Key::N);
    assert!(window.view().notes.link_from.is_some());
    let second =
        window.hoverable_markers().iter().map(|(marker, _)| *marker).find(|marker| *marker != first).expect("another");
    window.apply(Command::Reveal(second));
    window.chord(Modifiers::ALT, Key::N);
    window.key(Key::Escape);
    let notes = window.notes();
    assert!(
        matches!(&notes[..], [(NoteKind::Link(from, to), _)] if (from.marker(), to.marker()) == (Some(first), Some(second))),
        "{notes:?}"
    );
}

#[test]
fn a_note_refers_to_the_last_selection() {
    let mut window = Window::example();
    let (marker, _) = window.marker_with_fields();
    let range = TimeRange::new(window.view().axis.visible().start, window.view().axis.visible().end);
    window.apply(Command::Select(Some(marker)));
    window.apply(Command::SelectRange(Some(range)));
    assert_eq!(window.session().note_for_selection(Ns(0)).kind, NoteKind::Range(range));
    window.apply(Command::Select(Some(marker)));
    assert!(matches!(window.session().note_for_selection(Ns(0)).kind, NoteKind::Label(_)));
}

#[test]
fn the_list_goes_to_a_range_that_only_touches_the_view() {
    let mut window = Window::example();
    let visible = window.view().axis.visible();
    let range = TimeRange::new(visible.start + Ns(visible.len() / 4), visible.start + Ns(visible.len() / 2));
    let note = Note { kind: NoteKind::Range(range), text: "touching".into() };
    window.apply(Command::Note(NoteCommand::Add(note)));
    window.key(Key::Escape);
    window.apply(Command::Show(TimeRange::new(range.end, range.end + Ns(range.len()))));
    assert!(!window.has(Role::Note, "touching"), "a visible end alone shows no label");
    let id = window.view().notes.by_time()[0];
    window.apply(Command::RevealNote(id));
    window.wait("the end of the motion", |window| !window.view().is_moving());
    let shown = window.view().axis.visible();
    assert!(shown.start <= range.start && shown.end >= range.end, "{shown:?} {range:?}");
}

/// A note of which only the times are known, such as one of a frame, shows nothing of the item before.
#[test]
fn a_note_with_times_only_leaves_no_other_item_in_the_details() {
    let mut window = Window::example();
    let (marker, _) = window.marker_with_fields();
    let times = window.view().times_of(marker);
    let entry = Entry { place: EntryLocation::Times, name: "Frame".into(), times, key: None };
    window.apply(Command::Note(NoteCommand::Add(Note { kind: NoteKind::Label(entry), text: "a frame".into() })));
    window.apply(Command::Reveal(marker));
    window.settle();
    assert!(window.details_of(marker));
    window.apply(Command::RevealNote(flowline::view::NoteId(0)));
    window.settle();
    assert!(window.view().selected.is_none() && !window.details_of(marker), "{:#?}", window.texts());
}
