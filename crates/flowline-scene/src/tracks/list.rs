//! The chart's items from top to bottom: process headings, counters, thread headings, rows; each with its position in
//! points.
//!
//! The list is rebuilt only when tracks, arrangement or search change. A frame finds its items by binary search.

use std::sync::Arc;

use crate::layout::{
    CallRow, CollapsedGroup, CollapsedGroupRows, GroupPlace, IdleThreads, InViewFilter, MarkerRow, MoreGroups,
    MoreRows, ProcessHeading, RowFilter, SamplesHeading, Scope, SearchView, ThreadHeading, TrackHeading, TrackList,
    TrackRow, group_places, kind_on_tracks,
};
use crate::tracks::duplicate_names::duplicate_names;
use crate::tracks::kind::TrackPlace;
use crate::tracks::list_input::ListInput;
use crate::tracks::list_items::is_named;
use crate::tracks::list_parts::{ListPart, alike_processes, grouped, split_idle};
use crate::tracks::nested_threads::{ThreadTree, listed, trees};
use crate::tracks::registered::{is_expanded, kinds_at, missing_kinds};
use crate::tracks::thread::StackCalls;
use flowline_index::Index;
use flowline_index::ThreadLayout;
use flowline_index::flows::FlowTrack;
use flowline_index::hidden::FilteredRows;
use flowline_index::search::Query;
use flowline_profile::{CounterId, GroupKind, HiddenTypes, Implementation};
use flowline_profile::{MarkerId, MarkerSurface, ProcessId, ThreadId};
use flowline_view::{Arrangement, TrackId, Tracks};

