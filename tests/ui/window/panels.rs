//! Hiding panels with keys, commands and double-clicks; the interface scale; small windows.

use egui::accesskit::Role;
use egui::{Key, Modifiers, Rect, pos2, vec2};
use flowline::profile::FlowId;
use flowline::ui::{KeyMap, TableKind};
use flowline::view::{Command, FlowCommand};

use flowline_synth::Format;

use crate::harness::window::{Window, example, session};
use crate::support::sampled;

const CTRL: Modifiers = Modifiers::COMMAND;
/// Lower edge of the toolbar in points: its height below the margin of the harness.
const TOOLBAR_END: f32 = 48.0;

fn small() -> Window {
    let session = session(example(), std::path::Path::new(""));
    Window::showing(session, KeyMap::Flowline, vec2(900.0, 600.0), 1.0)
}

fn heights(window: &Window) -> [f32; 4] {
    let regions = window.session().canvas.regions;
    [regions.overview.height, regions.labels.width, regions.flows.height, regions.chart.width]
}

#[test]
fn keys_hide_and_show_panels() {
    let mut window = Window::example();
    window.apply(Command::Flow(FlowCommand::Enter(vec![FlowId(3)])));
    window.wait("the flow panel", |window| window.session().canvas.regions.flows.height > 50.0);
    let all = heights(&window);
    window.chord(Modifiers::ALT, Key::Num1);
    assert!(heights(&window)[0] < 1.0 && all[0] > 20.0, "the overview");
    window.chord(Modifiers::ALT, Key::Num2);
    assert!(heights(&window)[1] < 1.0 && heights(&window)[3] > all[3] + 200.0, "the labels, and the chart is wider");
    window.chord(Modifiers::ALT, Key::Num5);
    assert!(heights(&window)[2] < 1.0, "the rows of the flow panel");
    assert!(window.session().canvas.regions.flow_header.height > 10.0, "its header remains");
    let has_details = |window: &Window| !window.all(Role::Splitter, "Width of the details").is_empty();
    assert!(has_details(&window));
    window.chord(Modifiers::ALT, Key::Num3);
    assert!(!has_details(&window));
    for key in [Key::Num1, Key::Num2, Key::Num3, Key::Num5] {
        window.chord(Modifiers::ALT, key);
    }
    assert_eq!(heights(&window), all);

    window.chord(Modifiers::ALT, Key::Num4);
    assert_eq!(window.shell().state.table, Some(TableKind::Markers));
    window.chord(Modifiers::SHIFT, Key::N);
    window.chord(Modifiers::ALT, Key::Num4);
    assert_eq!(window.shell().state.table, None);
    window.chord(Modifiers::ALT, Key::Num4);
    assert_eq!(window.shell().state.table, Some(TableKind::Network), "the last table");
}

#[test]
fn a_double_click_on_an_edge_hides_its_panel_and_a_drag_shows_it() {
    let mut window = Window::example();
    window.apply(Command::Flow(FlowCommand::Enter(vec![FlowId(3)])));
    window.shell().state.table = Some(TableKind::Markers);
    window.settle();
    let edge = |window: &Window, name: &str| window.get(Role::Splitter, name).rect;
    for name in ["Width of the labels", "Height of the flow panel", "Width of the details", "Height of the table"] {
        window.pause();
        let rect = edge(&window, name);
        let place = rect.center();
        for pressed in [true, false, true, false] {
            window.event(egui::Event::PointerMoved(place));
            window.button(place, egui::PointerButton::Primary, pressed, Modifiers::NONE);
        }
        window.settle();
    }
    let hidden = window.shell().state.hidden;
    assert!(hidden.labels && hidden.flows && hidden.details && !hidden.overview);
    assert_eq!(window.shell().state.table, None);

    window.pause();
    let rect = edge(&window, "Width of the labels");
    let from = pos2(rect.center().x.max(1.0), rect.center().y);
    window.drag(from, from + vec2(150.0, 0.0), Modifiers::NONE);
    assert!(!window.shell().state.hidden.labels);
    assert!((heights(&window)[1] - 160.0).abs() < 15.0, "{:?}", heights(&window));
}

