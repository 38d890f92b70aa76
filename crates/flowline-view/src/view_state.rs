//! The view state: everything that can change while a recording is open.

use std::sync::Arc;

use crate::command::Command;
use crate::critical::PathTarget;
use crate::flow_lanes::FlowLaneView;
use crate::flows::FlowView;
use crate::history::History;
use crate::insight_focus::InsightFocus;
use crate::lit_entries::LitEntries;
use crate::notes::NotesView;
use crate::selection_history::SelectionHistory;
use crate::theme::Theme;
use crate::time::{Breadcrumbs, KeyMotion, Measure, Motion, TimeAxis, TimeBounds};
use crate::track_state::{TrackRef, TrackSelection, Tracks};
use flowline_profile::Arrangement;
use flowline_profile::{
    CallRef, ColorBy, CounterId, Direction, DisplayClock, Implementation, MarkerId, Ns, Profile, SelectedCall,
    TimeRange,
};

/// All state that can change while a recording is open.
#[derive(Clone, Debug)]
pub struct ViewState {
    /// The shared time axis.
    pub axis: TimeAxis,
    /// The animation of the axis.
    pub motion: Motion,
    /// The motion from keys that are held down.
    pub held: KeyMotion,
    /// Vertical scroll of the chart, in points.
    pub scroll: f64,
    /// State of the tracks; copied on write, because the frame on screen shares it.
    pub tracks: Arc<Tracks>,
    /// Arrangement of rows.
    pub arrangement: Arrangement,
    /// The layout "By object", which replaces the rows of threads.
    pub flow_lanes: FlowLaneView,
    /// The selected marker.
    pub selected: Option<MarkerId>,
    /// The marker under the pointer.
    pub hovered: Option<MarkerId>,
    /// The selected call of a stack chart; no marker is selected at the same time.
    pub selected_call: Option<SelectedCall>,
    /// The call under the pointer.
    pub hovered_call: Option<CallRef>,
    /// The entries of the table row under the pointer or the cursor.
    pub lit: Option<Arc<LitEntries>>,
    /// The emphasized insight.
    pub insight: Option<Arc<InsightFocus>>,
    /// The property that determines the colors of slices and calls.
    pub color_by: ColorBy,
    /// The functions whose calls stack charts show.
    pub call_functions: Implementation,
    /// The clicked counter and moment; no marker or call is selected at the same time.
    pub counter: Option<(CounterId, Ns)>,
    /// The selected markers and calls so far.
    pub selections: SelectionHistory,
    /// The selected range of time.
    pub range: Option<TimeRange>,
    /// True if the range was selected after the selected marker or call.
    pub range_is_newer: bool,
    /// The selected rows and filtered threads; copied on write, because the frame on screen shares them.
    pub chosen: Arc<TrackSelection>,
    /// The edges of the measuring tool.
    pub measure: Option<Measure>,
    /// True if tables and trees show the visible range while no range is selected.
    pub follows_view: bool,
    /// The committed ranges and the view history.
    pub breadcrumbs: Breadcrumbs,
    /// The search text.
    pub search: String,
    /// The direction of the hit to select once the search for the current text is complete.
    pub wanted_hit: Option<Direction>,
    /// The marker revealed last since the search text changed. It is listed even if the search does not find it.
    pub revealed: Option<MarkerId>,
    /// A marker to scroll into view once its rows are laid out.
    pub reveal: Option<MarkerId>,
    /// True if `reveal` is scrolled to on the track of its entry, not on the row of its thread.
    pub reveal_on_track: bool,
    /// A track whose heading should be scrolled into view.
    pub reveal_track: Option<TrackRef>,
    /// A counter to scroll into view.
    pub reveal_counter: Option<CounterId>,
    /// True if the selected call should be scrolled into view.
    pub reveal_call: bool,
    /// The marker whose start is the time origin; `None` for the recording's own origin.
    pub zero: Option<MarkerId>,
    /// The clock of displayed times; it follows `zero`.
    pub(crate) clock: DisplayClock,
    /// The target of the critical path, if it is shown.
    pub path: Option<PathTarget>,
    /// The flow panel.
    pub flows: FlowView,
    /// Notes on the recording.
    pub notes: NotesView,
    /// Color theme.
    pub theme: Theme,
    /// Undo and redo steps.
    pub(crate) history: History,
    /// The times that the axis can show.
    pub(crate) bounds: TimeBounds,
    pub(crate) commands: u64,
    pub(crate) profile: Arc<Profile>,
}

