//! Widgets around and over the canvas: chart, overview, label column, flow panel, tooltips, splitters.

mod axis_menu;
pub(crate) mod box_drag;
pub(crate) mod chart;
pub(crate) mod chart_menu;
pub(crate) mod counter_card;
pub(crate) mod cpu_card;
pub(crate) mod flow_header;
mod flow_menu;
pub(crate) mod flow_panel;
mod hidden_menu;
mod hide_menu;
pub(crate) mod label_column;
pub(crate) mod layout;
pub(crate) mod measure;
pub(crate) mod notes;
pub(crate) mod notices;
pub(crate) mod overview;
pub(crate) mod pointer;
pub(crate) mod splitters;
pub(crate) mod state;
pub(crate) mod sticky;
pub(crate) mod tape_card;
pub(crate) mod tape_tools;
pub(crate) mod tooltip;
mod track_menu;
pub(crate) mod track_moves;
