//! The trees of samples: keyboard only, with screen reader texts.

use std::path::Path;
use std::sync::Arc;

use egui::accesskit::Role;
use egui::{Key, Modifiers, vec2};
use flowline::index::{Arrangement, Index};
use flowline::profile::samples::NONE;
use flowline::profile::{
    Category, Ns, Process, ProcessId, Profile, SampleTable, StackTablesBuilder, Thread, ThreadId, ThreadSamples,
    TimeRange, TrackKind,
};
use flowline::ui::{KeyMap, TableKind};
use flowline::view::{Command, RowSelection};

use crate::harness::window::{Window, session};

/// A window with samples 10 ms apart, described by their stacks.
fn window(stacks: &[&[&str]]) -> Window {
    window_of(&[("Main", stacks)])
}

/// The same for several threads.
fn window_of(threads: &[(&str, &[&[&str]])]) -> Window {
    window_with(profile_of(threads))
}

fn profile_of(threads: &[(&str, &[&[&str]])]) -> Profile {
    let mut builder = StackTablesBuilder::default();
    let mut numbers = |names: &&[&str]| builder.named_stack(names.iter().copied()).map_or(NONE, |stack| stack.0);
    let mut thread = |(name, stacks): &(&str, &[&[&str]])| {
        let stack: Vec<u32> = stacks.iter().map(&mut numbers).collect();
        let time = (0..).map(|at| Ns(at * 10_000_000)).take(stacks.len()).collect();
        let cpu = SampleTable::new(time, stack);
        let samples = Some(Box::new(ThreadSamples { cpu, ..ThreadSamples::default() }));
        Thread { name: (*name).into(), is_main: true, samples, ..Thread::default() }
    };
    let (count, threads) = (threads[0].1.len(), threads.iter().map(&mut thread).collect());
    let category = Category { name: "Other".into(), color: "grey".into(), subcategories: Vec::new() };
    let mut profile = Profile {
        stacks: builder.finish(),
        processes: vec![Process::default()],
        threads,
        categories: vec![category],
        ..Profile::default()
    };
    profile.meta.interval = Ns(10_000_000);
    profile.meta.range = TimeRange::new(Ns(0), Ns(10_000_000 * count as i64));
    profile
}

fn window_with(profile: Profile) -> Window {
    let index = Arc::new(Index::build(Arc::new(profile), Arrangement::ByName));
    Window::showing(session(index, Path::new("")), KeyMap::Flowline, vec2(1440.0, 1000.0), 1.0)
}

const STACKS: [&[&str]; 8] = [
    &["main", "layout", "measure"],
    &["main", "layout", "measure"],
    &["main", "layout", "layout", "measure"],
    &["main", "layout"],
    &["main", "paint"],
    &["main", "script", "layout"],
    &["idle"],
    &[],
];

impl Window {
    /// Visible rows of a tree.
    fn sample_rows(&self) -> Vec<String> {
        let is_row = |node: &crate::harness::window::Node| node.text.contains(" percent, ");
        [Role::TreeItem, Role::Row]
            .into_iter()
            .flat_map(|role| self.items(role))
            .filter(is_row)
            .map(|node| node.text)
            .collect()
    }

    fn open_samples(&mut self, modifiers: Modifiers) {
        // A recording of samples opens with its call tree.
        if modifiers != Modifiers::NONE || self.table() != Some(TableKind::CallTree) {
            self.chord(modifiers, Key::Y);
        }
        self.wait("the samples", |window| !window.panels().is_busy());
        self.settle();
    }

    fn names(&self) -> Vec<String> {
        self.sample_rows().iter().map(|row| row.split(',').next().unwrap_or_default().to_owned()).collect()
    }

    /// Presses a key, and waits for the resulting tree.
    fn transform(&mut self, modifiers: Modifiers, key: Key) {
        self.chord(modifiers, key);
        self.wait("the tree", |window| !window.panels().is_busy());
        self.settle();
    }
}

