//! The pointer on chart, ruler and overview: hovering, clicking, dragging, the mouse wheel.

use std::path::Path;

use crate::harness::window::{Window, example, near, session};
use egui::accesskit::Role;
use egui::{Event, Key, Modifiers, OutputCommand, PointerButton, pos2, vec2};
use flowline::scene::ItemKind;
use flowline::ui::KeyMap;
use flowline::view::Command;

/// Checks the tooltip of a marker, which never stays, and the details, which a click fills.
fn tooltip_of(mut window: Window) {
    let (marker, place) = window.marker_with_fields();
    let card = window.card(marker);
    assert!(!window.has(Role::Label, &card.heading));
    window.point_at(place);
    assert_eq!(window.view().hovered, Some(marker));
    assert!(window.has(Role::Label, &card.heading) && window.has(Role::Label, &card.subtitle));
    assert!(window.view().selected.is_none() && !window.has(Role::Button, "More actions"), "it is only hovered");
    window.point_at(window.chart().right_bottom() + vec2(0.0, 12.0));
    assert!(!window.has(Role::Label, &card.heading), "the tooltip follows the pointer");

    window.click_at(place);
    assert_eq!(window.selected(), marker);
    assert_eq!(window.all(Role::Label, &card.heading).len(), 2, "tooltip and details");
    window.point_at(window.chart().right_bottom() + vec2(0.0, 12.0));
    assert_eq!(window.all(Role::Label, &card.heading).len(), 1, "the tooltip does not stay");
    assert!(window.details_of(marker));
    for (label, value) in &card.lines {
        let is_kind = label == "Category" && card.subtitle.starts_with(value.as_str());
        assert!(is_kind || window.says(value), "{label}: {value} in {:#?}", window.texts());
    }
    let details = window.session().selected_card().expect("details").to_text();
    assert!(card.lines.iter().all(|(label, value)| details.contains(&format!("{label}: {value}\n"))), "{details}");
    assert_eq!(window.copy(), [details], "Ctrl+C copies the selected marker");
}

#[test]
fn hovering_shows_a_tooltip_and_clicking_fills_the_details() {
    tooltip_of(Window::example());
}

/// Number of lines of the tooltip: labels near the pointer that are only there with it.
fn tooltip_lines(window: &mut Window, place: egui::Pos2) -> usize {
    window.point_at(place);
    let shown = window.nodes();
    window.point_at(window.chart().right_bottom() + vec2(0.0, 12.0));
    let others = window.nodes();
    let is_new = |node: &&crate::harness::window::Node| {
        node.role == Role::Label
            && (node.rect.center().y - place.y).abs() < 140.0
            // The status line also describes the marker.
            && node.rect.max.y < 876.0
            && !others.iter().any(|other| other.text == node.text && other.rect == node.rect)
    };
    let mut tops: Vec<f32> = shown.iter().filter(is_new).map(|node| node.rect.min.y.round()).collect();
    tops.sort_by(f32::total_cmp);
    tops.dedup();
    tops.len()
}

#[test]
fn a_tooltip_has_three_lines_or_six_without_details() {
    let mut window = Window::example();
    let (_, place) = window.marker_with_fields();
    let short = tooltip_lines(&mut window, place);
    assert!((2..=3).contains(&short), "{short}");
    window.chord(Modifiers::ALT, Key::Num3);
    assert!(window.shell().state.hidden.details);
    // One with more fields than the tooltip has room for.
    let places = window.hoverable_markers().into_iter();
    let fields = |marker| {
        let card = window.card(marker);
        card.lines.len() - card.own_facts
    };
    let (_, place) = places.max_by_key(|(marker, _)| fields(*marker)).expect("a marker");
    let most = tooltip_lines(&mut window, place);
    assert!(most > short && most <= 6, "{most} lines, {short} before: {:#?}", window.texts());
}

#[test]
fn pixels_are_hit_on_high_density_screens() {
    let example = session(example(), Path::new(""));
    tooltip_of(Window::showing(example, KeyMap::Flowline, vec2(1440.0, 900.0), 2.0));
}

