//! Selecting threads, and selecting boxes of rows and time: by mouse and keys, read from the accessibility tree, and
//! compared with a plain check of every marker.

use std::collections::BTreeSet;

use crate::harness::window::Window;
use egui::accesskit::Role;
use egui::{Event, Key, Modifiers, PointerButton, Pos2, pos2, vec2};
use egui_kittest::kittest::Queryable as _;
use flowline::format::{format_count, format_counted};
use flowline::index::SLICES;
use flowline::profile::{FlowId, LocalMarker, MarkerId, Ns, ThreadId, TimeRange};
use flowline::scene::{Item, ItemKind, MarkerRow, ThreadPart};
use flowline::view::{Arrangement, Command, RowSelection};

const CTRL: Modifiers = Modifiers::CTRL.plus(Modifiers::COMMAND);

fn click_with(window: &mut Window, place: Pos2, modifiers: Modifiers) {
    window.pause();
    window.event(Event::ModifiersChanged(modifiers));
    window.event(Event::PointerMoved(place));
    for pressed in [true, false] {
        window.button(place, PointerButton::Primary, pressed, modifiers);
    }
    window.event(Event::ModifiersChanged(Modifiers::NONE));
    window.settle();
}

fn heading_place(window: &Window, thread: ThreadId) -> Pos2 {
    let input = window.session().scene_input();
    let is_heading = |item: &&Item| matches!(item.kind, ItemKind::Thread(heading) if heading.thread == thread);
    let item = input.visible_items().iter().find(is_heading).expect("a heading on screen");
    let y = input.item_y(item) + input.item_height(item) / 2.0;
    pos2(input.regions.labels.x + 90.0, y) / input.scale
}

/// Threads with headings, from top to bottom.
fn listed(window: &Window) -> Vec<ThreadId> {
    let thread = |item: &Item| match item.kind {
        ItemKind::Thread(heading) => Some(heading.thread),
        _ => None,
    };
    window.session().list().items().iter().filter_map(thread).collect()
}

fn overlaps(range: Option<TimeRange>, start: Ns, end: Ns) -> bool {
    range.is_none_or(|range| start < range.end && (end > range.start || start >= range.start))
}

/// All markers in a range that `keep` accepts.
fn plain(
    window: &Window,
    range: Option<TimeRange>,
    keep: impl Fn(ThreadId, LocalMarker) -> bool,
) -> BTreeSet<MarkerId> {
    let mut found = BTreeSet::new();
    for (id, thread) in window.profile().threads_with_ids() {
        for local in (0..thread.markers.len()).map(LocalMarker::new).filter(|local| keep(id, *local)) {
            if overlaps(range, thread.markers.start(local), thread.markers.end(local)) {
                found.insert(thread.global(local));
            }
        }
    }
    found
}

/// Markers of selected rows, read from the index row by row.
fn of_rows(window: &Window, choice: &RowSelection, range: Option<TimeRange>) -> BTreeSet<MarkerId> {
    let session = window.session();
    let mut wanted: BTreeSet<(ThreadId, LocalMarker)> = BTreeSet::new();
    for ((thread, arrangement), rows) in &choice.rows {
        let layout = session.list().shown().layout(&session.index, *arrangement, *thread).expect("selected rows");
        wanted.extend(rows.iter().flat_map(|row| layout.rows.row(row as usize)).map(|marker| (*thread, *marker)));
    }
    plain(window, range, |thread, local| choice.threads.contains(&thread) || wanted.contains(&(thread, local)))
}

