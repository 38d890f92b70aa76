//! The GPU's image, pixel by pixel.

use std::sync::atomic::{AtomicUsize, Ordering};

use flowline::gpu::{Gpu, Target};
use flowline::index::Arrangement;
use flowline::profile::{Ns, TimeRange};
use flowline::scene::reference::{Coverage, coverage};
use flowline::scene::{Frame, MarkerInstance, PixelRect, Scene, TextRun, diamond_reach};
use flowline::session::Session;
use flowline::view::Command;
use proptest::prelude::*;

use crate::exact::Exact;
use crate::fixtures::{
    CHART, CHART_HEIGHT, MarkerSpec, ViewSetup, Zoom, index_of, session, session_for, setup, threads,
};
use crate::random::check;
use crate::renderer::{Renderer, all_but_markers, expected_color, is_expected_color, outline_at, without_text};

/// Number of compared pixels, and of pixels with an accepted rounding difference.
#[derive(Default)]
struct Tally {
    pixels: AtomicUsize,
    excused: AtomicUsize,
}

impl Tally {
    fn add(&self, pixels: usize, excused: usize) {
        self.pixels.fetch_add(pixels, Ordering::Relaxed);
        self.excused.fetch_add(excused, Ordering::Relaxed);
    }

    /// Asserts that fewer than one in a thousand pixels differ.
    fn settle(&self) {
        let (pixels, excused) = (self.pixels.load(Ordering::Relaxed), self.excused.load(Ordering::Relaxed));
        assert!(pixels > 0 && excused * 1000 < pixels, "{excused} of {pixels} pixels differ");
    }
}

/// Columns in which floats may round an edge to either side, and their neighbors, whose borders move along.
fn doubtful(session: &Session, frame: &Frame) -> Vec<bool> {
    let exact = Exact::new(&session.view.axis);
    let clock = session.index.clock();
    let mut columns = vec![false; usize::try_from(exact.width).expect("a width")];
    for instance in &frame.instances.markers {
        for tick in [instance.packed().start(), instance.packed().end()] {
            let range = exact.doubtful(clock.time(tick));
            for column in range.start - 5..range.end + 5 {
                if !range.is_empty() && column >= 0 && column < exact.width {
                    columns[usize::try_from(column).expect("not negative")] = true;
                }
            }
        }
    }
    columns
}

/// Compares the GPU's image with the reference. Returns the number of chart pixels and of accepted differences.
fn compare(
    renderer: &mut Renderer,
    session: &Session,
    frame: &Frame,
    seen: &Coverage,
) -> Result<(usize, usize), TestCaseError> {
    let (picture, empty) = (renderer.draw(&without_text(frame)), renderer.draw(&all_but_markers(frame)));
    let chart = session.canvas.regions.chart;
    let excuses = doubtful(session, frame);
    let [width, height] = frame.size;
    let mut excused = 0;
    for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
        let (column, line) = (x as usize, y as usize);
        let owner = seen.owner(column, line);
        let right = match owner {
            _ if outline_at(frame, column, line).is_some_and(|color| picture.pixel(x, y) == color) => true,
            Some(owner) => is_expected_color(picture.pixel(x, y), expected_color(frame, owner, column, line)),
            None => picture.pixel(x, y) == empty.pixel(x, y),
        };
        let inside = chart.contains(x as f32, y as f32);
        prop_assert!(inside || owner.is_none(), "a marker outside the chart at {}, {}", x, y);
        if !right {
            let excuse = inside && excuses[column - CHART.0];
            prop_assert!(excuse, "pixel {}, {}: {:?}, owner {:?}", x, y, picture.pixel(x, y), owner);
            excused += 1;
        }
    }
    Ok((excuses.len() * CHART_HEIGHT, excused))
}

