//! Counter statistics in a time range. Values are those of the chart: levels, levels above the minimum, or rates per
//! second.

use rayon::prelude::*;

use crate::Index;
use flowline_profile::{Counter, CounterGraph, CounterId, Ns, TimeRange};

/// Statistics of the values of a series in a range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CounterValues {
    /// Minimum.
    pub min: f64,
    /// Time-weighted mean over the time in which values are known; the plain mean if that time has zero length.
    pub mean: f64,
    /// Maximum.
    pub max: f64,
    /// First time of the minimum.
    pub min_at: Ns,
    /// First time of the maximum.
    pub max_at: Ns,
    /// Value at the start of the range, or the first value in it.
    pub first: f64,
    /// Value at the end of the range.
    pub last: f64,
    /// Sum of the amounts of a counter that shows a rate: in the counter's unit, or in seconds if it shows a share of
    /// time.
    pub integral: Option<f64>,
}

impl CounterValues {
    /// Difference between the last and the first value.
    #[must_use]
    #[inline]
    pub fn change(&self) -> f64 {
        self.last - self.first
    }
}

/// The statistics of one series of a counter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CounterStatistics {
    /// The counter.
    pub counter: CounterId,
    /// The series.
    pub series: usize,
    /// Number of samples in the range.
    pub samples: u64,
    /// Number of samples in the range without a finite value. They are ignored everywhere else.
    pub invalid: u64,
    /// Statistics of the values; `None` if there is no value in the range.
    pub values: Option<CounterValues>,
}

/// The statistics of all series in a range, or in the whole recording if `range` is `None`. A value is valid until the
/// next one. The last level is valid until the end of the range; the rate after the last sample is unknown.
#[must_use]
pub fn counters(index: &Index, range: Option<TimeRange>) -> Vec<CounterStatistics> {
    let range = range.unwrap_or(index.extent());
    let of_counter = |(number, counter): (usize, &Counter)| -> Vec<CounterStatistics> {
        let id = CounterId::new(number);
        let of_series = |series: usize| {
            let samples = &counter.series[series].samples;
            let inside = samples.iter().filter(|sample| range.start <= sample.time && sample.time <= range.end);
            let (samples, invalid) = inside.fold((0, 0), |(samples, invalid), sample| {
                (samples + 1, invalid + u64::from(!sample.value.is_finite()))
            });
            let shown = index.counters().track(id).map(|track| track.values(counter, series)).unwrap_or_default();
            CounterStatistics { counter: id, series, samples, invalid, values: values(counter, &shown, range) }
        };
        (0..counter.series.len()).map(of_series).collect()
    };
    index.profile().counters.par_iter().enumerate().flat_map_iter(of_counter).collect()
}

/// A value and the part of the range in which it is valid.
#[derive(Clone, Copy, Debug)]
struct CounterStep {
    value: f64,
    from: Ns,
    to: Ns,
}

