//! Conditions under which a command has an effect.

use flowline_insights::frames::Frames;
use flowline_insights::report::MetricKind;
use flowline_session::{InsightReport, Session};

/// The recordings that a command would apply to.
#[derive(Clone, Copy)]
pub(crate) struct CommandContext<'a> {
    /// The active recording.
    pub(crate) session: Option<&'a Session>,
    /// True if a second recording is open.
    pub(crate) has_second: bool,
}

/// The requirement of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Requirement {
    /// Nothing: it also works without a recording.
    Nothing,
    /// An open recording.
    Recording,
    /// A second recording.
    SecondRecording,
    /// A selected range, marker or call.
    Selection,
    /// A selected marker or call.
    SelectedItem,
    /// A selected marker.
    SelectedMarker,
    /// A selected time range.
    SelectedRange,
    /// Selected rows.
    SelectedRows,
    /// A search.
    Search,
    /// A measurement.
    Measurement,
    /// A time origin other than the recording's.
    TimeOrigin,
    /// A page load.
    Navigation,
    /// A late moment of a page load.
    LateMoment(MetricKind),
    /// A recording that may have insights.
    Insights,
    /// A long task of a page.
    LongTasks,
    /// Frames of a page.
    Frames,
    /// An entered flow.
    EnteredFlow,
    /// A pinned flow.
    PinnedFlow,
    /// A selected note.
    SelectedNote,
    /// At least one note.
    Notes,
    /// At least one note on a recording that is a Chrome trace.
    NotesOfTrace,
    /// A recording whose parts can be saved as recordings.
    Cuttable,
    /// A change that can be undone.
    UndoableChange,
    /// An undone change.
    UndoneChange,
}

impl Requirement {
    /// True if everything that the command needs is there.
    pub(crate) fn is_met(self, context: CommandContext<'_>) -> bool {
        let Some(session) = context.session else { return self == Self::Nothing };
        let view = &session.view;
        let has_item = view.selected.is_some() || view.selected_call.is_some();
        match self {
            Self::Nothing | Self::Recording => true,
            Self::SecondRecording => context.has_second,
            Self::Selection => has_item || view.range.is_some(),
            Self::SelectedItem => has_item,
            Self::SelectedMarker => view.selected.is_some(),
            Self::SelectedRange => view.range.is_some(),
            Self::SelectedRows => !view.chosen.rows.is_empty(),
            Self::Search => !view.search.is_empty(),
            Self::Measurement => view.measure.is_some(),
            Self::TimeOrigin => view.zero.is_some(),
            Self::Navigation => session.main_navigation().is_some_and(|own| own.marker.is_some()),
            Self::LateMoment(kind) => session.late_moment(kind).is_some(),
            Self::Insights => InsightReport::may_exist(session.index.profile()),
            Self::LongTasks => session.has_long_tasks(),
            Self::Frames => Frames::may_have(session.index.profile()),
            Self::EnteredFlow => !view.flows.entered.is_empty(),
            Self::PinnedFlow => !view.flows.pinned.is_empty(),
            Self::SelectedNote => view.notes.selected.is_some(),
            Self::Notes => !view.notes.list.is_empty(),
            Self::NotesOfTrace => !view.notes.list.is_empty() && session.index.profile().source.holds_events(),
            Self::Cuttable => session.index.profile().meta.kind.has_markers(),
            Self::UndoableChange => view.can_undo()[0],
            Self::UndoneChange => view.can_undo()[1],
        }
    }
}
