//! Small features by keyboard: pin names, menus of table rows, the details, images, the file chooser.

use std::path::Path;
use std::sync::Arc;

use egui::accesskit::Role;
use egui::{Event, Key, Modifiers, PointerButton, vec2};
use egui_kittest::kittest::Queryable as _;
use flowline::index::{Arrangement, Index};
use flowline::profile::{Direction, FlowId, Ns, TimeRange};
use flowline::ui::{AppRequest, ImageFormat, KeyMap};
use flowline::view::{Command, FlowCommand};

use crate::harness::window::{Window, example, session};
use crate::support::folder::Folder;

impl Window {
    /// Presses Tab until a node whose text starts with `text` has the focus.
    #[track_caller]
    pub(crate) fn tab_to(&mut self, role: Role, text: &str) {
        for _ in 0..400 {
            if self.nodes().iter().any(|node| node.focused && node.role == role && node.text.starts_with(text)) {
                return;
            }
            self.key(Key::Tab);
        }
        panic!("Tab does not reach {role:?} {text}");
    }

    /// Focuses a table like a screen reader does.
    #[track_caller]
    fn go_to_table(&mut self, name: &str) {
        let full = self.node_with_prefix(Role::Table, name).text;
        self.harness.get_by_role_and_label(Role::Table, &full).focus();
        self.settle();
    }

    fn menu_by_key(&mut self) {
        self.chord(Modifiers::SHIFT, Key::F10);
    }
}

#[test]
fn pins_are_renamed_and_unpinned_together() {
    let mut window = Window::tall();
    for flow in [3, 5] {
        window.apply(Command::Flow(FlowCommand::TogglePin(FlowId(flow))));
    }
    window.wait("the rows", |window| !window.nodes_with_prefix(Role::Button, "Flow ").is_empty());
    window.tab_to(Role::Button, "Flow ");
    window.key(Key::F2);
    assert!(window.has(Role::TextInput, "Pin name"), "{:#?}", window.texts());
    window.chord(Modifiers::COMMAND | Modifiers::CTRL, Key::A);
    window.type_text("mine");
    window.key(Key::Enter);
    assert_eq!(window.view().flows.pin_names.values().collect::<Vec<_>>(), ["mine"]);
    assert_eq!(window.nodes_with_prefix(Role::Button, "Flow mine").len(), 1);
    window.press("Unpin all");
    assert!(window.view().flows.pinned.is_empty() && window.view().flows.pin_names.is_empty());
}

#[test]
fn the_entered_flow_is_renamed_regardless_of_the_focus() {
    let mut window = Window::tall();
    let flow = window.longest();
    window.enter(&[flow]);
    window.key(Key::F2);
    assert!(!window.has(Role::TextInput, "Pin name"), "it is not pinned");
    window.key(Key::P);
    window.key(Key::F2);
    assert!(window.has(Role::TextInput, "Pin name"), "{:#?}", window.texts());
    // Typing replaces the existing name.
    window.type_text("mine");
    window.key(Key::Enter);
    assert_eq!(window.view().flows.pin_names.get(&flow).map(String::as_str), Some("mine"));
}

#[test]
fn copying_shows_a_brief_message() {
    let mut window = Window::tall();
    let marker = window.marker_with_fields().0;
    window.apply(Command::Select(Some(marker)));
    let copied = window.copied_by_key(Key::C, Modifiers::COMMAND | Modifiers::CTRL | Modifiers::SHIFT);
    assert!(copied.len() <= 1, "{copied:?}");
    window.press("Copy");
    assert!(window.says("Copied "), "{:#?}", window.texts());
    window.pause();
    for _ in 0..320 {
        window.harness.step();
    }
    assert!(!window.says("Copied "), "{:#?}", window.texts());
}

#[test]
fn the_f5_key_reloads_the_file() {
    let folder = Folder::new("reload");
    let path = folder.file("recording.json", "[]");
    let mut window = Window::showing(session(example(), &path), KeyMap::Flowline, vec2(1000.0, 700.0), 1.0);
    window.key(Key::F5);
    assert_eq!(window.harness.state().requests, [AppRequest::OpenFile(path)]);
    let mut window = Window::showing(session(example(), Path::new("")), KeyMap::Flowline, vec2(1000.0, 700.0), 1.0);
    window.key(Key::F5);
    assert_eq!(window.harness.state().requests, [], "the bundled example is not a file");
}

