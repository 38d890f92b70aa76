//! Arranging tracks: moving with keys and drags, pinning to the top, hiding and showing single tracks; menus by
//! keyboard.

use crate::harness::window::Window;
use egui::accesskit::Role;
use egui::{Event, Key, Modifiers, PointerButton, pos2, vec2};
use egui_kittest::kittest::Queryable as _;
use flowline::profile::ThreadId;
use flowline::scene::ItemKind;
use flowline::view::{Command, TrackRef};

/// The threads in chart order.
fn order(window: &Window) -> Vec<ThreadId> {
    let threads = window.session().list().items().iter().filter_map(|item| match item.kind {
        ItemKind::Thread(heading) => Some(heading.thread),
        _ => None,
    });
    threads.collect()
}

/// Two adjacent threads of one process whose names occur once in the window.
fn two(window: &Window) -> [ThreadId; 2] {
    let (profile, order) = (window.profile(), order(window));
    let is_alone = |id: &ThreadId| {
        let name = &profile.thread(*id).name;
        order.iter().filter(|other| profile.thread(**other).name.starts_with(name.as_str())).count() == 1
    };
    let pair = order
        .windows(2)
        .find(|pair| profile.thread(pair[0]).process == profile.thread(pair[1]).process && pair.iter().all(is_alone));
    let pair = pair.expect("two threads");
    [pair[0], pair[1]]
}

fn focus(window: &mut Window, thread: ThreadId) {
    let name = format!("Thread {}, ", window.profile().thread(thread).name);
    window.harness.get_by_label_contains(&name).focus();
    window.settle();
}

#[test]
fn keys_move_the_focused_thread() {
    let mut window = Window::tall();
    window.apply(Command::CollapseAll);
    let (before, [first, second]) = (order(&window), two(&window));
    focus(&mut window, first);
    let keys = Modifiers::ALT | Modifiers::SHIFT;
    window.chord(keys, Key::ArrowDown);
    let place = before.iter().position(|id| *id == first).expect("listed");
    assert_eq!(order(&window)[place..=place + 1], [second, first]);
    window.chord(keys, Key::ArrowUp);
    assert_eq!(order(&window), before, "the focus moves with the thread");
}

#[test]
fn a_drag_moves_a_thread_and_a_process() {
    let mut window = Window::tall();
    window.apply(Command::CollapseAll);
    let [first, second] = two(&window);
    let rect = |window: &Window, thread: ThreadId| {
        let name = format!("Thread {}, ", window.profile().thread(thread).name);
        window.node_with_prefix(Role::DisclosureTriangle, &name).rect
    };
    let (from, to) = (rect(&window, first).center(), rect(&window, second).center() + vec2(0.0, 6.0));
    window.drag(from, to, Modifiers::NONE);
    let listed = order(&window);
    let place = |thread| listed.iter().position(|id| *id == thread);
    assert!(place(second) < place(first));

    let headings = window.nodes_with_prefix(Role::DisclosureTriangle, "Process ");
    let processes = window.session().list().items().iter().filter_map(|item| match item.kind.track() {
        Some(TrackRef::Process(process)) => Some(process),
        _ => None,
    });
    let processes: Vec<_> = processes.collect();
    assert!(headings.len() > 1, "the example has several");
    let target = pos2(headings[0].rect.center().x, headings[0].rect.min.y + 1.0);
    window.drag(headings[1].rect.center(), target, Modifiers::NONE);
    let first = window.session().list().items().iter().find_map(|item| match item.kind.track() {
        Some(TrackRef::Process(process)) => Some(process),
        _ => None,
    });
    assert_eq!(first, Some(processes[1]));
}

