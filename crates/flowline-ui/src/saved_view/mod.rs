//! A view that is kept: everything that a person arranged in the window of a recording, as JSON. It is written to a file for each
//! recording, and is the text of a link.
//!
//! | member | what it has |
//! |---|---|
//! | `version` | 1 |
//! | `times` | `shown`: \[whole ns, fraction of a ns, length in ns\]; `committed` ranges, the views `before` them with how many ranges were committed then, the `selected` and the `measured` range, the `zero` marker |
//! | `layout` | `rows` by name or as stacks, `by_object` with `order` and `types`, `scroll` in points, `functions` and `call_colors` of stack charts |
//! | `search` | the text of the search |
//! | `tracks` | what is `expanded`, `collapsed`, `hidden` …, and the order: `top_threads`, `process_order`, `thread_order` |
//! | `selection` | `marker` or `call`; `rows`, `threads`, `samples`, `counters` of a box; `picked_threads` |
//! | `flows` | `entered`, `pinned` and their `pin_names`, `history` and position `at` in it, `open_groups` … |
//! | `path` | the marker to which the critical path leads |
//! | `hide_notes` | whether notes are not drawn over the chart |
//! | `tables` | for each table its columns, widths, order, filter and groups |
//! | `window` | the open `table`, `hidden` panels, `sizes` in points, `no_tooltips` if clicks keep none |
//! | `second` | `layout`, `tracks`, `selection`, `flows`, `path` of a second recording; in links only |
//!
//! Members that are missing stand for how a recording opens. Times are nanoseconds on the recording's clock. [`names`] says how
//! threads, markers and flows are named; what is not found again is left out and counted. Reading never fails because of a
//! member: one that makes no sense is as if it were missing.

mod chart;
mod flows;
mod link;
pub(crate) mod names;
mod selection;
mod tracks;
mod window;

use names::{NameTables, Names};

use crate::choices::{Members, is_on};
use crate::window::panels::Panels;
use flowline_json::{Cursor, decode_value};
use flowline_profile::Value;
use flowline_session::Session;
pub use window::SavedSizes;
pub(crate) use window::WindowPart;

/// The version that is written, and the newest one that is read.
const VERSION: i64 = 1;

/// A view that is kept. Two are equal if they are written alike.
#[derive(Clone, Debug)]
pub struct SavedView(Value);

impl PartialEq for SavedView {
    fn eq(&self, other: &Self) -> bool {
        self.to_json() == other.to_json()
    }
}

/// What each of two recordings has of its own.
fn recording(session: &Session, tables: &NameTables) -> Members {
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

/// Shows what a recording had of its own.
fn show_recording(value: &Value, session: &mut Session, names: &Names<'_>) {
    let part = |key: &str| value.get(key).unwrap_or(&Value::Null);
    chart::read_layout(part("layout"), session);
    // Without them, the threads that fit into the window are unfolded.
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
        (session, panels, tables): (&Session, &Panels, &NameTables),
        second: Option<(&Session, &NameTables)>,
        window: WindowPart,
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

    /// Shows the view; returns how many of the things that it names are not there.
    pub(crate) fn show_in(&self, session: &mut Session, panels: &mut Panels, tables: &NameTables) -> usize {
        let index = std::sync::Arc::clone(&session.index);
        let names = Names::new(&index, tables);
        chart::read_search(&self.0, session);
        show_recording(&self.0, session, &names);
        chart::read_times(self.0.get("times").unwrap_or(&Value::Null), session, &names);
        self.0.get("tables").into_iter().for_each(|choices| panels.set_choices(choices));
        names.missing()
    }

    /// Shows in a second recording what the view has of it.
    pub(crate) fn show_second_in(&self, session: &mut Session, tables: &NameTables) {
        let index = std::sync::Arc::clone(&session.index);
        let names = Names::new(&index, tables);
        self.0.get("second").into_iter().for_each(|value| show_recording(value, session, &names));
    }

    /// The panels of the window, if the view says something of them.
    pub(crate) fn window(&self) -> Option<WindowPart> {
        self.0.get("window").map(WindowPart::read)
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
    /// A message when it is no view, or that of a newer version.
    pub fn of_value(value: &Value) -> Result<Self, String> {
        match value.get("version").and_then(Value::as_i64) {
            None => Err("it is no view of a recording".into()),
            Some(version) if version > VERSION => Err("it was written by a newer version of Flowline".into()),
            Some(_) => Ok(Self(value.clone())),
        }
    }

    /// Reads JSON.
    ///
    /// # Errors
    /// A message when it is damaged, no view, or that of a newer version.
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
    /// A message when it is damaged, no view, or that of a newer version.
    pub fn from_link(word: &str) -> Result<Self, String> {
        Self::from_json(&link::unpacked(word)?)
    }
}