#[test]
fn an_empty_recording_shows_a_message() {
    let bytes = br#"{"traceEvents":[]}"#.to_vec();
    let imported = flowline::import::read(bytes, &flowline::import::Progress::default()).expect("an empty trace");
    let index = Arc::new(Index::build(Arc::new(imported.profile), Arrangement::Stack));
    let window = Window::showing(session(index, Path::new("")), KeyMap::Flowline, vec2(1000.0, 700.0), 1.0);
    assert!(window.says("This recording has no markers, samples or counters."), "{:#?}", window.texts());
}

#[test]
fn table_rows_have_menus_by_keys() {
    let mut window = Window::tall();
    let (marker, _) = window.marker_with_fields();
    window.apply(Command::Select(Some(marker)));
    window.key(Key::T);
    window.wait("the table", |window| !window.panels().marker_table.rows().is_empty());
    window.go_to_table("Marker table");
    window.menu_by_key();
    for entry in ["Show in chart", "Hide thread H"] {
        assert!(window.says(entry), "{entry}: {:#?}", window.texts());
    }
    assert!(
        window.nodes().iter().any(|node| node.focused && node.text.starts_with("Show in chart")),
        "the first has the focus"
    );
    window.key(Key::Escape);
    assert!(!window.says("Hide thread"));
    window.key(Key::ArrowDown);
    assert_ne!(window.view().selected, Some(marker), "the table has the focus again");

    window.chord(Modifiers::COMMAND | Modifiers::CTRL, Key::T);
    window.wait("the flows", |window| {
        window.nodes_with_prefix(Role::Table, "Flow table").iter().any(|node| !node.text.contains(", 0 "))
    });
    window.go_to_table("Flow table");
    window.key(Key::ArrowDown);
    window.menu_by_key();
    assert!(window.says("Copy flow id"), "{:#?}", window.texts());
    window.key(Key::Escape);

    window.key(Key::I);
    window.wait("the statistics", |window| !window.nodes_with_prefix(Role::Table, "Statistics").is_empty());
    window.go_to_table("Statistics");
    window.key(Key::ArrowDown);
    window.menu_by_key();
    assert!(window.says("Copy name"), "{:#?}", window.texts());
}

#[test]
fn the_details_go_back_and_forward_through_selections() {
    let mut window = Window::example();
    let [first, second, third] = [0, 5, 9].map(|at| window.hoverable_markers()[at].0);
    for marker in [first, second, third] {
        window.apply(flowline::view::Command::Select(Some(marker)));
    }
    window.press("Previous selection");
    assert_eq!(window.selected(), second);
    let alt_shift = Modifiers::ALT | Modifiers::SHIFT;
    window.chord(alt_shift, Key::ArrowLeft);
    assert_eq!(window.selected(), first);
    window.press("Previous selection");
    assert_eq!(window.selected(), first, "a disabled button has no effect");
    window.press("Next selection");
    window.chord(alt_shift, Key::ArrowRight);
    assert_eq!(window.selected(), third);
    window.key(Key::Escape);
    assert_eq!(window.view().selected, None);
    window.press("Previous selection");
    assert_eq!(window.selected(), third, "after clearing, the last selection returns");
    window.press("Close details");
    assert!(window.shell().state.hidden.details);
}

#[test]
fn sections_of_the_details_collapse_by_mouse_and_keys() {
    let mut window = Window::example();
    let (marker, _) = window.marker_with_fields();
    window.apply(flowline::view::Command::Select(Some(marker)));
    let state = |window: &Window| window.node_with_prefix(Role::DisclosureTriangle, "Timing").text;
    assert!(state(&window).ends_with("expanded") && window.has(Role::Label, "Start"));
    let place = window.node_with_prefix(Role::DisclosureTriangle, "Timing").rect.center();
    window.click_at(place);
    assert!(state(&window).ends_with("collapsed") && !window.has(Role::Label, "Start"));
    assert!(window.shell().state.collapsed.timing);
    window.apply(flowline::view::Command::Select(Some(flowline::profile::MarkerId(0))));
    assert!(state(&window).ends_with("collapsed"), "for the next marker too");
    window.harness.get_by_label_contains("Timing, collapsed").focus();
    window.settle();
    window.key(Key::Enter);
    assert!(!window.shell().state.collapsed.timing && window.has(Role::Label, "Start"));
}

