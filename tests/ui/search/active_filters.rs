//! Hidden threads, the committed and the selected range, and the search filter chart, tables, counts, overview and flow
//! lists alike. Each is compared with a plain check of every marker.

use std::collections::BTreeSet;

use crate::harness::window::Window;
use egui::accesskit::Role;
use egui::{Key, Modifiers};
use flowline::index::SLICES;
use flowline::profile::{FlowId, LocalMarker, MarkerId, Ns, ThreadId, TimeRange};
use flowline::view::Command;

const CTRL: Modifiers = Modifiers::CTRL.plus(Modifiers::COMMAND);

/// The filters that apply to everything.
#[derive(Default)]
struct Wanted {
    word: &'static str,
    hidden: BTreeSet<ThreadId>,
    committed: Option<TimeRange>,
    selected: Option<TimeRange>,
}

impl Wanted {
    fn markers(&self, window: &Window, range: Option<TimeRange>) -> Vec<(ThreadId, MarkerId, Ns)> {
        let profile = window.profile();
        let mut found = Vec::new();
        for (id, thread) in profile.threads_with_ids().filter(|(id, _)| !self.hidden.contains(id)) {
            for local in (0..thread.markers.len()).map(LocalMarker::new) {
                let (start, end) = (thread.markers.start(local), thread.markers.end(local));
                let is_in = range.is_none_or(|range| start < range.end && (end > range.start || start >= range.start));
                if is_in && profile.category_name(thread.markers.category(local)).to_lowercase().contains(self.word) {
                    found.push((id, thread.global(local), start));
                }
            }
        }
        found
    }

    fn range(&self) -> Option<TimeRange> {
        self.selected.or(self.committed)
    }

    #[track_caller]
    fn check(&self, window: &mut Window) {
        if !self.word.is_empty() {
            window.wait_for_search(&format!("cat:{}", self.word));
        }
        let profile = window.profile();
        let markers = self.markers(window, self.range());
        let ids: BTreeSet<MarkerId> = markers.iter().map(|marker| marker.1).collect();
        assert!(!ids.is_empty() && ids.len() < profile.marker_count(), "{} markers", ids.len());

        window.apply(Command::CollapseAll);
        if window.harness.state().shell.state.table.is_none() {
            window.key(Key::T);
        }
        window.wait("the markers", |window| {
            window.panels().marker_table.rows().iter().copied().collect::<BTreeSet<_>>() == ids
        });
        let count = |count: usize| flowline::format::format_count(count as u64);
        let left = format!("{} of {} markers", count(ids.len()), count(profile.marker_count()));
        window.wait("the counts", |window| window.says(&left));
        for (id, thread) in profile.threads_with_ids().filter(|(_, thread)| !thread.markers.is_empty()) {
            let count = markers.iter().filter(|marker| marker.0 == id).count();
            let hits = self.markers(window, None).iter().any(|marker| marker.0 == id);
            let what = if self.word.is_empty() { "markers" } else { "hits" };
            let is_shown = hits && !self.hidden.contains(&id);
            let heading = window.heading(id, what, count, false);
            let same = profile.threads.iter().filter(|other| other.name == thread.name).count();
            assert!(window.has(Role::DisclosureTriangle, &heading) == is_shown || same > 1, "{heading} {is_shown}");
        }

        window.chord(CTRL, Key::T);
        let graph = window.session().index.flows();
        let flows: BTreeSet<FlowId> =
            graph.iter().filter(|flow| graph.members(*flow).iter().any(|marker| ids.contains(marker))).collect();
        window.wait("the flows", |window| {
            window.panels().flow_table.rows().iter().copied().collect::<BTreeSet<_>>() == flows
        });

        let index = std::sync::Arc::clone(&window.session().index);
        let shown = self.committed.unwrap_or(index.extent());
        let starts = self.markers(window, Some(shown)).iter().filter(|(.., start)| *start >= shown.start).count();
        window.wait("the overview", |window| {
            let (activity, is_current) = window.session().scope().activity(&index);
            let sum: u32 = (0..SLICES).flat_map(|slice| activity.slice(slice).to_vec()).sum();
            is_current && activity.range() == shown && sum as usize == starts
        });
        window.key(Key::Escape);
        window.chord(CTRL, Key::T);
    }
}

