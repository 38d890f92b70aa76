//! Zooming to ranges, markers and calls, and bringing markers into view.

use super::breadcrumbs;
use super::measure::Measure;
use crate::ViewState;
use crate::track_state::TrackRef;
use flowline_profile::{CounterId, Direction, HiddenTypes, MarkerId, MarkerSurface, Ns, ThreadId, TimeRange};

/// Share of the view that a marker or a call takes after zooming to it.
const MARKER_PART: f64 = 0.6;

/// The view for an interval, which gets most of the width. For a point in time, the view is zoomed in by a factor of
/// eight. `span` is the length of the current view in nanoseconds.
#[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "view lengths are far below 2^63 ns")]
fn around(times: TimeRange, span: f64) -> TimeRange {
    let length = times.len();
    let wanted = if length == 0 { (span / 8.0) as i64 } else { (length as f64 / MARKER_PART) as i64 };
    let margin = Ns((wanted.max(16) - length) / 2);
    TimeRange::new(times.start - margin, times.end + margin)
}

impl ViewState {
    pub(crate) fn zoom_to(&mut self, range: TimeRange) {
        let here = self.axis.visible();
        if here != range {
            self.breadcrumbs.jump(here);
            self.widen_to(breadcrumbs::inner(range), true);
            self.motion.show(&self.axis, range);
        }
    }

    pub(crate) fn zoom_to_selection(&mut self) {
        if let Some(range) = self.range.take() {
            self.breadcrumbs.commit(range, self.axis.visible());
            self.motion.show(&self.axis, range);
        } else if let Some(marker) = self.selected {
            self.zoom_to_marker(marker);
        } else if let Some(call) = self.selected_call {
            self.zoom_to(self.around(call.times));
        }
    }

    /// The view for an interval, limited to the range that can be shown.
    pub(crate) fn around(&self, times: TimeRange) -> TimeRange {
        let whole = self.breadcrumbs.committed().unwrap_or(self.bounds.whole);
        let wide = around(times, self.axis.span());
        // An interval that takes most of the whole range gets small margins.
        let margin = Ns(((whole.len() - times.len()) / 4).max(0));
        let small = TimeRange { start: times.start - margin, end: times.end + margin };
        let wide = if !times.is_empty() && small.len() < wide.len() { small } else { wide };
        TimeRange { start: wide.start.max(whole.start.min(times.start)), end: wide.end.min(whole.end.max(times.end)) }
    }

    /// Commits windows that were saved with a recording, outermost first, and shows the innermost. A window outside the
    /// previous ones widens them, so the innermost is shown as saved.
    pub fn open_windows(&mut self, windows: &[TimeRange]) {
        let whole = self.bounds.extent;
        let inside = windows.iter().map(|window| window.within(whole)).filter(|window| !window.is_empty());
        let mut shown = None;
        for window in inside {
            if window != whole {
                let view = self.breadcrumbs.committed().unwrap_or(self.bounds.whole);
                self.breadcrumbs.widen_to(window, true);
                self.breadcrumbs.commit(window, view);
            }
            shown = Some(window);
        }
        if let Some(window) = shown {
            self.motion.stop();
            self.axis.set_extent(self.breadcrumbs.committed().unwrap_or(whole));
            self.axis.show(window);
        }
    }

    pub(crate) fn zoom_to_marker(&mut self, marker: MarkerId) {
        let Some(times) = self.times_of(marker) else { return };
        self.zoom_to(self.around(times));
        self.reveal_marker(marker);
    }

    /// Moves to the start or the end of the range that can be shown and keeps the zoom.
    pub(crate) fn go_to_edge(&mut self, direction: Direction) {
        let whole = self.breadcrumbs.committed().unwrap_or(self.bounds.whole);
        let length = Ns(self.axis.visible().len().min(whole.len()));
        let shown = match direction {
            Direction::Back => TimeRange { start: whole.start, end: whole.start + length },
            Direction::Forward => TimeRange { start: whole.end - length, end: whole.end },
        };
        self.motion.show(&self.axis, shown);
    }

    /// Shows and expands a track, and scrolls to its heading. If all threads of a process are hidden, they are shown. The
    /// layout by flow has no tracks, so the rows of threads are shown.
    pub(crate) fn reveal_track(&mut self, track: TrackRef) {
        self.show_flow_lanes(false);
        let profile = std::sync::Arc::clone(&self.profile);
        self.edit_tracks(|tracks| match track {
            TrackRef::Thread(thread) => tracks.reveal(&profile, thread),
            TrackRef::Process(process) => {
                tracks.collapsed.remove(&process);
                let own = || profile.threads_with_ids().filter(|(_, thread)| thread.process == process);
                if own().all(|(id, _)| tracks.hidden.contains(&id)) {
                    tracks.hidden.retain(|id| profile.thread(*id).process != process);
                }
            }
        });
        self.reveal_track = Some(track);
    }

