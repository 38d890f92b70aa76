//! Presets: the dialog, the menu *View*, the finder, and undo.

use egui::accesskit::Role;
use egui::{Key, Modifiers};
use flowline::profile::ThreadId;
use flowline::view::{Command, PresetThreads};

use crate::harness::window::Window;

fn opened() -> Window {
    let mut window = Window::example();
    open_dialog(&mut window);
    window
}

fn open_dialog(window: &mut Window) {
    choose_in_finder(window, "presets");
    assert!(window.has(Role::Button, "Close Presets"), "{:#?}", window.texts());
}

fn choose_in_finder(window: &mut Window, text: &str) {
    window.chord(Modifiers::COMMAND, Key::P);
    window.settle();
    window.type_text(text);
    window.settle();
    window.key(Key::Enter);
    window.settle();
}

/// Saves the view under a name; the dialog is open and its field has the focus.
fn save(window: &mut Window, name: &str) {
    window.type_text(name);
    window.key(Key::Enter);
    window.settle();
}

fn names(window: &mut Window) -> Vec<String> {
    window.shell().presets.iter().map(|preset| preset.name.clone()).collect()
}

fn hidden(window: &Window) -> Vec<u32> {
    window.view().tracks.hidden.iter().map(|thread| thread.0).collect()
}

#[test]
fn a_view_is_saved_shown_and_undone() {
    let mut window = Window::example();
    window.apply(Command::HideThread(ThreadId(1)));
    window.apply(Command::Search("paint".to_owned()));
    window.settle();
    let own = hidden(&window);
    open_dialog(&mut window);
    assert!(window.says("This view: search “paint”, all threads but those of 1 name"), "{:#?}", window.texts());
    save(&mut window, "Painting");
    assert_eq!(names(&mut window), ["Painting"]);
    let preset = window.shell().presets.iter().next().cloned().expect("a preset");
    assert!(matches!(&preset.threads, PresetThreads::AllBut(names) if names.len() == 1), "{preset:?}");
    assert!(window.says("Shown: search “paint”, all threads but those of 1 name"), "{:#?}", window.texts());
    window.click(Role::Button, "Close");
    window.settle();

    window.apply(Command::ShowAll);
    window.apply(Command::Search(String::new()));
    window.settle();
    window.click(Role::Button, "View");
    window.settle();
    window.click(Role::Button, "Presets");
    window.settle();
    window.click(Role::CheckBox, "Painting");
    window.settle();
    assert_eq!((hidden(&window), window.view().search.as_str()), (own.clone(), "paint"));
    window.key(Key::Escape);
    window.settle();
    window.apply(Command::Undo);
    assert_eq!((hidden(&window), window.view().search.as_str()), (Vec::new(), ""));
    choose_in_finder(&mut window, "Painting");
    assert_eq!((hidden(&window), window.view().search.as_str()), (own, "paint"));
}

#[test]
fn presets_are_renamed_replaced_deleted_and_restored() {
    let mut window = opened();
    save(&mut window, "b");
    save(&mut window, "a");
    assert_eq!(names(&mut window), ["a", "b"]);

    window.click(Role::Button, "Rename b");
    window.settle();
    window.type_text("a");
    window.settle();
    assert!(window.says("Another preset has this name."), "{:#?}", window.texts());
    window.key(Key::Enter);
    window.settle();
    assert_eq!(names(&mut window), ["a", "b"], "a name is not taken twice");
    window.click(Role::Button, "Rename b");
    window.settle();
    window.type_text("c");
    window.key(Key::Enter);
    window.settle();
    assert_eq!(names(&mut window), ["a", "c"]);

    window.apply(Command::Search("style".to_owned()));
    window.settle();
    window.click(Role::TextInput, "Name of the preset");
    window.type_text("c");
    window.settle();
    window.click(Role::Button, "Replace");
    window.settle();
    let searches: Vec<String> = window.shell().presets.iter().map(|preset| preset.search.clone()).collect();
    assert_eq!(searches, ["", "style"]);

    window.click(Role::Button, "Delete c");
    window.settle();
    assert_eq!(names(&mut window), ["a"]);
    assert!(window.says("Deleted “c”"), "{:#?}", window.texts());
    window.click(Role::Button, "Restore");
    window.settle();
    assert_eq!(names(&mut window), ["a", "c"]);
    assert!(!window.says("Deleted “c”"));
}

#[test]
fn escape_ends_typing_and_then_closes_the_dialog() {
    let mut window = opened();
    window.type_text("x");
    window.key(Key::Escape);
    window.settle();
    assert!(window.has(Role::Button, "Close Presets"));
    window.key(Key::Escape);
    window.settle();
    assert!(!window.has(Role::Button, "Close Presets"));
    open_dialog(&mut window);
    save(&mut window, "after");
    assert_eq!(names(&mut window), ["after"], "what was typed before was not saved");
}
