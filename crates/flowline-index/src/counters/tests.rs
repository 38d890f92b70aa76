//! Compares tracks with a naive evaluation of the samples.

use super::*;
use crate::rows::Clock;
use flowline_profile::{Counter, Ns};
use flowline_profile::{CounterGraph, Sample, Series, TimeRange};

fn counter(graph: CounterGraph, series: &[&[(i64, f64)]]) -> Counter {
    let samples = |samples: &&[(i64, f64)]| {
        samples.iter().map(|(time, value)| Sample { time: Ns(*time), value: *value }).collect()
    };
    let series = series.iter().map(|all| Series { name: String::new(), samples: samples(all) }).collect();
    Counter { graph, series, ..Counter::default() }
}

fn clock() -> Clock {
    Clock::covering(TimeRange::new(Ns(0), Ns(1 << 40)))
}

/// Ticks, and the edges of all bands in the unit of the values.
fn steps(counter: &Counter) -> Vec<(u64, Vec<(f64, f64)>)> {
    let track = CounterTrack::build(counter, clock());
    let edges = |step: usize| {
        let band = |band| {
            let extent = track.step(band, step);
            assert_eq!(extent, track.extent(band, step, step + 1));
            (f64::from(extent.lower.min) * track.unit(), f64::from(extent.upper.max) * track.unit())
        };
        (0..track.bands()).map(band).collect()
    };
    (0..track.ticks().len()).map(|step| (track.ticks()[step], edges(step))).collect()
}

#[test]
fn series_are_stacked_and_change_together() {
    let counter = counter(CounterGraph::Level, &[&[(0, 1.0), (10, 2.0), (20, 0.0)], &[(0, 4.0), (20, 2.0), (30, 8.0)]]);
    let expected = [
        (0, vec![(0.0, 1.0), (0.0, 5.0)]),
        (10, vec![(0.0, 2.0), (0.0, 6.0)]),
        (20, vec![(0.0, 0.0), (0.0, 2.0)]),
        (30, vec![(0.0, 0.0), (0.0, 8.0)]),
    ];
    assert_eq!(steps(&counter), expected);
    assert_eq!(CounterTrack::build(&counter, clock()).range(), (0.0, 8.0));
}

#[test]
fn negative_values_are_stacked_below_zero() {
    let counter = counter(CounterGraph::Level, &[&[(0, 2.0), (10, -1.0)], &[(0, -4.0), (10, 2.0)]]);
    let expected = [(0, vec![(0.0, 2.0), (-4.0, 2.0)]), (10, vec![(-1.0, 0.0), (-1.0, 2.0)])];
    assert_eq!(steps(&counter), expected);
    assert_eq!(CounterTrack::build(&counter, clock()).range(), (-4.0, 2.0));
}

#[test]
fn samples_at_the_same_time_are_separate_steps() {
    let counter = counter(CounterGraph::Level, &[&[(5, 0.0), (5, 8.0), (5, 1.0)], &[(5, 1.0), (5, 0.0)]]);
    let upper: Vec<Vec<f64>> =
        steps(&counter).into_iter().map(|(_, edges)| edges.into_iter().map(|edge| edge.1).collect()).collect();
    assert_eq!(upper, [vec![0.0, 1.0], vec![8.0, 8.0], vec![1.0, 1.0]]);
}

#[test]
fn relative_values_are_shown_above_their_minimum() {
    let counter = counter(CounterGraph::Relative, &[&[(0, 105.0), (10, 101.0), (20, 109.0)]]);
    let upper: Vec<f64> = steps(&counter).into_iter().map(|(_, edges)| edges[0].1).collect();
    assert_eq!(upper, [4.0, 0.0, 8.0]);
    let track = CounterTrack::build(&counter, clock());
    let values = [-1, 0, 9, 10, 1000].map(|time| track.value(&counter, 0, Ns(time)));
    assert_eq!(values, [None, Some(4.0), Some(4.0), Some(0.0), Some(8.0)]);
}

