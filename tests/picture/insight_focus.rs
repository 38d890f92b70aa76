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
