//! Query tracks: the entries light exactly the columns that they cover, and the pointer hits the drawn entry.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use flowline::index::query_tracks::{QueryTrackRows, QueryTrackState};
use flowline::index::{Arrangement, Index, RowItems as _};
use flowline::profile::{Ns, TimeRange};
use flowline::scene::reference::coverage;
use flowline::scene::{Emphasis, Item, ItemKind, Scene};
use flowline::session::Session;
use flowline::view::{Command, QUERY_TRACKS, QueryTrackCommand};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::exact::Exact;
use crate::fixtures::{CHART, session};
use crate::random::check;
use crate::recording::read_bytes;
use crate::support::query_engine::{Answer, Shared, StandIn};

/// An entry in microseconds: start and length.
type Made = (i64, i64);

fn entries() -> impl Strategy<Value = Vec<Made>> {
    let length = prop_oneof![0_i64..4, 0_i64..300, 0_i64..20_000];
    prop::collection::vec((0_i64..40_000, length), 1..200)
}

/// A session of a recording of 60 ms with one marker, and a track of entries.
fn session_of(made: &[Made], (width, scale): (u32, f32), (zoom, place): (f64, f64)) -> Session {
    let trace = json!([{"name": "All", "ph": "X", "pid": 9, "tid": 9, "ts": 0, "dur": 60_000, "args": {}}]);
    let profile = read_bytes(Value::to_string(&trace).into_bytes()).expect("a trace");
    let index = Arc::new(Index::build(Arc::new(profile), Arrangement::Stack));
    let begin = index.extent().start.0;
    let row = |(start, length): &Made| vec![json!(begin + start * 1000), json!(length * 1000), json!("entry")];
    let rows: Vec<Vec<Value>> = made.iter().map(row).collect();
    let columns = vec![("ts", "integer"), ("dur", "integer"), ("name", "text")];
    let engine = StandIn::new(move |_| Answer::Rows(columns.clone(), rows.clone()));
    let mut session = session(&index, width, scale);
    session.set_query_engine(Some(Arc::new(Shared(engine))));
    session.apply(Command::QueryTrack(QueryTrackCommand::Add { name: "track".into(), sql: "SELECT 1".into() }));
    let (extent, whole) = (index.extent(), index.extent().len().max(1));
    #[expect(clippy::cast_possible_truncation, reason = "a place in view")]
    let (length, start) = ((whole as f64).powf(zoom) as i64, (whole as f64 * place) as i64);
    let start = extent.start + Ns(start);
    session.apply(Command::Show(TimeRange::new(start, start + Ns(length.clamp(1, whole)))));
    session.refresh_and_wait();
    session
}

fn rows_of(session: &Session) -> Arc<QueryTrackRows> {
    match session.index.query_tracks().get(&0) {
        Some(QueryTrackState::Ready(rows)) => Arc::clone(rows),
        other => panic!("{other:?}"),
    }
}

/// The visible rows of the track, or its heading, each with a line of pixels through its middle.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "screen coordinates")]
fn lines(session: &Session) -> Vec<(Option<usize>, Item, usize)> {
    let (input, chart) = (session.scene_input(), session.canvas.regions.chart);
    let line = |item: &Item| {
        let row = match item.kind {
            ItemKind::TrackRow(row) if row.track.kind == QUERY_TRACKS => Some(row.row as usize),
            ItemKind::Track(heading) if heading.track.kind == QUERY_TRACKS && !heading.expanded => None,
            _ => return None,
        };
        Some((row, *item, input.item_y(item) + (input.item_height(item) / 2.0).floor()))
    };
    let lines = input.visible_items().iter().filter_map(line);
    lines.filter(|(.., y)| *y >= chart.y && *y < chart.bottom()).map(|(row, item, y)| (row, item, y as usize)).collect()
}

