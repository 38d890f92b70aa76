//! Requests to the application: source locations in the user's editor, and files of stacks.

use std::path::Path;
use std::sync::Arc;

use egui::accesskit::Role;
use egui::{Key, vec2};
use flowline::app::{OutputGuard, save_stacks};
use flowline::import::{self, Progress};
use flowline::index::{Arrangement, Index};
use flowline::profile::text::FileLocation;
use flowline::profile::{Profile, StackId};
use flowline::ui::{AppRequest, KeyMap, StackFormat};

use crate::harness::window::{Window, session};
use crate::recording::samples::{Sampled, profile};

/// A window with the call tree of eight samples: `main` draws frames, and handles a click.
fn window() -> Window {
    let sampled = |at: i64| Sampled {
        time: at * 1_000_000,
        stack: Some(if at < 5 { vec![0, 1, 2] } else { vec![0, 1, 3] }),
        cpu: Some(500_000),
    };
    let profile = profile(&[(0..8).map(sampled).collect()], true);
    let index = Arc::new(Index::build(Arc::new(profile), Arrangement::ByName));
    let mut window =
        Window::showing(session(index, Path::new("made up.json")), KeyMap::Flowline, vec2(1440.0, 1000.0), 1.0);
    window.wait("the samples", |window| !window.panels().is_busy());
    window.key(Key::H);
    window
}

#[test]
fn a_function_opens_at_its_source_location() {
    let mut window = window();
    let row = window.node_with_prefix(Role::TreeItem, "onClick, ");
    window.choose(&row, "Open in editor");
    let place = FileLocation { file: "https://example.com/app.js".into(), line: Some(30), column: None };
    assert_eq!(window.harness.state().requests, [AppRequest::OpenInEditor(place)]);
}

#[test]
fn source_locations_need_an_editor_command() {
    let mut window = window();
    window.shell().opener_advice = Some("Write it to settings.json".into());
    window.settle();
    let row = window.node_with_prefix(Role::TreeItem, "onClick, ");
    window.choose(&row, "Open in editor");
    assert!(window.harness.state().requests.is_empty());
}

#[test]
fn stacks_are_saved_at_the_chosen_path() {
    let mut window = window();
    window.press("More");
    window.press("Save stacks…");
    window.get(Role::TextInput, "Path of the file");
    window.key(Key::Escape);
    assert!(window.all(Role::TextInput, "Path of the file").is_empty(), "Escape closes the dialog");
    for (format, name, choice) in [
        (StackFormat::Speedscope, "made up.speedscope.json", "speedscope"),
        (StackFormat::Collapsed, "made up.collapsed.txt", "Collapsed stacks"),
    ] {
        window.harness.state_mut().requests.clear();
        window.press("More");
        window.press("Save stacks…");
        window.click(Role::RadioButton, choice);
        window.press("Save");
        let requests = window.harness.state().requests.clone();
        let [AppRequest::WriteStacks { path, format: asked, stacks }] = &requests[..] else { panic!("{requests:?}") };
        assert_eq!((path.file_name(), *asked), (Some(name.as_ref()), format));
        let file = std::env::temp_dir().join(format!("flowline-{}-{name}", std::process::id()));
        let count = save_stacks(&OutputGuard::default(), stacks, &file, format).expect("written");
        assert_eq!(count, 2);
        let read = import::open(&file, &import::Options::default(), &Progress::default()).expect("readable").profile;
        std::fs::remove_file(&file).expect("removed");
        assert_eq!(told(&read), told(&window.profile()), "{name}");
    }
}

/// The stacks of a profile, each with its number of milliseconds or samples.
fn told(profile: &Profile) -> Vec<(String, f64)> {
    let mut told: Vec<(String, f64)> = Vec::new();
    let table = &profile.threads[0].samples.as_ref().expect("samples").cpu;
    for sample in 0..table.len() {
        let name = |stack: StackId| profile.func_name(profile.stacks.func(stack)).to_owned();
        let names: Vec<String> = profile.stacks.walk(table.stack(sample).expect("a stack")).map(name).collect();
        let (stack, weight) = (names.join("<"), table.weight(sample));
        match told.iter_mut().find(|(known, _)| *known == stack) {
            Some((_, count)) => *count += weight,
            None => told.push((stack, weight)),
        }
    }
    told.sort_by(|one, other| one.0.cmp(&other.0));
    told
}

#[test]
fn escape_closes_messages() {
    let mut window = window();
    let message = flowline::ui::Message { title: "Saved".into(), text: "2 stacks".into() };
    window.shell().message = Some(message);
    window.settle();
    assert!(window.says("2 stacks"));
    window.key(Key::Escape);
    assert!(!window.says("2 stacks"));
}

#[test]
fn reports_disappear_and_failures_stay_until_they_are_closed() {
    use flowline::ui::Toast;
    let mut window = window();
    window.shell().toast(Toast::saved("Saved 2 stacks", Path::new("/tmp/stacks.txt")));
    window.shell().toast(Toast::failure("Could not save the stacks", "/nowhere: no such folder"));
    window.settle();
    assert!(window.says("Saved 2 stacks") && window.says("Could not save the stacks"));
    assert!(window.has(Role::Button, "Copy path"));
    window.harness.run_steps(4 * 60);
    assert!(window.says("Saved 2 stacks"), "after four seconds of the frames' clock");
    window.harness.run_steps(2 * 60);
    assert!(!window.says("Saved 2 stacks") && window.says("Could not save the stacks"));
    window.press("Dismiss");
    assert!(!window.says("Could not save the stacks"));

    let mut window = Window::example();
    window.shell().toast(Toast::failure("Could not save the stacks", "/nowhere: no such folder"));
    window.settle();
    window.key(Key::Escape);
    assert!(!window.says("Could not save the stacks"), "Escape closes it");

    window.shell().toast(Toast::failure("Could not save the stacks", "/nowhere: no such folder"));
    window.settle();
    window.press("Show details");
    assert!(window.says("/nowhere: no such folder"));
    window.press("Close");
    assert!(!window.says("no such folder"));
}

#[test]
fn a_saved_range_can_be_opened() {
    use flowline::ui::Toast;
    let mut window = Window::example();
    window.shell().toast(Toast::saved_recording("Saved 2.000 s in part.json", Path::new("/tmp/part.json")));
    window.settle();
    window.press("Open");
    let requests = window.harness.state().requests.clone();
    assert_eq!(requests, [AppRequest::OpenFile("/tmp/part.json".into())]);
    assert!(!window.says("Saved 2.000 s"), "{:#?}", window.texts());
}
