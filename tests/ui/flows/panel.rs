//! The flow panel under the pointer: dots, intervals, boxes and labels; groups, the splitter, the mouse wheel.

use std::path::Path;
use std::sync::Arc;

use crate::harness::window::{Window, example, near, session};
use crate::recording::{self, Recording, instant, interval};
use egui::accesskit::Role;
use egui::{Event, Modifiers, PointerButton, Pos2, Rect, pos2, vec2};
use flowline::index::{Arrangement, Index};
use flowline::profile::{Direction, FlowId, MarkerId};
use flowline::scene::{FlowHit, FlowItem, FlowItemKind, FlowTarget, flow_hit};
use flowline::session::Job;
use flowline::ui::KeyMap;
use flowline::view::{Command, FlowSection};
use serde_json::{Map, Value, json};

const ROWS: &str = "Flow panel: rows of flows";

/// Position of an item of the panel in points, and its middle line.
fn place_of(window: &Window, wanted: impl Fn(&FlowItem) -> bool) -> Option<(f32, f32)> {
    let session = window.session();
    let areas = session.scene_input().flow_areas()?.map(|area| {
        let item = area.visible().iter().find(|item| wanted(item))?;
        let place = area.place(item);
        let inside = place.y >= area.rect.y && place.y + place.height <= area.rect.bottom();
        inside.then_some((place.y / area.scale, place.height / area.scale))
    });
    let (top, height) = areas.into_iter().flatten().next()?;
    Some((top, top + height / 2.0))
}

fn row_of(window: &Window, flow: FlowId) -> (f32, f32) {
    place_of(window, |item| item.flow() == Some(flow)).unwrap_or_else(|| panic!("{flow:?} has no row on screen"))
}

/// The x position of a time, in points.
#[expect(clippy::cast_possible_truncation, reason = "screen coordinates")]
fn x_of(window: &Window, time: flowline::profile::Ns) -> f32 {
    let session = window.session();
    (session.canvas.regions.chart.x + session.view.axis.pixel(time).floor() as f32 + 0.5) / session.canvas.scale
}

/// A member of a flow whose dot is the only one hit at its position, with that position.
fn dot_of(window: &Window, flow: FlowId) -> (MarkerId, Pos2) {
    let (_, middle) = row_of(window, flow);
    let session = window.session();
    let found = window.graph().members(flow).iter().find_map(|marker| {
        let place = pos2(x_of(window, session.view.times_of(*marker)?.start), middle);
        let (x, y) = (place.x * session.canvas.scale, place.y * session.canvas.scale);
        let hit = flow_hit(&session.scene_input(), x, y)?;
        let own = FlowHit::Flow { flow, target: FlowTarget::Dot { marker: *marker, count: 1 } };
        (hit == own).then_some((*marker, place))
    });
    found.expect("a dot alone")
}

/// The longest flow of the example, entered and filling the width.
fn with_flow(scale: f32) -> (Window, FlowId) {
    let example = session(example(), Path::new(""));
    let mut window = Window::showing(example, KeyMap::Flowline, vec2(1440.0, 900.0), scale);
    let flow = window.longest();
    window.enter(&[flow]);
    window.chord(Modifiers::SHIFT, egui::Key::F);
    (window, flow)
}

fn hovering_and_clicking(scale: f32) {
    let (mut window, flow) = with_flow(scale);
    let (marker, place) = dot_of(&window, flow);
    let card = window.card(marker);
    assert!(!window.has(Role::Label, &card.heading));
    window.point_at(place);
    assert_eq!(window.view().hovered, Some(marker));
    assert_eq!(window.view().flows.hovered, Some(flow));
    assert!(window.has(Role::Label, &card.heading) && window.has(Role::Label, &card.subtitle), "its tooltip");
    window.point_at(window.chart().center_bottom() + vec2(0.0, 12.0));
    assert_eq!((window.view().hovered, window.view().flows.hovered), (None, None));
    assert!(!window.has(Role::Label, &card.heading), "the tooltip follows the pointer");

    window.click_at(place);
    window.point_at(window.chart().center_bottom() + vec2(0.0, 12.0));
    window.shows(marker);
    assert_eq!(window.session().selected_flow(), Some(flow), "keys continue along the clicked row");
    assert_eq!(window.entered(), [flow]);
    window.type_text("]");
    let next = window.graph().sibling(&window.profile(), flow, marker, Direction::Forward).expect("the next marker");
    window.shows(next);
}

