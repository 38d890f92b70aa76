//! Single frames during changes: labels match the drawn rows, and texts and colors belong to the same state, in every
//! frame of a scroll, a drag, a resize, or a switch of layout or theme.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use egui::accesskit::Role;
use egui::{Event, Key, Modifiers, MouseWheelUnit, PointerButton, Pos2, TouchPhase, ViewportId, pos2, vec2};
use flowline::format::format_duration_ms;
use flowline::import::{Options, Progress};
use flowline::index::Index;
use flowline::profile::MarkerId;
use flowline::scene::{ItemKind, TrackItem};
use flowline::ui::{TableKind, style};
use flowline::view::Command;
use flowline_load::{Origin, UserRules, load};
use flowline_synth::Format;

use crate::support;
use crate::support::frames::{FrameWindow, Label, window};

/// The bundled example, a Firefox and a Chrome recording, and real ones if available.
fn recordings() -> Vec<Arc<Index>> {
    let mut all = vec![support::example()];
    all.extend([Format::Firefox, Format::Chrome].map(|format| support::synthetic(format, 20_000, 5)));
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared");
    for name in ["traces/chromium-156-2s.json.gz", "profiles/firefox-153-processed-1s.json.gz"] {
        let path = shared.join(name);
        if path.exists() {
            let origin = Origin::File(path);
            let loaded = load(&origin, Options::default(), &UserRules::built_in(), &Progress::default());
            all.push(loaded.expect("a recording").index);
        }
    }
    all
}

/// Checks the consistency of a frame.
#[track_caller]
fn check(window: &FrameWindow, what: &str) {
    let session = window.session();
    let input = session.scene_input();
    let labels = window.labels();
    let column = session.canvas.regions.labels;
    for item in input.visible_items() {
        let top = input.item_y(item);
        let is_heading = match &item.kind {
            ItemKind::Row(_) | ItemKind::FlowRow(_) | ItemKind::Counter(_) => false,
            // A button.
            ItemKind::MoreRows(_) => false,
            // Rows of tracks without names of their own belong to their heading.
            ItemKind::TrackRow(row) => !row.label(&input).spoken.is_empty(),
            _ => true,
        };
        let here = |label: &Label| {
            label.rect.min.x < column.right() - 1.0
                && matches!(label.role, Role::DisclosureTriangle | Role::Label)
                && (label.rect.min.y - top).abs() < 0.01
                && (label.rect.height() - input.item_height(item)).abs() < 0.01
        };
        assert!(!is_heading || labels.iter().any(here), "{what}: no label at {top} for {:?}", item.kind);
    }
    // No label is shown without a row.
    let is_label = |label: &&Label| {
        matches!(label.role, Role::DisclosureTriangle | Role::Label)
            && label.rect.min.x == column.x
            && (label.rect.width() - column.width).abs() < 0.01
            && label.rect.center().y > column.y
            && label.rect.center().y < column.bottom()
            // Headings that are scrolled away stay at the top.
            && !(label.rect.min.y == column.y && (label.rect.height() - 18.0 * input.scale).abs() < 0.01)
    };
    for label in labels.iter().filter(is_label) {
        let is_row = input.visible_items().iter().any(|item| (input.item_y(item) - label.rect.min.y).abs() < 0.01);
        assert!(is_row, "{what}: no row at {} for {:?}", label.rect.min.y, label.text);
    }
    let bottom = (session.list().height() - f64::from(column.height / input.scale)).max(0.0);
    assert!((0.0..=bottom).contains(&session.view.scroll), "{what}: scrolled to {} of {bottom}", session.view.scroll);
    let scale = session.view.axis.ns_per_pixel() * f64::from(input.scale) / 1e6;
    assert!(window.says(&format!("1 px = {}", format_duration_ms(scale))), "{what}: the status line lags");
    assert_eq!(window.scene().palette.canvas, window.palette().canvas, "{what}: the scene's theme");
    let panel = window.context().global_style().visuals.panel_fill;
    assert_eq!(panel, style::color(window.palette().panel), "{what}: the widgets' theme");
    assert_eq!(window.scene().axis, input.axis_map(), "{what}: the axis");
}

fn wheel(notches: f32) -> Event {
    Event::MouseWheel {
        unit: MouseWheelUnit::Line,
        delta: vec2(0.0, notches),
        phase: TouchPhase::Move,
        source: egui::MouseWheelSource::Unknown,
        modifiers: Modifiers::NONE,
    }
}

fn press(key: Key) -> Event {
    Event::Key { key, physical_key: None, pressed: true, repeat: false, modifiers: Modifiers::NONE }
}

fn button(pos: Pos2, pressed: bool) -> Event {
    Event::PointerButton { pos, button: PointerButton::Primary, pressed, modifiers: Modifiers::NONE }
}

/// Runs an action and the following frames, and checks each of them.
#[track_caller]
fn step(window: &mut FrameWindow, what: &str, events: Vec<Event>) {
    window.frame(1.0 / 60.0, events);
    check(window, what);
    for number in 1..12 {
        window.frame(1.0 / 60.0, Vec::new());
        check(window, &format!("{what}, {number} frames later"));
    }
}

