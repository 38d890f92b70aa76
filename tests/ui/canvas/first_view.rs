//! What a recording shows when it opens: samples without times, empty recordings.

use std::path::Path;
use std::sync::Arc;

use egui::vec2;
use flowline::import::{Progress, read};
use flowline::index::Index;
use flowline::ui::{KeyMap, TableKind};

use crate::harness::window::{Window, session};

fn window_of(text: &str, height: f32) -> Window {
    let profile = read(text.as_bytes().to_vec(), &Progress::default()).expect("a recording").profile;
    let arrangement = profile.meta.arrangement();
    let index = Arc::new(Index::build(profile.into(), arrangement));
    Window::showing(session(index, Path::new("recording.json")), KeyMap::Flowline, vec2(1440.0, height), 1.0)
}

#[test]
fn samples_without_times_open_as_a_flame_graph_in_samples() {
    let window = window_of("main;parse 30\nmain;layout 4\nmain;parse;read 1\n", 900.0);
    assert_eq!(window.table(), Some(TableKind::Flame));
    assert!(!window.texts().iter().any(|text| text.contains("µs")), "no invented unit: {:#?}", window.texts());
    assert!(window.says("35 samples"), "{:#?}", window.texts());
}

#[test]
fn a_recording_without_contents_says_so() {
    let window = window_of(r#"[{"ph":"M","name":"process_name","pid":1,"args":{"name":"Empty"}}]"#, 700.0);
    assert!(window.says("This recording has no markers, samples or counters."), "{:#?}", window.texts());
}