#[test]
fn the_trees_begin_with_the_main_thread_of_the_page() {
    // The browser's own main thread has more samples.
    let mut profile = profile_of(&[("GeckoMain", &STACKS), ("GeckoMain", &STACKS[4..6])]);
    profile.processes = ["Parent Process", "Isolated Web Content"]
        .map(|name| Process { name: name.into(), ..Process::default() })
        .into();
    profile.threads[1].process = ProcessId(1);
    let mut window = window_with(profile);
    window.open_samples(Modifiers::NONE);
    let rows = window.sample_rows();
    assert_eq!(rows[0], "main, 100.0 percent, total 2, 20.00 ms", "{rows:#?}");
}

#[test]
fn the_call_tree_is_navigated_by_keys() {
    let mut window = window(&STACKS);
    window.open_samples(Modifiers::NONE);
    assert_eq!(window.names(), ["main", "idle"]);
    let rows = window.sample_rows();
    assert_eq!(rows[0], "main, 85.7 percent, total 6, 60.00 ms", "{rows:#?}");
    assert_eq!(window.heard(), rows[0], "opening the tree focuses it");
    window.key(Key::ArrowRight);
    assert_eq!(window.names(), ["main", "layout", "paint", "script", "idle"]);
    window.key(Key::H);
    assert_eq!(window.names(), ["main", "layout", "measure", "layout", "paint", "script", "idle"]);
    assert_eq!(window.heard(), "measure, 28.6 percent, total 2, self 2, 20.00 ms");
    window.key(Key::ArrowLeft);
    window.key(Key::ArrowLeft);
    assert_eq!(window.names(), ["main", "layout", "paint", "script", "idle"]);
}

#[test]
fn transforms_are_added_by_keys_and_undone_in_the_breadcrumbs() {
    let mut window = window(&STACKS);
    window.open_samples(Modifiers::NONE);
    window.key(Key::ArrowRight);
    window.key(Key::ArrowDown);
    assert!(window.heard().starts_with("layout, "));
    window.transform(Modifiers::NONE, Key::F);
    assert_eq!(window.names()[0], "layout");
    assert!(window.sample_rows()[0].contains("100.0 percent, total 5"), "{:?}", window.sample_rows());
    window.transform(Modifiers::NONE, Key::R);
    assert_eq!(window.names(), ["layout", "measure"], "recursion is one call");
    window.click(Role::Button, "Focus: layout");
    window.wait("the tree", |window| !window.panels().is_busy());
    window.settle();
    assert_eq!(window.names(), ["layout", "measure", "layout"].map(str::to_owned)[..window.names().len()]);
    window.click(Role::Button, "Complete");
    window.wait("the tree", |window| !window.panels().is_busy());
    window.settle();
    assert!(window.names().contains(&"main".to_owned()));
    window.click(Role::Button, "Redo");
    window.wait("the tree", |window| !window.panels().is_busy());
    window.settle();
    assert_eq!(window.names()[0], "layout");
}

#[test]
fn the_other_views_show_the_same_samples() {
    let mut window = window(&STACKS);
    window.open_samples(Modifiers::SHIFT);
    assert_eq!(window.shell().state.table, Some(TableKind::BottomUp));
    assert_eq!(window.names(), ["measure", "layout", "paint", "idle"].map(str::to_owned));
    window.key(Key::ArrowRight);
    assert_eq!(window.names()[..2], ["measure", "layout"], "its caller");
    window.open_samples(Modifiers::COMMAND);
    assert_eq!(window.shell().state.table, Some(TableKind::Flame));
    window.key(Key::ArrowUp);
    assert!(window.heard().starts_with("main, 85.7 percent"), "{}", window.heard());
    window.key(Key::H);
    assert!(window.heard().starts_with("measure, "), "{}", window.heard());
    window.click(Role::Button, "Functions");
    window.wait("the functions", |window| !window.panels().is_busy());
    window.settle();
    let rows = window.sample_rows();
    assert_eq!(rows.len(), 6, "{rows:#?}");
    assert!(rows.iter().any(|row| row.starts_with("layout, 71.4 percent, total 5, self 2")), "{rows:#?}");
}