#[test]
fn a_dot_describes_and_reveals_its_marker() {
    hovering_and_clicking(1.0);
}

#[test]
fn dots_are_hit_on_high_density_screens() {
    hovering_and_clicking(2.0);
}

#[test]
fn an_interval_hits_its_marker_and_a_box_hits_its_flow() {
    let (mut window, flow) = with_flow(1.0);
    let (top, _) = row_of(&window, flow);
    let target = |window: &Window, place: Pos2| {
        let hit = flow_hit(&window.session().scene_input(), place.x, place.y);
        match hit {
            Some(FlowHit::Flow { flow: of, target }) if of == flow => Some(target),
            _ => None,
        }
    };
    let chart = window.chart();
    let columns = (0_u16..).map(f32::from).take_while(|x| *x < chart.width());
    let places: Vec<Pos2> = columns.map(|x| pos2(chart.min.x + x + 0.5, top + 2.5)).collect();
    let interval = places.iter().find_map(|place| match target(&window, *place) {
        Some(FlowTarget::Interval(marker)) => Some((marker, *place)),
        _ => None,
    });
    let (marker, place) = interval.expect("an interval");
    let boxed = *places.iter().find(|place| target(&window, **place) == Some(FlowTarget::Box)).expect("a box");
    window.point_at(place);
    assert_eq!(window.view().hovered, Some(marker));
    window.point_at(boxed);
    assert_eq!((window.view().hovered, window.view().flows.hovered), (None, Some(flow)));
    let label = window.session().flows.shapes.flow(flow).expect("made").appearance.label.clone();
    assert!(window.all(Role::Label, &label).len() > 1, "the flow's tooltip, and its details");
    window.click_at(place);
    window.shows(marker);
}

#[test]
fn a_click_on_a_label_or_a_box_enters_that_flow() {
    let (mut window, flow) = with_flow(1.0);
    let panel = window.get(Role::Canvas, ROWS).rect;
    let others = |window: &Window| -> Vec<FlowId> {
        let areas = window.session().scene_input().flow_areas().expect("open");
        let on_screen = areas[0].visible().iter().filter_map(FlowItem::flow);
        on_screen
            .filter(|other| {
                !window.entered().contains(other) && place_of(window, |item| item.flow() == Some(*other)).is_some()
            })
            .collect()
    };
    let by_label = others(&window)[0];
    let (_, middle) = row_of(&window, by_label);
    window.click_at(pos2(panel.min.x - 120.0, middle));
    assert_eq!(window.entered(), [by_label]);
    window.enter(&[flow]);
    let by_box = others(&window)[0];
    let (top, _) = row_of(&window, by_box);
    // Far from its box, the row responds like the box.
    window.click_at(pos2(panel.max.x - 5.0, top + 2.0));
    assert_eq!(window.entered(), [by_box]);
    assert_eq!(window.view().selected, None);
}

/// The context menu of a row enters and pins.
#[test]
fn rows_have_a_context_menu() {
    let (mut window, flow) = with_flow(1.0);
    let id = window.graph().id_text(&window.profile(), flow);
    let row = |window: &Window| window.flow_rows().into_iter().find(|row| row.text.contains(&id)).expect("its row");
    let node = row(&window);
    window.choose(&node, "Pin P");
    assert_eq!(window.pinned(), [flow]);
    let node = row(&window);
    window.choose(&node, "Unpin P");
    assert!(window.pinned().is_empty());
}

