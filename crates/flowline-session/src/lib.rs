//! An open recording without widgets: view, background work, and texts and data for display.
//! [`Session::apply`] changes the view. Once per frame, [`Session::refresh`] updates everything that depends on it. The
//! result is a [`flowline_scene::ViewLayout`], which contains a view together with its layout.

mod async_stack;
mod call_card;
mod cards;
mod category_counts;
mod critical_path;
mod custom_card;
mod export;
mod finder;
mod flow_cards;
mod flow_lane_model;
mod flow_lane_order;
mod flow_names;
mod flow_panel_model;
mod flow_timelines;
mod flow_titles;
mod hidden_rows;
mod hiding;
mod initial_expansion;
mod marker_card;
mod marker_order;
mod neighbors;
mod notes;
mod on_demand;
mod open_recording;
mod pairing;
mod refresh;
mod request_card;
mod resource_names;
mod row_builder;
mod scope_counter;
mod search_task;
mod single_flow;
mod slice_details;
mod task;
mod view_transfer;

pub use call_card::call_card;
pub use category_counts::CategoryCounts;
pub use critical_path::{CriticalPaths, find_path, path_to_time};
pub use export::{
    CsvLineEnd, CsvWriter, ExportColumn, ExportedRows, Heading, KnownColumn, MarkerLayout, RowOrder, TableFile,
    TableFormat, TableWriter, markdown_field, tsv_field, write_marker_json, write_markers, write_stack,
};
pub use finder::{
    Candidates, Destination, FinderNames, FinderResults, FinderSearch, FuzzyQuery, MAX_NAMED_FLOWS, MAX_RESULTS,
    letters,
};
pub use flow_cards::{FlowCards, MAX_COUNTED_CHILDREN};
pub use flow_lane_model::FlowLaneModel;
pub use flow_lane_order::{first_lanes, ordered_lanes};
pub use flow_panel_model::FlowPanelModel;
pub use flow_timelines::{BlockerText, FlowTimelineCard, FlowTimelines, WaitText, segment_text};
pub use flow_titles::{FlowTitle, FlowTitleCache, why_no_flows};
pub use marker_card::{MarkerCard, duration_text, place_text, time_text};
pub use marker_order::{MarkerColumn, ordered, ordered_shown};
pub use open_recording::{HoverSource, Session, with_margin};
pub use pairing::{Alignment, Pairing};
pub use request_card::{phase_lines, phases_text};
pub use resource_names::{ResourceNames, Resources, Suggestions};
pub use row_builder::RowBuilder;
pub use scope_counter::ScopeCounter;
pub use search_task::SearchTask;
pub use slice_details::{MAX_CHILDREN_PER_NAME, SliceDetails, percent_text, quick_self_text, self_text};
pub use task::{Running, Task, Wake};
pub use view_transfer::transfer_view;
