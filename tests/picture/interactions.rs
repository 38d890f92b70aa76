//! Interactions and layout shifts: an interaction lights exactly the columns between its input and its paint, and the
//! pointer hits what is drawn.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use flowline::index::{Arrangement, Derived, Index};
use flowline::insights::interactions::{Interaction, Interactions};
use flowline::insights::layout_shifts::LayoutShifts;
use flowline::profile::{Ns, TimeRange};
use flowline::scene::primitives::LinkInstance;
use flowline::scene::{
    Emphasis, Frame, Item, ItemKind, Layer, Palette, RectInstance, Scene, TrackHeading, TrackRow, text_ems,
};
use flowline::session::Session;
use flowline::view::{Command, Theme};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::exact::Exact;
use crate::fixtures::{CHART, session};
use crate::random::check;
use crate::recording::read_bytes;

/// An interaction in microseconds: start, input delay, handlers, presentation.
type Made = (i64, i64, i64, i64);

fn made() -> impl Strategy<Value = Vec<Made>> {
    let part = prop_oneof![1 => Just(0_i64), 3 => 0_i64..300, 2 => 0_i64..20_000];
    prop::collection::vec((0_i64..1_000_000, part.clone(), part.clone(), part), 1..80)
}

fn index_of(made: &[Made], shifts: &[i64]) -> Arc<Index> {
    built(&events_of(made, shifts))
}

fn built(events: &[Value]) -> Arc<Index> {
    let profile = read_bytes(Value::from(events).to_string().into_bytes()).expect("a trace");
    Arc::new(Index::build(Arc::new(profile), Arrangement::Stack))
}

fn events_of(made: &[Made], shifts: &[i64]) -> Vec<Value> {
    let event = |name: &str, ph: &str, ts: i64, args: Value| json!({"name": name, "ph": ph, "s": "t", "cat": "loading", "pid": 9, "tid": 9, "ts": ts, "args": args});
    let mut events = vec![event("Last", "I", 1_100_000, json!({}))];
    for (id, (start, delay, handlers, presentation)) in made.iter().enumerate() {
        let ms = |us: i64| us as f64 / 1e3 + 1.0;
        let end = start + (delay + handlers + presentation).max(1_000);
        let data = json!({"type": "click", "interactionId": id + 1, "timeStamp": ms(*start), "duration": 1 + id,
            "processingStart": ms(start + delay), "processingEnd": ms(start + delay + handlers)});
        for (ph, ts, args) in [("b", *start, json!({"data": data})), ("e", end, json!({}))] {
            let mut half = event("EventTiming", ph, ts, args);
            half["id"] = json!(id);
            events.push(half);
        }
    }
    for ts in shifts {
        let data = json!({"weighted_score_delta": 0.2, "had_recent_input": false});
        events.push(event("LayoutShift", "I", *ts, json!({"data": data})));
    }
    events
}

fn session_for(index: &Arc<Index>, (width, scale): (u32, f32), (zoom, place): (f64, f64)) -> Session {
    let mut session = session(index, width, scale);
    let (extent, whole) = (index.extent(), index.extent().len().max(1));
    #[expect(clippy::cast_possible_truncation, reason = "a place in view")]
    let (length, start) = ((whole as f64).powf(zoom) as i64, (whole as f64 * place) as i64);
    let start = extent.start + Ns(start);
    session.apply(Command::Show(TimeRange::new(start, start + Ns(length.clamp(1, whole)))));
    session.refresh_and_wait();
    session
}

fn frame_of(session: &Session) -> Frame {
    Scene::default().build(&session.scene_input()).clone()
}

/// The visible rows of a kind of track, with the middle of each.
fn lines(session: &Session, kind: &str) -> Vec<(Option<u32>, Item, f32)> {
    let (input, chart) = (session.scene_input(), session.canvas.regions.chart);
    let line = |item: &Item| {
        let row = match item.kind {
            ItemKind::TrackRow(TrackRow { track, row }) if track.kind == kind => Some(row),
            ItemKind::Track(TrackHeading { track, expanded }) if track.kind == kind => expanded.then_some(0),
            _ => return None,
        };
        Some((row, *item, input.item_y(item) + (input.item_height(item) / 2.0).floor()))
    };
    let lines = input.visible_items().iter().filter_map(line);
    lines.filter(|(.., y)| *y >= chart.y && *y < chart.bottom()).collect()
}

