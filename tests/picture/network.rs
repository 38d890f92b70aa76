//! Network requests: bars light exactly the columns that they cover, phases leave every column of a bar lit, and the
//! pointer hits the drawn bar.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use flowline::index::{Arrangement, Index, RowItems as _};
use flowline::profile::{Ns, ProcessId, TimeRange};
use flowline::scene::reference::coverage;
use flowline::scene::{Frame, Item, ItemKind, Scene, TrackRow};
use flowline::session::Session;
use flowline::view::Command;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::exact::Exact;
use crate::fixtures::{CHART, session};
use crate::random::check;
use crate::recording::read_bytes;

/// A request in microseconds: start, wait, download; and a flag for a redirect or a missing end.
type Made = (i64, i64, i64, u8);

fn recording() -> impl Strategy<Value = Vec<Made>> {
    let length = prop_oneof![0_i64..4, 0_i64..300, 0_i64..20_000];
    prop::collection::vec((0_i64..40_000, length.clone(), length, 0_u8..8), 1..200)
}

fn index_of(made: &[Made]) -> Arc<Index> {
    let event = |name: &str, ts: i64, data: Value| json!({"name": name, "ph": "I", "s": "t", "cat": "d", "pid": 9, "tid": 9, "ts": ts, "args": {"data": data}});
    let mut events = vec![event("Last", 60_000, json!({}))];
    for (id, (start, wait, load, kind)) in made.iter().enumerate() {
        let send = |ts| event("ResourceSendRequest", ts, json!({"requestId": id, "url": "http://a.test/a.js"}));
        events.push(send(*start));
        if *kind == 1 {
            events.push(send(start + wait / 2));
        }
        if *kind > 2 {
            let timing = json!({"requestTime": *start as f64 / 1e6, "sendStart": 0.0, "sendEnd": *wait as f64 / 2e3,
                "receiveHeadersEnd": *wait as f64 / 1e3});
            events.push(event("ResourceReceiveResponse", start + wait, json!({"requestId": id, "timing": timing})));
        }
        if *kind > 1 {
            events.push(event("ResourceFinish", start + wait + load, json!({"requestId": id})));
        }
    }
    let profile = read_bytes(Value::from(events).to_string().into_bytes()).expect("a trace");
    let index = Index::build(Arc::new(profile), Arrangement::Stack);
    index.network();
    Arc::new(index)
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

/// The visible rows, each with a line of pixels through its middle.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "screen coordinates")]
fn lines(session: &Session) -> Vec<(TrackRow, Item, usize)> {
    let (input, chart) = (session.scene_input(), session.canvas.regions.chart);
    let line = |item: &Item| {
        let row = match item.kind {
            ItemKind::TrackRow(row) => row,
            // The heading of an expanded track shows its first row.
            ItemKind::Track(heading) if heading.expanded => TrackRow { track: heading.track, row: 0 },
            _ => return None,
        };
        Some((row, *item, input.item_y(item) + (input.item_height(item) / 2.0).floor()))
    };
    let lines = input.visible_items().iter().filter_map(line);
    lines.filter(|(.., y)| *y >= chart.y && *y < chart.bottom()).map(|(row, item, y)| (row, item, y as usize)).collect()
}

#[test]
fn a_column_is_lit_exactly_when_a_request_covers_it() {
    let (columns, excused) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let sizes = (prop::sample::select(vec![61_u32, 256, 1024]), prop::sample::select(vec![1.0_f32, 1.5, 2.0]));
    let zoom = (prop_oneof![1 => Just(1.0), 3 => 0.3..1.0_f64], 0.0..1.0_f64);
    check(40, (recording(), sizes, zoom), |(made, size, zoom)| {
        let index = index_of(&made);
        let session = session_for(&index, size, zoom);
        let (frame, exact) = (frame_of(&session), Exact::new(&session.view.axis));
        let (seen, width) = (coverage(&frame), usize::try_from(exact.width).expect("a width"));
        let (network, input) = (index.network(), session.scene_input());
        for (TrackRow { track, row }, item, y) in lines(&session) {
            let track = network.track(ProcessId(track.number)).expect("a track");
            let bars = track.row(Some(row as usize)).expect("a row");
            let mut lit = [vec![false; width], vec![false; width], vec![false; width]];
            for at in 0..bars.len() {
                let bar = track.bars()[bars.marker(at).index()];
                let request = network.get(bar.request).expect("a request");
                let (start, end) = match bar.redirect {
                    Some(number) => {
                        let redirect = &request.redirects[number as usize];
                        (redirect.start, redirect.end)
                    }
                    None => (request.own_start(), request.end),
                };
                let found = exact.columns(start, end);
                for (lit, columns) in lit.iter_mut().zip([found.sure, found.most, found.meant]) {
                    columns.for_each(|column| lit[usize::try_from(column).expect("inside")] = true);
                }
            }
            let [sure, most, meant] = lit;
            for column in 0..width {
                let is_lit = seen.owner(CHART.0 + column, y).is_some();
                prop_assert!(is_lit || !sure[column], "row {row}: column {column} is dark");
                prop_assert!(!is_lit || most[column], "row {row}: column {column} is lit");
                excused.fetch_add(usize::from(is_lit != meant[column]), Ordering::Relaxed);
                #[expect(clippy::cast_precision_loss, reason = "a place on screen")]
                let x = (CHART.0 + column) as f32 + 0.5;
                let hit = item.kind.hits(&input, &item, x, y as f32).marker();
                prop_assert!(!is_lit || hit.is_some(), "row {row}: nothing is hit in column {column}");
            }
            columns.fetch_add(width, Ordering::Relaxed);
        }
        Ok(())
    });
    let (columns, excused) = (columns.into_inner(), excused.into_inner());
    assert!(columns > 20_000 && excused * 1000 < columns, "{excused} of {columns} columns differ");
}

#[test]
fn the_selected_request_owns_its_pixels() {
    let index = index_of(&[(1000, 2000, 3000, 4), (2000, 500, 9000, 4), (2500, 100, 100, 1)]);
    let mut session = session_for(&index, (1024, 1.0), (1.0, 0.0));
    for request in index.network().requests() {
        session.apply(Command::Select(Some(request.marker)));
        session.refresh_and_wait();
        let (frame, axis) = (frame_of(&session), session.view.axis);
        let seen = coverage(&frame);
        let middle = Ns(request.own_start().0.midpoint(request.end.0));
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a place on screen")]
        let column = axis.pixel(middle) as usize;
        let owners = lines(&session).into_iter().filter_map(|(.., y)| seen.owner(CHART.0 + column, y));
        let selected = flowline::scene::Emphasis::Selected as u32;
        let emphases: Vec<u32> = owners.map(|owner| frame.instances.markers[owner as usize].emphasis()).collect();
        assert_eq!(emphases.iter().filter(|emphasis| **emphasis == selected).count(), 1, "{emphases:?}");
    }
}
