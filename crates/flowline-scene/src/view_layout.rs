//! A view together with the track list that was laid out for it: the one value that a frame is built from.
//!
//! Commands change a [`ViewState`] at any time. A frame shows a copy of it, taken by [`ViewLayout::refresh`] together
//! with the track list, the search and the canvas; so a new view is never combined with the list of an old one.

use std::collections::HashMap;
use std::sync::Arc;

use crate::layout::{
    CallRow, Canvas, FlowLaneShapes, FlowLanes, FlowScene, InViewFilter, Item, ItemKind, NoteLayout, PointerHits,
    RowFilter, SceneInput, Scope, ScopeActivity, ScopeCounts, SearchView, StackRows, TrackList, TrackListKey,
    TrackMarkers, collapse_deep_groups, expand_revealed, scroll_to, steady_items,
};
use crate::tracks::{derived_kinds, markers_on_rows, row_beyond};
use flowline_index::flows::FlowSetup;
use flowline_index::hidden::FilteredRows;
use flowline_index::waits::CriticalPath;
use flowline_index::{Index, IndexId};
use flowline_insights::overview::OverviewLanes;
use flowline_profile::{CallRef, Implementation, MarkerId};
use flowline_view::{Arrangement, Command, FlowCommand, ViewState};

/// Input of a layout, apart from the view itself.
#[derive(Clone, Copy)]
pub struct LayoutInput<'a> {
    /// The recording.
    pub index: &'a Arc<Index>,
    /// The filtered rows, without hidden entries.
    pub shown: &'a Arc<FilteredRows>,
    /// Flows that are tracks of the chart.
    pub setup: &'a FlowSetup,
    /// The newest search, if there is one.
    pub search: Option<&'a Arc<SearchView>>,
    /// The last count of the scope.
    pub counts: Option<&'a Arc<ScopeCounts>>,
    /// The activity of the scope.
    pub activity: Option<&'a Arc<ScopeActivity>>,
    /// The critical path, if it is shown.
    pub path: Option<&'a Arc<CriticalPath>>,
    /// The lanes of the overview, once they have been computed.
    pub overview: Option<&'a Arc<OverviewLanes>>,
    /// The flow lanes and their revision; they are listed if the view shows flow lanes.
    pub flow_lanes: Option<(&'a Arc<FlowLanes>, u64)>,
    /// Number of threads whose rows and stack charts have been built, plus the number of changes of hidden entries.
    pub rows_built: u64,
    /// The canvas.
    pub canvas: Canvas,
}

/// View, track list, search and canvas of one frame. Only [`ViewLayout::refresh`] changes it, and all of it at once;
/// [`ViewLayout::hover`] then marks the hits under the pointer.
#[derive(Debug)]
pub struct ViewLayout {
    view: ViewState,
    list: TrackList,
    key: Option<TrackListKey>,
    stacks: RestingStacks,
    search: Option<Arc<SearchView>>,
    scope: Scope,
    path: Option<Arc<CriticalPath>>,
    canvas: Canvas,
    notes: NoteLayout,
}

/// The rows of stacks for the range at which the view rests.
#[derive(Debug, Default)]
struct RestingStacks {
    rows: StackRows,
    /// Number of the rows; they changed with it.
    number: u64,
    key: Option<StacksKey>,
}

/// The inputs of the rows of stacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct StacksKey {
    index: IndexId,
    tracks: u64,
    arrangement: Arrangement,
    calls: Implementation,
    rows: u64,
    view: InViewFilter,
}

impl RestingStacks {
    fn follow(&mut self, input: &LayoutInput<'_>, view: &ViewState) {
        let range = match self.key {
            // The listed rows stay the same while the view moves.
            Some(key) if view.is_moving() || input.canvas.is_held => key.view.range,
            _ => view.axis.visible(),
        };
        let (arrangement, calls) = (view.arrangement, view.call_functions);
        let key = StacksKey {
            index: input.index.id(),
            tracks: view.tracks.revision(),
            arrangement,
            calls,
            rows: input.rows_built,
            view: InViewFilter { range, selected: view.selected },
        };
        if self.key == Some(key) {
            return;
        }
        self.key = Some(key);
        let rows = StackRows::needed((input.index, input.shown), &view.tracks, (arrangement, calls), key.view);
        if rows != self.rows {
            (self.rows, self.number) = (rows, self.number + 1);
        }
    }
}

/// A marker if a complete search does not find it.
fn outside_of(search: &SearchView, index: &Index, marker: MarkerId) -> Option<MarkerId> {
    let (thread, local) = index.profile().locate(marker)?;
    (search.complete && !search.hits.contains(thread, local)).then_some(marker)
}

