//! The format of saved views: everything that the user arranged in the window of a recording, as JSON. A file per
//! recording stores its view, and links contain one.
//!
//! A missing member means the initial state of a recording. Reading never fails because of a single member or item: an
//! invalid one counts as missing. Times are nanoseconds on the recording's clock. [`super::names`] defines the names of
//! threads, markers and flows.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::lenient::{is_default, items, members, optional_members, read_members};
use super::link;
use super::marker_format::SavedMarker;
use super::track_format::{SavedLayout, SavedSelection, SavedTracks};
use super::window::SavedWindow;

/// The version written, and the newest version supported.
pub(super) const VERSION: u32 = 1;

/// A saved view. [`SavedView::of_value`] reads one and checks its version.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct SavedView {
    pub(super) version: u32,
    #[serde(deserialize_with = "members")]
    pub(super) times: SavedTimes,
    /// The search text.
    #[serde(skip_serializing_if = "is_default")]
    pub(super) search: String,
    #[serde(flatten)]
    pub(super) recording: SavedRecording,
    /// Columns, widths, order, filter and groups of each table, in a form that the tables define.
    #[serde(skip_serializing_if = "Value::is_null")]
    pub(super) tables: Value,
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "optional_members")]
    pub(super) window: Option<SavedWindow>,
    /// Notes; only in links.
    #[serde(skip_serializing_if = "is_default", deserialize_with = "items")]
    pub(super) notes: Vec<SavedNote>,
    /// A second recording; only in links.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "optional_members")]
    pub(super) second: Option<SavedRecording>,
}

/// The part of a view that each of two recordings has.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct SavedRecording {
    #[serde(deserialize_with = "members")]
    pub(super) layout: SavedLayout,
    /// If missing, the threads that fit into the window are expanded.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "optional_members")]
    pub(super) tracks: Option<SavedTracks>,
    #[serde(skip_serializing_if = "is_default", deserialize_with = "members")]
    pub(super) selection: SavedSelection,
    #[serde(skip_serializing_if = "is_default", deserialize_with = "members")]
    pub(super) flows: SavedFlows,
    /// The end of the critical path.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "optional_members")]
    pub(super) path: Option<SavedPath>,
    /// The emphasized insight.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "optional_members")]
    pub(super) insight: Option<SavedInsight>,
    /// True if the chart does not show notes.
    #[serde(skip_serializing_if = "is_default")]
    pub(super) hide_notes: bool,
}

/// Start and end of a range in nanoseconds.
pub(super) type SavedRange = (i64, i64);

/// Times.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct SavedTimes {
    /// The visible range: whole nanoseconds and fraction of its start, and its length.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) shown: Option<(i64, f64, f64)>,
    /// The committed ranges.
    #[serde(skip_serializing_if = "is_default", deserialize_with = "items")]
    pub(super) committed: Vec<SavedRange>,
    /// The views before the committed ranges, each with the number of ranges committed at that time.
    #[serde(skip_serializing_if = "is_default", deserialize_with = "items")]
    pub(super) before: Vec<(SavedRange, usize)>,
    /// The selected range.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) selected: Option<SavedRange>,
    /// The first, or both edges of the measured range.
    #[serde(skip_serializing_if = "is_default")]
    pub(super) measured: Vec<i64>,
    /// The marker at the time origin.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) zero: Option<SavedMarker>,
}

/// Entered and pinned flows, the history, and the state of the flow panel.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct SavedFlows {
    #[serde(skip_serializing_if = "is_default", deserialize_with = "items")]
    pub(super) entered: Vec<String>,
    #[serde(skip_serializing_if = "is_default", deserialize_with = "items")]
    pub(super) pinned: Vec<String>,
    /// Flows and the names that the user gave them.
    #[serde(skip_serializing_if = "is_default", deserialize_with = "items")]
    pub(super) pin_names: Vec<(String, String)>,
    #[serde(skip_serializing_if = "is_default", deserialize_with = "items")]
    pub(super) history: Vec<Vec<String>>,
    /// Position in the history.
    #[serde(skip_serializing_if = "is_default")]
    pub(super) at: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) chosen: Option<String>,
    #[serde(skip_serializing_if = "is_default")]
    pub(super) connections: bool,
    #[serde(skip_serializing_if = "is_default")]
    pub(super) path: bool,
    #[serde(skip_serializing_if = "is_default")]
    pub(super) incoming_steps: u16,
    #[serde(skip_serializing_if = "is_default")]
    pub(super) outgoing_steps: u16,
    /// Section, number of steps, and name of each expanded group.
    #[serde(skip_serializing_if = "is_default", deserialize_with = "items")]
    pub(super) open_groups: Vec<(String, u16, String)>,
    #[serde(skip_serializing_if = "is_default")]
    pub(super) scroll: f64,
    #[serde(skip_serializing_if = "is_default")]
    pub(super) pinned_scroll: f64,
}

