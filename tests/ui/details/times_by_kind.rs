//! The time of a marker by kind of work, in the details.

use std::path::Path;
use std::sync::Arc;

use crate::harness::window::{Window, session};
use egui::accesskit::Role;
use egui::vec2;
use flowline::import::{Progress, read};
use flowline::index::{Arrangement, Index};
use flowline::profile::MarkerId;
use flowline::ui::KeyMap;
use flowline::view::Command;

#[test]
fn idle_samples_are_no_kind_of_work() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/cases/numbers-idle-load.json");
    let text = std::fs::read(file).expect("the fixture");
    let profile = read(text, &Progress::default()).expect("a profile").profile;
    let index = Arc::new(Index::build(Arc::new(profile), Arrangement::Stack));
    let mut window = Window::showing(session(index, Path::new("")), KeyMap::Flowline, vec2(1440.0, 900.0), 1.0);
    // The document takes 800 ms to load. Its thread runs for 150 ms of these and is idle otherwise.
    window.apply(Command::Select(Some(MarkerId(0))));
    window.settle();
    assert!(window.has(Role::Label, "Scripting, 150.00 ms, 18.8%"), "{:#?}", window.texts());
    let idle = ["System, ", "Idle, "];
    let named = |text: &String| idle.iter().any(|kind| text.starts_with(kind));
    assert!(!window.texts().iter().any(named), "{:#?}", window.texts());
}
