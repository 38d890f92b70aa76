//! An open recording: index, view, and what is computed from both when they change.

use std::path::PathBuf;
use std::sync::Arc;

use super::flow_cards::FlowCards;
use super::flow_desk::FlowDesk;
use super::flow_table::FlowTable;
use super::flow_tree::FlowTree;
use super::marker_card::MarkerCard;
use super::marker_table::MarkerTable;
use super::row_desk::RowDesk;
use super::search_runner::SearchRunner;
use super::slice_desk::{SliceDesk, self_text};
use super::slice_tree::SliceTree;
use super::value_tree::PayloadTree;
use crate::index::Index;
use crate::index::flows::{FlowRules, FlowSetup, RuleMatcher};
use crate::index::search::{Hits, flow_query};
use crate::profile::{FlowId, MarkerId, Ns, ProcessId, ThreadId, TimeRange};
use crate::scene::{Item, ItemKind, Regions, SceneInput, SearchView, TrackList, TrackListKey};
use crate::view::{Arrangement, Command, FlowCommand, ViewState};

/// Rows that expanded threads may have together when a recording is opened.
const ROW_BUDGET: usize = 120;
/// Tracks of flows with at most this many rows are unfolded when a recording is opened.
const FEW_FLOW_ROWS: usize = 10;
/// Processes with at most this many counters show them when a recording is opened.
const FEW_COUNTERS: usize = 6;

/// An open recording.
pub struct Document {
    /// Where it came from; empty for the bundled example.
    pub path: PathBuf,
    /// The recording and everything derived from it.
    pub index: Arc<Index>,
    /// What is looked at.
    pub view: ViewState,
    /// The chart's content.
    pub list: TrackList,
    list_key: Option<TrackListKey>,
    /// Has rows made that are not there yet.
    pub rows: RowDesk,
    /// List and scroll of the last [`Document::look_ahead`].
    ahead: (u64, f64),
    /// Runs searches in the background.
    pub runner: SearchRunner,
    /// The search whose hits are shown.
    pub search: Option<SearchView>,
    /// The marker table.
    pub table: MarkerTable,
    /// The flow tree.
    pub flow_tree: FlowTree,
    /// The table of all flows.
    pub flow_table: FlowTable,
    /// The flow panel's content.
    pub flows: FlowDesk,
    /// The flows of the selected marker.
    pub cards: FlowCards,
    /// What is said of the selected marker.
    pub card: Option<(MarkerId, MarkerCard)>,
    /// Its payload as a tree.
    pub payload: PayloadTree,
    /// What is known of it as one slice among others.
    pub slice: SliceDesk,
    /// The same as a tree.
    pub slice_tree: SliceTree,
    /// The flow whose row in the panel has the keyboard focus.
    pub focused_flow: Option<FlowId>,
    /// Canvas parts of the last frame, in device pixels.
    pub regions: Regions,
    /// Canvas size of the last frame in device pixels, and pixels a point.
    pub canvas: ([u32; 2], f32),
    /// The pointer over the canvas in device pixels.
    pub pointer: Option<(f32, f32)>,
}

impl Document {
    /// Opens an index with the built-in rules of flows. `wake` is called from other threads when there is news to show.
    #[must_use]
    pub fn new(path: PathBuf, index: Arc<Index>, wake: Arc<dyn Fn() + Send + Sync>) -> Self {
        let rules = RuleMatcher::new(FlowRules::built_in(), index.profile());
        let setup = Arc::new(FlowSetup::new(&index, rules, Vec::new()));
        Self::with_setup(path, index, setup, wake)
    }