#[test]
fn a_double_click_on_a_dot_zooms_to_the_flow() {
    let (mut window, flow) = with_flow(1.0);
    window.key(egui::Key::Num0);
    let (_, place) = dot_of(&window, flow);
    window.pause();
    window.event(Event::PointerMoved(place));
    for pressed in [true, false, true, false] {
        window.button(place, PointerButton::Primary, pressed, Modifiers::NONE);
    }
    window.settle();
    let (range, visible) = (window.graph().range(&window.profile(), flow), window.view().axis.visible());
    assert!(visible.start <= range.start && range.end <= visible.end && visible.len() < range.len() * 5 / 4);
}

#[test]
fn the_splitter_changes_the_panels_height() {
    let (mut window, _) = with_flow(1.0);
    let height = |window: &Window| window.get(Role::Canvas, ROWS).rect.height();
    let (before, chart) = (height(&window), window.chart().height());
    let edge = window.get(Role::Splitter, "Height of the flow panel").rect;
    let from = pos2(edge.center().x + 200.0, edge.center().y);
    window.drag(from, from - vec2(0.0, 100.0), Modifiers::NONE);
    assert!((height(&window) - before - 100.0).abs() < 8.0, "{} after {before}", height(&window));
    assert!(
        (window.chart().height() - chart + (height(&window) - before)).abs() < 1.0,
        "the chart shrinks by the same height"
    );
    for far in [-2000.0, 2000.0] {
        let edge = window.get(Role::Splitter, "Height of the flow panel").rect.center() + vec2(200.0, 0.0);
        window.drag(edge, edge + vec2(0.0, far), Modifiers::NONE);
        assert!(window.chart().height() >= 60.0 && height(&window) >= 26.0, "both keep a minimum height");
    }
}

#[test]
fn the_wheel_scrolls_zooms_and_pans() {
    let (mut window, _) = with_flow(1.0);
    let panel = window.get(Role::Canvas, ROWS).rect;
    let place = panel.lerp_inside(vec2(0.6, 0.5));
    window.wheel(place, vec2(0.0, 30.0), Modifiers::NONE);
    assert!(window.view().flows.scroll < 1e-9, "up to the top");
    let (axis, chart) = (window.view().axis, window.view().scroll);
    window.wheel(place, vec2(0.0, -3.0), Modifiers::NONE);
    let scrolled = window.view().flows.scroll;
    assert!(scrolled > 30.0, "down: {scrolled}");
    window.wheel(pos2(panel.min.x - 60.0, place.y), vec2(0.0, -1.0), Modifiers::NONE);
    assert!(window.view().flows.scroll > scrolled, "over the labels too");
    assert_eq!((window.view().axis, window.view().scroll), (axis, chart), "rows of the panel only");
    window.wheel(place, vec2(0.0, -500.0), Modifiers::NONE);
    let most = window.session().flows.list.main.height() - f64::from(panel.height());
    assert!((window.view().flows.scroll - most).abs() < 1.0, "down to the end");

    let (time, scrolled) = (window.time_at(place.x), window.view().flows.scroll);
    window.wheel(place, vec2(0.0, 4.0), Modifiers::CTRL | Modifiers::COMMAND);
    assert!(window.view().axis.span() < axis.span() / 1.2, "Ctrl+wheel zooms the chart's axis");
    near(&window, window.time_at(place.x), time, 1.0);
    assert!((window.view().flows.scroll - scrolled).abs() < 1e-9, "the wheel does not scroll");
    let (span, start) = (window.view().axis.span(), window.view().axis.visible().start);
    window.wheel(place, vec2(0.0, -2.0), Modifiers::SHIFT);
    assert!(window.view().axis.visible().start > start, "Shift+wheel pans");
    assert!((window.view().axis.span() / span - 1.0).abs() < 1e-9);
}

