//! Committed ranges, and the history of views.
//!
//! A *committed* range limits everything: the axis stays inside it, the overview shows only this range, and tables list
//! only its contents. Each committed range is inside the previous one. Jumps, such as a zoom to a marker, do not limit
//! anything. Going back undoes commits and jumps, and brings back ranges that were left for the whole recording.

use flowline_profile::{Ns, TimeRange};

/// A view to go back to.
#[derive(Clone, Debug, PartialEq, Eq)]
struct RangeStep {
    view: TimeRange,
    /// The committed ranges at that time.
    ranges: Vec<TimeRange>,
}

/// The committed ranges, and the views before each commit and each jump.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Breadcrumbs {
    ranges: Vec<TimeRange>,
    steps: Vec<RangeStep>,
}

impl Breadcrumbs {
    /// The committed ranges, outermost first.
    #[must_use]
    #[inline]
    pub fn ranges(&self) -> &[TimeRange] {
        &self.ranges
    }

    /// The innermost committed range.
    #[must_use]
    #[inline]
    pub fn committed(&self) -> Option<TimeRange> {
        self.ranges.last().copied()
    }

    /// The views to go back to with none but the current committed ranges, oldest first, each with the number of ranges that
    /// were committed at that time.
    #[inline]
    pub fn steps(&self) -> impl Iterator<Item = (TimeRange, usize)> + '_ {
        let current = self.steps.iter().filter(|step| self.ranges.starts_with(&step.ranges));
        current.map(|step| (step.view, step.ranges.len()))
    }

    /// Restores saved ranges and views. Ranges outside the previous one are skipped, and so are views with more
    /// committed ranges than exist.
    #[must_use]
    pub fn restored(ranges: &[TimeRange], steps: &[(TimeRange, usize)]) -> Self {
        let mut restored = Self::default();
        for range in ranges.iter().filter(|range| !range.is_empty()) {
            if restored.committed().is_none_or(|outer| outer.start <= range.start && range.end <= outer.end) {
                restored.ranges.push(*range);
            }
        }
        let depth = restored.ranges.len();
        let mut least = 0;
        for (view, at) in steps.iter().filter(|(_, at)| *at <= depth) {
            if *at >= least {
                least = *at;
                restored.steps.push(RangeStep { view: *view, ranges: restored.ranges[..*at].to_vec() });
            }
        }
        restored
    }

    /// Commits a range that was selected in a view, clipped to the current committed range.
    pub(crate) fn commit(&mut self, range: TimeRange, view: TimeRange) {
        let inside = self
            .committed()
            .map_or(range, |outer| TimeRange { start: range.start.max(outer.start), end: range.end.min(outer.end) });
        if inside.start < inside.end && self.committed() != Some(inside) {
            self.jump(view);
            self.ranges.push(inside);
        }
    }

    /// Records the view before a jump.
    pub(crate) fn jump(&mut self, view: TimeRange) {
        let step = RangeStep { view, ranges: self.ranges.clone() };
        if self.steps.last() != Some(&step) {
            self.steps.push(step);
        }
    }

    /// Undoes the last commit or jump. Returns the view before it.
    pub(crate) fn back(&mut self) -> Option<TimeRange> {
        let step = self.steps.pop()?;
        self.ranges = step.ranges;
        Some(step.view)
    }

    /// Undoes all commits except the first `kept`. Returns the view before them.
    pub(crate) fn back_to(&mut self, kept: usize) -> Option<TimeRange> {
        if kept >= self.ranges.len() {
            return None;
        }
        self.ranges.truncate(kept);
        // The last step with these ranges is the next commit.
        let commit = self.steps.iter().rposition(|step| step.ranges == self.ranges)?;
        let view = self.steps[commit].view;
        self.steps.truncate(commit);
        Some(view)
    }

    /// Undoes commits until `range` overlaps the committed range or, if `wholly` is set, is inside it. Returns true if
    /// any was undone.
    pub(crate) fn widen_to(&mut self, range: TimeRange, wholly: bool) -> bool {
        let before = self.ranges.len();
        let holds = |outer: TimeRange| {
            if wholly {
                outer.start <= range.start && range.end <= outer.end
            } else {
                outer.overlaps(range.start, range.end)
            }
        };
        while self.committed().is_some_and(|outer| !holds(outer)) {
            self.ranges.pop();
        }
        let depth = self.ranges.len();
        if depth < before {
            self.steps.retain(|step| step.ranges.len() < depth);
        }
        depth < before
    }

    /// The same on a clock that is `by` ahead.
    pub(crate) fn shifted(&self, by: Ns) -> Self {
        let ranges = |ranges: &[TimeRange]| ranges.iter().map(|range| range.shifted(by)).collect();
        let step = |step: &RangeStep| RangeStep { view: step.view.shifted(by), ranges: ranges(&step.ranges) };
        Self { ranges: ranges(&self.ranges), steps: self.steps.iter().map(step).collect() }
    }

    /// Leaves all ranges for the whole recording; going back returns to them and to `view`.
    pub(crate) fn leave(&mut self, view: TimeRange) {
        self.jump(view);
        self.ranges.clear();
    }
}