#[test]
fn the_pointer_hits_the_right_target_at_any_interface_scale() {
    let mut window = Window::example();
    let before = window.session().canvas.regions;
    // Shift is released before the key, which then appears to be held down.
    for modifiers in [CTRL, CTRL | Modifiers::SHIFT, CTRL] {
        let repeat = modifiers.shift;
        window.event(egui::Event::Key { key: Key::Plus, physical_key: None, pressed: true, repeat, modifiers });
        window.settle();
    }
    let scale = window.session().canvas.scale;
    assert!((scale - 1.3).abs() < 1e-3, "{scale}");
    let regions = window.session().canvas.regions;
    assert!((regions.ruler.height / before.ruler.height - 1.3).abs() < 0.05, "{regions:?}");
    // The window is narrow at this scale.
    assert!(
        (before.labels.width - 256.0).abs() < 1.0 && (regions.labels.width - 1.3 * 200.0).abs() < 1.0,
        "{regions:?}"
    );
    let (marker, place) = window.hoverable_markers()[0];
    window.click_at(place);
    assert_eq!(window.selected(), marker);
    window.chord(CTRL, Key::Minus);
    assert!((window.session().canvas.scale - 1.2).abs() < 1e-3);
    window.chord(CTRL, Key::Num0);
    assert!((window.session().canvas.scale - 1.0).abs() < 1e-3);
    for _ in 0..40 {
        window.chord(CTRL, Key::Minus);
    }
    assert!((window.session().canvas.scale - 0.5).abs() < 1e-3, "the scale has a minimum");
}

/// Parts of a window that overlap each other or lie outside.
fn wrong_parts(window: &mut Window, size: egui::Vec2) -> Vec<String> {
    let screen = Rect::from_min_size(pos2(0.0, 0.0), size);
    let buttons =
        window.nodes().into_iter().filter(|node| matches!(node.role, Role::Button | Role::TextInput | Role::CheckBox));
    // The details panel scrolls.
    let details = window.all(Role::Splitter, "Width of the details");
    let details = details.first().map_or(f32::INFINITY, |node| node.rect.center().x);
    let outside = |node: &crate::harness::window::Node| {
        !screen.expand(1.0).contains_rect(node.rect) && (node.rect.min.x < details || node.rect.min.y < TOOLBAR_END)
    };
    // Headings and the strip of tools below the tabs scroll horizontally.
    let table = window.all(Role::Splitter, "Height of the table").first().map(|node| node.rect.max.y);
    let is_in_strip = |node: &crate::harness::window::Node| {
        table.is_some_and(|table| node.rect.min.y > table + 26.0 && node.rect.max.y < table + 64.0)
    };
    let first = [window.all(Role::Button, "Name"), window.all(Role::Button, "URL")].concat();
    let is_heading =
        |node: &crate::harness::window::Node| first.iter().any(|name| name.rect.y_range() == node.rect.y_range());
    buttons
        .filter(|node| outside(node) && !is_heading(node) && !is_in_strip(node))
        .map(|node| format!("{} {:?}", node.text, node.rect))
        .collect()
}

/// Overlapping buttons of the toolbar and of the drawer's tabs; the tools below them scroll.
fn overlapping(window: &Window) -> Vec<[String; 2]> {
    let table = window.get(Role::Splitter, "Height of the table").rect.max.y;
    let is_tool = |node: &crate::harness::window::Node| {
        node.role == Role::Button
            && (node.rect.max.y < TOOLBAR_END || (node.rect.min.y > table && node.rect.max.y < table + 34.0))
    };
    let tools: Vec<_> = window.nodes().into_iter().filter(is_tool).collect();
    let pairs = tools.iter().enumerate().flat_map(|(at, one)| tools[at + 1..].iter().map(move |other| (one, other)));
    let over = pairs.filter(|(one, other)| one.rect.shrink(1.0).intersects(other.rect.shrink(1.0)));
    over.map(|(one, other)| [one.text.clone(), other.text.clone()]).collect()
}