#[test]
fn dragging_the_panel_moves_it() {
    let (mut window, flow) = with_flow(1.0);
    window.chord(Modifiers::NONE, egui::Key::W);
    let panel = window.get(Role::Canvas, ROWS).rect;
    window.wheel(panel.center(), vec2(0.0, 30.0), Modifiers::NONE);
    let (from, to) = (panel.lerp_inside(vec2(0.6, 0.8)), panel.lerp_inside(vec2(0.4, 0.5)));
    let (time, chart) = (window.time_at(from.x), window.view().scroll);
    window.drag(from, to, Modifiers::NONE);
    near(&window, window.time_at(to.x), time, 1.0);
    let moved = window.view().flows.scroll;
    assert!((moved - f64::from(from.y - to.y)).abs() < 1.0, "rows follow the drag: {moved}");
    assert_eq!(window.view().scroll, chart, "the rows of the chart do not move");
    assert_eq!((window.entered(), window.view().selected), (&[flow][..], None), "a drag is not a click");
}

#[test]
fn slow_frames_preserve_the_whole_panel_drag() {
    let (mut window, _) = with_flow(1.0);
    window.chord(Modifiers::NONE, egui::Key::W);
    let panel = window.get(Role::Canvas, ROWS).rect;
    let splitter = window.get(Role::Splitter, "Height of the flow panel").rect.center() + vec2(200.0, 0.0);
    let (from, to) = (panel.lerp_inside(vec2(0.6, 0.5)), panel.lerp_inside(vec2(0.3, 0.5)));
    // The splitter is narrow: a faster move would press the area beside it.
    for (from, to, soon) in [(from, to, 0.1), (splitter, splitter - vec2(0.0, 90.0), 0.0)] {
        let (time, height) = (window.time_at(from.x), window.chart().height());
        window.pause();
        let press = |pos, pressed| {
            let (button, modifiers) = (PointerButton::Primary, Modifiers::NONE);
            Event::PointerButton { pos, button, pressed, modifiers }
        };
        let between = |part| Event::PointerMoved(from + (to - from) * part);
        window.together([Event::PointerMoved(from), press(from, true), between(soon)]);
        window.together([between(0.2), between(0.5)]);
        window.together([Event::PointerMoved(to), press(to, false)]);
        window.settle();
        near(&window, window.time_at(to.x), time, 1.0);
        let moved = f64::from(height - window.chart().height());
        assert!((moved - f64::from(from.y - to.y)).abs() < 1.0, "the edge follows the pointer: {moved}");
    }
}

/// A marker in 60 flows with two names, each with another marker: more than the panel lists one by one.
fn crowded() -> Arc<Index> {
    let keys: Vec<String> = (0..60).map(|at| format!("flow{at}")).collect();
    let fields: Vec<Value> = keys.iter().map(|key| json!({"key": key, "format": "flow-id"})).collect();
    let all: Map<String, Value> = keys.iter().map(|key| (key.clone(), json!(format!("@{key}")))).collect();
    let typed = |mut data: Map<String, Value>| {
        data.insert("type".into(), json!("Crowd"));
        Value::Object(data)
    };
    let mut rows = Vec::new();
    for (at, key) in (0_u32..).zip(&keys) {
        let data = [(key.clone(), json!(format!("@{key}")))].into_iter().collect();
        let name = if at < 40 { "many" } else { "few" };
        rows.push(interval(name, 1.0 + f64::from(at) / 100.0, 2.0).with(typed(data)));
    }
    rows.push(instant("hub", 3.0).with(typed(all)));
    rows.push(instant("only", 4.0).with(typed([("flow0".to_owned(), json!("@alone"))].into_iter().collect())));
    let schemas = json!([{"name": "Crowd", "display": [], "fields": fields}]);
    let profile = recording::read(&Recording::of(rows).schemas(schemas).raw());
    Arc::new(Index::build(Arc::new(profile), Arrangement::ByName))
}

