//! A saved view as JSON.

use super::names::{Names, StableNames};
use super::window::SavedWindow;
use super::{chart, flows, link, selection, tracks};
use crate::table_state::{Members, is_on};
use crate::window::panels::Panels;
use flowline_json::{Cursor, decode_value};
use flowline_profile::Value;
use flowline_session::Session;

/// The version written, and the newest version supported.
const VERSION: i64 = 1;

/// A saved view. Two views are equal if their JSON is equal.
#[derive(Clone, Debug)]
pub struct SavedView(Value);

impl PartialEq for SavedView {
    fn eq(&self, other: &Self) -> bool {
        self.to_json() == other.to_json()
    }
}

/// The part of a view for each of two recordings.
fn recording(session: &Session, tables: &StableNames) -> Members {
    let (view, names) = (&session.view, Names::new(&session.index, tables));
    let mut members = Members::default();
    members.add("layout", chart::write_layout(session));
    members.add("tracks", tracks::write(&view.tracks, &names));
    members.part("selection", selection::write(view, &names));
    members.part("flows", flows::write(&view.flows, &names));
    members.add("path", chart::write_path(view, &names));
    members.flag("hide_notes", !view.notes.shown);
    members
}

/// Applies the part of a view for a recording.
fn show_recording(value: &Value, session: &mut Session, names: &Names<'_>) {
    let part = |key: &str| value.get(key).unwrap_or(&Value::Null);
    chart::read_layout(part("layout"), session);
    // Without this member, the threads that fit into the window are expanded.
    if let Some(written) = value.get("tracks") {
        session.view.edit_tracks(|shown| tracks::read(written, shown, names));
    }
    selection::read(part("selection"), session, names);
    session.view.flows = flows::read(part("flows"), names);
    chart::read_path(value.get("path"), session, names);
    session.view.notes.shown = !is_on(value, "hide_notes");
}

impl SavedView {
    /// The view of a recording, and of a second one below it.
    pub(crate) fn of(
        (session, panels, tables): (&Session, &Panels, &StableNames),
        second: Option<(&Session, &StableNames)>,
        window: SavedWindow,
    ) -> Self {
        let names = Names::new(&session.index, tables);
        let mut members = Members::default();
        members.add("version", Value::Int(VERSION));
        members.add("times", chart::write_times(&session.view, &names));
        members.text("search", &session.view.search);
        let Value::Object(own) = recording(session, tables).object() else { return Self(Value::Null) };
        own.into_iter().for_each(|(key, value)| members.add(&key, value));
        members.add("tables", panels.choices());
        members.add("window", window.write().object());
        members.add("second", second.map(|(session, tables)| recording(session, tables).object()));
        Self(members.object())
    }

    /// Applies the view; returns the number of items in it that the recording does not contain.
    pub(crate) fn apply_to_session(&self, session: &mut Session, panels: &mut Panels, tables: &StableNames) -> usize {
        let index = std::sync::Arc::clone(&session.index);
        let names = Names::new(&index, tables);
        chart::read_search(&self.0, session);
        show_recording(&self.0, session, &names);
        chart::read_times(self.0.get("times").unwrap_or(&Value::Null), session, &names);
        self.0.get("tables").into_iter().for_each(|choices| panels.set_choices(choices));
        names.missing()
    }

    /// Applies the part of the view about a second recording.
    pub(crate) fn show_second_in(&self, session: &mut Session, tables: &StableNames) {
        let index = std::sync::Arc::clone(&session.index);
        let names = Names::new(&index, tables);
        self.0.get("second").into_iter().for_each(|value| show_recording(value, session, &names));
    }

    /// The panels of the window, if the view contains them.
    pub(crate) fn window(&self) -> Option<SavedWindow> {
        self.0.get("window").map(SavedWindow::read)
    }

    /// The view as JSON on one line.
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut text = String::new();
        self.0.to_json(&mut text);
        text
    }

    /// The view as a JSON value.
    #[must_use]
    pub const fn value(&self) -> &Value {
        &self.0
    }

    /// Reads a JSON value.
    ///
    /// # Errors
    /// Returns a message if it is not a view, or has a newer version.
    pub fn of_value(value: &Value) -> Result<Self, String> {
        match value.get("version").and_then(Value::as_i64) {
            None => Err("it is not a view of a recording".into()),
            Some(version) if version > VERSION => Err("it was written by a newer version of Flowline".into()),
            Some(_) => Ok(Self(value.clone())),
        }
    }

    /// Reads JSON.
    ///
    /// # Errors
    /// Returns a message if it is damaged, not a view, or has a newer version.
    pub fn from_json(text: &[u8]) -> Result<Self, String> {
        let value = decode_value(&mut Cursor::at(text, 0)).map_err(|error| format!("it is damaged: {error}"))?;
        Self::of_value(&value)
    }

    /// The view as one word of a command line: letters, digits, `-` and `_`.
    #[must_use]
    pub fn to_link(&self) -> String {
        link::packed(&self.to_json())
    }

    /// Reads such a word.
    ///
    /// # Errors
    /// Returns a message if it is damaged, not a view, or has a newer version.
    pub fn from_link(word: &str) -> Result<Self, String> {
        Self::from_json(&link::unpacked(word)?)
    }
}
