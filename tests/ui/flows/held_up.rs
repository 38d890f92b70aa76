//! *Held up* in the flow panel: flows that waited for a thread while a marker of the entered flow ran on it.

use std::path::Path;
use std::sync::Arc;

use crate::harness::window::{Window, session};
use crate::recording::{self, Recording, Row, Track, instant, interval};
use egui::vec2;
use flowline::index::{Arrangement, Index};
use flowline::profile::FlowId;
use flowline::session::Job;
use flowline::ui::KeyMap;
use flowline::view::{Command, FlowCommand};
use serde_json::json;

/// Work that runs from 1 to 10 ms. A click that is posted at 3 ms waits for it; another is posted at 9.9 ms and waits mostly
/// for the first; a third was posted long before and waited mostly for nothing.
fn recording() -> Arc<Index> {
    let flow = json!({"key": "flow", "format": "flow-id"});
    let schemas = json!([
        {"name": "Post", "display": [], "fields": [flow]},
        {"name": "Task", "display": [], "fields": [flow], "isStackBased": true},
    ]);
    let of = |row: Row, kind: &str, id: &str| row.with(json!({"type": kind, "flow": format!("@{id}")}));
    let post = |name: &str, at: f64, id: &str| of(instant(name, at), "Post", id);
    let task = |name: &str, from: f64, to: f64, id: &str| of(interval(name, from, to), "Task", id);
    let mut recording = Recording::of(Vec::new()).schemas(schemas);
    let rows = [
        ("Poster", vec![post("Post", 0.2, "old"), post("Post", 3.0, "click"), post("Post", 9.9, "late")]),
        (
            "Main",
            vec![
                task("Work", 1.0, 10.0, "work"),
                task("Click", 10.0, 14.0, "click"),
                task("Late", 14.0, 15.0, "late"),
                task("Old", 25.0, 26.0, "old"),
            ],
        ),
    ];
    let track =
        |(name, rows): (&str, Vec<Row>)| Track { name: name.into(), process: 0, samples: vec![0.0, 30.0], rows };
    recording.tracks = rows.into_iter().map(track).collect();
    Arc::new(Index::build(Arc::new(recording::read(&recording.raw())), Arrangement::ByName))
}

#[test]
fn flows_that_waited_for_the_entered_one_are_listed_last() {
    let index = recording();
    let mut window = Window::showing(
        session(Arc::clone(&index), Path::new("made up.json")),
        KeyMap::Flowline,
        vec2(1440.0, 900.0),
        1.0,
    );
    let flow_of = |name: &str| -> FlowId {
        let has = |flow: &FlowId| {
            index.flows().members(*flow).iter().any(|marker| {
                let (thread, local) = index.profile().locate(*marker).expect("a marker");
                index.profile().marker_name(thread, local) == name
            })
        };
        index.flows().iter().find(has).unwrap_or_else(|| panic!("no flow of {name}"))
    };
    for (entered, held_up) in [("Work", &["Click"][..]), ("Click", &["Late"]), ("Late", &[]), ("Old", &[])] {
        window.apply(Command::Flow(FlowCommand::Enter(vec![flow_of(entered)])));
        window.settle();
        window.wait("flows held up", |window| !window.session().flows.is_busy());
        let rows: Vec<String> = window.all_flow_rows().into_iter().map(|node| node.text).collect();
        let ids: Vec<String> =
            held_up.iter().map(|name| index.flows().id_text(index.profile(), flow_of(name))).collect();
        let found: Vec<&String> = rows.iter().filter(|row| row.contains(", held up")).collect();
        assert_eq!(found.len(), ids.len(), "{entered}: {rows:?}");
        assert!(found.iter().zip(&ids).all(|(row, id)| row.contains(id.as_str())), "{entered}: {rows:?}");
        assert!(rows.last() == found.last().copied() || found.is_empty(), "{entered}: {rows:?}");
        let has_relation = window.nodes().iter().any(|node| node.text == "Held up: 1 flow");
        assert_eq!(has_relation, !ids.is_empty(), "{entered}");
    }
}