#[test]
fn a_small_window_shows_everything() {
    // In a small window, few markers are visible before one is revealed.
    let (marker, _) = Window::example().marker_with_fields();
    let mut window = small();
    window.apply(Command::Reveal(marker));
    window.apply(Command::Flow(FlowCommand::Enter(vec![FlowId(3)])));
    window.apply(Command::Flow(FlowCommand::TogglePin(FlowId(9))));
    window.apply(Command::Search("thread:gecko".into()));
    window.wait_for_search("thread:gecko");
    for table in [
        TableKind::Markers,
        TableKind::AllFlows,
        TableKind::Statistics,
        TableKind::CallTree,
        TableKind::Network,
        TableKind::Insights,
    ] {
        window.shell().state.table = Some(table);
        window.wait("the table", |window| !window.panels().is_busy() && !window.session().has_background_work());
        let regions = window.session().canvas.regions;
        assert!(regions.chart.height >= 60.0 && regions.flows.height >= 20.0, "{table:?}: {regions:?}");
        assert_eq!(overlapping(&window), Vec::<[String; 2]>::new(), "{table:?}");
        assert_eq!(wrong_parts(&mut window, vec2(900.0, 600.0)), Vec::<String>::new(), "{table:?}");
    }
}

/// Checks the toolbar in windows of many widths, with and without a search.
fn check_tools(window: &mut Window) {
    for search in ["", "a"] {
        window.apply(Command::Search(search.into()));
        if !search.is_empty() {
            window.wait_for_search(search);
        }
        for width in (600..1800).step_by(20) {
            window.harness.set_size(vec2(f32::from(u16::try_from(width).expect("small")), 600.0));
            window.settle();
            let is_tool =
                |node: &crate::harness::window::Node| node.role == Role::Button && node.rect.max.y < TOOLBAR_END;
            let tools: Vec<_> = window.nodes().into_iter().filter(is_tool).collect();
            for name in ["Details", "Tables", "View", "Settings"] {
                assert!(tools.iter().any(|tool| tool.text == name), "{name} at {width} points");
            }
            for (at, one) in tools.iter().enumerate() {
                let other =
                    tools[at + 1..].iter().find(|other| one.rect.shrink(1.0).intersects(other.rect.shrink(1.0)));
                assert!(other.is_none(), "{} and {other:?} at {width} points, search {search:?}", one.text);
            }
        }
    }
}

#[test]
fn toolbar_buttons_never_overlap() {
    check_tools(&mut small());
    // A long name, many digits, and a menu for call colors.
    let index = sampled(Format::Firefox, 120_000, 3);
    let session = session(index, std::path::Path::new("a-recording-with-a-rather-long-name.json.gz"));
    check_tools(&mut Window::showing(session, KeyMap::Flowline, vec2(900.0, 600.0), 1.0));
}

#[test]
fn a_tiny_window_reaches_every_tool_through_a_menu() {
    let mut window = small();
    window.harness.set_size(vec2(600.0, 600.0));
    window.settle();
    window.press("Tables");
    assert!(window.shell().state.table.is_some());
    assert!(!window.shell().state.shows_details, "no room beside the table");
    window.press("Details");
    assert!(window.shell().state.shows_details);
    window.press("View");
    window.press("Categories");
    window.press("Hide all");
    assert!(window.view().search.contains("-cat:="), "{}", window.view().search);
}

/// At every scale and size, the button is lit if and only if the panel is shown, and its key toggles it.
#[test]
fn the_details_button_is_lit_while_the_panel_is_shown() {
    for (width, height) in [(1440.0, 900.0), (1000.0, 700.0)] {
        let session = session(example(), std::path::Path::new(""));
        let mut window = Window::showing(session, KeyMap::Flowline, vec2(width, height), 1.0);
        for table in [None, Some(TableKind::Markers)] {
            for step in 0..12 {
                if step > 0 {
                    window.chord(CTRL, Key::Plus);
                }
                window.shell().state.table = table;
                window.settle();
                let shown = |window: &Window| {
                    let panel = !window.all(Role::Splitter, "Width of the details").is_empty();
                    (panel, window.get(Role::Button, "Details").selected)
                };
                let scale = window.session().canvas.scale;
                let (panel, lit) = shown(&window);
                assert_eq!(panel, lit, "{width} at {scale}, {table:?}");
                window.chord(Modifiers::ALT, Key::Num3);
                let (other, lit) = shown(&window);
                assert!(other != panel && lit == other, "{width} at {scale}, {table:?}: the key has an effect");
                window.chord(Modifiers::ALT, Key::Num3);
            }
            window.chord(CTRL, Key::Num0);
        }
    }
}