#[test]
fn groups_expand_and_collapse() {
    let session = session(crowded(), Path::new("crowded.json"));
    let mut window = Window::showing(session, KeyMap::Flowline, vec2(1440.0, 1600.0), 1.0);
    window.shell().set_panel_sizes(flowline::ui::SavedPanelSizes {
        flows: Some(1200.0),
        ..flowline::ui::SavedPanelSizes::default()
    });
    window.enter(&[FlowId(0)]);
    assert_eq!(window.graph().connections(&[FlowId(0)]).direct.len(), 59);
    let name = |count: usize, name: &str, state: &str| format!("{count} flows that begin with {name}, {state}");
    for (count, of) in [(39, "many"), (20, "few")] {
        assert!(window.has(Role::DisclosureTriangle, &name(count, of, "collapsed")), "{:#?}", window.texts());
    }
    assert_eq!(window.flow_rows().len(), 1, "only the entered flow");
    window.click(Role::DisclosureTriangle, &name(20, "few", "collapsed"));
    window.wait("the rows", |window| !window.session().flows.is_busy());
    assert!(window.has(Role::DisclosureTriangle, &name(20, "few", "expanded")));
    assert_eq!(window.flow_rows().len(), 21);
    // A click beside the label works too.
    let group = place_of(&window, |item| matches!(item.kind, FlowItemKind::Group { open: true, .. })).expect("a group");
    window.click_at(pos2(window.chart().max.x - 30.0, group.1));
    assert!(window.has(Role::DisclosureTriangle, &name(20, "few", "collapsed")));
    assert_eq!(window.flow_rows().len(), 1);

    // A marker of a collapsed group has a dot on the group's row, which hits the group.
    window.apply(Command::Select(Some(window.graph().members(FlowId(50))[0])));
    let (_, middle) = place_of(&window, |item| matches!(item.kind, FlowItemKind::Group { .. })).expect("a group");
    window.point_at(pos2(window.chart().center().x, middle));
    assert_eq!(window.view().flows.hovered, None);
    assert!(matches!(
        window.session().flows.list.main.row(FlowId(50)).map(|item| item.kind),
        Some(FlowItemKind::Group { section: FlowSection::Direct, .. })
    ));
    // Entering another flow collapses all groups.
    window.click(Role::DisclosureTriangle, &name(39, "many", "collapsed"));
    window.enter(&[FlowId(1)]);
    assert!(window.view().flows.open_groups.is_empty());
}

/// The label column and the drawn rows match line by line.
#[test]
fn labels_are_beside_their_rows() {
    let (mut window, _) = with_flow(2.0);
    window.shell().set_panel_sizes(flowline::ui::SavedPanelSizes {
        flows: Some(260.0),
        ..flowline::ui::SavedPanelSizes::default()
    });
    window.settle();
    let panel: Rect = window.get(Role::Canvas, ROWS).rect;
    let rows = window.flow_rows();
    let session = window.session();
    let areas = session.scene_input().flow_areas().expect("open");
    let items: Vec<&FlowItem> = areas[0].visible().iter().filter(|item| item.flow().is_some()).collect();
    assert!(items.len() > 4 && items.len() == rows.len(), "{} rows, {} labels", items.len(), rows.len());
    for (item, row) in items.iter().zip(&rows) {
        let (top, height) = (areas[0].y(item) / areas[0].scale, areas[0].height(item) / areas[0].scale);
        let shown = Rect::from_min_max(pos2(row.rect.min.x, top), pos2(row.rect.max.x, top + height));
        let inside =
            shown.intersect(Rect::everything_below(panel.min.y)).intersect(Rect::everything_above(panel.max.y));
        assert!((row.rect.intersect(inside).height() - inside.height()).abs() < 0.6, "{row:?} beside {top}+{height}");
        assert!(row.rect.max.x <= panel.min.x + 0.5, "labels end where rows start");
        let id = session.index.flows().id_text(session.index.profile(), item.flow().expect("a flow"));
        assert!(row.text.contains(&id));
    }
}
