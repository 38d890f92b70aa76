//! The part of the format of saved views about tracks: layout of the chart, state and order of tracks, and the selection.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::lenient::{is_default, items, lists};
use super::marker_format::SavedMarker;
use super::word;
use flowline_profile::{Arrangement, ColorBy, Implementation};
use flowline_view::FlowLaneOrder;

/// Layout and scroll of the chart.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct SavedLayout {
    #[serde(with = "word", skip_serializing_if = "Option::is_none")]
    pub(super) rows: Option<Arrangement>,
    /// True for the layout by flow.
    #[serde(skip_serializing_if = "is_default")]
    pub(super) by_object: bool,
    /// Order of the flow lanes.
    #[serde(with = "word", skip_serializing_if = "Option::is_none")]
    pub(super) order: Option<FlowLaneOrder>,
    /// True if flows that take no time are listed.
    #[serde(skip_serializing_if = "is_default")]
    pub(super) instants: bool,
    /// True if lanes without content in the visible range are listed.
    #[serde(skip_serializing_if = "is_default")]
    pub(super) outside: bool,
    /// True if lanes are grouped by the thread that executes them.
    #[serde(skip_serializing_if = "is_default")]
    pub(super) by_thread: bool,
    /// Types of flows that are switched on or off, in order.
    #[serde(skip_serializing_if = "is_default", deserialize_with = "items")]
    pub(super) types: Vec<Vec<TickPart>>,
    /// Scroll position in points.
    #[serde(skip_serializing_if = "is_default")]
    pub(super) scroll: f64,
    /// Scroll position of the layout that is not shown.
    #[serde(skip_serializing_if = "is_default")]
    pub(super) other_scroll: f64,
    /// Functions in stack charts.
    #[serde(with = "word", skip_serializing_if = "Option::is_none")]
    pub(super) functions: Option<Implementation>,
    /// Colors of stack charts.
    #[serde(with = "word", skip_serializing_if = "Option::is_none")]
    pub(super) call_colors: Option<ColorBy>,
}

/// A part of the list `[on, namespace, ..., type]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum TickPart {
    On(bool),
    Name(String),
}

/// State and order of tracks. A set that contains most items is `*` and the missing items.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct SavedTracks {
    #[serde(skip_serializing_if = "is_default", deserialize_with = "items")]
    pub(super) expanded: Vec<String>,
    #[serde(skip_serializing_if = "is_default", deserialize_with = "items")]
    pub(super) collapsed: Vec<String>,
    #[serde(skip_serializing_if = "is_default", deserialize_with = "items")]
    pub(super) hidden: Vec<String>,
    /// Id of the selected tab, whose choice hides the threads of others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) tab: Option<i64>,
    #[serde(skip_serializing_if = "is_default", deserialize_with = "items")]
    pub(super) with_empty_threads: Vec<String>,
    /// Threads of which the group of numbered threads is unfolded.
    #[serde(skip_serializing_if = "is_default", deserialize_with = "items")]
    pub(super) open_groups: Vec<String>,
    /// Threads and counters that are listed although the others of their group or process are not.
    #[serde(skip_serializing_if = "is_default", deserialize_with = "items")]
    pub(super) shown_members: Vec<String>,
    #[serde(skip_serializing_if = "is_default", deserialize_with = "items")]
    pub(super) shown_counters: Vec<String>,
    #[serde(skip_serializing_if = "is_default")]
    pub(super) compact: bool,
    /// Collapsed groups, one list for each thread.
    #[serde(skip_serializing_if = "is_default", deserialize_with = "items")]
    pub(super) folded_groups: Vec<Vec<GroupPart>>,
    #[serde(skip_serializing_if = "is_default", deserialize_with = "items")]
    pub(super) all_groups: Vec<String>,
    #[serde(skip_serializing_if = "is_default")]
    pub(super) hide_empty_rows: bool,
    #[serde(skip_serializing_if = "is_default", deserialize_with = "items")]
    pub(super) flow_tracks: Vec<String>,
    /// Owners of the shown counters.
    #[serde(skip_serializing_if = "is_default", deserialize_with = "items")]
    pub(super) counters: Vec<String>,
    #[serde(skip_serializing_if = "is_default", deserialize_with = "items")]
    pub(super) stack_charts: Vec<String>,
    #[serde(skip_serializing_if = "is_default")]
    pub(super) all_markers: bool,
    /// Tracks of queries; their rows are not saved.
    #[serde(skip_serializing_if = "is_default", deserialize_with = "items")]
    pub(super) queries: Vec<SavedQueryTrack>,
    /// Pinned threads in order.
    #[serde(skip_serializing_if = "is_default", deserialize_with = "items")]
    pub(super) top_threads: Vec<String>,
    #[serde(skip_serializing_if = "is_default", deserialize_with = "items")]
    pub(super) process_order: Vec<String>,
    /// Order of the threads of each process.
    #[serde(skip_serializing_if = "is_default", deserialize_with = "items")]
    pub(super) thread_order: Vec<Vec<String>>,
    /// Tracks of registered kinds that the user collapsed or expanded, by the key of the kind.
    #[serde(flatten, deserialize_with = "lists")]
    pub(super) toggled: BTreeMap<String, Vec<TrackName>>,
}