#[test]
fn buttons_of_the_details_work() {
    let mut window = Window::example();
    let (marker, place) = window.marker_with_fields();
    window.click_at(place);
    let heading = {
        let (thread, _) = window.profile().locate(marker).expect("a marker");
        window.heading(thread, "markers", window.profile().thread(thread).markers.len(), true)
    };
    window.click(Role::DisclosureTriangle, &heading);
    assert!(!window.has(Role::DisclosureTriangle, &heading));
    window.choose_in_details("Show in chart");
    assert!(window.has(Role::DisclosureTriangle, &heading), "its thread is expanded");
    let item = window.session().item_of(marker).expect("its row is listed");
    assert!(matches!(item.kind, ItemKind::Row(_)));
    let span = window.view().axis.span();
    window.press("Zoom");
    let (times, visible) = (window.view().times_of(marker).expect("a marker"), window.view().axis.visible());
    assert!(window.view().axis.span() < span && visible.start <= times.start && times.end <= visible.end);
    let copy = window.get(Role::Button, "Copy").rect.center();
    window.pause();
    window.event(Event::PointerMoved(copy));
    window.button(copy, PointerButton::Primary, true, Modifiers::NONE);
    window.button(copy, PointerButton::Primary, false, Modifiers::NONE);
    window.harness.step();
    let copied = window.harness.output().platform_output.commands.clone();
    assert!(
        copied.contains(&OutputCommand::CopyText(
            window.session().selected_card().expect("the marker is selected").to_text()
        )),
        "{copied:?}"
    );
}

#[test]
fn a_double_click_zooms_to_the_clicked_marker() {
    let mut window = Window::example();
    // The notice about the range of the page load covers a part of the chart.
    window.key(Key::Num0);
    let places = window.hoverable_markers();
    // The details open with the first click and make the chart narrower, so markers on the far right move.
    let (marker, place) = places.into_iter().max_by(|a, b| a.1.x.total_cmp(&b.1.x)).expect("markers");
    let span = window.view().axis.span();
    window.pause();
    window.event(Event::PointerMoved(place));
    for pressed in [true, false, true, false] {
        window.button(place, PointerButton::Primary, pressed, Modifiers::NONE);
    }
    window.settle();
    assert_eq!(window.view().selected, Some(marker));
    let (times, visible) = (window.view().times_of(marker).expect("a marker"), window.view().axis.visible());
    assert!(window.view().axis.span() < span / 2.0, "it zooms");
    assert!(visible.start <= times.start && times.end <= visible.end, "zoomed to the marker");
}

#[test]
fn a_click_beside_all_markers_deselects() {
    let mut window = Window::tall();
    let (_, place) = window.marker_with_fields();
    window.click_at(place);
    let empty = window.chart().center_bottom() - vec2(0.0, 4.0);
    window.click_at(empty);
    assert!(window.view().selected.is_none() && !window.has(Role::Button, "More actions"));
}

#[test]
fn dragging_the_chart_moves_it() {
    let mut window = Window::example();
    let chart = window.chart();
    for _ in 0..3 {
        window.key(Key::W);
    }
    let (from, to) = (chart.lerp_inside(vec2(0.6, 0.8)), chart.lerp_inside(vec2(0.35, 0.45)));
    let (time, scroll, span) = (window.time_at(from.x), window.view().scroll, window.view().axis.span());
    window.drag(from, to, Modifiers::NONE);
    near(&window, window.time_at(to.x), time, 1.0);
    assert!((window.view().scroll - scroll - f64::from(from.y - to.y)).abs() < 1.0, "rows follow the drag");
    assert!((window.view().axis.span() / span - 1.0).abs() < 1e-9);
    assert!(window.view().selected.is_none() && window.view().range.is_none(), "a drag is not a click");
}

#[test]
fn slow_frames_preserve_the_whole_drag() {
    let mut window = Window::example();
    for _ in 0..3 {
        window.key(Key::W);
    }
    let chart = window.chart();
    let ruler = window.node_with_prefix(Role::Slider, "Time ruler").rect;
    for (area, selects) in [(chart, false), (ruler, true)] {
        let (from, to) = (area.lerp_inside(vec2(0.6, 0.5)), area.lerp_inside(vec2(0.3, 0.5)));
        let time = window.time_at(from.x);
        window.pause();
        let press = |pos, pressed| {
            let (button, modifiers) = (PointerButton::Primary, Modifiers::NONE);
            Event::PointerButton { pos, button, pressed, modifiers }
        };
        let between = |part| Event::PointerMoved(from + (to - from) * part);
        window.together([Event::PointerMoved(from), press(from, true), between(0.1)]);
        window.together([between(0.2), between(0.5)]);
        window.together([Event::PointerMoved(to), press(to, false)]);
        window.settle();
        if selects {
            let range = window.view().range.expect("a range");
            near(&window, range.start.0, window.time_at(to.x), 1.0);
            near(&window, range.end.0, time, 1.0);
        } else {
            near(&window, window.time_at(to.x), time, 1.0);
        }
    }
}

