//! Elements around the chart: its description for screen readers, warnings, loading, errors, the file chooser.

use std::path::Path;
use std::sync::Arc;

use crate::harness::window::{Window, example, session};
use crate::recording::text as text_of;
use crate::recording::{Recording, instant};
use crate::support::example_text;
use crate::support::folder::Folder;
use egui::accesskit::Role;
use egui::{Event, Key, Modifiers, PointerButton, vec2};
use flowline::import;
use flowline::import::Progress;
use flowline::index::flows::FlowRules;
use flowline::index::{Arrangement, Index};
use flowline::profile::MarkerId;
use flowline::session::{Job, time_text};
use flowline::ui::{AppRequest, FileFormats, KeyMap, LoadedPart, Loading, Shell};
use flowline::view::{Command, Pane, PathTarget, Theme};
use serde_json::json;

#[test]
fn the_chart_description_contains_range_and_selection() {
    let mut window = Window::example();
    let profile = window.profile();
    let visible = window.view().axis.visible();
    let range = format!(
        "Timeline from {} to {}",
        time_text(profile.clock().show(visible.start)),
        time_text(profile.clock().show(visible.end))
    );
    window.get(Role::GraphicsDocument, &format!("{range}. No marker selected"));
    let (marker, _) = window.marker_with_fields();
    window.apply(Command::Select(Some(marker)));
    let chart = window.node_with_prefix(Role::GraphicsDocument, &range);
    let card = window.card(marker);
    assert!(chart.text.contains(&format!("Selected: {}", card.heading)), "{}", chart.text);
    for (label, value) in &card.lines {
        assert!(chart.text.contains(&format!("{label}: {}", value.replace('\n', "; "))), "{}", chart.text);
    }
    window.key(Key::W);
    assert!(!window.nodes().iter().any(|node| node.role == Role::GraphicsDocument && node.text.starts_with(&range)));
}

#[test]
fn warnings_are_counted_and_explained() {
    let mut text = example_text();
    text.truncate(text.len() / 2);
    let profile = import::read(text, &Progress::default()).expect("a truncated recording has one warning").profile;
    let warnings = profile.warnings.list();
    assert!(!warnings.is_empty());
    let index = Arc::new(Index::build(Arc::new(profile), Arrangement::ByName));
    let session = session(Arc::clone(&index), Path::new("cut.json"));
    let mut window = Window::showing(session, KeyMap::Flowline, vec2(1440.0, 900.0), 1.0);
    let warnings = window.session().warnings().list();
    let badge = format!("{} warning{}", warnings.len(), if warnings.len() == 1 { "" } else { "s" });
    window.press(&badge);
    for warning in &warnings {
        assert!(window.says(warning.kind.explain()) && window.says(&warning.first), "{warning:?}");
    }
    window.key(Key::Escape);
    assert!(!window.says(warnings[0].kind.explain()));
    assert!(
        Window::example().nodes_with_prefix(Role::Button, "1 warning").is_empty(),
        "an undamaged recording has no badge"
    );
}

#[test]
fn damaged_events_of_page_loads_are_warnings() {
    let frames = json!([{"frame": "MAIN", "url": "http://a.test/", "processId": 7, "isOutermostMainFrame": true,
        "isInPrimaryMainFrame": true}]);
    let event = |name: &str, us: i64, args: serde_json::Value| json!({"name": name, "ph": "I", "s": "t", "cat": "loading", "pid": 7, "tid": 7, "ts": us, "args": args});
    let window = |is_damaged: bool| {
        let score = if is_damaged { json!("?") } else { json!(0.1) };
        let events = [
            event("TracingStartedInBrowser", 0, json!({"data": {"frames": frames}})),
            event("LayoutShift", 400_000, json!({"data": {"weighted_score_delta": score}})),
            json!({"name": "RunTask", "ph": "X", "pid": 7, "tid": 7, "ts": 10, "dur": 900_000}),
        ];
        let text = json!({"traceEvents": events}).to_string().into_bytes();
        let profile = import::read(text, &Progress::default()).expect("a trace").profile;
        let index = Arc::new(Index::build(Arc::new(profile), Arrangement::ByName));
        let mut window =
            Window::showing(session(index, Path::new("page.json")), KeyMap::Flowline, vec2(1440.0, 900.0), 1.0);
        window.wait("the events of the page", |window| !window.session().has_background_work());
        window
    };
    let mut damaged = window(true);
    damaged.press("1 warning");
    assert!(damaged.says("layout shifts: LayoutShift"), "{:#?}", damaged.texts());
    assert!(window(false).nodes_with_prefix(Role::Button, "1 warning").is_empty());
}

