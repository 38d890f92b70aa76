//! Data from which the list of tracks is built.

use std::collections::HashMap;
use std::sync::Arc;

use crate::layout::{CollapsedGroup, CollapsedGroupRows, InViewFilter, SearchView, StackRows, TrackRow};
use flowline_index::Index;
use flowline_index::hidden::FilteredRows;
use flowline_profile::{HiddenTypes, Implementation, LocalMarker, ThreadId};
use flowline_view::{Arrangement, Tracks};

/// Data from which a list is built.
pub(super) struct ListInput<'a> {
    pub(super) index: &'a Index,
    pub(super) shown: &'a FilteredRows,
    pub(super) tracks: &'a Tracks,
    pub(super) arrangement: Arrangement,
    pub(super) calls: Implementation,
    pub(super) search: Option<&'a SearchView>,
    /// Thread and number of a marker that is listed although the search does not find it.
    pub(super) outside: Option<(ThreadId, LocalMarker)>,
    pub(super) hidden: HiddenTypes,
    pub(super) in_view: Option<InViewFilter>,
    pub(super) stacks: &'a StackRows,
    /// A row that is listed although its track lists only its first rows.
    pub(super) kept: Option<TrackRow>,
    /// Collapsed groups of the previous list.
    pub(super) collapsed: HashMap<CollapsedGroup, Arc<CollapsedGroupRows>>,
}
