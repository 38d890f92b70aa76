//! The label column: headings with counts and state, collapsing, hiding.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use crate::harness::window::{Window, session};
use crate::recording::{self, Recording, Track, instant, interval};
use egui::accesskit::Role;
use egui::{Key, Modifiers, vec2};
use flowline::format::format_count;
use flowline::index::{Arrangement, GroupKind, Index};
use flowline::profile::{MarkerId, Ns, ProcessId, ThreadId, TimeRange};
use flowline::scene::{
    CollapsedGroup, GroupPlace, ItemKind, MarkerRow, PROCESS_HEIGHT, ROW_HEIGHT, THREAD_HEIGHT, group_places, hit,
    kind_on_tracks,
};
use flowline::ui::KeyMap;
use flowline::view::Command;
use serde_json::json;

#[test]
fn tracks_are_accessible_with_counts_and_state() {
    for arrangement in [Arrangement::Stack, Arrangement::ByName] {
        let mut window = Window::tall();
        window.list_idle_threads();
        window.apply(Command::SetArrangement(arrangement));
        window.wait("the rows", |window| !window.session().is_busy());
        check_accessible_tracks(&window, arrangement);
    }
}

/// Asserts that all headings and groups of the example have the texts that their contents ask for.
fn check_accessible_tracks(window: &Window, arrangement: Arrangement) {
    let profile = window.profile();
    let index = Arc::clone(&window.session().index);
    let mut pages = 0;
    for (number, process) in profile.processes.iter().enumerate() {
        let mut heading = format!("Process {}, pid {}, expanded", process.name, process.pid);
        if let Some(url) = index.pages().of(ProcessId::new(number)) {
            heading = format!("{heading}, {url}");
            pages += 1;
        }
        window.get(Role::DisclosureTriangle, &heading);
    }
    assert_eq!(pages, 1, "the heading of the page states its URL");
    let mut expected = BTreeMap::new();
    for (id, thread) in profile.threads_with_ids() {
        let expanded = window.view().tracks.expanded.contains(&id);
        *expected.entry(window.heading(id, "markers", thread.markers.len(), expanded)).or_insert(0) += 1;
        if expanded {
            let shown = window.session().list().shown().layout(&index, arrangement, id);
            let rows = &shown.expect("rows of an expanded thread").rows;
            let places = group_places(rows, kind_on_tracks(&profile, arrangement));
            let listed = rows.groups.iter().zip(places).filter(|(_, place)| *place == GroupPlace::Listed);
            for (group, _) in listed {
                // The heading of a thread is enough for a thread that consists of one stack.
                if group.kind == GroupKind::Stack && rows.groups.len() == 1 {
                    continue;
                }
                let name = match group.kind {
                    GroupKind::Name(name) | GroupKind::Operations(name) => profile.strings.get(name),
                    GroupKind::Network => "Network Requests",
                    GroupKind::Stack => "Stack",
                    GroupKind::Internals => "Internals",
                };
                let count = rows.count_in(group);
                let markers = if count == 1 { "marker" } else { "markers" };
                let count = format_count(count as u64);
                let text = format!("{name}, {}, {count} {markers}", profile.category_name(group.category));
                if group.rows > 1 {
                    let is_collapsed = window.view().tracks.collapsed_groups.contains(&(id, group.kind));
                    let state = if is_collapsed { "collapsed" } else { "expanded" };
                    window.get(Role::DisclosureTriangle, &format!("{text}, {state}"));
                } else {
                    window.get(Role::Label, &text);
                }
            }
        }
    }
    let mut seen = BTreeMap::new();
    for heading in window.headings() {
        *seen.entry(heading.text).or_insert(0) += 1;
    }
    assert_eq!(seen, expected);
    assert!(!window.view().tracks.expanded.is_empty(), "the main thread is initially expanded");
}