/// Asserts that table, counts, flow lists, overview and statistics refer to exactly these markers.
#[track_caller]
fn check(window: &mut Window, wanted: &BTreeSet<MarkerId>, overview: &BTreeSet<MarkerId>) {
    let all = window.profile().marker_count();
    assert!(!wanted.is_empty() && wanted.len() < all, "{} markers", wanted.len());
    // An open table shows no text until its rows are found.
    if window.harness.state().shell.state.table.is_none() {
        window.key(Key::T);
    }
    window.wait("the markers", |window| {
        window.panels().marker_table.rows().iter().copied().collect::<BTreeSet<_>>() == *wanted
    });
    let left = format!("{} of {} markers", format_count(wanted.len() as u64), format_count(all as u64));
    window.wait("the counts", |window| window.says(&left));
    let profile = window.profile();
    let scope = window.session().scope().clone();
    let mut told = BTreeSet::new();
    for (id, thread) in profile.threads_with_ids() {
        let part = scope.part(id);
        let markers: Vec<LocalMarker> = match part {
            ThreadPart::Nothing => Vec::new(),
            ThreadPart::All => (0..thread.markers.len()).map(LocalMarker::new).collect(),
            ThreadPart::Some(markers) => markers.to_vec(),
        };
        assert_eq!(part == ThreadPart::Nothing, !scope.has(id));
        assert!(markers.is_sorted_by(|a, b| a < b), "in time order, each once");
        told.extend(
            markers.into_iter().filter(|local| scope.is_in_range(thread, *local)).map(|local| thread.global(local)),
        );
        for local in (0..thread.markers.len()).map(LocalMarker::new) {
            assert_eq!(scope.contains(&profile, id, local), wanted.contains(&thread.global(local)));
        }
    }
    assert_eq!(told, *wanted);

    window.chord(CTRL, Key::T);
    let graph = window.session().index.flows();
    let flows: BTreeSet<FlowId> =
        graph.iter().filter(|flow| graph.members(*flow).iter().any(|marker| wanted.contains(marker))).collect();
    window.wait("the flows", |window| {
        window.panels().flow_table.rows().iter().copied().collect::<BTreeSet<_>>() == flows
    });
    window.key(Key::T);
    let index = std::sync::Arc::clone(&window.session().index);
    window.wait("the overview", |window| {
        let (activity, is_current) = window.session().scope().activity(&index);
        let sum: u32 = (0..SLICES).flat_map(|slice| activity.slice(slice).to_vec()).sum();
        is_current && sum as usize == overview.len()
    });
}

#[test]
fn threads_can_be_selected_in_the_label_column() {
    let mut window = Window::tall();
    window.list_idle_threads();
    window.apply(Command::CollapseAll);
    let threads = listed(&window);
    assert!(threads.len() > 4, "{threads:?}");
    let of = |window: &Window, selected_threads: &[ThreadId]| {
        plain(window, None, |thread, _| selected_threads.contains(&thread))
    };
    let place = heading_place(&window, threads[1]);
    click_with(&mut window, place, CTRL);
    assert!(!window.view().tracks.expanded.contains(&threads[1]), "it does not expand");
    let selected_threads = of(&window, &threads[1..2]);
    check(&mut window, &selected_threads, &selected_threads);
    let chosen = |window: &Window| window.headings().iter().filter(|node| node.text.ends_with(", selected")).count();
    assert_eq!(chosen(&window), 1);
    let name = window.profile().thread(threads[1]).name.clone();
    window.get(Role::Button, &format!("Clear: thread {name}"));

    // Shift extends from the thread selected last; Ctrl deselects one.
    window.key(Key::Escape);
    window.apply(Command::ToggleThreads(vec![threads[1]]));
    let place = heading_place(&window, threads[3]);
    click_with(&mut window, place, Modifiers::SHIFT);
    assert_eq!(chosen(&window), 3);
    let place = heading_place(&window, threads[2]);
    click_with(&mut window, place, CTRL);
    let selected_threads = of(&window, &[threads[1], threads[3]]);
    check(&mut window, &selected_threads, &selected_threads);
    window.press("Clear: 2 threads");
    assert!(window.session().scope().is_everything() && chosen(&window) == 0);

    // The same by keys.
    window.harness.get_by_label_contains("Thread Renderer, ").focus();
    window.settle();
    window.key(Key::Space);
    let heading = window.node_with_prefix(Role::DisclosureTriangle, "Thread Renderer");
    assert!(heading.text.ends_with("collapsed, selected") && heading.focused, "{heading:?}");
    window.key(Key::Space);
    assert!(window.view().chosen.is_empty());
    window.key(Key::Space);
    window.key(Key::Escape);
    assert!(window.view().chosen.is_empty(), "Escape clears the selection");

    // A hidden thread never counts as selected.
    window.apply(Command::ToggleThreads(vec![threads[1], threads[2]]));
    window.apply(Command::HideThread(threads[1]));
    let selected_threads = of(&window, &threads[2..3]);
    check(&mut window, &selected_threads, &selected_threads);
    window.apply(Command::HideThread(threads[2]));
    let rest = of(&window, &threads).difference(&of(&window, &threads[1..3])).copied().collect();
    check(&mut window, &rest, &rest);
}

/// The centers of two rows in different groups of one thread, and all rows between them.
fn two_rows(window: &Window) -> (Item, Item) {
    let input = window.session().scene_input();
    let rows: Vec<Item> =
        input.visible_items().iter().filter(|item| matches!(item.kind, ItemKind::Row(_))).copied().collect();
    let of = |item: &Item| match item.kind {
        ItemKind::Row(MarkerRow { thread, .. }) => thread,
        _ => unreachable!("only rows"),
    };
    let pair = rows.windows(4).find(|items| of(&items[0]) == of(&items[3])).expect("four rows of a thread");
    (pair[0], pair[3])
}

