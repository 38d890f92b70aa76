//! Plain state of what is looked at, changed only by [`ViewState::apply`].
//!
//! Nothing here draws, measures text or knows of widgets; times are on the recording's clock, distances in device
//! pixels except for the vertical scroll, which is in points.

mod axis;
mod command;
mod flows;
mod held;
mod tracks;

use std::sync::Arc;

pub use axis::{Motion, TimeAxis};
pub use command::Command;
pub use flows::{ALL_STEPS, FlowCommand, FlowSection, FlowView};
pub use held::{Direction, HeldMotion};
pub use tracks::Tracks;

pub use crate::profile::Arrangement;
use crate::profile::{MarkerId, Ns, Profile, ThreadId, TimeRange};

/// Light or dark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// Light on dark.
    #[default]
    Dark,
    /// Dark on light.
    Light,
}

/// Everything that can change while looking at a recording.
#[derive(Clone, Debug)]
pub struct ViewState {
    /// The shared time axis.
    pub axis: TimeAxis,
    /// Where the axis is going.
    pub motion: Motion,
    /// Keys that are held down to move.
    pub held: HeldMotion,
    /// Vertical scroll of the chart, in points.
    pub scroll: f64,
    /// Tracks shown; shared with the frame that is on screen until they change.
    pub tracks: Arc<Tracks>,
    /// Arrangement of rows.
    pub arrangement: Arrangement,
    /// The selected marker.
    pub selected: Option<MarkerId>,
    /// The marker under the pointer.
    pub hovered: Option<MarkerId>,
    /// The selected range of time.
    pub range: Option<TimeRange>,
    /// Views left by zooming to ranges, oldest first.
    pub breadcrumbs: Vec<TimeRange>,
    /// What is searched for.
    pub search: String,
    /// A marker that is to be scrolled into view once rows are laid out.
    pub reveal: Option<MarkerId>,
    /// The flow panel.
    pub flows: FlowView,
    /// Colours.
    pub theme: Theme,
    profile: Arc<Profile>,
}

/// A marker shorter than the view's this part is enlarged to this part when zoomed to.
const MARKER_PART: f64 = 0.6;

impl ViewState {
    /// A view of the whole recording.
    #[must_use]
    pub fn new(profile: Arc<Profile>, extent: TimeRange, width: f64) -> Self {
        let shown = if profile.meta.range.is_empty() { extent } else { profile.meta.range };
        let mut axis = TimeAxis::new(extent, width);
        axis.show(shown);
        let arrangement = profile.meta.arrangement();
        Self {
            axis,
            motion: Motion::default(),
            held: HeldMotion::default(),
            scroll: 0.0,
            tracks: Arc::default(),
            arrangement,
            selected: None,
            hovered: None,
            range: None,
            breadcrumbs: Vec::new(),
            search: String::new(),
            reveal: None,
            flows: FlowView::default(),
            theme: Theme::default(),
            profile,
        }
    }

    /// The recording looked at.
    #[must_use]
    pub const fn profile(&self) -> &Arc<Profile> {
        &self.profile
    }

    /// Start and end of a marker.
    #[must_use]
    pub fn times_of(&self, marker: MarkerId) -> Option<TimeRange> {
        let (thread, local) = self.profile.locate(marker)?;
        let markers = &self.profile.thread(thread).markers;
        Some(TimeRange::new(markers.start[local.index()], markers.end[local.index()]))
    }

    /// Applies a command.
    pub fn apply(&mut self, command: Command) {
        match command {
            Command::Zoom { pixel, factor, animated: true } => self.motion.zoom(pixel, factor),
            Command::Zoom { pixel, factor, animated: false } => {
                self.motion.stop();
                self.axis.zoom(pixel, factor);
            }
            Command::Pan { pixels, animated: true } => self.motion.pan(pixels),
            Command::Pan { pixels, animated: false } => {
                self.motion.stop();
                self.axis.pan(pixels);
            }
            Command::Hold { direction, pixel } => {
                self.motion.stop();
                self.held.press(direction, pixel);
            }
            Command::Release(direction) => self.held.release(direction),
            Command::Show(range) => {
                self.motion.stop();
                self.axis.show(range);
            }
            Command::ZoomTo(range) => self.zoom_to(range),
            Command::ZoomToSelection => self.zoom_to_selection(),
            Command::ZoomToMarker(marker) => self.zoom_to_marker(marker),
            Command::ZoomToAll => {
                let all = self.profile.meta.range;
                self.zoom_to(if all.is_empty() { self.axis.extent() } else { all });
                self.breadcrumbs.clear();
            }
            Command::ZoomBack => {
                if let Some(range) = self.breadcrumbs.pop() {
                    self.motion.show(&self.axis, range);
                }
            }
            Command::Breadcrumb(index) => {
                if let Some(&range) = self.breadcrumbs.get(index) {
                    self.breadcrumbs.truncate(index);
                    self.motion.show(&self.axis, range);
                }
            }
            Command::Scroll(points) => self.scroll = (self.scroll + points).max(0.0),
            Command::SelectRange(range) => self.range = range.filter(|range| !range.is_empty()),
            Command::Select(marker) => self.selected = marker,
            Command::Reveal(marker) => self.reveal_marker(marker),
            Command::Hover(marker) => self.hovered = marker,
            Command::SetArrangement(arrangement) => self.arrangement = arrangement,
            Command::Search(text) => self.search = text,
            Command::Flow(command) => self.flows.apply(command),
            Command::ToggleProcess(_)
            | Command::ToggleThread(_)
            | Command::ToggleFlowTrack(_)
            | Command::ToggleCounters(_)
            | Command::HideThread(_)
            | Command::ShowOnly(_)
            | Command::ShowAll
            | Command::ShowThreads(_)
            | Command::ToggleEmpty(_)
            | Command::ExpandAll(_) => self.change_tracks(command),
        }
    }