impl TrackList {
    /// Lists all tracks. With a search, threads and groups of rows without a hit are omitted, and so are flows and
    /// counters whose names do not match; the marker `outside` is listed nevertheless, and so is the
    /// row `kept` of a track that lists only its first rows. With `in_view`, threads and rows that are empty in the view are omitted. Rows
    /// of collapsed groups are reused from the list `before`, if it has them.
    #[must_use]
    pub fn build(
        (index, shown): (&Index, &Arc<FilteredRows>),
        flow_tracks: &[FlowTrack],
        tracks: &Tracks,
        (arrangement, calls): (Arrangement, Implementation),
        (scope, outside, kept): (&Scope, Option<MarkerId>, Option<TrackRow>),
        RowFilter { in_view, stacks }: RowFilter<'_>,
        before: Self,
    ) -> Self {
        let profile = index.profile();
        // A search covers all markers, including hidden types.
        let shows_all = tracks.all_markers || scope.search().is_some();
        let hidden = if shows_all { HiddenTypes::default() } else { HiddenTypes::new(profile, MarkerSurface::Chart) };
        let mut list = Self {
            shown: Arc::clone(shown),
            compact: tracks.compact,
            alike_processes: alike_processes(index),
            ..Self::default()
        };
        let search = scope.search();
        let input = ListInput {
            index,
            shown,
            tracks,
            arrangement,
            calls,
            search,
            outside: outside.and_then(|marker| profile.locate(marker)),
            hidden,
            in_view,
            stacks,
            kept,
            collapsed: before.collapsed,
        };
        let query = search.map(|search| Query::parse(&search.text));
        let counters_of = |process| -> Vec<CounterId> {
            let is_shown = |id: &CounterId| query.as_ref().is_none_or(|query| is_named(index, *id, query));
            index.counters().for_process(process).filter(is_shown).collect()
        };
        list.missing_kinds = missing_kinds(index);
        list.push_kinds(&input, TrackPlace::Top, None);
        let has_hits = |id: &ThreadId| {
            search.is_none_or(|search| !search.hits.thread(*id).is_empty() || search.calls.has(*id))
                || input.outside.is_some_and(|outside| outside.0 == *id)
        };
        let is_in_view = |id: &ThreadId| in_view.is_none_or(|view| view.shows_thread(index, *id));
        let pinned = &tracks.order.pinned;
        let has_any = |id: ThreadId, is: &dyn Fn(&ThreadId) -> bool| profile.with_nested_tracks(id).any(|id| is(&id));
        let is_match = |id: &ThreadId| scope.shows(*id) && has_hits(id) && is_in_view(id);
        let is_open = |id: ThreadId| tracks.expanded.contains(&id);
        for thread in pinned.iter().copied() {
            let tree: Vec<ThreadId> = profile.with_nested_tracks(thread).collect();
            let is_here = |id: ThreadId| id == thread || !pinned.contains(&id);
            let is_listed = |id: ThreadId| is_here(id) && scope.shows(id) && has_any(id, &is_match);
            list.push_trees(&input, &tree, &is_listed, &is_open);
        }
        list.push_counters(None, counters_of(None), tracks, query.is_some());
        let is_pinned = |id: ThreadId| {
            !pinned.is_empty() && (pinned.contains(&id) || profile.track_parents(id).any(|id| pinned.contains(&id)))
        };
        let is_match = |id: &ThreadId| is_match(id) && !is_pinned(*id);
        for (process, threads) in tracks.order.tracks(profile) {
            list.duplicate_names.extend(duplicate_names(profile, &threads));
            // If all its threads are hidden, the process is hidden as a whole. A process can also have only counters.
            if !threads.is_empty() && !threads.iter().any(|id| scope.shows(*id)) {
                continue;
            }
            let shown = trees(profile, &threads).filter(|tree| tree.iter().any(is_match));
            let shown: Vec<ThreadTree<'_>> = shown.collect();
            let counters = counters_of(Some(process));
            if shown.is_empty() && counters.is_empty() {
                continue;
            }
            let collapsed = tracks.collapsed.contains(&process);
            list.push(ProcessHeading { process, collapsed });
            if collapsed {
                continue;
            }
            list.push_kinds(&input, TrackPlace::Process, Some(process));
            if search.is_none() {
                list.push_flow_tracks(process, flow_tracks, tracks);
            }
            list.push_counters(Some(process), counters, tracks, query.is_some());
            let is_listed = |id: ThreadId| scope.shows(id) && !is_pinned(id) && has_any(id, &is_match);
            let (idle, busy) = split_idle(&input, shown);
            for part in grouped(&input, busy) {
                match part {
                    ListPart::Tree(tree) => list.push_trees(&input, tree, &is_listed, &is_open),
                    ListPart::Group(trees) => {
                        let (listed, more) = list.push_group(tracks, trees);
                        listed.into_iter().for_each(|tree| list.push_trees(&input, tree, &is_listed, &is_open));
                        more.into_iter().for_each(|more| list.push(more));
                    }
                }
            }
            if !idle.is_empty() {
                let shown = tracks.show_empty.contains(&process);
                list.push(IdleThreads { process, count: u32::try_from(idle.len()).unwrap_or(u32::MAX), shown });
                for tree in idle.into_iter().filter(|_| shown) {
                    list.push_trees(&input, tree, &is_listed, &is_open);
                }
            }
        }
        list
    }

    /// Adds the listed threads of trees.
    fn push_trees(
        &mut self,
        input: &ListInput<'_>,
        threads: ThreadTree<'_>,
        is_listed: &impl Fn(ThreadId) -> bool,
        is_open: &impl Fn(ThreadId) -> bool,
    ) {
        // Most of many threads have no tracks below them.
        if let [thread] = threads {
            if is_listed(*thread) {
                self.push_listed(input, *thread);
            }
            return;
        }
        let mut found = Vec::new();
        listed(input.index.profile(), threads, is_listed, is_open, &mut found);
        found.into_iter().for_each(|thread| self.push_listed(input, thread));
    }

    /// Adds a thread, with its rows if it is expanded and they are built.
    fn push_listed(&mut self, input: &ListInput<'_>, thread: ThreadId) {
        let built = || input.shown.layout(input.index, input.arrangement, thread);
        let rows = input.tracks.expanded.contains(&thread).then(built);
        if rows.is_some_and(|rows| rows.is_none()) {
            self.missing.push(thread);
        }
        self.push_thread(input, thread, rows.flatten());
    }

