//! Empty places say what is missing, why, and what helps.

use std::path::Path;
use std::sync::Arc;

use egui::accesskit::Role;
use egui::{Key, Modifiers, vec2};
use flowline::index::Index;
use flowline::ui::KeyMap;
use flowline::view::{Command, FlowLaneCommand};

use crate::harness::window::{Window, session};
use crate::recording::read_bytes;

fn window(text: &str) -> Window {
    let profile = Arc::new(read_bytes(text.as_bytes().to_vec()).expect("a trace"));
    let arrangement = profile.meta.arrangement();
    let index = Arc::new(Index::build(profile, arrangement));
    Window::showing(session(index, Path::new("a.json")), KeyMap::Flowline, vec2(1440.0, 900.0), 1.0)
}

const PLAIN: &str = r#"[{"ph":"X","name":"work","pid":1,"tid":1,"ts":0,"dur":90}]"#;

#[test]
fn a_search_without_hits_says_where_it_looked_and_can_be_cleared() {
    let mut window = window(PLAIN);
    window.apply(Command::Search("eventtiming".to_owned()));
    window.wait_for_search("eventtiming");
    window.settle();
    assert!(window.says("No marker matches “eventtiming”."), "{:#?}", window.texts());
    assert!(window.says("Searched names, categories, arguments and URLs in 1 thread."), "{:#?}", window.texts());
    window.click(Role::Button, "Clear search");
    window.settle();
    assert!(window.view().search.is_empty() && !window.says("No marker matches"));
}

#[test]
fn hidden_tracks_and_missing_flows_have_a_way_out() {
    let mut window = window(PLAIN);
    let thread = window.profile().threads_with_ids().next().expect("a thread").0;
    window.apply(Command::HideThread(thread));
    window.settle();
    assert!(window.says("All tracks are hidden."), "{:#?}", window.texts());
    window.click(Role::Button, "Show all tracks");
    window.settle();
    assert!(!window.says("All tracks are hidden."));
    window.apply(Command::FlowLane(FlowLaneCommand::Show(true)));
    window.settle();
    assert!(window.says("This recording has no flows."), "{:#?}", window.texts());
    window.click(Role::Button, "Show rows by name");
    window.settle();
    assert!(!window.view().flow_lanes.shown);
}

#[test]
fn empty_tables_have_an_action() {
    let mut window = window(PLAIN);
    for (key, modifiers, what) in [
        (Key::N, Modifiers::SHIFT, "This recording has no network requests."),
        (Key::K, Modifiers::SHIFT, "No critical path is shown."),
        (Key::T, Modifiers::SHIFT, "This recording has no flows."),
        (Key::N, Modifiers::COMMAND, "No notes yet."),
    ] {
        window.chord(modifiers, key);
        window.wait("the table", |window| !window.panels().is_busy());
        window.settle();
        assert!(window.says(what), "{what}: {:#?}", window.texts());
    }
    window.click(Role::Button, "Add note");
    window.settle();
    assert_eq!(window.view().notes.list.len(), 1);
}
