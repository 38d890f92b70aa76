//! The time of the selected marker by kind of work, and the style and layout work that scripts inside it forced.
//!
//! A slice of a trace is divided among itself and the slices inside it, by self time. Other markers are divided by the
//! samples that their thread took meanwhile, like summaries of ranges. Both cost as much as there is inside the marker, so only a short one is
//! analyzed at once; the pool analyzes the others.

use std::sync::Arc;

use crate::tasks::{Job, PoolTask, Task, Wake};
use flowline_index::Index;
use flowline_index::nesting::{is_nested, visit_self_times};
use flowline_index::statistics::kind_times;
use flowline_profile::{Kind, LocalMarker, MarkerId, Ns, Thread, ThreadId, TimeRange};

/// Maximum number of markers and samples inside a marker that is analyzed within a frame.
const QUICK: usize = 3_000;

/// Least number of samples that divide a marker.
const LEAST_SAMPLES: usize = 3;

/// The time of one kind of work inside a marker.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KindShare {
    /// The kind.
    pub kind: Kind,
    /// Nanoseconds.
    pub ns: i64,
    /// Share of the marker's time, 0 to 1.
    pub share: f64,
}

/// Nanoseconds by palette entry of the kind.
type Sums = [i64; Kind::ALL.len()];

/// The kind with a palette entry. Entries that are no kind are shades of the unknown.
pub(super) fn kind_of(entry: u8) -> Kind {
    Kind::from_entry(entry).unwrap_or_default()
}

/// Style and layout work that scripts forced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ForcedWork {
    /// Number of slices, without those inside another one.
    pub count: usize,
    /// Sum of their durations in nanoseconds.
    pub ns: i64,
    /// The longest of them.
    pub longest: Option<LocalMarker>,
    /// Duration of the longest in nanoseconds.
    longest_ns: i64,
}

/// The contents of a marker.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SliceAnalysis {
    /// Shares by kind, largest first. Empty if nothing is known about the inside of the marker.
    pub kinds: Vec<KindShare>,
    /// Work that a script inside the marker, or the marker itself, forced.
    pub forced: ForcedWork,
}

/// True for the name of a slice in which a script runs.
pub(super) fn is_script(name: &str) -> bool {
    matches!(
        name,
        "RunMicrotasks" | "FunctionCall" | "EvaluateScript" | "v8.evaluateModule" | "EventDispatch" | "V8.Execute"
    ) || name.starts_with("v8")
        || name.starts_with("V8")
}

/// True for the name of a slice of style or layout work.
pub(super) fn is_style_or_layout(name: &str) -> bool {
    matches!(name, "Layout" | "UpdateLayoutTree" | "RecalculateStyles")
}

/// The markers of a thread that start in a range, its end included.
fn starting_in(thread: &Thread, range: TimeRange) -> std::ops::Range<usize> {
    let times = thread.markers.times();
    times.partition_point(|start| start < range.start)..times.partition_point(|start| start <= range.end)
}

impl SliceAnalysis {
    /// The analysis of a marker; `None` once `keep_going` returns false.
    fn new(index: &Index, (id, local): (ThreadId, LocalMarker), keep_going: &dyn Fn() -> bool) -> Option<Self> {
        let thread = index.profile().thread(id);
        let range = TimeRange::new(thread.markers.start(local), thread.markers.end(local));
        if range.is_empty() {
            return Some(Self::default());
        }
        if !is_nested(thread, local) {
            // Requests and messages do not keep their thread busy.
            let kind = kind_of(index.source().styles.get(thread.global(local)).color());
            let is_elsewhere = matches!(kind, Kind::Network | Kind::Ipc);
            let kinds = if is_elsewhere { Vec::new() } else { sampled(index, id, range) };
            return Some(Self { kinds, forced: ForcedWork::default() });
        }
        let inside = starting_in(thread, range);
        let sampled = sampled(index, id, range);
        let kinds = if sampled.is_empty() {
            nested(index, (thread, local), inside.clone(), range, keep_going)?
        } else {
            sampled
        };
        let scripted = index.profile().source.holds_events();
        let forced = if scripted { forced_in(index, (id, local), inside, range) } else { ForcedWork::default() };
        Some(Self { kinds, forced })
    }
}

/// The self times of a slice and of those inside it, by kind.
fn nested(
    index: &Index,
    (thread, local): (&Thread, LocalMarker),
    inside: std::ops::Range<usize>,
    range: TimeRange,
    keep_going: &dyn Fn() -> bool,
) -> Option<Vec<KindShare>> {
    let group = |marker: LocalMarker| thread.groups.get(marker.index());
    let mut sums = Sums::default();
    visit_self_times(thread, inside, Some(range), keep_going, |marker, time| {
        // The others start in the range but are no part of the slice.
        if thread.markers.end(marker) <= range.end && group(marker) == group(local) && is_nested(thread, marker) {
            let sum = &mut sums[kind_of(index.source().styles.get(thread.global(marker)).color()) as usize];
            *sum = sum.saturating_add(time.0);
        }
    })?;
    Some(shares(&sums, range.len()))
}

