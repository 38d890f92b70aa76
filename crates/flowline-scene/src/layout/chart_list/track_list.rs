//! The items of the chart from top to bottom, each with its position in points, and lookups by position, track and
//! marker.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use super::collapsed_group::CollapsedGroupRows;
use super::in_view::InViewFilter;
use super::item::Item;
use super::items::{CollapsedGroup, TrackRow};
use crate::layout::flow_content::FlowLanes;
use flowline_index::hidden::FilteredRows;
use flowline_profile::{Implementation, MarkerId, ProcessId, ThreadId};
use flowline_view::Arrangement;

/// Inputs of a list; a list with another key is stale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrackListKey {
    /// [`Tracks::revision`](flowline_view::Tracks::revision).
    pub tracks: u64,
    /// Arrangement.
    pub arrangement: Arrangement,
    /// Number of the search whose hits filter the tracks, if any.
    pub search: Option<u64>,
    /// A marker that is listed although the search does not find it.
    pub outside: Option<MarkerId>,
    /// The calls shown, and their colors.
    pub calls: Implementation,
    /// Number of threads whose rows and stack charts have been built.
    pub rows: u64,
    /// Required contents of listed rows; `None` also lists empty rows.
    pub in_view: Option<InViewFilter>,
    /// Number of the rows of stacks.
    pub stacks: u64,
    /// A row that is listed although its track lists only its first rows.
    pub kept: Option<TrackRow>,
    /// Number of the flow lanes, if flow lanes are shown.
    pub flow_lanes: Option<(u64, bool)>,
}

/// All items.
#[derive(Clone, Debug, Default)]
pub struct TrackList {
    pub(crate) items: Vec<Item>,
    pub(crate) height: f64,
    /// Number of the list; results computed from another list are stale.
    pub number: u64,
    /// Expanded threads whose rows are not built yet; they are shown collapsed.
    pub missing: Vec<ThreadId>,
    /// Expanded threads whose stack charts are not built yet, or not in the selected colors.
    pub missing_charts: Vec<ThreadId>,
    /// Expanded threads whose stack does not contain their calls yet, or not in the selected colors.
    pub missing_merged: Vec<ThreadId>,
    /// Keys of the kinds of tracks whose data has not been derived yet.
    pub missing_kinds: Vec<&'static str>,
    /// The positions of thread headings.
    pub(crate) headings: HashMap<ThreadId, usize>,
    /// The threads of each listed group of numbered threads, by the first of them.
    pub(crate) thread_groups: BTreeMap<ThreadId, Vec<ThreadId>>,
    /// The first thread of the group of each grouped thread.
    pub(crate) grouped: HashMap<ThreadId, ThreadId>,
    /// Processes with the same heading as another one.
    pub(crate) alike_processes: HashSet<ProcessId>,
    /// True if items have their compact heights.
    pub(crate) compact: bool,
    /// Threads with a duplicate name in their process.
    pub(crate) duplicate_names: HashSet<ThreadId>,
    /// Rows of the collapsed groups.
    pub(crate) collapsed: HashMap<CollapsedGroup, Arc<CollapsedGroupRows>>,
    /// The filtered rows, without hidden entries.
    pub(crate) shown: Arc<FilteredRows>,
    /// The listed flow lanes, if flow lanes are shown.
    pub(crate) flow_lanes: Option<Arc<FlowLanes>>,
}