/// The end of the critical path.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct SavedPath {
    pub(super) marker: Option<SavedMarker>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) time_ns: Option<i64>,
    #[serde(skip_serializing_if = "is_true")]
    pub(super) assume_followed: bool,
}

impl Default for SavedPath {
    fn default() -> Self {
        Self { marker: None, time_ns: None, assume_followed: true }
    }
}

/// The name of an insight.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct SavedInsight {
    pub(super) name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) navigation: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) window: Option<i64>,
    /// Name of the process; empty for a trace.
    #[serde(skip_serializing_if = "is_default")]
    pub(super) process: String,
}

const fn is_true(value: &bool) -> bool {
    *value
}

/// A note on a moment, a range or a marker, or from one marker to another.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct SavedNote {
    #[serde(skip_serializing_if = "is_default")]
    pub(super) text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) at: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) range: Option<SavedRange>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) on: Option<SavedMarker>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) to: Option<SavedMarker>,
}

impl SavedView {
    /// The view as JSON on one line.
    #[must_use]
    pub fn to_json(&self) -> String {
        // All keys are strings, so this cannot fail.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Reads a JSON value.
    ///
    /// # Errors
    /// Returns a message if it is not a view, or has a newer version.
    pub fn of_value(value: Value) -> Result<Self, String> {
        match value.get("version").and_then(Value::as_i64) {
            None => Err("it is not a view of a recording".into()),
            Some(version) if version > VERSION.into() => Err("it was written by a newer version of Flowline".into()),
            Some(_) => Ok(Self { version: VERSION, ..read_members(value) }),
        }
    }

    /// Reads JSON.
    ///
    /// # Errors
    /// Returns a message if it is damaged, not a view, or has a newer version.
    pub fn from_json(text: &[u8]) -> Result<Self, String> {
        let value = serde_json::from_slice(text).map_err(|error| format!("it is damaged: {error}"))?;
        Self::of_value(value)
    }

    /// The view as one word of a command line: letters, digits, `-` and `_`.
    #[must_use]
    pub fn to_link(&self) -> String {
        link::packed(&self.to_json())
    }

    /// Reads such a word. It may come from somebody else, so its queries do not run by themselves.
    ///
    /// # Errors
    /// Returns a message if it is damaged, not a view, or has a newer version.
    pub fn from_link(word: &str) -> Result<Self, String> {
        Ok(Self::from_json(&link::unpacked(word)?)?.with_queries_on_request())
    }

    fn with_queries_on_request(mut self) -> Self {
        let recordings = [Some(&mut self.recording), self.second.as_mut()].into_iter().flatten();
        let tracks = recordings.filter_map(|recording| recording.tracks.as_mut());
        tracks.flat_map(|tracks| &mut tracks.queries).for_each(|query| query.on_request = true);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A view with all members, as version 0.1 wrote it.
    const FULL: &str = r#"{"version":1,"times":{"shown":[1922585000000000,0.25,2081057.05706],"committed":[[1,9],[2,8]],
        "before":[[[0,10],0],[[1,9],1]],"selected":[3,4],"measured":[5],"zero":{"thread":"1/1 a","start_ns":7,"name":"x"}},
        "search":"paint","layout":{"rows":"stack","by_object":true,"order":"longest_wait","types":[[false,"Network","http"],[true]],
        "scroll":12,"other_scroll":1.5,"functions":"js","call_colors":"file"},"tracks":{"expanded":["*","1/1 a"],
        "collapsed":["1 b"],"hidden":["1/2 c"],"with_empty_threads":["1 b"],"open_groups":["1/1 a"],"compact":true,"folded_groups":[["1/1 a",["name","x"],["stack"]]],
        "all_groups":["1/1 a"],"hide_empty_rows":true,"flow_tracks":["1 b t"],"counters":["","1 b"],"network":["1 b"],
        "custom_tracks":[0,2],"stack_charts":["1/1 a"],"all_markers":true,
        "queries":[{"number":3,"name":"Long","sql":"SELECT ts, name\\nFROM slice"}],"top_threads":["1/1 a"],"process_order":["1 b"],
        "thread_order":[["1/1 a","1/2 c"]]},"selection":{"marker":{"thread":"1/1 a","start_ns":-7,"name":"x","nth":2},
        "is_revealed":true,"call":"k","picked_threads":["1/1 a"],"anchor":"1/1 a","threads":["1/1 a"],"samples":["1/1 a"],"counters":["1 c"],
        "rows":[["1/1 a","name",0,3,5,7]],
        "tracks":[["network","1 b",0,2],["custom_tracks",2,0,1]]},"flows":{"entered":["f;1"],"pinned":["g;2"],"pin_names":[["g;2","mine"]],
        "history":[["f;1"],["g;2","f;1"]],"at":1,"chosen":"f;1","connections":true,"path":true,"incoming_steps":1,
        "outgoing_steps":2,"open_groups":[["cause",2,"x"],["direct",0,"y"]],"scroll":3,"pinned_scroll":4.5},
        "path":{"marker":{"thread":"1/1 a","start_ns":7,"name":"x"},"time_ns":8,"assume_followed":false},
        "insight":{"name":"LongTasks","navigation":1,"window":-7,"process":"1 b"},"hide_notes":true,
        "tables":{"markers":{"columns":["Start"],"widths":{"Start":90.5},"sort":["Start",false]}},"window":{"table":"log",
        "hidden":{"details":true,"overview":true},"sizes":{"details":280,"table":250.5,"second":0.5}},
        "second":{"layout":{"rows":"name"},"tracks":{},"path":{"marker":{"thread":"1/1 a","start_ns":7,"name":"x"}}}}"#;

