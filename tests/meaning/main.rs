//! Meaning of a loaded recording: rows, order, search, flows and levels of detail, compared with the rules and with
//! naive references.

#[path = "../support/mod.rs"]
mod support;

mod call_arguments;
mod call_titles;
mod custom_tracks;
mod devtools_trees;
mod fields;
mod flow_lanes;
mod flow_names;
mod flow_states;
mod flows;
mod flows_property;
mod frame_causes;
mod frame_facts;
mod frames;
mod handlers;
mod harm;
mod hidden;
mod initiators;
mod insight_facts;
mod insights_of_bytes;
mod insights_of_damage;
mod insights_of_navigations;
mod insights_of_work;
mod interaction_facts;
mod interactions;
mod jank;
mod layout_shifts;
mod long_task_lists;
mod milestones;
mod network;
mod network_facts;
mod network_firefox;
mod notes;
mod order;
mod page_trace;
mod pyramid;
mod real_flows;
mod recorded;
mod rows;
mod sample_trees;
mod samples;
mod search;
mod search_language;
mod search_random;
mod selection_summary;
mod statistics;
mod statistics_lists;
mod statistics_naive;
mod tabs;
mod waits;
mod waits_edges;
mod waits_firefox;
mod waits_milestones;
mod waits_named;
mod waits_page_loads;
mod waits_property;
mod waits_scheduler;
mod work_kinds;
mod work_totals;

use support::recording;
