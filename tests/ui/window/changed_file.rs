//! The notice about a changed file of the open recording.

use std::path::Path;
use std::sync::Arc;

use egui::accesskit::Role;
use egui::{Key, vec2};
use flowline::index::Index;
use flowline::profile::{Arrangement, MarkerId};
use flowline::ui::{AppRequest, KeyMap};
use flowline::view::Command;

use crate::harness::window::{Window, session};

const NOTICE: &str = "The file has changed. Press F5 to reload it.";

fn changed() -> Window {
    let mut window = Window::example();
    let path = std::path::PathBuf::from("/recordings/t.json");
    if let Some(session) = window.shell().session_mut() {
        session.path.clone_from(&path);
    }
    window.shell().file_changed(std::path::Path::new("/recordings/other.json"));
    window.settle();
    assert!(!window.says(NOTICE), "another file");
    window.shell().file_changed(&path);
    window.settle();
    assert!(window.says(NOTICE));
    window
}

#[test]
fn a_changed_file_is_reloaded_on_request() {
    let reload = [AppRequest::OpenFile("/recordings/t.json".into())];
    let mut window = changed();
    window.click(Role::Button, "Reload");
    window.settle();
    assert_eq!(window.harness.state().requests, reload);
    assert!(!window.says(NOTICE));
    let mut window = changed();
    window.harness.key_press(Key::F5);
    window.settle();
    assert_eq!(window.harness.state().requests, reload);
}

#[test]
fn the_notice_can_be_dismissed() {
    for key in [false, true] {
        let mut window = changed();
        if key {
            window.harness.key_press(Key::Escape);
        } else {
            window.click(Role::Button, "Dismiss");
        }
        window.settle();
        assert!(!window.says(NOTICE) && window.harness.state().requests.is_empty());
        assert!(!window.shell().panes.is_empty(), "the recording stays open");
    }
}

#[test]
fn missing_fields_of_a_changed_file_are_reported() {
    // Uses a separate recording, because all tests share the example.
    let text = br#"[{"ph":"X","name":"a","ts":1,"dur":2,"pid":1,"tid":1,"args":{"url":"x"}}]"#.to_vec();
    let imported = flowline::import::read(text, &flowline::import::Progress::default()).expect("a trace");
    let index = Arc::new(Index::build(Arc::new(imported.profile), Arrangement::Stack));
    let mut window = Window::showing(session(index, Path::new("")), KeyMap::Flowline, vec2(1200.0, 700.0), 1.0);
    window.apply(Command::Select(Some(MarkerId(0))));
    window.settle();
    let missing = "The file has changed. Fields that were not loaded before are missing.";
    assert!(!window.says(missing));
    window.profile().source.set_changed();
    window.settle();
    assert!(window.says(missing));
}
