//! The open recording: index, view, layout and background work.

use std::path::PathBuf;
use std::sync::Arc;

use super::command_effects::{cancels_wanted_scroll, moves_view};
use super::empty_range::EmptyRanges;
use super::initial_expansion::{ExpansionInput, InitialExpansion, initial_stack_charts};
use super::opening_part::OpeningPart;
use crate::details::{AsyncStack, Cards, FlowCards, Glance, MarkerCard, MarkerLink, SliceDetails};
use crate::finder::FinderNames;
use crate::flows::{CriticalPaths, FlowLaneModel, FlowNames, FlowPanelModel, FlowTimelines};
use crate::insights::{ReportTask, WarningsTask};
use crate::query::{QueryClient, QueryTracksTask};
use crate::rows::{HiddenRows, OverviewTask, RowBuilder, ScopeCounter};
use crate::screens::Screens;
use crate::search::{CategoryCounts, KindSums, ResourceNames, SearchTask};
use crate::tasks::{Job, Wake};
use flowline_index::flows::{FlowRules, FlowSetup, FlowTrack, RuleMatcher};
use flowline_index::search::{Hits, Problem};
use flowline_index::{Index, Network, TimeOrder};
use flowline_profile::{
    CallRef, ColorBy, HiddenTypes, Kind, MarkerId, MarkerSurface, Ns, ProcessId, ThreadId, TimeRange,
};
use flowline_scene::{Canvas, Item, PointerHits, SceneInput, Scope, SearchView, TrackList, ViewLayout};
use flowline_view::{Command, FlowCommand, TrackRanks, Tracks, ViewState};

/// Assumed height of the chart in points, used for the initial expansion until the real height is known.
const USUAL_HEIGHT: f64 = 800.0;
/// Flow tracks with at most this many rows are expanded when a recording is opened.
const FEW_FLOW_ROWS: usize = 10;
/// Processes with at most this many counters show them when a recording is opened.
const FEW_COUNTERS: usize = 6;

/// Source of the hover state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HoverSource {
    /// Commands: there is no pointer.
    #[default]
    Commanded,
    /// No hover: the pointer is elsewhere, or drags.
    Nothing,
    /// The pointer's position.
    Pointer,
}

/// The state before the view was restricted to one flow.
pub(crate) struct StateBeforeFlow {
    /// The search text that restricts the view.
    pub(crate) search_before: String,
    pub(crate) search: String,
    pub(crate) tracks: Tracks,
}

