//! Counters: columns against a naive evaluation of every sample, the GPU against the reference, and visibility of a
//! single sample at any zoom.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use flowline::gpu::RenderedImage;
use flowline::index::{Arrangement, Index};
use flowline::profile::{Counter, CounterId, Ns, Process, ProcessId, Profile, Sample, Series, TimeRange};
use flowline::scene::reference::counter_coverage;
use flowline::scene::{
    CounterInstance, CounterItem, Frame, ItemKind, Scene, counter_spread, counter_time, counter_total,
};
use flowline::session::Session;
use flowline::view::{Command, Theme};
use proptest::prelude::*;

use crate::exact::Exact;
use crate::fixtures::{CHART, session};
use crate::random::check;
use crate::renderer::{Renderer, is_expected_color, without_markers, without_scales};

/// A counter to generate: the value of every series at each time.
type MarkerSpec = Vec<(i64, Vec<f64>)>;

/// The index of one process with only these counters.
fn index_of(made: &[MarkerSpec]) -> Arc<Index> {
    let counter = |(number, steps): (usize, &MarkerSpec)| {
        let count = steps.first().map_or(0, |step| step.1.len());
        let of_series =
            |series: usize| steps.iter().map(|step| Sample { time: Ns(step.0), value: step.1[series] }).collect();
        let series =
            (0..count).map(|series| Series { name: format!("s{series}"), samples: of_series(series) }).collect();
        Counter { name: format!("counter {number}"), process: Some(ProcessId::new(0)), series, ..Counter::default() }
    };
    let mut profile = Profile { counters: made.iter().enumerate().map(counter).collect(), ..Profile::default() };
    profile.processes.push(Process { pid: "1".into(), name: "process".into() });
    Arc::new(Index::build(Arc::new(profile), Arrangement::ByName))
}

fn counters() -> impl Strategy<Value = Vec<MarkerSpec>> {
    let gap = prop_oneof![1 => Just(0_i64), 4 => 0_i64..4, 3 => (0_u32..24).prop_flat_map(|bits| 0..=(1_i64 << bits))];
    let value = prop_oneof![
        3 => Just(0.0),
        4 => (0_u16..100).prop_map(f64::from),
        2 => -1e3..1e3_f64,
        1 => Just(1e-30),
        1 => prop_oneof![Just(1e200), Just(-1e200)],
    ];
    let positive = any::<bool>();
    let counter = (1_usize..12, positive, 0_i64..1 << 44).prop_flat_map(move |(series, positive, late)| {
        let values = prop::collection::vec(value.clone(), series);
        prop::collection::vec((gap.clone(), values), 1..300).prop_map(move |steps| {
            let mut time = late;
            let step = |(gap, mut values): (i64, Vec<f64>)| {
                time += gap;
                values.iter_mut().filter(|_| positive).for_each(|value| *value = value.abs());
                (time, values)
            };
            steps.into_iter().map(step).collect()
        })
    });
    prop::collection::vec(counter, 1..3)
}

/// View settings for counters.
#[derive(Clone, Copy, Debug)]
struct ViewSetup {
    width: u32,
    scale: f32,
    theme: Theme,
    /// Visible time as a power of the whole, 0 to 1; or a power of two in nanoseconds per pixel.
    zoom: Result<f64, i32>,
    /// Start of the view as a share of the whole.
    place: f64,
    pan: f64,
}

fn setup() -> impl Strategy<Value = ViewSetup> {
    let zoom = prop_oneof![1 => Just(Ok(1.0)), 3 => (0.0..1.0).prop_map(Ok), 3 => (-6..24).prop_map(Err)];
    let (width, scale) =
        (prop::sample::select(vec![61_u32, 256, 1024]), prop::sample::select(vec![1.0_f32, 1.5, 2.0, 2.5]));
    let theme = prop_oneof![Just(Theme::Dark), Just(Theme::Light)];
    (width, scale, theme, zoom, 0.0..1.0, prop_oneof![Just(0.0), -40.0..40.0_f64])
        .prop_map(|(width, scale, theme, zoom, place, pan)| ViewSetup { width, scale, theme, zoom, place, pan })
}

