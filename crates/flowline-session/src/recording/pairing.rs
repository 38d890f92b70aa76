//! Two recordings on one time axis: the alignment of their clocks, and the state that both views share.
//!
//! A time of B and a time of A are at the same position if they differ by [`Pairing::shift`]. The view of A is
//! authoritative; a change of B's view is passed to A immediately. Both recordings together stay within the limits for
//! one recording ([`Ns::LIMIT`]), so code that is safe for one recording is safe for two.

use super::open_recording::Session;
use flowline_format::format_duration_ns;
use flowline_index::{Derived, Index};
use flowline_insights::page_load::{MainLoad, MilestoneKind, Milestones};
use flowline_profile::{Ns, Profile, TabId, TimeRange};
use flowline_view::{SharedView, TimeBounds};

/// Alignment of the clocks of two recordings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Alignment {
    /// By the starts, where the displayed clocks are zero.
    #[default]
    Start,
    /// By the zeros of the recordings' own clocks: equal times, for two recordings of one machine.
    Zero,
    /// By a moment in each recording, such as the start of a marker.
    Moments {
        /// Time in A.
        a: Ns,
        /// Time in B.
        b: Ns,
    },
    /// By a milestone of the page load that each recording shows.
    Milestone {
        /// The milestone; the navigation itself is one.
        kind: MilestoneKind,
        /// Its time in A.
        a: Ns,
        /// Its time in B.
        b: Ns,
    },
    /// By the offset of B's start from A's start; negative if B starts before A.
    Offset(Ns),
}

impl Alignment {
    /// The difference to add to a time of B to get a time of A.
    #[must_use]
    pub fn shift(self, a: &Profile, b: &Profile) -> Ns {
        match self {
            Self::Start => a.time_zero() - b.time_zero(),
            Self::Zero => Ns(0),
            Self::Moments { a, b } | Self::Milestone { a, b, .. } => a - b,
            Self::Offset(after) => a.time_zero() + after - b.time_zero(),
        }
    }

    /// Text of the alignment, as in "aligned by start".
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Zero => "clock",
            Self::Moments { .. } => "markers",
            Self::Milestone { kind, .. } => kind.name(),
            Self::Offset(_) => "offset",
        }
    }
}

/// The milestones that can align two page loads, in the order of a menu.
pub const ALIGNING_MILESTONES: [MilestoneKind; 5] = [
    MilestoneKind::Navigation,
    MilestoneKind::FirstContentfulPaint,
    MilestoneKind::LargestContentfulPaint,
    MilestoneKind::DomContentLoaded,
    MilestoneKind::Load,
];

/// The time of a milestone of the page load that a recording or a tab shows, once milestones have been read.
fn milestone_time(index: &Index, tab: Option<TabId>, kind: MilestoneKind) -> Option<Ns> {
    if kind == MilestoneKind::Navigation {
        return Milestones::if_built(index)?.main_navigation(tab)?.time;
    }
    MainLoad::if_built(index)?.milestone(tab, kind)?.time
}

fn alignment([a, b]: [(&Index, Option<TabId>); 2], kind: MilestoneKind) -> Option<Alignment> {
    let (a, b) = (milestone_time(a.0, a.1, kind)?, milestone_time(b.0, b.1, kind)?);
    Some(Alignment::Milestone { kind, a, b })
}

/// The alignments by milestones that both recordings have.
#[must_use]
pub fn milestone_alignments(sessions: [&Session; 2]) -> Vec<Alignment> {
    let pages = sessions.map(|session| (&*session.index, session.tab()));
    ALIGNING_MILESTONES.into_iter().filter_map(|kind| alignment(pages, kind)).collect()
}

/// The alignment by a milestone of the page loads that two recordings show; `None` if one of them does not have it. Reads the
/// milestones.
#[must_use]
pub fn milestone_alignment(indexes: [&Index; 2], kind: MilestoneKind) -> Option<Alignment> {
    for index in indexes {
        Milestones::of(index);
        MainLoad::of(index);
    }
    alignment(indexes.map(|index| (index, None)), kind)
}

/// The pairing of two open recordings on one axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pairing {
    alignment: Alignment,
    shift: Ns,
    /// Time from the start of A to the start of B.
    after: Ns,
}

/// The bounds of the axis for a single recording.
fn own_bounds(session: &Session) -> TimeBounds {
    let (extent, range) = (session.index.extent(), session.index.profile().meta.range);
    TimeBounds { extent, whole: if range.is_empty() { extent } else { range } }
}

/// The shift closest to a requested one that keeps a range within the limits for a recording.
fn within_limits(shift: Ns, range: TimeRange) -> Ns {
    let least = Ns(-Ns::LIMIT) - range.start;
    let most = (Ns(Ns::LIMIT) - range.end).max(least);
    shift.clamp(least, most)
}

impl Pairing {
    /// Puts B on the axis of A, which can then show both.
    #[must_use]
    pub fn new(a: &mut Session, b: &mut Session, alignment: Alignment) -> Self {
        a.keep_range();
        b.keep_range();
        let (of_a, of_b) = (own_bounds(a), own_bounds(b));
        let shift = within_limits(alignment.shift(a.index.profile(), b.index.profile()), of_b.extent);
        let both = of_a.union(of_b.shifted(shift));
        let after = b.index.profile().time_zero() + shift - a.index.profile().time_zero();
        let pairing = Self { alignment, shift, after };
        a.view.set_bounds(both);
        b.view.set_bounds(both.shifted(pairing.back()));
        pairing.follow_a(a, b);
        pairing
    }

