//! Samples in the window: collapsing the stack chart, reading calls and activity with the pointer, walking calls with
//! keys.

use std::path::Path;
use std::sync::Arc;

use crate::harness::window::{Window, session};
use crate::recording::samples::{Sampled, profile};
use egui::accesskit::Role;
use egui::{Event, Key, Modifiers, PointerButton, Pos2, pos2, vec2};
use flowline::index::{Arrangement, Index};
use flowline::profile::samples::FuncFlags;
use flowline::profile::{ColorBy, Implementation, Ns, Profile, ThreadId, TimeRange};
use flowline::scene::{CallRow, ItemKind, SamplesHeading};
use flowline::ui::KeyMap;
use flowline::view::Command;

const THREAD: ThreadId = ThreadId(0);

/// Ten milliseconds: `main` draws a frame for four, handles a click for four, then one is unknown and one is idle.
fn recording() -> Profile {
    let stack = |at: i64| match at {
        0..4 => Some(vec![0, 1, 2]),
        4..8 => Some(vec![0, 1, 3, 5]),
        8 => None,
        _ => Some(vec![0, 4]),
    };
    let sampled = |at: i64| Sampled { time: at * 1_000_000, stack: stack(at), cpu: Some(500_000) };
    profile(&[(0..10).map(sampled).collect(), Vec::new()], true)
}

fn window_of(profile: Profile) -> Window {
    let index = Arc::new(Index::build(Arc::new(profile), Arrangement::ByName));
    let mut window =
        Window::showing(session(index, Path::new("made up.json")), KeyMap::Flowline, vec2(1440.0, 900.0), 1.0);
    window.apply(Command::Show(TimeRange::new(Ns(0), Ns(10_000_000))));
    window.wait("the stack chart", |window| {
        let view = window.view();
        !view.tracks.stack_charts.contains(&THREAD) || window.session().index.charts().if_built(THREAD).is_some()
    });
    window
}

fn rows(window: &Window) -> usize {
    window.session().list().items().iter().filter(|item| matches!(item.kind, ItemKind::Calls(_))).count()
}

/// The middle of an item at a time.
fn place_of(window: &Window, kind: impl Fn(&ItemKind) -> bool, time: i64) -> Pos2 {
    let session = window.session();
    let input = session.scene_input();
    let item = input.visible_items().iter().find(|item| kind(&item.kind)).expect("on screen");
    #[expect(clippy::cast_possible_truncation, reason = "screen coordinates")]
    let x = input.regions.chart.x + session.view.axis.pixel(Ns(time)) as f32;
    pos2(x, input.item_y(item) + input.item_height(item) / 2.0) / input.scale
}

fn call_place(window: &Window, row: u32, time: i64) -> Pos2 {
    place_of(window, |kind| *kind == ItemKind::Calls(CallRow { thread: THREAD, row }), time)
}

fn selected_name(window: &Window) -> String {
    let call = window.view().selected_call.expect("a call is selected").call;
    let index = &window.session().index;
    let chart = index.charts().if_built(call.thread).expect("a chart");
    let stack = chart.calls(index.profile()).stack[call.call as usize];
    index.profile().func_name(index.profile().stacks.func(stack)).to_owned()
}

#[test]
fn the_stack_chart_collapses_and_expands() {
    let mut window = window_of(recording());
    let heading = |state: &str| format!("Stack chart, 10 samples, 1 without a stack, {state}");
    window.get(Role::DisclosureTriangle, "Thread worker 0, 10 samples, expanded");
    window.get(Role::DisclosureTriangle, "1 idle thread, Hide");
    assert_eq!(rows(&window), 4, "a recording without markers initially shows its calls");
    window.click(Role::DisclosureTriangle, &heading("expanded"));
    assert_eq!(rows(&window), 0);
    window.click(Role::DisclosureTriangle, &heading("collapsed"));
    assert_eq!(rows(&window), 4);
    let expanded = window.get(Role::DisclosureTriangle, &heading("expanded"));
    window.choose(&expanded, "Color by file");
    assert_eq!(window.view().color_by, ColorBy::File);
    window.press("View");
    window.press("Kind");
    window.key(Key::Escape);
    assert_eq!(window.view().color_by, ColorBy::Kind);
    window.click(Role::DisclosureTriangle, "Thread worker 0, 10 samples, expanded");
    assert_eq!(rows(&window), 0, "the stack chart collapses with its thread");
    let place = place_of(&window, |kind| matches!(kind, ItemKind::Thread(_)), 2_000_000);
    window.point_at(place);
    assert!(window.has(Role::Label, "50.0%"), "a collapsed thread without markers shows its activity");
}