#[test]
fn the_tree_follows_range_filter_and_kind() {
    let mut window = window(&STACKS);
    window.open_samples(Modifiers::NONE);
    window.apply(Command::SelectRange(Some(TimeRange::new(Ns(0), Ns(20_000_000)))));
    window.wait("the range", |window| !window.panels().is_busy());
    window.settle();
    assert!(window.sample_rows()[0].starts_with("main, 100.0 percent, total 2"), "{:?}", window.sample_rows());
    window.apply(Command::SelectRange(Some(TimeRange::new(Ns(70_000_000), Ns(80_000_000)))));
    window.wait("the range", |window| !window.panels().is_busy());
    window.settle();
    assert!(window.sample_rows().is_empty());
    assert!(window.says("The stacks of all samples are unknown."));
    window.apply(Command::SelectRange(None));
    window.click(Role::Button, "JavaScript");
    window.wait("the filter", |window| !window.panels().is_busy());
    window.settle();
    assert!(window.says("No functions of this kind were sampled."));
}

#[test]
fn the_tree_shows_selected_threads_and_threads_of_a_box() {
    let mut window = window_of(&[("Main", &STACKS), ("Worker", &[&["run", "wait"] as &[&str]; 8])]);
    window.open_samples(Modifiers::NONE);
    let shows = |window: &mut Window, root: &str| {
        window.wait("the tree", |window| !window.panels().is_busy() && window.names().iter().any(|name| name == root));
    };
    shows(&mut window, "run");
    // The busiest thread is shown initially.
    let main = ThreadId(0);
    window.apply(Command::ToggleThreads(vec![main]));
    shows(&mut window, "main");
    assert!(!window.names().contains(&"run".to_owned()) && window.has(Role::Button, "Clear: thread Main"));
    window.press("Clear: thread Main");
    shows(&mut window, "run");
    let rows = RowSelection { samples: [main].into(), ..RowSelection::default() };
    window.apply(Command::SelectBox(Some(TimeRange::new(Ns(0), Ns(25_000_000))), rows));
    shows(&mut window, "main");
    assert!(
        window.sample_rows().iter().any(|row| row.starts_with("main") && row.contains("total 3")),
        "{:?}",
        window.sample_rows()
    );
}

#[test]
fn a_recording_without_samples_shows_a_message() {
    let mut window = Window::showing(
        session(Arc::new(Index::build(Arc::new(Profile::default()), Arrangement::ByName)), Path::new("")),
        KeyMap::Flowline,
        vec2(1440.0, 1000.0),
        1.0,
    );
    for modifiers in [Modifiers::NONE, Modifiers::SHIFT, Modifiers::COMMAND] {
        window.open_samples(modifiers);
        assert!(window.says("This recording has no samples and no slices."), "{:#?}", window.texts());
    }
}

#[test]
fn a_marker_search_is_not_listed_as_a_filter_of_samples() {
    let mut window = window(&STACKS);
    window.open_samples(Modifiers::NONE);
    window.apply(Command::Search("nothing at all".into()));
    window.wait_for_search("nothing at all");
    window.apply(Command::SelectRange(Some(TimeRange::new(Ns(0), Ns(40_000_000)))));
    window.wait("the range", |window| !window.panels().is_busy());
    window.settle();
    assert!(window.sample_rows()[0].starts_with("main, 100.0 percent, total 4"), "{:?}", window.sample_rows());
    assert_eq!(window.nodes_with_prefix(Role::Button, "Clear: search").len(), 0);
    assert_eq!(window.nodes_with_prefix(Role::Button, "Clear: selected range").len(), 1);
}

#[test]
fn a_filter_can_become_a_transform() {
    let mut window = window(&STACKS);
    window.open_samples(Modifiers::NONE);
    let field = window.get(Role::TextInput, "Filter functions");
    window.click_at(field.rect.center());
    window.type_text("script");
    window.wait("the filter", |window| !window.panels().is_busy());
    window.settle();
    window.click(Role::Button, "Apply filter as transform");
    window.wait("the samples", |window| !window.panels().is_busy());
    window.settle();
    assert!(window.sample_rows()[0].starts_with("main, 100.0 percent, total 1"), "{:?}", window.sample_rows());
    assert!(window.has(Role::Button, "Filter: script"), "{:?}", window.texts());
    assert!(!window.has(Role::Button, "Apply filter as transform"), "the filter is empty again");
    window.click(Role::Button, "Complete");
    window.wait("the tree", |window| !window.panels().is_busy());
    window.settle();
    assert_eq!(window.names()[0], "main");
    assert!(window.sample_rows()[0].contains("total 6"), "{:?}", window.sample_rows());
}

