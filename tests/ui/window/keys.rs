//! Keys of the registry, and keys that must have no effect.

use std::path::Path;

use crate::harness::window::{Window, example, found, near, session};
use egui::accesskit::Role;
use egui::{Event, Key, Modifiers, vec2};
use egui_kittest::kittest::Queryable as _;
use flowline::index::Arrangement;
use flowline::profile::{Direction, MarkerId};
use flowline::scene::ItemKind;
use flowline::scene::Scope;
use flowline::session::{MarkerColumn, ordered};
use flowline::ui::KeyMap;
use flowline::view::{Command, Theme};

#[test]
fn keys_zoom_and_pan() {
    let mut window = Window::example();
    let centre = window.chart().center().x;
    let (whole, time) = (window.view().axis, window.time_at(centre));
    window.key(Key::W);
    window.key(Key::W);
    assert!(window.view().axis.span() < whole.span() / 2.0, "W comes closer");
    near(&window, window.time_at(centre), time, 1.0);
    let near_span = window.view().axis.span();
    window.key(Key::S);
    assert!(window.view().axis.span() > near_span * 1.3, "S steps back");
    near(&window, window.time_at(centre), time, 1.0);
    window.event(Event::Text("+".into()));
    window.settle();
    assert!((window.view().axis.span() / near_span - 1.0).abs() < 1e-6, "+ undoes S");
    window.event(Event::Text("-".into()));
    window.settle();
    assert!(window.view().axis.span() > near_span * 1.3, "- is S");

    let before = window.time_at(centre);
    window.key(Key::D);
    let later = window.time_at(centre);
    assert!(later > before, "D shows later times");
    window.key(Key::A);
    near(&window, window.time_at(centre), before, 1.0);

    window.key(Key::Num0);
    let (visible, whole) = (window.view().axis.visible(), window.profile().meta.range);
    let pixel = window.view().axis.ns_per_pixel();
    assert_eq!(visible.start, whole.start, "0 shows the whole recording");
    #[expect(clippy::cast_precision_loss, reason = "a pixel")]
    let beyond = (visible.end - whole.end).0 as f64;
    assert!((beyond - pixel).abs() <= 1.0, "plus one pixel for its end: {beyond} of {pixel}");
}

#[test]
fn keys_zoom_at_the_pointer() {
    let mut window = Window::example();
    let place = window.chart().lerp_inside(vec2(0.25, 0.5));
    window.point_at(place);
    let time = window.time_at(place.x);
    for _ in 0..6 {
        window.key(Key::W);
    }
    near(&window, window.time_at(place.x), time, 1.0);
    assert!((f64::from(window.chart().width()) * window.point_ns()) < 2.4e9 / 10.0);
}

#[test]
fn the_f_key_zooms_to_the_selected_marker() {
    let mut window = Window::example();
    let profile = window.profile();
    let longest = ordered(&profile, &Scope::default(), MarkerColumn::Duration, true);
    for marker in [longest[20], *longest.last().expect("markers")] {
        window.key(Key::Num0);
        let span = window.view().axis.span();
        window.apply(Command::Reveal(marker));
        window.key(Key::F);
        let (times, visible) = (window.view().times_of(marker).expect("a marker"), window.view().axis.visible());
        assert!(visible.start <= times.start && times.end <= visible.end, "{visible:?} contains {times:?}");
        assert!(visible.len() < times.len() * 2 || (times.is_empty() && window.view().axis.span() < span / 4.0));
        window.key(Key::Backspace);
        assert!((window.view().axis.span() / span - 1.0).abs() < 1e-6, "Backspace returns");
    }
}