impl ViewLayout {
    /// Creates a layout that is empty until the first refresh.
    #[must_use]
    pub fn new(view: &ViewState) -> Self {
        let (list, stacks, scope, canvas, notes) = Default::default();
        Self { view: view.clone(), list, key: None, stacks, search: None, scope, path: None, canvas, notes }
    }

    /// Lays out a view: lists its tracks, scrolls items to be revealed into view, clamps the scroll offset to the
    /// content, and stores a copy of the result. Returns true if the list changed.
    pub fn refresh(&mut self, input: &LayoutInput<'_>, view: &mut ViewState) -> bool {
        self.canvas = input.canvas;
        self.search = input.search.cloned();
        self.path = input.path.cloned();
        // The scope keeps the previous search until the new one is complete.
        let complete = match &self.search {
            Some(search) if !search.complete => self.scope.shared_search().cloned(),
            search => search.clone(),
        };
        let tracks = TrackMarkers { derived: derived_kinds(input.index), find: markers_on_rows };
        let scope = Scope::new(view, complete, Some(&self.scope));
        self.scope = scope.filtered_by_tracks((input.index, input.shown), tracks, &self.scope);
        (self.scope.counts, self.scope.activity) = (input.counts.cloned(), input.activity.cloned());
        self.scope.lanes = input.overview.cloned();
        self.keep_selection_without_search(input, view);
        collapse_deep_groups(input.index, input.shown, view);
        expand_revealed(input.index, input.shown, view);
        let changed = self.refresh_list(input, view);
        self.reveal(input.index, view);
        self.reveal_call(input.index, view);
        self.reveal_track(view);
        view.scroll = view.scroll.clamp(0.0, self.max_scroll());
        self.view.clone_from(view);
        let mut notes = std::mem::take(&mut self.notes);
        notes.follow(&self.scene_input(input.index, input.setup, None, None));
        self.notes = notes;
        changed
    }

    fn refresh_list(&mut self, input: &LayoutInput<'_>, view: &mut ViewState) -> bool {
        let search = self.search.as_deref();
        // Partial search results do not change the tracks.
        let number = match search {
            Some(search) if !search.complete => self.key.and_then(|key| key.search),
            search => search.map(|search| search.number),
        };
        let (tracks, arrangement) = (&view.tracks, view.arrangement);
        let is_moving = view.is_moving() || self.canvas.is_held;
        let in_view = InViewFilter::applies_to(view).then(|| match self.key.and_then(|key| key.in_view) {
            // The listed rows stay the same while the view moves.
            Some(before) if is_moving => InViewFilter { selected: view.selected, ..before },
            _ => InViewFilter { range: view.axis.visible(), selected: view.selected },
        });
        let (rows, tracks_revision) = (input.rows_built, tracks.revision());
        let calls = view.call_functions;
        let flow_lanes = input.flow_lanes.filter(|_| view.flow_lanes.shown);
        let number = number.filter(|_| flow_lanes.is_none());
        let revealed = view.selected.filter(|marker| view.revealed == Some(*marker));
        let outside = search.and_then(|search| outside_of(search, input.index, revealed?));
        let kept = view.selected.and_then(|marker| row_beyond(input.index, marker));
        if flow_lanes.is_none() {
            self.stacks.follow(input, view);
        }
        let key = TrackListKey {
            stacks: self.stacks.number,
            kept,
            outside,
            tracks: tracks_revision,
            arrangement,
            calls,
            search: number,
            rows,
            in_view,
            flow_lanes: flow_lanes.map(|(_, number)| (number, view.flow_lanes.outside)),
        };
        if self.key == Some(key) {
            return false;
        }
        let (in_view_before, stacks) = (self.key.and_then(|key| key.in_view), self.key.map_or(0, |key| key.stacks));
        let only_moved = self.key == Some(TrackListKey { in_view: in_view_before, stacks, ..key });
        let (searched, listed) = (self.key.and_then(|key| key.search), self.key.and_then(|key| key.outside));
        let only_searched = self.key == Some(TrackListKey { search: searched, outside: listed, ..key });
        self.key = Some(key);
        let number = self.list.number + 1;
        let top = self.list.visible(view.scroll, view.scroll + self.canvas.chart_height()).to_vec();
        let selected = if only_searched { self.selected_item(input.index, view) } else { None };
        let steady =
            if only_moved { self.selected_item(input.index, view).filter(|item| top.contains(item)) } else { None };
        let before = std::mem::take(&mut self.list);
        let shown_before = Arc::clone(&before.shown);
        self.list = if let Some((flow_lanes, _)) = flow_lanes {
            TrackList::of_flow_lanes((input.index, &input.setup.rules), flow_lanes, &view.flow_lanes, in_view)
        } else {
            TrackList::build(
                (input.index, input.shown),
                &input.setup.tracks,
                tracks,
                (arrangement, calls),
                (&self.scope, outside, kept),
                RowFilter { in_view, stacks: &self.stacks.rows },
                before,
            )
        };
        self.list.number = number;
        // Lists of lanes contain no rows of threads.
        let are_stacked = flow_lanes.is_none() && input.shown.merged_threads() != shown_before.merged_threads();
        if only_moved || are_stacked {
            // The selected row stays where it is if it is in view, then the row under the pointer, then the topmost one.
            let kept = [steady, self.pointed_item(&top, view)];
            let items: Vec<Item> = kept.into_iter().flatten().chain(top.iter().copied()).collect();
            self.hold_still(&steady_items(&items, [&shown_before, input.shown]), view);
        }
        // The selected item keeps its position, because users clear a search to see the surroundings of a marker they
        // found.
        if let Some(before) = selected.filter(|item| top.contains(item))
            && let Some(now) = self.selected_item(input.index, view)
        {
            view.scroll = (view.scroll + now.y - before.y).max(0.0);
        }
        true
    }

