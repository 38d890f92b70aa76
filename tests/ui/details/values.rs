//! Values in the details: one line, which a click unfolds to a few, and a button to all of them. Screen readers and copies
//! get the whole value.

use egui::accesskit::Role;
use egui::{Event, Key, PointerButton, Rect};

use crate::canvas::milestones::window_at;
use crate::harness::window::Window;

/// An address of about 3,000 letters.
fn address() -> String {
    format!("http://a.test/{}end", "path/to/something/".repeat(165))
}

impl Window {
    /// The value of the address of the page.
    fn address_row(&self, url: &str) -> Rect {
        self.get(Role::Label, url).rect
    }
}

#[test]
fn a_long_value_takes_one_line_and_a_click_unfolds_it() {
    let url = address();
    let mut window = window_at(&url);
    let details = window.get(Role::Splitter, "Width of the details").rect.min.x;
    let row = window.address_row(&url);
    assert!((row.height() - 20.0).abs() < 0.5, "one line: {row:?}");
    assert!(row.min.x > details && row.max.x <= window.harness.ctx.content_rect().max.x, "{row:?}");
    window.click_at(row.center());
    let unfolded = window.address_row(&url);
    assert!((60.0..=130.0).contains(&unfolded.height()), "at most six lines: {unfolded:?}");
    let all = format!("Show all, {} characters", flowline::format::format_count(url.chars().count() as u64));
    window.press(&all);
    let whole = window.address_row(&url);
    assert!(whole.height() > 3.0 * unfolded.height(), "{whole:?}");
    assert!(!window.has(Role::Button, &all));
    window.click_at(whole.center_top() + egui::vec2(0.0, 8.0));
    assert!((window.address_row(&url).height() - 20.0).abs() < 0.5, "another click folds it");
}

#[test]
fn short_values_do_not_unfold() {
    let mut window = window_at("http://a.test/");
    let row = window.address_row("http://a.test/");
    window.click_at(row.center());
    assert_eq!(window.address_row("http://a.test/"), row);
}

#[test]
fn keys_unfold_a_value_and_copies_are_complete() {
    let url = address();
    let mut window = window_at(&url);
    // Tab reaches the value, Enter unfolds it.
    let is_reached = (0..200).any(|_| {
        window.key(Key::Tab);
        window.nodes().iter().any(|node| node.focused && node.text == url)
    });
    assert!(is_reached, "no value has the focus");
    window.key(Key::Enter);
    assert!(window.address_row(&url).height() > 60.0);
    let place = window.address_row(&url).center();
    window.pause();
    window.event(Event::PointerMoved(place));
    for pressed in [true, false] {
        window.button(place, PointerButton::Secondary, pressed, egui::Modifiers::NONE);
    }
    window.settle();
    let entry = window.get(Role::Button, "Copy value").rect.center();
    let press = |pressed| Event::PointerButton {
        pos: entry,
        button: PointerButton::Primary,
        pressed,
        modifiers: egui::Modifiers::NONE,
    };
    window.pause();
    let copied = window.copied_by([Event::PointerMoved(entry), press(true), press(false)]);
    assert_eq!(copied, [url]);
}
