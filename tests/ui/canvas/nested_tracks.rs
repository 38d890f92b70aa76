//! Tracks below threads: indentation, folding, hiding and names.

use std::cmp::Ordering;

use egui::accesskit::Role;
use flowline::profile::ThreadId;
use flowline::view::{Command, TrackRef};

use super::chrome::window;
use crate::harness::window::{Window, found};

/// A thread with a slice and a track, and a thread that only contains a track.
const TRACE: &str = r#"[
{"ph":"M","name":"process_name","pid":7,"args":{"name":"app"}},
{"ph":"M","name":"thread_name","pid":7,"tid":7,"args":{"name":"main"}},
{"ph":"M","name":"thread_name","pid":7,"tid":9,"args":{"name":"silent"}},
{"ph":"M","name":"thread_name","pid":7,"tid":"track 1","args":{"name":"Lane"}},
{"ph":"M","name":"named_track","pid":7,"tid":"track 1","args":{"parent":7}},
{"ph":"M","name":"thread_name","pid":7,"tid":"track 2","args":{"name":"Lane"}},
{"ph":"M","name":"named_track","pid":7,"tid":"track 2","args":{"parent":9}},
{"ph":"X","name":"task","cat":"c","pid":7,"tid":7,"ts":1000,"dur":500},
{"ph":"b","name":"first","cat":"c","id2":{"track":"0x1"},"pid":7,"tid":"track 1","ts":1100},
{"ph":"e","name":"first","cat":"c","id2":{"track":"0x1"},"pid":7,"tid":"track 1","ts":1200},
{"ph":"b","name":"second","cat":"c","id2":{"track":"0x2"},"pid":7,"tid":"track 2","ts":1300},
{"ph":"e","name":"second","cat":"c","id2":{"track":"0x2"},"pid":7,"tid":"track 2","ts":1400}]"#;

fn says(window: &Window, part: &str) -> bool {
    !window.nodes_with_prefix(Role::DisclosureTriangle, part).is_empty()
}

fn thread_named(window: &Window, long_name: &str) -> ThreadId {
    let profile = window.profile();
    let mut all = profile.threads_with_ids().map(|(id, _)| id);
    all.find(|id| profile.long_name(*id) == long_name).expect("the thread exists")
}

#[test]
fn tracks_are_listed_and_indented_below_their_threads() {
    let window = window(TRACE);
    let profile = window.profile();
    assert_eq!((profile.thread_count(), profile.threads.len()), (2, 4));
    for heading in ["Thread main, 1 marker, expanded", "Track Lane of main, 1 marker", "Track Lane of silent, 1 marker"]
    {
        assert!(says(&window, heading), "{heading} in {:?}", window.texts());
    }
    let input = window.session().scene_input();
    let headings = input.visible_items().iter().filter(|item| matches!(item.kind.track(), Some(TrackRef::Thread(_))));
    let labels: Vec<(String, f32)> =
        headings.map(|item| item.kind.label(&input)).map(|label| (label.text, label.indent)).collect();
    let thread = labels[0].1;
    assert!(thread > 0.0, "threads are indented below their process");
    let compared: Vec<(&str, Ordering)> =
        labels.iter().map(|(text, indent)| (text.as_str(), indent.total_cmp(&thread))).collect();
    let (same, deeper) = (Ordering::Equal, Ordering::Greater);
    assert_eq!(compared, [("main", same), ("Lane", deeper), ("silent", same), ("Lane", deeper)]);
}

#[test]
fn collapsing_or_hiding_a_thread_does_the_same_to_the_tracks_below_it() {
    let mut window = window(TRACE);
    let heading = window.node_with_prefix(Role::DisclosureTriangle, "Thread main");
    window.click_at(heading.rect.center());
    assert!(says(&window, "Thread main, 2 markers, collapsed"), "it counts as the track, too: {:?}", window.texts());
    assert!(!says(&window, "Track Lane of main") && says(&window, "Track Lane of silent"));
    // Revealing a track expands its thread.
    let lane = thread_named(&window, "main: Lane");
    window.apply(Command::RevealTrack(TrackRef::Thread(lane)));
    window.settle();
    assert!(says(&window, "Thread main, 1 marker, expanded") && says(&window, "Track Lane of main"));
    let heading = window.node_with_prefix(Role::DisclosureTriangle, "Thread main");
    window.choose(&heading, "Hide this thread");
    assert!(!says(&window, "Thread main") && !says(&window, "Track Lane of main"));
    window.apply(Command::ShowAll);
    window.settle();
    // The tracks of a hidden thread can be shown without it.
    let main = thread_named(&window, "main");
    window.apply(Command::HideThread(main));
    window.apply(Command::ShowThread(lane));
    window.settle();
    assert!(!says(&window, "Thread main") && says(&window, "Track Lane of main"), "{:?}", window.texts());
}

#[test]
fn tracks_with_the_same_name_are_found_by_their_threads() {
    let window = window(TRACE);
    let profile = window.profile();
    let lanes = ["main: Lane", "silent: Lane"].map(|name| thread_named(&window, name));
    for (query, expected) in [("thread:Lane", [1, 1]), ("thread:\"main: Lane\"", [1, 0]), ("thread:silent", [0, 1])] {
        let hits = found(&profile, query);
        assert_eq!(lanes.map(|lane| hits.thread(lane).len()), expected, "{query}");
    }
    assert_eq!(profile.thread_title(lanes[0]), "main: Lane (app 7)");
}