#[test]
fn a_click_on_a_heading_collapses_and_expands() {
    let mut window = Window::tall();
    window.list_idle_threads();
    let main = ThreadId::new(0);
    let markers = window.profile().thread(main).markers.len();
    let (open, shut) =
        (window.heading(main, "markers", markers, true), window.heading(main, "markers", markers, false));
    let row = "GCMinor, GC / CC, 4 markers";
    let has_row = |window: &Window| window.says(row);
    window.apply(Command::SetArrangement(Arrangement::ByName));
    window.wait("the rows", |window| !window.session().is_busy());
    assert!(has_row(&window));
    window.click(Role::DisclosureTriangle, &open);
    assert!(window.has(Role::DisclosureTriangle, &shut) && !window.has(Role::DisclosureTriangle, &open));
    assert!(!has_row(&window), "the rows of a collapsed thread are hidden");
    window.click(Role::DisclosureTriangle, &shut);
    assert!(window.has(Role::DisclosureTriangle, &open) && has_row(&window));

    let threads = window.headings().len();
    let process = window.node_with_prefix(Role::DisclosureTriangle, "Process Parent Process");
    window.click_at(process.rect.center());
    assert!(window.node_with_prefix(Role::DisclosureTriangle, "Process Parent Process").text.ends_with("collapsed"));
    assert_eq!(window.headings().len(), threads - 7, "its threads are hidden with it");
}

#[test]
fn threads_can_be_hidden_and_shown() {
    let mut window = Window::tall();
    let all = window.headings();
    let compositor = window.node_with_prefix(Role::DisclosureTriangle, "Thread Compositor");
    window.choose(&compositor, "Hide this thread");
    assert!(!window.says("Thread Compositor"), "it is hidden");
    assert_eq!(window.headings().len(), all.len() - 1);
    let renderer = window.node_with_prefix(Role::DisclosureTriangle, "Thread Renderer");
    window.choose(&renderer, "Show all threads");
    assert_eq!(window.headings().len(), all.len());
    let renderer = window.node_with_prefix(Role::DisclosureTriangle, "Thread Renderer");
    window.choose(&renderer, "Show only this thread");
    let only = window.headings();
    assert_eq!(only.len(), 1);
    assert!(only[0].text.starts_with("Thread Renderer") && only[0].text.ends_with("expanded"), "{}", only[0].text);
    window.choose(&only[0], "Collapse all threads");
    assert!(window.headings()[0].text.ends_with("collapsed"));
    let heading = window.headings()[0].clone();
    window.choose(&heading, "Hide this thread");
    assert!(window.headings().is_empty());
    // With every thread hidden, a button remains to show them.
    let hidden = window.node_with_prefix(Role::Button, "Hidden: ");
    window.click_at(hidden.rect.center());
    let all_again = window.node_with_prefix(Role::Button, "Show all threads").rect.center();
    window.click_at(all_again);
    assert_eq!(window.headings().len(), all.len());
}

#[test]
fn arrow_keys_collapse_and_expand_a_heading_and_keep_the_focus() {
    let mut window = Window::example();
    let first = window.headings()[0].text.clone();
    window.tab_to(Role::DisclosureTriangle, &first[..first.len().min(12)]);
    let heading = |window: &Window| window.headings().into_iter().find(|node| node.focused);
    let is_expanded = |window: &Window| heading(window).expect("it keeps the focus").text.ends_with("expanded");
    let before = is_expanded(&window);
    for (key, expanded) in
        [(Key::ArrowLeft, false), (Key::ArrowLeft, false), (Key::ArrowRight, true), (Key::ArrowRight, true)]
    {
        window.key(key);
        assert_eq!(is_expanded(&window), expanded, "{key:?}, first {before}");
    }
}