/// A range without an eighth of its length at either end: the part of a view that the user certainly meant.
pub(crate) fn inner(range: TimeRange) -> TimeRange {
    let margin = Ns(range.len() / 8);
    TimeRange { start: range.start + margin, end: range.end - margin }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(start: i64, end: i64) -> TimeRange {
        TimeRange { start: Ns(start), end: Ns(end) }
    }

    #[test]
    fn going_back_undoes_commits_and_jumps_in_order() {
        let mut crumbs = Breadcrumbs::default();
        crumbs.jump(range(0, 1000));
        crumbs.commit(range(100, 500), range(50, 600));
        crumbs.jump(range(100, 500));
        crumbs.commit(range(50, 300), range(200, 210));
        assert_eq!(crumbs.ranges(), [range(100, 500), range(100, 300)]);
        let mut whole = crumbs.clone();
        assert_eq!(whole.back_to(0), Some(range(50, 600)));
        assert_eq!((whole.committed(), whole.back()), (None, Some(range(0, 1000))));
        assert_eq!((crumbs.back(), crumbs.committed()), (Some(range(200, 210)), Some(range(100, 500))));
        assert_eq!((crumbs.back(), crumbs.committed()), (Some(range(100, 500)), Some(range(100, 500))));
        assert_eq!((crumbs.back(), crumbs.committed()), (Some(range(50, 600)), None));
        assert_eq!((crumbs.back(), crumbs.back()), (Some(range(0, 1000)), None));
    }

    #[test]
    fn ranges_that_were_left_come_back() {
        let mut crumbs = Breadcrumbs::default();
        crumbs.commit(range(100, 500), range(0, 1000));
        crumbs.commit(range(200, 300), range(100, 500));
        crumbs.leave(range(210, 290));
        assert_eq!(crumbs.committed(), None);
        assert_eq!(crumbs.steps().collect::<Vec<_>>(), [(range(0, 1000), 0)], "saved views have no left ranges");
        crumbs.commit(range(600, 700), range(0, 1000));
        let mut outer = crumbs.clone();
        assert_eq!((outer.back_to(0), outer.committed()), (Some(range(0, 1000)), None));
        assert_eq!(crumbs.shifted(Ns(5)).back(), Some(range(5, 1005)));
        assert_eq!((crumbs.back(), crumbs.committed()), (Some(range(0, 1000)), None));
        assert_eq!((crumbs.back(), crumbs.committed()), (Some(range(210, 290)), Some(range(200, 300))));
        assert_eq!((crumbs.back(), crumbs.committed()), (Some(range(100, 500)), Some(range(100, 500))));
    }

    #[test]
    fn a_range_outside_widens() {
        let mut crumbs = Breadcrumbs::default();
        crumbs.commit(range(100, 500), range(0, 1000));
        crumbs.commit(range(200, 300), range(100, 500));
        assert!(!crumbs.widen_to(range(290, 400), false));
        assert!(crumbs.widen_to(range(290, 400), true));
        assert_eq!((crumbs.committed(), crumbs.back()), (Some(range(100, 500)), Some(range(0, 1000))));
        crumbs.commit(range(100, 500), range(0, 1000));
        assert!(crumbs.widen_to(range(600, 600), false));
        assert_eq!((crumbs.committed(), crumbs.back()), (None, None));
    }
}
