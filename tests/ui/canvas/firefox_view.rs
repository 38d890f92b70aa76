//! The first view of a Firefox profile: the stack of its page, network requests on a track, milestone markers last. Rows by
//! name contain the requests.

use std::path::Path;

use egui::accesskit::Role;
use egui::{Key, pos2, vec2};
use flowline::index::{Arrangement, GroupKind};
use flowline::profile::{MarkerId, Ns, ProcessId};
use flowline::scene::{Item, ItemKind, TrackHeading};
use flowline::ui::{KeyMap, TableKind};
use flowline::view::Command;

use crate::harness::window::{Window, example, session};

/// The example in a window that shows all of the page's tracks, once its rows are built.
fn window() -> Window {
    let mut window = Window::showing(session(example(), Path::new("")), KeyMap::Flowline, vec2(1600.0, 1400.0), 1.0);
    window.wait("the rows", |window| !window.session().is_busy());
    window.settle();
    window
}

/// True for the items of the page's network track.
fn is_network(item: &Item) -> bool {
    let track = match item.kind {
        ItemKind::Track(heading) => heading.track,
        ItemKind::TrackRow(row) => row.track,
        ItemKind::MoreRows(more) => more.track,
        _ => return false,
    };
    track.kind == "network" && Some(ProcessId(track.number)) == example().page_process()
}

/// Names of the kinds of groups that are listed for a thread of the page, from top to bottom.
fn groups(window: &Window) -> Vec<GroupKind> {
    let session = window.session();
    let page = session.index.page_process();
    let mut found = Vec::new();
    for item in session.list().items() {
        let (thread, group) = match item.kind {
            ItemKind::Row(row) if row.first_of_group => (row.thread, row.group),
            ItemKind::CollapsedGroup(group) => (group.thread, group.group),
            _ => continue,
        };
        let profile = session.index.profile();
        if Some(profile.thread(thread).process) != page || !profile.thread(thread).is_main {
            continue;
        }
        let layout = session.list().shown().layout(&session.index, window.view().arrangement, thread).expect("rows");
        found.push(layout.rows.groups[group as usize].kind);
    }
    found
}

/// The markers of the page's requests by lane, as the track lists them.
fn lanes(window: &Window) -> Vec<Vec<MarkerId>> {
    let network = window.session().index.network();
    let page = window.session().index.page_process().expect("a page");
    let track = network.track(page).expect("a network track");
    let lane = |row: usize| {
        let bars = track.row(Some(row)).expect("a lane");
        bars.numbers().map(|bar| track.bars()[bar as usize].marker).collect()
    };
    (0..track.rows()).map(lane).collect()
}

fn place_of(window: &Window, marker: MarkerId) -> egui::Pos2 {
    let (session, input) = (window.session(), window.session().scene_input());
    let item = session.item_of(marker).expect("it is listed");
    let times = window.view().times_of(marker).expect("a marker");
    #[expect(clippy::cast_possible_truncation, reason = "screen coordinates")]
    let x = window.view().axis.pixel(Ns(times.start.0.midpoint(times.end.0))) as f32;
    pos2(input.regions.chart.x + x, input.item_y(&item) + input.item_height(&item) / 2.0) / input.scale
}

#[test]
fn a_profile_opens_with_the_stack_of_its_page() {
    let window = window();
    assert_eq!(window.view().arrangement, Arrangement::Stack);
    assert!(window.get(Role::Button, "Stack").selected);
    let kinds = groups(&window);
    assert_eq!(kinds[0], GroupKind::Stack);
    assert!(!kinds.contains(&GroupKind::Network), "requests are on their track: {kinds:?}");
    // Milestones have flags, so their markers are below all others but bookkeeping.
    let profile = window.profile();
    let is_milestone = |kind: &GroupKind| match kind {
        GroupKind::Name(name) => {
            ["DocumentLoad", "FirstContentfulPaint", "LargestContentfulPaint"].contains(&profile.strings.get(*name))
        }
        _ => false,
    };
    let names: Vec<bool> = kinds.iter().filter(|kind| **kind != GroupKind::Internals).map(is_milestone).collect();
    assert!(names.is_sorted() && names.iter().filter(|own| **own).count() == 3, "{kinds:?}");
    // The summary of the main thread stands beside its stack.
    for line in ["CPU time, ", "Long tasks, 1, blocking ", "Forced layouts, "] {
        assert!(window.says(line), "{line}: {:#?}", window.texts());
    }
    let order: Vec<f32> = ["Frames, ", "Interactions, ", "Network, ", "Counter Memory, ", "Thread GeckoMain, "]
        .iter()
        .map(|text| {
            let nodes = window.nodes();
            nodes.iter().find(|node| node.text.starts_with(text)).expect("a track").rect.min.y
        })
        .collect();
    assert!(order.is_sorted(), "{order:?}");
}

