//! The insights table: by keys and by mouse, its emphasis on the chart, critical paths, and saved views.

use std::path::Path;
use std::sync::Arc;

use egui::accesskit::Role;
use egui::{Key, Modifiers, vec2};
use flowline::index::{Arrangement, Derived, Index};
use flowline::insights::insights::{InsightName, Insights};
use flowline::ui::{KeyMap, SavedView, TableKind};
use flowline::view::{Command, PathTarget};
use serde_json::json;

use crate::canvas::milestones;
use crate::harness::window::{Node, Window, session};
use crate::recording::read_bytes;

/// A window with the table of a page load with one long task, from 300 to 480 ms.
fn window() -> Window {
    let mut window = milestones::window(vec2(1600.0, 1000.0));
    window.chord(Modifiers::SHIFT, Key::G);
    window.wait("the insights", |window| window.session().insight_report().is_some());
    // Room for all rows.
    let edge = window.get(Role::Splitter, "Height of the table").rect.center();
    window.drag(edge, edge - vec2(0.0, 260.0), Modifiers::NONE);
    window.node_with_prefix(Role::Tree, "Insights, ");
    window
}

impl Window {
    /// All rows as screen readers announce them, from the first to the last; the cursor is on the last one.
    pub(crate) fn insight_rows(&mut self) -> Vec<String> {
        self.key(Key::Home);
        let mut rows = vec![self.cursor_row()];
        loop {
            let before = self.place();
            self.key(Key::ArrowDown);
            if self.place() == before {
                return rows;
            }
            rows.push(self.cursor_row());
        }
    }

    /// Height and text of the row with the cursor, and of the row above it.
    fn place(&self) -> Vec<String> {
        let items = self.insight_items();
        let at = items.iter().position(|node| node.selected).expect("a cursor");
        items[at.saturating_sub(1)..=at].iter().map(|node| format!("{} {}", node.rect.min.y, node.text)).collect()
    }

    /// The rows of the table, without those of the details.
    fn insight_items(&self) -> Vec<Node> {
        let top = self.get(Role::Splitter, "Height of the table").rect.max.y;
        let details = self.get(Role::Splitter, "Width of the details").rect.min.x;
        let is_own = |node: &Node| node.rect.min.y >= top && node.rect.min.x < details;
        self.items(Role::TreeItem).into_iter().filter(is_own).collect()
    }

    /// Moves the cursor to the first row that begins with a text.
    #[track_caller]
    pub(crate) fn go_to(&mut self, text: &str) {
        self.key(Key::Home);
        while !self.cursor_row().starts_with(text) {
            let before = self.place();
            self.key(Key::ArrowDown);
            assert_ne!(self.place(), before, "no row begins with {text}");
        }
    }

    /// The row with the cursor.
    pub(crate) fn cursor_row(&self) -> String {
        self.insight_items().into_iter().find(|node| node.selected).expect("a cursor").text
    }

    fn long_task(&self) -> flowline::profile::MarkerId {
        let insights = Insights::of(&self.session().index).list();
        let found = insights.iter().filter(|insight| insight.name == InsightName::LongTasks);
        found.filter_map(|insight| insight.finding.late).next().expect("a long task")
    }
}

#[test]
fn a_navigation_has_metrics_and_insights_and_passed_ones_are_folded() {
    let mut window = window();
    assert_eq!(window.table(), Some(TableKind::Insights));
    // The time before the first navigation is folded.
    let folded = window.insight_rows();
    assert!(folded[0].starts_with("Before the first navigation") && folded[1].starts_with("http://a.test/"));
    window.go_to("Before the first navigation");
    window.key(Key::ArrowRight);
    let rows = window.insight_rows();
    let at = rows.iter().position(|row| row.starts_with("http://a.test/")).expect("a section");
    assert!(rows[at + 1].starts_with("FCP 746 ms, good, LCP 1,386 ms, good, INP unknown: "), "{rows:#?}");
    let long = rows.iter().find(|row| row.starts_with("Long tasks, informative: ")).expect("an insight");
    assert!(long.starts_with("Long tasks, informative: 1 task over 50 ms, the longest 180.00 ms, at "), "{long}");
    assert!(rows[..at].iter().any(|row| row.starts_with("Before the first navigation")), "{rows:#?}");
    assert!(rows[..at].iter().any(|row| row.ends_with(" passed")), "{rows:#?}");
    let passed = |window: &mut Window| window.insight_rows().iter().filter(|row| row.contains(", passed: ")).count();
    assert_eq!(passed(&mut window), 0);
    let folded = rows.iter().find(|row| row.ends_with(" passed")).expect("folded insights").clone();
    window.go_to(&folded);
    window.key(Key::ArrowRight);
    assert!(passed(&mut window) > 0);
    window.go_to(&folded);
    window.key(Key::ArrowLeft);
    assert_eq!(passed(&mut window), 0);
    window.go_to(&folded);
    window.key(Key::ArrowLeft);
    assert!(window.cursor_row().starts_with("Before the first navigation"));
    window.key(Key::ArrowLeft);
    let fewer = window.insight_rows();
    assert!(fewer[1].starts_with("http://a.test/"), "{fewer:#?}");
}

