//! Several events within one frame reach their targets in their order; held keys move evenly at any frame rate.

use egui::{Event, Key, Modifiers, pos2};
use flowline::ui::KeyMap;
use flowline::view::Command;

use crate::support;
use crate::support::frames::{FrameWindow, window};

fn key(key: Key, pressed: bool, modifiers: Modifiers) -> Event {
    Event::Key { key, physical_key: None, pressed, repeat: false, modifiers }
}

/// A key that goes down and up, with the text it makes.
fn stroke(name: Key, text: &str) -> Vec<Event> {
    let mut events = vec![key(name, true, Modifiers::NONE)];
    if !text.is_empty() {
        events.push(Event::Text(text.into()));
    }
    events.push(key(name, false, Modifiers::NONE));
    events
}

fn typed(text: &str) -> Vec<Event> {
    let letter = |char: char| {
        let name = char.to_string();
        stroke(Key::from_name(&name.to_uppercase()).expect("a key"), &name)
    };
    text.chars().flat_map(letter).collect()
}

const CTRL: Modifiers = Modifiers { ctrl: true, command: true, ..Modifiers::NONE };

fn open() -> FrameWindow {
    let mut window = window(&support::example());
    window.settle();
    window
}

fn idle(window: &mut FrameWindow, frames: usize) {
    for _ in 0..frames {
        window.frame(1.0 / 60.0, Vec::new());
    }
}

#[test]
fn pinning_and_moving_on_in_one_frame_pins_the_row_that_was_meant() {
    let mut window = open();
    window.frame(0.1, vec![key(Key::T, true, CTRL)]);
    window.settle();
    let rows = window.shell.panels.as_ref().expect("a table").flow_table.rows().to_vec();
    window.frame(0.1, [stroke(Key::P, "p"), stroke(Key::ArrowDown, ""), stroke(Key::P, "p")].concat());
    idle(&mut window, 3);
    assert_eq!(window.session().view.flows.pinned, rows[..2]);
}

#[test]
fn what_follows_the_slash_is_typed() {
    let mut window = open();
    let before = window.session().view.clone();
    window.frame(0.1, [stroke(Key::Slash, "/"), typed("paint")].concat());
    idle(&mut window, 3);
    let view = &window.session().view;
    assert_eq!(view.search, "paint");
    assert_eq!(view.axis, before.axis, "and no letter is a shortcut");
    assert_eq!((view.arrangement, view.flows.path), (before.arrangement, before.flows.path));
    // All of it in one more frame: select all, delete, leave, and a shortcut again.
    let delete = [
        vec![key(Key::A, true, CTRL), key(Key::A, false, CTRL)],
        stroke(Key::Backspace, ""),
        stroke(Key::Escape, ""),
        stroke(Key::L, "l"),
    ];
    window.frame(0.1, delete.concat());
    idle(&mut window, 3);
    let view = &window.session().view;
    assert_eq!(view.search, "", "the text is gone");
    assert_ne!(view.arrangement, before.arrangement, "and keys are shortcuts again");
}

#[test]
fn markers_are_walked_key_by_key_even_in_one_frame() {
    let mut slow = open();
    let mut fast = open();
    let keys = [Key::ArrowRight, Key::ArrowRight, Key::ArrowDown, Key::ArrowRight, Key::ArrowDown, Key::ArrowLeft];
    for name in keys {
        slow.frame(0.1, stroke(name, ""));
        idle(&mut slow, 2);
    }
    fast.frame(0.1, keys.into_iter().flat_map(|name| stroke(name, "")).collect());
    idle(&mut fast, 2);
    assert!(slow.session().view.selected.is_some());
    assert_eq!(fast.session().view.selected, slow.session().view.selected);
}

/// The start of the view after each frame while a key is held for `seconds`, with frames of these lengths; and after it.
fn held(name: Key, map: KeyMap, seconds: f64, frame: f64) -> Vec<(f64, f64)> {
    let mut window = FrameWindow::new(support::example(), map, egui::vec2(1200.0, 760.0), 1.0);
    window.settle();
    window.frame(1.0, vec![Event::PointerMoved(pos2(700.0, 300.0))]);
    window.session_mut().apply(Command::Zoom { pixel: 500.0, factor: 50.0, animated: false });
    idle(&mut window, 5);
    let reference = window.session().view.axis;
    let place = |window: &FrameWindow| {
        let view = &window.session().view;
        (reference.pixel(view.axis.origin().0), (reference.ns_per_pixel() / view.axis.ns_per_pixel()).ln())
    };
    let mut places = Vec::new();
    window.frame(3.0, vec![key(name, true, Modifiers::NONE)]);
    places.push(place(&window));
    let mut time = 0.0;
    let mut repeat = 0.33;
    while time + frame < seconds {
        time += frame;
        // What the system sends while a key is down does not matter.
        let mut events = Vec::new();
        while time > repeat {
            events.push(Event::Key {
                key: name,
                physical_key: None,
                pressed: true,
                repeat: true,
                modifiers: Modifiers::NONE,
            });
            repeat += 0.03;
        }
        window.frame(frame, events);
        places.push(place(&window));
    }
    window.frame(frame, vec![key(name, false, Modifiers::NONE)]);
    let end = place(&window);
    idle(&mut window, 30);
    assert_eq!(place(&window), end, "it stands still after the release");
    assert!(!window.shell.is_moving());
    places
}

#[test]
fn a_held_key_moves_evenly_at_any_frame_rate() {
    let mut speeds = Vec::new();
    for frame in [1.0 / 144.0, 1.0 / 60.0, 0.035, 0.2] {
        for (name, map) in [(Key::D, KeyMap::Flowline), (Key::A, KeyMap::Firefox)] {
            let places = held(name, map, 0.9, frame);
            let steps: Vec<f64> = places.windows(2).map(|pair| (pair[1].0 - pair[0].0).abs()).collect();
            let (least, most) =
                steps.iter().fold((f64::MAX, 0.0_f64), |(least, most), step| (least.min(*step), most.max(*step)));
            assert!(most - least < 0.02 * most + 1e-6, "uneven at {frame}: {steps:?}");
            speeds.push(most / frame);
        }
        for (name, map) in [(Key::W, KeyMap::Flowline), (Key::Q, KeyMap::Firefox)] {
            let places = held(name, map, 0.5, frame);
            let steps: Vec<f64> = places.windows(2).map(|pair| pair[1].1 - pair[0].1).collect();
            let (least, most) =
                steps.iter().fold((f64::MAX, 0.0_f64), |(least, most), step| (least.min(*step), most.max(*step)));
            assert!(least > 0.0 && most - least < 0.02 * most + 1e-6, "uneven at {frame}: {steps:?}");
        }
    }
    let (least, most) =
        speeds.iter().fold((f64::MAX, 0.0_f64), |(least, most), speed| (least.min(*speed), most.max(*speed)));
    assert!(most - least < 0.02 * most, "the speed depends on the frame rate: {speeds:?}");
}

#[test]
fn keys_are_let_go_of_when_the_window_loses_the_focus() {
    let mut window = open();
    window.frame(1.0, vec![key(Key::D, true, Modifiers::NONE)]);
    idle(&mut window, 20);
    assert!(window.shell.is_moving());
    window.frame(0.02, vec![Event::WindowFocused(false)]);
    idle(&mut window, 20);
    assert!(!window.shell.is_moving());
}