#[test]
fn requests_are_on_lanes_of_the_page() {
    let mut window = window();
    let lanes = lanes(&window);
    let count: usize = lanes.iter().map(Vec::len).sum();
    assert!(lanes.len() > 6, "{lanes:?}");
    assert!(window.says(&format!("Network, {count} requests, ")), "{:#?}", window.texts());
    let items: Vec<Item> = window.session().list().items().iter().copied().filter(is_network).collect();
    assert_eq!(items.len(), 7, "six lanes, of which the heading is the first, and the line for the others");
    for (row, lane) in lanes.iter().enumerate() {
        for marker in lane {
            let expected = items[row.min(6)];
            assert_eq!(window.session().item_of(*marker), Some(expected), "lane {row}");
        }
    }
    // A click on a bar selects its marker; the arrow keys step along the lane.
    let lane = lanes[..6].iter().find(|lane| lane.len() > 1).expect("a lane with two requests");
    window.click_at(place_of(&window, lane[0]));
    assert_eq!(window.view().selected, Some(lane[0]));
    window.key(Key::ArrowRight);
    assert_eq!(window.view().selected, Some(lane[1]));
    window.key(Key::ArrowLeft);
    assert_eq!(window.view().selected, Some(lane[0]));
    // A request of another lane gets its lane while it is selected.
    let hidden = lanes[6][0];
    window.apply(Command::Reveal(hidden));
    window.settle();
    let item = window.session().item_of(hidden).expect("it is listed");
    assert!(matches!(item.kind, ItemKind::TrackRow(row) if row.row == 6), "{item:?}");
    assert!(window.view().tracks.all_groups.is_empty(), "no thread lists more names for it");
    let more = window.node_with_prefix(Role::Button, &format!("{} more network requests", count_beyond(&lanes, 7)));
    window.click_at(more.rect.center());
    assert_eq!(window.table(), Some(TableKind::Network));
    // A collapsed thread changes nothing.
    let (thread, _) = window.profile().locate(lanes[1][0]).expect("a marker");
    assert!(window.view().tracks.expanded.contains(&thread));
    window.apply(Command::ToggleThread(thread));
    window.settle();
    assert!(matches!(window.session().item_of(lanes[1][0]).map(|item| item.kind), Some(ItemKind::TrackRow(_))));
    // A collapsed track shows all of its requests on its heading.
    let ItemKind::Track(heading) = items[0].kind else { panic!("the heading comes first: {items:?}") };
    window.apply(Command::ToggleTrack(heading.track));
    window.settle();
    let shut = window.session().item_of(lanes[2][0]).expect("it is listed");
    assert_eq!(shut.kind, ItemKind::Track(TrackHeading { expanded: false, ..heading }));
}

#[test]
fn keys_go_from_lane_to_lane_and_ranges_snap_to_requests() {
    let mut window = window();
    let lanes = lanes(&window);
    window.apply(Command::Reveal(lanes[0][0]));
    for lane in &lanes[1..5] {
        window.key(Key::ArrowDown);
        assert!(lane.contains(&window.selected()), "{:?} is not on {lane:?}", window.selected());
    }
    for lane in lanes[..4].iter().rev() {
        window.key(Key::ArrowUp);
        assert!(lane.contains(&window.selected()), "{:?} is not on {lane:?}", window.selected());
    }
    window.apply(Command::Select(None));
    // An edge of a range that is dragged to within a few points of the end of a request is at that end.
    let times = window.view().times_of(lanes[1][0]).expect("a marker");
    let input = window.session().scene_input();
    let item = window.session().item_of(lanes[1][0]).expect("it is listed");
    for (offset, expected) in [(3.0, Some(times.end)), (40.0, None)] {
        let near = times.end + Ns::from_ms(offset * window.point_ns() / 1e6).expect("a time");
        assert_eq!(input.snap(&item, near, 6.0), expected);
    }
}