/// The time of the samples of a thread in a range, by kind of their category. Idle samples are no work.
fn sampled(index: &Index, thread: ThreadId, range: TimeRange) -> Vec<KindShare> {
    // One or two samples state little about the marker.
    let within = |samples: &flowline_profile::ThreadSamples| {
        let before = |time: Ns| samples.cpu.time.partition_point(|other| *other < time);
        before(range.end) - before(range.start)
    };
    if index.profile().samples(thread).map_or(0, within) < LEAST_SAMPLES {
        return Vec::new();
    }
    let Some(times) = kind_times(index, thread, Some(range)) else { return Vec::new() };
    let mut sums = Sums::default();
    sums.iter_mut().zip(times).for_each(|(sum, time)| *sum = time.0);
    shares(&sums, range.len())
}

fn shares(sums: &Sums, length: i64) -> Vec<KindShare> {
    let share = |kind: Kind| {
        let ns = sums[kind as usize];
        #[expect(clippy::cast_precision_loss, reason = "a share")]
        let share = ns as f64 / length.max(1) as f64;
        KindShare { kind, ns, share }
    };
    let mut shares: Vec<KindShare> = Kind::ALL.into_iter().map(share).filter(|share| share.ns > 0).collect();
    shares.sort_by_key(|share| std::cmp::Reverse(share.ns));
    shares
}

/// Style and layout work inside scripts inside a slice.
fn forced_in(
    index: &Index,
    (id, local): (ThreadId, LocalMarker),
    inside: std::ops::Range<usize>,
    range: TimeRange,
) -> ForcedWork {
    let profile = index.profile();
    let thread = profile.thread(id);
    let name = |marker: LocalMarker| profile.marker_name(id, marker);
    let mut forced = ForcedWork::default();
    if is_style_or_layout(name(local)) {
        return forced;
    }
    let script = if is_script(name(local)) { range.end } else { range.start };
    let (mut script, mut counted) = (script, range.start);
    for marker in inside.map(LocalMarker::new).filter(|marker| *marker != local && is_nested(thread, *marker)) {
        let (start, end) = (thread.markers.start(marker), thread.markers.end(marker));
        if end > range.end {
            continue;
        }
        if is_script(name(marker)) {
            script = script.max(end);
        } else if is_style_or_layout(name(marker)) && end <= script && start >= counted {
            counted = end;
            let length = end.0 - start.0;
            forced.count += 1;
            forced.ns = forced.ns.saturating_add(length);
            if forced.longest.is_none() || length > forced.longest_ns {
                (forced.longest, forced.longest_ns) = (Some(marker), length);
            }
        }
    }
    forced
}

/// The analysis of the selected marker.
pub(crate) struct SliceAnalyses {
    task: Task<MarkerId, Option<SliceAnalysis>>,
    found: Option<(MarkerId, SliceAnalysis)>,
}

impl SliceAnalyses {
    /// `wake` is called when an analysis is ready.
    pub(crate) fn new(wake: Wake) -> Self {
        Self { task: Task::new(wake), found: None }
    }

    /// Analyzes a marker, if it differs from the previous one.
    pub(crate) fn follow(&mut self, index: &Arc<Index>, marker: MarkerId) {
        if self.found.as_ref().is_some_and(|(known, _)| *known == marker) || self.task.is_running_for(&marker) {
            return;
        }
        self.task.cancel();
        let Some((id, local)) = index.profile().locate(marker) else { return };
        let thread = index.profile().thread(id);
        let range = TimeRange::new(thread.markers.start(local), thread.markers.end(local));
        let samples = index.profile().samples_during(id, local).unwrap_or(0);
        if starting_in(thread, range).len() + samples <= QUICK {
            let analysis = SliceAnalysis::new(index, (id, local), &|| true).unwrap_or_default();
            self.found = Some((marker, analysis));
            return;
        }
        let index = Arc::clone(index);
        self.task.replace(marker, move |running| SliceAnalysis::new(&index, (id, local), &|| running.is_wanted()));
    }

    /// The analysis of a marker, once it is complete.
    pub(crate) fn of(&self, marker: MarkerId) -> Option<&SliceAnalysis> {
        self.found.as_ref().filter(|(known, _)| *known == marker).map(|(_, analysis)| analysis)
    }
}

impl Job for SliceAnalyses {
    fn tasks(&self) -> Vec<&dyn PoolTask> {
        vec![&self.task]
    }

    fn poll(&mut self, _index: &Arc<Index>) {
        while let Some((marker, analysis)) = self.task.poll() {
            self.found = Some((marker, analysis.unwrap_or_default()));
        }
    }
}