fn session_for(index: &Arc<Index>, setup: &ViewSetup) -> Session {
    let mut session = session(index, setup.width, setup.scale);
    session.view.theme = setup.theme;
    let extent = index.extent();
    let (whole, width) = (extent.len().max(1), i64::from(setup.width));
    #[expect(clippy::cast_possible_truncation, reason = "a length in view")]
    let length = match setup.zoom {
        Ok(part) => (whole as f64).powf(part) as i64,
        Err(power @ 0..) => width << power,
        Err(power) => width >> -power,
    };
    #[expect(clippy::cast_possible_truncation, reason = "a place in view")]
    let start = extent.start + Ns((whole as f64 * setup.place) as i64);
    session.apply(Command::Show(TimeRange::new(start, start + Ns(length.clamp(1, whole)))));
    session.apply(Command::Pan { pixels: setup.pan, animated: false });
    session.refresh_and_wait();
    session
}

fn frame_of(session: &Session) -> Frame {
    Scene::default().build(&session.scene_input()).clone()
}

/// Visible counters with their row numbers in the frame.
fn rows(session: &Session) -> Vec<(CounterId, usize)> {
    let input = session.scene_input();
    let counter = |item: &flowline::scene::Item| match item.kind {
        ItemKind::Counter(CounterItem { counter }) => Some(counter),
        _ => None,
    };
    input.visible_items().iter().filter_map(counter).zip(0..).collect()
}

/// Edges of a band by column; `None` where nothing is drawn.
fn columns_of(frame: &Frame, row: usize, color: usize, width: usize) -> Vec<Option<[u16; 4]>> {
    let mut columns = vec![None; width];
    for instance in
        frame.instances.counters.iter().filter(|instance| instance.row() == row && instance.color() == color)
    {
        let (first, end) = instance.columns();
        for column in &mut columns[usize::from(first)..usize::from(end)] {
            assert!(column.is_none(), "a column is drawn twice");
            *column = Some(instance.edges());
        }
    }
    columns
}

/// Minimum and maximum of the lower edge and of the upper edge of a band.
type Band = [f64; 4];

/// Edges of the bands for one set of values. Negative values are stacked downward, others upward; series beyond the
/// seventh share a band.
fn stacked(values: &[f64]) -> Vec<(f64, f64)> {
    let sum = |to: usize, sign: f64| values[..to].iter().filter(|value| **value * sign > 0.0).sum::<f64>();
    let bands = values.len().min(8);
    let end = |band: usize| if band + 1 == bands { values.len() } else { band + 1 };
    (0..bands).map(|band| (sum(end(band), -1.0), sum(end(band), 1.0))).collect()
}

/// Expected range of every band in a column, computed from all steps; `None` where no value is known.
fn naive(steps: &MarkerSpec, exact: &Exact, column: i64) -> Option<Vec<Band>> {
    let at = |step: &(i64, Vec<f64>)| exact.column(Ns(step.0));
    let inside: Vec<_> = steps.iter().filter(|step| at(step).0 == column).collect();
    let before = steps.iter().rev().find(|step| at(step).0 < column);
    let cut = inside.first().is_some_and(|first| at(first).1);
    let seen: Vec<_> = before.into_iter().filter(|_| !cut).chain(inside).map(|step| stacked(&step.1)).collect();
    let bands = seen.first()?.len();
    let band = |band: usize| {
        let edges = seen.iter().map(|state| state[band]);
        let start = [f64::INFINITY, f64::NEG_INFINITY, f64::INFINITY, f64::NEG_INFINITY];
        edges.fold(start, |[a, b, c, d], (lower, upper)| [a.min(lower), b.max(lower), c.min(upper), d.max(upper)])
    };
    Some((0..bands).map(band).collect())
}