#[test]
fn rates_are_constant_between_two_samples() {
    const SECOND: i64 = 1_000_000_000;
    let samples = [(0, 7.0), (SECOND, 8.0), (SECOND, 15.0), (3 * SECOND, 31.0), (4 * SECOND, 31.0)];
    let mut counter = counter(CounterGraph::Rate, &[&samples]);
    let upper = |counter: &Counter| -> Vec<(u64, f64)> {
        steps(counter).into_iter().map(|(tick, edges)| (tick / 1_000_000_000, edges[0].1)).collect()
    };
    assert_eq!(upper(&counter), [(0, 8.0), (1, 8.0), (3, 0.0), (4, 0.0)]);
    let track = CounterTrack::build(&counter, clock());
    let values = [-1, 0, SECOND - 1, SECOND, 3 * SECOND, 4 * SECOND].map(|time| track.value(&counter, 0, Ns(time)));
    assert_eq!(values, [None, Some(8.0), Some(8.0), Some(8.0), Some(0.0), None]);
    // Percentages are relative to the maximum rate.
    counter.unit = "percent".into();
    assert_eq!(upper(&counter), [(0, 1.0), (1, 1.0), (3, 0.0), (4, 0.0)]);
}

#[test]
fn values_that_are_not_finite_are_ignored() {
    let odd = [(0, f64::NAN), (1, 1e308), (2, f64::INFINITY), (3, -1e308), (4, f64::NEG_INFINITY)];
    for graph in [CounterGraph::Level, CounterGraph::Relative, CounterGraph::Rate] {
        let counter = counter(graph, &[&odd, &odd, &odd]);
        let track = CounterTrack::build(&counter, clock());
        let (least, most) = track.range();
        assert!(least.is_finite() && most.is_finite() && most - least < f64::MAX, "{graph:?}");
        for step in 0..track.ticks().len() {
            for band in 0..3 {
                let extent = track.step(band, step);
                assert!(extent.upper.max.is_finite() && extent.lower.min.is_finite(), "{graph:?}");
            }
        }
        assert!((0..6).all(|time| track.value(&counter, 0, Ns(time)).is_none_or(f64::is_finite)), "{graph:?}");
    }
    let nothing = CounterTrack::build(&Counter::default(), clock());
    assert_eq!((nothing.ticks().len(), nothing.bands(), nothing.range(), nothing.unit()), (0, 0, (0.0, 0.0), 1.0));
}

#[test]
fn random_stacks_equal_a_naive_evaluation() {
    let mut rng = fastrand::Rng::with_seed(11);
    let mut random = move |below: i32| rng.i32(0..below);
    for round in 0..60 {
        let count = 1 + random(14);
        let series: Vec<Vec<(i64, f64)>> = (0..count)
            .map(|_| {
                let mut time = 0;
                let sample = |_| {
                    time += i64::from(random(9));
                    (time, f64::from(random(64)) - if round % 2 == 0 { 0.0 } else { 32.0 })
                };
                (0..80).map(sample).collect()
            })
            .collect();
        let slices: Vec<&[(i64, f64)]> = series.iter().map(Vec::as_slice).collect();
        let counter = counter(CounterGraph::Level, &slices);
        let track = CounterTrack::build(&counter, clock());
        let limit = counter.series.iter().map(|series| series.samples.len()).sum::<usize>();
        assert!(track.ticks().is_sorted() && track.ticks().len() <= limit);
        assert!(track.bytes() <= limit * (8 + 2 * 5 * MAX_BANDS) + 1024 * MAX_BANDS, "{} for {limit}", track.bytes());
        for time in 0..800_i64 {
            let held = |series: &Series| {
                series.samples.iter().rev().find(|sample| sample.time.0 <= time).map(|sample| sample.value)
            };
            let values: Vec<Option<f64>> = counter.series.iter().map(held).collect();
            for (number, value) in values.iter().enumerate() {
                assert_eq!(track.value(&counter, number, Ns(time)), *value);
            }
            let after = track.ticks().partition_point(|tick| *tick <= time as u64);
            let Some(step) = after.checked_sub(1) else { continue };
            for band in 0..track.bands() {
                let last = if band + 1 == track.bands() { values.len() } else { band + 1 };
                let stacked =
                    |keep: fn(&f64) -> bool| values[..last].iter().flatten().filter(|value| keep(value)).sum::<f64>();
                let extent = track.step(band, step);
                let near = |part: f32, value: f64| (f64::from(part) * track.unit() - value).abs() < track.unit() * 1e-6;
                assert!(near(extent.upper.max, stacked(|value| *value > 0.0)), "{round} {time} {band}");
                assert!(near(extent.lower.min, stacked(|value| *value < 0.0)), "{round} {time} {band}");
            }
        }
    }
}