#[test]
fn labels_match_their_rows_in_every_frame() {
    for index in recordings() {
        let mut window = window(&index);
        window.settle();
        window.session_mut().apply(flowline::view::Command::ExpandAll);
        let middle = pos2(700.0, 400.0);
        step(&mut window, "a pointer", vec![Event::PointerMoved(middle)]);
        for notches in [-1.0, -3.0, 2.0, -40.0, -400.0, 9.0, 400.0] {
            step(&mut window, &format!("{notches} notches"), vec![wheel(notches)]);
        }
        for key in [Key::PageDown, Key::PageDown, Key::PageUp, Key::PageUp, Key::PageUp] {
            step(&mut window, &format!("{key:?}"), vec![press(key)]);
        }
        step(&mut window, "a press", vec![button(middle, true)]);
        for way in [1.0, 2.0, 3.0] {
            let to = middle - vec2(40.0, 90.0) * way;
            step(&mut window, "a drag", vec![Event::PointerMoved(to)]);
        }
        step(&mut window, "a release", vec![button(middle, false)]);
        for (width, height, scale) in [(900.0, 500.0, 1.0), (1500.0, 300.0, 1.5), (1200.0, 760.0, 2.0)] {
            (window.size, window.scale) = (vec2(width, height), scale);
            step(&mut window, &format!("{width}x{height} at {scale}"), Vec::new());
        }
    }
}

#[test]
fn layout_and_theme_switch_within_one_frame() {
    for index in recordings() {
        let mut window = window(&index);
        window.frame(0.0, Vec::new());
        step(&mut window, "a pointer", vec![Event::PointerMoved(pos2(700.0, 400.0))]);
        for round in 0..6 {
            step(&mut window, "the layout", vec![press(Key::L)]);
            step(&mut window, "a wheel and the layout", vec![wheel(-30.0), press(Key::L)]);
            step(&mut window, "the layout twice", vec![press(Key::L), wheel(-2.0), press(Key::L)]);
            let modifiers = Modifiers { ctrl: true, command: true, shift: true, ..Modifiers::NONE };
            let theme = Event::Key { key: Key::L, physical_key: None, pressed: true, repeat: false, modifiers };
            step(&mut window, &format!("the theme, round {round}"), vec![theme]);
            let by_name = window
                .labels()
                .into_iter()
                .find(|label| label.text == if round % 2 == 0 { "By name" } else { "Stack" });
            let place = by_name.expect("the buttons").rect.center();
            step(&mut window, "a click", vec![Event::PointerMoved(place), button(place, true), button(place, false)]);
        }
    }
}

#[test]
fn scrolling_never_overshoots_the_bottom() {
    let mut window = window(&support::example());
    window.frame(0.0, Vec::new());
    window.session_mut().apply(flowline::view::Command::ExpandAll);
    window.settle();
    window.frame(1.0 / 60.0, vec![Event::PointerMoved(pos2(700.0, 300.0))]);
    let mut before = window.session().view.scroll;
    for _ in 0..60 {
        window.frame(1.0 / 60.0, vec![wheel(-25.0)]);
        let scroll = window.session().view.scroll;
        assert!(scroll >= before, "back from {before} to {scroll}");
        assert!(scroll <= window.session().layout().max_scroll());
        before = scroll;
    }
    assert!(before > 0.0 && before == window.session().layout().max_scroll(), "the bottom was reached");
}

/// Texts of tables during background work.
const BUSY: [&str; 6] = ["Counting…", "Sorting…", "Comparing…", "Collecting ", "Computing ", "Finding "];

/// Tables with computed contents.
const TABLES: [TableKind; 12] = [
    TableKind::Markers,
    TableKind::FlowTree,
    TableKind::AllFlows,
    TableKind::CallTree,
    TableKind::BottomUp,
    TableKind::Functions,
    TableKind::Flame,
    TableKind::EventLog,
    TableKind::Statistics,
    TableKind::CriticalPath,
    TableKind::Network,
    TableKind::Insights,
];

#[test]
fn no_progress_text_remains_after_background_work() {
    for index in recordings() {
        let mut window = window(&index);
        window.settle();
        window.session_mut().apply(Command::Select(Some(MarkerId(0))));
        for table in TABLES {
            window.shell.state.table = Some(table);
            for search in ["", "e"] {
                window.session_mut().apply(Command::Search(search.into()));
                rest(&mut window, &format!("{table:?}, searched for {search:?}"));
            }
        }
    }
}

/// Runs frames as long as the window requests them. Pauses between frames let background work finish, so that a frame
/// finds it done.
#[track_caller]
fn rest(window: &mut FrameWindow, what: &str) {
    for _ in 0..2000 {
        window.frame(1.0 / 60.0, Vec::new());
        let due = window.output.egui.viewport_output[&ViewportId::ROOT].repaint_delay;
        if !due.is_zero() && !window.shell.is_busy() {
            let left = BUSY.into_iter().filter(|text| window.says(text));
            assert_eq!(left.collect::<Vec<_>>(), [""; 0], "{what}");
            return;
        }
        std::thread::sleep(Duration::from_millis(3));
    }
    panic!("{what}: frames without end, or work without end: {}", window.shell.is_busy());
}