    /// When a search is cleared while it shows the selected marker, the marker's thread and group stay listed.
    fn keep_selection_without_search(&self, input: &LayoutInput<'_>, view: &mut ViewState) {
        let had_search = self.key.is_some_and(|key| key.search.is_some());
        if !had_search || input.search.is_some() || view.reveal.is_some() {
            return;
        }
        let shown = self.list.visible(view.scroll, view.scroll + self.canvas.chart_height());
        if let Some(marker) = view.selected
            && self.selected_item(input.index, view).is_some_and(|item| shown.contains(&item))
        {
            view.list_marker(marker);
        }
    }

    /// The item that shows the selected marker, if it is listed.
    fn selected_item(&self, index: &Index, view: &ViewState) -> Option<Item> {
        let (thread, local) = index.profile().locate(view.selected?)?;
        self.list.item_of(index, view.arrangement, thread, local)
    }

    /// The item under the pointer, of those in view.
    fn pointed_item(&self, top: &[Item], view: &ViewState) -> Option<Item> {
        let ((_, y), scale) = (self.canvas.pointer?, f64::from(self.canvas.scale));
        let y = f64::from(y - self.canvas.regions.chart.y) / scale + view.scroll;
        top.iter().find(|item| item.y <= y && y < item.y + item.height).copied()
    }

    /// Adjusts the scroll offset so that the first of some items that is still listed does not move.
    fn hold_still(&self, items: &[Item], view: &mut ViewState) {
        let places: HashMap<_, f64> = self.list.items().iter().map(|item| (item.kind.widget_key(), item.y)).collect();
        let moved = items.iter().find_map(|item| Some(places.get(&item.kind.widget_key())? - item.y));
        view.scroll = (view.scroll + moved.unwrap_or(0.0)).max(0.0);
    }

    /// Scrolls the row of the selected call into view if it is to be revealed.
    fn reveal_call(&self, index: &Index, view: &mut ViewState) {
        let room = self.canvas.chart_height();
        let selected = view.selected_call.map(|selected| selected.call);
        let is_hidden = selected.is_some_and(|call| self.list.shown().hides_call(call));
        if !view.reveal_call || is_hidden || room < 1.0 {
            return;
        }
        let Some(CallRef { thread, functions, call }) = selected else { return view.reveal_call = false };
        let stacked = selected.and_then(|call| self.list.stack_row_of(index, view.arrangement, call));
        if let Some(item) = stacked.filter(|_| !view.tracks.stack_charts.contains(&thread)) {
            view.reveal_call = false;
            return scroll_to(&item, room, view);
        }
        let chart = self.list.shown().chart(index, functions, thread);
        // If rows are still being built, a later refresh scrolls.
        if chart.is_none() || self.list.missing.contains(&thread) {
            return;
        }
        view.reveal_call = false;
        let Some((row, _)) = chart.and_then(|chart| chart.find(index.profile(), call)) else { return };
        let kind = ItemKind::Calls(CallRow { thread, row: u32::try_from(row).unwrap_or(u32::MAX) });
        if let Some(item) = self.list.items().iter().find(|item| item.kind == kind) {
            scroll_to(item, room, view);
        }
    }