/// An open recording.
pub struct Session {
    /// Path of the file; empty for the bundled example.
    pub path: PathBuf,
    /// True if the file has changed since it was opened, and the user has not dismissed the notice.
    pub file_changed: bool,
    /// The recording and everything derived from it.
    pub index: Arc<Index>,
    /// The view. Commands change it; the next refresh lays it out.
    pub view: ViewState,
    /// Geometry of the canvas and position of the pointer, for the next refresh.
    pub canvas: Canvas,
    /// Source of the hover state for the next refresh.
    pub hovering: HoverSource,
    /// The thread on which the drag began that selected the range; `None` if it began elsewhere.
    pub range_thread: Option<ThreadId>,
    /// Scroll offset to apply once all rows are laid out.
    pub(crate) wanted_scroll: Option<f64>,
    /// True if the same recording with its flows will replace this one. Until then, the cores are busy finding them.
    pub(crate) awaits_flows: bool,
    /// Revision of the tracks as initially expanded, until the expansion is final.
    pub(crate) opened_tracks: Option<u64>,
    /// Height of the chart, visible range and built rows for which the expansion was chosen.
    pub(crate) expanded_for: Option<(u64, TimeRange, u64)>,
    /// Number of commands that had been applied when the recording was opened.
    opening_commands: u64,
    /// The part that is shown first.
    pub(crate) opening_part: OpeningPart,
    /// Flows to pin and enter once flows are known.
    pub(crate) awaited_flows: FlowNames,
    /// Layout of the last refresh, as on screen.
    pub(crate) layout: ViewLayout,
    /// Objects of the layout under the pointer.
    pub(crate) hits: PointerHits,
    pub(crate) rows: RowBuilder,
    /// List number and scroll offset at the last prebuild of rows.
    pub(crate) ahead: (u64, f64),
    pub(crate) search_task: SearchTask,
    /// The filtered rows of threads with hidden entries.
    pub(crate) hidden: HiddenRows,
    /// Background counts of the scope.
    pub(crate) scope_counter: ScopeCounter,
    /// Number of lines of the lane of milestones and notes on the canvas.
    pub lane_lines: u8,
    /// The lanes of the overview.
    pub(crate) overview: OverviewTask,
    /// The flow panel's content.
    pub flows: FlowPanelModel,
    /// The flow lanes.
    pub flow_lanes: FlowLaneModel,
    /// The cards of the selected marker.
    pub(crate) cards: Cards,
    /// The summary of the selected marker.
    pub(crate) glance: Glance,
    /// Number of kinds of tracks whose data was known when the cards were built.
    pub(crate) known: usize,
    /// State to restore after showing only a flow's markers.
    pub(crate) before_flow: Option<StateBeforeFlow>,
    /// Texts of flow timelines.
    pub timelines: FlowTimelines,
    /// Pictures of screenshots.
    pub screens: Screens,
    /// The resources of the recording.
    pub resources: ResourceNames,
    /// Number of markers per category.
    pub categories: CategoryCounts,
    /// Time of each kind of work in view.
    pub kinds: KindSums,
    /// Names for "go to".
    pub names: FinderNames,
    /// The card of the selected call, and the range of its costs.
    pub(crate) call_card: Option<(CallRef, Option<TimeRange>, MarkerCard)>,
    /// Number of markers whose schema hides them in the chart and in the table.
    hidden_markers: [usize; 2],
    /// Slice and event of the selected marker.
    pub slice: SliceDetails,
    /// The stack of the selected marker or call.
    pub async_stack: AsyncStack,
    /// The markers around ranges without contents.
    pub(crate) empty_ranges: EmptyRanges,
    /// The critical path.
    pub critical: CriticalPaths,
    /// The insights, once somebody has asked for them.
    pub(crate) report: ReportTask,
    /// The warnings about events of page loads.
    pub(crate) warnings: WarningsTask,
    /// The queries of the recording.
    pub query: QueryClient,
    /// The rows of query tracks.
    pub(crate) query_tracks: QueryTracksTask,
}

impl Session {
    /// Opens an index with the built-in flow rules. `wake` is called from other threads when there is something new to
    /// show.
    #[must_use]
    pub fn new(path: PathBuf, index: Arc<Index>, wake: Wake) -> Self {
        let rules = RuleMatcher::new(FlowRules::built_in(), index.profile());
        let setup = Arc::new(FlowSetup::new(&index, rules, Vec::new()));
        Self::with_setup(path, index, setup, wake)
    }

