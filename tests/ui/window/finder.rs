//! Navigation: the finder, the ends of the recording, closing, and unbound keys.

use crate::harness::window::Window;
use egui::accesskit::Role;
use egui::{Event, Key, Modifiers, OutputCommand};
use flowline::index::search::whole_value;
use flowline::profile::ThreadId;
use flowline::ui::AppRequest;
use flowline::ui::SavedView;
use flowline::view::{Command, TrackRef};

const CTRL: Modifiers = Modifiers { ctrl: true, command: true, ..Modifiers::NONE };

fn open(window: &mut Window) {
    window.chord(CTRL, Key::P);
    assert!(window.get(Role::SearchInput, "Find anything by name").focused);
    window.wait("the names", |window| !window.says("Collecting names"));
}

/// Visible entries of the finder's list.
fn entries(window: &Window) -> Vec<(String, bool)> {
    let options = window.nodes().into_iter().filter(|node| node.role == Role::ListBoxOption);
    options.map(|node| (node.text, node.selected)).collect()
}

#[test]
fn commands_are_found_by_a_few_letters() {
    let mut window = Window::example();
    open(&mut window);
    assert!(entries(&window).len() > 5, "all commands, before anything is typed");
    window.type_text("lghtdark");
    assert!(entries(&window)[0].0.starts_with("Toggle light and dark theme, command"), "{:?}", entries(&window));
    let before = window.shell().theme;
    window.key(Key::Enter);
    assert_ne!(window.shell().theme, before);
    assert!(entries(&window).is_empty(), "the finder is closed");
    let span = window.view().axis.span();
    window.key(Key::W);
    assert!(window.view().axis.span() < span, "the chart has the focus again");
}

#[test]
fn commands_of_every_kind_are_offered() {
    let mut window = Window::example();
    open(&mut window);
    window.type_text("undo");
    let undo = "Undo, command, Ctrl+Z";
    assert!(entries(&window).iter().all(|(shown, _)| shown != undo), "there is nothing to undo");
    window.key(Key::Escape);
    let thread = window.profile().threads_with_ids().map(|(id, _)| id).next().expect("a thread");
    window.apply(Command::HideThread(thread));
    for (text, entry) in [
        ("undo", undo),
        ("add a note", "Add a note to the selection, or a bookmark at the pointer, command, N"),
        ("list of notes", "Toggle list of notes, command, Ctrl+N"),
        ("next marker of the flow", "Select the next marker of the flow, command, ]"),
    ] {
        open(&mut window);
        window.type_text(text);
        assert!(entries(&window).iter().any(|(shown, _)| shown == entry), "{entry}: {:?}", entries(&window));
        window.key(Key::Escape);
    }
    let span = window.view().axis.span();
    open(&mut window);
    window.type_text("zoom in");
    assert!(entries(&window)[0].0.starts_with("Zoom in, command"), "{:?}", entries(&window));
    window.key(Key::Enter);
    assert!(window.view().axis.span() < span / 1.5, "a command that a key holds makes one step");
}

#[test]
fn a_found_thread_is_shown_and_scrolled_to() {
    let mut window = Window::example();
    let profile = window.profile();
    let (id, thread) = profile.threads_with_ids().filter(|(_, thread)| !thread.markers.is_empty()).last().expect("one");
    window.apply(Command::HideThread(id));
    window.apply(Command::ToggleProcess(thread.process));
    open(&mut window);
    window.type_text(&thread.name);
    let own = format!("{}, thread, ", thread.name);
    let place = entries(&window).iter().position(|(text, _)| text.starts_with(&own)).expect("the thread");
    for _ in 0..place {
        window.key(Key::ArrowDown);
    }
    assert!(entries(&window)[place].1, "arrows choose");
    window.key(Key::Enter);
    let tracks = &window.view().tracks;
    let shown: Vec<ThreadId> =
        profile.threads_with_ids().map(|(id, _)| id).filter(|id| tracks.shows(&profile, *id)).collect();
    let same = |other: &ThreadId| profile.thread(*other).name == thread.name;
    let found = shown.iter().copied().filter(same).find(|id| {
        let item = window.session().list().heading_of(TrackRef::Thread(*id));
        item.is_some_and(|item| {
            item.y >= window.view().scroll - 1.0 && item.y < window.view().scroll + f64::from(window.chart().height())
        })
    });
    assert!(found.is_some(), "its heading is on screen");
}