/// Pixel of a value, and a flag for values so close to the middle of two pixels that floats may choose the other one.
fn pixel(value: f64, (bottom, top): (f64, f64), height: f64) -> (f64, bool) {
    let top = if top > bottom { top } else { 1.0 };
    let exact = |value: f64| (top - value) / (top - bottom) * height;
    let zero = exact(0.0).round().clamp(f64::from(u8::from(top > 0.0)), height - f64::from(u8::from(bottom < 0.0)));
    let near = ((exact(value).fract() - 0.5).abs() < 1e-3) || ((exact(0.0).fract() - 0.5).abs() < 1e-3);
    let y = exact(value).round();
    let y = if value > 0.0 {
        y.min(zero - 1.0)
    } else if value < 0.0 {
        y.max(zero + 1.0)
    } else {
        zero
    };
    (y, near)
}

#[test]
fn a_column_shows_the_minimum_and_maximum_of_its_values() {
    let (columns, excused) = (AtomicUsize::new(0), AtomicUsize::new(0));
    check(150, (counters(), prop::collection::vec(setup(), 5)), |(made, setups)| {
        let index = index_of(&made);
        for setup in setups {
            let session = session_for(&index, &setup);
            let (frame, exact) = (frame_of(&session), Exact::new(&session.view.axis));
            let width = usize::try_from(exact.width).expect("a width");
            let end = exact.column(index.extent().end).0;
            for (counter, row) in rows(&session) {
                let steps = &made[counter.index()];
                let track = index.counters().track(counter).expect("a track");
                let height = f64::from(frame.rows[row].height);
                let mut doubtful = vec![false; width];
                for range in
                    steps.iter().map(|step| exact.doubtful(Ns(step.0))).chain([exact.doubtful(index.extent().end)])
                {
                    for column in range.start - 1..range.end + 1 {
                        if let Some(doubt) = usize::try_from(column).ok().and_then(|column| doubtful.get_mut(column)) {
                            *doubt = true;
                        }
                    }
                }
                let drawn: Vec<_> =
                    (0..track.bands()).map(|band| columns_of(&frame, row, track.color(band).into(), width)).collect();
                for column in 0..width {
                    columns.fetch_add(1, Ordering::Relaxed);
                    let number = i64::try_from(column).expect("small");
                    let expected = naive(steps, &exact, number).filter(|_| number <= end);
                    for (band, drawn) in drawn.iter().enumerate() {
                        let Some(values) = expected.as_ref().map(|bands| bands[band]) else {
                            prop_assert!(drawn[column].is_none() || doubtful[column], "{column} {setup:?}");
                            continue;
                        };
                        let [lower_min, lower_max, upper_min, upper_max] =
                            values.map(|value| pixel(value, track.range(), height));
                        let wanted = [upper_max, upper_min, lower_max, lower_min];
                        let ys = wanted.map(|(y, _)| y);
                        let found = drawn[column].map(|edges| edges.map(f64::from));
                        let right = match found {
                            Some(edges) => edges == ys,
                            None => ys[0] >= ys[3],
                        };
                        let near = wanted.iter().any(|(_, near)| *near);
                        if !right {
                            prop_assert!(
                                near || doubtful[column],
                                "{column}, band {band}: {found:?} not {ys:?}, {setup:?}"
                            );
                            excused.fetch_add(1, Ordering::Relaxed);
                        }
                    }
                }
                let instances = frame.instances.counters.iter().filter(|instance| instance.row() == row).count();
                prop_assert!(instances <= width * track.bands(), "no more instances than columns need");
            }
        }
        Ok(())
    });
    let (columns, excused) = (columns.into_inner(), excused.into_inner());
    assert!(columns > 10_000 && excused * 100 < columns, "{excused} of {columns} columns differ");
}

fn mix(a: [f32; 3], b: [f32; 3], part: f32) -> [f32; 3] {
    std::array::from_fn(|channel| a[channel] * (1.0 - part) + b[channel] * part)
}