#[test]
fn markers_hidden_by_schemas_are_counted_and_shown_on_demand() {
    let schema = json!([
        {"name": "Seen", "display": ["marker-chart", "marker-table"], "fields": []},
        {"name": "Listed", "display": ["marker-table"], "fields": []},
        {"name": "Drawn", "display": ["marker-chart"], "fields": []},
    ]);
    let marker = |kind: &str, at: f64| interval(kind, at, at + 1.0).with(json!({"type": kind}));
    let rows = vec![marker("Seen", 0.0), marker("Listed", 1.0), marker("Listed", 3.0), marker("Drawn", 5.0)];
    let profile = recording::read(&Recording::of(rows).schemas(schema).raw());
    let index = Arc::new(Index::build(Arc::new(profile), Arrangement::Stack));
    let mut window =
        Window::showing(session(Arc::clone(&index), Path::new("")), KeyMap::Flowline, vec2(1440.0, 900.0), 1.0);
    let groups = |window: &Window| {
        ["Seen", "Listed", "Drawn"].map(|name| !window.nodes_with_prefix(Role::Label, &format!("{name}, ")).is_empty())
    };
    assert_eq!(groups(&window), [true, false, true]);
    window.apply(Command::Search("listed".into()));
    window.wait_for_search("listed");
    assert_eq!(groups(&window), [false, true, false], "a search finds hidden markers");
    window.apply(Command::Search(String::new()));
    let hidden = "Hidden by the recording (2)";
    window.press("View");
    assert!(!window.get(Role::CheckBox, hidden).selected);
    window.click(Role::CheckBox, hidden);
    assert_eq!(groups(&window), [true, true, true]);
    assert!(window.get(Role::CheckBox, hidden).selected);
    window.click(Role::CheckBox, hidden);
    assert_eq!(groups(&window), [true, false, true]);
    window.key(Key::Escape);
    assert!(!window.has(Role::CheckBox, hidden), "Escape closes the menu");
    window.apply(Command::Reveal(MarkerId(1)));
    assert!(groups(&window)[1], "the revealed marker is shown");
    window.apply(Command::ShowAllMarkers(false));

    window.key(Key::T);
    window.wait("the rows", |window| window.panels().marker_table.rows().len() == 3);
    assert!(window.says("1 marker hidden by the recording's marker schemas"), "{:?}", window.texts());
    window.click(Role::Button, "Show all");
    window.wait("all rows", |window| window.panels().marker_table.rows().len() == 4);
    assert!(!window.says("hidden by the recording's marker schemas"));
}

/// A window on a recording with one thread and `names` names. Each name has more markers than the previous one: an
/// instant and two overlapping intervals, several times.
fn many_names(names: usize) -> Window {
    let rows = (0..names).flat_map(|name| {
        (0..=name).flat_map(move |at| {
            #[expect(clippy::cast_precision_loss, reason = "milliseconds")]
            let start = at as f64 * 0.05;
            let name = format!("name {name:03}");
            [instant(&name, start), interval(&name, start, start + 0.03), interval(&name, start + 0.01, start + 0.04)]
        })
    });
    let profile = recording::read(&Recording::of(rows.collect()).raw());
    let index = Arc::new(Index::build(Arc::new(profile), Arrangement::Stack));
    Window::showing(session(index, Path::new("names.json")), KeyMap::Flowline, vec2(1440.0, 900.0), 1.0)
}

/// Numbers of the names of the listed rows, collapsed or not, from top to bottom, each once.
fn listed(window: &Window) -> Vec<u32> {
    let mut groups: Vec<u32> = Vec::new();
    for item in window.session().list().items() {
        match item.kind {
            ItemKind::Row(MarkerRow { group, .. }) | ItemKind::CollapsedGroup(CollapsedGroup { group, .. }) => {
                groups.push(group)
            }
            _ => {}
        }
    }
    groups.dedup();
    let profile = window.profile();
    let rows = &window.session().index.layout(Arrangement::Stack).thread(ThreadId::new(0)).rows;
    let number = |group: u32| -> u32 {
        let GroupKind::Name(name) = rows.groups[group as usize].kind else { panic!("a group without a name") };
        profile.strings.get(name).trim_start_matches("name ").parse().expect("a number")
    };
    groups.into_iter().map(number).collect()
}

