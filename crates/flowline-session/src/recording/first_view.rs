//! The first view of a recording: the part to look at first, as soon as it is known, unless the view has been moved.

use std::sync::Arc;

use super::open_recording::Session;
use super::opening_part::State;
use crate::tasks::Job;
use flowline_insights::first_part::FirstPart;
use flowline_profile::TimeRange;

impl Session {
    /// Sets low rows before anything has changed the tracks, so that the initial expansion still applies.
    pub fn set_compact_at_first(&mut self, compact: bool) {
        if self.view.tracks.compact != compact {
            self.view.edit_tracks(|tracks| tracks.compact = compact);
            self.opened_tracks = self.opened_tracks.map(|_| self.view.tracks.revision());
        }
    }

    /// The view stays as it is: no part of the recording is shown when it is found, or named as the one that is shown.
    pub fn keep_range(&mut self) {
        self.opening_part.settle();
    }

    /// The part that is in view since the recording was opened; `None` once the view has moved.
    #[must_use]
    pub fn opening_part(&self) -> Option<&FirstPart> {
        match &self.opening_part.state {
            State::Shown(part) if self.shows_range(part.range) => Some(part),
            _ => None,
        }
    }

    /// Finds the part, and shows it once it is known and nobody has moved the view.
    pub(crate) fn show_opening_part(&mut self) {
        self.opening_part.follow(&self.index);
        let State::Found(part) = &self.opening_part.state else { return };
        let part = part.clone();
        if !self.is_as_opened() {
            return self.opening_part.settle();
        }
        self.view.axis.show(part.range);
        self.opening_part.state = State::Shown(part);
    }

    /// True if the view shows the range with which the recording was opened.
    pub(crate) fn shows_opening_range(&self) -> bool {
        self.opening_part().is_some() || self.shows_range(self.index.first_view())
    }

    /// Shows the part that is shown first, if there is one; for screenshots.
    pub fn wait_for_opening_part(&mut self) {
        let index = Arc::clone(&self.index);
        self.opening_part.follow(&index);
        self.opening_part.wait(&index);
        self.show_opening_part();
    }

    /// Takes over the state of the same recording before its flows were known.
    pub(crate) fn take_opening_part(&mut self, from: &Self) {
        self.opening_part.state = match &from.opening_part.state {
            State::Awaited | State::Found(_) => State::Awaited,
            other => other.clone(),
        };
    }

    /// True if nothing has been moved or selected since the recording was opened.
    fn is_as_opened(&self) -> bool {
        let view = &self.view;
        let is_free = view.range.is_none()
            && view.selected.is_none()
            && view.selected_call.is_none()
            && view.path.is_none()
            && view.search.is_empty()
            && view.flows.entered.is_empty();
        is_free && !view.is_moving() && self.shows_range(self.index.first_view())
    }

    /// True if the view shows exactly a range, except for the column of the last instants.
    fn shows_range(&self, range: TimeRange) -> bool {
        let mut axis = self.view.axis;
        axis.show(range);
        let (wanted, shown) = (axis.visible(), self.view.axis.visible());
        // A change of the width since then has moved its end, not its start, by the width of that column.
        wanted.start == shown.start && (wanted.end - shown.end).0.unsigned_abs() <= wanted.len().unsigned_abs() / 100
    }
}
