//! The choice of a browser tab in the toolbar.

use std::path::Path;
use std::sync::Arc;

use egui::accesskit::Role;
use egui::vec2;
use flowline::index::{Arrangement, Index};
use flowline::profile::{TabId, ThreadId};
use flowline::ui::KeyMap;
use flowline::view::Command;

use crate::harness::window::{Window, session};
use crate::recording::read_bytes;

/// Two tabs: a.example in a private window, and b.example in the foreground.
const TABS: &str = include_str!("../../../fixtures/cases/tabs.json");

fn window() -> Window {
    let profile = read_bytes(TABS.as_bytes().to_vec()).expect("a profile");
    let index = Arc::new(Index::build(Arc::new(profile), Arrangement::Stack));
    let mut window = Window::showing(session(index, Path::new("")), KeyMap::Flowline, vec2(1600.0, 1000.0), 1.0);
    window.settle();
    window.wait("the lanes", |window| !window.session().is_busy() && window.session().scope().lanes().is_some());
    window.settle();
    window
}

fn choose(window: &mut Window, current: &str, wanted: &str) {
    let button = window.get(Role::Button, &format!("Tab: {current}"));
    window.click_at(button.rect.center());
    let entry = window.get(Role::Button, wanted);
    window.click_at(entry.rect.center());
    window.settle();
}

/// The pids of the processes with a visible thread.
fn shown(window: &Window) -> Vec<String> {
    let (profile, scope) = (window.profile(), window.session().scope().clone());
    let threads = (0..profile.threads.len()).map(ThreadId::new).filter(|thread| scope.shows(*thread));
    let mut pids: Vec<String> = threads.map(|thread| profile.process_of(thread).pid.to_string()).collect();
    pids.dedup();
    pids
}

fn flags(window: &Window) -> Vec<String> {
    let flags = window.session().scene_input().placed_flags().to_vec();
    flags.into_iter().flat_map(|flag| flag.milestones).map(|own| own.text).collect()
}

#[test]
fn a_tab_restricts_the_window_to_its_processes_and_its_flags() {
    let mut window = window();
    assert_eq!(shown(&window), ["100", "101", "102"]);
    for page in [", a.example", ", b.example"] {
        assert!(flags(&window).iter().any(|text| text.ends_with(page)), "{:?}", flags(&window));
    }
    let both = flags(&window).len();
    let page = |window: &Window| window.session().main_navigation().map(|own| own.url.clone());
    assert_eq!(page(&window).as_deref(), Some("https://b.example/"));
    choose(&mut window, "Whole browser", "https://a.example/ (private)");
    assert_eq!((window.view().tracks.tab(), shown(&window)), (Some(TabId(5)), vec!["101".to_owned()]));
    assert_eq!(page(&window).as_deref(), Some("https://a.example/"));
    let own = flags(&window);
    assert!(!own.is_empty() && own.len() < both && !own.iter().any(|text| text.contains("example")), "{own:?}");
    choose(&mut window, "a.example (private)", "https://b.example/");
    assert_eq!(shown(&window), ["102"]);
    choose(&mut window, "b.example", "Whole browser");
    assert_eq!((window.view().tracks.tab(), shown(&window).len()), (None, 3));
    assert_eq!(flags(&window).len(), both);
}

#[test]
fn the_tab_is_part_of_saved_views() {
    let mut before = window();
    let thread = ThreadId::new(0);
    before.apply(Command::HideThread(thread));
    choose(&mut before, "Whole browser", "https://a.example/ (private)");
    let view = before.shell().saved_view().expect("a recording is open");
    let mut after = window();
    assert_eq!(after.shell().show_view(&view), 0, "no entries are missing");
    after.settle();
    assert_eq!((after.view().tracks.tab(), shown(&after)), (Some(TabId(5)), vec!["101".to_owned()]));
    choose(&mut after, "a.example (private)", "Whole browser");
    assert!(after.view().tracks.hidden.iter().eq([&thread]), "what the user hid stays hidden");
}

#[test]
fn recordings_with_one_tab_have_no_choice() {
    let window = Window::example();
    assert!(window.nodes_with_prefix(Role::Button, "Tab: ").is_empty());
}
