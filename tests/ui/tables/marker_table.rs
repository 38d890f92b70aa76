//! The marker table: order, selection, copying, and contents.

use crate::harness::window::{Node, Window, found};
use egui::Key;
use egui::accesskit::Role;
use flowline::profile::{MarkerId, TimeRange};
use flowline::scene::Scope;
use flowline::session::{MarkerColumn, ordered, time_text};
use flowline::view::Command;

impl Window {
    fn rows(&self) -> Vec<Node> {
        self.nodes().into_iter().filter(|node| node.role == Role::Row).collect()
    }

    fn has_rows(&self) -> bool {
        !self.rows().is_empty()
    }

    /// The start of a marker, as shown in its table row.
    fn row_text(&self, marker: MarkerId) -> String {
        let profile = self.profile();
        let times = self.view().times_of(marker).expect("a marker");
        time_text(profile.clock().show(times.start))
    }
}

#[track_caller]
fn open_table(window: &mut Window) {
    window.key(Key::T);
    window.wait("the table", |window| window.has_rows());
}

#[test]
fn the_table_lists_and_sorts_markers() {
    let mut window = Window::example();
    let profile = window.profile();
    open_table(&mut window);
    let count = flowline::format::format_count(profile.marker_count() as u64);
    window.get(Role::Table, &format!("Marker table, {count} rows"));
    let by_start = ordered(&profile, &Scope::default(), MarkerColumn::Start, false);
    assert_eq!(window.panels().marker_table.rows(), by_start);
    assert!(window.rows()[0].text.starts_with(&window.row_text(by_start[0])), "{}", window.rows()[0].text);
    assert!(window.rows().len() < 40, "only visible rows exist");

    for (column, descending) in
        [(MarkerColumn::Duration, true), (MarkerColumn::Duration, false), (MarkerColumn::Name, false)]
    {
        let button = window.node_with_prefix(Role::Button, column.title());
        window.click_at(button.rect.center());
        let expected = ordered(&profile, &Scope::default(), column, descending);
        window.wait("the new order", |window| window.panels().marker_table.rows() == expected);
        assert!(window.rows()[0].text.starts_with(&window.row_text(expected[0])), "{}", window.rows()[0].text);
    }
    let lengths = ordered(&profile, &Scope::default(), MarkerColumn::Duration, true);
    let length = |marker: &MarkerId| window.view().times_of(*marker).expect("a marker").len();
    assert!(lengths.iter().map(length).rev().is_sorted(), "the longest first");
}

#[test]
fn table_and_window_share_the_selection() {
    let mut window = Window::example();
    // Zoomed in, so that moving the chart to a different marker would be visible.
    for _ in 0..8 {
        window.key(Key::W);
    }
    open_table(&mut window);
    let rows = window.panels().marker_table.rows().to_vec();
    let fourth = window.rows()[3].clone();
    window.click_at(fourth.rect.center());
    assert_eq!(window.selected(), rows[3]);
    let in_view = |window: &Window| {
        let (times, visible) =
            (window.view().times_of(window.selected()).expect("a marker"), window.view().axis.visible());
        times.start <= visible.end && times.end >= visible.start
    };
    assert!(in_view(&window), "the chart follows");
    for (key, expected) in [(Key::ArrowDown, 4), (Key::ArrowDown, 5), (Key::ArrowUp, 4)] {
        window.key(key);
        assert_eq!(window.selected(), rows[expected], "{key:?}");
        assert!(in_view(&window), "{key:?}");
        let selected: Vec<Node> = window.rows().into_iter().filter(|row| row.selected).collect();
        assert_eq!(selected.len(), 1);
        assert!(selected[0].text.starts_with(&window.row_text(rows[expected])), "{}", selected[0].text);
        assert!(window.details_of(rows[expected]));
    }
    let scroll = window.view().scroll;
    window.key(Key::PageDown);
    let paged = rows.iter().position(|row| *row == window.selected()).expect("the node is a row");
    assert!(paged > 6, "PageDown moves down a page: {paged}");
    assert!(window.rows().iter().any(|row| row.selected), "the table scrolls to the cursor");
    let item = window.session().item_of(window.selected()).expect("it is shown");
    let room = f64::from(window.chart().height());
    let shown = item.y >= window.view().scroll && item.y + item.height <= window.view().scroll + room;
    assert!(shown, "the chart scrolls to the row (scrolled to {scroll} before)");

    let copied = window.copy();
    let last = copied.last().expect("text is copied");
    assert!(last.starts_with(&window.row_text(window.selected())), "{copied:?}");
    assert_eq!(last.matches('\t').count(), 4, "five columns: {last}");
    assert_eq!(copied.len(), 1, "only the row");
    let (_, place) = window.hoverable_markers()[0];
    window.click_at(place);
    let clicked = window.selected();
    assert!(window.rows().iter().filter(|row| row.selected).all(|row| row.text.starts_with(&window.row_text(clicked))));
}