#[test]
fn a_thread_with_many_names_lists_the_busiest_and_the_rest_on_demand() {
    let mut window = many_names(50);
    assert_eq!(listed(&window), (20..50).rev().collect::<Vec<_>>(), "the thirty with most time, longest first");
    let more = "20 more names, show";
    window.apply(Command::Scroll(1e6));
    assert_eq!(window.get(Role::DisclosureTriangle, more).text, more);
    window.click(Role::DisclosureTriangle, more);
    assert_eq!(listed(&window), (0..50).rev().collect::<Vec<_>>());
    window.apply(Command::Scroll(1e6));
    window.click(Role::DisclosureTriangle, "20 more names, hide");
    assert_eq!(listed(&window).len(), 30);
    // Revealing a marker with an unlisted name shows its row.
    let thread = ThreadId::new(0);
    let rows = &window.session().index.layout(Arrangement::Stack).thread(thread).rows;
    let marker = window.profile().thread(thread).global(rows.row(rows.len() - 1)[0]);
    window.apply(Command::Reveal(marker));
    let kind = window.session().item_of(marker).expect("a row").kind;
    assert!(matches!(kind, ItemKind::Row(_)));
    let input = window.session().scene_input();
    assert!(input.visible_items().iter().any(|item| item.kind == kind), "scrolled to the row");
    // A search lists all names with hits.
    let mut window = many_names(50);
    window.apply(Command::Search("003,049".into()));
    window.wait_for_search("003,049");
    assert_eq!(listed(&window), [49, 3]);
}

#[test]
fn few_names_are_all_listed() {
    assert_eq!(listed(&many_names(40)), (0..40).rev().collect::<Vec<_>>());
}

#[test]
fn a_click_on_the_label_of_a_group_collapses_it() {
    let mut window = many_names(3);
    let thread = ThreadId::new(0);
    let (open, shut) = ("name 001, Idle, 6 markers, expanded", "name 001, Idle, 6 markers, collapsed");
    let rows = |window: &Window, wanted: u32| {
        let items = window.session().list().items().iter();
        items.filter(|item| matches!(item.kind, ItemKind::Row(row) if row.group == wanted)).count()
    };
    assert_eq!((rows(&window, 0), rows(&window, 1), rows(&window, 2)), (3, 3, 3));
    window.click(Role::DisclosureTriangle, open);
    assert!(window.has(Role::DisclosureTriangle, shut) && !window.has(Role::DisclosureTriangle, open));
    assert_eq!((rows(&window, 0), rows(&window, 1), rows(&window, 2)), (3, 0, 3));
    let kind = window.session().index.layout(Arrangement::Stack).thread(thread).rows.groups[1].kind;
    assert!(window.view().tracks.collapsed_groups.contains(&(thread, kind)), "the state is saved");
    // Markers on the collapsed row can be hovered: each starts on a pixel that hits one of them.
    let profile = window.profile();
    let collapsed =
        window.session().list().items().iter().find(|item| matches!(item.kind, ItemKind::CollapsedGroup(_)));
    let collapsed = *collapsed.expect("the group's row");
    let markers: Vec<MarkerId> = (0..profile.marker_count())
        .map(MarkerId::new)
        .filter(|marker| {
            let (thread, local) = profile.locate(*marker).expect("a marker");
            profile.marker_name(thread, local) == "name 001"
        })
        .collect();
    for marker in &markers {
        let session = window.session();
        let input = session.scene_input();
        let start = session.view.times_of(*marker).expect("a marker").start;
        #[expect(clippy::cast_possible_truncation, reason = "screen coordinates")]
        let x = input.regions.chart.x + session.view.axis.pixel(start).floor() as f32 + 0.5;
        let found = hit(&input, x, input.item_y(&collapsed) + input.item_height(&collapsed) / 2.0)
            .expect("a marker is drawn there");
        assert!(markers.contains(&found.marker), "{found:?}");
    }
    // Revealing one of its markers expands it.
    window.apply(Command::Reveal(markers[0]));
    assert!(window.has(Role::DisclosureTriangle, open));
}

