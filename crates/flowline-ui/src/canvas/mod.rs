//! Widgets around and over the canvas: chart, overview, label column, flow panel, tooltips, splitters.

pub(crate) mod chart;
pub(crate) mod film_strip;
pub(crate) mod flags;
pub(crate) mod flows;
pub(crate) mod label_column;
mod label_controls;
pub(crate) mod layout;
pub(crate) mod menus;
pub(crate) mod notes;
pub(crate) mod notices;
pub(crate) mod overview;
pub(crate) mod overview_labels;
pub(crate) mod path_strip;
pub(crate) mod pointer;
mod query_track_name;
pub(crate) mod ruler_label;
pub(crate) mod screen_textures;
pub(crate) mod scroll_bar;
pub(crate) mod shift_picture;
pub(crate) mod splitters;
pub(crate) mod state;
mod thread_summary;
pub(crate) mod tooltips;