/// A track of a query.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct SavedQueryTrack {
    #[serde(skip_serializing_if = "is_default")]
    pub(super) number: u32,
    pub(super) name: String,
    pub(super) sql: String,
    /// True if it runs only when the user asks for it. Links need not state it: none of their queries run by themselves.
    #[serde(skip_serializing_if = "is_default")]
    pub(super) on_request: bool,
}

/// A track of a registered kind: the name of its process, or its number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum TrackName {
    Number(u32),
    Process(String),
}

impl TrackName {
    /// The number of a track that has no process.
    pub(super) const fn number(&self) -> Option<u32> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Process(_) => None,
        }
    }

    /// The name of a track's process.
    pub(super) fn process(&self) -> Option<String> {
        match self {
            Self::Number(_) => None,
            Self::Process(name) => Some(name.clone()),
        }
    }
}

/// A part of the list `[thread, group, ...]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum GroupPart {
    Thread(String),
    /// The kind of a group, and its name if it has one.
    Group(Vec<String>),
}

/// A marker or a call, and the selected rows and threads.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct SavedSelection {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) marker: Option<SavedMarker>,
    /// True if the marker is listed even if the search does not find it.
    #[serde(skip_serializing_if = "is_default")]
    pub(super) is_revealed: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) call: Option<String>,
    /// The selected threads.
    #[serde(skip_serializing_if = "is_default", deserialize_with = "items")]
    pub(super) picked_threads: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) anchor: Option<String>,
    /// Threads, samples, counters and rows of a box selection.
    #[serde(skip_serializing_if = "is_default", deserialize_with = "items")]
    pub(super) threads: Vec<String>,
    #[serde(skip_serializing_if = "is_default", deserialize_with = "items")]
    pub(super) samples: Vec<String>,
    #[serde(skip_serializing_if = "is_default", deserialize_with = "items")]
    pub(super) counters: Vec<String>,
    #[serde(skip_serializing_if = "is_default", deserialize_with = "items")]
    pub(super) rows: Vec<Vec<RowsPart>>,
    /// Rows of tracks of registered kinds.
    #[serde(skip_serializing_if = "is_default", deserialize_with = "items")]
    pub(super) tracks: Vec<Vec<RowsPart>>,
}

/// A part of the list `[thread, arrangement, from, to, from, to, ...]` or `[kind, track, from, to, from, to, ...]`, in
/// which a track is the name of its process or its number. Rows are numbered from the first row of their thread or
/// track.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum RowsPart {
    Name(String),
    Row(u32),
}