    /// The value with all numbers as floating-point numbers.
    fn with_floats(value: Value) -> Value {
        match value {
            Value::Number(number) => number.as_f64().map_or(Value::Null, Value::from),
            Value::Array(items) => items.into_iter().map(with_floats).collect(),
            Value::Object(members) => members.into_iter().map(|(key, value)| (key, with_floats(value))).collect(),
            other => other,
        }
    }

    fn value(text: &str) -> Value {
        serde_json::from_str(text).expect("JSON")
    }

    #[test]
    fn every_member_is_read_and_written() {
        let view = SavedView::from_json(FULL.as_bytes()).expect("a view");
        assert_eq!(with_floats(value(&view.to_json())), with_floats(value(FULL)));
        assert_eq!(SavedView::from_json(view.to_json().as_bytes()).as_ref(), Ok(&view));
        assert_eq!(SavedView::from_link(&view.to_link()), Ok(view.with_queries_on_request()));
    }

    #[test]
    fn initial_state_is_omitted() {
        let view = SavedView::from_json(br#"{"version":1,"later":[1]}"#).expect("a view");
        assert_eq!(view.to_json(), r#"{"version":1,"times":{},"layout":{}}"#);
        assert_eq!((view.window, view.recording.tracks), (None, None));
    }

    #[test]
    fn invalid_members_count_as_missing() {
        let text = br#"{"version":1,"search":7,"times":{"shown":"x","committed":[[1,2],[3],"x"],"selected":[1,2]},
            "layout":{"rows":"unknown","order":5,"scroll":2,"types":[[true,"a"],7]},"tracks":{"hidden":["a",1],"custom_tracks":[1,-1]},
            "selection":{"rows":[["*",1,0,4294967295],["a","name",-1,2]],"marker":7},"flows":[],"hide_notes":"yes",
            "path":{"marker":{"start_ns":1},"time_ns":"x"},"window":{"table":"unknown","sizes":{"table":"x","labels":-5,"flows":1e9}}}"#;
        let view = SavedView::from_json(text).expect("a view");
        let written = value(&view.to_json());
        let expected = value(
            r#"{"version":1,"times":{"committed":[[1,2]],"selected":[1,2]},"layout":{"scroll":2.0,"types":[[true,"a"]]},
            "tracks":{"hidden":["a"],"custom_tracks":[1]},"selection":{"rows":[["*",1,0,4294967295]]},
            "path":{"marker":{"thread":"","start_ns":1,"name":""}},"window":{"sizes":{"labels":0.0,"flows":10000.0}}}"#,
        );
        assert_eq!(written, expected);
    }

    #[test]
    fn other_versions_and_other_files_are_errors() {
        for text in ["", "{", "{}", "[]", r#"{"version":"1"}"#, r#"{"version":2}"#, r#"{"version":1} x"#] {
            assert!(SavedView::from_json(text.as_bytes()).is_err(), "{text}");
        }
    }
}
