//! The insight that the chart emphasizes: exactly its markers are drawn again with an outline, and everything outside its
//! range is dimmed.

use std::sync::Arc;

use flowline::index::{Arrangement, Index};
use flowline::profile::{LocalMarker, MarkerId, Ns, TimeRange};
use flowline::scene::{Emphasis, Palette, Scene};
use flowline::session::Session;
use flowline::view::{Command, InsightFocus};
use serde_json::json;

use crate::fixtures::session;

/// A session with two threads of many short slices and a long one above them.
fn show(count: u32) -> Session {
    let slice = |tid: u32, name: &str, ts: u32, dur: u32| json!({"ph": "X", "pid": 1, "tid": tid, "name": name, "ts": ts, "dur": dur});
    let mut events = vec![slice(1, "Task", 0, 10 * count), slice(2, "Task", 0, 10 * count)];
    events.extend((0..count).flat_map(|at| [slice(1, "Layout", 10 * at + 1, 4), slice(2, "Layout", 10 * at + 1, 4)]));
    let profile = crate::recording::read_bytes(serde_json::to_vec(&events).expect("JSON")).expect("a trace");
    let index = Arc::new(Index::build(Arc::new(profile), Arrangement::Stack));
    let mut session = session(&index, 1024, 1.0);
    (session.canvas.size[1], session.canvas.regions.chart.height) = (1100, 1000.0);
    session.apply(Command::ExpandAll);
    session.refresh_and_wait();
    session
}

/// The markers of a thread with a name, by start.
fn markers(session: &Session, tid: &str, name: &str) -> Vec<MarkerId> {
    let profile = session.index.profile();
    let (id, thread) = profile.threads_with_ids().find(|(_, thread)| thread.tid == tid).expect("a thread");
    let all = (0..thread.markers.len()).map(LocalMarker::new);
    all.filter(|marker| profile.marker_name(id, *marker) == name).map(|marker| thread.global(marker)).collect()
}

fn focus(session: &mut Session, range: Option<TimeRange>, markers: Vec<MarkerId>) {
    let focus = InsightFocus { name: "x".into(), range, markers: Some(markers.into()), ..InsightFocus::default() };
    session.view.restore_insight(Some(focus));
    session.refresh_and_wait();
}

/// Starts of the outlined boxes, in microseconds.
fn outlined(session: &Session) -> Vec<i64> {
    let mut scene = Scene::default();
    let frame = scene.build(&session.scene_input());
    let lit = frame.instances.markers.iter().filter(|marker| marker.emphasis() == Emphasis::Linked as u32);
    let mut starts: Vec<i64> =
        lit.map(|marker| session.index.clock().time(marker.packed().start()).0 / 1_000).collect();
    starts.sort_unstable();
    starts
}

/// Left and right edges of the dimmed parts of the chart.
fn dimmed(session: &Session) -> Vec<(f32, f32)> {
    let mut scene = Scene::default();
    let chart = session.canvas.regions.chart;
    let shade = Palette::for_theme(session.view.theme).shade;
    let frame = scene.build(&session.scene_input());
    let parts = frame
        .instances
        .rects
        .iter()
        .filter(|rect| rect.fill == shade && (rect.rect[1], rect.rect[3]) == (chart.y, chart.height));
    parts.map(|rect| (rect.rect[0], rect.rect[0] + rect.rect[2])).collect()
}

#[test]
fn exactly_the_markers_of_the_insight_are_outlined() {
    let mut session = show(40);
    let layouts = markers(&session, "1", "Layout");
    assert_eq!((layouts.len(), outlined(&session).len()), (40, 0));
    focus(&mut session, None, vec![layouts[3], layouts[7]]);
    assert_eq!(outlined(&session), [31, 71], "of one thread");
    let mut both = vec![layouts[3], markers(&session, "2", "Layout")[3], markers(&session, "2", "Task")[0]];
    both.sort_unstable();
    focus(&mut session, None, both);
    assert_eq!(outlined(&session), [0, 31, 31]);
    assert!(dimmed(&session).is_empty(), "without a range, nothing is dimmed");
    // Markers out of view have no boxes.
    session.apply(Command::Show(TimeRange::new(Ns(50_000), Ns(90_000))));
    focus(&mut session, None, vec![layouts[3], layouts[7]]);
    assert_eq!(outlined(&session), [71]);
}

/// Emphases of the boxes, of which those of the insight are on top, and the labels of slices.
fn looks(session: &Session) -> (usize, usize, Vec<String>) {
    let mut scene = Scene::default();
    let frame = scene.build(&session.scene_input());
    let count =
        |wanted: Emphasis| frame.instances.markers.iter().filter(|marker| marker.emphasis() == wanted as u32).count();
    let others = frame.instances.markers.len() - count(Emphasis::Linked) - count(Emphasis::Dimmed);
    assert!(others == 0 || count(Emphasis::Linked) == 0, "{others} boxes are neither of the insight nor dimmed");
    let names = ["Task", "Layout"];
    let texts = frame.texts.iter().filter(|text| names.iter().any(|name| text.text.starts_with(name)));
    (count(Emphasis::Linked), count(Emphasis::Dimmed), texts.map(|text| text.text.to_string()).collect())
}