#[test]
fn the_gpu_matches_the_reference() {
    let tally = Tally::default();
    let renderer = std::cell::RefCell::new(Renderer::new());
    check(
        50,
        (threads(), prop::collection::vec((setup(), any::<prop::sample::Index>(), 0_u8..4), 3)),
        |(threads, setups)| {
            let index = index_of(&threads);
            for (setup, marker, marked) in setups {
                let mut session = session_for(&index, &setup);
                let marker = flowline::profile::MarkerId(
                    u32::try_from(marker.index(index.profile().marker_count())).expect("few"),
                );
                match marked {
                    0 => session.apply(Command::Select(Some(marker))),
                    1 => session.apply(Command::Hover(Some(marker))),
                    2 => session.apply(Command::Search("name:gc,name:reflow".into())),
                    _ => {}
                }
                session.refresh_and_wait();
                let mut scene = Scene::default();
                let frame = scene.build(&session.scene_input());
                let (pixels, excused) = compare(&mut renderer.borrow_mut(), &session, frame, &coverage(frame))?;
                tally.add(pixels, excused);
            }
            Ok(())
        },
    );
    tally.settle();
}

#[test]
fn panning_by_whole_pixels_moves_every_pixel() {
    let renderer = std::cell::RefCell::new(Renderer::new());
    let pans = prop_oneof![1_i64..40, -40_i64..0];
    check(300, (threads(), setup(), -8_i32..24, pans, any::<bool>()), |(threads, setup, power, pixels, select)| {
        let index = index_of(&threads);
        let setup = ViewSetup { zoom: Zoom::Power(power), width: 256, pan: 0.0, ..setup };
        let mut session = session_for(&index, &setup);
        let marker = flowline::profile::MarkerId(
            u32::try_from(setup.marker.index(index.profile().marker_count())).expect("few"),
        );
        session.apply(Command::Select(select.then_some(marker)));
        session.refresh();
        let mut scene = Scene::default();
        let mut renderer = renderer.borrow_mut();
        let before = session.view.axis;
        let first = renderer.draw(&without_text(scene.build(&session.scene_input())));
        // As during a drag: stacks take other rows only when the view rests.
        session.canvas.is_held = true;
        session.apply(Command::Pan { pixels: pixels as f64, animated: false });
        session.refresh();
        let moved = session.view.axis.pixel(before.origin().0) - before.pixel(before.origin().0);
        prop_assume!(moved == -pixels as f64, "the view stops at the recording's ends");
        let second = renderer.draw(&without_text(scene.build(&session.scene_input())));
        let left = u32::try_from(CHART.0).expect("small");
        let top = u32::try_from(CHART.1).expect("small");
        for (x, y) in (0..190).flat_map(|y| (0..256_i64).map(move |x| (x, y))) {
            if (0..256).contains(&(x - pixels)) {
                let at = |x: i64| (left + u32::try_from(x).expect("inside"), top + y);
                let (from, to) = (at(x), at(x - pixels));
                prop_assert_eq!(first.pixel(from.0, from.1), second.pixel(to.0, to.1), "{:?} to {:?}", from, to);
            }
        }
        Ok(())
    });
}

/// Two markers of one nanosecond each, one nanosecond apart, after twenty hours.
#[test]
fn a_nanosecond_is_exact_after_twenty_hours() {
    const HOURS: i64 = 72_000_000_000_000;
    let made = |start, length| MarkerSpec { start, length, kind: 0 };
    let index = index_of(&vec![vec![made(HOURS, 1), made(HOURS + 2, 1), made(HOURS + 100_000, 1)]]);
    let mut renderer = Renderer::new();
    // First visible nanosecond after twenty hours, visible nanoseconds, pixels to pan, columns.
    let cases = [
        (-2, 8, 0.0, [(128, 192), (256, 320)]),
        (-2, 8, 32.0, [(96, 160), (224, 288)]),
        (-2, 8, 0.25, [(127, 192), (255, 320)]),
        (-100, 512, 0.0, [(100, 101), (102, 103)]),
        (-100, 256, 0.0, [(200, 202), (204, 206)]),
        (-1, 4, 0.0, [(128, 256), (384, 512)]),
        (-3, 1024, 0.0, [(1, 2), (2, 3)]),
    ];
    for (from, length, pan, columns) in cases {
        let mut session = session(&index, 512, 1.0);
        let start = Ns(HOURS + from);
        session.apply(Command::Show(TimeRange::new(start, start + Ns(length))));
        session.apply(Command::Pan { pixels: pan, animated: false });
        session.apply(Command::SetArrangement(Arrangement::ByName));
        session.refresh();
        let lines = crate::fixtures::lines(&session);
        let y = u32::try_from(lines[0].y).expect("on screen");
        let mut scene = Scene::default();
        let frame = scene.build(&session.scene_input());
        let (picture, empty) = (renderer.draw(&without_text(frame)), renderer.draw(&all_but_markers(frame)));
        let lit: Vec<i64> = (0..512_i64)
            .filter(|x| {
                let x = u32::try_from(CHART.0).expect("small") + u32::try_from(*x).expect("inside");
                picture.pixel(x, y) != empty.pixel(x, y)
            })
            .collect();
        let expected: Vec<i64> = columns.iter().flat_map(|(first, end)| *first..*end).collect();
        assert_eq!(lit, expected, "{from} {length} {pan}");
    }
}

