//! The window's contents without a real window: the accessibility tree, and the effects of keys and mouse. Every test
//! drives [`flowline::ui::Shell`] like the event loop does.

#[path = "../support/mod.rs"]
mod support;

mod along_axis;
mod around;
mod arranging;
mod changed_file;
mod chrome;
mod comparing;
mod counters;
mod critical_path;
mod custom_tracks;
mod event_log;
mod exports;
mod finder;
mod flow_damage;
mod flow_keys;
mod flow_lives;
mod flow_panel;
mod flow_tables;
mod flow_tree;
mod flows;
mod frames;
mod frames_input;
mod hiding;
mod initiators;
mod keys;
mod measuring;
mod mouse;
mod narrowing;
mod network;
mod notes;
mod panels;
mod places;
mod question;
mod remembered;
mod sample_trees;
mod samples;
mod search;
mod selection;
mod selection_picture;
mod slices;
mod small_things;
mod statistics;
mod table;
mod table_columns;
mod tapes;
mod tracks;
mod welcome;
mod window;
mod window_input;

use support::recording;