#[test]
fn arrow_keys_move_between_markers() {
    let mut window = Window::example();
    window.key(Key::ArrowRight);
    let first = window.selected();
    assert!(window.details_of(first), "without a selection, the first visible marker is selected");
    let (marker, _) = window.marker_with_fields();
    window.apply(Command::Reveal(marker));
    let place_of = |window: &Window| {
        let profile = window.profile();
        let (thread, local) = profile.locate(window.selected()).expect("a marker");
        let session = window.session();
        let layout = session.list().shown().layout(&session.index, session.view.arrangement, thread).expect("rows");
        let (row, position) = layout.find(profile.thread(thread), local).expect("the marker has a row");
        (thread, row, position, layout.rows.row(row).len())
    };
    let start = place_of(&window);
    for _ in 0..start.3 + 2 {
        window.key(Key::ArrowRight);
    }
    assert_eq!(
        place_of(&window),
        (start.0, start.1, start.3 - 1, start.3),
        "Right stops at the last marker of the row"
    );
    window.key(Key::ArrowLeft);
    assert_eq!(place_of(&window).2, start.3.saturating_sub(2));
    for _ in 0..start.3 {
        window.key(Key::ArrowLeft);
    }
    assert_eq!(place_of(&window), (start.0, start.1, 0, start.3), "Left stops at the first marker");

    let order = |window: &Window| {
        let item = window.session().item_of(window.selected()).expect("its row is listed");
        let rows = window.session().list().items().iter().filter(|item| matches!(item.kind, ItemKind::Row(_)));
        rows.take_while(|row| row.y < item.y).count()
    };
    // Rows of a stack can contain only calls, so rows by name are counted.
    window.apply(Command::SetArrangement(Arrangement::ByName));
    window.wait("the rows", |window| !window.session().is_busy());
    window.apply(Command::Reveal(window.selected()));
    // There are rows below the third from the bottom.
    for _ in 0..3 {
        window.key(Key::ArrowUp);
    }
    let row = order(&window);
    window.key(Key::ArrowDown);
    assert_eq!(order(&window), row + 1);
    window.key(Key::ArrowDown);
    assert_eq!(order(&window), row + 2);
    window.key(Key::ArrowUp);
    assert_eq!(order(&window), row + 1);
    for _ in 0..row + 5 {
        window.key(Key::ArrowUp);
    }
    assert_eq!(order(&window), 0, "Up stops at the first row");
}

#[test]
fn a_range_can_be_zoomed_to_and_left() {
    let mut window = Window::example();
    let chart = window.chart();
    window.drag(chart.lerp_inside(vec2(0.3, 0.5)), chart.lerp_inside(vec2(0.5, 0.6)), Modifiers::SHIFT);
    let range = window.view().range.expect("a range is selected");
    let before = window.view().axis.visible();
    window.key(Key::Enter);
    // The axis stores its start and its scale, so its end is rounded.
    let visible = window.view().axis.visible();
    assert!(visible.start == range.start && (visible.end - range.end).0.abs() <= 1, "{visible:?} instead of {range:?}");
    assert_eq!(window.view().range, None);
    window.key(Key::Backspace);
    assert_eq!(window.view().axis.visible(), before);

    window.apply(Command::SelectRange(Some(range)));
    window.key(Key::F);
    assert_eq!(window.view().axis.visible(), range, "F has the same effect");
    let crumb = window.node_with_prefix(Role::Button, "Full range");
    window.click_at(crumb.rect.center());
    assert_eq!(window.view().axis.visible(), before, "the breadcrumb goes back");
}

#[test]
fn letter_keys_switch_layout_table_and_help() {
    let mut window = Window::tall();
    assert_eq!(window.view().arrangement, Arrangement::Stack);
    assert!(window.says("Stack, "), "{:#?}", window.texts());
    window.key(Key::L);
    assert_eq!(window.view().arrangement, Arrangement::ByName);
    window.key(Key::L);
    assert_eq!(window.view().arrangement, Arrangement::Stack);
    window.press("By name");
    assert_eq!(window.view().arrangement, Arrangement::ByName);
    window.press("Stack");
    assert_eq!(window.view().arrangement, Arrangement::Stack);

    window.key(Key::T);
    window.wait("the table", |window| window.says("Marker table"));
    window.key(Key::T);
    assert!(!window.says("Marker table"));

    assert!(!window.says("Show the whole recording"));
    window.event(Event::Text("?".into()));
    window.settle();
    for what in [
        "Show keys and search syntax",
        "Zoom in",
        "Show the whole recording",
        "dur:>5ms  self:>=1ms  start:2s..3s  end:<10s",
    ] {
        assert!(window.says(what), "the help contains \"{what}\"");
    }
    window.key(Key::Escape);
    assert!(!window.says("Show the whole recording"), "Escape closes the help");
    window.click(Role::Button, "Show keys and search syntax");
    assert!(window.says("Show the whole recording"));
    let [key, meaning] = ["0", "Show the whole recording"].map(|text| window.get(Role::Label, text).rect);
    assert!(key.max.x < meaning.min.x && meaning.width() > 100.0, "both columns are readable: {key:?} {meaning:?}");
    window.event(Event::Text("?".into()));
    window.settle();
    assert!(!window.says("Show the whole recording"));

    window.chord(Modifiers::CTRL | Modifiers::COMMAND | Modifiers::SHIFT, Key::L);
    assert_eq!(window.shell().theme, Theme::Light);
    assert_eq!(window.view().arrangement, Arrangement::Stack, "Ctrl+Shift+L is not L");
}

