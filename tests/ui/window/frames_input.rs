//! Several events in one frame reach their targets in order; held keys move evenly at any frame rate.

use std::sync::Arc;

use egui::accesskit::Role;
use egui::{Event, Key, Modifiers, Pos2, pos2};
use flowline::profile::{Implementation, ThreadId};
use flowline::scene::{CallRow, ItemKind};
use flowline::ui::KeyMap;
use flowline::view::{Command, Pane};

use crate::support;
use crate::support::frames::{FrameWindow, window};

fn key(key: Key, pressed: bool, modifiers: Modifiers) -> Event {
    Event::Key { key, physical_key: None, pressed, repeat: false, modifiers }
}

/// A key press and release, with the text it produces.
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

/// Rows of the first visible stack chart, if it starts on screen, with the first visible row.
fn first_call_row(window: &FrameWindow) -> Option<CallRow> {
    match window.session().scene_input().visible_items().first()?.kind {
        ItemKind::Calls(row) => Some(row),
        _ => None,
    }
}

#[test]
fn an_arrow_key_after_a_function_switch_selects_no_outdated_call() {
    let mut window = open();
    let index = Arc::clone(&window.session().index);
    let rows = |functions, thread| index.charts().showing(functions).build(thread).rows().len();
    let threads = (0..index.profile().threads.len()).map(ThreadId::new);
    let deeper = |thread: &ThreadId| rows(Implementation::All, *thread) > rows(Implementation::Native, *thread);
    let thread = threads.filter(|thread| index.profile().samples(*thread).is_some()).find(deeper).expect("JS calls");
    // The rows below the chart fill the window, so that it can be scrolled past the chart.
    window.size.y = 300.0;
    for command in [Command::Select(None), Command::ShowOnly(thread), Command::ToggleStackChart(thread)] {
        window.shell.apply_to(Pane::A, command);
    }
    window.settle();
    // Rows below this one have no native calls.
    let native = rows(Implementation::Native, thread);
    let is_below = |window: &FrameWindow| first_call_row(window).is_some_and(|row| row.row as usize >= native);
    for _ in 0..400 {
        if is_below(&window) {
            break;
        }
        window.shell.apply_to(Pane::A, Command::Scroll(6.0));
        window.frame(0.016, Vec::new());
    }
    assert!(is_below(&window), "scrolled below the native calls: {:?} of {native}", first_call_row(&window));
    window.shell.apply_to(Pane::A, Command::ShowCalls(Implementation::Native));
    window.frame(0.016, stroke(Key::ArrowUp, ""));
    window.settle();
    let selected = window.session().view.selected_call;
    assert!(selected.is_none_or(|selected| selected.call.functions == Implementation::Native), "{selected:?}");
}

#[test]
fn pinning_and_moving_in_one_frame_pins_the_right_rows() {
    let mut window = open();
    window.frame(0.1, vec![key(Key::T, true, CTRL)]);
    window.settle();
    let rows = window.shell.pane(Pane::A).map(|pane| &pane.panels).expect("a table").flow_table.rows().to_vec();
    window.frame(0.1, [stroke(Key::P, "p"), stroke(Key::ArrowDown, ""), stroke(Key::P, "p")].concat());
    idle(&mut window, 3);
    assert_eq!(window.session().view.flows.pinned, rows[..2]);
}

#[test]
fn keys_after_the_slash_are_typed() {
    let mut window = open();
    let before = window.session().view.clone();
    window.frame(0.1, [stroke(Key::Slash, "/"), typed("paint")].concat());
    idle(&mut window, 3);
    let view = &window.session().view;
    assert_eq!(view.search, "paint");
    assert_eq!(view.axis, before.axis, "no letter acts as a shortcut");
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
    assert_ne!(view.arrangement, before.arrangement, "keys act as shortcuts again");
}

#[test]
fn the_slash_selects_the_search_so_typing_replaces_it() {
    let mut window = open();
    window.frame(0.1, [stroke(Key::Slash, "/"), typed("paint")].concat());
    window.frame(0.1, vec![key(Key::F, true, CTRL), key(Key::F, false, CTRL)]);
    idle(&mut window, 2);
    window.frame(0.1, typed("layout"));
    idle(&mut window, 3);
    assert_eq!(window.session().view.search, "layout", "selected again while it has the focus");
    // The focus moves to the chart and back, and the next letters arrive within one frame.
    window.frame(0.1, stroke(Key::Enter, ""));
    window.frame(0.1, stroke(Key::Tab, ""));
    idle(&mut window, 2);
    window.frame(0.1, [vec![key(Key::F, true, CTRL), key(Key::F, false, CTRL)], typed("gc")].concat());
    idle(&mut window, 3);
    assert_eq!(window.session().view.search, "gc");
}

