//! The refresh of an open recording: once per frame, after the commands and before the widgets.

use std::sync::Arc;

use super::initial_expansion::{ExpansionInput, InitialExpansion, MANY_THREADS};
use super::open_recording::{HoverSource, Session};
use crate::details::{MarkerSummary, call_card, self_text};
use crate::tasks::Job;
use flowline_index::StackTarget;
use flowline_profile::{MarkerId, ThreadId};
use flowline_scene::{
    Item, ItemKind, LayoutInput, MarkerRow, PointerHits, ROW_HEIGHT, ThreadHeading, derived_kinds, track_kind,
};
use flowline_view::Command;

impl Session {
    /// Takes background results, starts missing work, and lays out the view on [`Session::canvas`].
    pub fn refresh(&mut self) {
        let _span = tracing::trace_span!("refresh").entered();
        self.view.axis.set_width(f64::from(self.canvas.regions.chart.width));
        self.poll_jobs();
        self.show_opening_part();
        let rows_built = self.refresh_hidden(self.rows.built());
        self.apply_initial_expansion(rows_built);
        let (text, visible) = (&self.view.search, self.view.axis.visible());
        self.search_task.follow(
            (&self.index, self.hidden.shown()),
            (text, self.view.clock()),
            (self.view.arrangement, self.view.call_functions, rows_built),
            visible,
        );
        let points = |pixels: f32| f64::from(pixels / self.canvas.scale);
        let (main, pinned) = (points(self.canvas.regions.flows.height), points(self.canvas.regions.pinned.height));
        self.flows.refresh(&self.index, &mut self.view.flows, main, pinned);
        self.critical.follow(&self.index, self.view.path);
        self.resolve_insight();
        self.follow_query_tracks();
        // Until all rows are built, the list is too short for this offset.
        self.view.scroll = self.wanted_scroll.unwrap_or(self.view.scroll);
        self.lay_out(rows_built);
        if let Some(marker) = self.take_wanted_hit() {
            self.view.apply(Command::Reveal(marker));
            self.lay_out(rows_built);
        }
        if let Some(wanted) = self.wanted_scroll.filter(|_| self.is_laid_out()) {
            // When the list changed, the offset may have followed its items.
            self.view.scroll = wanted;
            self.lay_out(rows_built);
            self.wanted_scroll = None;
        }
        self.build_activities();
        self.refresh_hover();
        self.refresh_details();
        self.prebuild_rows();
    }

    /// Once the height of the chart is known, applies the initial expansion. It is chosen again while rows are being built and
    /// the part that is shown first is being found, until everything is laid out or the user does anything.
    fn apply_initial_expansion(&mut self, rows_built: u64) {
        let height = self.canvas.chart_height();
        let Some(opened) = self.opened_tracks.filter(|_| height >= ROW_HEIGHT) else { return };
        let is_as_opened = self.view.tracks.revision() == opened
            && !self.is_touched()
            && self.view.arrangement == self.index.profile().meta.arrangement();
        if !is_as_opened {
            self.opened_tracks = None;
            return;
        }
        // Lists of very many threads take long to build, and the rows of most are not.
        let is_large = self.index.profile().threads.len() > MANY_THREADS;
        let rows = if is_large { 0 } else { rows_built };
        let key = (height.to_bits(), self.view.axis.visible(), rows);
        if self.expanded_for == Some(key) {
            if self.is_laid_out() && !self.opening_part.is_awaited() {
                self.opened_tracks = None;
            }
            return;
        }
        let first = InitialExpansion::new(ExpansionInput {
            index: &self.index,
            shown: self.hidden.shown(),
            flow_tracks: &self.flows.setup.tracks,
            view: &self.view,
            height,
        });
        self.view.edit_tracks(|tracks| first.apply(tracks));
        (self.expanded_for, self.opened_tracks) = (Some(key), Some(self.view.tracks.revision()));
    }

    /// The hit to select, once the search for the current text is complete.
    fn take_wanted_hit(&mut self) -> Option<MarkerId> {
        let direction = self.view.wanted_hit?;
        let search = self.search();
        if !self.view.search.is_empty()
            && search.is_none_or(|search| !search.complete || search.text != self.view.search)
        {
            return None;
        }
        self.view.wanted_hit = None;
        let (profile, scope) = (self.index.profile(), self.scope());
        let in_scope = |thread, marker| scope.contains(profile, thread, marker);
        self.hits()?.step_among(profile, self.view.selected, direction, in_scope)
    }

