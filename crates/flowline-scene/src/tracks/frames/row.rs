//! The frames of a process as a row: where each is drawn, and the worst state within any part of the row.

use std::collections::BTreeMap;

use flowline_index::{Derived, Index};
use flowline_insights::frames::{FrameState, Frames, PageFrame};
use flowline_profile::{ProcessId, ThreadId, TimeRange};

/// How bad a frame is; a pixel column shows the worst one in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Severity {
    /// Nothing was to be shown.
    #[default]
    Idle,
    /// Shown, without new content of a page (Firefox).
    Composited,
    /// Shown.
    Good,
    /// Shown without the changes of the main thread.
    Partial,
    /// Shown too late.
    Late,
    /// Not shown.
    Dropped,
}

impl Severity {
    pub(super) fn of(frame: &PageFrame) -> Self {
        match frame.state {
            FrameState::Dropped | FrameState::Missed => Self::Dropped,
            FrameState::Idle => Self::Idle,
            _ if frame.is_late => Self::Late,
            FrameState::Partial => Self::Partial,
            FrameState::Shown if frame.content == Some(0) => Self::Composited,
            FrameState::Shown => Self::Good,
        }
    }
}

/// How much a frame matters where several share a column: its severity, then its length in ticks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Weight(Severity, u64);

/// Number of children of a node of the tree of maxima.
const FAN: usize = 16;

/// Numbers of frames.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct RowCounts {
    /// Those with something to show.
    pub(super) all: u64,
    pub(super) late: u64,
    /// Those that were shown without the changes of the main thread.
    pub(super) partial: u64,
    /// Those that were dropped or missed.
    pub(super) dropped: u64,
}

/// The frames of a process by start, as columns.
#[derive(Clone, Debug, Default)]
pub(super) struct FrameRow {
    /// Position of each frame in the list of all.
    numbers: Vec<u32>,
    starts: Vec<u64>,
    /// Ends of the drawn boxes: a frame is drawn until the next one begins.
    ends: Vec<u64>,
    /// Weights, and above them the maxima of [`FAN`] each.
    levels: Vec<Vec<Weight>>,
    /// Numbers of its frames.
    pub(super) counts: RowCounts,
    /// The thread whose work the frames show, if they state it.
    pub(super) main: Option<ThreadId>,
}

impl FrameRow {
    /// A row of frames, given by position and ascending by start.
    fn new(index: &Index, frames: &Frames, numbers: Vec<u32>) -> Self {
        let clock = index.clock();
        let of = |number: &u32| &frames.list()[*number as usize];
        let starts: Vec<u64> = numbers.iter().map(|number| clock.tick(of(number).times.start)).collect();
        let mut ends: Vec<u64> = numbers.iter().map(|number| clock.tick(of(number).times.end)).collect();
        for (end, next) in ends.iter_mut().zip(starts.iter().skip(1)) {
            *end = (*end).min(*next);
        }
        let severities: Vec<Severity> = numbers.iter().map(|number| Severity::of(of(number))).collect();
        let count = |wanted: Severity| severities.iter().filter(|own| **own == wanted).count() as u64;
        let counts = RowCounts {
            all: severities.len() as u64 - count(Severity::Idle),
            late: count(Severity::Late),
            // One that is late, too, counts twice, as in the figures of the page.
            partial: numbers.iter().filter(|number| of(number).state == FrameState::Partial).count() as u64,
            dropped: count(Severity::Dropped),
        };
        let main = main_thread(numbers.iter().map(of));
        let levels = levels(&starts, &ends, &severities);
        Self { numbers, starts, ends, levels, counts, main }
    }

    /// A row of frames given by start, end and severity.
    #[cfg(test)]
    pub(super) fn of_ticks(frames: impl Iterator<Item = (u64, u64, Severity)>) -> Self {
        let mut row = Self::default();
        let mut severities = Vec::new();
        for (number, (start, end, severity)) in (0..).zip(frames) {
            row.numbers.push(number);
            row.starts.push(start);
            row.ends.push(end);
            severities.push(severity);
        }
        Self { levels: levels(&row.starts, &row.ends, &severities), ..row }
    }

    pub(super) fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Position in the list of all frames.
    pub(super) fn number(&self, at: usize) -> u32 {
        self.numbers[at]
    }

    /// All positions in the list of all frames.
    pub(super) fn numbers(&self) -> &[u32] {
        &self.numbers
    }

    /// The place of a frame on the row, by its position in the list of all frames.
    pub(super) fn find(&self, number: u32) -> Option<usize> {
        self.numbers.binary_search(&number).ok()
    }

    /// The ticks of a drawn box.
    pub(super) fn ticks(&self, at: usize) -> (u64, u64) {
        (self.starts[at], self.ends[at].max(self.starts[at]))
    }