fn middle(range: TimeRange, part: i64) -> TimeRange {
    let length = Ns(range.len() / part);
    let start = range.start + Ns(range.len() / 2 - length.0 / 2);
    TimeRange { start, end: start + length }
}

#[test]
fn filters_apply_everywhere_and_can_be_cleared_one_by_one() {
    let mut window = Window::tall();
    window.list_idle_threads();
    let whole = window.profile().meta.range;
    let mut wanted = Wanted { word: "o", ..Wanted::default() };
    window.apply(Command::Search("cat:o".into()));
    wanted.check(&mut window);

    let hidden = ThreadId(0);
    window.apply(Command::HideThread(hidden));
    wanted.hidden.insert(hidden);
    wanted.check(&mut window);

    let committed = middle(whole, 2);
    window.apply(Command::SelectRange(Some(committed)));
    wanted.selected = Some(committed);
    wanted.check(&mut window);
    window.apply(Command::ZoomToSelection);
    (wanted.selected, wanted.committed) = (None, Some(committed));
    wanted.check(&mut window);
    let selected = middle(committed, 3);
    window.apply(Command::SelectRange(Some(selected)));
    wanted.selected = Some(selected);
    wanted.check(&mut window);

    // The line lists all active filters, and each button clears one of them.
    window.key(Key::T);
    for (name, part) in [("search", 0), ("selected range", 1), ("1 thread hidden", 2), ("zoomed range", 3)] {
        let button = window.node_with_prefix(Role::Button, &format!("Clear: {name}"));
        window.click_at(button.rect.center());
        match part {
            0 => {
                wanted.word = "";
                window.wait_for_search("");
            }
            1 => wanted.selected = None,
            2 => wanted.hidden.clear(),
            _ => wanted.committed = None,
        }
        if part < 3 {
            wanted.check(&mut window);
            window.key(Key::T);
        }
    }
    let all = window.profile().marker_count();
    window.wait("all markers", |window| window.panels().marker_table.rows().len() == all);
    assert!(!window.says("Active filters:") && window.session().scope().is_everything());
}

#[test]
fn a_committed_range_limits_the_view_until_it_is_left() {
    let mut window = Window::example();
    let (whole, extent) = (window.profile().meta.range, window.session().index.extent());
    let (outer, inner) = (middle(whole, 2), middle(whole, 8));
    for range in [outer, inner] {
        window.apply(Command::SelectRange(Some(range)));
        window.key(Key::Enter);
        assert_eq!(window.view().axis.visible(), range);
        let overview = window.session().scope().overview(&window.session().index.clone());
        assert_eq!(overview, extent, "the overview shows the whole recording");
    }
    assert_eq!(window.view().breadcrumbs.ranges(), [outer, inner]);
    for _ in 0..30 {
        window.key(Key::S);
    }
    let widest = window.view().axis.visible();
    assert!(
        widest.len() < inner.len() * 5 / 4 && widest.start > outer.start,
        "zooming out stays within the range: {widest:?}"
    );

    window.key(Key::Backspace);
    assert_eq!(window.view().breadcrumbs.committed(), Some(outer), "going back widens the range");
    assert_eq!(window.view().axis.visible(), outer);
    let crumb = window.node_with_prefix(Role::Button, "Full range");
    window.click_at(crumb.rect.center());
    assert_eq!((window.view().breadcrumbs.committed(), window.view().axis.extent()), (None, extent));

    // Revealing a marker outside the range also widens it.
    window.apply(Command::SelectRange(Some(inner)));
    window.key(Key::F);
    let first =
        window.profile().threads.iter().find(|thread| !thread.markers.is_empty()).expect("markers").first_marker;
    let times = window.view().times_of(first).expect("a marker");
    assert!(times.end < inner.start);
    window.apply(Command::Reveal(first));
    assert_eq!(window.view().breadcrumbs.committed(), None);
    let visible = window.view().axis.visible();
    assert!(times.start >= visible.start && times.start <= visible.end, "{times:?} {visible:?}");
    window.key(Key::Num0);
    assert!(window.view().breadcrumbs.ranges().is_empty());
}

