//! Statistics of the filtered markers: keyboard, mouse, and screen reader texts.

use std::collections::BTreeMap;

use egui::accesskit::Role;
use egui::{Key, Modifiers, vec2};
use flowline::profile::{LocalMarker, MarkerFlags, Ns, Thread, ThreadId, TimeRange};
use flowline::ui::TableKind;
use flowline::view::Command;

use crate::harness::window::Window;

impl Window {
    pub(super) fn settle_statistics(&mut self) {
        self.wait("the statistics", |window| !window.panels().is_busy());
        self.settle();
    }

    pub(super) fn statistics_rows(&self) -> Vec<String> {
        let rows = self.items(Role::Row).into_iter().map(|node| node.text);
        rows.filter(|text| text.contains("Count")).collect()
    }
}

/// Count and total length of the markers that start in a range, by name.
fn counted(window: &Window, range: Option<TimeRange>) -> BTreeMap<String, (usize, i64)> {
    let profile = window.profile();
    let mut counts: BTreeMap<String, (usize, i64)> = BTreeMap::new();
    for (id, thread) in profile.threads_with_ids() {
        for marker in (0..thread.markers.len()).map(LocalMarker::new) {
            let TimeRange { start, end } = thread.markers.range(marker);
            if range.is_some_and(|range| start < range.start || start >= range.end) {
                continue;
            }
            let name = profile.marker_name(id, marker).to_owned();
            let entry = counts.entry(name).or_default();
            entry.0 += 1;
            if !thread.markers.flags(marker).has(MarkerFlags::INSTANT) {
                entry.1 += (range.map_or(end, |range| end.min(range.end)) - start).0;
            }
        }
    }
    counts
}

/// The row with the largest total, as a prefix.
fn largest(counts: &BTreeMap<String, (usize, i64)>) -> String {
    let (name, (count, _)) = counts.iter().max_by_key(|(_, (_, total))| *total).expect("markers");
    format!("{name}, Count {}", flowline::format::format_count(*count as u64))
}

#[test]
fn statistics_refer_to_the_filtered_markers() {
    let mut window = Window::example();
    window.key(Key::I);
    window.settle_statistics();
    let all = counted(&window, None);
    let rows = window.statistics_rows();
    assert!(rows[0].starts_with(&largest(&all)), "{} {:?}", largest(&all), &rows[..2]);
    let extent = window.session().index.extent();
    let middle = Ns(extent.start.0.midpoint(extent.end.0));
    let half = TimeRange::new(extent.start, middle);
    window.apply(Command::SelectRange(Some(half)));
    window.settle_statistics();
    let rows = window.statistics_rows();
    let expected = largest(&counted(&window, Some(half)));
    assert!(rows[0].starts_with(&expected), "{expected} {:?}", &rows[..2]);
    window.apply(Command::Search("nothing at all has this name".to_owned()));
    window.wait_for_search("nothing at all has this name");
    window.settle_statistics();
    assert!(window.says("No matching markers start in the range."));
    window.click(Role::Button, "Count markers that overlap it");
    window.settle_statistics();
    assert!(window.says("No marker matches"), "{:#?}", window.texts());
    window.apply(Command::SelectRange(None));
    window.settle_statistics();
    assert!(window.says("No marker matches “nothing at all has this name”."));
    window.click(Role::Button, "Clear search");
    window.settle();
    assert!(window.view().search.is_empty());
}

#[test]
fn a_drag_in_a_distribution_filters_by_length() {
    let mut window = Window::example();
    window.key(Key::I);
    window.settle_statistics();
    let row = window.items(Role::Row).into_iter().find(|node| node.text.contains("Count")).expect("a row");
    window.click_at(row.rect.center());
    window.settle_statistics();
    let histogram = window.node_with_prefix(Role::Image, "Histogram of lengths");
    assert!(window.nodes_with_prefix(Role::Image, "Lengths over time").len() == 1);
    window.drag(
        histogram.rect.left_center() + vec2(histogram.rect.width() * 0.6, 0.0),
        histogram.rect.right_center() - vec2(2.0, 0.0),
        Modifiers::NONE,
    );
    window.settle();
    let search = window.session().view.search.clone();
    assert!(search.starts_with("dur:") && search.ends_with("ns"), "{search}");
    window.wait_for_search(&search);
    window.settle_statistics();
    // The remaining markers have the lengths in the search.
    let (least, _) = search.trim_start_matches("dur:").split_once("ns..").expect("a range");
    let least: i64 = least.parse().expect("a number");
    let profile = window.profile();
    window.select_longest();
    let marker = window.selected();
    let (id, local) = profile.locate(marker).expect("known");
    let markers = &profile.thread(id).markers;
    assert!((markers.end(local) - markers.start(local)).0 >= least, "{search}");
}

