//! CPU use of a thread over time, by category: steps of percentages, with the minimum and maximum of any range of
//! steps.
//!
//! A sample owns the time from the midpoint between the previous sample and itself to the midpoint between itself and
//! the next sample; without times, it owns its own length. Before the sample, CPU use is that of the interval that ends at
//! the sample; after it, that of the interval that begins there. Where it is unknown, the graph has a gap. Without CPU times, a thread is busy whenever a sample has
//! a stack that is not idle. Each sample has one category, that of its stack, so each step has one color. Idle categories
//! count as 0.
//!
//! Running sums by color, stored at every 64th step, yield the shares of categories in any range in constant time.

use rayon::prelude::*;

use super::cpu::{per_cent, percent_before, reference_per_ms};
use super::steps::{BLOCK, COLORS, Shares, Steps};
use crate::colors::category_entry;
use crate::counters::{Extent, ExtentTree, TickTree};
use crate::rows::Clock;
use crate::samples::trees::default_category;
use flowline_profile::persist::persist;
use flowline_profile::samples::NONE;
use flowline_profile::{
    Category, CategoryId, Column, Ns, Profile, SampleTable, StackId, Thread, ThreadId, parallel_chunk_size,
};

/// The tracks of all threads.
#[derive(Clone, Debug, Default)]
pub struct CpuTracks(Vec<Option<Box<CpuTrack>>>);
persist!(CpuTracks(threads));

impl CpuTracks {
    /// Builds the tracks of all threads with useful samples, in parallel.
    #[must_use]
    #[inline]
    pub fn build(profile: &Profile, clock: Clock) -> Self {
        let source = TrackSource::new(profile, clock);
        let threads = profile.threads.par_iter().with_max_len(parallel_chunk_size(profile.threads.len()));
        Self(threads.map(|thread| CpuTrack::build(&source, thread).map(Box::new)).collect())
    }

    /// Track of a thread; `None` if the thread has no useful samples.
    #[must_use]
    #[inline]
    pub fn get(&self, thread: ThreadId) -> Option<&CpuTrack> {
        self.0.get(thread.index())?.as_deref()
    }

    /// True if no thread has a track.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(Option::is_none)
    }

    pub(crate) fn is_consistent(&self, threads: usize) -> bool {
        self.0.len() == threads && self.0.iter().flatten().all(|track| track.is_consistent())
    }

    /// Heap memory in bytes.
    #[must_use]
    #[inline]
    pub fn bytes(&self) -> usize {
        self.0.iter().flatten().map(|track| track.bytes()).sum()
    }
}

/// The common inputs of all tracks of a recording.
struct TrackSource<'a> {
    profile: &'a Profile,
    clock: Clock,
    reference: Option<f64>,
    /// By category: palette entry, `None` for idle ones.
    colors: Vec<Option<u8>>,
    default_category: u16,
    /// Number of frames of each stack.
    depths: Vec<u32>,
}

impl<'a> TrackSource<'a> {
    fn new(profile: &'a Profile, clock: Clock) -> Self {
        let mut depths: Vec<u32> = Vec::with_capacity(profile.stacks.len());
        for &prefix in &profile.stacks.prefix {
            depths.push(depths.get(prefix as usize).map_or(1, |depth| depth.saturating_add(1)));
        }
        let color = |category: &Category| (category.name != "Idle").then(|| category_entry(category));
        let colors = profile.categories.iter().map(color).collect();
        let default_category = default_category(profile);
        Self { profile, clock, reference: reference_per_ms(profile), colors, default_category, depths }
    }

    /// Palette entry of a sample's stack; `None` if it is idle.
    fn color(&self, stack: Option<StackId>) -> Option<u8> {
        let category = stack.map_or(self.default_category, |stack| self.profile.stacks.category[stack.index()]);
        self.colors.get(usize::from(category)).copied().unwrap_or(Some(0))
    }
}

/// CPU use of a thread at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CpuUseAt {
    /// Percentage of a core; `None` if it is unknown.
    pub percent: Option<u8>,
    /// The sample that owns the time.
    pub sample: usize,
    /// Category of the sample's stack; `None` without a stack.
    pub category: Option<CategoryId>,
}

/// CPU use of a thread over time.
#[derive(Clone, Debug)]
pub struct CpuTrack {
    ticks: TickTree,
    /// Percentages.
    heights: ExtentTree,
    colors: Column<u8>,
    /// Shares of all steps before every [`BLOCK`]th one.
    sums: Column<Shares>,
    /// CPU time per millisecond at 100 percent; 0 if there are no CPU times.
    reference: f64,
    /// Number of samples.
    pub samples: u64,
    /// Number of samples without a stack.
    pub without_stack: u64,
    /// Maximum depth of calls; 0 if the stacks are useless because all consist of the same single function.
    pub depth: u32,
}
persist!(CpuTrack { ticks, heights, colors, sums, reference, samples, without_stack, depth });