/// True for each column of the chart that a filled rectangle of the marker layer lights at a height.
fn lit(frame: &Frame, y: f32, width: usize) -> Vec<bool> {
    let mut lit = vec![false; width];
    for (batch, rects) in frame.batches_of::<RectInstance>() {
        for rect in rects.iter().filter(|rect| batch.layer == Layer::Markers && rect.fill[3] > 0) {
            let [x, top, wide, height] = rect.rect;
            if !(top..top + height).contains(&(y + 0.5)) {
                continue;
            }
            for (column, lit) in lit.iter_mut().enumerate() {
                #[expect(clippy::cast_precision_loss, reason = "a place on screen")]
                let at = (CHART.0 + column) as f32 + 0.5;
                *lit |= (x..x + wide).contains(&at);
            }
        }
    }
    lit
}

fn row_of(session: &Session, own: &Interaction) -> Option<u32> {
    let entry = flowline::scene::track_kind("interactions").expect("a kind").entry_of(&session.index, own.marker);
    entry.map(|entry| entry.row)
}

#[test]
fn an_interaction_lights_the_columns_from_its_input_to_its_paint() {
    let (columns, excused) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let sizes = (prop::sample::select(vec![61_u32, 256, 1024]), prop::sample::select(vec![1.0_f32, 1.25, 1.5, 2.0]));
    let zoom = (prop_oneof![1 => Just(1.0), 3 => 0.5..1.0_f64], 0.0..1.0_f64);
    check(30, (made(), sizes, zoom), |(made, size, zoom)| {
        let index = index_of(&made, &[]);
        let session = session_for(&index, size, zoom);
        let (frame, exact) = (frame_of(&session), Exact::new(&session.view.axis));
        let (input, width) = (session.scene_input(), usize::try_from(exact.width).expect("a width"));
        let all = Interactions::of(&index);
        let rows = lines(&session, "interactions");
        prop_assert!(!rows.is_empty(), "the track is listed");
        for (row, item, y) in rows {
            let mut wanted = [vec![false; width], vec![false; width], vec![false; width]];
            let is_here = |own: &&Interaction| !own.is_nested && (row.is_none() || row == row_of(&session, own));
            for own in all.list().iter().filter(is_here) {
                let found = exact.columns(own.start, own.end.expect("an end"));
                for (lit, columns) in wanted.iter_mut().zip([found.sure, found.most, found.meant]) {
                    columns.for_each(|column| lit[usize::try_from(column).expect("inside")] = true);
                }
            }
            let [sure, most, meant] = wanted;
            let seen = lit(&frame, y, width);
            for column in 0..width {
                prop_assert!(seen[column] || !sure[column], "row {row:?}: column {column} is dark");
                prop_assert!(!seen[column] || most[column], "row {row:?}: column {column} is lit");
                excused.fetch_add(usize::from(seen[column] != meant[column]), Ordering::Relaxed);
                #[expect(clippy::cast_precision_loss, reason = "a place on screen")]
                let x = (CHART.0 + column) as f32 + 0.5;
                let hit = item.kind.hits(&input, &item, x, y).marker();
                prop_assert!(!seen[column] || hit.is_some(), "row {row:?}: nothing is hit in column {column}");
            }
            columns.fetch_add(width, Ordering::Relaxed);
        }
        Ok(())
    });
    let (columns, excused) = (columns.into_inner(), excused.into_inner());
    assert!(columns > 10_000 && excused * 1000 < columns, "{excused} of {columns} columns differ");
}

#[test]
fn colors_state_how_good_an_interaction_is() {
    let index =
        index_of(&[(0, 10_000, 80_000, 10_000), (300_000, 10_000, 200_000, 90_000), (550_000, 0, 0, 501_000)], &[]);
    for theme in [Theme::Dark, Theme::Light] {
        let mut session = session_for(&index, (1024, 1.0), (1.0, 0.0));
        session.view.theme = theme;
        session.refresh_and_wait();
        let (frame, palette) = (frame_of(&session), Palette::for_theme(theme));
        for (own, color) in Interactions::of(&index).list().iter().zip([palette.good, palette.warn, palette.bad]) {
            let row = row_of(&session, own).expect("a row");
            let rows = lines(&session, "interactions");
            let y = rows.iter().find(|(of, ..)| of.unwrap_or(0) == row).expect("the row is listed").2;
            #[expect(clippy::cast_possible_truncation, reason = "a place on screen")]
            let x = CHART.0 as f32 + session.view.axis.pixel(own.start) as f32 + 0.5;
            let is_there = |rect: &&RectInstance| {
                let [left, top, wide, height] = rect.rect;
                (left..left + wide).contains(&x) && (top..top + height).contains(&(y + 0.5)) && rect.fill == color
            };
            assert!(frame.instances.rects.iter().any(|rect| is_there(&rect)), "{theme:?} {own:?}");
        }
        let texts: Vec<&str> = frame.texts.iter().map(|text| &*text.text).collect();
        assert!(texts.contains(&"click, 100 ms to next paint"), "{texts:?}");
        assert!(texts.contains(&"click, 300 ms to next paint"), "{texts:?}");
    }
}