#[test]
fn found_names_are_searched_and_found_flows_entered() {
    let mut window = Window::example();
    open(&mut window);
    window.type_text("GCMinor");
    assert!(entries(&window)[0].0.starts_with("GCMinor, name, "), "{:?}", entries(&window));
    window.key(Key::Enter);
    assert_eq!(window.view().search, whole_value("name", "GCMinor"));
    let profile = window.profile();
    let (thread, local) = profile.locate(window.selected()).expect("a marker");
    assert_eq!(profile.marker_name(thread, local), "GCMinor");

    window.apply(Command::Search(String::new()));
    let flow = flowline::profile::FlowId(0);
    let session = window.session();
    let rules = &session.flows.rules;
    let label = rules.appearance(&profile, session.index.flows(), session.index.source().styles, flow).label;
    open(&mut window);
    window.event(Event::Paste(label.clone()));
    window.settle();
    let place = entries(&window).iter().position(|(text, _)| text.contains(", flow, ")).expect("a flow");
    (0..place).for_each(|_| window.key(Key::ArrowDown));
    window.key(Key::Enter);
    assert_eq!(window.view().flows.entered.len(), 1, "{label}");
}

#[test]
fn escape_closes_the_finder_and_restores_the_focus() {
    let mut window = Window::example();
    let (marker, place) = window.marker_with_fields();
    window.click_at(place);
    open(&mut window);
    window.type_text("zzzzqq");
    assert!(entries(&window).is_empty() && window.says("No matching names."));
    window.key(Key::Escape);
    assert!(!window.has(Role::SearchInput, "Find anything by name"));
    assert_eq!(window.selected(), marker, "Escape closes only the finder");
    assert!(window.node_with_prefix(Role::GraphicsDocument, "Timeline").focused, "the chart has the focus again");
}

#[test]
fn home_and_end_go_to_the_ends() {
    let mut window = Window::example();
    (0..4).for_each(|_| window.key(Key::W));
    let (length, whole) = (window.view().axis.visible().len(), window.profile().meta.range);
    window.key(Key::End);
    let pixel = window.view().axis.ns_per_pixel();
    #[expect(clippy::cast_precision_loss, reason = "a few pixels")]
    let near = |one: i64, other: i64| (one - other).abs() as f64 <= 2.0 * pixel;
    assert!(near(window.view().axis.visible().end.0, whole.end.0));
    window.key(Key::Home);
    let visible = window.view().axis.visible();
    assert!(near(visible.start.0, whole.start.0) && near(visible.len(), length), "at the same zoom");
}

#[test]
fn alt_enter_pins_a_flow() {
    let mut window = Window::example();
    let flow = flowline::profile::FlowId(0);
    let profile = window.profile();
    let session = window.session();
    let rules = &session.flows.rules;
    let label = rules.appearance(&profile, session.index.flows(), session.index.source().styles, flow).label;
    open(&mut window);
    window.event(Event::Paste(label));
    window.settle();
    let place = entries(&window).iter().position(|(text, _)| text.contains(", flow, ")).expect("a flow");
    (0..place).for_each(|_| window.key(Key::ArrowDown));
    window.chord(Modifiers::ALT, Key::Enter);
    assert_eq!((window.view().flows.pinned.len(), window.view().flows.entered.len()), (1, 0));
    assert!(entries(&window).is_empty(), "the palette is closed");
}

#[test]
fn keys_and_commands_are_found_in_the_help() {
    let mut window = Window::example();
    window.event(Event::Text("?".into()));
    window.settle();
    assert!(window.get(Role::SearchInput, "Find a key or command").focused && window.says("Zoom in"));
    window.type_text("zoom in");
    assert!(window.says("Zoom in") && !window.says("Undo"), "{:#?}", window.texts());
    window.type_text("zzz");
    assert!(window.says("No key or command matches."));
    window.key(Key::Escape);
    assert!(!window.has(Role::SearchInput, "Find a key or command"));
}