#[test]
fn a_process_drag_survives_a_window_without_height() {
    let mut window = Window::tall();
    window.apply(Command::CollapseAll);
    let headings = window.nodes_with_prefix(Role::DisclosureTriangle, "Process ");
    // The first heading still overlaps a list without height.
    let (from, to) = (headings[0].rect.center(), headings[1].rect.center() + vec2(0.0, 200.0));
    let width = window.harness.ctx.content_rect().width();
    let button = |pos, pressed| {
        let (button, modifiers) = (PointerButton::Primary, Modifiers::NONE);
        Event::PointerButton { pos, button, pressed, modifiers }
    };
    window.harness.hover_at(from);
    window.harness.step();
    window.harness.event(button(from, true));
    window.harness.step();
    window.harness.hover_at(to);
    window.harness.step();
    let mut height = 200.0;
    while height >= 4.0 {
        window.harness.set_size(vec2(width, height));
        window.harness.hover_at(to + vec2(0.0, height % 2.0));
        window.harness.step();
        height -= 1.0;
    }
    window.harness.event(button(to, false));
    window.harness.step();
}

#[test]
fn threads_are_hidden_pinned_and_shown_by_menus_and_keys() {
    let mut window = Window::tall();
    window.apply(Command::CollapseAll);
    let [first, second] = two(&window);
    for thread in [first, second] {
        focus(&mut window, thread);
        window.chord(Modifiers::SHIFT, Key::F10);
        let entry = window.get(Role::Button, "Hide this thread");
        while !window.get(Role::Button, "Hide this thread").focused {
            window.key(Key::ArrowDown);
        }
        assert!(entry.rect.is_positive());
        window.key(Key::Enter);
    }
    assert!(window.view().tracks.hidden.contains(&first) && window.view().tracks.hidden.contains(&second));
    window.press("Hidden: 2");
    let name = window.profile().thread(second).name.clone();
    let entry = window.node_with_prefix(Role::Button, &format!("{name} – ")).rect.center();
    window.click_at(entry);
    assert!(!window.view().tracks.hidden.contains(&second) && window.view().tracks.hidden.contains(&first));

    focus(&mut window, second);
    window.chord(Modifiers::SHIFT, Key::F10);
    while !window.get(Role::Button, "Pin to top or unpin").focused {
        window.key(Key::ArrowDown);
    }
    window.key(Key::Enter);
    assert_eq!(order(&window)[0], second);
    assert_eq!(order(&window).iter().filter(|id| **id == second).count(), 1, "it appears only there");
    window.apply(Command::ResetOrder);
    assert_ne!(order(&window)[0], second);
}

#[test]
fn the_menu_of_the_selected_marker_opens_by_a_key() {
    let mut window = Window::example();
    let (marker, place) = window.marker_with_fields();
    window.click_at(place);
    window.chord(Modifiers::SHIFT, Key::F10);
    assert!(!window.nodes_with_prefix(Role::Button, "Statistics of").is_empty(), "{:#?}", window.texts());
    window.key(Key::Escape);
    assert!(window.nodes_with_prefix(Role::Button, "Statistics of").is_empty());
    assert_eq!(window.selected(), marker, "Escape closes the menu and nothing else");
    window.harness.get_by_label_contains("Time ruler: drag").focus();
    window.settle();
    window.chord(Modifiers::SHIFT, Key::F10);
    while !window.get(Role::Button, "Select the visible range").focused {
        window.key(Key::ArrowDown);
    }
    window.key(Key::Enter);
    assert_eq!(window.view().range, Some(window.view().axis.visible()));
}