#[test]
fn a_column_is_lit_exactly_when_an_entry_covers_it() {
    let (columns, excused) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let sizes = (prop::sample::select(vec![61_u32, 256, 1024]), prop::sample::select(vec![1.0_f32, 1.5, 2.0]));
    let zoom = (prop_oneof![1 => Just(1.0), 3 => 0.3..1.0_f64], 0.0..1.0_f64);
    check(40, (entries(), sizes, zoom), |(made, size, zoom)| {
        let session = session_of(&made, size, zoom);
        let rows = rows_of(&session);
        prop_assert_eq!(rows.entries().len(), made.len());
        let (frame, exact) = (Scene::default().build(&session.scene_input()).clone(), Exact::new(&session.view.axis));
        let (seen, width) = (coverage(&frame), usize::try_from(exact.width).expect("a width"));
        let input = session.scene_input();
        for (row, item, y) in lines(&session) {
            let entries = rows.track().row(row).expect("a row");
            let mut lit = [vec![false; width], vec![false; width], vec![false; width]];
            // An instant that stands alone is a diamond around its column.
            let mut near_instant = vec![false; width];
            for at in 0..entries.len() {
                let entry = rows.entry(entries.marker(at).0).expect("an entry");
                let found = exact.columns(entry.start, entry.times().end);
                if entry.end.is_none() {
                    let middle = found.meant.start;
                    (middle - 12..middle + 13).filter_map(|column| usize::try_from(column).ok()).for_each(|column| {
                        near_instant.get_mut(column).into_iter().for_each(|near| *near = true);
                    });
                }
                for (lit, columns) in lit.iter_mut().zip([found.sure, found.most, found.meant]) {
                    columns.for_each(|column| lit[usize::try_from(column).expect("inside")] = true);
                }
            }
            let [sure, most, meant] = lit;
            for column in 0..width {
                let is_lit = seen.owner(CHART.0 + column, y).is_some();
                prop_assert!(is_lit || !sure[column], "row {row:?}: column {column} is dark");
                prop_assert!(!is_lit || most[column] || near_instant[column], "row {row:?}: column {column} is lit");
                excused.fetch_add(usize::from(is_lit != meant[column] && !near_instant[column]), Ordering::Relaxed);
                #[expect(clippy::cast_precision_loss, reason = "a place on screen")]
                let x = (CHART.0 + column) as f32 + 0.5;
                let hit = item.kind.hits(&input, &item, x, y as f32);
                prop_assert!(!is_lit || hit.entry.is_some(), "row {row:?}: nothing is hit in column {column}");
                prop_assert!(hit.chart.is_none(), "the entries have no markers");
            }
            columns.fetch_add(width, Ordering::Relaxed);
        }
        Ok(())
    });
    let (columns, excused) = (columns.into_inner(), excused.into_inner());
    assert!(columns > 20_000 && excused * 1000 < columns, "{excused} of {columns} columns differ");
}

#[test]
fn the_entry_at_the_pointer_owns_its_pixels() {
    let made = [(1000, 5000), (2000, 9000), (20_000, 1000)];
    let mut session = session_of(&made, (1024, 1.0), (1.0, 0.0));
    let rows = rows_of(&session);
    for (row, item, y) in lines(&session) {
        let entries = rows.track().row(row).expect("a row");
        for at in 0..entries.len() {
            let times = rows.entry(entries.marker(at).0).expect("an entry").times();
            let middle = Ns(times.start.0.midpoint(times.end.0));
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a place on screen")]
            let column = session.view.axis.pixel(middle) as usize;
            #[expect(clippy::cast_precision_loss, reason = "a place on screen")]
            let pointer = ((CHART.0 + column) as f32 + 0.5, y as f32);
            session.canvas.pointer = Some(pointer);
            session.refresh_and_wait();
            let frame = Scene::default().build(&session.scene_input()).clone();
            let owner = coverage(&frame).owner(CHART.0 + column, y).expect("a lit column");
            let emphasis = frame.instances.markers[owner as usize].emphasis();
            assert_eq!(emphasis, Emphasis::Hovered as u32, "{:?}", item.kind);
        }
    }
}