#[test]
fn escape_reverts_one_state_at_a_time() {
    let mut window = Window::example();
    window.apply(Command::ExpandAll);
    window.apply(Command::Search("styles".into()));
    window.wait_for_search("styles");
    let (_, place) = window.hoverable_markers()[0];
    window.click_at(place);
    let range = window.view().axis.visible();
    window.apply(Command::SelectRange(Some(range)));
    window.event(Event::Text("?".into()));
    window.settle();
    let state = |window: &mut Window| {
        let help = window.shell().state.show_help;
        let view = window.view();
        [help, view.range.is_some(), !view.search.is_empty(), view.selected.is_some()]
    };
    for open in (0..=4).rev() {
        let mut expected = [false; 4];
        expected[4 - open..].fill(true);
        assert_eq!(state(&mut window), expected);
        window.key(Key::Escape);
    }
}

#[test]
fn keys_keep_working_after_clicks_into_the_chart() {
    let mut window = Window::example();
    let (marker, place) = window.marker_with_fields();
    window.click_at(place);
    assert_eq!(window.selected(), marker);
    // Arrow keys must not move the keyboard focus to the search box or a button.
    for key in [Key::ArrowUp, Key::ArrowUp, Key::ArrowUp, Key::ArrowRight, Key::ArrowDown, Key::ArrowLeft] {
        window.key(key);
    }
    assert!(!window.get(Role::TextInput, "Search markers").focused);
    let span = window.view().axis.span();
    window.type_text("w");
    assert!(window.view().axis.span() < span, "W still zooms");
    assert_eq!(window.view().search, "");

    window.apply(Command::ExpandAll);
    window.wait("the rows", |window| !window.session().is_busy());
    window.apply(Command::Search("styles".into()));
    window.wait_for_search("styles");
    window.key(Key::Num0);
    window.wait("the rows", |window| !window.session().is_busy());
    let (hits, profile) = (found(&window.profile(), "styles"), window.profile());
    // Rows of a stack contain other markers, too.
    let is_hit = |marker: MarkerId| {
        let (thread, local) = profile.locate(marker).expect("a marker");
        hits.contains(thread, local)
    };
    let mut markers = window.hoverable_markers().into_iter();
    let (hit_marker, place) = markers.find(|(marker, _)| is_hit(*marker)).expect("a hit on screen");
    window.click_at(place);
    window.event(Event::PointerMoved(window.chart().center_bottom() - vec2(0.0, 3.0)));
    let next = hits.step(&profile, Some(hit_marker), Direction::Forward);
    window.key(Key::Enter);
    // Rows that are built meanwhile let the search begin again.
    window.wait("the next hit: Enter is not a click", |window| window.view().selected == next);
    window.key(Key::Space);
    assert_eq!(window.view().selected, next, "Space is not a click either");
}

#[test]
fn keys_belong_to_the_widget_with_the_focus() {
    let mut window = Window::tall();
    window.apply(Command::Search("thread:renderer".into()));
    window.wait_for_search("thread:renderer");
    window.harness.get_by_label_contains("Thread Renderer, ").focus();
    window.settle();
    let open = window.node_with_prefix(Role::DisclosureTriangle, "Thread Renderer").text.ends_with("expanded");
    window.key(Key::Enter);
    let heading = window.node_with_prefix(Role::DisclosureTriangle, "Thread Renderer");
    assert_eq!(heading.text.ends_with("expanded"), !open, "Enter presses the focused widget");
    assert!(heading.focused);
    window.key(Key::ArrowUp);
    assert!(!window.node_with_prefix(Role::DisclosureTriangle, "Thread Renderer").focused, "Up leaves it");
    assert_eq!(window.view().selected, None, "neither key selects a marker");
}

#[test]
fn firefox_keys_work() {
    let example = session(example(), Path::new(""));
    let mut window = Window::showing(example, KeyMap::Firefox, vec2(1440.0, 500.0), 1.0);
    let span = window.view().axis.span();
    window.key(Key::Q);
    assert!(window.view().axis.span() < span / 1.3, "Q comes closer");
    window.key(Key::E);
    assert!((window.view().axis.span() / span - 1.0).abs() < 1e-6, "E steps back");
    window.key(Key::S);
    let scrolled = window.view().scroll;
    assert!(scrolled > 0.0, "S scrolls down");
    window.key(Key::W);
    assert!(window.view().scroll < scrolled, "W scrolls up");
    assert!((window.view().axis.span() / span - 1.0).abs() < 1e-6, "neither key zooms");
    window.event(Event::Text("?".into()));
    window.settle();
    assert!(window.has(Role::Label, "Q") && window.says("Scroll down"));
}

#[test]
fn page_keys_scroll_rows() {
    let mut window = Window::example();
    window.key(Key::PageDown);
    let scrolled = window.view().scroll;
    assert!(scrolled > 100.0);
    for _ in 0..20 {
        window.key(Key::PageDown);
    }
    let list = window.session().list().height();
    let room = f64::from(window.chart().height());
    assert!((window.view().scroll + room - list).abs() < 1.0, "PageDown stops at the end");
    for _ in 0..20 {
        window.key(Key::PageUp);
    }
    assert!(window.view().scroll == 0.0);
}