#[test]
fn facts_unfold_as_a_grid_and_a_table() {
    let mut window = window();
    window.go_to("Long tasks, informative");
    window.key(Key::ArrowRight);
    let rows = window.insight_rows();
    for wanted in ["The page cannot react while a task runs.", "Count: 1", "Total: 180.00 ms", "Longest: 180.00 ms"] {
        assert!(rows.iter().any(|row| row == wanted), "{wanted}: {rows:#?}");
    }
    let heading = rows.iter().position(|row| row.starts_with("Start ms, Duration ms, ")).expect("a table");
    let number = |text: &str| text.split(", ").next().unwrap_or_default().to_owned();
    assert_eq!(rows[heading - 1], "Tasks, 1 row");
    assert!(number(&rows[heading + 1]).starts_with("Start ms ") && number(&rows[heading + 1]).ends_with(".000"));
    // The row of the task selects its marker.
    let task = rows[heading + 1].clone();
    window.go_to(&task);
    window.key(Key::Enter);
    assert_eq!(window.selected(), window.long_task());
    window.apply(Command::Select(None));
    // So does the link among the markers.
    window.go_to("Markers, 1 row");
    window.key(Key::ArrowRight);
    window.go_to("RunTask at ");
    window.key(Key::Enter);
    assert_eq!(window.selected(), window.long_task());
    // Metrics unfold to rows with the reasons why they are unknown.
    window.go_to("FCP 746 ms");
    window.key(Key::ArrowRight);
    window.go_to("Largest contentful paint, LCP 1,386 ms, good");
    window.key(Key::Enter);
    let start = window.view().times_of(window.selected()).expect("a marker").start;
    assert_eq!(start.0 % 10_000_000_000, 1_486_000_000);
    assert!(window.insight_rows().iter().any(|row| row.starts_with("Cumulative layout shift, CLS ")));
}

#[test]
fn an_insight_is_shown_on_the_chart_until_escape() {
    let mut window = window();
    let whole = window.view().axis.visible();
    window.go_to("Long tasks, informative");
    window.key(Key::Enter);
    let times = window.view().times_of(window.long_task()).expect("a task");
    let focus = window.view().insight.clone().expect("an emphasis");
    assert_eq!((focus.range, focus.markers.as_deref()), (Some(times), Some(&[window.long_task()][..])));
    let (left, right, width) = {
        let axis = &window.view().axis;
        (axis.pixel(times.start), axis.pixel(times.end), axis.width())
    };
    assert!(((right - left) / width - 0.8).abs() < 0.01, "{left} to {right} of {width}");
    assert!(window.insight_rows().iter().any(|row| row.ends_with(", shown on the chart")));
    assert!(window.says("The chart shows Long tasks"));
    assert!(window.insight_rows().iter().any(|row| row == "Count: 1"), "it unfolds");
    // One thing per Escape: the focus of the table, then the emphasis.
    window.key(Key::Escape);
    assert!(window.view().insight.is_some());
    window.key(Key::Escape);
    assert!(window.view().insight.is_none() && !window.says("The chart shows"));
    window.apply(Command::Undo);
    assert_eq!(window.view().insight, Some(focus));
    window.apply(Command::Undo);
    assert!(window.view().insight.is_none());
    assert_eq!(window.view().axis.visible(), whole, "undo returns to the view before");
}

