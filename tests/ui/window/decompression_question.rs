//! The question shown before opening a file with a suspicious compression ratio.

use egui::accesskit::Role;
use egui::{Key, vec2};
use flowline::ui::{AppRequest, KeyMap, Question, Shell};
use flowline::view::Theme;

use crate::harness::window::Window;

fn asking() -> Window {
    let mut shell = Shell::new(KeyMap::Flowline, Theme::Dark);
    shell.question = Some(Question { name: "bomb.json.gz".into(), reason: "3 MB of this file unpack to more.".into() });
    let mut window = Window::with(shell, vec2(900.0, 600.0), 1.0);
    window.settle();
    window
}

#[test]
fn a_suspicious_file_opens_only_after_confirmation() {
    let mut window = asking();
    assert!(window.says("Open bomb.json.gz anyway?") && window.says("3 MB of this file unpack"));
    window.click(Role::Button, "Open anyway");
    window.settle();
    assert_eq!(window.harness.state().requests, [AppRequest::OpenWithoutLimit]);
    assert!(window.shell().question.is_none() && !window.says("anyway"));
}

#[test]
fn a_suspicious_file_stays_closed_after_cancel() {
    let mut window = asking();
    window.click(Role::Button, "Cancel");
    window.settle();
    assert!(window.harness.state().requests.is_empty() && window.shell().question.is_none());
    let mut window = asking();
    window.harness.key_press(Key::Escape);
    window.settle();
    assert!(window.harness.state().requests.is_empty() && window.shell().question.is_none());
}