    /// Pans until a range is at least partly in view; does nothing if it already is.
    pub fn bring_into_view(&mut self, range: TimeRange) {
        // A marker that was just revealed is still moving into view and takes precedence.
        if !self.motion.is_done() {
            return;
        }
        self.widen_to(range, false);
        let visible = self.axis.visible();
        if range.start > visible.end || range.end < visible.start {
            let half = Ns(visible.len() / 2);
            let middle =
                if range.len() < visible.len() { range.start + Ns(range.len() / 2) } else { range.start + half };
            self.motion.show(&self.axis, TimeRange { start: middle - half, end: middle + half });
        }
    }

    /// Shows a counter and brings a moment into view. The measuring tool marks the moment unless it is in use.
    pub(crate) fn reveal_counter(&mut self, counter: CounterId, time: Ns) {
        let Some(process) = self.profile.counters.get(counter.index()).map(|counter| counter.process) else { return };
        self.show_flow_lanes(false);
        process.into_iter().for_each(|process| self.reveal_track(TrackRef::Process(process)));
        self.edit_tracks(|tracks| {
            tracks.counters.insert(process);
        });
        (self.reveal_track, self.reveal_counter) = (None, Some(counter));
        self.widen_to(TimeRange { start: time, end: time }, false);
        let visible = self.axis.visible();
        if time < visible.start || time > visible.end {
            let half = Ns(visible.len() / 2);
            self.motion.show(&self.axis, TimeRange { start: time - half, end: time + half });
        }
        if self.measure.is_none_or(|measure| measure.b.is_none()) {
            self.measure = Some(Measure { a: time, b: None });
        }
    }

    /// Expands a thread and its stack chart.
    pub(crate) fn show_chart_of(&mut self, thread: ThreadId) {
        let is_shown = self.tracks.shows(&self.profile, thread)
            && self.tracks.expanded.contains(&thread)
            && self.tracks.stack_charts.contains(&thread);
        if !is_shown {
            let profile = std::sync::Arc::clone(&self.profile);
            self.edit_tracks(|tracks| {
                tracks.reveal(&profile, thread);
                tracks.stack_charts.insert(thread);
            });
        }
    }

    /// Selects a marker, shows its thread, and pans only if it is out of view.
    pub(crate) fn reveal_marker(&mut self, marker: MarkerId) {
        if self.profile.locate(marker).is_none() {
            return;
        }
        (self.selected, self.selected_call) = (Some(marker), None);
        self.list_marker(marker);
        let Some(times) = self.times_of(marker) else { return };
        self.bring_times_into_view(times);
    }

    /// Selects the marker of an entry on a track, and pans only if the entry is out of view. The layout by flow has no tracks,
    /// so the rows of threads are shown.
    pub(crate) fn reveal_on_track(&mut self, marker: MarkerId, times: TimeRange) {
        if self.profile.locate(marker).is_none() {
            return;
        }
        self.show_flow_lanes(false);
        (self.selected, self.selected_call) = (Some(marker), None);
        (self.reveal, self.reveal_on_track) = (Some(marker), true);
        self.bring_times_into_view(times);
    }

    /// Lists the thread of a marker and scrolls its row into view once it is laid out.
    pub fn list_marker(&mut self, marker: MarkerId) {
        let Some((thread, local)) = self.profile.locate(marker) else { return };
        (self.reveal, self.reveal_on_track) = (Some(marker), false);
        let is_kept_out =
            || HiddenTypes::new(&self.profile, MarkerSurface::Chart).has(self.profile.thread(thread), local);
        if !self.tracks.all_markers && is_kept_out() {
            self.edit_tracks(|tracks| tracks.all_markers = true);
        }
        if !self.tracks.shows(&self.profile, thread) {
            let profile = std::sync::Arc::clone(&self.profile);
            self.edit_tracks(|tracks| tracks.reveal(&profile, thread));
        }
    }

    /// Moves the axis to a time range that is out of view, and widens it if the range is longer.
    fn bring_times_into_view(&mut self, times: TimeRange) {
        self.widen_to(times, false);
        if !self.motion.is_done() {
            return;
        }
        let (left, right) = (self.axis.pixel(times.start), self.axis.pixel(times.end));
        if right < 0.0 || left > self.axis.width() {
            #[expect(clippy::cast_possible_truncation, reason = "view lengths are far below 2^63 ns")]
            let half = Ns((self.axis.span() / 2.0) as i64);
            let shown_end = times.end.min(times.start + half);
            let middle = times.start + Ns((shown_end - times.start).0 / 2);
            self.motion.show(&self.axis, TimeRange::new(middle - half, middle + half));
        }
    }
}
