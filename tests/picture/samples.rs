//! Samples: calls light exactly the columns that they cover, and the activity of a thread shows the minimum and maximum
//! within each column.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use flowline::index::{Arrangement, Index};
use flowline::profile::{CallRef, ColorBy, Implementation, Ns, SelectedCall, ThreadId, TimeRange};
use flowline::scene::reference::coverage;
use flowline::scene::{CallRow, Emphasis, Frame, Item, ItemKind, SamplesHeading, Scene, call_hit};
use flowline::session::Session;
use flowline::view::Command;
use proptest::prelude::*;

use crate::exact::Exact;
use crate::fixtures::{CHART, session};
use crate::random::check;
use crate::recording::samples::{Sampled, profile, random_samples};

const THREAD: ThreadId = ThreadId(0);

#[derive(Clone, Copy, Debug)]
struct ViewSetup {
    width: u32,
    scale: f32,
    /// Visible time as a power of the whole, 0 to 1.
    zoom: f64,
    place: f64,
    pan: f64,
    scroll: f64,
    by_file: bool,
}

fn setup() -> impl Strategy<Value = ViewSetup> {
    let zoom = prop_oneof![1 => Just(1.0), 4 => 0.3..1.0_f64];
    let size = (prop::sample::select(vec![61_u32, 256, 1024]), prop::sample::select(vec![1.0_f32, 1.5, 2.0]));
    (size, zoom, 0.0..1.0, prop_oneof![Just(0.0), -40.0..40.0_f64], prop_oneof![Just(0.0), 0.0..1.0], any::<bool>())
        .prop_map(|((width, scale), zoom, place, pan, scroll, by_file)| ViewSetup {
            width,
            scale,
            zoom,
            place,
            pan,
            scroll,
            by_file,
        })
}

fn recording() -> impl Strategy<Value = (u64, usize, bool)> {
    (0_u64..1 << 40, prop_oneof![1_usize..40, 100_usize..600], any::<bool>())
}

fn index_of((seed, count, has_cpu): (u64, usize, bool)) -> (Vec<Sampled>, Arc<Index>) {
    let samples = random_samples(seed, count);
    let profile = profile(std::slice::from_ref(&samples), has_cpu);
    (samples, Arc::new(Index::build(Arc::new(profile), Arrangement::ByName)))
}

fn session_for(index: &Arc<Index>, setup: &ViewSetup) -> Session {
    let mut session = session(index, setup.width, setup.scale);
    if setup.by_file {
        session.apply(Command::ColorBy(ColorBy::File));
    }
    let (extent, whole) = (index.extent(), index.extent().len().max(1));
    #[expect(clippy::cast_possible_truncation, reason = "a place in view")]
    let (length, start) = ((whole as f64).powf(setup.zoom) as i64, (whole as f64 * setup.place) as i64);
    let start = extent.start + Ns(start);
    session.apply(Command::Show(TimeRange::new(start, start + Ns(length.clamp(1, whole)))));
    session.apply(Command::Pan { pixels: setup.pan, animated: false });
    session.apply(Command::ExpandAll);
    session.refresh_and_wait();
    session.view.scroll = session.list().height() * setup.scroll;
    session.refresh_and_wait();
    session
}

fn frame_of(session: &Session) -> Frame {
    Scene::default().build(&session.scene_input()).clone()
}

/// The visible rows of calls, each with a line of pixels through it.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "screen coordinates")]
fn lines(session: &Session) -> Vec<(CallRow, usize)> {
    let (input, chart) = (session.scene_input(), session.canvas.regions.chart);
    let line = |item: &Item| match item.kind {
        ItemKind::Calls(row) => Some((row, input.item_y(item) + (input.item_height(item) / 2.0).floor())),
        _ => None,
    };
    let lines = input.visible_items().iter().filter_map(line);
    lines.filter(|(_, y)| *y >= chart.y && *y < chart.bottom()).map(|(row, y)| (row, y as usize)).collect()
}