    pub(super) fn severity(&self, at: usize) -> Severity {
        self.levels[0][at].0
    }

    /// The first frame that reaches a tick.
    pub(super) fn first_at(&self, tick: u64) -> usize {
        self.starts.partition_point(|start| *start <= tick).saturating_sub(1)
    }

    /// The first frame that begins at or after a tick.
    pub(super) fn first_from(&self, tick: u64) -> usize {
        self.starts.partition_point(|start| *start < tick)
    }

    /// The worst frame of some in succession; of several, the longest, and of these the first.
    pub(super) fn worst(&self, from: usize, end: usize) -> usize {
        let worst = self.worst_in(0, from, end);
        self.find_in(self.levels.len() - 1, worst, (from, end)).unwrap_or(from)
    }

    fn worst_in(&self, level: usize, from: usize, end: usize) -> Weight {
        let own = &self.levels[level];
        let max = |from: usize, end: usize| own[from..end.max(from)].iter().copied().max().unwrap_or_default();
        let (first, last) = (from.div_ceil(FAN), end / FAN);
        if level + 1 >= self.levels.len() || first >= last {
            return max(from, end);
        }
        let inner = self.worst_in(level + 1, first, last);
        inner.max(max(from, first * FAN)).max(max(last * FAN, end))
    }

    /// The first frame of a weight within a range, below the nodes of a level that reach it.
    fn find_in(&self, level: usize, wanted: Weight, (from, end): (usize, usize)) -> Option<usize> {
        let width = FAN.pow(u32::try_from(level).unwrap_or(0));
        let (first, last) = (from / width, end.div_ceil(width).min(self.levels[level].len()));
        if level == 0 {
            return (from..end.min(self.len())).find(|at| self.levels[0][*at] == wanted);
        }
        let mut nodes = (first..last).filter(|node| self.levels[level][*node] >= wanted);
        nodes.find_map(|node| {
            let inside = (from.max(node * width), end.min((node + 1) * width));
            self.find_in(level - 1, wanted, inside)
        })
    }

    /// The frames for which `is_wanted` is true.
    pub(super) fn filtered(&self, index: &Index, frames: &Frames, is_wanted: impl Fn(&PageFrame) -> bool) -> Self {
        let own = self.numbers.iter().copied().filter(|number| is_wanted(&frames.list()[*number as usize]));
        Self::new(index, frames, own.collect())
    }
}

/// The thread whose work frames show.
fn main_thread<'a>(mut frames: impl Iterator<Item = &'a PageFrame>) -> Option<ThreadId> {
    frames.find_map(|frame| frame.main_work).map(|(thread, _): (ThreadId, TimeRange)| thread)
}

/// The weights of frames, and above them their maxima.
fn levels(starts: &[u64], ends: &[u64], severities: &[Severity]) -> Vec<Vec<Weight>> {
    let times = starts.iter().zip(ends);
    let weights = times.zip(severities).map(|((start, end), own)| Weight(*own, end.saturating_sub(*start)));
    let mut levels: Vec<Vec<Weight>> = vec![weights.collect()];
    while let Some(last) = levels.last().filter(|last| last.len() > FAN) {
        let next = last.chunks(FAN).map(|part| part.iter().copied().max().unwrap_or_default()).collect();
        levels.push(next);
    }
    levels
}

/// The rows of all processes with frames.
#[derive(Clone, Debug, Default)]
pub(super) struct FrameRows(BTreeMap<ProcessId, FrameRow>);

impl FrameRows {
    /// The row of a process.
    pub(super) fn row(&self, process: ProcessId) -> Option<&FrameRow> {
        self.0.get(&process)
    }

    /// The rows with their processes.
    pub(super) fn iter(&self) -> impl Iterator<Item = (ProcessId, &FrameRow)> {
        self.0.iter().map(|(process, row)| (*process, row))
    }

    /// The row of a frame.
    pub(super) fn row_of(&self, number: u32) -> Option<(ProcessId, &FrameRow)> {
        self.iter().find(|(_, row)| row.find(number).is_some())
    }
}

impl Derived for FrameRows {
    fn derive(index: &Index) -> Self {
        let (profile, frames) = (index.profile(), Frames::of(index));
        // Firefox composites the frames of all pages in one process. They are shown with the page.
        let page = if profile.source.holds_events() { None } else { index.page_process() };
        let mut numbers: BTreeMap<ProcessId, Vec<u32>> = BTreeMap::new();
        for (number, frame) in (0_u32..).zip(frames.list()) {
            let process = frame.page.or(page).unwrap_or_else(|| profile.thread(frame.thread).process);
            numbers.entry(process).or_default().push(number);
        }
        Self(numbers.into_iter().map(|(process, own)| (process, FrameRow::new(index, frames, own))).collect())
    }
}