/// True if a text is the name of an instant that stands alone, to the right of its diamond.
fn is_beside_instant(frame: &Frame, chart: PixelRect, run: &TextRun) -> bool {
    let alone = frame.instances.markers.iter().filter(|instance| instance.has(MarkerInstance::ALONE));
    let mut places = alone.map(|instance| (frame.axis.columns(instance.packed()).1, frame.rows[instance.row()]));
    places.any(|(end, place)| {
        let gap = run.x - frame.axis_left - end as f32 - diamond_reach(frame.scale);
        // The row may begin above the chart, which cuts its texts.
        place.y.max(chart.y) == run.clip.y && (0.0..8.0 * frame.scale).contains(&gap)
    })
}

#[test]
fn labels_stay_inside_their_rectangles() {
    let renderer = std::cell::RefCell::new(Renderer::new());
    let written = AtomicUsize::new(0);
    check(100, (threads(), setup()), |(threads, setup)| {
        let index = index_of(&threads);
        let session = session_for(&index, &setup);
        let chart = session.canvas.regions.chart;
        let mut scene = Scene::default();
        let frame = scene.build(&session.scene_input());
        let mut renderer = renderer.borrow_mut();
        let (with, without) = (renderer.draw(frame), renderer.draw(&without_text(frame)));
        let seen = coverage(frame);
        for (x, y) in (0..with.height).flat_map(|y| (0..with.width).map(move |x| (x, y))) {
            if with.pixel(x, y) == without.pixel(x, y) {
                continue;
            }
            let holds = |clip: &PixelRect| {
                let (x, y) = (x as f32, y as f32);
                x >= clip.x.floor() && x < clip.right().ceil() && y >= clip.y.floor() && y < clip.bottom().ceil()
            };
            let run = frame.texts.iter().find(|run| holds(&run.clip));
            prop_assert!(run.is_some(), "text outside every clip rectangle at {}, {}", x, y);
            if chart.contains(x as f32, y as f32) {
                let Some(owner) = seen.owner(x as usize, y as usize) else {
                    let is_beside = is_beside_instant(frame, chart, run.expect("just seen"));
                    prop_assert!(is_beside, "a label outside its rectangle at {}, {}", x, y);
                    continue;
                };
                let style = frame.instances.markers[owner as usize].packed().style();
                prop_assert!(!style.is_merged() && !style.is_instant(), "a label on another shape");
                written.fetch_add(1, Ordering::Relaxed);
            }
        }
        Ok(())
    });
    assert!(written.load(Ordering::Relaxed) > 1000, "no labels were drawn");
}

/// A driver reset removes the device at any time.
#[test]
fn a_lost_device_is_an_error_without_panic() {
    let gpu = Gpu::headless().expect("a device");
    let target = Target::new(&gpu, [64, 64]);
    assert!(gpu.failure().is_none() && target.read(&gpu).is_ok());
    gpu.device.destroy();
    let message = target.read(&gpu).expect_err("reading back fails").to_string();
    assert!(message.starts_with("the graphics device was lost") && !message.contains('\n'), "{message}");
    assert!(gpu.failure().is_some());
    assert!(Target::new(&gpu, [8, 8]).read(&gpu).is_err());
}