#[test]
fn a_column_is_lit_exactly_when_a_call_covers_it() {
    let (columns, excused) = (AtomicUsize::new(0), AtomicUsize::new(0));
    check(80, (recording(), prop::collection::vec(setup(), 4)), |(made, setups)| {
        let (_, index) = index_of(made);
        for setup in setups {
            let session = session_for(&index, &setup);
            let Some(chart) = index.charts().if_built(THREAD) else { continue };
            let (frame, exact) = (frame_of(&session), Exact::new(&session.view.axis));
            let (seen, width) = (coverage(&frame), usize::try_from(exact.width).expect("a width"));
            for (CallRow { row, .. }, y) in lines(&session) {
                let mut lit = [vec![false; width], vec![false; width], vec![false; width]];
                for call in chart.rows().row(row as usize) {
                    let times = chart.times(index.profile(), *call).expect("a call");
                    let found = exact.columns(times.start, times.end);
                    for (lit, columns) in lit.iter_mut().zip([found.sure, found.most, found.meant]) {
                        columns.for_each(|column| lit[usize::try_from(column).expect("inside")] = true);
                    }
                }
                let [sure, most, meant] = lit;
                for column in 0..width {
                    let is_lit = seen.owner(CHART.0 + column, y).is_some();
                    prop_assert!(is_lit || !sure[column], "row {row}: column {column} is dark, {setup:?}");
                    prop_assert!(!is_lit || most[column], "row {row}: column {column} is lit, {setup:?}");
                    excused.fetch_add(usize::from(is_lit != meant[column]), Ordering::Relaxed);
                }
                columns.fetch_add(width, Ordering::Relaxed);
            }
        }
        Ok(())
    });
    let (columns, excused) = (columns.into_inner(), excused.into_inner());
    assert!(columns > 100_000 && excused * 1000 < columns, "{excused} of {columns} columns differ");
}

#[test]
fn selected_and_hovered_calls_own_and_hit_their_pixels() {
    let tested = AtomicUsize::new(0);
    let which = (any::<prop::sample::Index>(), any::<bool>());
    check(80, (recording(), setup(), which), |(made, setup, (call, hover))| {
        let (_, index) = index_of(made);
        let mut session = session_for(&index, &ViewSetup { scroll: 0.0, ..setup });
        let Some(chart) = index.charts().if_built(THREAD) else { return Ok(()) };
        let count = chart.calls(index.profile()).len();
        let call = CallRef {
            thread: THREAD,
            functions: Implementation::All,
            call: u32::try_from(call.index(count)).expect("few"),
        };
        let times = chart.times(index.profile(), call.call).expect("a call");
        let length = session.view.axis.visible().len();
        #[expect(clippy::cast_possible_truncation, reason = "a place in view")]
        let start = times.start - Ns((length as f64 * setup.place) as i64);
        session.apply(Command::Show(TimeRange::new(start, start + Ns(length))));
        session.apply(match hover {
            true => Command::HoverCall(Some(call)),
            false => Command::SelectCall(Some(SelectedCall { call, times })),
        });
        session.refresh();
        let (frame, exact) = (frame_of(&session), Exact::new(&session.view.axis));
        let (seen, columns) = (coverage(&frame), exact.columns(times.start, times.end));
        let (row, _) = chart.find(index.profile(), call.call).expect("a row");
        let wanted = if hover { Emphasis::Hovered } else { Emphasis::Selected };
        for (line, y) in lines(&session) {
            for column in 0..exact.width {
                let x = CHART.0 + usize::try_from(column).expect("inside");
                let owner = seen.owner(x, y).map(|owner| frame.instances.markers[owner as usize].emphasis());
                let (owned, here) = (owner == Some(wanted as u32), line.row as usize == row);
                prop_assert!(owned || !here || !columns.sure.contains(&column), "column {column} is not owned");
                prop_assert!(!owned || here && columns.most.contains(&column), "column {column} is owned");
                let hit = call_hit(&session.scene_input(), line, x as f32 + 0.5);
                prop_assert!(owner.is_none() || hit.is_some(), "the drawn call is hit");
                if owned && !hover {
                    prop_assert_eq!(hit.map(|hit| hit.call), Some(call));
                    tested.fetch_add(1, Ordering::Relaxed);
                }
            }
        }
        Ok(())
    });
    assert!(tested.into_inner() > 500, "selected calls were drawn");
}

/// Steps of a thread's activity: start times with the percentage from then on.
fn steps(index: &Index) -> Vec<(Ns, f32)> {
    let track = index.cpu().get(THREAD).expect("a track");
    let step = |(at, tick): (usize, &u64)| (index.clock().time(*tick), track.extent(at, at + 1).max);
    track.tick_tree().all().iter().enumerate().map(step).collect()
}