impl Window {
    /// Selects the longest marker of the group under the cursor.
    fn select_longest(&mut self) {
        let row = self.items(Role::Row).into_iter().find(|node| node.text.contains("Count")).expect("a row");
        self.click_at(row.rect.center());
        self.settle_statistics();
        self.click(Role::Button, "Longest");
        self.settle();
    }
}

#[test]
fn two_ranges_can_be_compared() {
    let mut window = Window::example();
    window.shell().set_table_height(400.0);
    window.key(Key::I);
    window.settle_statistics();
    window.press("More");
    window.press("Compare with another range or thread");
    window.settle_statistics();
    let rows = window.statistics_rows();
    assert!(rows.iter().all(|row| !row.contains("new") && !row.contains("vanished") && !row.contains('+')), "{rows:?}");
    assert!(rows.iter().any(|row| row.contains("× 1.00")), "the same: {rows:?}");
    assert!(window.says("Select another range or thread, or search, to change B."), "{:#?}", window.texts());
    let extent = window.session().index.extent();
    let none = TimeRange::new(extent.end - Ns(1), extent.end);
    window.apply(Command::SelectRange(Some(none)));
    window.settle_statistics();
    let rows = window.statistics_rows();
    assert!(rows.iter().any(|row| row.contains("vanished")) || window.says("No matching markers."), "{rows:?}");
    window.apply(Command::SelectRange(None));
    window.settle_statistics();
    window.press("More");
    window.press("End comparison");
    window.settle_statistics();
    assert!(window.statistics_rows()[0].starts_with(&largest(&counted(&window, None))));
}

#[test]
fn a_comparison_of_ranges_is_a_command() {
    let mut window = Window::example();
    window.shell().set_table_height(400.0);
    window.chord(Modifiers::COMMAND | Modifiers::CTRL, Key::P);
    window.wait("the names", |window| !window.says("Collecting names"));
    window.type_text("compare two");
    window.key(Key::Enter);
    assert_eq!(window.table(), Some(TableKind::Statistics));
    window.wait("the comparison", |window| window.says("A: whole recording   B: whole recording"));
    let extent = window.session().index.extent();
    window.apply(Command::SelectRange(Some(TimeRange { end: extent.start + Ns(extent.len() / 2), ..extent })));
    window.wait("the other range", |window| window.says("A: whole recording   B: ") && !window.says("to change B."));
}

#[test]
fn groups_are_chosen_by_keys_alone() {
    let mut window = Window::example();
    window.shell().set_table_height(400.0);
    window.chord(Modifiers::COMMAND | Modifiers::CTRL, Key::P);
    window.wait("the names", |window| !window.says("Collecting names"));
    window.type_text("group statistics");
    window.key(Key::Enter);
    window.wait("the menu", |window| window.nodes().iter().any(|node| node.text == "Process"));
    let focused = |window: &Window| window.nodes().into_iter().find(|node| node.focused).map(|node| node.text);
    window.key(Key::ArrowDown);
    assert_eq!(focused(&window).as_deref(), Some("Name"));
    window.key(Key::ArrowDown);
    window.key(Key::Enter);
    window.settle_statistics();
    assert!(window.has(Role::Button, "Category"), "the heading of the groups: {:#?}", window.texts());
}

#[test]
fn arrow_keys_leave_the_field_of_a_menu() {
    let mut window = Window::example();
    window.key(Key::I);
    window.settle_statistics();
    let menu = window.get(Role::Button, "Primary grouping");
    window.click_at(menu.rect.center());
    window.wait("the fields", |window| !window.says("Reading fields"));
    let focused = |window: &Window| window.nodes().into_iter().find(|node| node.focused).map(|node| node.role);
    for _ in 0..30 {
        if focused(&window) == Some(Role::TextInput) {
            break;
        }
        window.key(Key::ArrowDown);
    }
    assert_eq!(focused(&window), Some(Role::TextInput), "{:#?}", window.texts());
    window.type_text("re");
    window.key(Key::ArrowDown);
    assert_eq!(focused(&window), Some(Role::Button), "the first field of the list");
    window.key(Key::ArrowUp);
    assert_eq!(focused(&window), Some(Role::TextInput), "back in the field; nothing was chosen");
}