/// The fragment stage of `shaders/counter.wgsl`: the color of an instance on a line of pixels.
fn expected_color(frame: &Frame, owner: u32, y: usize) -> [f32; 3] {
    let instance = frame.instances.counters[owner as usize];
    let below = y as f32 - frame.rows[instance.row()].y;
    let [a, b, c, d] = instance.edges().map(f32::from);
    let line = frame.line_width();
    let rgb = |rgba: [u8; 4]| [rgba[0], rgba[1], rgba[2]].map(|channel| f32::from(channel) / 255.0);
    let (fill, background) = (rgb(frame.palette.fills[instance.color()]), rgb(frame.palette.canvas));
    let edge = rgb(frame.palette.edges[instance.color()]);
    let has = |flag: u32| instance.0[3] & flag != 0;
    if has(CounterInstance::CURVE) {
        let (is_solid, width) = (below >= b && below < c, (1.5 * frame.scale + 0.5).floor());
        let is_line = !is_solid
            || has(CounterInstance::TOP_LINE) && below < b + width
            || has(CounterInstance::BOTTOM_LINE) && below >= c - width;
        return if is_line { edge } else { mix(fill, background, 0.8) };
    }
    if has(CounterInstance::TOP_LINE) && below < a + line || has(CounterInstance::BOTTOM_LINE) && below >= d - line {
        edge
    } else {
        mix(fill, background, if below >= b && below < c { 0.34 } else { 0.56 })
    }
}

#[test]
fn the_gpu_matches_the_reference() {
    let renderer = RefCell::new(Renderer::new());
    let lit = AtomicUsize::new(0);
    check(40, (counters(), prop::collection::vec(setup(), 2)), |(made, setups)| {
        let index = index_of(&made);
        for setup in setups {
            let session = session_for(&index, &setup);
            let frame = without_scales(&frame_of(&session));
            let seen = counter_coverage(&frame);
            let picture = renderer.borrow_mut().draw(&frame);
            let empty = renderer.borrow_mut().draw(&without_markers(&frame));
            for (x, y) in (0..picture.height).flat_map(|y| (0..picture.width).map(move |x| (x, y))) {
                match seen.owner(x as usize, y as usize) {
                    Some(owner) => {
                        lit.fetch_add(1, Ordering::Relaxed);
                        let expected_color = expected_color(&frame, owner, y as usize);
                        prop_assert!(
                            is_expected_color(picture.pixel(x, y), expected_color),
                            "{x}, {y}: {:?}",
                            picture.pixel(x, y)
                        );
                    }
                    None => prop_assert_eq!(picture.pixel(x, y), empty.pixel(x, y), "{}, {}", x, y),
                }
            }
        }
        Ok(())
    });
    assert!(lit.into_inner() > 10_000, "counters were drawn");
}

#[test]
fn panning_by_whole_pixels_moves_every_pixel() {
    let renderer = RefCell::new(Renderer::new());
    let moves = AtomicUsize::new(0);
    let pans = prop_oneof![1_i64..40, -40_i64..0];
    check(120, (counters(), setup(), -6_i32..20, pans), |(made, setup, power, pixels)| {
        let index = index_of(&made);
        let mut session = session_for(&index, &ViewSetup { zoom: Err(power), width: 256, pan: 0.0, ..setup });
        let before = session.view.axis;
        let draw =
            |session: &Session| -> RenderedImage { renderer.borrow_mut().draw(&without_scales(&frame_of(session))) };
        let first = draw(&session);
        session.apply(Command::Pan { pixels: pixels as f64, animated: false });
        session.refresh();
        let moved = session.view.axis.pixel(before.origin().0) - before.pixel(before.origin().0);
        prop_assume!(moved == -pixels as f64, "the view stops at the recording's ends");
        moves.fetch_add(1, Ordering::Relaxed);
        let second = draw(&session);
        let at = |x: i64| u32::try_from(x).expect("inside") + u32::try_from(CHART.0).expect("small");
        for (x, y) in (CHART.1..CHART.1 + 190).flat_map(|y| (0..256_i64).map(move |x| (x, y))) {
            if (0..256).contains(&(x - pixels)) {
                let y = u32::try_from(y).expect("small");
                prop_assert_eq!(first.pixel(at(x), y), second.pixel(at(x - pixels), y), "{}, {}", x, y);
            }
        }
        Ok(())
    });
    assert!(moves.into_inner() > 20, "the view moved");
}