#[test]
fn everything_that_is_not_of_the_insight_is_dimmed() {
    let mut session = show(8);
    let layouts = markers(&session, "1", "Layout");
    assert_eq!(looks(&session).1, 0);
    // In rows, in rows of names, and on headings of collapsed threads.
    for command in [Command::ExpandAll, Command::CollapseAll] {
        session.apply(command);
        focus(&mut session, None, vec![layouts[3], layouts[7]]);
        let (own, dimmed, texts) = looks(&session);
        assert_eq!(own, 2);
        assert!(dimmed > 0 && texts.iter().all(|text| text.starts_with("Layout")), "{texts:?}");
        // An insight without markers dims only what is outside its range.
        focus(&mut session, None, Vec::new());
        assert_eq!((looks(&session).0, looks(&session).1), (0, 0));
    }
    session.apply(Command::ExpandAll);
    focus(&mut session, None, vec![layouts[3], layouts[7]]);
    assert_eq!(looks(&session).2, ["Layout", "Layout"], "their labels stay");
}

#[test]
fn requests_that_are_not_of_the_insight_are_dimmed() {
    let request = |number: u32, us: u32| {
        let event = |name: &str, us: u32, data: serde_json::Value| {
            json!({"name": name, "ph": "I", "s": "t", "cat": "devtools.timeline", "pid": 1, "tid": 1, "ts": us,
                "args": {"data": data}})
        };
        let id = number.to_string();
        let url = format!("http://a.test/{number}.js");
        [
            event("ResourceSendRequest", us, json!({"requestId": id, "url": url, "requestMethod": "GET"})),
            event("ResourceFinish", us + 30_000, json!({"requestId": id, "didFail": false})),
        ]
    };
    let events: Vec<_> = (0..6).flat_map(|number| request(number, 1_000 + number * 40_000)).collect();
    let profile = crate::recording::read_bytes(serde_json::to_vec(&events).expect("JSON")).expect("a trace");
    let index = Arc::new(Index::build(Arc::new(profile), Arrangement::Stack));
    let mut session = session(&index, 1024, 1.0);
    session.refresh_and_wait();
    let network = index.network();
    let own: Vec<MarkerId> = [1, 4].map(|at: usize| network.requests()[at].marker).to_vec();
    for command in [Command::CollapseAll, Command::ExpandAll] {
        session.apply(command);
        focus(&mut session, None, own.clone());
        let mut scene = Scene::default();
        let frame = scene.build(&session.scene_input());
        // The events of requests are instants.
        let lit = frame.instances.markers.iter().filter(|marker| marker.emphasis() == Emphasis::Linked as u32);
        let bars = lit.map(|marker| marker.packed()).filter(|packed| packed.end() > packed.start());
        let starts: Vec<i64> = bars.map(|bar| session.index.clock().time(bar.start()).0 / 1_000).collect();
        assert_eq!(starts, [41_000, 161_000]);
        let is_normal = |emphasis: u32| emphasis == Emphasis::Normal as u32 || emphasis == Emphasis::Faint as u32;
        assert!(!frame.instances.markers.iter().any(|marker| is_normal(marker.emphasis())));
    }
}

#[test]
fn thousands_of_markers_are_outlined_where_they_are_drawn_apart() {
    let mut session = show(30_000);
    let layouts = markers(&session, "1", "Layout");
    let every_second: Vec<MarkerId> = layouts.iter().copied().step_by(2).collect();
    focus(&mut session, None, every_second);
    // Far apart, each has its box; merged, there are at most three in each pixel, the bound of a row's spans.
    let merged = outlined(&session).len();
    assert!((1..=3 * 1024).contains(&merged), "{merged}");
    session.apply(Command::Show(TimeRange::new(Ns(1_000_000), Ns(1_100_000))));
    session.refresh_and_wait();
    assert_eq!(outlined(&session), [1_001, 1_021, 1_041, 1_061, 1_081]);
}

#[test]
fn everything_outside_the_range_is_dimmed() {
    let mut session = show(40);
    let range = TimeRange::new(Ns(100_000), Ns(300_000));
    focus(&mut session, Some(range), Vec::new());
    let chart = session.canvas.regions.chart;
    #[expect(clippy::cast_possible_truncation, reason = "a place in view")]
    let edge = |time: Ns| chart.x + session.view.axis.pixel(time).round() as f32;
    assert_eq!(dimmed(&session), [(chart.x, edge(range.start)), (edge(range.end), chart.right())]);
    // Out of view, the whole chart is dimmed; inside of the range, nothing is.
    session.apply(Command::Show(TimeRange::new(Ns(310_000), Ns(350_000))));
    session.refresh_and_wait();
    assert_eq!(dimmed(&session), [(chart.x, chart.right())]);
    session.apply(Command::Show(TimeRange::new(Ns(150_000), Ns(250_000))));
    session.refresh_and_wait();
    assert!(dimmed(&session).is_empty());
}