    /// As [`Document::new`], with rules of flows that were applied before.
    #[must_use]
    pub fn with_setup(
        path: PathBuf,
        index: Arc<Index>,
        setup: Arc<FlowSetup>,
        wake: Arc<dyn Fn() + Send + Sync>,
    ) -> Self {
        let mut view = ViewState::new(Arc::clone(index.profile()), index.extent(), 1000.0);
        view.apply(Command::Show(index.first_view()));
        view.tracks.change(|tracks| {
            tracks.expanded = threads_to_expand(&index, view.arrangement);
            let few = (0_u32..).zip(&setup.tracks).filter(|(_, track)| track.rows() <= FEW_FLOW_ROWS);
            tracks.flow_tracks = few.map(|(track, _)| track).collect();
            let owners = (0..index.profile().processes.len()).map(|process| Some(ProcessId::new(process)));
            let few = |owner: &Option<ProcessId>| index.counters().for_process(*owner).len() <= FEW_COUNTERS;
            tracks.counters = owners.chain([None]).filter(few).collect();
        });
        Self {
            path,
            index,
            view,
            list: TrackList::default(),
            list_key: None,
            rows: RowDesk::new(Arc::clone(&wake)),
            ahead: (0, 0.0),
            runner: SearchRunner::new(Arc::clone(&wake)),
            search: None,
            table: MarkerTable::new(Arc::clone(&wake)),
            flow_tree: FlowTree::new(Arc::clone(&wake)),
            flow_table: FlowTable::new(Arc::clone(&wake)),
            flows: FlowDesk::new(setup, Arc::clone(&wake)),
            cards: FlowCards::default(),
            card: None,
            payload: PayloadTree::default(),
            slice: SliceDesk::new(wake),
            slice_tree: SliceTree::default(),
            focused_flow: None,
            regions: Regions::default(),
            canvas: ([1, 1], 1.0),
            pointer: None,
        }
    }

    /// Name to show.
    #[must_use]
    pub fn name(&self) -> String {
        let name = self.path.file_name().map(|name| name.to_string_lossy().into_owned());
        name.unwrap_or_else(|| "example recording".into())
    }

    /// Applies a command and what follows from it.
    pub fn apply(&mut self, command: Command) {
        if let Command::Flow(FlowCommand::ViewAll(flow)) = command {
            let (profile, graph) = (self.index.profile(), self.index.flows());
            let threads: std::collections::BTreeSet<ThreadId> =
                graph.members(flow).iter().filter_map(|marker| profile.locate(*marker)).map(|place| place.0).collect();
            let search = flow_query(&graph.name(profile, flow));
            self.view.apply(Command::ShowThreads(threads.into_iter().collect()));
            self.view.apply(Command::Search(search));
            return;
        }
        let entering =
            matches!(command, Command::Flow(FlowCommand::Enter(_) | FlowCommand::Back | FlowCommand::Forward));
        let chosen = match (&command, self.chosen_flow()) {
            (Command::Reveal(marker) | Command::Select(Some(marker)), Some(chosen)) => Some((*marker, chosen)),
            _ => None,
        };
        self.view.apply(command);
        if entering && let Some(range) = self.entered_range() {
            self.view.bring_into_view(range);
        }
        // Walking along a flow keeps meaning that flow.
        if let Some((marker, chosen)) = chosen
            && !self.index.flows().flows_of(marker).contains(&chosen)
        {
            self.view.flows.chosen = None;
        }
    }

    /// From the first start to the last end of the entered flows.
    #[must_use]
    pub fn entered_range(&self) -> Option<TimeRange> {
        let (profile, graph) = (self.index.profile(), self.index.flows());
        self.view.flows.entered.iter().map(|flow| graph.range(profile, *flow)).reduce(TimeRange::union)
    }

    /// The flow that keys mean: the one chosen among those of the selected marker, else the entered one it is in, else
    /// its first.
    #[must_use]
    pub fn chosen_flow(&self) -> Option<FlowId> {
        let of_marker = self.index.flows().flows_of(self.view.selected?);
        let chosen = self.view.flows.chosen.filter(|chosen| of_marker.contains(chosen));
        let entered = || self.view.flows.entered.iter().find(|flow| of_marker.contains(flow)).copied();
        chosen.or_else(entered).or_else(|| of_marker.first().copied())
    }