#[test]
fn dragging_selects_a_range_with_shift_or_on_the_ruler() {
    let mut window = Window::example();
    let chart = window.chart();
    let ruler = window.node_with_prefix(Role::Slider, "Time ruler").rect;
    for (area, modifiers) in [(chart, Modifiers::SHIFT), (ruler, Modifiers::NONE)] {
        for (from, to) in [(0.2, 0.4), (0.7, 0.5)] {
            let (from, to) = (area.lerp_inside(vec2(from, 0.5)), area.lerp_inside(vec2(to, 0.5)));
            let before = window.view().axis;
            window.drag(from, to, modifiers);
            let range = window.view().range.expect("a range");
            near(&window, range.start.0, window.time_at(from.x.min(to.x)), 1.0);
            near(&window, range.end.0, window.time_at(from.x.max(to.x)), 1.0);
            assert_eq!(window.view().axis, before, "the view does not change");
        }
        assert!(window.says("range "), "the status line shows its length");
        window.click_at(area.lerp_inside(vec2(0.9, 0.5)));
        window.apply(Command::SelectRange(None));
    }
}

#[test]
fn the_wheel_scrolls_zooms_and_pans() {
    let mut window = Window::example();
    let place = window.chart().lerp_inside(vec2(0.7, 0.4));
    let axis = window.view().axis;
    window.wheel(place, vec2(0.0, -3.0), Modifiers::NONE);
    let scrolled = window.view().scroll;
    assert!(scrolled > 30.0, "down: {scrolled}");
    assert_eq!(window.view().axis, axis, "rows only");
    window.wheel(place, vec2(0.0, 1.0), Modifiers::NONE);
    assert!(window.view().scroll < scrolled);
    let labels = pos2(window.chart().min.x - 60.0, place.y);
    let scrolled = window.view().scroll;
    window.wheel(labels, vec2(0.0, -2.0), Modifiers::NONE);
    assert!(window.view().scroll > scrolled, "over the labels too");

    let (time, scrolled) = (window.time_at(place.x), window.view().scroll);
    window.wheel(place, vec2(0.0, 4.0), Modifiers::CTRL | Modifiers::COMMAND);
    assert!(window.view().axis.span() < axis.span() / 1.2, "Ctrl+wheel zooms");
    near(&window, window.time_at(place.x), time, 1.0);
    assert!((window.view().scroll - scrolled).abs() < 1e-9, "the wheel does not scroll");

    let (span, start) = (window.view().axis.span(), window.view().axis.visible().start);
    window.wheel(place, vec2(0.0, -2.0), Modifiers::SHIFT);
    assert!(window.view().axis.visible().start > start, "Shift+wheel pans");
    assert!((window.view().axis.span() / span - 1.0).abs() < 1e-9);
    window.wheel(place, vec2(0.0, -30.0), Modifiers::CTRL | Modifiers::COMMAND);
    assert!(window.view().axis.span() > span, "the opposite direction scrolls back");
}

#[test]
fn the_overview_moves_and_resizes_the_window() {
    let mut window = Window::example();
    for _ in 0..3 {
        window.key(Key::W);
    }
    let overview = window.get(Role::Canvas, "Overview of the whole recording").rect;
    let extent = window.session().index.extent();
    #[expect(clippy::cast_precision_loss, reason = "screen coordinates")]
    let point = extent.len() as f64 / f64::from(overview.width());
    #[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "screen coordinates")]
    let x_of = |time: i64| overview.min.x + ((time - extent.start.0) as f64 / point) as f32;
    let y = overview.center().y + 8.0;
    let apart = |one: i64, other: i64| {
        #[expect(clippy::cast_precision_loss, reason = "a difference of nearby times")]
        let points = (one - other) as f64 / point;
        points
    };

    let before = window.view().axis.visible();
    let middle = f32::midpoint(x_of(before.start.0), x_of(before.end.0));
    window.drag(pos2(middle, y), pos2(middle + 120.0, y), Modifiers::NONE);
    let moved = window.view().axis.visible();
    assert!((apart(moved.start.0, before.start.0) - 120.0).abs() < 2.0, "its window follows the pointer");
    assert!((apart(moved.len(), before.len())).abs() < 0.1, "its window keeps its size");

    let (left, right) = (x_of(moved.start.0), x_of(moved.end.0));
    window.drag(pos2(right, y), pos2(right + 90.0, y), Modifiers::NONE);
    let wider = window.view().axis.visible();
    assert!(apart(wider.start.0, moved.start.0).abs() < 1.0, "the start stays");
    assert!((apart(wider.end.0, moved.end.0) - 90.0).abs() < 8.0, "the end follows the pointer");
    window.drag(pos2(left, y), pos2(left - 70.0, y), Modifiers::NONE);
    let widest = window.view().axis.visible();
    assert!((apart(wider.start.0, widest.start.0) - 70.0).abs() < 8.0, "the start follows the pointer");
    assert!(apart(widest.end.0, wider.end.0).abs() < 1.0, "the end stays");

    window.click_at(pos2(overview.min.x + 600.0, y));
    let centred = window.view().axis.visible();
    let centre = centred.start.0.midpoint(centred.end.0);
    assert!((f64::from(x_of(centre) - overview.min.x) - 600.0).abs() < 3.0, "a click moves its window there");
}
