//! The selection summary: sums of a range while it is being dragged, in the details and in the drawer.

use crate::harness::window::{Window, session};
use crate::support::example;
use egui::accesskit::Role;
use egui::{Event, Key, Modifiers, PointerButton, vec2};
use flowline::format::format_counted;
use flowline::profile::{LocalMarker, MarkerFlags, Ns, Thread, ThreadId, TimeRange};
use flowline::ui::{KeyMap, TableKind};
use flowline::view::Command;

/// The heading of the summary.
fn heading(window: &Window) -> Option<String> {
    window.nodes_with_prefix(Role::Label, "Selection: ").into_iter().next().map(|node| node.text)
}

/// The number of slices of some threads that overlap the selected range, in words, by a plain loop.
fn slices_of(window: &Window, threads: &[ThreadId]) -> String {
    let range = window.view().range.expect("a selected range");
    let profile = window.profile();
    let inside = |thread: &ThreadId| {
        let markers = &profile.thread(*thread).markers;
        let is_slice = |local: &LocalMarker| {
            let (own, flags) = (markers.range(*local), markers.flags(*local));
            flags.has(MarkerFlags::STACK_BASED)
                && !flags.has(MarkerFlags::INSTANT)
                && range.overlaps(own.start, own.end)
        };
        (0..markers.len()).map(LocalMarker::new).filter(is_slice).count() as u64
    };
    format_counted(threads.iter().map(inside).sum(), "slice")
}

/// Those of the thread that the summary describes while nothing else is selected.
fn slices(window: &Window) -> String {
    slices_of(window, &[window.session().summary_thread().expect("a thread")])
}

fn narrow() -> Window {
    let mut window =
        Window::showing(session(example(), std::path::Path::new("")), KeyMap::Flowline, vec2(880.0, 640.0), 1.0);
    window.wait("the rows", |window| !window.session().is_busy());
    window
}

/// Waits for the sums of the current range.
#[track_caller]
fn wait_for_sums(window: &mut Window) {
    window.wait("the sums", |window| {
        window.view().range.is_some() && heading(window).is_some_and(|text| text.contains(&slices(window)))
    });
}

#[test]
fn details_show_the_sums_of_a_range_while_it_is_dragged() {
    let mut window = Window::example();
    assert_eq!(heading(&window), None, "nothing is selected");
    let chart = window.chart();
    let shift = Modifiers::SHIFT;
    let place = |part: f32| chart.left_top() + vec2(chart.width() * part, chart.height() - 4.0);
    window.event(Event::ModifiersChanged(shift));
    window.event(Event::PointerMoved(place(0.2)));
    window.button(place(0.2), PointerButton::Primary, true, shift);
    let mut headings = Vec::new();
    for part in [0.3, 0.5, 0.7] {
        window.event(Event::PointerMoved(place(part)));
        wait_for_sums(&mut window);
        headings.push(heading(&window).expect("sums"));
    }
    headings.dedup();
    assert_eq!(headings.len(), 3, "each step of the drag has its own sums: {headings:#?}");
    assert!(!window.nodes_with_prefix(Role::Label, "Time by kind: ").is_empty());
    window.button(place(0.7), PointerButton::Primary, false, shift);
    window.event(Event::ModifiersChanged(Modifiers::NONE));
    window.settle();
    assert_eq!(heading(&window).as_ref(), headings.last(), "they stay after the drag");
    window.apply(Command::SelectRange(None));
    assert_eq!(heading(&window), None, "the recording is shown again");
}

#[test]
fn the_sums_of_a_range_are_those_of_one_thread_unless_more_is_wanted() {
    let mut window = Window::example();
    let visible = window.view().axis.visible();
    window.apply(Command::SelectRange(Some(visible)));
    wait_for_sums(&mut window);
    let thread = window.session().summary_thread().expect("a thread");
    let title = window.profile().thread_title(thread);
    assert!(heading(&window).is_some_and(|text| text.contains(&title)), "{:?}", heading(&window));
    let process = window.profile().thread(thread).process;
    let threads = |keep: &dyn Fn(&Thread) -> bool| -> Vec<ThreadId> {
        let profile = window.profile();
        profile.threads_with_ids().filter(|(_, thread)| keep(thread)).map(|(id, _)| id).collect()
    };
    let of_process = slices_of(&window, &threads(&|own| own.process == process));
    let of_all = slices_of(&window, &threads(&|_| true));
    assert_ne!(of_process, of_all);
    for (name, expected) in [("Process", of_process), ("Everything", of_all)] {
        window.press(name);
        window.wait("the sums", |window| heading(window).is_some_and(|text| text.contains(&expected)));
    }
    // Selected threads are a subject of their own.
    window.apply(Command::PickThreads(vec![thread]));
    window.settle();
    assert!(!window.has(Role::Button, "Everything"), "{:#?}", window.texts());
}

#[test]
fn copy_and_statistics_continue_from_the_sums() {
    let mut window = Window::example();
    let visible = window.view().axis.visible();
    let range = TimeRange::new(visible.start, visible.start + Ns(visible.len() / 2));
    window.apply(Command::SelectRange(Some(range)));
    wait_for_sums(&mut window);
    window.press("Statistics");
    assert_eq!(window.table(), Some(TableKind::Statistics));
    window.press("Zoom");
    let zoomed = window.view().axis.visible();
    assert!(zoomed.start <= range.start && range.end <= zoomed.end && zoomed.len() < visible.len());
}

#[test]
fn a_narrow_window_has_a_first_tab_for_the_sums() {
    let mut window = narrow();
    window.key(Key::T);
    assert_eq!(window.table(), Some(TableKind::Markers));
    assert!(window.has(Role::Button, "Selection"), "the details are closed: {:#?}", window.texts());
    let visible = window.view().axis.visible();
    window.apply(Command::SelectRange(Some(TimeRange::new(visible.start, visible.start + Ns(visible.len() / 3)))));
    assert_eq!(window.table(), Some(TableKind::Selection), "a new selection opens it");
    wait_for_sums(&mut window);
    window.apply(Command::SelectRange(None));
    assert_eq!(window.table(), Some(TableKind::Markers), "and its end shows the table before");
}