#[test]
fn a_click_shows_an_insight_and_its_button_the_critical_path() {
    let mut window = window();
    window.go_to("Long tasks, informative");
    let row = window.node_with_prefix(Role::TreeItem, "Long tasks, informative");
    window.click_at(row.rect.left_center() + vec2(120.0, 0.0));
    assert!(window.view().insight.is_some() && window.view().path.is_none());
    window.press("Leave");
    assert!(window.view().insight.is_none());
    window.go_to("Long tasks, informative");
    let buttons = window.nodes_with_prefix(Role::Button, "Critical path to ");
    let button = buttons.iter().find(|node| node.text.ends_with(", Long tasks")).expect("a button");
    window.click_at(button.rect.center());
    let task = window.long_task();
    assert_eq!((window.view().path, window.view().selected), (Some(PathTarget::end_of(task)), Some(task)));
    // A click on the chevron only unfolds.
    window.apply(Command::ShowPath(None));
    let rows = window.insight_rows().len();
    window.go_to("Long tasks, informative");
    let row = window.node_with_prefix(Role::TreeItem, "Long tasks, informative");
    window.click_at(row.rect.left_center() + vec2(28.0, 0.0));
    assert!(window.insight_rows().len() != rows && window.view().insight.is_none() && window.view().path.is_none());
}

#[test]
fn critical_paths_are_one_key_away_and_in_the_menu_and_the_palette() {
    let mut window = window();
    let task = window.long_task();
    window.go_to("Long tasks, informative");
    window.key(Key::K);
    assert_eq!(window.view().path, Some(PathTarget::end_of(task)));
    window.apply(Command::ShowPath(None));
    window.key(Key::ArrowRight);
    window.go_to("Critical path to ");
    window.key(Key::Enter);
    assert_eq!(window.view().path, Some(PathTarget::end_of(task)));
    window.apply(Command::ShowPath(None));
    let target = |window: &Window| {
        let marker = window.view().path?.marker;
        let (thread, local) = window.profile().locate(marker)?;
        Some(window.profile().marker_name(thread, local).to_owned())
    };
    window.press("Analyze");
    assert!(!window.has(Role::Button, "Critical path to INP"), "without an interaction");
    window.press("Critical path to LCP");
    assert_eq!(target(&window).as_deref(), Some("largestContentfulPaint::Candidate"));
    assert_eq!(window.table(), Some(TableKind::CriticalPath));
    window.press("Analyze");
    window.press("Insights");
    assert_eq!(window.table(), Some(TableKind::Insights));
    window.chord(Modifiers { ctrl: true, command: true, ..Modifiers::NONE }, Key::P);
    window.wait("the names", |window| !window.says("Collecting names"));
    window.type_text("path to fcp");
    window.key(Key::Enter);
    assert_eq!(target(&window).as_deref(), Some("firstContentfulPaint"));
}

#[test]
fn saved_views_keep_the_table_and_the_emphasis() {
    let mut window = window();
    window.go_to("Long tasks, informative");
    window.key(Key::Enter);
    let focus = window.view().insight.clone().expect("an emphasis");
    let text = window.shell().saved_view().expect("a recording is open").to_json();
    let view = SavedView::from_json(text.as_bytes()).expect("a view");
    let mut again = milestones::window(vec2(1600.0, 1000.0));
    assert_eq!(again.shell().show_view(&view), 0);
    again.wait("the emphasis", |window| {
        window.view().insight.as_ref().is_some_and(|insight| insight.markers.is_some())
            && !window.insight_items().is_empty()
    });
    assert!(again.insight_rows().iter().any(|row| row == "Count: 1"), "it is unfolded");
    assert_eq!((again.table(), again.view().insight.clone()), (Some(TableKind::Insights), Some(focus)));
    // An insight that the recording does not have is dropped.
    let view = SavedView::from_json(text.replace("LongTasks", "Nothing").as_bytes()).expect("a view");
    let mut other = milestones::window(vec2(1600.0, 1000.0));
    other.shell().show_view(&view);
    other.wait("its end", |window| window.view().insight.is_none());
}

