//! Two recordings on one time axis: positions of the second recording's markers; both are drawn as if alone.

use flowline::profile::{LocalMarker, Ns};
use flowline::scene::reference::coverage;
use flowline::scene::{Frame, PixelRect, Regions, Scene, diamond_reach};
use flowline::session::{Alignment, Pairing, Session};
use flowline::view::Command;
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;

use crate::exact::Exact;
use crate::fixtures::{
    CHART, Threads, ViewSetup, drawn_lines, index_of, session, session_for, setup, threads, times_of,
};
use crate::random::check;
use crate::renderer::Renderer;

/// Alignment of the second recording.
#[derive(Clone, Copy, Debug)]
enum How {
    Start,
    Zero,
    /// By the first marker of each.
    Markers,
    Offset(i64),
}

fn how() -> impl Strategy<Value = How> {
    let offset = prop_oneof![-1000_i64..1000, -(1_i64 << 34)..1 << 34];
    prop_oneof![Just(How::Start), Just(How::Zero), Just(How::Markers), offset.prop_map(How::Offset)]
}

/// Two sessions on one axis, with their alignment.
fn paired((first, second): (&Threads, &Threads), setup: &ViewSetup, how: How) -> (Session, Session, Pairing) {
    let mut a = session_for(&index_of(first), setup);
    let mut b = session(&index_of(second), setup.width, setup.scale);
    b.view.theme = setup.theme;
    b.apply(Command::SetArrangement(setup.arrangement));
    b.apply(Command::ExpandAll);
    let earliest = |session: &Session| {
        let threads = session.index.profile().threads.iter();
        threads.flat_map(|thread| thread.markers.times().starts()).min().expect("markers")
    };
    let alignment = match how {
        How::Start => Alignment::Start,
        How::Zero => Alignment::Zero,
        How::Markers => Alignment::Moments { a: earliest(&a), b: earliest(&b) },
        How::Offset(ns) => Alignment::Offset(Ns(ns)),
    };
    let shown = a.view.axis.visible();
    let pairing = Pairing::new(&mut a, &mut b, alignment);
    a.apply(Command::Show(shown));
    pairing.follow_a(&a, &mut b);
    b.refresh_and_wait();
    (a, b, pairing)
}

fn frame_of(session: &Session) -> Frame {
    Scene::default().build(&session.scene_input()).clone()
}

/// Invariant 1 for the second recording: its markers light exactly the columns of the first recording's axis that
/// contain their shifted times.
#[test]
fn markers_of_the_second_recording_are_drawn_at_shifted_times() {
    check(150, (threads(), threads(), prop::collection::vec((setup(), how()), 4)), |(first, second, setups)| {
        for (setup, how) in setups {
            let (a, b, pairing) = paired((&first, &second), &setup, how);
            let exact = Exact::new(&a.view.axis);
            let seen = coverage(&frame_of(&b));
            for line in drawn_lines(&b) {
                let width = usize::try_from(exact.width).expect("a width");
                let (mut sure, mut most) = (vec![false; width], vec![false; width]);
                let light = |lit: &mut Vec<bool>, columns: std::ops::Range<i64>| {
                    columns.for_each(|column| lit[usize::try_from(column).expect("inside")] = true);
                };
                let markers = line.markers.iter().map(|marker| times_of(&b, line.thread, *marker));
                // The middle line of an instant that stands alone is wider than its column.
                #[expect(clippy::cast_possible_truncation, reason = "a few pixels")]
                let reach = diamond_reach(b.canvas.scale) as i64;
                for (start, _) in markers.clone().filter(|(start, end)| start == end) {
                    let (column, _) = exact.column(start + pairing.shift());
                    let around = (column - reach).clamp(0, exact.width)..(column + reach + 1).clamp(0, exact.width);
                    light(&mut most, around);
                }
                for (start, end) in markers.chain(line.calls.iter().map(|times| (times.start, times.end))) {
                    let columns = exact.columns(start + pairing.shift(), end + pairing.shift());
                    light(&mut sure, columns.sure);
                    light(&mut most, columns.most);
                }
                for column in 0..width {
                    let lit = seen.owner(CHART.0 + column, line.y).is_some();
                    prop_assert!(lit || !sure[column], "column {} is dark: {:?} {:?}", column, how, setup);
                    prop_assert!(!lit || most[column], "column {} is lit: {:?} {:?}", column, how, setup);
                }
            }
        }
        Ok(())
    });
}

#[test]
fn selecting_a_range_in_either_recording_selects_it_in_both() {
    check(150, (threads(), threads(), setup(), how()), |(first, second, setup, how)| {
        let (mut a, mut b, pairing) = paired((&first, &second), &setup, how);
        let thread = b.index.profile().threads_with_ids().next().expect("a thread").0;
        let (start, end) = times_of(&b, thread, LocalMarker::new(0));
        let range = flowline::profile::TimeRange::new(start, end + Ns(1));
        let before = b.view.shared();
        b.apply(Command::SelectRange(Some(range)));
        pairing.follow_b(&mut a, &b, &before);
        prop_assert_eq!(a.view.range, Some(range.shifted(pairing.shift())));
        b.refresh();
        a.refresh();
        prop_assert_eq!(a.scope().range(), b.scope().range().map(|range| range.shifted(pairing.shift())));
        Ok(())
    });
}

/// Moves all parts of the canvas down.
fn moved_down(regions: Regions, by: f32) -> Regions {
    let moved = |rect: PixelRect| PixelRect { y: rect.y + by, ..rect };
    Regions { overview: moved(regions.overview), ruler: moved(regions.ruler), chart: moved(regions.chart), ..regions }
}

#[test]
fn both_recordings_are_drawn_as_if_alone() {
    let mut renderer = Renderer::new();
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    for _ in 0..6 {
        let made = (threads(), threads(), setup(), how()).new_tree(&mut runner).expect("a case").current();
        let (first, second, setup, how) = made;
        let (mut a, mut b, _) = paired((&first, &second), &setup, how);
        let [width, height] = a.canvas.size;
        (a.canvas.size, b.canvas.size) = ([width, 2 * height], [width, 2 * height]);
        #[expect(clippy::cast_precision_loss, reason = "screen coordinates")]
        let below = height as f32;
        b.canvas.regions = moved_down(b.canvas.regions, below);
        a.refresh_and_wait();
        b.refresh_and_wait();
        let frames = [frame_of(&a), frame_of(&b)];
        let both = renderer.draw_all(&[&frames[0], &frames[1]]);
        let alone = [renderer.draw(&frames[0]), renderer.draw(&frames[1])];
        for y in 0..2 * height {
            let own = &alone[usize::from(y >= height)];
            for x in 0..width {
                assert_eq!(both.pixel(x, y), own.pixel(x, y), "at {x} {y}: {how:?} {setup:?}");
            }
        }
        assert_eq!(renderer.draw(&frames[0]).rgba, alone[0].rgba, "alone again");
    }
}
