//! Flags of milestones and of the slowest interaction: none covers another, each moment has a pole through all tracks, and
//! the flag of the interaction has the color of its rating in both themes. The emphasized insight is marked on the ruler.

use std::sync::Arc;

use flowline::index::{Arrangement, Index};
use flowline::insights::flags::Flags;
use flowline::insights::page_load::{MilestoneKind, Rating};
use flowline::profile::{MarkerId, Ns, TimeRange};
use flowline::scene::{Frame, Palette, PixelRect, PlacedFlag, RectInstance, Scene};
use flowline::session::Session;
use flowline::view::{Command, InsightFocus, Theme};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::fixtures::session;
use crate::random::check;
use crate::recording::read_bytes;

const FRAME: &str = "F1";

/// An event of the page's main thread; times are in milliseconds.
fn event(name: &str, ms: i64, args: Value) -> Value {
    json!({"name": name, "ph": "R", "cat": "loading", "pid": 7, "tid": 7, "ts": ms * 1000, "args": args})
}

/// Times of first paint, largest paint, `DOMContentLoaded` and `load`, and start and length of interactions.
type Load = ([i64; 4], Vec<(i64, i64)>);

fn index_of((moments, inputs): &Load) -> Arc<Index> {
    let frames = json!([{"frame": FRAME, "url": "http://a.test/", "processId": 7, "isOutermostMainFrame": true,
        "isInPrimaryMainFrame": true}]);
    let paint = json!({"frame": FRAME, "data": {"navigationId": "N1", "candidateIndex": 1}});
    let document = json!({"data": {"frame": FRAME}});
    let navigation = json!({"frame": FRAME, "data": {"navigationId": "N1", "documentLoaderURL": "http://a.test/"}});
    let names = ["firstContentfulPaint", "largestContentfulPaint::Candidate", "MarkDOMContent", "MarkLoad"];
    let mut events = vec![
        json!({"name": "thread_name", "ph": "M", "pid": 7, "tid": 7, "args": {"name": "CrRendererMain"}}),
        event("TracingStartedInBrowser", 0, json!({"data": {"frames": frames}})),
        event("navigationStart", 100, navigation),
        event("Last", 9_000, json!({})),
    ];
    for (name, ms) in names.into_iter().zip(moments) {
        events.push(event(name, 100 + ms, if name.starts_with("Mark") { document.clone() } else { paint.clone() }));
    }
    for (id, (start, length)) in inputs.iter().enumerate() {
        let data = json!({"type": "click", "interactionId": id + 1, "timeStamp": 1, "processingStart": 1,
            "processingEnd": 1 + length, "duration": length});
        for (ph, ms, args) in [("b", *start, json!({"frame": FRAME, "data": data})), ("e", start + length, json!({}))] {
            let mut half = event("EventTiming", 100 + ms, args);
            (half["ph"], half["id"]) = (json!(ph), json!(format!("i{id}")));
            events.push(half);
        }
    }
    let profile = read_bytes(json!({"traceEvents": events}).to_string().into_bytes()).expect("a trace");
    let index = Arc::new(Index::build(Arc::new(profile), Arrangement::Stack));
    _ = Flags::of(&index);
    index
}

/// A session with a lane below the ruler.
fn session_for(index: &Arc<Index>, width: u32, range: Option<TimeRange>) -> Session {
    let mut session = session(index, width, 1.0);
    let chart = session.canvas.regions.chart;
    session.canvas.regions.overview = PixelRect::new(0.0, 0.0, 0.0, 0.0);
    session.canvas.regions.lane = PixelRect::new(chart.x, chart.y - 20.0, chart.width, 20.0);
    session.canvas.regions.ruler = PixelRect::new(chart.x, chart.y - 44.0, chart.width, 24.0);
    session.apply(Command::Show(range.unwrap_or_else(|| index.extent())));
    session.refresh_and_wait();
    session
}

fn frame_of(session: &Session) -> Frame {
    Scene::default().build(&session.scene_input()).clone()
}