#[test]
fn several_arrow_keys_in_one_frame_walk_as_many_markers() {
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

/// View starts after each frame while a key is held for `seconds`, with frames of length `frame`, and after its
/// release.
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
        // Repeat events sent by the system while a key is down are ignored.
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
    assert_eq!(place(&window), end, "motion stops after the release");
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
fn keys_are_released_when_the_window_loses_focus() {
    let mut window = open();
    window.frame(1.0, vec![key(Key::D, true, Modifiers::NONE)]);
    idle(&mut window, 20);
    assert!(window.shell.is_moving());
    window.frame(0.02, vec![Event::WindowFocused(false)]);
    idle(&mut window, 20);
    assert!(!window.shell.is_moving());
}

/// The center of a button of the details.
fn button(window: &FrameWindow, text: &str) -> Pos2 {
    let mut found = window.labels().into_iter().filter(|label| label.role == Role::Button && label.text == text);
    found.next().unwrap_or_else(|| panic!("no {text}")).rect.center()
}

fn click(at: Pos2) -> Vec<Event> {
    let button = |pressed| Event::PointerButton {
        pos: at,
        button: egui::PointerButton::Primary,
        pressed,
        modifiers: Modifiers::NONE,
    };
    vec![Event::PointerMoved(at), button(true), button(false)]
}

/// The first marker of a flow, clicked. The flow has several markers that are isolated enough for the pointer.
fn with_selected_marker() -> (FrameWindow, flowline::profile::FlowId) {
    let mut window = open();
    let index = support::example();
    let (profile, graph) = (index.profile(), index.flows());
    // Only flows whose markers have no other flow, so that there is one card.
    let is_plain = |flow: &flowline::profile::FlowId| {
        let members = graph.members(*flow);
        members.len() >= 5 && members.iter().all(|marker| graph.flows_of(*marker).len() == 1)
    };
    let flow = graph.iter().find(is_plain).expect("a flow of five markers");
    let first = graph.members(flow)[0];
    window.session_mut().apply(Command::Reveal(first));
    window.session_mut().apply(Command::ZoomToMarker(first));
    window.settle();
    let session = window.session();
    let item = session.item_of(first).expect("its row");
    let input = session.scene_input();
    #[expect(clippy::cast_possible_truncation, reason = "screen coordinates")]
    let x =
        input.regions.chart.x + session.view.axis.pixel(session.view.times_of(first).expect("a marker").start) as f32;
    let place = pos2(x + 1.5, input.item_y(&item) + input.item_height(&item) / 2.0);
    window.frame(0.1, click(place));
    idle(&mut window, 3);
    assert_eq!(window.session().view.selected, Some(first), "{:?}", profile.locate(first));
    // Long after the click, so that the next one is not a double-click.
    window.frame(2.0, Vec::new());
    (window, flow)
}

fn position(window: &FrameWindow, flow: flowline::profile::FlowId) -> usize {
    let index = support::example();
    let selected = window.session().view.selected.expect("a marker");
    index.flows().members(flow).iter().position(|marker| *marker == selected).expect("a marker of the flow")
}

/// True if the details show a position in a flow.
fn says(window: &FrameWindow, counter: &str) -> bool {
    window.labels().iter().any(|label| label.role == Role::DisclosureTriangle && label.text.contains(counter))
}

#[test]
fn next_in_the_details_walks_along_the_flow() {
    let (mut window, flow) = with_selected_marker();
    let count = support::example().flows().members(flow).len();
    assert!(says(&window, &format!("1 of {count}")));
    for at in 1..4 {
        let place = button(&window, "Next in flow");
        window.frame(1.0, click(place));
        idle(&mut window, 60);
        assert_eq!(position(&window, flow), at);
        assert!(says(&window, &format!("{} of {count}", at + 1)));
    }
    for at in [2, 1, 0] {
        let place = button(&window, "Previous in flow");
        window.frame(1.0, click(place));
        idle(&mut window, 60);
        assert_eq!(position(&window, flow), at);
    }
    let place = button(&window, "Previous in flow");
    window.frame(1.0, click(place));
    idle(&mut window, 3);
    assert_eq!(position(&window, flow), 0, "the first marker has no predecessor");
}

#[test]
fn several_steps_along_a_flow_in_one_frame_count() {
    let (mut window, flow) = with_selected_marker();
    let next = || stroke(Key::CloseBracket, "]");
    window.frame(1.0, [next(), next(), next()].concat());
    idle(&mut window, 60);
    assert_eq!(position(&window, flow), 3);
    let count = support::example().flows().members(flow).len();
    assert!(says(&window, &format!("4 of {count}")));
}