#[test]
fn letters_typed_in_the_menu_of_groupings_find_a_field() {
    let mut window = Window::example();
    window.shell().set_table_height(400.0);
    window.key(Key::I);
    window.settle_statistics();
    let menu = window.get(Role::Button, "Primary grouping");
    window.click_at(menu.rect.center());
    window.wait("the fields", |window| !window.says("Reading fields"));
    window.type_text("contentt");
    window.settle();
    let listed = window.nodes_with_prefix(Role::Button, "MIME type");
    assert_eq!(listed.len(), 1, "the label of contentType: {:#?}", window.texts());
    window.key(Key::Enter);
    window.settle_statistics();
    assert!(window.has(Role::Button, "Field"), "the heading of the groups: {:#?}", window.texts());
    let rows = window.statistics_rows();
    assert!(
        rows.iter().any(|row| row.starts_with("image/")),
        "values of a field that was not typed in full: {rows:#?}"
    );
}

#[test]
fn groups_use_two_keys_and_sort_by_each_column() {
    let mut window = Window::example();
    window.key(Key::I);
    window.settle_statistics();
    let by_name = window.statistics_rows().len();
    let menu = window.get(Role::Button, "Secondary grouping");
    window.click_at(menu.rect.center());
    window.settle();
    window.press("Thread");
    window.settle_statistics();
    assert!(window.statistics_rows().len() >= by_name);
    window.click(Role::Button, "Name");
    window.settle();
    let names: Vec<String> = window
        .statistics_rows()
        .into_iter()
        .filter(|row| !row.starts_with("All "))
        .map(|row| row.split(',').next().unwrap_or_default().to_lowercase())
        .collect();
    assert!(names.is_sorted(), "{names:?}");
}

#[test]
fn the_menu_of_a_thread_opens_its_statistics() {
    let mut window = Window::example();
    let heading = window.headings().into_iter().next().expect("a thread");
    window.choose(&heading, "Show statistics");
    window.settle_statistics();
    let selected_threads: Vec<_> = window.session().scope().selected_threads().into_iter().flatten().copied().collect();
    assert_eq!(selected_threads.len(), 1);
    let profile = window.profile();
    let names: std::collections::BTreeSet<_> =
        profile.thread(selected_threads[0]).markers.attributes().iter().map(|own| own.name).collect();
    let groups = flowline::format::format_counted(names.len() as u64, "group");
    assert!(window.has(Role::Label, &groups), "{groups}: {:?}", window.texts());
    let chips: Vec<_> = window.nodes_with_prefix(Role::Button, "Clear: thread");
    assert_eq!(chips.len(), 1, "a chip clears it: {:?}", window.texts());
}

impl Window {
    /// Switches the statistics to markers, counters or flows.
    fn statistics_of(&mut self, what: &str) {
        self.click(Role::Button, &format!("Statistics of {what}"));
        self.settle_statistics();
    }

    fn rows_with(&self, part: &str) -> Vec<String> {
        self.items(Role::Row).into_iter().map(|node| node.text).filter(|text| text.contains(part)).collect()
    }
}

