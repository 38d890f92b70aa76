//! The window's contents without a real window: the accessibility tree, and the effects of keys and mouse. Every test
//! drives [`flowline::ui::Shell`] like the event loop does.

#[path = "../support/mod.rs"]
mod support;

mod active_filters;
mod app_requests;
mod arranging;
mod axis;
mod changed_file;
mod chrome;
mod comparing;
mod counters;
mod critical_path;
mod custom_tracks;
mod decompression_question;
mod details_by_keys;
mod event_log;
mod exports;
mod finder;
mod flow_damage;
mod flow_keys;
mod flow_lanes;
mod flow_panel;
mod flow_tables;
mod flow_timelines;
mod flow_tree;
mod flows;
mod frames;
mod frames_input;
mod hiding;
mod initiators;
mod keys;
mod keys_doc;
mod measuring;
mod mouse;
mod network;
mod notes;
mod panels;
mod sample_trees;
mod samples;
mod saved_views;
mod search;
mod selection;
mod selection_picture;
mod shell;
mod slices;
mod statistics;
mod table;
mod table_columns;
mod tracks;
mod welcome;
mod window;
mod window_input;

use support::recording;
