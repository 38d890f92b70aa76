//! Tracks of queries: how they come, their entries under the pointer, and what happens to them.

use std::time::Duration;

use egui::accesskit::Role;
use egui::{Key, Modifiers, pos2, vec2};
use flowline::profile::{Ns, TimeRange};
use flowline::scene::ItemKind;
use flowline::session::{LinkedQueries, QueryLimits};
use flowline::ui::SavedView;
use flowline::view::{Command, QUERY_TRACKS, QueryTrackCommand};
use serde_json::json;

use crate::harness::query::{query_window, start, window_of};
use crate::harness::window::Window;

#[test]
fn a_result_becomes_a_track() {
    let (mut window, engine) = query_window();
    let whole = TimeRange::new(Ns(start()), Ns(start() + 1_000_000_000));
    window.apply(Command::Show(whole));
    window.query("SELECT ranges FROM slice");
    window.press("Show as track");
    window.wait("the track", |window| !window.query_headings().is_empty());
    assert_eq!(window.query_headings(), ["Query track Query of slice, 3 entries, expanded"]);
    assert_eq!(engine.queries.lock().expect("no panic").len(), 1, "the result is not computed again");
    // The second range is inside of the first, so there are two rows.
    let is_row = |kind: &ItemKind| matches!(kind, ItemKind::TrackRow(row) if row.track.kind == QUERY_TRACKS);
    let items: Vec<_> = window.session().list().items().iter().filter(|item| is_row(&item.kind)).copied().collect();
    assert_eq!(items.len(), 2);
    let place = {
        let (input, chart) = (window.session().scene_input(), window.chart());
        let middle = Ns(start() + 150_000_000);
        #[expect(clippy::cast_possible_truncation, reason = "screen coordinates")]
        let x = chart.min.x + window.view().axis.pixel(middle) as f32;
        pos2(x, input.item_y(&items[1]) + input.item_height(&items[1]) / 2.0)
    };
    window.point_at(place);
    assert!(!window.nodes_with_prefix(Role::Label, "range 100").is_empty(), "{:?}", window.texts());
    window.click_at(place);
    let from = Ns(start() + 100_000_000);
    assert_eq!(window.view().range, Some(TimeRange::new(from, from + Ns(100_000_000))));
    let heading = window.node_with_prefix(Role::DisclosureTriangle, "Query track Query of slice");
    window.choose(&heading, "Remove track");
    assert!(window.query_headings().is_empty());
    window.apply(Command::Undo);
    window.wait("the track", |window| window.query_headings() == ["Query track Query of slice, 3 entries, expanded"]);
}

#[test]
fn a_track_can_be_renamed() {
    let (mut window, _) = query_window();
    window.query("SELECT slices");
    window.press("Show as track");
    window.wait("the track", |window| !window.query_headings().is_empty());
    let heading = window.nodes().into_iter().find(|node| node.text.starts_with("Query track ")).expect("a heading");
    window.choose(&heading, "Rename track…");
    assert!(window.get(Role::TextInput, "Track name").focused);
    window.chord(Modifiers::COMMAND | Modifiers::CTRL, Key::A);
    window.type_text("mine");
    window.key(Key::Enter);
    assert!(window.query_headings()[0].starts_with("Query track mine, 3 entries"), "{:?}", window.query_headings());
}

#[test]
fn tracks_are_restored_by_their_queries() {
    let (mut window, _) = query_window();
    for (name, sql) in [("one", "SELECT ranges"), ("two", "SELECT broken"), ("three", "SELECT slices")] {
        window.apply(Command::QueryTrack(QueryTrackCommand::Add { name: name.into(), sql: sql.into() }));
    }
    let expected = [
        "Query track one, 3 entries, expanded",
        "Query track two, failed: There is no table broken. Did you mean slice?",
    ];
    let shows = |window: &Window| {
        let headings = window.query_headings();
        headings.len() == 3 && headings[..2] == expected && headings[2].starts_with("Query track three, 3 entries")
    };
    window.wait("the tracks", shows);
    window.apply(Command::QueryTrack(QueryTrackCommand::Remove(1)));
    window.apply(Command::Undo);
    let view = window.shell().saved_view().expect("a view");
    assert!(!view.to_json().contains("range 100"), "rows are not saved");
    let (mut other, engine) = window_of(vec2(1440.0, 900.0));
    assert_eq!(other.shell().show_view(&SavedView::from_json(view.to_json().as_bytes()).expect("a view")), 0);
    other.wait("the tracks", shows);
    assert_eq!(engine.queries.lock().expect("no panic").len(), 3);
}