#[test]
fn counters_have_statistics_of_the_range() {
    let mut window = Window::example();
    window.key(Key::I);
    window.settle_statistics();
    window.statistics_of("counters");
    let profile = window.profile();
    let series: usize = profile.counters.iter().map(|counter| counter.series.len()).sum();
    let rows = window.rows_with("Samples");
    assert!(series > 0 && rows.len() == series, "{rows:?}");
    let most = |window: &Window, range: Option<TimeRange>| {
        let found = flowline::index::statistics::counters(&window.session().index, range);
        let texts = found.iter().map(|one| {
            let counter = &profile.counters[one.counter.index()];
            one.values.map(|values| format!("Max {}", counter.value_text(values.max)))
        });
        texts.flatten().collect::<Vec<_>>()
    };
    for text in most(&window, None) {
        assert!(rows.iter().any(|row| row.contains(&text)), "{text}: {rows:?}");
    }
    let extent = window.session().index.extent();
    let part = TimeRange::new(extent.start, Ns(extent.start.0 + extent.len() / 5));
    window.apply(Command::SelectRange(Some(part)));
    window.settle_statistics();
    let rows = window.rows_with("Samples");
    for text in most(&window, Some(part)) {
        assert!(rows.iter().any(|row| row.contains(&text)), "{text}: {rows:?}");
    }
    window.apply(Command::PickThreads(vec![flowline::profile::ThreadId(0)]));
    window.settle_statistics();
    assert!(window.says("No matching counters"), "{:?}", window.texts());
}

#[test]
fn kinds_of_flows_open_their_flows() {
    let mut window = Window::example();
    window.shell().set_table_height(400.0);
    window.key(Key::I);
    window.settle_statistics();
    window.statistics_of("flows");
    let rows = window.rows_with("p99");
    let totals = rows.iter().find(|row| row.starts_with("All ")).expect("a row of totals");
    let all = flowline::format::format_count(window.session().index.flows().len() as u64);
    assert!(totals.contains(&format!("Count {all},")), "{totals}");
    assert!(rows.len() > 2, "{rows:?}");
    window.click(Role::Button, "Count");
    window.settle();
    let kinds: Vec<(String, usize)> = window
        .rows_with("p99")
        .iter()
        .filter(|row| !row.starts_with("All "))
        .map(|row| {
            let (kind, rest) = row.split_once(", Count ").expect("a count");
            (kind.to_owned(), rest.split(", ").next().expect("it").replace(',', "").parse().expect("a number"))
        })
        .collect();
    assert!(kinds.is_sorted_by(|a, b| a.1 >= b.1), "{kinds:?}");
    let (kind, count) = kinds[1].clone();
    let row = window.items(Role::Row).into_iter().find(|node| node.text.starts_with(&format!("{kind},"))).expect("it");
    window.click_at(row.rect.center());
    window.settle();
    window.click(Role::Button, "List flows");
    window.settle();
    window.wait("the flows", |window| !window.panels().is_busy());
    window.settle();
    assert_eq!(window.panels().flow_table.rows().len(), count, "{kind}");
}

#[test]
fn groups_of_instants_are_behind_a_button_and_totals_stay_at_the_bottom() {
    let mut window = Window::example();
    window.shell().set_table_height(160.0);
    window.key(Key::I);
    window.settle_statistics();
    let button = window.nodes().into_iter().find(|node| node.text.ends_with(" with no duration")).expect("a button");
    let count: usize = button.text.split(' ').next().and_then(|count| count.parse().ok()).expect("a count");
    assert!(count > 0);
    let totals = window.node_with_prefix(Role::Row, "All ");
    let last = window.items(Role::Row).into_iter().map(|node| node.rect.max.y).fold(0.0, f32::max);
    assert!((totals.rect.max.y - last).abs() < 1.0, "the totals are the lowest row");
    window.click_at(button.rect.center());
    window.settle_statistics();
    let moved = window.node_with_prefix(Role::Row, "All ");
    assert!((moved.rect.min.y - totals.rect.min.y).abs() < 0.5, "the totals stay");
}

#[test]
fn the_group_of_the_selected_marker_is_above_the_totals() {
    for height in [190.0, 216.0, 233.0] {
        let mut window = Window::example();
        window.shell().set_table_height(height);
        let profile = window.profile();
        let is_it = |(id, thread): (ThreadId, &Thread)| {
            let mut markers = (0..thread.markers.len()).map(LocalMarker::new);
            markers.find(|own| profile.marker_name(id, *own) == "setTimeout callback").map(|own| thread.global(own))
        };
        window.apply(Command::Select(profile.threads_with_ids().find_map(is_it)));
        window.key(Key::I);
        window.settle_statistics();
        let totals = window.node_with_prefix(Role::Row, "All ").rect;
        let row = window.node_with_prefix(Role::Row, "setTimeout callback, ");
        assert!(row.selected && row.rect.max.y <= totals.min.y + 0.5, "{height}: {row:?} above {totals:?}");
    }
}