#[test]
fn hidden_requests_leave_their_lane() {
    let mut window = window();
    let lanes = lanes(&window);
    let lane = lanes[..6].iter().position(|lane| lane.len() > 1).expect("a lane with two requests");
    let (first, second) = (lanes[lane][0], lanes[lane][1]);
    let place = place_of(&window, second);
    let shown = |window: &mut Window| {
        window.wait("the rows", |window| !window.session().is_busy());
        window.point_at(place);
        window.settle();
        window.view().hovered
    };
    assert_eq!(shown(&mut window), Some(second));
    window.apply(Command::Reveal(second));
    window.key(Key::X);
    assert_eq!(shown(&mut window), None, "nothing is drawn or hit there");
    window.apply(Command::Select(Some(first)));
    window.key(Key::ArrowRight);
    assert_ne!(window.view().selected, Some(second), "steps skip it");
    window.apply(Command::ShowHidden(None));
    assert_eq!(shown(&mut window), Some(second));
}

fn count_beyond(lanes: &[Vec<MarkerId>], first: usize) -> usize {
    lanes[first..].iter().map(Vec::len).sum()
}

#[test]
fn rows_by_name_contain_the_requests_instead() {
    let mut window = window();
    window.key(Key::L);
    window.wait("the rows", |window| !window.session().is_busy());
    window.settle();
    assert_eq!(window.view().arrangement, Arrangement::ByName);
    assert!(!window.session().list().items().iter().any(is_network));
    assert!(groups(&window).contains(&GroupKind::Network));
    let marker = lanes(&window)[0][0];
    let item = window.session().item_of(marker).expect("it is listed");
    assert!(matches!(item.kind, ItemKind::Row(_) | ItemKind::CollapsedGroup(_)), "{item:?}");
    window.key(Key::L);
    window.settle();
    assert!(window.session().list().items().iter().any(is_network));
}

#[test]
fn groups_with_many_rows_are_collapsed_in_both_arrangements() {
    let mut window = window();
    let deep = |window: &Window| -> Vec<(flowline::profile::ThreadId, GroupKind)> {
        let session = window.session();
        let expanded = window.view().tracks.expanded.iter().copied();
        let groups = expanded.filter_map(|thread| {
            let layout = session.list().shown().layout(&session.index, window.view().arrangement, thread)?;
            let deep = layout.rows.groups.iter().filter(|group| flowline::scene::is_deep(group));
            Some(deep.map(|group| (thread, group.kind)).collect::<Vec<_>>())
        });
        groups.flatten().collect()
    };
    let collapsed = |window: &Window, wanted: &[(flowline::profile::ThreadId, GroupKind)]| {
        wanted.iter().all(|group| window.view().tracks.collapsed_groups.contains(group))
    };
    let of_stack = deep(&window);
    assert!(!of_stack.is_empty() && collapsed(&window, &of_stack), "{of_stack:?}");
    // A group that the user expands stays expanded in the other arrangement, where more groups have many rows.
    let (thread, kind) = of_stack[0];
    window.apply(Command::ToggleGroup(thread, kind));
    window.key(Key::L);
    window.wait("the rows", |window| !window.session().is_busy());
    window.settle();
    let mut by_name = deep(&window);
    assert!(by_name.len() > of_stack.len(), "{by_name:?}");
    by_name.retain(|group| *group != (thread, kind));
    assert!(collapsed(&window, &by_name));
    assert!(!collapsed(&window, &[(thread, kind)]), "it was open");
    // Only the first time.
    let (thread, kind) = by_name[0];
    window.apply(Command::ToggleGroup(thread, kind));
    window.key(Key::L);
    window.key(Key::L);
    window.settle();
    assert!(!collapsed(&window, &[(thread, kind)]), "it was opened by the user");
}

#[test]
fn a_search_lists_requests_with_their_threads_too() {
    let mut window = window();
    window.apply(Command::Search("aurora-hero".into()));
    window.wait_for_search("aurora-hero");
    window.settle();
    assert!(window.session().list().items().iter().any(is_network), "the track has hits");
    assert!(groups(&window).contains(&GroupKind::Network), "a search lists all groups with hits");
    window.apply(Command::Search(String::new()));
    window.settle();
    assert!(!groups(&window).contains(&GroupKind::Network));
}