#[test]
fn the_width_of_the_details_is_clamped_and_restored() {
    let width = |window: &Window| {
        let left = window.get(Role::Splitter, "Width of the details").rect.center().x;
        window.harness.ctx.content_rect().width() - left
    };
    let mut window = Window::example();
    assert!((width(&window) - 328.0).abs() < 12.0, "{}", width(&window));
    let sizes = flowline::ui::SavedPanelSizes { details: Some(600.0), ..Default::default() };
    window.shell().set_panel_sizes(sizes);
    window.settle();
    assert!((width(&window) - 600.0).abs() < 12.0, "{}", width(&window));
    window.harness.set_size(vec2(920.0, 600.0));
    window.settle();
    assert!(!window.has(Role::Splitter, "Width of the details"), "a narrow window has no room for it");
    window.chord(Modifiers::ALT, Key::Num3);
    assert!(width(&window) <= 472.0, "at most half of the window: {}", width(&window));
    window.harness.set_size(vec2(1440.0, 900.0));
    window.settle();
    assert!((width(&window) - 600.0).abs() < 12.0, "{}", width(&window));
}

#[test]
fn a_key_saves_images_in_the_format_of_the_file_name() {
    let mut window = Window::showing(
        session(example(), std::path::Path::new("some.json")),
        KeyMap::Flowline,
        vec2(1440.0, 900.0),
        1.0,
    );
    window.harness.state_mut().requests.clear();
    window.chord(Modifiers::COMMAND | Modifiers::CTRL, Key::S);
    assert!(window.says("Save image") && window.has(Role::RadioButton, "SVG"));
    let (field, search) =
        (window.get(Role::TextInput, "Path of the file").rect, window.get(Role::TextInput, "Search markers").rect);
    assert!(field.min.y > search.max.y + 100.0, "dialogs are in the middle");
    window.key(Key::End);
    for _ in 0..4 {
        window.key(Key::Backspace);
    }
    window.type_text(".svg");
    assert!(window.get(Role::RadioButton, "SVG").selected, "the file extension selects the format");
    window.key(Key::Enter);
    let requests = window.harness.state().requests.clone();
    let [AppRequest::WriteImage { path, format: ImageFormat::Svg }] = &requests[..] else { panic!("{requests:?}") };
    assert_eq!(path.file_name().expect("a name"), "some.svg");
}

#[test]
fn the_chooser_filters_while_typing_and_keeps_the_keyboard_after_an_error() {
    let folder = Folder::new("filter");
    let open = folder.file("open.json", "{}");
    for name in ["other.cpuprofile", "third.json.gz", "stacks.collapsed"] {
        folder.file(name, "{}");
    }
    let mut window = Window::showing(session(example(), &open), KeyMap::Flowline, vec2(1440.0, 900.0), 1.0);
    window.chord(Modifiers::CTRL | Modifiers::COMMAND, Key::O);
    for name in ["other.cpuprofile", "third.json.gz", "stacks.collapsed"] {
        assert!(window.says(name), "{name} can be opened");
    }
    window.type_text("thi");
    assert!(window.says("third.json.gz, 2") && !window.says("other.cpuprofile"));
    window.type_text("zz");
    window.key(Key::Enter);
    assert!(window.says("No such file or folder."));
    assert!(window.get(Role::TextInput, "Path of a file or folder").focused);
    for _ in 0..2 {
        window.key(Key::Backspace);
    }
    assert!(!window.says("No such file or folder."), "the text has changed");
    window.harness.state_mut().requests.clear();
    window.key(Key::Enter);
    assert_eq!(
        window.harness.state().requests,
        [AppRequest::OpenFile(folder.path("third.json.gz"))],
        "the only remaining entry"
    );
}

#[test]
fn keys_do_not_reach_the_chart_behind_a_menu() {
    let mut window = Window::example();
    let (marker, place) = window.marker_with_fields();
    window.apply(Command::Select(Some(marker)));
    window.button(place, PointerButton::Secondary, true, Modifiers::NONE);
    window.button(place, PointerButton::Secondary, false, Modifiers::NONE);
    window.settle();
    assert!(window.says("Critical path to it"), "the menu is open");
    let (hidden, arrangement) = (window.view().tracks.hidden.clone(), window.view().arrangement);
    for key in [Key::H, Key::L, Key::ArrowDown, Key::ArrowDown] {
        window.key(key);
    }
    assert_eq!(window.view().selected, Some(marker), "arrow keys go to the menu");
    assert_eq!((&window.view().tracks.hidden, window.view().arrangement), (&hidden, arrangement));
    assert!(window.says("Critical path to it"));
    window.key(Key::Escape);
    assert!(!window.says("Critical path to it") && window.view().selected == Some(marker));
    window.key(Key::L);
    assert_ne!(window.view().arrangement, arrangement, "keys go to the chart again");
}