    /// Changes the tracks.
    pub fn edit_tracks(&mut self, change: impl FnOnce(&mut Tracks)) {
        Arc::make_mut(&mut self.tracks).change(change);
    }

    /// Whether the time axis or the rows move by themselves, so that another frame is due.
    #[must_use]
    pub fn is_moving(&self) -> bool {
        !self.motion.is_done() || self.held.is_active()
    }

    /// Moves by what `seconds` bring.
    pub fn advance(&mut self, seconds: f64) {
        self.motion.advance(&mut self.axis, seconds);
        let scroll = self.held.advance(&mut self.axis, seconds);
        self.scroll = (self.scroll + scroll).max(0.0);
    }

    fn change_tracks(&mut self, command: Command) {
        let profile = Arc::clone(&self.profile);
        let all = || (0..profile.threads.len()).map(ThreadId::new);
        self.edit_tracks(|tracks| match command {
            Command::ToggleProcess(process) => tracks::toggle(&mut tracks.collapsed, process),
            Command::ToggleThread(thread) => tracks::toggle(&mut tracks.expanded, thread),
            Command::ToggleFlowTrack(track) => tracks::toggle(&mut tracks.flow_tracks, track),
            Command::ToggleCounters(process) => tracks::toggle(&mut tracks.counters, process),
            Command::HideThread(thread) => {
                tracks.hidden.insert(thread);
            }
            Command::ShowOnly(only) => {
                tracks.hidden = all().filter(|thread| *thread != only).collect();
                tracks.expanded.insert(only);
                tracks.collapsed.remove(&profile.thread(only).process);
            }
            Command::ShowAll => tracks.hidden.clear(),
            Command::ShowThreads(threads) => {
                for thread in threads {
                    tracks.hidden.remove(&thread);
                    tracks.collapsed.remove(&profile.thread(thread).process);
                    tracks.expanded.insert(thread);
                }
            }
            Command::ToggleEmpty(process) => tracks::toggle(&mut tracks.show_empty, process),
            Command::ExpandAll(true) => {
                tracks.collapsed.clear();
                tracks.expanded = all().collect();
            }
            Command::ExpandAll(false) => tracks.expanded.clear(),
            _ => {}
        });
    }

    fn zoom_to(&mut self, range: TimeRange) {
        let here = self.axis.visible();
        if here != range {
            if self.breadcrumbs.last() != Some(&here) {
                self.breadcrumbs.push(here);
            }
            self.motion.show(&self.axis, range);
        }
    }

    fn zoom_to_selection(&mut self) {
        if let Some(range) = self.range {
            self.zoom_to(range);
            self.range = None;
        } else if let Some(marker) = self.selected {
            self.zoom_to_marker(marker);
        }
    }

    fn zoom_to_marker(&mut self, marker: MarkerId) {
        let Some(times) = self.times_of(marker) else { return };
        let length = times.len();
        // Instants keep the zoom but come closer by a factor of eight; intervals get most of the width.
        #[expect(clippy::cast_possible_truncation, reason = "view lengths are far below 2^63 ns")]
        let wanted = if length == 0 { (self.axis.span() / 8.0) as i64 } else { (length as f64 / MARKER_PART) as i64 };
        let margin = Ns((wanted.max(16) - length) / 2);
        self.zoom_to(TimeRange::new(times.start - margin, times.end + margin));
        self.reveal_marker(marker);
    }

    /// Pans just so far that some of a range can be seen; nothing happens if it can be seen already.
    pub fn bring_into_view(&mut self, range: TimeRange) {
        // A marker just revealed is on its way into view: that is what the person looks for.
        if !self.motion.is_done() {
            return;
        }
        let visible = self.axis.visible();
        if range.start > visible.end || range.end < visible.start {
            let half = Ns(visible.len() / 2);
            let middle =
                if range.len() < visible.len() { range.start + Ns(range.len() / 2) } else { range.start + half };
            self.motion.show(&self.axis, TimeRange { start: middle - half, end: middle + half });
        }
    }

    /// Selects a marker, shows its thread, and pans only if it is out of view.
    fn reveal_marker(&mut self, marker: MarkerId) {
        let Some((thread, _)) = self.profile.locate(marker) else { return };
        self.selected = Some(marker);
        self.reveal = Some(marker);
        if !self.tracks.shows(&self.profile, thread) {
            let process = self.profile.thread(thread).process;
            self.edit_tracks(|tracks| tracks.reveal(process, thread));
        }
        let Some(times) = self.times_of(marker) else { return };
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