    /// Adds the tracks of registered kinds that are listed at a place; with a search, only those with hits.
    fn push_kinds(&mut self, input: &ListInput<'_>, place: TrackPlace, process: Option<ProcessId>) {
        let (index, clock) = (input.index, input.index.clock());
        let view = input.in_view.map(|view| (clock.tick(view.range.start), clock.tick(view.range.end)));
        for kind in kinds_at(place).filter(|kind| kind.is_listed(index.profile(), input.arrangement)) {
            for number in kind.tracks(index, process) {
                if input.search.is_some_and(|search| !kind.has_hit(index, number, &search.hits)) {
                    continue;
                }
                let track = TrackId::new(kind.key(), number);
                let expanded = is_expanded(kind, index, track, input.tracks);
                self.push(TrackHeading { track, expanded });
                let is_shown = |row: &u32| view.is_none_or(|view| kind.shows_row(index, number, *row, view));
                let rows = if expanded { kind.rows(index, number) } else { 0 };
                // A search shows all of its hits.
                let most = kind.most_rows().filter(|_| input.search.is_none()).unwrap_or(rows);
                let mut others = 0_u32;
                let on_heading = u32::from(kind.heads_first_row());
                for (at, row) in (on_heading..).zip((on_heading..rows).filter(is_shown)) {
                    let row = TrackRow { track, row };
                    if at < most || input.kept == Some(row) {
                        self.push(row);
                    } else {
                        others = others.saturating_add(kind.row_len(index, number, row.row));
                    }
                }
                if others > 0 {
                    self.push(MoreRows { track, count: others });
                }
            }
        }
    }

    /// Adds the samples of an expanded thread: their heading, and the rows of the stack chart if it is expanded and
    /// built.
    fn push_samples(&mut self, input: &ListInput<'_>, thread: ThreadId) {
        let Some(track) = input.index.cpu().get(thread) else { return };
        let heading = SamplesHeading::new(thread, track, input.tracks.stack_charts.contains(&thread));
        self.push(heading);
        if heading.expanded != Some(true) {
            return;
        }
        let charts = input.index.charts().showing(input.calls);
        if charts.if_built(thread).is_none() {
            self.missing_charts.push(thread);
        }
        let Some(chart) = input.shown.chart(input.index, input.calls, thread) else { return };
        // With a search, only rows with matching calls.
        let found = input.search.and_then(|search| search.calls.rows(thread));
        let found = found.filter(|(functions, rows, _)| *functions == input.calls && rows.len() == chart.rows().len());
        let is_without = input.search.is_some_and(|search| search.complete && !search.calls.has(thread));
        let is_found = |row: u32| found.map_or(!is_without, |(_, rows, _)| !rows.row(row as usize).is_empty());
        let is_shown = |row: &u32| {
            let profile = input.index.profile();
            is_found(*row) && input.in_view.is_none_or(|view| chart.shows(profile, *row as usize, view.range))
        };
        let rows = u32::try_from(chart.rows().len()).unwrap_or(u32::MAX);
        let rows = if input.search.is_some() { rows } else { input.stacks.of_chart(thread, rows) };
        for row in (0..rows).filter(is_shown) {
            self.push(CallRow { thread, row });
        }
    }

    /// Adds the tracks of registered kinds below a thread; with a search, only those with hits.
    fn push_kinds_below(&mut self, input: &ListInput<'_>, thread: ThreadId) {
        let (index, clock) = (input.index, input.index.clock());
        let view = input.in_view.map(|view| (clock.tick(view.range.start), clock.tick(view.range.end)));
        for kind in kinds_at(TrackPlace::Thread) {
            for number in kind.tracks_below(index, thread) {
                let is_found = input.search.is_none_or(|search| kind.has_hit(index, number, &search.hits));
                if is_found && view.is_none_or(|view| kind.shows_row(index, number, 0, view)) {
                    self.push(TrackHeading { track: TrackId::new(kind.key(), number), expanded: false });
                }
            }
        }
    }

    /// Adds a thread, expanded if `rows` are given. Groups with only hidden markers are omitted.
    fn push_thread(&mut self, input: &ListInput<'_>, thread: ThreadId, rows: Option<&ThreadLayout>) {
        self.push(ThreadHeading { thread, expanded: rows.is_some() });
        let Some(layout) = rows else { return };
        self.push_rows(input, thread, layout);
        self.push_kinds_below(input, thread);
    }