impl ViewState {
    /// A view of the whole recording.
    #[must_use]
    pub fn new(profile: Arc<Profile>, extent: TimeRange, width: f64) -> Self {
        let shown = if profile.meta.range.is_empty() { extent } else { profile.meta.range };
        let mut axis = TimeAxis::new(extent, width);
        axis.show(shown);
        let arrangement = profile.meta.arrangement();
        let color_by = if profile.meta.capabilities.color_by_file { ColorBy::File } else { ColorBy::Kind };
        Self {
            axis,
            motion: Motion::default(),
            held: KeyMotion::default(),
            scroll: 0.0,
            tracks: Arc::default(),
            arrangement,
            flow_lanes: FlowLaneView::default(),
            selected: None,
            hovered: None,
            selected_call: None,
            hovered_call: None,
            lit: None,
            insight: None,
            color_by,
            call_functions: Implementation::All,
            counter: None,
            selections: SelectionHistory::default(),
            range: None,
            range_is_newer: false,
            chosen: Arc::default(),
            measure: None,
            follows_view: false,
            breadcrumbs: Breadcrumbs::default(),
            search: String::new(),
            wanted_hit: None,
            revealed: None,
            reveal: None,
            reveal_on_track: false,
            reveal_track: None,
            reveal_counter: None,
            reveal_call: false,
            zero: None,
            clock: profile.clock(),
            path: None,
            flows: FlowView::default(),
            notes: NotesView::default(),
            history: History::default(),
            theme: Theme::default(),
            bounds: TimeBounds { extent, whole: shown },
            commands: 0,
            profile,
        }
    }

    /// The open recording.
    #[must_use]
    #[inline]
    pub const fn profile(&self) -> &Arc<Profile> {
        &self.profile
    }

    /// Start and end of a marker.
    #[must_use]
    #[inline]
    pub fn times_of(&self, marker: MarkerId) -> Option<TimeRange> {
        let (thread, local) = self.profile.locate(marker)?;
        let markers = &self.profile.thread(thread).markers;
        Some(TimeRange::new(markers.start(local), markers.end(local)))
    }

    /// Number of applied commands.
    #[must_use]
    #[inline]
    pub const fn commands(&self) -> u64 {
        self.commands
    }

    /// Applies a command.
    pub fn apply(&mut self, command: Command) {
        self.commands += 1;
        match &command {
            Command::SelectRange(Some(_)) | Command::RevealRange(_) | Command::SelectBox(Some(_), _) => {
                self.range_is_newer = true
            }
            command if command.selects() => {
                (self.range_is_newer, self.notes.selected, self.counter) = (false, None, None);
            }
            _ => {}
        }
        let before = self.before(&command);
        self.perform(command);
        self.note_step(before);
        self.note_selection();
        self.confine();
    }

    /// Switches between flow lanes and the rows of threads; each layout keeps its own scroll position.
    pub(crate) fn show_flow_lanes(&mut self, shown: bool) {
        if self.flow_lanes.shown != shown {
            self.flow_lanes.shown = shown;
            std::mem::swap(&mut self.scroll, &mut self.flow_lanes.other_scroll);
        }
    }

    /// Limits the axis to the committed range once the animation has ended.
    pub(crate) fn confine(&mut self) {
        if self.motion.is_done() {
            self.axis.set_extent(self.breadcrumbs.committed().unwrap_or(self.bounds.extent));
        }
    }

    /// Restores saved committed ranges and views, and stops the animation.
    #[inline]
    pub fn restore_breadcrumbs(&mut self, breadcrumbs: Breadcrumbs) {
        self.breadcrumbs = breadcrumbs;
        self.motion.stop();
        self.confine();
    }

    /// The clock of displayed times.
    #[must_use]
    #[inline]
    pub const fn clock(&self) -> DisplayClock {
        self.clock
    }

    /// Restores a saved time origin: the start of a marker. This cannot be undone.
    #[inline]
    pub fn restore_time_origin(&mut self, zero: Option<MarkerId>) {
        self.perform(Command::ZeroAt(zero));
    }

    /// Moves to a view after a commit was undone.
    pub(crate) fn go_to(&mut self, view: Option<TimeRange>) {
        if let Some(view) = view {
            self.axis.set_extent(self.breadcrumbs.committed().unwrap_or(self.bounds.extent));
            self.motion.show(&self.axis, view);
        }
    }

    /// Undoes commits until a range can be shown, at least in part.
    pub(crate) fn widen_to(&mut self, range: TimeRange, wholly: bool) {
        if self.breadcrumbs.widen_to(range, wholly) {
            self.axis.set_extent(self.breadcrumbs.committed().unwrap_or(self.bounds.extent));
        }
    }

    /// Changes the tracks.
    pub fn edit_tracks(&mut self, change: impl FnOnce(&mut Tracks)) {
        Arc::make_mut(&mut self.tracks).change(change);
    }

    /// Changes the selected rows and filtered threads.
    pub(crate) fn edit_selection(&mut self, change: impl FnOnce(&mut TrackSelection)) {
        change(Arc::make_mut(&mut self.chosen));
    }

    /// True if an animation or a held key requires another frame.
    #[must_use]
    #[inline]
    pub fn is_moving(&self) -> bool {
        !self.motion.is_done() || self.held.is_active()
    }

    /// Advances animations and held keys by `seconds`.
    #[inline]
    pub fn advance(&mut self, seconds: f64) {
        self.motion.advance(&mut self.axis, seconds);
        let scroll = self.held.advance(&mut self.axis, seconds);
        self.scroll = (self.scroll + scroll).max(0.0);
        self.confine();
    }
}