    /// Like [`Session::new`], with flow rules that are already applied.
    #[must_use]
    pub fn with_setup(path: PathBuf, index: Arc<Index>, setup: Arc<FlowSetup>, wake: Wake) -> Self {
        let mut view = ViewState::new(Arc::clone(index.profile()), index.extent(), 1000.0);
        if let Some(cluster) = index.profile().main_cluster() {
            // Applied like a user's zoom: the overview shows the cluster, the active filters include it, and going back
            // shows everything.
            view.apply(Command::SelectRange(Some(cluster.committed())));
            view.apply(Command::ZoomToSelection);
        }
        view.apply(Command::Show(index.first_view()));
        // The legend of a page is about kinds of work, even if it did little.
        let has_page = index.page_process().is_some_and(|process| index.pages().of(process).is_some());
        if view.color_by == ColorBy::Kind && !has_page {
            view.color_by = index.kind_share().best();
        }
        view.edit_tracks(|tracks| {
            // Network tracks show the requests already.
            let has_requests = |track: &FlowTrack| Network::may_have_in(index.profile(), track.process);
            let is_shown = |track: &FlowTrack| !(track.is_of(Kind::Network) && has_requests(track));
            let few = (0_u32..).zip(&setup.tracks).filter(|(_, track)| track.rows() <= FEW_FLOW_ROWS);
            tracks.flow_tracks = few.filter(|(_, track)| is_shown(track)).map(|(track, _)| track).collect();
            tracks.stack_charts = initial_stack_charts(&index);
            let TimeOrder { processes, threads } = index.time_order();
            tracks.order.ranks = Arc::new(TrackRanks { processes, threads });
            let owners = (0..index.profile().processes.len()).map(|process| Some(ProcessId::new(process)));
            let few = |owner: &Option<ProcessId>| index.counters().for_process(*owner).len() <= FEW_COUNTERS;
            tracks.counters = owners.chain([None]).filter(few).collect();
        });
        let shown = Arc::default();
        let input = ExpansionInput {
            index: &index,
            shown: &shown,
            flow_tracks: &setup.tracks,
            view: &view,
            height: USUAL_HEIGHT,
        };
        let first = InitialExpansion::new(input);
        view.edit_tracks(|tracks| first.apply(tracks));
        // Data for the rules is prepared while the first frames are drawn.
        let (rules, profile) = (Arc::clone(&setup.rules), Arc::clone(index.profile()));
        rayon::spawn_fifo(move || rules.prepare(&profile));
        let hidden = |place| {
            let count = HiddenTypes::new(index.profile(), place).count(index.profile());
            usize::try_from(count).unwrap_or(usize::MAX)
        };
        Self {
            hidden_markers: [MarkerSurface::Chart, MarkerSurface::Table].map(hidden),
            query: QueryClient::new(path.clone(), Arc::clone(&wake)),
            query_tracks: QueryTracksTask::new(Arc::clone(&wake)),
            path,
            file_changed: false,
            awaits_flows: !index.flows().is_known(),
            opened_tracks: Some(view.tracks.revision()),
            expanded_for: None,
            opening_commands: view.commands(),
            opening_part: OpeningPart::new(&index, Arc::clone(&wake)),
            awaited_flows: FlowNames::default(),
            layout: ViewLayout::new(&view),
            view,
            canvas: Canvas::default(),
            hovering: HoverSource::default(),
            range_thread: None,
            wanted_scroll: None,
            hits: PointerHits::default(),
            rows: RowBuilder::new(Arc::clone(&wake)),
            ahead: (0, 0.0),
            search_task: SearchTask::new(Arc::clone(&wake)),
            scope_counter: ScopeCounter::new(&wake),
            lane_lines: 1,
            overview: OverviewTask::new(&wake),
            flows: FlowPanelModel::new(setup, Arc::clone(&wake)),
            flow_lanes: FlowLaneModel::new(&wake),
            cards: Cards::new(Arc::clone(&wake)),
            glance: Glance::new(Arc::clone(&wake)),
            known: 0,
            hidden: HiddenRows::new(&index, Arc::clone(&wake)),
            index,
            before_flow: None,
            timelines: FlowTimelines::new(&wake),
            screens: Screens::new(&wake),
            resources: ResourceNames::new(&wake),
            names: FinderNames::new(&wake),
            categories: CategoryCounts::new(&wake),
            kinds: KindSums::new(&wake),
            call_card: None,
            empty_ranges: EmptyRanges::new(&wake),
            async_stack: AsyncStack::new(Arc::clone(&wake)),
            critical: CriticalPaths::new(Arc::clone(&wake)),
            report: ReportTask::new(&wake),
            warnings: WarningsTask::new(&wake),
            slice: SliceDetails::new(wake),
        }
    }

    /// Number of markers whose schema hides them in a place, even if they are currently shown there.
    #[must_use]
    pub const fn hidden_markers(&self, place: MarkerSurface) -> usize {
        self.hidden_markers[place as usize]
    }

    /// True if a command has changed the view since the recording was opened.
    #[must_use]
    pub const fn is_touched(&self) -> bool {
        self.view.commands() != self.opening_commands
    }

    /// Display name.
    #[must_use]
    pub fn name(&self) -> String {
        let name = self.path.file_name().map(|name| name.to_string_lossy().into_owned());
        name.unwrap_or_else(|| "example recording".into())
    }