    /// Brings search and track list up to date; call once a frame before looking at them.
    pub fn refresh(&mut self) {
        let made = self.rows.take();
        let (text, visible) = (&self.view.search, self.view.axis.visible());
        self.runner.follow(&self.index, text, (self.view.arrangement, made), visible);
        if let Some(search) = self.runner.take() {
            self.search = search;
        }
        self.refresh_list(made);
        let points = |pixels: f32| f64::from(pixels / self.canvas.1);
        let (main, pinned) = (points(self.regions.flows.height), points(self.regions.pinned.height));
        self.flows.refresh(&self.index, &mut self.view.flows, main, pinned);
        self.refresh_details();
        self.keep_reveal();
        let room = f64::from(self.regions.chart.height / self.canvas.1);
        self.view.scroll = self.view.scroll.clamp(0.0, (self.list.height() - room).max(0.0));
    }

    /// Brings the chart's content up to date with the rows made so far, and has those made that it lacks.
    fn refresh_list(&mut self, made: u64) {
        let (tracks, arrangement) = (&self.view.tracks, self.view.arrangement);
        let search = self.search.as_ref();
        // What a search has found so far narrows nothing: the tracks stay as they are until it is done.
        let number = match search {
            Some(search) if !search.complete => self.list_key.and_then(|key| key.search),
            search => search.map(|search| search.number),
        };
        let key = TrackListKey { tracks: tracks.revision(), arrangement, search: number, rows: made };
        if self.list_key == Some(key) {
            return;
        }
        self.list_key = Some(key);
        let number = self.list.number + 1;
        self.list = TrackList::build(&self.index, &self.flows.setup.tracks, tracks, arrangement, search);
        self.list.number = number;
        // What is on screen, or nearly, first.
        let place = |thread: &ThreadId| {
            let is_heading = |item: &&Item| matches!(item.kind, ItemKind::Thread { thread: at, .. } if at == *thread);
            let heading = self.list.items().iter().find(is_heading);
            heading.map_or(f64::MAX, |item| (item.y - self.view.scroll).abs())
        };
        let mut missing: Vec<(f64, ThreadId)> = self.list.missing.iter().map(|id| (place(id), *id)).collect();
        missing.sort_by(|a, b| a.0.total_cmp(&b.0));
        self.rows.follow(&self.index, arrangement, missing.into_iter().map(|(_, thread)| thread));
    }

    /// Has the other arrangement of what is on screen made, once nobody scrolls.
    pub fn look_ahead(&mut self) {
        let here = (self.list.number, self.view.scroll);
        if std::mem::replace(&mut self.ahead, here) != here || self.rows.is_busy() {
            return;
        }
        let other = self.view.arrangement.other();
        let layout = self.index.layout(other);
        let unfolded = |item: &Item| match item.kind {
            ItemKind::Thread { thread, expanded: true } | ItemKind::Row { thread, .. } => Some(thread),
            _ => None,
        };
        let input = self.scene_input();
        let mut threads: Vec<ThreadId> = input.visible_items().iter().filter_map(unfolded).collect();
        threads.dedup();
        threads.retain(|thread| layout.if_built(*thread).is_none());
        threads.into_iter().for_each(|thread| self.rows.make(&self.index, other, thread));
    }

    /// Brings what is said of the selected marker up to date.
    fn refresh_details(&mut self) {
        let Some(marker) = self.view.selected else { return };
        self.cards.follow(&self.index, marker);
        self.payload.follow(&self.index, marker);
        self.slice.follow(&self.index, marker);
        if self.card.as_ref().is_none_or(|(of, _)| *of != marker) {
            self.card = MarkerCard::new(&self.index, marker).map(|card| (marker, card));
        }
        let place = self.index.profile().locate(marker);
        if let (Some((_, card)), Some(place), Some(contents)) = (&mut self.card, place, self.slice.contents_of(marker))
        {
            card.set_self_time(|| self_text(self.index.profile(), place, contents));
        }
    }

    /// Whether a table that is shown, or was, still puts its rows in order, or something is looked for that the details
    /// tell.
    #[must_use]
    pub const fn is_sorting(&self) -> bool {
        self.slice.is_busy() || self.table.is_busy() || self.flow_tree.is_busy() || self.flow_table.is_busy()
    }