fn middle_of(window: &Window, item: &Item, part: f32) -> Pos2 {
    let input = window.session().scene_input();
    let chart = input.regions.chart;
    pos2(chart.x + chart.width * part, input.item_y(item) + input.item_height(item) / 2.0) / input.scale
}

impl Window {
    /// Gives the keyboard back to the chart.
    fn leave_table(&mut self) {
        self.wait("the focus of the opened table", |window| window.focused_tables().len() == 1);
        self.key(Key::Escape);
        assert!(self.focused_tables().is_empty());
    }
}

/// Drags without releasing the button.
fn hold(window: &mut Window, from: Pos2, to: Pos2, modifiers: Modifiers) {
    window.pause();
    window.event(Event::ModifiersChanged(modifiers));
    window.event(Event::PointerMoved(from));
    window.button(from, PointerButton::Primary, true, modifiers);
    window.event(Event::PointerMoved(from + (to - from) / 2.0));
    window.event(Event::PointerMoved(to));
    window.harness.run_steps(3);
}

#[test]
fn a_box_selects_the_rows_and_times_it_touches() {
    let mut window = Window::tall();
    let (first, last) = two_rows(&window);
    let (from, to) = (middle_of(&window, &first, 0.05), middle_of(&window, &last, 0.9));
    // Ctrl turns off snapping, so the edges stay at the pointer.
    hold(&mut window, from, to, Modifiers::ALT.plus(CTRL));
    let range = window.view().range.expect("a range");
    crate::harness::window::near(&window, range.start.0, window.time_at(from.x), 1.0);
    crate::harness::window::near(&window, range.end.0, window.time_at(to.x), 1.0);
    let choice = window.view().chosen.rows.clone();
    assert_eq!(choice.rows.len(), 1);
    let ItemKind::Row(MarkerRow { thread, row, .. }) = first.kind else { panic!("a row") };
    let rows = &choice.rows[&(thread, window.view().arrangement)];
    assert_eq!((rows.len(), rows.contains(row)), (4, true), "{rows:?}");
    let wanted = of_rows(&window, &choice, Some(range));
    let count = window.session().scene_input().count_in_box(&choice, Some(range));
    assert_eq!((count.markers, count.is_least), (wanted.len(), false));
    let length = flowline::format::format_duration_ns(range.len());
    let count = format_counted(wanted.len() as u64, "marker");
    let readout =
        window.nodes().into_iter().find(|node| node.text.starts_with("Box: ")).expect("the numbers of the box");
    assert!(readout.text.contains(&length) && readout.text.ends_with(&format!(", {count}")), "{readout:?}");
    let name = window.profile().thread(thread).name.clone();
    assert!(readout.text.contains(&format!("4 rows of {name}")), "{readout:?}");
    window.button(to, PointerButton::Primary, false, Modifiers::ALT.plus(CTRL));
    window.event(Event::ModifiersChanged(Modifiers::NONE));
    window.settle();
    assert!(!window.says("Box: "), "the text disappears after the drag");
    let overview = of_rows(&window, &choice, None);
    check(&mut window, &wanted, &overview);

    // A search filters the rows further, and the clear buttons remove the filters again.
    window.apply(Command::Search("dur:>0ns".into()));
    window.wait_for_search("dur:>0ns");
    let timed = |window: &Window, all: &BTreeSet<MarkerId>| -> BTreeSet<MarkerId> {
        all.iter().copied().filter(|id| !window.view().times_of(*id).expect("a marker").is_empty()).collect()
    };
    let (some, shown) = (timed(&window, &wanted), timed(&window, &overview));
    if !some.is_empty() {
        check(&mut window, &some, &shown);
    }
    window.apply(Command::Search(String::new()));
    window.wait_for_search("");
    window.press(&format!("Clear: 4 rows of {name}"));
    assert!(window.view().chosen.is_empty() && window.view().range == Some(range), "the time range stays");
    let wanted = plain(&window, Some(range), |_, _| true);
    let all = plain(&window, None, |_, _| true);
    check(&mut window, &wanted, &all);
    window.leave_table();
    window.key(Key::Escape);
    assert!(window.session().scope().is_everything());
}