    /// Resets the axis to a single recording.
    pub fn end(a: &mut Session) {
        a.view.set_bounds(own_bounds(a));
    }

    /// The alignment of the clocks.
    #[must_use]
    pub const fn alignment(&self) -> Alignment {
        self.alignment
    }

    /// The difference to add to a time of B to get a time of A.
    #[must_use]
    pub const fn shift(&self) -> Ns {
        self.shift
    }

    /// Time from the start of A to the start of B; negative if B starts before A.
    #[must_use]
    pub const fn after(&self) -> Ns {
        self.after
    }

    /// The difference to add to a time of A to get a time of B.
    const fn back(&self) -> Ns {
        Ns(self.shift.0.saturating_neg())
    }

    /// Applies A's view to B.
    pub fn follow_a(&self, a: &Session, b: &mut Session) {
        let shared = a.view.shared().shifted(self.back());
        if b.view.shared() != shared {
            b.view.set_shared(shared);
        }
    }

    /// Applies B's view to A, if it has changed since `before`.
    pub fn follow_b(&self, a: &mut Session, b: &Session, before: &SharedView) {
        let shared = b.view.shared();
        if shared != *before {
            a.view.set_shared(shared.shifted(self.shift));
        }
    }

    /// Text of the pairing: "by start", "by markers: starts 3 ms after A".
    #[must_use]
    pub fn words(&self) -> String {
        let by = self.alignment.words();
        match self.after.0 {
            0 => format!("by {by}"),
            after if after > 0 => format!("by {by}: starts {} after A", format_duration_ns(after)),
            before => format!("by {by}: starts {} before A", format_duration_ns(before.saturating_neg())),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use flowline_index::Index;
    use flowline_profile::Arrangement;
    use flowline_view::Command;

    fn session(start: i64, end: i64) -> Session {
        let mut profile = Profile::default();
        profile.meta.range = TimeRange::new(Ns(start), Ns(end));
        let index = Arc::new(Index::build(Arc::new(profile), Arrangement::ByName));
        Session::new(std::path::PathBuf::new(), index, Arc::new(|| {}))
    }

    #[test]
    fn alignments_shift_times_as_described() {
        let (mut a, mut b) = (session(1_000, 9_000), session(50_000, 70_000));
        for (alignment, shift, words) in [
            (Alignment::Start, -49_000, "by start"),
            (Alignment::Zero, 0, "by clock: starts 49.0 µs after A"),
            (Alignment::Moments { a: Ns(3_000), b: Ns(51_000) }, -48_000, "by markers: starts 1.0 µs after A"),
            (
                Alignment::Milestone { kind: MilestoneKind::Load, a: Ns(3_000), b: Ns(51_000) },
                -48_000,
                "by Load: starts 1.0 µs after A",
            ),
            (Alignment::Offset(Ns(-500)), -49_500, "by offset: starts 500 ns before A"),
        ] {
            let pairing = Pairing::new(&mut a, &mut b, alignment);
            assert_eq!((pairing.shift(), pairing.words().as_str()), (Ns(shift), words));
            let both = TimeRange::new(Ns(1_000), Ns(9_000)).union(b.index.extent().shifted(Ns(shift)));
            assert_eq!(a.view.bounds().extent, both);
            assert_eq!(a.view.axis.pixel(Ns(50_000 + shift)), b.view.axis.pixel(Ns(50_000)));
        }
        let pairing = Pairing::new(&mut a, &mut b, Alignment::Start);
        let before = b.view.shared();
        b.apply(Command::Show(TimeRange::new(Ns(52_000), Ns(53_000))));
        pairing.follow_b(&mut a, &b, &before);
        assert_eq!(a.view.axis.visible(), TimeRange::new(Ns(3_000), Ns(4_000)));
        Pairing::end(&mut a);
        assert_eq!(a.view.bounds().extent, a.index.extent());
    }

    #[test]
    fn recordings_at_the_limits_stay_within_them() {
        let ends = [(-Ns::LIMIT, Ns::LIMIT), (Ns::LIMIT - 5, Ns::LIMIT), (-Ns::LIMIT, 5 - Ns::LIMIT), (0, 100)];
        for (first, second) in ends.iter().flat_map(|first| ends.iter().map(move |second| (first, second))) {
            let (mut a, mut b) = (session(first.0, first.1), session(second.0, second.1));
            let far = [i64::MIN, -Ns::LIMIT, 7, i64::MAX].map(|offset| Alignment::Offset(Ns(offset)));
            for alignment in [Alignment::Start, Alignment::Zero].into_iter().chain(far) {
                let pairing = Pairing::new(&mut a, &mut b, alignment);
                let extent = a.view.bounds().extent;
                assert!(extent.start.0 >= -Ns::LIMIT && extent.end.0 <= Ns::LIMIT, "{alignment:?} {extent:?}");
                assert!(a.view.axis.span().is_finite() && !pairing.words().is_empty());
            }
        }
    }
}