#[test]
fn a_call_has_a_context_menu() {
    let mut window = window_of(recording());
    let place = call_place(&window, 3, 5_500_000);
    window.pause();
    window.point_at(place);
    for pressed in [true, false] {
        window.button(place, PointerButton::Secondary, pressed, Modifiers::NONE);
    }
    window.settle();
    for entry in ["Zoom to it", "Select its time", "Copy"] {
        assert!(!window.nodes_with_prefix(Role::Button, entry).is_empty(), "{entry}: {:#?}", window.texts());
    }
    let entry = window.node_with_prefix(Role::Button, "Select its time").rect.center();
    window.click_at(entry);
    assert_eq!(window.view().range.map(TimeRange::len), Some(4_000_000));
}

#[test]
fn the_pointer_reads_calls_and_a_click_selects_them() {
    let mut window = window_of(recording());
    window.point_at(call_place(&window, 2, 5_500_000));
    for text in
        ["onClick, app.js:30", "Scripting on worker 0, program (7)", "4.00 ms", "https://example.com/app.js:31:3"]
    {
        assert!(window.has(Role::Label, text), "{text}: {:#?}", window.texts());
    }
    window.point_at(call_place(&window, 3, 5_500_000));
    for text in ["memmove", "4.00 ms"] {
        assert!(window.has(Role::Label, text), "{text}: {:#?}", window.texts());
    }
    window.point_at(call_place(&window, 3, 1_500_000));
    assert!(!window.has(Role::Label, "memmove"), "no call exists there");
    window.click_at(call_place(&window, 1, 5_500_000));
    assert_eq!(selected_name(&window), "main");
    assert!(window.says("Selected: main"), "the text is accessible");
    window.get(Role::Button, "Zoom");
    window.pause();
    let before = window.view().axis.visible();
    let place = call_place(&window, 2, 5_500_000);
    window.event(Event::PointerMoved(place));
    for pressed in [true, false, true, false] {
        window.button(place, PointerButton::Primary, pressed, Modifiers::NONE);
    }
    window.settle();
    let after = window.view().axis.visible();
    assert!(after.len() < before.len() && after.start < Ns(4_000_000) && after.end > Ns(8_000_000), "{after:?}");
    window.key(Key::Escape);
    assert!(window.view().selected_call.is_none());
}

#[test]
fn a_click_shows_the_details_of_a_call() {
    let mut window = window_of(recording());
    window.click_at(call_place(&window, 2, 5_500_000));
    let away = call_place(&window, 1, 1_500_000);
    window.point_at(away);
    for text in ["onClick", "https://example.com/app.js:31:3", "total 4.00 ms, self 0 ms in this thread"] {
        assert!(window.has(Role::Label, text), "{text}: {:#?}", window.texts());
    }
    assert!(window.says("Duration: 4.00 ms") && window.says("Self, "), "{:#?}", window.texts());
    window.key(Key::ArrowDown);
    for text in ["memmove", "libc.so", "total 4.00 ms, self 4.00 ms in this thread"] {
        assert!(window.has(Role::Label, text), "{text}: {:#?}", window.texts());
    }
    window.key(Key::Escape);
    assert!(window.view().selected_call.is_none(), "nothing else is open");
}

