//! Displayed values from the samples of a counter's series, and the steps of a stack from these values.

use flowline_profile::persist::persist;
use flowline_profile::{Counter, CounterGraph, Ns, Sample, Series};

/// Values are clamped to this size, so that sums of values are finite.
const MAX_VALUE: f64 = 1e290;
/// Nanoseconds per second.
const SECOND: f64 = 1e9;

/// The conversion of samples to displayed values.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ValueTransform {
    /// The values themselves.
    Level,
    /// The values minus the minimum of their series.
    Above(Vec<f64>),
    /// The change from a sample to the next per the given number of nanoseconds, as a fraction of the second number.
    Rate(f64, f64),
}
persist!(enum ValueTransform { 0 => Level, 1 => Above(least), 2 => Rate(per, whole) });

impl ValueTransform {
    /// Transform of a counter.
    pub(super) fn for_counter(counter: &Counter) -> Self {
        match counter.graph {
            CounterGraph::Level => Self::Level,
            CounterGraph::Relative => {
                let least = |series: &Series| finite(series).map(|sample| sample.value).reduce(f64::min).unwrap_or(0.0);
                Self::Above(counter.series.iter().map(least).collect())
            }
            CounterGraph::Rate if counter.unit == "percent" => {
                let per_ns = Self::Rate(1.0, 1.0);
                let rates = (0..counter.series.len()).flat_map(|series| per_ns.shown(counter, series));
                let most = rates.map(|(_, rate)| rate).fold(0.0, f64::max);
                Self::Rate(1.0, if most > 0.0 { most } else { 1.0 })
            }
            CounterGraph::Rate => Self::Rate(SECOND, 1.0),
        }
    }

    /// Displayed values of a series, each valid from its time on.
    pub(super) fn shown(&self, counter: &Counter, series: usize) -> Vec<(Ns, f64)> {
        let samples = finite(&counter.series[series]);
        let samples = samples.map(|sample| (sample.time, sample.value));
        let clamped = |(time, value): (Ns, f64)| (time, value.clamp(-MAX_VALUE, MAX_VALUE));
        match self {
            Self::Level => samples.map(clamped).collect(),
            Self::Above(least) => samples.map(|(time, value)| clamped((time, value - least[series]))).collect(),
            Self::Rate(per, whole) => {
                // Of samples with equal times, the last counts.
                let mut sums: Vec<(Ns, f64)> = Vec::new();
                for sample in samples {
                    match sums.last_mut() {
                        Some(last) if last.0 == sample.0 => *last = sample,
                        _ => sums.push(sample),
                    }
                }
                let rates = sums.windows(2).map(|pair| clamped((pair[0].0, rate(pair[0], pair[1], *per, *whole))));
                // The rate after the last sample is unknown.
                rates.chain(sums.last().map(|last| (last.0, 0.0))).collect()
            }
        }
    }

    /// Displayed value of a series at a time; `None` if it is unknown.
    pub(super) fn value(&self, counter: &Counter, series: usize, time: Ns) -> Option<f64> {
        let samples = &counter.series.get(series)?.samples;
        let after = samples.partition_point(|sample| sample.time <= time);
        let before = *samples.get(after.checked_sub(1)?)?;
        let value = match self {
            Self::Level => before.value,
            Self::Above(least) => before.value - least[series],
            Self::Rate(per, whole) => {
                let next = samples.get(after)?.time;
                let last = after + samples[after..].partition_point(|sample| sample.time <= next) - 1;
                rate((before.time, before.value), (samples[last].time, samples[last].value), *per, *whole)
            }
        };
        value.is_finite().then(|| value.clamp(-MAX_VALUE, MAX_VALUE))
    }
}

#[expect(clippy::cast_precision_loss, reason = "f64 is precise enough for durations")]
fn rate(before: (Ns, f64), after: (Ns, f64), per: f64, whole: f64) -> f64 {
    let rate = (after.1 - before.1) / (after.0 - before.0).0.max(1) as f64 * per / whole;
    if rate.is_finite() { rate } else { 0.0 }
}

fn finite(series: &Series) -> impl Iterator<Item = Sample> + '_ {
    series.samples.iter().copied().filter(|sample| sample.value.is_finite())
}

/// Lower edge (at most zero) and upper edge (at least zero) of a band.
pub(super) type Edges = (f64, f64);

/// The changes of all series of a counter, in order.
#[derive(Debug)]
pub(super) struct Changes {
    /// Time, number among its series' changes at that time, series, value.
    list: Vec<(Ns, u32, u32, f64)>,
    series: usize,
}

impl Changes {
    /// Collects the changes of all series. Changes of several series at the same time are one step: first the first
    /// changes of all series together, then the second ones, and so on.
    pub(super) fn for_counter(counter: &Counter, transform: &ValueTransform) -> Self {
        let mut list = Vec::new();
        for series in 0..counter.series.len() {
            let mut before = (Ns(i64::MIN), 0);
            for (time, value) in transform.shown(counter, series) {
                before = (time, if before.0 == time { before.1 + 1 } else { 0 });
                list.push((time, before.1, u32::try_from(series).unwrap_or(u32::MAX), value));
            }
        }
        list.sort_by_key(|change| (change.0, change.1, change.2));
        Self { list, series: counter.series.len() }
    }

    /// Number of bands: one per series, up to [`MAX_BANDS`].
    pub(super) fn bands(&self) -> usize {
        self.series.min(MAX_BANDS)
    }

    /// Number of steps.
    pub(super) fn steps(&self) -> usize {
        self.list.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)).count()
    }

    /// Calls `each` with the time and the edges of all bands of every step.
    pub(super) fn replay(&self, mut each: impl FnMut(Ns, &[Edges])) {
        let own = self.series.min(MAX_BANDS - 1);
        let mut values = vec![0.0_f64; own];
        let mut rest = SumTree::new(self.series - own);
        let mut edges = vec![(0.0, 0.0); self.bands()];
        for step in self.list.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            for (_, _, series, value) in step {
                match values.get_mut(*series as usize) {
                    Some(slot) => *slot = *value,
                    None => rest.set(*series as usize - own, *value),
                }
            }
            let (mut below, mut above) = (0.0, 0.0);
            let parts = values.iter().map(|value| (value.min(0.0), value.max(0.0)));
            for (edge, part) in edges.iter_mut().zip(parts.chain([rest.total()])) {
                (below, above) = (below + part.0, above + part.1);
                *edge = (below, above);
            }
            each(step[0].0, &edges);
        }
    }
}

/// Sums of the negative and of the positive values of a list in which single values change. It is a tree of sums,
/// because adding and subtracting would accumulate rounding errors.
#[derive(Debug)]
struct SumTree {
    leaves: usize,
    nodes: Vec<Edges>,
}

impl SumTree {
    fn new(count: usize) -> Self {
        let leaves = count.next_power_of_two();
        Self { leaves, nodes: vec![(0.0, 0.0); 2 * leaves] }
    }

    fn set(&mut self, index: usize, value: f64) {
        let mut node = self.leaves + index;
        self.nodes[node] = (value.min(0.0), value.max(0.0));
        while node > 1 {
            node /= 2;
            let (left, right) = (self.nodes[2 * node], self.nodes[2 * node + 1]);
            self.nodes[node] = (left.0 + right.0, left.1 + right.1);
        }
    }

    fn total(&self) -> Edges {
        self.nodes[1]
    }
}

/// Maximum number of bands of a stack; the remaining series share the last one.
pub const MAX_BANDS: usize = 8;