    /// Applies a command and its consequences. The effects are visible after the next refresh.
    pub fn apply(&mut self, command: Command) {
        let _span = tracing::trace_span!("command", causes_frame = true, detail = ?command).entered();
        if let Command::Flow(FlowCommand::ViewAll(flow)) = command {
            return self.view_all(flow);
        }
        self.before_query_command(&command);
        if let Command::ShowHidden(thread) = command {
            return self.show_hidden(thread);
        }
        if let Command::ZeroAt(_) | Command::Undo | Command::Redo = command {
            // Cards contain times, and undoing can change the time origin.
            self.cards.forget();
            self.glance.forget();
            self.call_card = None;
        }
        let entering =
            matches!(command, Command::Flow(FlowCommand::Enter(_) | FlowCommand::Back | FlowCommand::Forward));
        let chosen = match (&command, self.selected_flow()) {
            (Command::Reveal(marker) | Command::Select(Some(marker)), Some(chosen)) => Some((*marker, chosen)),
            _ => None,
        };
        let scrolls = matches!(command, Command::Scroll(_));
        if cancels_wanted_scroll(&command) {
            self.wanted_scroll = None;
        }
        if moves_view(&command) {
            self.keep_range();
        }
        self.view.apply(command.clone());
        self.link_to_selected(&command);
        if scrolls {
            // Scrolling starts from the clamped position, so an overshoot does not have to be scrolled back first.
            self.view.scroll = self.view.scroll.min(self.layout.max_scroll());
        }
        if entering && let Some(range) = self.entered_range() {
            self.view.bring_into_view(range);
        }
        if let Command::ShowPath(Some(target)) = command {
            self.bring_path_into_view(target);
        }
        // Following a flow keeps it selected.
        if let Some((marker, chosen)) = chosen
            && !self.index.flows().flows_of(marker).contains(&chosen)
        {
            self.view.flows.chosen = None;
        }
    }

    /// Layout of the last refresh.
    #[must_use]
    pub const fn layout(&self) -> &ViewLayout {
        &self.layout
    }

    /// Track list of the last refresh.
    #[must_use]
    pub const fn list(&self) -> &TrackList {
        self.layout.list()
    }

    /// The list item that shows a marker.
    #[must_use]
    pub fn item_of(&self, marker: MarkerId) -> Option<Item> {
        self.layout.item_of(&self.index, marker)
    }

    /// Input of the scene: the layout of the last refresh.
    #[must_use]
    pub fn scene_input(&self) -> SceneInput<'_> {
        let (flows, flow_lanes) = (self.flows.scene(), &self.flow_lanes.shapes);
        self.layout.scene_input(&self.index, &self.flows.setup, Some(flows), Some(flow_lanes))
    }

    /// Objects under the pointer.
    #[must_use]
    pub const fn pointer_hits(&self) -> &PointerHits {
        &self.hits
    }

    /// The search whose hits are shown.
    #[must_use]
    pub fn search(&self) -> Option<&SearchView> {
        self.layout.search()
    }

    /// The hits of the search.
    #[must_use]
    pub fn hits(&self) -> Option<&Hits> {
        self.search().map(|search| &search.hits)
    }

    /// The active scope.
    #[must_use]
    pub const fn scope(&self) -> &Scope {
        self.layout.scope()
    }

    /// Parts of the search text that could not be parsed as intended.
    #[must_use]
    pub fn search_problems(&self) -> &[Problem] {
        match self.search().filter(|search| search.complete && search.text == self.view.search) {
            Some(search) => &search.problems,
            None => self.search_task.problems(),
        }
    }

    /// True while a search is running.
    #[must_use]
    pub fn is_searching(&self) -> bool {
        self.search_task.is_busy()
    }

    /// Card of the selected call.
    #[must_use]
    pub fn selected_call_card(&self) -> Option<&MarkerCard> {
        let selected = self.view.selected_call?.call;
        self.call_card.as_ref().filter(|(call, ..)| *call == selected).map(|(.., card)| card)
    }

    /// Card of the selected marker, once it has been looked up.
    #[must_use]
    pub fn selected_card(&self) -> Option<&MarkerCard> {
        self.cards.marker(self.view.selected?)
    }

    /// The flows and the context of the most recently selected marker; empty during the lookup.
    #[must_use]
    pub const fn flow_cards(&self) -> &FlowCards {
        self.cards.flows()
    }

    /// The links from the most recently selected marker to threads and flows; empty during the lookup.
    #[must_use]
    pub fn marker_links(&self) -> &[MarkerLink] {
        self.cards.links()
    }
}

/// A range with a margin, so that its ends are visible; points in time are widened to a millisecond.
#[must_use]
pub fn with_margin(range: TimeRange) -> TimeRange {
    let margin = Ns((range.len() / 16).max(500_000));
    TimeRange { start: range.start - margin, end: range.end + margin }
}
