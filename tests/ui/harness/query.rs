//! A window with a query engine in this process, and its queries.

use std::path::Path;
use std::sync::Arc;

use egui::accesskit::Role;
use egui::{Key, Modifiers, vec2};
use flowline::profile::{MarkerId, Value as Choices};
use flowline::scene::{ItemKind, Scene, TrackHeading};
use flowline::session::Wake;
use flowline::ui::{KeyMap, Shell, TableKind};
use flowline::view::{QUERY_TRACKS, Theme};
use serde_json::{Value, json};

use crate::harness::window::{Window, example, session};
use crate::support::query_engine::{Answer, Shared, StandIn};

/// Some markers with a length.
pub(crate) fn markers() -> Vec<(u32, i64, i64)> {
    let index = example();
    let profile = index.profile();
    let all = (0..u32::try_from(profile.marker_count()).expect("few")).map(MarkerId);
    let times = all.filter_map(|marker| {
        let (thread, local) = profile.locate(marker)?;
        let range = profile.thread(thread).markers.range(local);
        (range.len() > 1_000_000).then_some((marker.0, range.start.0, range.len()))
    });
    times.take(3).collect()
}

/// Start of the ranges without a marker.
pub(crate) fn start() -> i64 {
    markers()[0].1
}

fn answer(sql: &str) -> Answer {
    let has = |word: &str| sql.contains(word);
    if has("die") {
        return Answer::Death;
    }
    if has("slow") {
        return Answer::Silence;
    }
    if has("broken") {
        return Answer::Error("There is no table broken. Did you mean slice?", 1, 8);
    }
    if has("slices") {
        let columns = vec![("id", "integer"), ("ts", "integer"), ("dur", "integer"), ("name", "text")];
        let rows = markers().into_iter().enumerate();
        let row = |(at, (id, ts, dur)): (usize, (u32, i64, i64))| {
            vec![json!(id), json!(ts), json!(dur), json!(format!("row {at}"))]
        };
        return Answer::Rows(columns, rows.map(row).collect());
    }
    if has("ranges") {
        let columns = vec![("ts", "integer"), ("dur", "integer"), ("name", "text")];
        let ms = 1_000_000;
        let row = |(at, len): (i64, i64)| vec![json!(start() + at * ms), json!(len * ms), json!(format!("range {at}"))];
        return Answer::Rows(columns, [(0, 400), (100, 100), (500, 300)].map(row).into());
    }
    if has("values") {
        let columns = vec![("n", "integer"), ("share", "real"), ("text", "text"), ("yes", "boolean")];
        let rows = vec![
            vec![json!(1_234_567), json!(0.5), json!("b\tc"), json!(true)],
            vec![Value::Null, json!("NaN"), Value::Null, Value::Null],
            vec![json!(-3), json!(2.25), json!("a"), json!(false)],
        ];
        return Answer::Rows(columns, rows);
    }
    if has("many") {
        return Answer::Rows(vec![("n", "integer")], (0..100_000).map(|n| vec![json!(n * 7919 % 100_003)]).collect());
    }
    Answer::Rows(vec![("n", "integer")], Vec::new())
}

pub(crate) fn window_of(size: egui::Vec2) -> (Window, Arc<StandIn>) {
    window_with(StandIn::new(answer), size)
}

/// A window whose engine states facts about its recording.
pub(crate) fn window_about(recording: Value) -> Window {
    let (mut window, _) = window_with(StandIn::of(recording, answer), vec2(1440.0, 900.0));
    window.chord(Modifiers::SHIFT, Key::Q);
    window.wait("the engine", |window| !window.session().query.catalog().tables.is_empty());
    window
}

fn window_with(engine: Arc<StandIn>, size: egui::Vec2) -> (Window, Arc<StandIn>) {
    let mut shell = Shell::new(KeyMap::Flowline, Theme::Dark);
    shell.set_query_engine(Arc::new(Shared(Arc::clone(&engine))));
    shell.open(session(example(), Path::new("")), &(Arc::new(|| {}) as Wake));
    let mut window = Window::with(shell, size, 1.0);
    window.settle();
    window.wait("the rows", |window| !window.session().is_busy());
    (window, engine)
}

/// A window with the tab, opened by its key.
pub(crate) fn query_window() -> (Window, Arc<StandIn>) {
    let (mut window, engine) = window_of(vec2(1440.0, 900.0));
    window.chord(Modifiers::SHIFT, Key::Q);
    assert_eq!(window.table(), Some(TableKind::Query));
    window.wait("the engine", |window| !window.session().query.catalog().tables.is_empty());
    (window, engine)
}

impl Window {
    /// Types and runs a query.
    pub(crate) fn query(&mut self, sql: &str) {
        if self.all(Role::MultilineTextInput, "SQL query").iter().all(|node| !node.focused) {
            self.click(Role::MultilineTextInput, "SQL query");
        }
        self.chord(Modifiers::COMMAND | Modifiers::CTRL, Key::A);
        self.type_text(sql);
        self.chord(Modifiers::COMMAND | Modifiers::CTRL, Key::Enter);
        self.wait("the result", |window| !window.session().has_background_work());
        self.settle();
    }

    pub(crate) fn query_choices(&self, member: &str) -> Option<Choices> {
        self.panels().choices().get("query")?.get(member).cloned()
    }

    pub(crate) fn query_text(&self) -> String {
        self.query_choices("text").and_then(|text| text.as_str().map(str::to_owned)).unwrap_or_default()
    }

    pub(crate) fn rows_of_table(&self) -> Vec<String> {
        let mut rows: Vec<_> = self.nodes().into_iter().filter(|node| node.role == Role::Row).collect();
        rows.sort_by(|one, other| one.rect.min.y.total_cmp(&other.rect.min.y));
        rows.into_iter().map(|node| node.text).collect()
    }

    /// The texts in the chart.
    pub(crate) fn chart_texts(&self) -> Vec<String> {
        let mut scene = Scene::default();
        scene.build(&self.session().scene_input()).texts.iter().map(|run| run.text.to_string()).collect()
    }

    pub(crate) fn query_headings(&self) -> Vec<String> {
        let heading = |item: &flowline::scene::Item| match item.kind {
            ItemKind::Track(TrackHeading { track, .. }) if track.kind == QUERY_TRACKS => {
                Some(item.kind.label(&self.session().scene_input()).spoken)
            }
            _ => None,
        };
        self.session().list().items().iter().filter_map(heading).collect()
    }
}