    /// Scrolls the chart to an offset in points, once all its rows are laid out.
    pub fn scroll_when_laid_out(&mut self, points: f64) {
        self.wanted_scroll = Some(points);
    }

    /// The chart's scroll offset in points, or the offset to apply once its rows are laid out.
    #[must_use]
    pub fn target_scroll(&self) -> f64 {
        self.wanted_scroll.unwrap_or(self.view.scroll)
    }

    /// True if the list of tracks is complete.
    fn is_laid_out(&self) -> bool {
        let list = self.layout.list();
        let waits_for_kinds = !list.missing_kinds.is_empty() && !self.awaits_flows;
        let is_whole = list.missing.is_empty()
            && list.missing_charts.is_empty()
            && list.missing_merged.is_empty()
            && !waits_for_kinds;
        let is_found = self.view.search.is_empty()
            || (!self.search_task.is_busy() && self.search().is_some_and(|search| search.complete));
        is_whole
            && is_found
            && !self.flow_lanes.is_busy()
            && !self.critical.is_busy()
            && self.canvas.flow_rows.is_none_or(|divided| self.has_flow_rows(divided))
            && self.canvas.chart_height() >= 1.0
    }

    /// True if the flow panel has all its rows, and is as high as they need.
    fn has_flow_rows(&self, divided: f64) -> bool {
        let rows = self.flows.scene().list.main.height();
        !self.flows.is_busy() && rows.to_bits() == divided.to_bits()
    }

    fn refresh_layout(&mut self, rows_built: u64) -> bool {
        let input = LayoutInput {
            index: &self.index,
            shown: self.hidden.shown(),
            setup: &self.flows.setup,
            search: self.search_task.shown(),
            counts: self.scope_counter.counts(),
            activity: self.scope_counter.activity(),
            path: self.critical.path(),
            overview: self.overview.lanes(),
            flow_lanes: Some(self.flow_lanes.rows()),
            rows_built,
            canvas: self.canvas,
        };
        self.layout.refresh(&input, &mut self.view)
    }

    fn lay_out(&mut self, rows_built: u64) {
        let mut is_relisted = self.refresh_layout(rows_built);
        self.scope_counter.follow(&self.index, &self.flows.setup, self.layout.scope());
        // The lanes read the milestones, too; they are read once.
        if !self.opening_part.is_running() {
            self.overview.follow(&self.index, self.layout.scope(), self.awaits_flows);
        }
        // Warnings need data that the lanes do not read, so they come last.
        if self.overview.lanes().is_some() {
            self.warnings.follow(&self.index);
        }
        let rules = Arc::clone(&self.flows.rules);
        // The list of flow lanes depends on the scope, which belongs to the layout.
        if self.flow_lanes.follow(&self.index, &rules, &self.view.flow_lanes, self.layout.scope()) {
            is_relisted |= self.refresh_layout(rows_built);
        }
        if self.view.flow_lanes.shown {
            let (list, top) = (self.layout.list(), self.view.scroll);
            let items = list.visible(top, top + self.canvas.chart_height());
            self.flow_lanes.make_shapes(&self.index, &rules, items);
        }
        if !is_relisted {
            return;
        }
        self.derive_tracks();
        // Threads on or near the screen come first.
        let by_distance = |missing: &[ThreadId]| {
            let mut missing: Vec<(f64, ThreadId)> =
                missing.iter().map(|id| (self.layout.distance_of(*id), *id)).collect();
            missing.sort_by(|a, b| a.0.total_cmp(&b.0));
            missing.into_iter().map(|(_, thread)| thread)
        };
        let list = self.layout.list();
        let (rows, charts) = (by_distance(&list.missing), by_distance(&list.missing_charts));
        let merged = by_distance(&list.missing_merged);
        self.rows.follow(&self.index, self.view.arrangement, rows);
        self.rows.build_charts(&self.index, self.view.call_functions, charts);
        self.rows.build_merged(&self.index, merged);
    }

