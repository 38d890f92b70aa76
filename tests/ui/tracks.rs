//! The label column: headings with counts and state, folding, hiding.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use crate::recording::{self, Recording, interval};
use crate::window::{Window, session};
use egui::accesskit::Role;
use egui::{Key, vec2};
use flowline::index::{Arrangement, GroupKind, Index};
use flowline::profile::{MarkerId, ThreadId};
use flowline::ui::KeyMap;
use flowline::view::Command;
use serde_json::json;

#[test]
fn tracks_are_readable_with_their_counts_and_state() {
    let window = Window::tall();
    let profile = window.profile();
    for process in &profile.processes {
        window.get(Role::DisclosureTriangle, &format!("Process {}, pid {}, expanded", process.name, process.pid));
    }
    let mut expected = BTreeMap::new();
    for (id, thread) in profile.threads_with_ids() {
        let expanded = window.view().tracks.expanded.contains(&id);
        *expected.entry(window.heading(id, "markers", thread.markers.len(), expanded)).or_insert(0) += 1;
        if expanded {
            let rows = &window.session().index.layout(Arrangement::ByName).thread(id).rows;
            for group in &rows.groups {
                let name = match group.kind {
                    GroupKind::Name(name) | GroupKind::Operations(name) => profile.strings.get(name),
                    GroupKind::Network => "Network Requests",
                    GroupKind::Stack => "Stack",
                };
                let rows: usize =
                    (group.first_row..group.first_row + group.rows).map(|row| rows.row(row as usize).len()).sum();
                window.get(Role::Label, &format!("{name}, {}, {rows} markers", profile.category_name(group.category)));
            }
        }
    }
    let mut seen = BTreeMap::new();
    for heading in window.headings() {
        *seen.entry(heading.text).or_insert(0) += 1;
    }
    assert_eq!(seen, expected);
    assert!(!window.view().tracks.expanded.is_empty(), "the main thread is open from the start");
}

#[test]
fn a_click_on_a_heading_folds_and_unfolds() {
    let mut window = Window::tall();
    let main = ThreadId::new(0);
    let markers = window.profile().thread(main).markers.len();
    let (open, shut) =
        (window.heading(main, "markers", markers, true), window.heading(main, "markers", markers, false));
    let row = "GCMinor, GC / CC, 4 markers";
    assert!(window.has(Role::Label, row));
    window.click(Role::DisclosureTriangle, &open);
    assert!(window.has(Role::DisclosureTriangle, &shut) && !window.has(Role::DisclosureTriangle, &open));
    assert!(!window.has(Role::Label, row), "the rows of a folded thread are gone");
    window.click(Role::DisclosureTriangle, &shut);
    assert!(window.has(Role::DisclosureTriangle, &open) && window.has(Role::Label, row));

    let threads = window.headings().len();
    let process = window.starting(Role::DisclosureTriangle, "Process Parent Process");
    window.click_at(process.rect.center());
    assert!(window.starting(Role::DisclosureTriangle, "Process Parent Process").text.ends_with("collapsed"));
    assert_eq!(window.headings().len(), threads - 7, "its threads are folded away with it");
}

#[test]
fn threads_can_be_hidden_and_shown_again() {
    let mut window = Window::tall();
    let all = window.headings();
    let compositor = window.starting(Role::DisclosureTriangle, "Thread Compositor");
    window.choose(&compositor, "Hide this thread");
    assert!(!window.says("Thread Compositor"), "it is hidden");
    assert_eq!(window.headings().len(), all.len() - 1);
    let renderer = window.starting(Role::DisclosureTriangle, "Thread Renderer");
    window.choose(&renderer, "Show all threads");
    assert_eq!(window.headings().len(), all.len());
    let renderer = window.starting(Role::DisclosureTriangle, "Thread Renderer");
    window.choose(&renderer, "Show only this thread");
    let only = window.headings();
    assert_eq!(only.len(), 1);
    assert!(only[0].text.starts_with("Thread Renderer") && only[0].text.ends_with("expanded"), "{}", only[0].text);
    window.choose(&only[0], "Collapse all threads");
    assert!(window.headings()[0].text.ends_with("collapsed"));
    let heading = window.headings()[0].clone();
    window.choose(&heading, "Hide this thread");
    assert!(window.headings().is_empty());
    let hidden = window.nodes().into_iter().find(|node| node.role == Role::Button && node.text.contains("hidden"));
    let hidden = hidden.expect("with every thread hidden, something still brings them back");
    window.click_at(hidden.rect.center());
    assert_eq!(window.headings().len(), all.len());
}

#[test]
fn markers_kept_out_of_the_chart_are_counted_and_shown_on_demand() {
    let schema = json!([
        {"name": "Seen", "display": ["marker-chart", "marker-table"], "fields": []},
        {"name": "Listed", "display": ["marker-table"], "fields": []},
        {"name": "Drawn", "display": ["marker-chart"], "fields": []},
    ]);
    let marker = |kind: &str, at: f64| interval(kind, at, at + 1.0).with(json!({"type": kind}));
    let rows = vec![marker("Seen", 0.0), marker("Listed", 1.0), marker("Listed", 3.0), marker("Drawn", 5.0)];
    let profile = recording::read(&Recording::of(rows).schemas(schema).raw());
    let index = Arc::new(Index::build(Arc::new(profile), Arrangement::ByName));
    let mut window =
        Window::showing(session(Arc::clone(&index), Path::new("")), KeyMap::Flowline, vec2(1440.0, 900.0), 1.0);
    let groups = |window: &Window| {
        ["Seen", "Listed", "Drawn"].map(|name| !window.starting_all(Role::Label, &format!("{name}, ")).is_empty())
    };
    assert_eq!(groups(&window), [true, false, true]);
    window.apply(Command::Search("listed".into()));
    window.wait_for_search("listed");
    assert_eq!(groups(&window), [false, true, false], "a search finds them");
    window.apply(Command::Search(String::new()));
    window.click(Role::Button, "All markers (+2)");
    assert_eq!(groups(&window), [true, true, true]);
    window.click(Role::Button, "All markers (+2)");
    assert_eq!(groups(&window), [true, false, true]);
    window.apply(Command::Reveal(MarkerId(1)));
    assert!(groups(&window)[1], "what is revealed is shown");
    window.apply(Command::ShowAllMarkers(false));

    window.key(Key::T);
    window.wait("the rows", |window| window.panels().marker_table.rows().len() == 3);
    assert!(window.says("Not listed: 1 marker, which the recording keeps out of tables."), "{:?}", window.texts());
    window.click(Role::Button, "List all");
    window.wait("all rows", |window| window.panels().marker_table.rows().len() == 4);
    assert!(!window.says("Not listed"));
}
