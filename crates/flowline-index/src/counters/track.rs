//! The tracks of counters: bands of stacked series over time, in processes.

use rayon::prelude::*;

use super::extents::{Extent, ExtentTree};
use super::stack::{Changes, ValueTransform};
use super::ticks::TickTree;
use crate::colors::{color_index, color_of_name};
use crate::rows::Clock;
use flowline_profile::persist::persist;
use flowline_profile::{Counter, CounterId, Kind, Ns, ProcessId, Profile, parallel_chunk_size};

/// All counters of a recording.
#[derive(Debug, Default)]
pub struct Counters {
    tracks: Vec<CounterTrack>,
    /// Sorted by process, then by title; counters without a process come first.
    order: Vec<(Option<ProcessId>, CounterId)>,
}

persist!(Counters { tracks, order });

impl Counters {
    /// Builds all tracks, in parallel.
    #[must_use]
    pub fn build(profile: &Profile, clock: Clock) -> Self {
        let counters = profile.counters.par_iter().with_max_len(parallel_chunk_size(profile.counters.len()));
        let tracks = counters.map(|counter| CounterTrack::build(counter, clock));
        let tracks: Vec<CounterTrack> = tracks.collect();
        let numbered = profile.counters.iter().enumerate();
        let mut order: Vec<_> = numbered.map(|(number, counter)| (counter.process, CounterId::new(number))).collect();
        order.sort_by_cached_key(|(process, id)| (*process, profile.counters[id.index()].title().to_lowercase(), *id));
        Self { tracks, order }
    }

    /// Track of a counter.
    #[must_use]
    #[inline]
    pub fn track(&self, counter: CounterId) -> Option<&CounterTrack> {
        self.tracks.get(counter.index())
    }

    /// Counters of a process or, for `None`, of no process, sorted by title.
    #[inline]
    pub fn for_process(&self, process: Option<ProcessId>) -> impl ExactSizeIterator<Item = CounterId> + '_ {
        let first = self.order.partition_point(|(at, _)| *at < process);
        let count = self.order[first..].partition_point(|(at, _)| *at == process);
        self.order[first..first + count].iter().map(|(_, id)| *id)
    }

    /// True if there are tracks for `counters` counters and their columns are consistent with each other.
    pub(crate) fn is_consistent(&self, counters: usize) -> bool {
        let fits = |track: &CounterTrack| {
            let edges = |band: &Band| {
                std::iter::once(&band.upper)
                    .chain(&band.lower)
                    .all(|edge: &ExtentTree| edge.len() == track.ticks.all().len())
            };
            track.bands.iter().all(edges)
        };
        self.tracks.len() == counters && self.order.len() == counters && self.tracks.iter().all(fits)
    }

    /// Heap memory in bytes.
    #[must_use]
    #[inline]
    pub fn bytes(&self) -> usize {
        self.tracks.iter().map(CounterTrack::bytes).sum::<usize>() + self.order.capacity() * 12
    }
}

/// Extents of the edges of a band in a range of steps, as fractions of [`CounterTrack::unit`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BandExtent {
    /// Extent of the edge at or below zero.
    pub lower: Extent,
    /// Extent of the edge at or above zero.
    pub upper: Extent,
}

/// A band of a stack.
#[derive(Clone, Debug)]
struct Band {
    color: u8,
    upper: ExtentTree,
    /// Absent without negative values.
    lower: Option<ExtentTree>,
}

persist!(Band { color, upper, lower });

/// A counter's stack over time.
#[derive(Clone, Debug)]
pub struct CounterTrack {
    /// Ticks of the steps, ascending; several steps can have the same tick.
    ticks: TickTree,
    bands: Vec<Band>,
    range: (f64, f64),
    transform: ValueTransform,
}

persist!(CounterTrack { ticks, bands, range, transform });

impl CounterTrack {
    /// Builds the track of a counter.
    #[must_use]
    pub fn build(counter: &Counter, clock: Clock) -> Self {
        let transform = ValueTransform::for_counter(counter);
        let changes = Changes::for_counter(counter, &transform);
        let (bands, steps) = (changes.bands(), changes.steps());
        let mut range = (0.0_f64, 0.0_f64);
        changes.replay(|_, edges| {
            let (lower, upper) = edges.last().copied().unwrap_or_default();
            range = (range.0.min(lower), range.1.max(upper));
        });
        let unit = unit_of(range);
        let mut ticks = Vec::with_capacity(steps);
        let mut uppers: Vec<Vec<f32>> = (0..bands).map(|_| Vec::with_capacity(steps)).collect();
        let mut lowers = if range.0 < 0.0 { uppers.clone() } else { Vec::new() };
        changes.replay(|time, edges| {
            ticks.push(clock.tick(time));
            for (upper, edge) in uppers.iter_mut().zip(edges) {
                upper.push(part_of(edge.1, unit));
            }
            for (lower, edge) in lowers.iter_mut().zip(edges) {
                lower.push(part_of(edge.0, unit));
            }
        });
        let mut lowers = lowers.into_iter().map(ExtentTree::new);
        let band = |(upper, color)| Band { color, upper: ExtentTree::new(upper), lower: lowers.next() };
        let bands = uppers.into_iter().zip(colors(counter)).map(band).collect();
        Self { ticks: TickTree::new(ticks.into()), bands, range, transform }
    }