impl CpuTrack {
    fn build(source: &TrackSource<'_>, thread: &Thread) -> Option<Self> {
        let samples = thread.samples.as_ref().filter(|samples| samples.has_calls())?;
        let table = &samples.cpu;
        let depth = match &samples.calls {
            Some(calls) => calls.depth.iter().max().map_or(0, |depth| depth.saturating_add(1)),
            None => depth(source, table),
        };
        let reference = source.reference.filter(|_| table.has_cpu_deltas());
        if depth == 0 && reference.is_none() {
            return None;
        }
        let percents = reference.and_then(|reference| per_cent(table, reference));
        let mut steps = Steps::default();
        visit_spans(source, table, percents.as_deref(), |time, height, color| {
            steps.push(source.clock.tick(time), height, color);
        });
        Some(Self {
            reference: reference.unwrap_or(0.0),
            samples: table.len() as u64,
            without_stack: table.stack.iter().filter(|stack| **stack == NONE).count() as u64,
            depth,
            sums: steps.sums().into(),
            ticks: TickTree::new(steps.ticks.into()),
            heights: ExtentTree::new(steps.heights),
            colors: steps.colors.into(),
        })
    }

    /// A track of steps that were not derived from samples.
    pub(super) fn of_steps(steps: Steps) -> Self {
        Self {
            reference: 0.0,
            samples: 0,
            without_stack: 0,
            depth: 0,
            sums: steps.sums().into(),
            ticks: TickTree::new(steps.ticks.into()),
            heights: ExtentTree::new(steps.heights),
            colors: steps.colors.into(),
        }
    }

    /// Ticks of the steps, ascending.
    #[must_use]
    #[inline]
    pub const fn tick_tree(&self) -> &TickTree {
        &self.ticks
    }

    /// Minimum and maximum percentage of the steps `from..to`.
    #[must_use]
    #[inline]
    pub fn extent(&self, from: usize, to: usize) -> Extent {
        self.heights.extent(from, to)
    }

    /// Busy time of the steps `from..to`, which are those of the ticks `first..end`, by palette entry.
    #[must_use]
    pub fn shares(&self, (from, to): (usize, usize), (first, end): (u64, u64)) -> Shares {
        let ticks = self.ticks.all();
        let mut shares = if to - from <= BLOCK { self.sum(from, to) } else { self.difference(from, to) };
        // Remove the parts of the first and last steps outside the ticks.
        let mut cut = |step: usize, outside: u64| {
            let share = &mut shares[self.color(step)];
            *share = share.saturating_sub(outside * self.height(step));
        };
        if from < to {
            cut(from, first.saturating_sub(ticks[from]));
            cut(to - 1, self.end_of(to - 1).saturating_sub(end.max(ticks[to - 1])));
        }
        // A spike of zero length has a color, too.
        if shares.iter().all(|share| *share == 0) {
            let lit = (from..to).take(BLOCK).find(|step| self.height(*step) > 0);
            lit.into_iter().for_each(|step| shares[self.color(step)] = 1);
        }
        shares
    }

    /// Color of a step as shares.
    #[must_use]
    #[inline]
    pub fn color_of(&self, step: usize) -> Shares {
        let mut shares = [0; COLORS];
        shares[self.color(step)] = 1;
        shares
    }

    fn difference(&self, from: usize, to: usize) -> Shares {
        let (low, high) = (self.busy_before(from), self.busy_before(to));
        std::array::from_fn(|color| high[color].saturating_sub(low[color]))
    }

    /// Busy time of all steps before a step, from the nearest stored sum.
    pub(super) fn busy_before(&self, step: usize) -> Shares {
        let block = step / BLOCK;
        let mut rest: Shares = [0; COLORS];
        match self.sums.get(block + 1).filter(|_| step % BLOCK > BLOCK / 2) {
            Some(after) => {
                self.add_steps((step, (block + 1) * BLOCK), &mut rest);
                std::array::from_fn(|color| after[color] - rest[color])
            }
            None => {
                self.add_steps((block * BLOCK, step), &mut rest);
                std::array::from_fn(|color| self.sums[block][color] + rest[color])
            }
        }
    }

    /// Busy time of the steps `from..to`, summed one by one.
    fn sum(&self, from: usize, to: usize) -> Shares {
        let mut shares = [0; COLORS];
        self.add_steps((from, to), &mut shares);
        shares
    }