#[test]
fn keys_walk_from_call_to_call() {
    let mut window = window_of(recording());
    window.click_at(call_place(&window, 2, 5_500_000));
    assert_eq!(selected_name(&window), "onClick");
    for (key, expected) in [
        (Key::ArrowDown, "memmove"),
        (Key::ArrowUp, "onClick"),
        (Key::ArrowLeft, "drawFrame"),
        (Key::ArrowUp, "main"),
        (Key::ArrowRight, "wait"),
        (Key::ArrowUp, "(root)"),
        (Key::ArrowUp, "(root)"),
        (Key::ArrowLeft, "(root)"),
        (Key::ArrowDown, "main"),
        (Key::ArrowDown, "drawFrame"),
    ] {
        window.key(key);
        assert_eq!(selected_name(&window), expected, "{key:?}");
    }
    let before = window.view().axis.visible();
    window.key(Key::F);
    assert!(window.view().axis.visible() != before, "F zooms to the call");
}

#[test]
fn the_pointer_reads_the_activity() {
    let mut window = window_of(recording());
    let heading = |kind: &ItemKind| matches!(kind, ItemKind::Samples(SamplesHeading { has_activity: true, .. }));
    window.point_at(place_of(&window, heading, 2_000_000));
    for text in ["CPU", "50.0%", "worker 0, program (7)"] {
        assert!(window.has(Role::Label, text), "{text}: {:#?}", window.texts());
    }
    assert!(!window.nodes_with_prefix(Role::Label, "Graphics").is_empty(), "{:#?}", window.texts());
    assert!(window.says("CPU 50.0%, Graphics, worker 0"), "the status line shows it too");
    window.point_at(place_of(&window, heading, 8_000_000));
    assert!(!window.nodes_with_prefix(Role::Label, "no stack").is_empty(), "{:#?}", window.texts());
}

#[test]
fn a_search_keeps_threads_with_matching_functions() {
    let mut window = window_of(recording());
    window.apply(Command::Search("onclick".into()));
    window.wait_for_search("onclick");
    let shown = window.session().list().items().iter().filter_map(|item| match item.kind {
        ItemKind::Calls(row) => Some(row.row),
        _ => None,
    });
    assert_eq!(shown.collect::<Vec<u32>>(), [2], "only the row of the matching call stays");
    assert!(!window.says("No marker and no function matches"), "something was found");
    window.apply(Command::Search("nothing has this name".into()));
    window.wait_for_search("nothing has this name");
    assert_eq!(rows(&window), 0);
    assert!(window.says("No marker and no function matches"));
    window.apply(Command::Search(String::new()));
    window.wait_for_search("");
    assert_eq!(rows(&window), 4, "all calls are back");
}

#[test]
fn the_stack_chart_can_show_only_some_functions() {
    let mut recording = recording();
    recording.stacks.funcs.make_mut()[3].flags = FuncFlags::IS_JS;
    let mut window = window_of(recording);
    window.click_at(call_place(&window, 2, 5_500_000));
    assert_eq!(selected_name(&window), "onClick");
    let choose = |window: &mut Window, entry: &str| {
        let heading = window.node_with_prefix(Role::DisclosureTriangle, "Stack chart");
        window.choose(&heading, entry);
        window.wait("the other chart", |window| {
            let functions = window.view().call_functions;
            window.session().index.charts().showing(functions).if_built(THREAD).is_some()
        });
        window.settle();
    };
    choose(&mut window, "Show only JavaScript calls");
    assert_eq!((window.view().call_functions, rows(&window)), (Implementation::Js, 1));
    assert_eq!(window.view().selected_call, None, "the call of the other chart is no longer selected");
    window.node_with_prefix(Role::DisclosureTriangle, "Stack chart, JavaScript, 10 samples");
    window.click_at(call_place(&window, 0, 5_500_000));
    let selected = window.view().selected_call.expect("a call");
    assert_eq!(selected.times, TimeRange::new(Ns(4_000_000), Ns(8_000_000)));
    assert!(window.says("onClick"));
    choose(&mut window, "Show only native calls");
    assert_eq!((window.view().call_functions, rows(&window)), (Implementation::Native, 3));
    choose(&mut window, "Show all calls");
    assert_eq!(rows(&window), 4);
}