    /// Builds the activity of the headings on screen.
    fn build_activities(&mut self) {
        let (input, index) = (self.scene_input(), &self.index);
        let graphs = input.visible_items().iter().filter_map(|item| item.kind.graph(&input));
        let is_missing = |thread: &ThreadId| index.activity_of(*thread).is_none();
        let missing: Vec<ThreadId> = graphs.flat_map(|graph| graph.threads).filter(is_missing).collect();
        missing.into_iter().for_each(|thread| self.rows.build_activity(&self.index, thread));
    }

    /// Starts deriving the missing kinds of tracks, unless flows are being searched.
    fn derive_tracks(&mut self) {
        if self.awaits_flows {
            return;
        }
        for kind in self.layout.list().missing_kinds.iter().filter_map(|key| track_kind(key)) {
            self.rows.derive(&self.index, kind);
        }
    }

    /// Continues without flows, after the load was canceled or failed.
    pub fn stop_awaiting_flows(&mut self) {
        if std::mem::take(&mut self.awaits_flows) {
            self.derive_tracks();
        }
    }

    /// Updates the hover state for the new layout, so that it matches the frame.
    fn refresh_hover(&mut self) {
        self.hits = match (self.hovering, self.canvas.pointer) {
            (HoverSource::Commanded, _) => return,
            (HoverSource::Pointer, Some((x, y))) => self.scene_input().hits(x, y),
            _ => PointerHits::default(),
        };
        self.layout.hover(&mut self.view, &self.hits);
    }

    /// Updates the details of the selected call.
    fn refresh_call_card(&mut self) {
        let Some(call) = self.view.selected_call.map(|selected| selected.call) else { return };
        let range = self.layout.scope().range();
        if self.call_card.as_ref().is_none_or(|(of, within, _)| (*of, *within) != (call, range)) {
            self.call_card = call_card(&self.index, call, range, self.view.clock()).map(|card| (call, range, card));
        }
    }

    /// The summary of the selected marker, once its card has been looked up.
    #[must_use]
    pub fn selected_summary(&self) -> Option<&MarkerSummary> {
        self.glance.of(self.view.selected?)
    }

    /// Source of the stack in the details.
    #[must_use]
    pub fn selected_stack(&self) -> Option<StackTarget> {
        let call = self.view.selected_call.map(|selected| StackTarget::Call(selected.call));
        call.or_else(|| self.view.selected.map(StackTarget::Marker))
    }

    /// Updates the details of the selected marker or call.
    fn refresh_details(&mut self) {
        self.refresh_call_card();
        self.async_stack.follow(&self.index, self.selected_stack());
        let known = derived_kinds(&self.index);
        if std::mem::replace(&mut self.known, known) != known {
            self.cards.forget();
        }
        let Some(marker) = self.view.selected else { return };
        self.cards.follow(&self.index, marker, self.view.clock());
        self.slice.follow(&self.index, marker);
        let place = self.index.profile().locate(marker);
        if let (Some(card), Some(place), Some(contents)) =
            (self.cards.marker_mut(marker), place, self.slice.contents_for(marker))
        {
            card.set_self_time(|| self_text(self.index.profile(), place, contents));
        }
        if let Some(card) = self.cards.marker(marker) {
            self.glance.follow(&self.index, (marker, card), &self.slice, (known, self.view.clock()));
        }
    }

    /// Prebuilds the rows on screen for the other arrangement while the view is still.
    fn prebuild_rows(&mut self) {
        let here = (self.list().number, self.view.scroll);
        if std::mem::replace(&mut self.ahead, here) != here || self.rows.is_busy() {
            return;
        }
        let other = self.view.arrangement.other();
        let layout = self.index.layout(other);
        let expanded = |item: &Item| match item.kind {
            ItemKind::Thread(ThreadHeading { thread, expanded: true }) | ItemKind::Row(MarkerRow { thread, .. }) => {
                Some(thread)
            }
            _ => None,
        };
        let input = self.scene_input();
        let mut threads: Vec<ThreadId> = input.visible_items().iter().filter_map(expanded).collect();
        threads.dedup();
        threads.retain(|thread| layout.if_built(*thread).is_none());
        threads.into_iter().for_each(|thread| self.rows.build(&self.index, other, thread));
    }
}