    /// Adds the samples and rows of an expanded thread.
    fn push_rows(&mut self, input: &ListInput<'_>, thread: ThreadId, layout: &ThreadLayout) {
        self.push_samples(input, thread);
        let rows_of = (input.index, input.shown);
        let calls = StackCalls::new(rows_of, input.arrangement, input.search, thread);
        self.missing_merged.extend(calls.is_missing.then_some(thread));
        // A search can match only calls.
        let data = input.index.profile().thread(thread);
        let outside = input.outside.filter(|outside| outside.0 == thread);
        let outside = outside.and_then(|(_, marker)| layout.find(data, marker)).map(|(row, _)| row);
        let is_empty = |search: &SearchView| search.complete && search.hits.thread(thread).is_empty();
        if input.search.is_some_and(is_empty) && outside.is_none() && !calls.has_hits() {
            return;
        }
        // The search result may still belong to the other arrangement, which has other row numbers.
        let found = input.search.and_then(|search| search.layout.thread(thread));
        let found = found.filter(|found| found.rows.len() == layout.rows.len());
        let kept = input.in_view.and_then(|view| view.selected_in(input.index, thread));
        let kept = kept.and_then(|marker| layout.find(data, marker)).map(|(row, _)| row);
        let is_shown = |row: u32| {
            let row = row as usize;
            let shows = |view: InViewFilter| view.shows(data, layout.rows.row(row)) || calls.shows(row, view);
            input.in_view.is_none_or(|view| kept == Some(row) || shows(view))
        };
        let all = input.tracks.all_groups.contains(&thread);
        let places = group_places(&layout.rows, kind_on_tracks(input.index.profile(), input.arrangement));
        for ((number, group), place) in (0_u32..).zip(&layout.rows.groups).zip(&places) {
            let rows_of_group = group.first_row as usize..(group.first_row + group.rows) as usize;
            match found {
                _ if outside.is_some_and(|row| rows_of_group.contains(&row)) => {}
                _ if calls.has_hits() && calls.are_in(group.kind) => {}
                Some(found) if found.rows.count_in(group) == 0 => continue,
                None if *place == GroupPlace::OnTrack || *place == GroupPlace::More && !all => continue,
                _ => {}
            }
            let is_trimmed = group.kind == GroupKind::Stack && found.is_none();
            let rows = if is_trimmed { input.stacks.of_stack(thread, group.rows) } else { group.rows };
            let rows: Vec<u32> = (group.first_row..group.first_row + rows).filter(|row| is_shown(*row)).collect();
            if rows.is_empty() {
                continue;
            }
            let mut markers = rows.iter().flat_map(|row| layout.rows.row(*row as usize));
            if !calls.are_in(group.kind)
                && !input.hidden.is_empty()
                && markers.all(|marker| input.hidden.has(data, *marker))
            {
                continue;
            }
            let collapses = (group.rows > 1).then_some(group.kind);
            if collapses.is_some() && input.tracks.collapsed_groups.contains(&(thread, group.kind)) {
                let item = CollapsedGroup { thread, group: number, kind: group.kind, arrangement: input.arrangement };
                let search = input.search.filter(|_| found.is_some());
                let wanted = search.map(|search| search.number);
                let version = input.shown.version(thread);
                let is_same = |rows: &&Arc<CollapsedGroupRows>| {
                    rows.version == version && rows.hits.as_ref().map(|hits| hits.0) == wanted
                };
                let known = input.collapsed.get(&item).filter(is_same);
                let build =
                    || Arc::new(CollapsedGroupRows::build(input.index, thread, (layout, version), group, search));
                self.collapsed.insert(item, known.map_or_else(build, Arc::clone));
                self.push(item);
                continue;
            }
            for (at, row) in rows.into_iter().enumerate() {
                let (first_of_group, collapses) = (at == 0, collapses.filter(|_| at == 0));
                self.push(MarkerRow { thread, row, group: number, first_of_group, collapses });
            }
        }
        let rest = places.iter().filter(|place| **place == GroupPlace::More).count();
        if rest > 0 && found.is_none() {
            self.push(MoreGroups { thread, count: u32::try_from(rest).unwrap_or(u32::MAX), shown: all });
        }
    }
}