/// A view with a query track, as a link.
fn link(sql: &str) -> String {
    let view = json!({"version": 1, "tracks": {"queries": [{"number": 3, "name": "linked", "sql": sql}]}});
    SavedView::from_json(view.to_string().as_bytes()).expect("a view").to_link()
}

#[test]
fn the_query_of_a_link_can_be_read_and_runs_on_request() {
    let (mut window, engine) = window_of(vec2(1440.0, 900.0));
    let linked = SavedView::from_link(&link("SELECT ranges,\n  name FROM slice")).expect("a link");
    assert_eq!(window.shell().show_view(&linked), 0);
    window.settle();
    assert_eq!(window.query_headings(), ["Query track linked, not run"]);
    let drawn = window.chart_texts();
    assert!(drawn.contains(&"not run: SELECT ranges, name FROM slice".to_owned()), "{drawn:?}");
    // The window stores the view, and the query does not run when the recording is opened again, either.
    let stored = window.shell().saved_view().expect("a view").to_json();
    let (mut again, later) = window_of(vec2(1440.0, 900.0));
    again.shell().show_view(&SavedView::from_json(stored.as_bytes()).expect("a view"));
    again.settle();
    assert_eq!(again.query_headings(), ["Query track linked, not run"]);
    for engine in [&engine, &later] {
        assert!(engine.queries.lock().expect("no panic").is_empty(), "nothing runs by itself");
    }
    let heading = window.node_with_prefix(Role::Label, "Query track linked");
    window.choose(&heading, "Show query");
    assert_eq!(window.query_text(), "SELECT ranges,\n  name FROM slice");
    window.press("Run query");
    window.wait("the track", |window| window.query_headings() == ["Query track linked, 3 entries, expanded"]);
    assert_eq!(engine.queries.lock().expect("no panic").len(), 1);
    // The user has run the query.
    let stored = window.shell().saved_view().expect("a view");
    let (mut again, later) = window_of(vec2(1440.0, 900.0));
    again.shell().show_view(&stored);
    again.wait("the track", |window| window.query_headings() == ["Query track linked, 3 entries, expanded"]);
    assert_eq!(later.queries.lock().expect("no panic").len(), 1);
}

#[test]
fn a_running_query_can_be_stopped_and_then_runs_on_request() {
    let (mut window, engine) = window_of(vec2(1440.0, 900.0));
    let sql = "SELECT slow".to_owned();
    window.apply(Command::QueryTrack(QueryTrackCommand::Add { name: "endless".into(), sql }));
    window.wait("the query", |window| window.query_headings() == ["Query track endless, running"]);
    window.press("Stop query");
    window.wait("the end", |window| window.query_headings() == ["Query track endless, stopped"]);
    let stored = window.shell().saved_view().expect("a view");
    let (mut again, later) = window_of(vec2(1440.0, 900.0));
    again.shell().show_view(&stored);
    again.settle();
    assert_eq!(again.query_headings(), ["Query track endless, not run"]);
    assert!(later.queries.lock().expect("no panic").is_empty(), "a stopped query does not start by itself");
    window.press("Run query");
    window.wait("the query", |window| window.query_headings() == ["Query track endless, running"]);
    let heading = window.node_with_prefix(Role::Label, "Query track endless");
    window.choose(&heading, "Stop query");
    window.wait("the end", |window| window.query_headings() == ["Query track endless, stopped"]);
    assert_eq!(engine.queries.lock().expect("no panic").len(), 2);
}

#[test]
fn the_query_of_a_link_runs_within_limits_where_nobody_is_asked() {
    let (mut window, engine) = window_of(vec2(1440.0, 900.0));
    let limits = QueryLimits { time: Some(Duration::from_millis(40)), rows: 100 };
    window.shell().panes[0].session.set_linked_queries(LinkedQueries::Run(limits));
    window.shell().show_view(&SavedView::from_link(&link("SELECT slow")).expect("a link"));
    window.settle();
    window.wait("the limit", |window| {
        window.query_headings() == ["Query track linked, stopped by its time limit of 0.04 s"]
    });
    assert_eq!(engine.queries.lock().expect("no panic").len(), 1);
}

#[test]
fn only_queries_that_read_become_tracks() {
    let (mut window, engine) = window_of(vec2(1440.0, 900.0));
    let sql = "COPY slice TO 'file'".to_owned();
    window.apply(Command::QueryTrack(QueryTrackCommand::Add { name: "copy".into(), sql }));
    window.settle();
    assert_eq!(window.query_headings(), ["Query track copy, failed: Only SELECT queries can be tracks."]);
    assert!(engine.queries.lock().expect("no panic").is_empty(), "a link cannot write files");
}
