//! Chrome traces in the window: names in the label column, arrows of the selected slice, category filters.

use std::path::Path;
use std::sync::Arc;

use egui::accesskit::Role;
use egui::vec2;
use flowline::import::{Progress, read};
use flowline::index::{Arrangement, Index};
use flowline::profile::{MarkerId, Ns};
use flowline::scene::{LinkInstance, LinkKind, Scene};
use flowline::ui::KeyMap;
use flowline::view::Command;

use crate::harness::window::{Window, session};

/// Two threads, a flow from the middle of a slice on one to a slice on the other, an operation, instants of all scopes.
const TRACE: &str = r#"[
{"ph":"M","name":"process_name","pid":7,"args":{"name":"Browser"}},
{"ph":"M","name":"thread_name","pid":7,"tid":7,"args":{"name":"Main"}},
{"ph":"X","name":"outer","cat":"a,b","pid":7,"tid":7,"ts":1000,"dur":500},
{"ph":"X","name":"inner","cat":"cc","pid":7,"tid":7,"ts":1100,"dur":200},
{"ph":"s","name":"flow","cat":"f","id":"0x1","pid":7,"tid":7,"ts":1200},
{"ph":"f","name":"flow","cat":"f","id":"0x1","bp":"e","pid":7,"tid":8,"ts":1600},
{"ph":"X","name":"target","cat":"c","pid":7,"tid":8,"ts":1500,"dur":300},
{"ph":"b","name":"load","cat":"n","id":1,"pid":7,"tid":8,"ts":1000},
{"ph":"e","name":"load","cat":"n","id":1,"pid":7,"tid":8,"ts":1900},
{"ph":"I","name":"all","cat":"a","pid":7,"tid":7,"ts":1050,"s":"g"}]"#;

pub(super) fn window(trace: &str) -> Window {
    let profile = read(trace.as_bytes().to_vec(), &Progress::default()).expect("a trace").profile;
    let arrangement = profile.meta.arrangement();
    let index = Arc::new(Index::build(profile.into(), arrangement));
    Window::showing(session(index, Path::new("trace.json")), KeyMap::Flowline, vec2(1440.0, 900.0), 1.0)
}

fn named(window: &Window, name: &str) -> MarkerId {
    let profile = window.profile();
    let all = profile.threads_with_ids().flat_map(|(id, thread)| {
        (0..thread.markers.len()).map(move |at| (id, flowline::profile::LocalMarker::new(at)))
    });
    let (thread, local) =
        all.into_iter().find(|(id, at)| profile.marker_name(*id, *at) == name).expect("the marker exists");
    profile.thread(thread).global(local)
}

#[test]
fn a_trace_opens_as_stacks_with_its_own_names() {
    let window = window(TRACE);
    assert_eq!(window.view().arrangement, Arrangement::Stack);
    for (part, role) in [
        ("Whole recording, expanded", Role::DisclosureTriangle),
        ("Thread Global instants, 1 marker, expanded", Role::DisclosureTriangle),
        ("Process Browser, pid 7, expanded", Role::DisclosureTriangle),
        ("Thread Main, 2 markers, expanded", Role::DisclosureTriangle),
        ("load, n, 1 marker", Role::Label),
    ] {
        assert!(window.has(role, part), "{part} in {:?}", window.texts());
    }
}

#[test]
fn the_selected_slice_shows_its_flow_arrow() {
    let mut window = window(TRACE);
    let arrows = |window: &Window| {
        let mut scene = Scene::default();
        let frame = scene.build(&window.session().scene_input());
        let links = frame.batches_of::<LinkInstance>().flat_map(|(_, links)| links.to_vec());
        let curves = links.filter(|link| link.kind == LinkKind::Curve as u32);
        curves.filter(|link| link.color == frame.palette.flow).collect::<Vec<_>>()
    };
    assert!(arrows(&window).is_empty(), "nothing is selected");
    for name in ["inner", "target"] {
        let marker = named(&window, name);
        window.apply(Command::Select(Some(marker)));
        let found = arrows(&window);
        assert_eq!(found.len(), 1, "{name}");
        // The arrow connects the times of the two steps, not the starts of the slices.
        let chart = window.session().canvas.regions.chart;
        #[expect(clippy::cast_possible_truncation, reason = "pixels")]
        let at = |us: i64| chart.x + window.view().axis.pixel(Ns(us * 1_000)) as f32;
        let (from, to) = (found[0].from[0], found[0].to[0]);
        assert!((from - at(1_200)).abs() < 1.5 && to < at(1_600) && to > at(1_600) - 20.0, "{from} to {to}");
        assert!(found[0].from[1] < found[0].to[1], "the target's thread is below");
    }
    let other = named(&window, "outer");
    window.apply(Command::Select(Some(other)));
    assert!(arrows(&window).is_empty(), "the outer slice has no flow of its own");
}

#[test]
fn the_table_shows_the_first_arguments() {
    let mut window = window(&TRACE.replace(r#""ts":1500,"#, r#""ts":1500,"args":{"url":"u","data":{"a":[1]}},"#));
    window.key(egui::Key::T);
    window.wait("the table's rows", |window| window.says("url: u, data: {a: [1]}"));
}

#[test]
fn categories_can_be_unchecked_and_checked() {
    let mut window = window(TRACE);
    window.press("View");
    window.press("Categories");
    for name in ["a", "b", "c", "cc", "f", "n"].into_iter().filter(|name| *name != "f") {
        assert!(window.has(Role::CheckBox, name), "{name}");
    }
    window.click(Role::CheckBox, "c");
    assert_eq!(window.view().search, "-cat:=c");
    window.wait_for_search("-cat:=c");
    let hits = window.session().hits().expect("a search").total();
    assert_eq!(hits, 4, "target is excluded, the slice in category cc is not");
}

#[test]
fn distant_markers_do_not_leave_the_initial_view_empty() {
    let mut events: Vec<String> = (0..300)
        .map(|at| format!(r#"{{"ph":"X","name":"a","pid":1,"tid":1,"ts":{},"dur":5}}"#, 9_000_000_000_i64 + at * 10))
        .collect();
    events.push(r#"{"ph":"X","name":"far","pid":1,"tid":2,"ts":5,"dur":5}"#.to_owned());
    let mut window = window(&format!("[{}]", events.join(",")));
    let shown = window.view().axis.visible();
    assert!(shown.len() < 10_000_000 && shown.start.0 > 8_999_000_000_000, "{shown:?}");
    window.key(egui::Key::Num0);
    window.settle();
    assert!(window.view().axis.visible().start.0 <= 5_000, "one key shows everything");
}