#[test]
fn a_text_left_of_an_interaction_ends_next_to_it() {
    for scale in [1.0, 1.5, 2.0] {
        // The first one makes room before the second one, which ends at the edge.
        let index = index_of(&[(0, 0, 1_000, 0), (600_000, 10_000, 80_000, 400_000)], &[]);
        let start = Interactions::of(&index).list()[1].start;
        let mut session = session_for(&index, (1024, scale), (1.0, 0.0));
        session.refresh_and_wait();
        let frame = frame_of(&session);
        let captions = || frame.texts.iter().map(|run| &*run.text).collect::<Vec<_>>();
        let text = frame.texts.iter().find(|run| run.text.contains("490 ms"));
        let text = text.unwrap_or_else(|| panic!("no caption at {scale}: {:?}", captions()));
        #[expect(clippy::cast_possible_truncation, reason = "a place on screen")]
        let start = CHART.0 as f32 + session.view.axis.pixel(start) as f32;
        let gap = start - (text.x + text_ems(&text.text) * text.size);
        assert!((4.0 * scale..10.0 * scale).contains(&gap), "{gap} pixels at {scale}: {text:?}");
    }
}

#[test]
fn the_diamond_of_a_shift_is_hit_and_its_score_is_beside_it() {
    let times = [100_000, 500_000, 900_000];
    let index = index_of(&[], &times);
    let session = session_for(&index, (1024, 1.0), (1.0, 0.0));
    let frame = frame_of(&session);
    let (input, rows) = (session.scene_input(), lines(&session, "layout-shifts"));
    let (_, item, y) = rows[0];
    let links = frame.batches_of::<LinkInstance>().filter(|(batch, _)| batch.layer == Layer::Markers);
    let drawn: Vec<f32> = links.flat_map(|(_, links)| links.iter().map(|link| link.from[0])).collect();
    assert_eq!(drawn.len(), 6, "two halves each");
    for (shift, pair) in LayoutShifts::of(&index).shifts().iter().zip(drawn.chunks(2)) {
        for x in [pair[0] - 5.0, pair[0], pair[1] + 5.0] {
            let hit = item.kind.hits(&input, &item, x, y).marker();
            assert_eq!(hit.map(|(marker, _)| marker), Some(shift.marker), "at {x}");
        }
        assert_eq!(item.kind.hits(&input, &item, pair[0] + 30.0, y).marker(), None);
    }
    assert_eq!(frame.texts.iter().filter(|text| &*text.text == "0.200").count(), 3);
}

#[test]
fn the_handlers_of_the_selected_interaction_are_outlined() {
    let slice = |name: &str, ts: i64, dur: i64| json!({"name": name, "ph": "X", "cat": "x", "pid": 9, "tid": 9, "ts": ts, "dur": dur, "args": {}});
    let mut events = events_of(&[(100_000, 50_000, 100_000, 50_000)], &[]);
    events.extend([slice("EventDispatch", 50_000, 40_000), slice("RunTask", 140_000, 200_000)]);
    events.extend([slice("EventDispatch", 149_000, 30_000), slice("EventDispatch", 200_000, 40_000)]);
    let index = built(&events);
    let mut session = session_for(&index, (1024, 1.0), (1.0, 0.0));
    session.apply(Command::ExpandAll);
    session.refresh_and_wait();
    session.refresh_and_wait();
    let outlined = |session: &Session| {
        let frame = frame_of(session);
        let lit = frame.instances.markers.iter().filter(|marker| marker.emphasis() == Emphasis::Linked as u32);
        let mut starts: Vec<f64> =
            lit.map(|marker| session.index.clock().time(marker.packed().start()).as_ms()).collect();
        starts.sort_by(f64::total_cmp);
        starts.dedup();
        starts
    };
    assert!(outlined(&session).is_empty());
    session.apply(Command::Select(Some(Interactions::of(&index).list()[0].marker)));
    session.refresh_and_wait();
    assert_eq!(outlined(&session), [149.0, 200.0]);
}