fn load() -> impl Strategy<Value = Load> {
    let moment = prop_oneof![2 => 1_i64..2_000, 1 => 900_i64..1_000];
    let input = (0_i64..6_000, prop_oneof![5_i64..300, 300_i64..900]);
    (prop::array::uniform4(moment), prop::collection::vec(input, 0..8))
}

/// True if two rectangles share a pixel.
fn overlap(one: PixelRect, other: PixelRect) -> bool {
    let common = one.intersect(other);
    common.width > 0.0 && common.height > 0.0
}

#[test]
fn no_flag_covers_another_and_every_moment_has_a_pole_through_all_tracks() {
    let view = (prop::sample::select(vec![120_u32, 400, 1024]), 0.0..0.8_f64, 0.05..1.0_f64);
    check(60, (load(), view), |(made, (width, from, part))| {
        let index = index_of(&made);
        let extent = index.extent();
        #[expect(clippy::cast_possible_truncation, reason = "a place in view")]
        let at = |part: f64| extent.start + Ns((extent.len() as f64 * part) as i64);
        let session = session_for(&index, width, Some(TimeRange::new(at(from), at((from + part).min(1.0)))));
        let flags: Vec<PlacedFlag> = session.scene_input().placed_flags().to_vec();
        let (lane, chart) = (session.canvas.regions.lane, session.canvas.regions.chart);
        let written: Vec<&PlacedFlag> = flags.iter().filter(|flag| flag.has_text).collect();
        for (at, one) in written.iter().enumerate() {
            prop_assert!(one.rect.intersect(lane) == one.rect, "{one:?} is in the lane");
            for other in &written[..at] {
                prop_assert!(!overlap(one.rect, other.rect), "{one:?} covers {other:?}");
            }
            for other in flags.iter().filter(|other| other.x != one.x) {
                prop_assert!(!overlap(one.rect, other.pole), "a pole crosses {one:?}: {other:?}");
            }
        }
        let frame = frame_of(&session);
        for flag in &flags {
            let is_pole = |rect: &RectInstance| {
                let [x, y, _, height] = rect.rect;
                (x, y, height) == (flag.x, chart.y, chart.height) && rect.fill[3] > 0
            };
            prop_assert!(frame.instances.rects.iter().any(is_pole), "no pole of {flag:?}");
        }
        // Flags in view are listed, with the interaction that rates the page.
        let all = Flags::of(&index);
        let visible = session.view.axis.visible();
        let in_view = (0..all.len()).filter_map(|at| all.get(at)).filter(|(time, _)| {
            let x = session.view.axis.pixel(*time);
            visible.start <= *time && *time <= visible.end && x >= 0.0 && x < f64::from(width) - 1.0
        });
        let listed: usize = flags.iter().map(|flag| flag.milestones.len() + flag.others).sum();
        prop_assert!(in_view.count() <= listed, "{listed} flags");
        let times: Vec<Ns> = (0..all.len()).filter_map(|at| all.get(at)).map(|(time, _)| time).collect();
        prop_assert!(times.is_sorted(), "by time");
        prop_assert!(times.iter().all(|time| all.before(*time) == times.partition_point(|own| own < time)));
        let slowest = (0..all.len()).filter_map(|at| all.get(at));
        let slowest = slowest.filter(|(_, own)| own.kind == MilestoneKind::InteractionToNextPaint).count();
        prop_assert_eq!(slowest, usize::from(!made.1.is_empty()), "one for the page");
        Ok(())
    });
}