#[test]
fn enter_goes_to_the_marker_in_the_chart() {
    let mut window = Window::example();
    open_table(&mut window);
    let third = window.rows()[2].clone();
    window.click_at(third.rect.center());
    let marker = window.selected();
    assert!(!window.focused_tables().is_empty(), "the table has the keyboard");
    // The chart is somewhere else.
    for _ in 0..8 {
        window.key(Key::W);
    }
    let far = window.session().index.extent().end;
    window.apply(Command::Show(TimeRange::new(far - flowline::profile::Ns(1_000_000), far)));
    window.key(Key::Enter);
    let (times, visible) = (window.view().times_of(marker).expect("a marker"), window.view().axis.visible());
    assert!(times.start <= visible.end && times.end >= visible.start, "{times:?} in {visible:?}");
    assert_eq!(window.selected(), marker);
    assert!(window.focused_tables().is_empty(), "the chart has the keyboard");
    assert!(window.view().flows.entered.is_empty(), "the key has no other effect");
}

#[test]
fn an_empty_table_has_no_headings() {
    let mut window = Window::example();
    open_table(&mut window);
    let headings = |window: &Window| window.nodes_with_prefix(Role::Button, MarkerColumn::Duration.title()).len();
    assert_eq!(headings(&window), 1);
    window.apply(Command::Search("no marker says this".into()));
    window.wait_for_search("no marker says this");
    window.wait("an empty table", |window| window.says("No marker matches “no marker says this”."));
    assert_eq!(headings(&window), 0, "{:#?}", window.texts());
}

#[test]
fn the_table_applies_search_and_range() {
    let mut window = Window::example();
    let profile = window.profile();
    open_table(&mut window);
    window.apply(Command::Search("styles".into()));
    window.wait_for_search("styles");
    let hits = found(&profile, "styles");
    let expected = ordered(&profile, window.session().scope(), MarkerColumn::Start, false);
    window.wait("the hits", |window| window.panels().marker_table.rows() == expected);
    window.get(Role::Table, &format!("Marker table, {} rows", hits.total()));
    window.apply(Command::Search("no marker says this".into()));
    window.wait_for_search("no marker says this");
    window.wait("an empty table", |window| window.says("No marker matches “no marker says this”."));
    assert!(window.says("Searched names, categories, arguments and URLs in "));
    window.click(Role::Button, "Clear search");
    window.settle();
    window.wait_for_search("");
    let all = profile.meta.range;
    let range = TimeRange::new(all.start, all.start + flowline::profile::Ns(all.len() / 7));
    window.apply(Command::SelectRange(Some(range)));
    let expected = ordered(&profile, window.session().scope(), MarkerColumn::Start, false);
    assert!(expected.len() < profile.marker_count() / 2);
    window.wait("the range", |window| window.panels().marker_table.rows() == expected);
}
