//! State shared by the views of two recordings that are shown one above the other: the time axis with its motion, the
//! selections on it, and the search. Each view keeps it on the clock of its own recording; the two clocks differ by a
//! constant.

use super::{FlowView, ViewState};
use crate::time::{Breadcrumbs, KeyMotion, Measure, Motion, TimeAxis, TimeBounds};
use flowline_profile::{Ns, TimeRange};

/// One of the two recordings that a window can show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Pane {
    /// The recording that was opened.
    #[default]
    A,
    /// The recording that it is compared with, below it.
    B,
}

impl Pane {
    /// Both panes, from top to bottom.
    pub const ALL: [Self; 2] = [Self::A, Self::B];

    /// The other pane.
    #[must_use]
    #[inline]
    pub const fn other(self) -> Self {
        match self {
            Self::A => Self::B,
            Self::B => Self::A,
        }
    }

    /// Letter of the pane.
    #[must_use]
    #[inline]
    pub const fn letter(self) -> &'static str {
        match self {
            Self::A => "A",
            Self::B => "B",
        }
    }
}

/// The part of a view that two recordings share.
#[derive(Clone, Debug, PartialEq)]
pub struct SharedView {
    axis: TimeAxis,
    motion: Motion,
    held: KeyMotion,
    range: Option<TimeRange>,
    measure: Option<Measure>,
    breadcrumbs: Breadcrumbs,
    search: String,
}

impl SharedView {
    /// The same on a clock that is `by` ahead.
    #[must_use]
    pub fn shifted(&self, by: Ns) -> Self {
        Self {
            axis: self.axis.shifted(by),
            motion: self.motion.shifted(by),
            held: self.held,
            range: self.range.map(|range| range.shifted(by)),
            measure: self.measure.map(|measure| measure.shifted(by)),
            breadcrumbs: self.breadcrumbs.shifted(by),
            search: self.search.clone(),
        }
    }
}

impl ViewState {
    /// The shared part, on this recording's clock.
    #[must_use]
    pub fn shared(&self) -> SharedView {
        SharedView {
            axis: self.axis,
            motion: self.motion,
            held: self.held,
            range: self.range,
            measure: self.measure,
            breadcrumbs: self.breadcrumbs.clone(),
            search: self.search.clone(),
        }
    }

    /// Applies the shared part of another view; its times are on this recording's clock.
    #[inline]
    pub fn set_shared(&mut self, shared: SharedView) {
        let SharedView { axis, motion, held, range, measure, breadcrumbs, search } = shared;
        (self.axis, self.motion, self.held) = (axis, motion, held);
        (self.range, self.measure, self.breadcrumbs, self.search) = (range, measure, breadcrumbs, search);
    }

    /// Copies the state of another view of the same markers, but keeps flows, notes and the undo history.
    pub fn copy_state_from(&mut self, from: &Self) {
        let (flows, notes) = (std::mem::take(&mut self.flows), std::mem::take(&mut self.notes));
        let (history, theme) = (std::mem::take(&mut self.history), self.theme);
        let flow_tracks = self.tracks.flow_tracks.clone();
        let flows = FlowView { all_connections: from.flows.all_connections, path: from.flows.path, ..flows };
        *self = Self { flows, notes, history, theme, ..from.clone() };
        self.edit_tracks(|tracks| tracks.flow_tracks = flow_tracks);
    }

    /// The times that the axis can show.
    #[must_use]
    #[inline]
    pub const fn bounds(&self) -> TimeBounds {
        self.bounds
    }

    /// Changes the times that the axis can show, and moves the view into them.
    #[inline]
    pub fn set_bounds(&mut self, bounds: TimeBounds) {
        self.bounds = bounds;
        self.axis.set_last(bounds.extent.end);
        self.confine();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::Command;
    use flowline_profile::Profile;

    fn view(start: i64, end: i64) -> ViewState {
        ViewState::new(Arc::new(Profile::default()), TimeRange::new(Ns(start), Ns(end)), 800.0)
    }

    #[test]
    fn a_view_on_another_clock_shows_the_same_at_every_pixel() {
        let by = Ns(3_600_000_000_000);
        let (mut a, mut b) = (view(0, 1_000_000), view(0, 10));
        b.set_bounds(a.bounds().shifted(by));
        a.apply(Command::SelectRange(Some(TimeRange::new(Ns(100_000), Ns(700_000)))));
        a.apply(Command::ZoomToSelection);
        a.apply(Command::Measure(Some(Measure { a: Ns(200_000), b: None })));
        a.apply(Command::Search("x".into()));
        for _ in 0..300 {
            a.advance(0.1);
        }
        b.set_shared(a.shared().shifted(by));
        assert_eq!(b.axis.visible(), a.axis.visible().shifted(by));
        for time in [0, 123_456, 700_000].map(Ns) {
            assert_eq!(a.axis.pixel(time), b.axis.pixel(time + by));
        }
        assert_eq!(b.breadcrumbs.committed(), Some(TimeRange::new(Ns(100_000), Ns(700_000)).shifted(by)));
        assert_eq!((b.search.as_str(), b.measure.map(|measure| measure.a)), ("x", Some(Ns(200_000) + by)));
        assert_eq!(b.shared().shifted(Ns(-by.0)), a.shared(), "round trip");
        b.apply(Command::ZoomBack);
        a.apply(Command::ZoomBack);
        assert_eq!(b.shared(), a.shared().shifted(by), "a command does the same on either clock");
    }

    #[test]
    fn clocks_far_apart_saturate() {
        let mut view = view(-Ns::LIMIT, Ns::LIMIT);
        for by in [i64::MAX, i64::MIN, Ns::LIMIT] {
            view.set_shared(view.shared().shifted(Ns(by)));
            view.apply(Command::Pan { pixels: 10.0, animated: false });
            view.apply(Command::Zoom { pixel: 3.0, factor: 2.0, animated: false });
            assert!(view.axis.ns_per_pixel().is_finite());
        }
    }
}
