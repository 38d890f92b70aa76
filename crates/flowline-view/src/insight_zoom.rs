//! Emphasizing an insight: the view zooms to it.

use std::sync::Arc;

use crate::insight_focus::InsightFocus;
use crate::view_state::ViewState;
use flowline_profile::{MarkerId, Ns, TimeRange};

/// Share of the range that is added on both sides, so that the range takes four fifths of the view.
const MARGIN: i64 = 8;

impl ViewState {
    /// Emphasizes an insight and zooms to its range, or ends the emphasis.
    pub(crate) fn focus_insight(&mut self, focus: Option<Arc<InsightFocus>>) {
        let range = focus.as_ref().and_then(|focus| focus.range);
        self.insight = focus;
        if let Some(range) = range {
            let margin = Ns(range.len() / MARGIN);
            let wide = TimeRange { start: range.start - margin, end: range.end + margin };
            self.zoom_to(if range.is_empty() { self.around(range) } else { wide });
        }
    }

    /// True for the markers of the emphasized insight.
    #[must_use]
    pub fn is_in_insight(&self, marker: MarkerId) -> bool {
        let markers = self.insight.as_ref().and_then(|focus| focus.markers.as_deref());
        markers.is_some_and(|markers| markers.binary_search(&marker).is_ok())
    }

    /// True while an insight with markers is emphasized: everything that is not its own is dimmed.
    #[must_use]
    pub fn dims_others(&self) -> bool {
        let markers = self.insight.as_ref().and_then(|focus| focus.markers.as_deref());
        markers.is_some_and(|markers| !markers.is_empty())
    }

    /// Restores a saved emphasis. The visible range stays, and this cannot be undone.
    #[inline]
    pub fn restore_insight(&mut self, focus: Option<InsightFocus>) {
        self.insight = focus.map(Arc::new);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Command;
    use flowline_profile::Profile;

    fn view() -> ViewState {
        ViewState::new(Arc::new(Profile::default()), TimeRange::new(Ns(0), Ns(1_000_000)), 1000.0)
    }

    fn settle(view: &mut ViewState) {
        (0..300).for_each(|_| view.advance(0.1));
    }

    fn focus(name: &str, range: TimeRange) -> Option<Arc<InsightFocus>> {
        Some(Arc::new(InsightFocus { name: name.to_owned(), range: Some(range), ..InsightFocus::default() }))
    }

    #[test]
    fn the_range_takes_four_fifths_of_the_view() {
        let mut view = view();
        view.apply(Command::FocusInsight(focus("a", TimeRange::new(Ns(400_000), Ns(480_000)))));
        settle(&mut view);
        let (left, right) = (view.axis.pixel(Ns(400_000)), view.axis.pixel(Ns(480_000)));
        assert!((left - 100.0).abs() < 1.0 && (right - 900.0).abs() < 1.0, "{left} to {right}");
        // A moment gets some surroundings.
        view.apply(Command::FocusInsight(focus("b", TimeRange::new(Ns(500_000), Ns(500_000)))));
        settle(&mut view);
        let visible = view.axis.visible();
        assert!(visible.len() > 16 && visible.start < Ns(500_000) && Ns(500_000) < visible.end, "{visible:?}");
    }

    #[test]
    fn undo_returns_to_the_emphasis_and_the_view_before() {
        let mut view = view();
        let whole = view.axis.visible();
        let first = focus("a", TimeRange::new(Ns(400_000), Ns(480_000)));
        view.apply(Command::FocusInsight(first.clone()));
        settle(&mut view);
        let zoomed = view.axis.visible();
        view.apply(Command::FocusInsight(None));
        assert_eq!((view.insight.clone(), view.can_undo()), (None, [true, false]));
        view.apply(Command::Undo);
        assert_eq!(view.insight, first);
        view.apply(Command::Undo);
        settle(&mut view);
        assert_eq!((view.insight.clone(), view.axis.visible()), (None, whole));
        view.apply(Command::Redo);
        settle(&mut view);
        assert_eq!((view.insight.clone(), view.axis.visible()), (first, zoomed));
    }
}
