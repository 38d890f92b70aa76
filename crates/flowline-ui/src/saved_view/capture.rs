//! Takes the view of a window, and applies one to a recording. Items that the recording does not contain are skipped and
//! counted.

use std::sync::Arc;

use super::format::{SavedRecording, SavedTimes, SavedView, VERSION};
use super::names::{Names, StableNames, range};
use super::window::SavedWindow;
use super::{chart, flows, insight, notes, selection, tables, tracks};
use crate::window::panels::Panels;
use flowline_profile::TimeRange;
use flowline_session::Session;

/// The part of a view for each of two recordings.
fn recording(session: &Session, tables: &StableNames) -> SavedRecording {
    let (view, names) = (&session.view, Names::new(&session.index, tables));
    SavedRecording {
        layout: chart::layout(session),
        tracks: Some(tracks::saved(&view.tracks, &names)),
        selection: selection::saved(view, &names),
        flows: flows::saved(&view.flows, &names),
        path: chart::path(view, &names),
        insight: insight::saved(view, &names),
        hide_notes: !view.notes.shown,
    }
}

/// Applies the part of a view for a recording.
fn show_recording(saved: &SavedRecording, session: &mut Session, names: &Names<'_>) {
    chart::show_layout(&saved.layout, session);
    if let Some(tracks) = &saved.tracks {
        session.view.edit_tracks(|shown| tracks::show(tracks, shown, names));
    }
    selection::show(&saved.selection, session, names);
    session.view.flows = flows::flow_view(&saved.flows, names);
    session.flows.restore_scroll(&session.view.flows);
    session.view.path = saved.path.as_ref().and_then(|path| chart::path_target(path, names));
    session.view.restore_insight(saved.insight.as_ref().map(|insight| insight::focus(insight, names)));
    session.view.notes.shown = !saved.hide_notes;
}

impl SavedView {
    /// The view of a recording, and of a second one below it.
    pub(crate) fn of(
        (session, panels, tables): (&Session, &Panels, &StableNames),
        second: Option<(&Session, &StableNames)>,
        window: SavedWindow,
    ) -> Self {
        Self {
            version: VERSION,
            times: chart::times(&session.view, &Names::new(&session.index, tables)),
            search: session.view.search.clone(),
            recording: recording(session, tables),
            tables: tables::saved(panels),
            window: Some(window),
            notes: Vec::new(),
            second: second.map(|(session, tables)| recording(session, tables)),
        }
    }

    /// The same view with the notes of a recording.
    pub(crate) fn with_notes(self, session: &Session, tables: &StableNames) -> Self {
        let names = Names::new(&session.index, tables);
        Self { notes: notes::saved(&session.view.notes.list, &names), ..self }
    }

    /// The same view of a part of the recording, which opens at its own range. Going back shows the rest of the part: the
    /// first and the last item of the whole recording keep its clock.
    pub(crate) fn of_part(self, part: TimeRange, extent: TimeRange) -> Self {
        #[expect(clippy::cast_precision_loss, reason = "lengths of views are far below 2^53 ns")]
        let shown = Some((part.start.0, 0.0, part.len() as f64));
        let times = SavedTimes {
            shown,
            committed: vec![range(part)],
            before: vec![(range(extent), 0)],
            selected: None,
            ..self.times
        };
        Self { times, second: None, ..self }
    }

    /// Applies the view; returns the number of items in it that the recording does not contain.
    pub(crate) fn apply_to_session(&self, session: &mut Session, panels: &mut Panels, tables: &StableNames) -> usize {
        let index = Arc::clone(&session.index);
        let names = Names::new(&index, tables);
        session.keep_range();
        self.search.clone_into(&mut session.view.search);
        show_recording(&self.recording, session, &names);
        chart::show_times(&self.times, session, &names);
        tables::show(&self.tables, panels);
        notes::show(&self.notes, session, &names);
        names.missing()
    }

    /// Applies the part of the view about a second recording.
    pub(crate) fn show_second_in(&self, session: &mut Session, tables: &StableNames) {
        let index = Arc::clone(&session.index);
        let names = Names::new(&index, tables);
        self.second.iter().for_each(|saved| show_recording(saved, session, &names));
    }

    /// The panels of the window, if the view contains them.
    pub(crate) const fn window(&self) -> Option<SavedWindow> {
        self.window
    }
}