#[test]
fn the_flag_of_the_slowest_interaction_has_the_color_of_its_rating() {
    for (length, rating) in [(100, Rating::Good), (300, Rating::NeedsImprovement), (700, Rating::Poor)] {
        let index = index_of(&([100, 120, 140, 160], vec![(3_000, length)]));
        for theme in [Theme::Dark, Theme::Light] {
            let mut session = session_for(&index, 1024, None);
            session.view.theme = theme;
            session.refresh_and_wait();
            let (frame, palette) = (frame_of(&session), Palette::for_theme(theme));
            let color = match rating {
                Rating::Good => palette.good,
                Rating::NeedsImprovement => palette.warn,
                Rating::Poor => palette.bad,
            };
            let flags = session.scene_input().placed_flags().to_vec();
            let flag = flags.iter().find(|flag| flag.kind == MilestoneKind::InteractionToNextPaint).expect("a flag");
            assert_eq!((flag.rating, flag.has_text), (Some(rating), true));
            let is_pole = |rect: &&RectInstance| rect.rect[0] == flag.pole.x && rect.rect[1] == flag.pole.y;
            assert!(
                frame.instances.rects.iter().filter(is_pole).any(|rect| rect.fill == color),
                "{theme:?} {rating:?}"
            );
            let text = format!("INP {length} ms");
            assert!(frame.texts.iter().any(|own| *own.text == *text), "{text}");
        }
    }
}

#[test]
fn the_range_of_the_insight_is_on_the_ruler_unless_a_range_is_selected() {
    let index = index_of(&([100, 120, 140, 160], Vec::new()));
    let mut session = session_for(&index, 1024, None);
    let extent = index.extent();
    let range = TimeRange::new(extent.start + Ns(2_000_000_000), extent.start + Ns(4_000_000_000));
    let texts =
        |session: &Session| frame_of(session).texts.iter().map(|text| text.text.to_string()).collect::<Vec<String>>();
    let label = "Long tasks, 2.000 s".to_owned();
    assert!(!texts(&session).contains(&label));
    // Its markers are known; an insight without them is looked up by its name, and this page has no long task.
    let markers: Arc<[MarkerId]> = Vec::<MarkerId>::new().into();
    let name = "LongTasks".to_owned();
    let focus = InsightFocus { name, range: Some(range), markers: Some(markers), ..InsightFocus::default() };
    session.view.restore_insight(Some(focus));
    session.refresh_and_wait();
    assert!(texts(&session).contains(&label), "{:?}", texts(&session));
    let (ruler, accent) = (session.canvas.regions.ruler, Palette::for_theme(session.view.theme).accent);
    let edges = |session: &Session| {
        let frame = frame_of(session);
        let is_edge = |rect: &&RectInstance| {
            rect.fill == accent && rect.rect[2] <= 2.0 && rect.rect[1] >= ruler.y && rect.rect[1] < ruler.bottom()
        };
        frame.instances.rects.iter().filter(is_edge).map(|rect| rect.rect[0]).collect::<Vec<f32>>()
    };
    #[expect(clippy::cast_possible_truncation, reason = "a place in view")]
    let x = |time: Ns| ruler.x + session.view.axis.pixel(time) as f32;
    for (found, wanted) in edges(&session).iter().zip([x(range.start), x(range.end)]) {
        assert!((found - wanted).abs() <= 2.0, "{found} instead of {wanted}");
    }
    assert_eq!(edges(&session).len(), 2);
    // The line between the edges is below the times.
    let frame = frame_of(&session);
    let is_line = |rect: &&RectInstance| {
        let [_, y, width, _] = rect.rect;
        rect.fill == accent && width > 2.0 && y >= ruler.y && y < ruler.bottom()
    };
    let lines: Vec<&RectInstance> = frame.instances.rects.iter().filter(is_line).collect();
    assert_eq!(lines.len(), 1);
    for run in frame.texts.iter().filter(|run| run.y >= ruler.y && run.y < ruler.bottom()) {
        assert!(lines[0].rect[1] >= run.y + run.size, "{run:?} and {:?}", lines[0]);
    }
    session.apply(Command::SelectRange(Some(TimeRange::new(range.start, range.start + Ns(500_000_000)))));
    session.refresh_and_wait();
    let texts = texts(&session);
    assert!(!texts.contains(&label) && texts.contains(&"500.00 ms".to_owned()), "{texts:?}");
}