#[test]
fn boxes_snap_to_markers_and_can_be_combined() {
    let mut window = Window::tall();
    window.list_idle_threads();
    let (marker, place) = window.marker_with_fields();
    let times = window.view().times_of(marker).expect("a marker");
    let left = window.view().axis.pixel(times.start);
    #[expect(clippy::cast_possible_truncation, reason = "screen coordinates")]
    let start = pos2(window.chart().min.x + left as f32 - 1.0, place.y);
    // In box mode, a plain drag selects.
    window.key(Key::B);
    window.drag(start, start + vec2(200.0, 1.0), Modifiers::NONE);
    let range = window.view().range.expect("a range");
    let around = |window: &Window| window.session().index.profile().locate(marker).expect("a marker").0;
    let thread = around(&window);
    let edges: BTreeSet<i64> = {
        let profile = window.profile();
        let times = profile.thread(thread).markers.times();
        times.starts().chain(times.ends()).map(|time| time.0).collect()
    };
    assert!(edges.contains(&range.start.0), "the box starts at a marker: {range:?}");
    crate::harness::window::near(&window, range.start.0, times.start.0, 3.5);
    let first = window.view().chosen.rows.clone();
    assert_eq!(first.rows.values().map(flowline::view::RowSet::len).sum::<usize>(), 1);

    // Shift adds rows, and the time range covers both.
    let threads = listed(&window);
    let profile = window.profile();
    let count = |id: &ThreadId| profile.thread(*id).markers.len();
    let collapsed = threads.iter().copied().filter(|id| *id != thread).max_by_key(count).expect("another thread");
    if window.view().tracks.expanded.contains(&collapsed) {
        window.apply(Command::ToggleThread(collapsed));
    }
    let y = heading_place(&window, collapsed).y;
    window.drag(pos2(start.x + 300.0, y), pos2(window.chart().max.x - 9.0, y + 1.0), Modifiers::SHIFT);
    let both = window.view().chosen.rows.clone();
    assert!(both.threads.contains(&collapsed), "a collapsed thread is selected as a whole");
    assert!(both.has_all(&first));
    let wider = window.view().range.expect("a range");
    assert!(wider.start == range.start && wider.end > range.end);
    let (wanted, overview) = (of_rows(&window, &both, Some(wider)), of_rows(&window, &both, None));
    let count = window.session().scene_input().count_in_box(&both, Some(wider));
    assert_eq!(count.markers, wanted.len());
    check(&mut window, &wanted, &overview);

    // Collapsing and the other arrangement do not change it.
    window.apply(Command::CollapseAll);
    window.apply(Command::SetArrangement(Arrangement::Stack));
    check(&mut window, &wanted, &overview);
    assert!(window.headings().iter().any(|node| node.text.ends_with(", partly selected")));
    window.leave_table();
    assert_eq!(window.view().range, Some(wider), "Escape leaves the table first");
    window.key(Key::Escape);
    assert!(window.view().range.is_none() && window.view().chosen.is_empty(), "Escape clears the box");
    window.press("View");
    assert!(window.get(Role::CheckBox, "Box selection").selected);
    window.click(Role::CheckBox, "Box selection");
    window.key(Key::Escape);
    assert!(!window.has(Role::CheckBox, "Box selection"), "Escape closes the menu");
    let visible = window.view().axis.visible();
    window.key(Key::W);
    let chart = window.chart();
    window.drag(chart.center(), chart.center() - vec2(120.0, 0.0), Modifiers::NONE);
    assert!(window.view().range.is_none() && window.view().axis.visible() != visible, "drags pan again");
}

#[test]
fn a_box_can_be_selected_by_keys() {
    let mut window = Window::tall();
    let (marker, place) = window.marker_with_fields();
    window.click_at(place);
    window.point_at(pos2(-5.0, -5.0));
    window.key(Key::Space);
    window.key(Key::R);
    let first = window.view().chosen.rows.clone();
    let times = window.view().times_of(marker).expect("a marker");
    assert_eq!(window.view().range, Some(TimeRange { end: times.end.max(times.start + Ns(1)), ..times }));
    let wanted = of_rows(&window, &first, window.view().range);
    assert!(wanted.contains(&marker) && wanted.len() < 30, "{}", wanted.len());
    window.key(Key::ArrowRight);
    window.chord(Modifiers::SHIFT, Key::R);
    let next = window.view().times_of(window.selected()).expect("a marker");
    assert_eq!(window.view().range.map(|range| range.end), Some(times.end.max(next.end).max(next.start + Ns(1))));
    window.key(Key::ArrowDown);
    window.key(Key::Space);
    let both = window.view().chosen.rows.clone();
    assert!(both.has_all(&first) && both != first);
    let (wanted, overview) = (of_rows(&window, &both, window.view().range), of_rows(&window, &both, None));
    window.key(Key::T);
    check(&mut window, &wanted, &overview);
    window.apply(Command::ToggleRows(both));
    assert!(window.view().chosen.is_empty());
}