#[test]
fn rows_can_be_copied() {
    let mut window = window();
    window.go_to("Long tasks, informative");
    let line = window.copy();
    assert!(line.iter().any(|text| text.starts_with("Long tasks, informative: 1 task over 50 ms")), "{line:?}");
    let held = Modifiers { ctrl: true, command: true, shift: true, ..Modifiers::NONE };
    window.chord(held, Key::C);
    let size = window.session().canvas.regions.chart.height;
    assert!(size > 100.0, "the chart keeps its place");
}

#[test]
fn recordings_without_pages_have_neither_the_tab_nor_its_commands() {
    let event = json!({"name": "work", "ph": "X", "pid": 1, "tid": 1, "ts": 1, "dur": 900});
    let profile = read_bytes(json!([event]).to_string().into_bytes()).expect("a trace");
    let index = Arc::new(Index::build(Arc::new(profile), Arrangement::Stack));
    let mut window = Window::showing(session(index, Path::new("")), KeyMap::Flowline, vec2(1600.0, 1000.0), 1.0);
    window.chord(Modifiers::SHIFT, Key::G);
    assert_eq!(window.table(), None);
    window.key(Key::T);
    assert!(window.has(Role::Button, "Statistics") && !window.has(Role::Button, "Insights"));
    window.press("Analyze");
    assert!(!window.has(Role::Button, "Insights") && !window.has(Role::Button, "Critical path to Load"));
}

#[test]
fn keys_select_the_long_tasks_and_leave_the_path_to_a_milestone() {
    let mut window = milestones::window(vec2(1600.0, 1000.0));
    let task = window.long_task();
    for (modifiers, key) in [(Modifiers::ALT, Key::Period), (Modifiers::ALT, Key::Comma)] {
        window.apply(Command::Select(None));
        window.chord(modifiers, key);
        assert_eq!(window.selected(), task, "{key:?}");
        window.chord(modifiers, key);
        assert_eq!(window.selected(), task, "there is no other one");
    }
    // The table is open already; the command fills it and gives it the keyboard.
    window.apply(Command::Select(None));
    window.chord(Modifiers::SHIFT, Key::K);
    assert!(window.has(Role::Button, "Show the path to LCP"), "{:#?}", window.texts());
    window.press("Show the path to LCP");
    window.wait("the path", |window| window.session().critical.path().is_some());
    window.settle();
    let paint = window.view().path.expect("a path").marker;
    assert_eq!(window.view().selected, Some(paint), "the details show the end of the path");
    assert!(window.has(Role::Label, "Largest contentful paint"), "{:#?}", window.texts());
    assert!(window.says("Critical path to Largest contentful paint"), "{:#?}", window.texts());
    let focused = window.focused_tables();
    assert!(focused.len() == 1 && focused[0].starts_with("Critical path, "), "{focused:?}");
    // One thing per Escape: the focus, the selection, the path.
    window.key(Key::Escape);
    window.key(Key::Escape);
    assert!(window.view().selected.is_none() && window.view().path.is_some());
    window.key(Key::Escape);
    assert!(window.view().path.is_none());
}

#[test]
fn the_palette_finds_insights() {
    let mut window = milestones::window(vec2(1600.0, 1000.0));
    let command = Modifiers::CTRL | Modifiers::COMMAND;
    window.chord(command, Key::P);
    window.wait("the insights", |window| Insights::if_built(&window.session().index).is_some());
    window.type_text("long tasks");
    window.wait("the entry", |window| !window.nodes_with_prefix(Role::ListBoxOption, "Long tasks, insight").is_empty());
    let is_chosen = |node: &Node| node.selected && node.text.starts_with("Long tasks, insight");
    for _ in 0..20 {
        if window.nodes().iter().any(is_chosen) {
            break;
        }
        window.key(Key::ArrowDown);
    }
    window.key(Key::Enter);
    window.settle();
    assert_eq!(window.table(), Some(TableKind::Insights));
    let focus = window.view().insight.clone().expect("an emphasis");
    assert_eq!(focus.markers.as_deref(), Some(&[window.long_task()][..]));
    window.wait("the table", |window| window.focused_tables().iter().any(|name| name.starts_with("Insights, ")));
    assert!(window.cursor_row().starts_with("Long tasks, informative"), "{}", window.cursor_row());
}