#[test]
fn the_handles_of_the_whole_recording_move_one_side() {
    let mut window = Window::example();
    window.key(Key::Num0);
    let whole = window.view().axis.visible();
    let overview = window.get(Role::Canvas, "Overview of the whole recording").rect;
    let y = overview.center().y + 8.0;
    let at = |part: f32| pos2(overview.min.x + overview.width() * part, y);
    #[expect(clippy::cast_precision_loss, reason = "parts")]
    let part = |time: flowline::profile::Ns| (time - whole.start).0 as f64 / whole.len() as f64;
    window.drag(at(0.001), at(0.2), Modifiers::NONE);
    let shown = window.view().axis.visible();
    assert!((part(shown.start) - 0.2).abs() < 0.01 && (part(shown.end) - 1.0).abs() < 0.01, "{shown:?}");
    window.key(Key::Num0);
    window.drag(at(0.999), at(0.7), Modifiers::NONE);
    let shown = window.view().axis.visible();
    assert!((part(shown.end) - 0.7).abs() < 0.01 && part(shown.start).abs() < 0.01, "{shown:?}");
    // Edges that are close to each other: the nearer one moves.
    let near = |from: f64, to: f64| {
        #[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "parts")]
        let time = |part: f64| whole.start + flowline::profile::Ns((part * whole.len() as f64) as i64);
        flowline::profile::TimeRange::new(time(from), time(to))
    };
    let width = f64::from(8.0 / overview.width());
    window.apply(Command::Show(near(0.5, 0.5 + width)));
    window.drag(at(0.5) + egui::vec2(1.0, 0.0), at(0.3), Modifiers::NONE);
    let shown = window.view().axis.visible();
    assert!((part(shown.start) - 0.3).abs() < 0.01 && (part(shown.end) - 0.5 - width).abs() < 0.01, "{shown:?}");
}

#[test]
fn backspace_brings_back_the_ranges_that_the_whole_recording_replaced() {
    let mut window = Window::example();
    window.key(Key::Num0);
    let whole = window.view().axis.visible();
    let half = flowline::profile::TimeRange::new(whole.start, whole.start + flowline::profile::Ns(whole.len() / 2));
    window.apply(Command::SelectRange(Some(half)));
    window.apply(Command::ZoomToSelection);
    let committed = window.view().breadcrumbs.ranges().to_vec();
    assert_eq!(committed.len(), 1);
    let before = window.view().axis.visible();
    window.key(Key::Num0);
    assert!(window.view().breadcrumbs.ranges().is_empty() && window.view().axis.visible() == whole);
    window.key(Key::Backspace);
    assert_eq!(window.view().breadcrumbs.ranges(), committed);
    crate::harness::window::near(&window, window.view().axis.visible().start.0, before.start.0, 1.0);
    crate::harness::window::near(&window, window.view().axis.visible().end.0, before.end.0, 1.0);
}

#[test]
fn clicks_beside_the_label_column_select_what_is_there() {
    let mut window = Window::example();
    let (marker, place) = window.hoverable_markers()[0];
    let start = window.view().times_of(marker).expect("a marker").start;
    // The marker begins at the edge of the chart.
    let length = window.view().axis.visible().len() / 40;
    window.apply(Command::Show(flowline::profile::TimeRange::new(start, start + flowline::profile::Ns(length))));
    let left = window.chart().min.x;
    for beside in [0.5, 1.5, 3.0, 4.0] {
        window.apply(Command::Select(None));
        window.click_at(pos2(left + beside, place.y));
        assert!(window.view().selected.is_some(), "{beside} points from the labels");
    }
    // The edge of the labels still changes their width.
    window.drag(pos2(left - 2.0, place.y), pos2(left + 48.0, place.y), Modifiers::NONE);
    assert!((window.chart().min.x - left - 50.0).abs() < 2.0, "{} after {left}", window.chart().min.x);
}

#[test]
fn dragging_across_the_whole_overview_selects_a_range() {
    let mut window = Window::example();
    window.key(Key::Num0);
    let whole = window.view().axis.visible();
    let overview = window.get(Role::Canvas, "Overview of the whole recording").rect;
    let y = overview.center().y + 8.0;
    let at = |part: f32| pos2(overview.min.x + overview.width() * part, y);
    window.drag(at(0.25), at(0.5), Modifiers::NONE);
    let visible = window.view().axis.visible();
    #[expect(clippy::cast_precision_loss, reason = "a part")]
    let part = visible.len() as f64 / whole.len() as f64;
    assert!((part - 0.25).abs() < 0.01, "{part}");
    assert!(visible.start > whole.start);
}