#[test]
fn activity_shows_exactly_the_minimum_and_maximum_of_a_column() {
    let (columns, excused) = (AtomicUsize::new(0), AtomicUsize::new(0));
    check(80, (recording(), prop::collection::vec(setup(), 4)), |(made, setups)| {
        let (_, index) = index_of(made);
        if index.cpu().get(THREAD).is_none() {
            return Ok(());
        }
        let steps = steps(&index);
        for setup in setups {
            let session = session_for(&index, &ViewSetup { scroll: 0.0, ..setup });
            let (frame, exact) = (frame_of(&session), Exact::new(&session.view.axis));
            let heading = session.list().items().iter().find(|item| matches!(item.kind, ItemKind::Samples(_)));
            let is_open = heading
                .is_some_and(|item| matches!(item.kind, ItemKind::Samples(SamplesHeading { has_activity: true, .. })));
            prop_assert!(is_open, "the heading of the samples is on screen");
            let width = usize::try_from(exact.width).expect("a width");
            let row = frame.instances.counters.first().map_or(0, |instance| instance.row());
            let height = frame.rows.get(row).map_or(0.0, |row| row.height);
            let mut drawn: Vec<Vec<[u16; 4]>> = vec![Vec::new(); width];
            for instance in &frame.instances.counters {
                prop_assert_eq!(instance.row(), row);
                let (first, end) = instance.columns();
                drawn[usize::from(first)..usize::from(end)].iter_mut().for_each(|bands| bands.push(instance.edges()));
            }
            for (column, bands) in drawn.iter().enumerate() {
                let wanted = i64::try_from(column).expect("small");
                let inside: Vec<&(Ns, f32)> = steps.iter().filter(|step| exact.column(step.0).0 == wanted).collect();
                let before = steps.iter().rev().find(|step| exact.column(step.0).0 < wanted);
                let cut = inside.first().is_some_and(|first| exact.column(first.0).1);
                let seen = || before.into_iter().filter(|_| !cut).chain(inside.iter().copied()).map(|step| step.1);
                let (most, least) = (seen().fold(0.0, f32::max), seen().fold(f32::INFINITY, f32::min));
                let is_doubtful = |time| (wanted - 1..=wanted + 1).any(|near| exact.doubtful(time).contains(&near));
                let near = steps.iter().any(|step| is_doubtful(step.0));
                let pixels = |percent: f32| {
                    let exact = (percent / 100.0 * height).round();
                    if percent > 0.0 { exact.max(1.0) } else { 0.0 }
                };
                // Bands touch from bottom to top, and only the topmost one reaches the top.
                let mut bottom = height;
                for edges in bands {
                    prop_assert!(f32::from(edges[3]) == bottom && edges[0] < edges[3], "{column}: {bands:?}");
                    prop_assert!(edges[0] <= edges[1] && edges[1] <= edges[2] && edges[2] == edges[3], "{bands:?}");
                    bottom = f32::from(edges[0]);
                }
                let top = height - bottom;
                prop_assert!(top <= height, "never above 100 percent");
                // The lowest solid pixels extend to the minimum, in any color.
                let solid: f32 = bands.iter().map(|edges| f32::from(edges[2] - edges[1])).sum();
                let least = if least.is_finite() { least } else { 0.0 };
                let right = top == pixels(most) && solid == pixels(least);
                let is_end = is_doubtful(index.extent().end) || wanted > exact.column(index.extent().end).0;
                prop_assert!(
                    right || near || is_end,
                    "{column}: {top} of {most}, {solid} of {least}, {height} high, {bands:?} {setup:?}"
                );
                excused.fetch_add(usize::from(!right), Ordering::Relaxed);
                columns.fetch_add(1, Ordering::Relaxed);
            }
        }
        Ok(())
    });
    let (columns, excused) = (columns.into_inner(), excused.into_inner());
    assert!(columns > 20_000 && excused * 100 < columns, "{excused} of {columns} columns differ");
}

/// One busy sample among a million idle ones.
#[test]
fn a_single_busy_sample_is_visible_at_every_zoom() {
    const SAMPLES: i64 = 200_000;
    const BUSY: i64 = 123_457;
    let sampled =
        |at: i64| Sampled { time: at * 1_000_000, stack: Some(vec![0, if at == BUSY { 2 } else { 4 }]), cpu: None };
    let profile = profile(&[(0..SAMPLES).map(sampled).collect()], false);
    let index = Arc::new(Index::build(Arc::new(profile), Arrangement::ByName));
    for part in [1.0, 0.9, 0.75, 0.5] {
        let mut session = session(&index, 1024, 1.0);
        #[expect(clippy::cast_possible_truncation, reason = "a length in view")]
        let length = (index.extent().len() as f64).powf(part) as i64;
        let start = Ns((BUSY * 1_000_000 - length / 3).max(0));
        session.apply(Command::Show(TimeRange::new(start, start + Ns(length))));
        session.refresh_and_wait();
        let frame = frame_of(&session);
        let column = Exact::new(&session.view.axis).column(Ns(BUSY * 1_000_000)).0;
        let covers = |columns: (u16, u16)| i64::from(columns.0) <= column && column < i64::from(columns.1);
        let tops = frame.instances.counters.iter().filter(|instance| covers(instance.columns()));
        assert_eq!(tops.map(|instance| instance.edges()[0]).min(), Some(0), "{part}: it reaches the top");
    }
}
