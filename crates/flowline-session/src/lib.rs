//! An open recording without widgets: view, background work, and texts and data for display.
//! [`Session::apply`] changes the view. Once per frame, [`Session::refresh`] updates everything that depends on it. The
//! result is a [`flowline_scene::ViewLayout`], which contains a view together with its layout.

mod details;
mod export;
mod finder;
mod flows;
mod insights;
mod query;
mod recording;
mod rows;
mod screens;
mod search;
mod tasks;

pub use details::{
    ARGUMENTS, Banner, FlowCards, ForcedWork, KeyFact, KindShare, MAX_CHILDREN_PER_NAME, MAX_COUNTED_CHILDREN,
    MarkerCard, MarkerLink, MarkerSummary, Severity, SliceAnalysis, SliceDetails, call_card, duration_text, is_place,
    percent_text, place_text, quick_self_text, self_text,
};
pub use export::{
    CsvLineEnd, CsvWriter, EventStacks, ExportColumn, ExportedRows, Heading, KnownColumn, MarkerLayout, RowOrder,
    TableFile, TableFormat, TableWriter, markdown_field, tsv_field, write_marker_json, write_markers, write_stack,
};
pub use finder::{
    Candidates, Destination, FinderNames, FinderResults, FinderSearch, FuzzyQuery, MAX_NAMED_FLOWS, MAX_RESULTS,
    letters,
};
pub use flowline_format::format_time as time_text;
pub use flowline_scene::{phase_lines, phases_text};
pub use flows::{
    CriticalPaths, FlowLaneModel, FlowPanelModel, FlowTimelineCard, FlowTimelines, FlowTitle, FlowTitleCache, WaitText,
    find_path, first_lanes, ordered_lanes, path_to_time, segment_text, why_no_flows,
};
pub use insights::{
    InsightReport, ListedSection, insight_focus, is_focus_of, metric_name, metric_sentence, metric_text, metric_value,
};
pub use query::{
    Catalog, CatalogColumn, CatalogFunction, CatalogTable, ColumnType, EngineConnection, EngineFailure, EngineProcess,
    EngineRecording, EngineState, Field, LINKED_QUERY_TIME, LinkedQueries, MAX_QUERY_ROWS, Opening, PlaceColumns,
    QueryClient, QueryEngine, QueryError, QueryId, QueryLimits, QueryResult, QueryRun, ResultColumn, RowTarget,
    RunState,
};
pub use recording::{
    ALIGNING_MILESTONES, Alignment, BlankRecording, HoverSource, Pairing, Session, SummaryReach, milestone_alignment,
    milestone_alignments, selected_tab, transfer_view, with_margin,
};
pub use rows::{MarkerColumn, RowBuilder, ScopeCounter, ordered, ordered_shown};
pub use screens::{PREVIEW_WIDTH, Picture, Screens, ShiftOutline, ShiftPreview, ShiftSide};
pub use search::{CategoryCounts, KindSums, ResourceNames, Resources, SearchTask, Suggestions};
pub use tasks::{Job, PoolTask, Running, Task, Wake};
