//! Keys that open tables move the focus there; copied links say what they contain.

use egui::accesskit::Role;
use egui::{Key, Modifiers};
use flowline::view::Command;

use crate::harness::window::Window;

#[test]
fn every_table_has_the_focus_when_a_key_opens_it() {
    for (modifiers, key) in [
        (Modifiers::NONE, Key::T),
        (Modifiers::NONE, Key::I),
        (Modifiers::SHIFT, Key::K),
        (Modifiers::SHIFT, Key::G),
        (Modifiers::NONE, Key::Y),
    ] {
        let mut window = Window::tall();
        let (marker, _) = window.marker_with_fields();
        window.apply(Command::Select(Some(marker)));
        window.chord(modifiers, key);
        let is_table = |window: &Window| !window.focused_tables().is_empty();
        window.wait(&format!("the focus after {key:?}"), is_table);
        window.key(Key::Escape);
        assert!(!is_table(&window), "Escape leaves the table of {key:?}");
    }
}

#[test]
fn a_link_without_the_notes_offers_one_with_them() {
    let mut window = Window::tall();
    let link = (Modifiers::COMMAND | Modifiers::CTRL | Modifiers::SHIFT, Key::C);
    window.chord(link.0, link.1);
    assert!(window.says("Copied a link that opens this view"), "{:#?}", window.texts());
    assert!(!window.has(Role::Button, "Copy with notes"));
    let (marker, _) = window.marker_with_fields();
    window.apply(Command::Select(Some(marker)));
    window.key(Key::N);
    window.type_text("look here");
    window.key(Key::Enter);
    window.key(Key::Escape);
    window.chord(link.0, link.1);
    assert!(window.says("without 1 note"), "{:#?}", window.texts());
    window.press("Copy with notes");
    window.settle();
    assert!(window.says("Copied a link that opens this view with notes"), "{:#?}", window.texts());
}
