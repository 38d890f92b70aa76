//! Hidden threads and the order of tracks in a copy of a trace.

use std::path::Path;
use std::sync::Arc;

use egui::vec2;
use flowline::app::AnnotatedTrace;
use flowline::index::{Arrangement, Index};
use flowline::profile::ThreadId;
use flowline::scene::ItemKind;
use flowline::ui::KeyMap;
use flowline::view::Command;

use crate::harness::window::{Window, session};
use crate::recording::read_bytes;

fn window(trace: Vec<u8>) -> Window {
    let index = Arc::new(Index::build(Arc::new(read_bytes(trace).expect("a trace")), Arrangement::Stack));
    Window::showing(session(index, Path::new("")), KeyMap::Flowline, vec2(1440.0, 900.0), 1.0)
}

fn names(window: &Window) -> Vec<String> {
    let profile = window.profile();
    let thread = |item: &flowline::scene::Item| match item.kind {
        ItemKind::Thread(heading) => Some(profile.thread(heading.thread).name.to_string()),
        _ => None,
    };
    window.session().list().items().iter().filter_map(thread).collect()
}

/// The trace with the notes and the arrangement of a window.
fn saved(window: &Window) -> Vec<u8> {
    let view = window.harness.state().shell.saved_view().expect("a view");
    let (index, notes) = (&window.session().index, &window.view().notes.list);
    let trace = AnnotatedTrace::new(index, notes, view.arrangement().as_deref()).expect("a trace");
    let mut text = Vec::new();
    trace.write(&mut text).expect("written");
    text
}

#[test]
fn a_copy_of_a_trace_opens_with_its_hidden_and_moved_tracks() {
    let mut events = Vec::new();
    for (tid, name) in [(1, "One"), (2, "Two"), (3, "Three"), (4, "Four")] {
        events.push(format!(
            r#"{{"name":"thread_name","ph":"M","pid":1,"tid":{tid},"args":{{"name":"{name}"}}}},
               {{"name":"work","ph":"X","pid":1,"tid":{tid},"ts":{tid}00,"dur":5000}}"#
        ));
    }
    let plain = format!("[{}]", events.join(",")).into_bytes();
    let mut first = window(plain);
    let before = names(&first);
    assert_eq!(before.len(), 4);
    assert_eq!(first.harness.state().shell.saved_view().and_then(|view| view.arrangement()), None, "as it opens");
    let thread = |window: &Window, name: &str| -> ThreadId {
        let profile = window.profile();
        let mut threads = profile.threads_with_ids();
        threads.find(|(_, thread)| thread.name == name).expect("a thread").0
    };
    let hidden = thread(&first, &before[1]);
    first.apply(Command::HideThread(hidden));
    let pinned = thread(&first, &before[3]);
    first.apply(Command::TogglePinnedThread(pinned));
    let arranged = names(&first);
    assert_eq!(arranged.len(), 3);
    assert_ne!(arranged, before);
    let copy = window(saved(&first));
    assert_eq!(names(&copy), arranged);
    // A second copy of the copy has it, too.
    assert_eq!(names(&window(saved(&copy))), arranged);
}