#[test]
fn rows_describe_when_their_samples_were_taken() {
    let mut window = window(&STACKS);
    let busiest_part = |window: &Window, name: &str| {
        use egui_kittest::kittest::NodeT as _;
        let root = window.harness.root();
        let found = root.children_recursive().find_map(|node| {
            let node = node.accesskit_node();
            node.label().filter(|label| label.starts_with(name) && label.contains(" percent, "))?;
            node.description()
        });
        found.unwrap_or_default()
    };
    for modifiers in [Modifiers::NONE, Modifiers::SHIFT] {
        window.open_samples(modifiers);
        // The row's one sample, 60 ms after the first, is in one of 48 parts of 80 ms.
        assert_eq!(busiest_part(&window, "idle"), "most between 60.000 ms and 61.670 ms");
    }
    window.click(Role::Button, "Functions");
    window.wait("the functions", |window| !window.panels().is_busy());
    window.settle();
    assert_eq!(busiest_part(&window, "paint"), "most between 40.000 ms and 41.670 ms");
}

#[test]
fn functions_are_grouped_above_the_first_level() {
    let mut window = window(&STACKS);
    window.open_samples(Modifiers::SHIFT);
    let menu = window.get(Role::Button, "Groups above the first level of the tree");
    window.click_at(menu.rect.center());
    window.settle();
    window.press("Group by file");
    window.wait("the tree", |window| !window.panels().is_busy());
    window.settle();
    assert_eq!(window.names(), ["(no file)"]);
    assert!(window.sample_rows()[0].starts_with("(no file), 100.0 percent, total 7, self 7"));
    window.click_at(window.node_with_prefix(Role::TreeItem, "(no file)").rect.center());
    window.key(Key::ArrowRight);
    assert_eq!(window.names()[..2], ["(no file)", "measure"]);
    // A group is not a function: transform keys do nothing, and transform paths do not contain it.
    window.transform(Modifiers::NONE, Key::F);
    assert_eq!(window.names()[..2], ["(no file)", "measure"]);
    window.key(Key::ArrowDown);
    window.transform(Modifiers::SHIFT, Key::F);
    assert!(window.has(Role::Button, "Focus callers: measure"), "{:?}", window.texts());
    assert!(window.sample_rows()[0].starts_with("(no file), 100.0 percent, total 3"), "{:?}", window.sample_rows());
}

#[test]
fn a_thread_without_samples_and_slices_is_reported() {
    let mut profile = (*Window::example().profile()).clone();
    let has_markers = |thread: &&mut Thread| !thread.markers.is_empty();
    let thread = profile.threads.iter_mut().rfind(has_markers).expect("a thread");
    thread.samples = None;
    // Only threads have call trees.
    thread.kind = TrackKind::Process;
    let index = Arc::new(Index::build(Arc::new(profile), Arrangement::ByName));
    let mut window = Window::showing(session(index, Path::new("")), KeyMap::Flowline, vec2(1440.0, 1000.0), 1.0);
    let profile = window.profile();
    let thread = profile.threads.iter().rfind(|thread| !thread.markers.is_empty()).expect("a thread without samples");
    window.apply(Command::Select(Some(thread.first_marker)));
    window.key(Key::Y);
    window.wait("the tree", |window| !window.panels().is_busy());
    window.settle();
    assert!(window.says("has no samples or slices."), "{:#?}", window.texts());
    let sampled = profile.threads.iter().find(|thread| thread.samples.is_some() && !thread.markers.is_empty());
    window.apply(Command::Select(Some(sampled.expect("a thread with samples").first_marker)));
    assert!(!window.says("has no samples or slices."));
}