    /// Scrolls the row of a marker to be revealed into view, only as far as needed.
    fn reveal(&self, index: &Index, view: &mut ViewState) {
        let Some(marker) = view.reveal else { return };
        let Some((thread, local)) = index.profile().locate(marker) else { return view.reveal = None };
        let room = self.canvas.chart_height();
        let on_track = || self.list.item_on_track(index, marker);
        if let Some(item) = view.reveal_on_track.then(on_track).flatten().filter(|_| room >= 1.0) {
            view.reveal = None;
            return scroll_to(&item, room, view);
        }
        // If its rows are still being built, the marker is still hidden, or the window has no size yet, a later refresh
        // scrolls.
        if self.list.missing.contains(&thread) || self.list.shown().hides(thread, local) || room < 1.0 {
            return;
        }
        // Rows that are listed for the range in view change again when the view rests.
        if !(InViewFilter::applies_to(view) && (view.is_moving() || self.canvas.is_held)) {
            view.reveal = None;
        }
        let chosen = view.flows.chosen.filter(|flow| index.flows().flows_of(marker).contains(flow));
        let lane = chosen.and_then(|flow| self.list.lane(flow)).copied();
        let Some(item) = lane.or_else(|| self.list.item_of(index, view.arrangement, thread, local)) else { return };
        scroll_to(&item, room, view);
    }

    /// Scrolls the heading of a track to be revealed to the top, and a counter to be revealed into view.
    fn reveal_track(&self, view: &mut ViewState) {
        if self.canvas.chart_height() < 1.0 {
            return;
        }
        let counter = view.reveal_counter.take();
        let of = |item: &&Item| matches!(item.kind, ItemKind::Counter(item) if Some(item.counter) == counter);
        if let Some(item) = counter.and_then(|_| self.list.items().iter().find(of)) {
            scroll_to(item, self.canvas.chart_height(), view);
        }
        let heading = view.reveal_track.take().and_then(|track| self.list.heading_of(track));
        if let Some(item) = heading {
            view.scroll = item.y;
        }
    }

    /// Maximum scroll offset of the chart in points.
    #[must_use]
    pub fn max_scroll(&self) -> f64 {
        (self.list.height() - self.canvas.chart_height()).max(0.0)
    }

    /// The input shared by drawing, widgets and hit testing.
    #[must_use]
    pub fn scene_input<'a>(
        &'a self,
        index: &'a Index,
        setup: &'a FlowSetup,
        flows: Option<FlowScene<'a>>,
        flow_lanes: Option<&'a FlowLaneShapes>,
    ) -> SceneInput<'a> {
        let Canvas { pane, regions, size, scale, pointer, other_pointer, shows_ruler, is_held: _, flow_rows: _ } =
            self.canvas;
        let search = self.search.as_deref();
        SceneInput {
            index,
            pane,
            view: &self.view,
            list: &self.list,
            search,
            scope: &self.scope,
            path: self.path.as_deref(),
            notes: &self.notes,
            shows_ruler,
            setup,
            flows: flows.filter(|_| self.view.flows.is_open()),
            flow_lanes: flow_lanes.filter(|_| self.view.flow_lanes.shown),
            regions,
            size,
            scale,
            pointer,
            other_pointer,
            _laid_out: crate::layout::LaidOut(()),
        }
    }

    /// Records the hits under the pointer, in this frame and in the view.
    pub fn hover(&mut self, view: &mut ViewState, hits: &PointerHits) {
        for view in [view, &mut self.view] {
            view.apply(Command::Hover(hits.marker().map(|(marker, _)| marker)));
            view.apply(Command::HoverCall(hits.call.map(|hit| hit.call)));
            view.apply(Command::Flow(FlowCommand::Hover(hits.flow())));
        }
    }

    /// The view as laid out.
    #[must_use]
    pub const fn view(&self) -> &ViewState {
        &self.view
    }

    /// The track list.
    #[must_use]
    pub const fn list(&self) -> &TrackList {
        &self.list
    }

    /// The search.
    #[must_use]
    pub fn search(&self) -> Option<&SearchView> {
        self.search.as_deref()
    }

    /// The active scope.
    #[must_use]
    pub const fn scope(&self) -> &Scope {
        &self.scope
    }

    /// The canvas.
    #[must_use]
    pub const fn canvas(&self) -> &Canvas {
        &self.canvas
    }

    /// The item of the list that shows a marker.
    #[must_use]
    pub fn item_of(&self, index: &Index, marker: MarkerId) -> Option<Item> {
        let (thread, local) = index.profile().locate(marker)?;
        self.list.item_of(index, self.view.arrangement, thread, local)
    }

    /// Distance of a thread's heading from the top of the chart, in points; `f64::MAX` without a heading.
    #[must_use]
    pub fn distance_of(&self, thread: flowline_profile::ThreadId) -> f64 {
        let is_heading = |item: &&Item| matches!(item.kind, ItemKind::Thread(heading) if heading.thread == thread);
        let heading = self.list.items().iter().find(is_heading);
        heading.map_or(f64::MAX, |item| (item.y - self.view.scroll).abs())
    }
}