    /// Adds the busy time of the steps `from..to`, one by one.
    pub(super) fn add_steps(&self, (from, to): (usize, usize), shares: &mut Shares) {
        // The last step of a track has no length.
        let ticks = &self.ticks.all()[from..self.ticks.all().len().min(to + 1)];
        for (step, pair) in (from..).zip(ticks.windows(2)) {
            shares[self.color(step)] += (pair[1] - pair[0]) * self.height(step);
        }
    }

    #[inline]
    pub(super) fn end_of(&self, step: usize) -> u64 {
        let ticks = self.ticks.all();
        ticks.get(step + 1).copied().unwrap_or(ticks[step])
    }

    #[inline]
    pub(super) fn color(&self, step: usize) -> usize {
        usize::from(self.colors[step]) % COLORS
    }

    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a whole number of at most 100")]
    #[inline]
    pub(super) fn height(&self, step: usize) -> u64 {
        self.heights.get(step) as u64
    }

    /// CPU use at a time; `None` before the first and after the last sample.
    #[must_use]
    pub fn at(&self, profile: &Profile, thread: ThreadId, time: Ns) -> Option<CpuUseAt> {
        let table = &profile.thread(thread).samples.as_ref()?.cpu;
        let after = table.time.partition_point(|other| *other <= time);
        let span = |sample: usize| owned(profile, table, sample);
        let is_owner = |sample: &usize| span(*sample).is_some_and(|(from, to)| from <= time && time < to);
        let sample = [after.checked_sub(1), Some(after)].into_iter().flatten().find(is_owner)?;
        let measured = self.reference > 0.0;
        let at_time = || match (time < table.time[sample], sample + 1 < table.len()) {
            (true, _) => percent_before(table, sample, self.reference),
            (false, true) => percent_before(table, sample + 1, self.reference),
            (false, false) => Some(0),
        };
        let category = table.stack(sample).map(|stack| profile.stacks.category_of(stack));
        Some(CpuUseAt { percent: measured.then(at_time).flatten(), sample, category })
    }

    fn is_consistent(&self) -> bool {
        let steps = self.ticks.all().len();
        self.heights.len() == steps && self.colors.len() == steps && self.sums.len() == steps / BLOCK + 1
    }

    fn bytes(&self) -> usize {
        self.ticks.bytes() + self.heights.bytes() + self.colors.heap_bytes() + self.sums.heap_bytes()
    }
}

/// Maximum number of frames of a sampled stack; 0 if all stacks consist of the same single function, or there are none.
fn depth(source: &TrackSource<'_>, table: &SampleTable) -> u32 {
    let depth = (0..table.len()).filter_map(|sample| table.stack(sample)).map(|stack| source.depths[stack.index()]);
    let most = depth.max().unwrap_or(0);
    // Without times, the weight of a single function is all that the recording states.
    if most > 1 || !source.profile.meta.capabilities.axis.is_time() {
        return most;
    }
    let funcs =
        (0..table.len()).filter_map(|sample| table.stack(sample)).map(|stack| source.profile.stacks.func(stack));
    let mut funcs = funcs.peekable();
    let first = funcs.peek().copied();
    u32::from(funcs.any(|func| Some(func) != first))
}

/// Time that a sample owns.
fn owned(profile: &Profile, table: &SampleTable, sample: usize) -> Option<(Ns, Ns)> {
    let middle = |from: Ns, to: Ns| from + Ns((to - from).0 / 2);
    let own = *table.time.get(sample)?;
    if !profile.meta.capabilities.axis.is_time() {
        return Some((own, own + profile.sample_length(table, sample)));
    }
    let interval = profile.meta.interval;
    let before = sample.checked_sub(1).map_or(own - interval, |before| table.time[before]);
    let next = table.time.get(sample + 1).map_or(own + interval, |next| *next);
    Some((middle(before, own), middle(own, next)))
}

/// Calls `each` with the start, percentage and palette entry of each span that is not empty, then with a final 0 at the
/// end.
fn visit_spans(
    source: &TrackSource<'_>,
    table: &SampleTable,
    percents: Option<&[u8]>,
    mut each: impl FnMut(Ns, u8, u8),
) {
    let mut until = None;
    for sample in 0..table.len() {
        let Some((from, to)) = owned(source.profile, table, sample) else { return };
        let stack = table.stack(sample);
        let (before, after) = match percents {
            Some(percents) => (percents[sample], percents.get(sample + 1).copied().unwrap_or(0)),
            None => [(0, 0), (100, 100)][usize::from(stack.is_some())],
        };
        let color = source.color(stack);
        for (start, end, percent) in [(from, table.time[sample], before), (table.time[sample], to, after)] {
            if end > start {
                each(start, if color.is_some() { percent } else { 0 }, color.unwrap_or(0));
                until = Some(end);
            }
        }
    }
    if let Some(until) = until {
        each(until, 0, 0);
    }
}