#[test]
fn keys_hide_threads_and_the_search_can_include_hidden_ones() {
    let mut window = Window::tall();
    let profile = window.profile();
    let (marker, place) = window.marker_with_fields();
    window.click_at(place);
    window.point_at(egui::pos2(-5.0, -5.0));
    let thread = profile.locate(marker).expect("a marker").0;
    window.key(Key::O);
    assert_eq!(window.headings().len(), 1);
    window.key(Key::H);
    assert!(window.headings().is_empty() && window.view().tracks.hidden.contains(&thread));
    window.chord(Modifiers::SHIFT, Key::H);
    assert!(window.view().tracks.hidden.is_empty());

    let name = profile.marker_name(thread, profile.locate(marker).expect("a marker").1).to_lowercase();
    let other = profile.threads_with_ids().find(|(id, other)| {
        let has = |local: usize| profile.marker_name(*id, LocalMarker::new(local)).to_lowercase().contains(&name);
        !other.markers.is_empty() && !(0..other.markers.len()).any(has)
    });
    window.apply(Command::ShowOnly(other.expect("a thread without hits").0));
    let text = format!("name:\"{name}\"");
    window.apply(Command::Search(text.clone()));
    window.wait_for_search(&text);
    window.wait("the sentence", |window| window.says("in hidden threads."));
    window.press("Search everywhere");
    assert!(window.view().tracks.hidden.is_empty() && !window.headings().is_empty());
}

#[test]
fn enter_commits_a_dragged_range_for_every_open_table() {
    for table in [Key::I, Key::Y, Key::T] {
        for on_ruler in [false, true] {
            let mut window = Window::tall();
            window.key(table);
            window.wait("the table", |window| !window.panels().is_busy());
            let chart = window.chart();
            let y = if on_ruler { chart.min.y - 6.0 } else { chart.center().y };
            let [from, to] = [0.3, 0.5].map(|part| egui::pos2(chart.min.x + chart.width() * part, y));
            window.drag(from, to, if on_ruler { Modifiers::NONE } else { Modifiers::SHIFT });
            let range = window.view().range.expect("a range");
            window.key(Key::Enter);
            assert_eq!(window.view().breadcrumbs.committed(), Some(range), "{table:?}, on the ruler: {on_ruler}");
        }
    }
}

#[test]
fn committed_ranges_are_listed_with_the_middle_ones_in_a_menu() {
    let mut window = Window::example();
    let whole = window.profile().meta.range;
    for parts in 2..9 {
        window.apply(Command::SelectRange(Some(middle(whole, parts))));
        window.key(Key::Enter);
    }
    assert_eq!(window.view().breadcrumbs.ranges().len(), 7);
    let right = window.chart().min.x;
    let line = window.node_with_prefix(Role::Button, "Full range").rect.y_range();
    let crumbs: Vec<String> = window
        .nodes()
        .into_iter()
        .filter(|node| node.role == Role::Button && line.contains(node.rect.center().y) && node.rect.max.x < right)
        .map(|node| node.text)
        .filter(|text| !text.starts_with("Hide rows that are empty"))
        .collect();
    let last = flowline::format::format_duration_ns(window.view().breadcrumbs.ranges()[5].len());
    assert_eq!(crumbs.len(), 3, "the full range, a menu and the range before the last: {crumbs:?}");
    assert_eq!(crumbs[1..], ["…".to_owned(), last]);
    window.click(Role::Button, "…");
    let listed = window.texts();
    assert!(window.view().breadcrumbs.ranges().len() == 7, "{listed:?}");
    let third = window.view().breadcrumbs.ranges()[1];
    let text = flowline::format::format_duration_ns(third.len());
    window.click(Role::Button, &text);
    assert_eq!(window.view().breadcrumbs.committed(), Some(third));

    // A click on a link while the menu is open follows the link.
    for parts in 4..9 {
        window.apply(Command::SelectRange(Some(middle(whole, parts))));
        window.key(Key::Enter);
    }
    window.click(Role::Button, "…");
    let crumb = window.node_with_prefix(Role::Button, "Full range");
    window.click_at(crumb.rect.center());
    assert_eq!(window.view().breadcrumbs.committed(), None);
}
