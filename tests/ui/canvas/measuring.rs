//! The measuring tool: edges set with keys and the chart's menu, dragged and cleared.

use crate::harness::window::Window;
use egui::accesskit::Role;
use egui::{Event, Key, Modifiers, PointerButton, Pos2, pos2, vec2};
use flowline::profile::{MarkerId, Ns};
use flowline::view::{Command, Measure};

/// Chooses an entry of the context menu at a position in the chart.
fn menu(window: &mut Window, place: Pos2, entry: &str) {
    window.pause();
    window.event(Event::PointerMoved(place));
    for pressed in [true, false] {
        window.button(place, PointerButton::Secondary, pressed, Modifiers::NONE);
    }
    window.settle();
    let entry = window.node_with_prefix(Role::Button, entry).rect.center();
    window.click_at(entry);
}

#[test]
fn two_edges_persist_and_show_their_distance() {
    let mut window = Window::tall();
    let (marker, place) = window.marker_with_fields();
    let times = window.view().times_of(marker).expect("a marker");
    #[expect(clippy::cast_possible_truncation, reason = "screen coordinates")]
    let at = |window: &Window, time: Ns| window.chart().min.x + window.view().axis.pixel(time) as f32;
    let start = pos2(at(&window, times.start) + 1.0, place.y);
    window.point_at(start);
    window.key(Key::M);
    let a = window.view().measure.expect("an edge").a;
    crate::harness::window::near(&window, a.0, times.start.0, 2.5);
    window.point_at(start + vec2(150.0, 0.0));
    window.key(Key::M);
    let measure = window.view().measure.expect("both");
    let range = measure.range().expect("both");
    let length = flowline::format::format_duration_ns(range.len());
    let says = |window: &Window, length: &str| {
        window
            .nodes()
            .iter()
            .any(|node| node.role == Role::GraphicsDocument && node.text.ends_with(&format!("distance {length}")))
    };
    assert!(says(&window, &length));

    // Dragging an edge moves neither the other edge nor the view.
    let visible = window.view().axis.visible();
    let edge = pos2(at(&window, measure.b.expect("an edge")), place.y);
    window.drag(edge, edge + vec2(-40.0, 3.0), Modifiers::CTRL.plus(Modifiers::COMMAND));
    let moved = window.view().measure.expect("both");
    assert_eq!((moved.a, window.view().axis.visible(), window.view().range), (a, visible, None));
    crate::harness::window::near(&window, moved.b.expect("an edge").0, window.time_at(edge.x - 40.0), 1.0);
    window.key(Key::Escape);
    assert_eq!(window.view().measure, None);

    // Measures the selection, with keys and with the menu.
    window.click_at(place);
    window.chord(Modifiers::SHIFT, Key::M);
    assert_eq!(window.view().measure, Some(Measure::of(times)));
    window.point_at(pos2(-5.0, -5.0));
    window.key(Key::M);
    assert_eq!(window.view().measure, None, "M again clears it");
    menu(&mut window, place, "Measure from here");
    menu(&mut window, place + vec2(60.0, 0.0), "Measure to here");
    let measured = window.view().measure.and_then(Measure::range).expect("both");
    assert!(!measured.is_empty());
    window.key(Key::Space);
    assert_eq!(window.view().chosen.rows.rows.len(), 1);
    window.key(Key::Space);
    assert!(window.view().chosen.is_empty());
}

#[test]
fn the_menu_refers_to_the_clicked_marker_not_the_selected_one() {
    let mut window = Window::example();
    let places = window.hoverable_markers();
    let times = |window: &Window, marker| window.view().times_of(marker).expect("a marker");
    let (selected, first) = places[0];
    let other = |(marker, _): &&(MarkerId, Pos2)| times(&window, *marker) != times(&window, selected);
    let (clicked, place) = *places.iter().find(other).expect("another one");
    for select in [true, false] {
        window.click_at(first);
        if !select {
            window.apply(Command::Select(None));
        }
        window.key(Key::Escape);
        menu(&mut window, place, "Select its time");
        assert_eq!(window.view().range, Some(times(&window, clicked)));
        window.apply(Command::SelectRange(None));
        window.apply(Command::ZeroAt(None));
    }
    window.apply(Command::Select(Some(selected)));
    // Below all rows there is no marker.
    window.apply(Command::CollapseAll);
    let chart = window.chart();
    let empty = pos2(chart.center().x, chart.max.y - 4.0);
    menu(&mut window, empty, "Measure from here");
    assert_eq!(window.view().selected, Some(selected));
    assert!(window.view().measure.is_some(), "without a marker, the menu is about the moment");
}