    /// As [`Document::refresh`], waiting for searches and tables to finish: for pictures and tests.
    pub fn refresh_and_wait(&mut self) {
        self.refresh();
        while self.rows.is_busy() {
            self.rows.wait();
            self.refresh();
        }
        self.runner.wait();
        self.refresh();
        while self.flows.is_busy() {
            self.flows.wait();
            self.refresh();
        }
        self.table.wait();
        self.flow_tree.wait();
        self.flow_table.wait();
        self.slice.wait(&self.index);
        self.refresh_details();
    }

    /// Scrolls a revealed marker's row into view, only as far as needed.
    fn keep_reveal(&mut self) {
        let Some(marker) = self.view.reveal.take() else { return };
        // Its rows are being made: it is scrolled to when they are there.
        let place = self.index.profile().locate(marker);
        if place.is_some_and(|(thread, _)| self.list.missing.contains(&thread)) {
            self.view.reveal = Some(marker);
            return;
        }
        let Some(item) = self.item_of(marker) else { return };
        let room = f64::from(self.regions.chart.height / self.canvas.1);
        if room < 1.0 {
            self.view.reveal = Some(marker);
            return;
        }
        let margin = (room / 4.0).min(60.0);
        let (top, bottom) = (item.y, item.y + item.height);
        if top < self.view.scroll {
            self.view.scroll = top - margin;
        } else if bottom > self.view.scroll + room {
            self.view.scroll = bottom + margin - room;
        }
    }

    /// What is said of the selected marker, as far as it has been looked up.
    #[must_use]
    pub fn selected_card(&self) -> Option<&MarkerCard> {
        self.card.as_ref().filter(|(marker, _)| Some(*marker) == self.view.selected).map(|(_, card)| card)
    }

    /// The item of the list that shows a marker.
    #[must_use]
    pub fn item_of(&self, marker: MarkerId) -> Option<Item> {
        let (thread, local) = self.index.profile().locate(marker)?;
        self.list.item_of(&self.index, self.view.arrangement, thread, local)
    }

    /// What the scene is built from.
    #[must_use]
    pub fn scene_input(&self) -> SceneInput<'_> {
        SceneInput {
            index: &self.index,
            view: &self.view,
            list: &self.list,
            search: self.search.as_ref(),
            setup: &self.flows.setup,
            flows: self.view.flows.is_open().then(|| self.flows.scene()),
            regions: self.regions,
            size: self.canvas.0,
            scale: self.canvas.1,
            pointer: self.pointer,
        }
    }

    /// The hits of the finished search.
    #[must_use]
    pub fn hits(&self) -> Option<&Hits> {
        self.search.as_ref().map(|search| &search.hits)
    }
}

/// A range and a little around it, so that its ends can be seen; points in time get a millisecond.
#[must_use]
pub(super) fn with_margin(range: TimeRange) -> TimeRange {
    let margin = Ns((range.len() / 16).max(500_000));
    TimeRange { start: range.start - margin, end: range.end + margin }
}

/// Main threads first, then the busiest, as long as their rows fit a few screens; at least one.
fn threads_to_expand(index: &Index, arrangement: Arrangement) -> std::collections::BTreeSet<ThreadId> {
    let profile = index.profile();
    let layout = index.layout(arrangement);
    let mut order: Vec<(bool, std::cmp::Reverse<usize>, ThreadId)> = profile
        .threads_with_ids()
        .filter(|(_, thread)| !thread.markers.is_empty())
        .map(|(id, thread)| (!thread.is_main, std::cmp::Reverse(thread.markers.len()), id))
        .collect();
    order.sort_unstable();
    let mut budget = ROW_BUDGET;
    let mut expanded = std::collections::BTreeSet::new();
    for (_, _, thread) in order {
        let rows = layout.thread(thread).rows.len();
        if rows <= budget {
            budget -= rows;
            expanded.insert(thread);
        }
    }
    expanded
}
