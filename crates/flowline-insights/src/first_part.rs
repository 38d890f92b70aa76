//! The part of a recording to look at first: the load of its page, or the second step of a training loop. The window
//! shows it when it opens the recording.
//!
//! A page load begins at its navigation. In Firefox it ends at `load`; in Chrome, at the latest of `load`, the largest
//! contentful paint, and the paint after the slowest interaction. A tenth of the length follows. The first step of a
//! training loop is the warm-up, so the second one is chosen.

use flowline_index::{Derived, Index};
use flowline_profile::{Ns, Profile, TimeRange};

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
    pub fn may_have(profile: &Profile) -> bool {
        Milestones::may_have(profile) || may_have_steps(profile)
    }

    /// The part.
    #[must_use]
    pub const fn part(&self) -> Option<&FirstPart> {
        self.part.as_ref()
    }
}

impl Derived for FirstParts {
    fn derive(index: &Index) -> Self {
        let whole = index.first_view();
        let part = page_load(index).or_else(|| second_step(index.profile()));
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
    let is_trace = index.profile().source.holds_events();
    let time = |kind: MilestoneKind| load.milestone(None, kind)?.time;
    let painted = || time(MilestoneKind::LargestContentfulPaint);
    let complete = time(MilestoneKind::Load).max(is_trace.then(painted).flatten())?;
    let slowest = is_trace.then(|| Interactions::of(index).inp(navigation.navigation)).flatten();
    let end = slowest.and_then(|slowest| slowest.end).map_or(complete, |painted| painted.max(complete));
    let part = |end: Ns| FirstPart { subject: PartSubject::PageLoad, range: TimeRange::new(start, end) };
    (end > start).then(|| part(Ns(end.0.saturating_add((end - start).0 / 10))))
}

/// The second step of a training loop.
fn second_step(profile: &Profile) -> Option<FirstPart> {
    let step = training_steps(profile).into_iter().nth(1)?;
    Some(FirstPart { subject: PartSubject::Step(step.name.to_owned()), range: step.range })
}