#[test]
fn escape_cancels_a_drag() {
    let mut window = Window::example();
    let chart = window.chart();
    let before = TimeRange::new(Ns(window.time_at(chart.min.x + 10.0)), Ns(window.time_at(chart.min.x + 60.0)));
    window.apply(Command::SelectRange(Some(before)));
    for modifiers in [Modifiers::SHIFT, Modifiers::ALT] {
        let (from, to) = (chart.center(), chart.center() + vec2(80.0, 30.0));
        window.pause();
        window.event(Event::ModifiersChanged(modifiers));
        window.event(Event::PointerMoved(from));
        window.button(from, PointerButton::Primary, true, modifiers);
        window.event(Event::PointerMoved(from + vec2(20.0, 10.0)));
        window.harness.step();
        window.event(Event::PointerMoved(to));
        window.harness.step();
        assert_ne!(window.view().range, Some(before), "{modifiers:?}");
        window.key(Key::Escape);
        assert_eq!(window.view().range, Some(before), "{modifiers:?}");
        window.event(Event::PointerMoved(to + vec2(30.0, 0.0)));
        window.button(to, PointerButton::Primary, false, modifiers);
        window.event(Event::ModifiersChanged(Modifiers::NONE));
        window.settle();
        assert_eq!(window.view().range, Some(before), "{modifiers:?}: the drag is over");
    }
}

#[test]
fn a_small_window_does_not_change_saved_widths() {
    let mut window = Window::example();
    let (marker, _) = window.marker_with_fields();
    window.apply(Command::Select(Some(marker)));
    let before = (window.session().canvas.regions, window.shell().panel_sizes());
    window.harness.set_size(vec2(320.0, 300.0));
    window.settle();
    assert!(window.session().canvas.regions.labels.width < before.0.labels.width);
    window.harness.set_size(vec2(1440.0, 900.0));
    window.settle();
    assert_eq!((window.session().canvas.regions, window.shell().panel_sizes()), before);
}

#[test]
fn the_status_line_counts_the_hits() {
    let mut window = Window::example();
    window.apply(Command::Search("styles".into()));
    window.wait_for_search("styles");
    let hits = window.session().hits().expect("hits").total();
    let mut seen = Vec::new();
    for _ in 0..hits.min(5) {
        let next = window.session().hits().and_then(|hits| {
            hits.step_among(&window.profile(), window.view().selected, Direction::Forward, |_, _| true)
        });
        window.apply(Command::Select(next));
        let texts = window.texts();
        seen.push(texts.iter().find_map(|text| text.rsplit_once(", hit ")).map_or("", |(_, rank)| rank).to_owned());
    }
    for (number, text) in (1..).zip(&seen) {
        assert_eq!(*text, format!("{number} of {hits}"), "{seen:?}");
    }
}

#[test]
fn the_statistics_table_handles_only_its_own_keys() {
    let mut window = Window::example();
    let visible = window.view().axis.visible();
    let quarter = Ns(visible.len() / 4);
    let shown = TimeRange { start: visible.start + quarter, end: visible.end - quarter };
    window.apply(Command::Show(shown));
    let range = TimeRange { start: shown.start + Ns(quarter.0 / 4), end: shown.end - Ns(quarter.0 / 4) };
    window.apply(Command::SelectRange(Some(range)));
    window.key(Key::I);
    window.wait("the numbers", |window| window.says("Statistics, ") && !window.panels().is_busy());
    let (before, scroll) = (window.view().axis.visible(), window.view().scroll);
    for key in [Key::ArrowDown, Key::End, Key::Home, Key::PageDown, Key::PageUp] {
        window.key(key);
    }
    assert_eq!(
        (window.view().axis.visible(), window.view().scroll),
        (before, scroll),
        "the table has moved its cursor"
    );
    window.key(Key::Enter);
    window.wait("the zoom", |window| !window.view().is_moving());
    assert_ne!(
        window.view().axis.visible(),
        before,
        "Enter zooms to the selected range, because the table does not handle it"
    );
}
