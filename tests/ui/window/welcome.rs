//! The welcome page: recent recordings, by mouse and keys.

use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use egui::{Key, Modifiers, Role, vec2};
use flowline::profile::Ns;
use flowline::ui::{AppRequest, KeyMap, RecentActivity, RecentFacts, RecentFile, Shell};
use flowline::view::Theme;

use crate::harness::window::Window;

const CTRL: Modifiers = Modifiers { ctrl: true, command: true, ..Modifiers::NONE };

fn recent(path: &str, hours: u64) -> RecentFile {
    let opened = SystemTime::now() - Duration::from_secs(hours * 3_600 + 60);
    let activity = RecentActivity::from_text(&"0300000000".repeat(32)).expect("an activity");
    let facts = RecentFacts { kind: "Firefox 153".to_owned(), length: Ns(4_200_000_000), activity };
    RecentFile { path: PathBuf::from(path), bytes: 3_500_000, opened, facts: (hours < 24).then_some(facts) }
}

fn window() -> Window {
    let mut shell = Shell::new(KeyMap::Flowline, Theme::Dark);
    shell.formats = flowline::app::file_formats();
    shell.recent = vec![recent("/traces/startup.json.gz", 2), recent("/traces/deep/slow page.json", 30)];
    let mut window = Window::with(shell, vec2(900.0, 600.0), 1.0);
    window.settle();
    window
}

fn requests(window: &mut Window) -> Vec<AppRequest> {
    std::mem::take(&mut window.harness.state_mut().requests)
}

#[test]
fn recent_recordings_are_listed_and_can_be_opened() {
    let mut window = window();
    // The example ends a minute after midnight if the test runs then.
    let first = window.node_with_prefix(Role::Link, "startup.json.gz, /traces, Firefox 153, 4.200 s, 3.50 MB, ");
    assert!(["Today ", "Yesterday"].iter().any(|when| first.text.contains(when)), "{}", first.text);
    let second = window.node_with_prefix(Role::Link, "slow page.json, /traces/deep, 3.50 MB, ");
    assert!(!second.text.contains("Today"), "{}", second.text);
    assert!(first.rect.max.y <= second.rect.min.y && window.says("Firefox Profiler profiles, Chrome"));
    window.click_at(first.rect.center());
    assert_eq!(requests(&mut window), [AppRequest::OpenFile("/traces/startup.json.gz".into())]);
    window.event(egui::Event::ModifiersChanged(CTRL));
    window.point_at(second.rect.center());
    window.button(second.rect.center(), egui::PointerButton::Primary, true, CTRL);
    window.button(second.rect.center(), egui::PointerButton::Primary, false, CTRL);
    window.event(egui::Event::ModifiersChanged(Modifiers::NONE));
    window.settle();
    assert_eq!(requests(&mut window), [AppRequest::OpenInNewWindow("/traces/deep/slow page.json".into())]);
    window.press("Open the example");
    assert_eq!(requests(&mut window), [AppRequest::OpenExample]);
}

#[test]
fn the_list_works_by_keys() {
    let mut window = window();
    // The two buttons precede the list.
    let is_there = |window: &Window| window.nodes().iter().any(|node| node.focused && node.role == Role::Link);
    for _ in 0..12 {
        if !is_there(&window) {
            window.key(Key::Tab);
        }
    }
    assert!(is_there(&window), "Tab reaches the list");
    window.key(Key::Enter);
    assert_eq!(requests(&mut window), [AppRequest::OpenFile("/traces/startup.json.gz".into())]);
    window.key(Key::Delete);
    assert_eq!(requests(&mut window), [AppRequest::RemoveFromRecent("/traces/startup.json.gz".into())]);
    window.chord(Modifiers::SHIFT, Key::F10);
    window.settle();
    window.press("Open in a new window");
    assert_eq!(requests(&mut window), [AppRequest::OpenInNewWindow("/traces/startup.json.gz".into())]);
}

#[test]
fn the_finder_opens_recent_recordings() {
    let mut window = window();
    window.chord(CTRL, Key::P);
    window.type_text("slowpage");
    window.key(Key::Enter);
    assert_eq!(requests(&mut window), [AppRequest::OpenFile("/traces/deep/slow page.json".into())]);
}

#[test]
fn the_menu_of_the_recording_lists_recent_recordings() {
    let mut window = window();
    window.press("Recording No recording");
    window.press("Open recent");
    window.press("startup.json.gz");
    assert_eq!(requests(&mut window), [AppRequest::OpenFile("/traces/startup.json.gz".into())]);
}