#[test]
fn loading_shows_progress_and_can_be_canceled() {
    let mut window = Window::with(Shell::new(KeyMap::Flowline, Theme::Dark), vec2(1000.0, 700.0), 1.0);
    window.settle();
    assert!(window.says("Drop a file or a folder here"));
    let progress = |part: Option<f32>, amount: &str| Loading {
        name: "big.json".into(),
        phase: "Reading",
        shown: LoadedPart::Nothing,
        pane: Pane::A,
        part,
        amount: amount.into(),
    };
    window.shell().loading = Some(progress(Some(0.25), "25 of 100 MB"));
    window.harness.run_steps(4);
    for what in ["Loading big.json", "Reading 25 of 100 MB"] {
        assert!(window.says(what), "{what}: {:#?}", window.texts());
    }
    assert!(!window.says("Drop a file or a folder here"));
    for (shown, sentence) in [
        (LoadedPart::Beginning, "Showing the beginning while the rest loads."),
        (LoadedPart::AllButFlows, "Showing all markers while flows are analyzed."),
    ] {
        window.shell().loading = Some(Loading { shown, ..progress(None, "") });
        window.harness.run_steps(4);
        assert!(window.says(sentence), "{:#?}", window.texts());
    }
    assert!(window.nodes().iter().any(|node| node.role == Role::ProgressIndicator));
    window.shell().loading = Some(progress(None, "26 MB"));
    window.harness.run_steps(4);
    assert!(window.says("Reading 26 MB"));
    let cancel = window.get(Role::Button, "Cancel").rect.center();
    window.event(Event::PointerMoved(cancel));
    window.button(cancel, PointerButton::Primary, true, Modifiers::NONE);
    window.button(cancel, PointerButton::Primary, false, Modifiers::NONE);
    window.harness.run_steps(4);
    assert_eq!(window.harness.state().requests, [AppRequest::CancelLoading]);
}

#[test]
fn errors_are_shown_and_keep_the_open_recording() {
    let mut window = Window::with(Shell::new(KeyMap::Flowline, Theme::Dark), vec2(1000.0, 700.0), 1.0);
    window.shell().error = Some("broken.json: this is a PNG image".into());
    window.settle();
    assert!(window.says("Cannot open this file") && window.says("broken.json: this is a PNG image"));
    window.press("Open file");
    assert!(window.says("Open a recording"));

    let mut window = Window::example();
    window.shell().error = Some("broken.json: this is a PNG image".into());
    window.settle();
    assert!(window.says("broken.json: this is a PNG image") && !window.headings().is_empty());
    window.key(Key::Escape);
    assert!(!window.says("broken.json"), "Escape closes it");
}

