//! Empty places say what is missing, why, and what helps.

use std::path::Path;
use std::sync::Arc;

use egui::accesskit::Role;
use egui::{Key, Modifiers, vec2};
use flowline::index::Index;
use flowline::profile::{Ns, TimeRange};
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

/// Work at the start and at the end of ten seconds.
const APART: &str = r#"[{"name":"early","ph":"X","pid":1,"tid":1,"ts":0,"dur":1000},
    {"name":"late","ph":"X","pid":1,"tid":2,"ts":9000000,"dur":1000000}]"#;

#[test]
fn a_range_without_contents_leads_to_the_markers_around_it() {
    let mut window = window(APART);
    assert!(!window.says("Nothing in this range"), "the whole recording has contents");
    let start = window.session().index.extent().start;
    let show = |window: &mut Window, [from, to]: [i64; 2]| {
        let ms = |time: i64| start + Ns(time * 1_000_000);
        window.apply(Command::Show(TimeRange::new(ms(from), ms(to))));
        window.settle();
    };
    let is_empty = |window: &Window| window.says("Nothing in this range.");
    for (button, name) in [("Previous: early, ", "early"), ("Next: late, ", "late")] {
        show(&mut window, [1000, 2000]);
        window.wait("the notice", is_empty);
        let node = window.node_with_prefix(Role::Button, button);
        let distance = if name == "early" { "999.00 ms earlier" } else { "7.000 s later" };
        assert!(node.text.ends_with(distance), "{}", node.text);
        window.click_at(node.rect.center());
        let profile = window.profile();
        let (thread, local) = profile.locate(window.selected()).expect("a marker");
        assert_eq!(profile.marker_name(thread, local), name);
        window.wait("the contents", |window| !is_empty(window));
        let times = window.view().times_of(window.selected()).expect("a marker");
        let visible = window.view().axis.visible();
        assert!(visible.overlaps(times.start, times.end), "{button}");
    }
    // Near contents, there is no notice.
    show(&mut window, [8500, 9100]);
    window.pause();
    assert!(!is_empty(&window));
}

#[test]
fn a_range_is_not_empty_because_of_hidden_or_scrolled_tracks() {
    let mut window = window(APART);
    let start = window.session().index.extent().start;
    let late = TimeRange::new(start + Ns(9_100_000_000), start + Ns(9_200_000_000));
    window.apply(Command::Show(late));
    window.pause();
    assert!(!window.says("Nothing in this range"));
    let thread = window.profile().threads_with_ids().find(|(_, thread)| thread.tid == "2").expect("a thread").0;
    window.apply(Command::HideThread(thread));
    window.wait("the notice", |window| window.says("Nothing in this range."));
    assert!(window.says("Previous: early, 9.099 s earlier"), "{:#?}", window.texts());
    assert!(window.nodes_with_prefix(Role::Button, "Next: ").is_empty(), "hidden tracks do not count");
}