#[test]
fn headings_that_are_scrolled_away_respond_to_clicks() {
    let mut window = many_names(30);
    // The second of the three rows of the eleventh name is at the top; the names are listed from the last to the first.
    window.apply(Command::Scroll(PROCESS_HEIGHT + THREAD_HEIGHT + ROW_HEIGHT * 31.5));
    let heading = window.heading(ThreadId::new(0), "markers", window.profile().marker_count(), true);
    let group = "name 019, Idle, 60 markers, expanded";
    let at_top = |window: &Window, text: &str| {
        let node = window.get(Role::DisclosureTriangle, text);
        (0.0..20.0).contains(&(node.rect.min.y - window.chart().min.y))
    };
    assert!(at_top(&window, &heading) && at_top(&window, group), "{:#?}", window.texts());
    window.click(Role::DisclosureTriangle, group);
    let shut = "name 019, Idle, 60 markers, collapsed";
    assert!(window.has(Role::DisclosureTriangle, shut), "{:#?}", window.texts());
    assert!(at_top(&window, shut), "its row is at the top now");
    window.click(Role::DisclosureTriangle, &heading);
    let shut = heading.replace("expanded", "collapsed");
    assert!(window.has(Role::DisclosureTriangle, &shut), "the thread is collapsed");
}

#[test]
fn rows_without_visible_markers_can_be_hidden() {
    let mut window = many_names(12);
    assert_eq!(listed(&window).len(), 12);
    let name = "Hide rows that are empty in the visible range (Shift+L)";
    assert!(!window.get(Role::Button, name).selected);
    // The markers of each name start every 50 µs. Only names with many markers have late ones.
    let profile = window.profile();
    let from = profile.meta.range.start + Ns(5 * 50_000 + 45_000);
    window.apply(Command::Show(TimeRange::new(from, from + Ns(20_000))));
    assert_eq!(listed(&window).len(), 12);
    window.press(name);
    assert!(window.get(Role::Button, name).selected);
    assert_eq!(listed(&window), [11, 10, 9, 8, 7, 6], "names 0 to 5 have no visible markers");
    window.chord(Modifiers::SHIFT, Key::L);
    assert_eq!(listed(&window).len(), 12);
    window.chord(Modifiers::SHIFT, Key::L);
    // The row of the selected marker remains.
    window.apply(Command::Select(Some(MarkerId(0))));
    assert_eq!(listed(&window), [11, 10, 9, 8, 7, 6, 0]);
    window.apply(Command::Select(None));
    window.apply(Command::Show(TimeRange::new(from + Ns(3_000_000), from + Ns(4_000_000))));
    assert!(window.headings().is_empty(), "a thread without visible markers is hidden");
    window.chord(Modifiers::SHIFT, Key::L);
    assert_eq!(window.headings().len(), 1);
}

#[test]
fn busiest_threads_are_expanded_within_the_screen() {
    let track = |name: &str, process: usize, count: usize| {
        #[expect(clippy::cast_precision_loss, reason = "milliseconds")]
        let rows = (0..count).map(|at| interval(&format!("kind {}", at % 9), at as f64, at as f64 + 0.5)).collect();
        Track { name: name.into(), process, samples: Vec::new(), rows }
    };
    let mut recording = Recording::of(Vec::new());
    recording.tracks =
        vec![track("GeckoMain", 0, 9), track("Few", 0, 12), track("Busy", 0, 900), track("Busier", 0, 1_000)];
    let profile = recording::read(&recording.raw());
    let index = Arc::new(Index::build(Arc::new(profile), Arrangement::Stack));
    let expanded = |height: f32| {
        let session = session(Arc::clone(&index), Path::new("threads.json"));
        let window = Window::showing(session, KeyMap::Flowline, vec2(1440.0, height), 1.0);
        let tracks = window.view().tracks.expanded.iter();
        tracks.map(|thread| window.profile().thread(*thread).name.clone()).collect::<Vec<_>>()
    };
    // Nine rows of 17 points and a heading each. The busiest thread is expanded even if it does not fit.
    assert_eq!(expanded(200.0), ["Busier"], "off screen");
    assert_eq!(expanded(400.0), ["Busier"]);
    assert_eq!(expanded(600.0), ["Busy", "Busier"]);
    assert_eq!(expanded(2_000.0), ["GeckoMain", "Few", "Busy", "Busier"]);
}
