//! "Save range as recording": in the menu of the chart, in that of the recording, and in the palette.

use egui::accesskit::Role;
use egui::{Key, Modifiers, PointerButton};
use flowline::profile::{Ns, TimeRange};
use flowline::ui::AppRequest;
use flowline::view::Command;

use crate::harness::window::Window;

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