#[test]
fn files_are_opened_by_click_or_by_path() {
    let folder = Folder::new("chooser");
    let open = folder.file("open.json", "{}");
    let (next, inner) = (folder.file("next.json.gz", "{}"), folder.path("inner"));
    std::fs::create_dir_all(&inner).expect("a folder");
    folder.file("inner/deep.json", "{}");
    folder.file("notes.txt", "{}");
    let mut window = Window::showing(session(example(), &open), KeyMap::Flowline, vec2(1440.0, 900.0), 1.0);
    window.shell().formats = FileFormats { endings: vec![".json", ".json.gz"], ..FileFormats::default() };
    let choose = |window: &mut Window| {
        window.harness.state_mut().requests.clear();
        window.chord(Modifiers::CTRL | Modifiers::COMMAND, Key::O);
        assert!(window.says("Open a recording"));
    };
    choose(&mut window);
    for listed in ["open.json, 2", "next.json.gz, 2", "inner", "Parent folder"] {
        assert!(window.says(listed), "{listed}: {:#?}", window.texts());
    }
    assert!(!window.says("notes.txt"), "other files are not listed");
    window.key(Key::Escape);
    assert!(!window.says("Open a recording"));
    assert!(window.harness.state().requests.is_empty());

    choose(&mut window);
    let (axis, arrangement) = (window.view().axis, window.view().arrangement);
    window.type_text("next.json.gz");
    window.key(Key::Enter);
    assert_eq!(window.harness.state().requests, [AppRequest::OpenFile(next.clone())], "typed after the folder's path");
    assert!(!window.says("Open a recording"));
    assert_eq!((window.view().axis, window.view().arrangement), (axis, arrangement), "typing had no other effect");

    choose(&mut window);
    window.type_text(&inner.join("deep.json").display().to_string());
    window.key(Key::Enter);
    assert_eq!(
        window.harness.state().requests,
        [AppRequest::OpenFile(inner.join("deep.json"))],
        "an absolute path typed after the folder replaces it"
    );

    choose(&mut window);
    window.type_text("inner");
    window.key(Key::Enter);
    assert!(window.harness.state().requests.is_empty() && window.says("deep.json, 2"), "the folder is opened");
    let deep = window.nodes().into_iter().find(|node| node.text.contains("deep.json, 2")).expect("listed");
    window.click_at(deep.rect.center());
    assert_eq!(window.harness.state().requests, [AppRequest::OpenFile(inner.join("deep.json"))]);
}

#[test]
fn a_recording_without_markers_is_shown() {
    for rows in [vec![], vec![instant("Only", 1.0)]] {
        let text = text_of(&Recording::of(rows).raw());
        let profile = import::read(text.into_bytes(), &Progress::default()).expect("a recording").profile;
        let index = Arc::new(Index::build(Arc::new(profile), Arrangement::ByName));
        let session = session(index, Path::new("small.json"));
        let mut window = Window::showing(session, KeyMap::Flowline, vec2(1000.0, 700.0), 1.0);
        for key in [
            Key::T,
            Key::W,
            Key::D,
            Key::F,
            Key::ArrowRight,
            Key::ArrowDown,
            Key::Enter,
            Key::Backspace,
            Key::L,
            Key::Num0,
        ] {
            window.key(key);
        }
        assert!(window.says("Timeline from"));
    }
}

#[test]
fn no_text_denies_flows_before_they_are_loaded() {
    let profile = Arc::clone(example().profile());
    let picture = Arc::new(Index::without_flows(profile, Arrangement::ByName));
    let mut window = Window::showing(session(picture, Path::new("")), KeyMap::Flowline, vec2(1440.0, 900.0), 1.0);
    window.chord(Modifiers::CTRL, Key::T);
    window.wait("the table", |window| window.says("Flows are not available yet."));
    window.apply(Command::Search("flow:nobody".into()));
    window.wait_for_search("flow:nobody");
    assert!(window.says("until flows are available") && !window.says("matches no flow"), "{:#?}", window.texts());
    // The path follows flows, so there is none yet.
    let marker = MarkerId(100);
    window.apply(Command::ShowPath(Some(PathTarget::end_of(marker))));
    window.settle();
    assert!(window.session().critical.path().is_none() && !window.session().critical.is_busy());
    assert!(window.says("not analyzed yet") && !window.says("has no flows"), "{:#?}", window.texts());
    assert!(!window.says("0 flows"), "{:#?}", window.texts());

    let whole = Arc::new(window.session().index.with_flows(&FlowRules::built_in()));
    let mut window = Window::showing(session(whole, Path::new("")), KeyMap::Flowline, vec2(1440.0, 900.0), 1.0);
    window.apply(Command::ShowPath(Some(PathTarget::end_of(marker))));
    window.wait("the path", |window| window.session().critical.path().is_some());
    window.chord(Modifiers::CTRL, Key::T);
    window.wait("the flows", |window| !window.panels().flow_table.rows().is_empty());
}
