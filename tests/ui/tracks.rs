//! The label column: headings with counts and state, folding, hiding.

use std::collections::BTreeMap;

use crate::window::Window;
use egui::accesskit::Role;
use flowline::index::{Arrangement, GroupKind};
use flowline::profile::ThreadId;

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
