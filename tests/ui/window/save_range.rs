//! "Save range as recording": in the menu of the chart, in that of the recording, and in the palette.

use egui::accesskit::Role;
use egui::{Key, Modifiers, PointerButton};
use flowline::profile::notes::{Note, NoteKind};
use flowline::profile::{Ns, TimeRange};
use flowline::ui::AppRequest;
use flowline::view::Command;

use crate::harness::window::{Window, near};

const ENTRY: &str = "Save range as recording…";
const TITLE: &str = "Save range as recording";

impl Window {
    /// Opens the context menu of the chart.
    fn open_chart_menu(&mut self) {
        let place = self.chart().center();
        self.pause();
        self.event(egui::Event::PointerMoved(place));
        for pressed in [true, false] {
            self.button(place, PointerButton::Secondary, pressed, Modifiers::NONE);
        }
        self.settle();
        assert!(!self.nodes_with_prefix(Role::Button, "Measure from here").is_empty(), "the menu is open");
    }

    /// Opens the dialog by the menu of the recording.
    fn press_recording_entry(&mut self) {
        let name = self.node_with_prefix(Role::Button, "Recording ").text;
        self.press(&name);
        self.press(ENTRY);
    }

    /// The entry, whose name can end with a key.
    fn save_entries(&self) -> usize {
        self.nodes_with_prefix(Role::Button, ENTRY).len()
    }

    /// Confirms the dialog; returns the length of the part that is to be written.
    fn saved_length(&mut self) -> String {
        assert!(self.says(TITLE), "{:#?}", self.texts());
        self.harness.state_mut().requests.clear();
        self.press("Save");
        let requests = self.harness.state().requests.clone();
        let [AppRequest::WritePart { path, part }] = &requests[..] else { panic!("{requests:?}") };
        assert!(path.file_name().is_some() && !part.range.is_empty());
        part.length.clone()
    }
}

#[test]
fn the_part_opens_at_its_range_with_the_notes() {
    let mut window = Window::example();
    let range = some_range(&window);
    window.apply(Command::SelectRange(Some(range)));
    window.press_recording_entry();
    assert!(!window.has(Role::CheckBox, "Keep the notes"), "there are none");
    window.key(Key::Escape);
    let note = Note { kind: NoteKind::Bookmark(range.start), text: "here".to_owned() };
    window.shell().session_mut().expect("a recording").set_notes(vec![note]);
    window.settle();
    window.press_recording_entry();
    assert!(window.get(Role::CheckBox, "Keep the notes").selected);
    window.harness.state_mut().requests.clear();
    window.press("Save");
    let requests = window.harness.state().requests.clone();
    let [AppRequest::WritePart { part, .. }] = &requests[..] else { panic!("{requests:?}") };
    assert!(part.keeps_notes && part.notes.len() == 1);
    // The part has the clock of the whole, so the whole stands for it.
    let mut opened = Window::example();
    let view = part.view.clone().expect("a view");
    opened.shell().show_view(&view);
    opened.settle();
    assert_eq!(opened.view().breadcrumbs.ranges(), [range]);
    near(&opened, opened.view().axis.visible().start.0, range.start.0, 1.0);
    near(&opened, opened.view().axis.visible().end.0, range.end.0, 1.0);
    assert_eq!(opened.view().range, None);
    opened.key(Key::Backspace);
    assert!(opened.view().breadcrumbs.ranges().is_empty(), "the rest is one step away");
}

/// A tenth of the recording.
fn some_range(window: &Window) -> TimeRange {
    let extent = window.session().index.extent();
    TimeRange {
        start: extent.start + Ns(extent.len() / 5),
        end: extent.start + Ns(extent.len() / 5 + extent.len() / 10),
    }
}

#[test]
fn the_menu_of_the_chart_offers_it_only_for_a_selected_range() {
    let mut window = Window::example();
    window.open_chart_menu();
    assert_eq!(window.save_entries(), 0, "without a range");
    window.key(Key::Escape);
    let range = some_range(&window);
    window.apply(Command::SelectRange(Some(range)));
    window.open_chart_menu();
    assert_eq!(window.save_entries(), 1, "{:#?}", window.texts());
    window.press(ENTRY);
    let length = window.view().clock().length(range.len());
    assert_eq!(window.saved_length(), length);
}

#[test]
fn the_menu_of_the_recording_and_the_palette_save_the_range_or_else_the_visible_part() {
    let mut window = Window::example();
    let range = some_range(&window);
    for selected in [None, Some(range)] {
        window.apply(Command::SelectRange(selected));
        let length = selected.unwrap_or_else(|| window.view().axis.visible().within(window.session().index.extent()));
        let length = window.view().clock().length(length.len());
        let name = window.node_with_prefix(Role::Button, "Recording ").text;
        window.press(&name);
        window.press(ENTRY);
        assert_eq!(window.saved_length(), length, "by the menu, {selected:?}");
        window.chord(Modifiers { ctrl: true, command: true, ..Modifiers::NONE }, Key::P);
        window.wait("the names", |window| !window.says("Collecting names"));
        window.type_text("save range as");
        window.key(Key::Enter);
        assert_eq!(window.saved_length(), length, "by the palette, {selected:?}");
    }
}

#[test]
fn private_content_is_removed_on_request_only() {
    let mut window = Window::example();
    for (name, expected) in
        [(None, [false, false]), (Some("Remove URLs"), [true, false]), (Some("Remove screenshots"), [false, true])]
    {
        window.press_recording_entry();
        for name in ["Remove URLs", "Remove screenshots"] {
            assert!(!window.get(Role::CheckBox, name).selected, "{name}");
        }
        if let Some(name) = name {
            window.click(Role::CheckBox, name);
            assert!(window.get(Role::CheckBox, name).selected, "{name}");
        }
        window.harness.state_mut().requests.clear();
        window.press("Save");
        let requests = window.harness.state().requests.clone();
        let [AppRequest::WritePart { part, .. }] = &requests[..] else { panic!("{requests:?}") };
        assert_eq!([part.removes_urls, part.removes_screenshots], expected);
    }
}