fn values(counter: &Counter, shown: &[(Ns, f64)], range: TimeRange) -> Option<CounterValues> {
    let is_rate = counter.graph == CounterGraph::Rate;
    let known = if is_rate { shown.len().saturating_sub(1) } else { shown.len() };
    let step = |at: usize| {
        let (from, value) = shown[at];
        let until = shown.get(at + 1).map_or(range.end.max(from), |next| next.0);
        // A value that is replaced at the same time is never valid.
        let holds = from <= range.end && (until > range.start || at + 1 == shown.len());
        let is_replaced = until == from && at + 1 < shown.len();
        (holds && !is_replaced).then(|| CounterStep { value, from: from.max(range.start), to: until.min(range.end) })
    };
    let steps: Vec<CounterStep> = (0..known).filter_map(step).collect();
    let (first, last) = (steps.first()?, steps.last()?);
    #[expect(clippy::cast_precision_loss, reason = "a duration")]
    let length = |step: &CounterStep| (step.to - step.from).0.max(0) as f64 / 1e9;
    let seconds: f64 = steps.iter().map(length).sum();
    let area: f64 = steps.iter().map(|step| step.value * length(step)).sum();
    #[expect(clippy::cast_precision_loss, reason = "a number of samples")]
    let plain = || steps.iter().map(|step| step.value).sum::<f64>() / steps.len() as f64;
    // Among equal values, the first one is used.
    let least = steps.iter().fold(first, |least, step| if step.value < least.value { step } else { least });
    let greatest = steps.iter().fold(first, |most, step| if step.value > most.value { step } else { most });
    Some(CounterValues {
        min: least.value,
        mean: if seconds > 0.0 { area / seconds } else { plain() },
        max: greatest.value,
        min_at: least.from,
        max_at: greatest.from,
        first: first.value,
        last: last.value,
        integral: is_rate.then_some(area),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use flowline_profile::{Arrangement, Meta, Profile, Sample, Series};

    fn of(graph: CounterGraph, samples: &[(i64, f64)], range: Option<(i64, i64)>) -> CounterStatistics {
        let samples: Vec<Sample> =
            samples.iter().map(|(ms, value)| Sample { time: Ns(ms * 1_000_000), value: *value }).collect();
        let series = Series { name: String::new(), samples: samples.into() };
        let counter = Counter { graph, unit: "bytes".into(), series: vec![series], ..Counter::default() };
        let meta = Meta { range: TimeRange::new(Ns(0), Ns(10_000_000)), ..Meta::default() };
        let profile = Profile { counters: vec![counter], meta, ..Profile::default() };
        let index = Index::build(profile.into(), Arrangement::ByName);
        counters(&index, range.map(|(from, to)| TimeRange::new(Ns(from * 1_000_000), Ns(to * 1_000_000))))[0]
    }

    #[test]
    fn means_are_weighted_by_time() {
        let found = of(CounterGraph::Level, &[(0, 2.0), (1, f64::NAN), (4, 10.0), (6, -2.0)], None);
        assert_eq!((found.samples, found.invalid), (4, 1));
        let values = found.values.expect("values");
        assert_eq!((values.min, values.max, values.first, values.last, values.change()), (-2.0, 10.0, 2.0, -2.0, -4.0));
        assert!((values.mean - (2.0 * 4.0 + 10.0 * 2.0 - 2.0 * 4.0) / 10.0).abs() < 1e-9, "{values:?}");
        assert_eq!(values.integral, None);
    }

    #[test]
    fn a_range_includes_the_value_at_its_start() {
        let samples = [(0, 2.0), (4, 10.0), (6, -2.0)];
        let values = of(CounterGraph::Level, &samples, Some((1, 5))).values.expect("values");
        assert_eq!((values.min, values.max, values.first, values.last, values.mean), (2.0, 10.0, 2.0, 10.0, 4.0));
        assert_eq!((values.min_at, values.max_at), (Ns(1_000_000), Ns(4_000_000)));
        assert_eq!(of(CounterGraph::Level, &[(4, 1.0)], Some((1, 3))).values, None);
        assert_eq!(
            of(CounterGraph::Level, &[(4, f64::NAN)], None),
            CounterStatistics { samples: 1, invalid: 1, ..of(CounterGraph::Level, &[], None) }
        );
        let one = of(CounterGraph::Level, &[(10, 3.0)], None).values.expect("one value at the end");
        assert_eq!((one.min, one.mean, one.max), (3.0, 3.0, 3.0));
    }

    #[test]
    fn amounts_add_up() {
        // Running sums: 5 bytes in the first two milliseconds, 1 in the third.
        let found = of(CounterGraph::Rate, &[(0, 0.0), (2, 5.0), (3, 6.0)], None);
        let values = found.values.expect("values");
        assert!((values.integral.expect("a sum") - 6.0).abs() < 1e-9, "{values:?}");
        assert_eq!((values.min.round(), values.max.round(), values.mean.round()), (1000.0, 2500.0, 2000.0));
    }
}