#[test]
fn unbound_modifier_keys_do_nothing() {
    let mut window = Window::example();
    let (marker, place) = window.marker_with_fields();
    window.click_at(place);
    let state = |window: &mut Window| {
        let (table, help) = (window.shell().state.table, window.shell().state.show_help);
        let view = window.view();
        (
            view.axis.visible(),
            view.scroll.to_bits(),
            view.tracks.revision(),
            view.arrangement,
            view.selected,
            table,
            help,
        )
    };
    let before = state(&mut window);
    let shift = CTRL | Modifiers::SHIFT;
    for (modifiers, key) in [
        (shift, Key::X),
        (shift, Key::T),
        (shift, Key::W),
        (CTRL | Modifiers::ALT, Key::T),
        (CTRL, Key::S),
        (CTRL, Key::H),
        (CTRL, Key::F3),
        (Modifiers::ALT, Key::W),
        (Modifiers::ALT, Key::L),
        (Modifiers::SHIFT, Key::W),
        (Modifiers::SHIFT, Key::B),
        (Modifiers::SHIFT, Key::V),
        (Modifiers::ALT | Modifiers::SHIFT, Key::ArrowRight),
    ] {
        window.chord(modifiers, key);
        assert_eq!(state(&mut window), before, "{modifiers:?} {key:?}");
    }
    assert_eq!(window.selected(), marker);
    assert!(window.harness.state().requests.is_empty());
}

#[test]
fn keys_close_the_recording_toggle_full_screen_and_quit() {
    let mut window = Window::example();
    window.key(Key::F11);
    assert_eq!(window.harness.state().requests, [AppRequest::ToggleFullScreen]);
    window.chord(CTRL, Key::W);
    assert!(window.shell().panes.is_empty() && window.says("Drop a file or a folder here"));
    window.chord(CTRL, Key::Q);
    assert_eq!(
        window.harness.state().requests,
        [AppRequest::ToggleFullScreen, AppRequest::DropRecording, AppRequest::Quit]
    );
    open(&mut window);
    window.type_text("quit");
    window.key(Key::Enter);
    assert_eq!(window.harness.state().requests.last(), Some(&AppRequest::Quit), "commands that need no recording");
}

#[test]
fn the_render_command_can_be_copied() {
    let mut window = Window::example();
    let (marker, _) = window.marker_with_fields();
    window.apply(Command::Select(Some(marker)));
    window.apply(Command::Search("-paint, load".into()));
    open(&mut window);
    window.type_text("copy as");
    window.event(Event::Key {
        key: Key::Enter,
        physical_key: None,
        pressed: true,
        repeat: false,
        modifiers: Modifiers::NONE,
    });
    let mut copied = None;
    for _ in 0..6 {
        window.harness.step();
        let commands = window.harness.output().platform_output.commands.clone();
        copied = copied.or(commands.into_iter().find_map(|command| match command {
            OutputCommand::CopyText(text) => Some(text),
            _ => None,
        }));
    }
    let copied = copied.expect("a command");
    let rest = copied.strip_prefix("flowline render example -o picture.png --size=1440x900 --theme=dark --view=");
    let view = SavedView::from_link(rest.unwrap_or_else(|| panic!("{copied}"))).expect("a view");
    let mut again = Window::example();
    again.shell().show_view(&view);
    again.settle();
    assert_eq!((again.selected(), again.view().search.as_str()), (marker, "-paint, load"));
}

#[test]
fn help_fits_a_small_window_and_scrolls_by_keys() {
    let example = crate::harness::window::session(crate::harness::window::example(), std::path::Path::new(""));
    let size = egui::vec2(640.0, 360.0);
    let mut window = Window::showing(example, flowline::ui::KeyMap::Flowline, size, 1.0);
    window.event(Event::Text("?".into()));
    window.settle();
    let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, size);
    let of = |window: &Window, text: &str| {
        window.nodes().into_iter().find(|node| node.text.contains(text)).map(|node| node.rect)
    };
    let scroll = window.view().scroll;
    let before = of(&window, "Zoom in").expect("in the list");
    window.key(Key::PageDown);
    let after = of(&window, "Zoom in");
    assert!(after.is_none_or(|after| after.min.y < before.min.y - 50.0), "it scrolls");
    window.key(Key::Home);
    assert!(of(&window, "Zoom in").is_some_and(|row| screen.contains_rect(row)), "and back");
    assert_eq!(window.view().scroll.to_bits(), scroll.to_bits(), "the chart stays");
}