/// One different value among a million samples with the same value, for no time at all or for a nanosecond.
#[test]
fn a_single_sample_is_visible_at_every_zoom() {
    const SAMPLES: u32 = 1_000_000;
    const STEP: i64 = 1_000;
    for (length, value) in [(1, 9.0), (0, 9.0), (1, -9.0)] {
        let at = 617_283 * STEP + 500;
        let mut steps: MarkerSpec = (0..i64::from(SAMPLES)).map(|sample| (sample * STEP, vec![3.0])).collect();
        let after = steps.partition_point(|step| step.0 <= at);
        steps.splice(after..after, [(at, vec![value]), (at + length, vec![3.0])]);
        let index = index_of(&[steps]);
        let track = index.counters().track(CounterId::new(0)).expect("a track");
        assert!(track.bytes() < 40 * SAMPLES as usize, "{}", track.bytes());
        for part in [1.0, 0.9, 0.5, 0.1, 0.0] {
            let mut session = session(&index, 1024, 1.0);
            #[expect(clippy::cast_possible_truncation, reason = "a length in view")]
            let length = (index.extent().len() as f64).powf(part) as i64;
            let start = Ns((at - length / 3).max(0));
            session.apply(Command::Show(TimeRange::new(start, start + Ns(length.max(64)))));
            session.refresh_and_wait();
            let frame = frame_of(&session);
            let column = Exact::new(&session.view.axis).column(Ns(at)).0;
            let columns = columns_of(&frame, 0, track.color(0).into(), 1024);
            let height = frame.rows[0].height;
            let edges = columns[usize::try_from(column).expect("in view")].expect("drawn").map(f32::from);
            let reached = if value > 0.0 { edges[0] == 0.0 } else { edges[3] == height };
            assert!(reached, "{part}: {edges:?} in column {column}");
            let others = columns.iter().flatten().filter(|other| other.map(f32::from) != edges).count();
            assert!(part < 0.5 || others > 900, "it is one column wide: {others}");
        }
    }
}

#[test]
fn the_pointer_reads_the_drawn_values() {
    let steps: MarkerSpec =
        vec![(0, vec![1.0, 2.0]), (1_000, vec![4.0, 0.5]), (2_000, vec![0.0, 7.0]), (10_000, vec![1.0, 1.0])];
    let index = index_of(&[steps]);
    let mut session = session(&index, 100, 1.0);
    session.apply(Command::Show(TimeRange::new(Ns(0), Ns(10_000))));
    session.refresh_and_wait();
    let frame = frame_of(&session);
    let (left, top) = (CHART.0 as f32, frame.rows[0].y);
    let input = session.scene_input();
    let id = CounterId::new(0);
    assert_eq!(input.hits(left + 3.0, top + 3.0).counter, Some(id));
    assert_eq!(input.hits(left + 3.0, CHART.1 as f32 + 3.0).counter, None, "the heading is not a counter");
    assert_eq!(input.hits(left - 3.0, top + 3.0).counter, None, "outside the chart");
    let (counter, track) = (&index.profile().counters[0], index.counters().track(id).expect("a track"));
    let read = |column: f32| {
        let time = counter_time(&input, left + column);
        (counter_total(counter, track, time), counter_spread(&input, id, left + column))
    };
    assert_eq!(read(5.0), (Some(3.0), None));
    assert_eq!(read(15.0), (Some(4.5), None));
    assert_eq!(read(98.0), (Some(7.0), None));
    assert_eq!(read(99.0), (Some(2.0), None), "the last column is for the end");
    session.canvas.regions.chart.width = 4.0;
    session.refresh();
    session.apply(Command::Show(TimeRange::new(Ns(0), Ns(10_000))));
    session.refresh_and_wait();
    let input = session.scene_input();
    assert_eq!(counter_spread(&input, id, left), Some((3.0, 7.0)), "all values in the first of four columns");
}
