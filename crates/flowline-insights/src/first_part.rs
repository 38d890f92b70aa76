//! The part of a recording to look at first: the load of its page, a step of a training loop, or the part with nearly all
//! events. The window shows it when it opens the recording.
//!
//! A page load begins at its navigation. It ends at the latest of `load`, the largest contentful paint, the paint after the
//! slowest interaction, and the paints of soft navigations, so that everything that rates the page is in view. A tenth of the
//! length follows. The first step of a training loop is the warm-up, and a recording may begin or end within a step, so the
//! first one after it is chosen that is not shorter than half the median and has not less than half the median of work.

use flowline_index::{Derived, Index};
use flowline_profile::{Ns, Profile, ThreadId, TimeRange};

use crate::interactions::Interactions;
use crate::page_load::{MainLoad, MilestoneKind, Milestones};
use crate::training_steps::{may_have_steps, training_steps};

/// The part is of use if it leaves out at least this share of the recording: one in so many.
const LEAST_LEFT_OUT: i64 = 10;

/// The subject of the part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PartSubject {
    /// The load of a page.
    PageLoad,
    /// A step of a training loop, with its name.
    Step(String),
    /// The part with nearly all events.
    MostEvents,
}

/// A part of a recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstPart {
    /// Its subject.
    pub subject: PartSubject,
    /// Its time.
    pub range: TimeRange,
}

/// The part of a recording to look at first, if there is one that is shorter than the recording.
#[derive(Clone, Debug, Default)]
pub struct FirstParts {
    part: Option<FirstPart>,
}

impl FirstParts {
    /// True if a recording may have a first part. This reads no markers.
    #[must_use]
    pub fn may_have(index: &Index) -> bool {
        Milestones::may_have(index.profile()) || may_have_steps(index.profile()) || index.events_part().is_some()
    }

    /// The part.
    #[must_use]
    pub const fn part(&self) -> Option<&FirstPart> {
        self.part.as_ref()
    }
}

impl Derived for FirstParts {
    fn derive(index: &Index) -> Self {
        let whole = index.whole_view();
        let most = index.events_part().map(|range| FirstPart { subject: PartSubject::MostEvents, range });
        let part = page_load(index).or_else(|| full_step(index.profile())).or(most);
        let cut = |part: FirstPart| {
            let (start, end) = (part.range.start.max(whole.start), part.range.end.min(whole.end));
            (start < end).then(|| FirstPart { range: TimeRange::new(start, end), ..part })
        };
        let is_shorter = |part: &FirstPart| {
            let left_out = whole.len().saturating_sub(part.range.len());
            left_out >= whole.len() / LEAST_LEFT_OUT
        };
        Self { part: part.and_then(cut).filter(is_shorter) }
    }
}

/// The load of the recording's main page.
fn page_load(index: &Index) -> Option<FirstPart> {
    let load = MainLoad::of(index);
    let navigation = load.milestone(None, MilestoneKind::Navigation)?;
    let start = navigation.time?;
    let time = |kind: MilestoneKind| load.milestone(None, kind)?.time;
    let complete = time(MilestoneKind::Load).max(time(MilestoneKind::LargestContentfulPaint))?;
    let slowest = Interactions::of(index).inp(navigation.navigation).and_then(|slowest| slowest.end);
    let soft = Milestones::of(index).all().iter().filter(|own| own.is_soft && own.page == navigation.page);
    let soft = soft.filter(|own| own.kind != MilestoneKind::Navigation).filter_map(|own| own.time).max();
    let end = [slowest, soft].into_iter().flatten().fold(complete, Ns::max);
    let part = |end: Ns| FirstPart { subject: PartSubject::PageLoad, range: TimeRange::new(start, end) };
    (end > start).then(|| part(Ns(end.0.saturating_add((end - start).0 / 10))))
}

/// The first full step of a training loop after the first one, or else the first one.
fn full_step(profile: &Profile) -> Option<FirstPart> {
    let steps = training_steps(profile);
    let lengths: Vec<i64> = steps.iter().map(|step| step.range.len()).collect();
    let contents: Vec<i64> = steps.iter().map(|step| markers_in(profile, step.range)).collect();
    let is_full = |values: &[i64], at: usize| values[at].saturating_mul(2) >= median(values);
    let chosen = (1..steps.len()).find(|at| is_full(&lengths, *at) && is_full(&contents, *at))?;
    let step = &steps[chosen];
    Some(FirstPart { subject: PartSubject::Step(step.name.to_owned()), range: step.range })
}

fn median(values: &[i64]) -> i64 {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    sorted.get(sorted.len() / 2).copied().unwrap_or(0)
}

/// Number of markers that begin within a range.
fn markers_in(profile: &Profile, range: TimeRange) -> i64 {
    let threads = (0..profile.threads.len()).map(ThreadId::new);
    let counts = threads.map(|thread| {
        let times = profile.thread(thread).markers.times();
        times.partition_point(|start| start < range.end) - times.partition_point(|start| start < range.start)
    });
    i64::try_from(counts.sum::<usize>()).unwrap_or(i64::MAX)
}