/// Two threads with slices and without samples, and an instant on a third one.
fn slices() -> Window {
    let text = r#"[{"ph":"X","pid":1,"tid":1,"name":"Task","ts":0,"dur":9},{"ph":"X","pid":1,"tid":1,"name":"Parse","ts":1,"dur":3},
        {"ph":"X","pid":1,"tid":2,"name":"Other","ts":0,"dur":5},{"ph":"I","s":"t","pid":1,"tid":3,"name":"Point","ts":4}]"#;
    let profile = crate::recording::read_bytes(text.as_bytes().to_vec()).expect("a trace");
    let index = Arc::new(Index::build(Arc::new(profile), Arrangement::Stack));
    Window::showing(session(index, Path::new("")), KeyMap::Flowline, vec2(1440.0, 1000.0), 1.0)
}

#[test]
fn a_thread_without_samples_has_a_tree_of_slices() {
    let mut window = slices();
    window.open_samples(Modifiers::NONE);
    let rows = window.sample_rows();
    assert!(rows[0].starts_with("Task"), "{rows:?}");
    let other = window.profile().threads.iter().find(|thread| thread.tid == "2").expect("a thread").first_marker;
    window.apply(Command::Select(Some(other)));
    window.wait("the tree", |window| !window.panels().is_busy());
    window.settle();
    assert!(window.sample_rows()[0].starts_with("Other"), "{:?}", window.sample_rows());
}

#[test]
fn a_scope_never_shows_the_tree_of_another_thread() {
    let mut window = slices();
    window.open_samples(Modifiers::NONE);
    let profile = window.profile();
    let (third, _) = profile.threads_with_ids().find(|(_, thread)| thread.tid == "3").expect("a thread");
    window.apply(Command::PickThreads(vec![third]));
    window.wait("the tree", |window| !window.panels().is_busy());
    window.settle();
    assert!(window.says("The selected threads have no samples and no slices."), "{:#?}", window.texts());
    assert!(window.sample_rows().is_empty(), "{:?}", window.sample_rows());
}

#[test]
fn a_long_list_of_threads_is_filtered_while_typing() {
    let names: Vec<String> = (0..205).map(|number| format!("Worker {number}")).collect();
    let threads: Vec<(&str, &[&[&str]])> = names.iter().map(|name| (name.as_str(), &STACKS[..2])).collect();
    let mut window = window_of(&threads);
    window.open_samples(Modifiers::NONE);
    let listed = |window: &Window| window.nodes_with_prefix(Role::Button, "Worker ").len();
    // The tree has the keyboard when the menu opens.
    assert_eq!(window.focused_tables().len(), 1);
    for (text, count) in [("worker 204", 1), ("er 20", 6), ("17", 12), ("x", 0), ("worker 7", 11)] {
        window.press("Thread whose samples or slices are shown");
        let field = window.get(Role::TextInput, "Filter the list");
        assert!(field.focused, "{text}: {:#?}", window.texts());
        assert!(listed(&window) > 20, "{text}: the list begins unfiltered");
        let before = (window.table(), window.view().axis.visible());
        window.type_text(text);
        assert_eq!(listed(&window), count, "{text}: {:#?}", window.texts());
        assert!(window.get(Role::TextInput, "Filter the list").focused, "{text}");
        assert_eq!((window.table(), window.view().axis.visible()), before, "letters are no shortcuts");
        window.key(Key::Escape);
        window.settle();
        assert!(!window.has(Role::TextInput, "Filter the list"), "{text}");
    }
    window.press("Thread whose samples or slices are shown");
    window.type_text("worker 204");
    let found = window.node_with_prefix(Role::Button, "Worker 204").rect.center();
    window.click_at(found);
    window.wait("the tree", |window| !window.panels().is_busy());
    let shown = window.get(Role::Button, "Thread whose samples or slices are shown");
    assert!(shown.rect.is_positive() && window.session().index.profile().threads.len() == 205);
}

/// A thread with samples of `(program)` alone is as good as any other.
#[test]
fn a_thread_with_samples_only_is_not_listed_as_empty() {
    let program: [&[&str]; 4] = [&["(program)"], &["(program)"], &["(program)"], &["(program)"]];
    let mut window = window(&program);
    window.open_samples(Modifiers::NONE);
    assert_eq!(window.names(), ["(program)"], "{:#?}", window.texts());
    assert!(!window.says("idle thread") && !window.says("without markers"), "{:#?}", window.texts());
    assert!(window.says("Thread Main, 4 samples"), "{:#?}", window.texts());
}