    /// Ticks of all steps, ascending.
    #[must_use]
    #[inline]
    pub fn ticks(&self) -> &[u64] {
        self.ticks.all()
    }

    /// Search tree of the ticks of all steps.
    #[must_use]
    #[inline]
    pub const fn tick_tree(&self) -> &TickTree {
        &self.ticks
    }

    /// Number of bands.
    #[must_use]
    #[inline]
    pub fn bands(&self) -> usize {
        self.bands.len()
    }

    /// Palette entry of a band.
    #[must_use]
    #[inline]
    pub fn color(&self, band: usize) -> u8 {
        self.bands[band].color
    }

    /// Palette entry of a series: that of its band.
    #[must_use]
    #[inline]
    pub fn series_color(&self, series: usize) -> u8 {
        self.bands.get(series).or(self.bands.last()).map_or(0, |band| band.color)
    }

    /// Minimum height (at most zero) and maximum height (at least zero) of the stack.
    #[must_use]
    #[inline]
    pub const fn range(&self) -> (f64, f64) {
        self.range
    }

    /// The unit of heights: the maximum absolute height, or 1 if all are zero.
    #[must_use]
    #[inline]
    pub fn unit(&self) -> f64 {
        unit_of(self.range)
    }

    /// Edges of a band in the steps `from..to`.
    #[must_use]
    #[inline]
    pub fn extent(&self, band: usize, from: usize, to: usize) -> BandExtent {
        let band = &self.bands[band];
        let lower = band.lower.as_ref().map_or(Extent::ZERO, |lower| lower.extent(from, to));
        BandExtent { lower, upper: band.upper.extent(from, to) }
    }

    /// Edges of a band at a step.
    #[must_use]
    #[inline]
    pub fn step(&self, band: usize, step: usize) -> BandExtent {
        let band = &self.bands[band];
        let lower = band.lower.as_ref().map_or(Extent::ZERO, |lower| Extent::from_value(lower.get(step)));
        BandExtent { lower, upper: Extent::from_value(band.upper.get(step)) }
    }

    /// Displayed value of a series at a time, with the recording's precision; `None` if it is unknown.
    #[must_use]
    #[inline]
    pub fn value(&self, counter: &Counter, series: usize, time: Ns) -> Option<f64> {
        self.transform.value(counter, series, time)
    }

    /// Displayed values of a series, each valid from its time on, without values that are not finite. The last rate is
    /// 0, because the rate after the last sample is unknown.
    #[must_use]
    #[inline]
    pub fn values(&self, counter: &Counter, series: usize) -> Vec<(Ns, f64)> {
        if series < counter.series.len() { self.transform.shown(counter, series) } else { Vec::new() }
    }

    /// Heap memory in bytes.
    #[must_use]
    #[inline]
    pub fn bytes(&self) -> usize {
        let band = |band: &Band| band.upper.bytes() + band.lower.as_ref().map_or(0, ExtentTree::bytes);
        self.ticks.bytes() + self.bands.iter().map(band).sum::<usize>()
    }
}

fn unit_of((least, most): (f64, f64)) -> f64 {
    let size = most.max(-least);
    if size > 0.0 { size } else { 1.0 }
}

/// A height as a fraction of the unit; only zero becomes zero.
#[expect(clippy::cast_possible_truncation, reason = "a fraction")]
fn part_of(height: f64, unit: f64) -> f32 {
    let part = (height / unit) as f32;
    if part == 0.0 && height != 0.0 { f32::MIN_POSITIVE.copysign(if height < 0.0 { -1.0 } else { 1.0 }) } else { part }
}

/// Colors of the bands: first the counter's color, or the color of its name, then the other colors in turn.
fn colors(counter: &Counter) -> impl Iterator<Item = u8> {
    let known = crate::COLOR_WORDS.contains(&counter.color.as_str());
    let own = if known { color_index(&counter.color) } else { color_of_name(counter.title()) };
    let hues = Kind::ALL.map(|kind| kind as u8);
    let first = hues.iter().position(|hue| *hue == own).map_or(0, |at| at + 1);
    let others = (0..hues.len()).map(move |step| hues[(first + step) % hues.len()]).filter(move |hue| *hue != own);
    std::iter::once(own).chain(others)
}
