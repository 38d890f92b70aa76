//! The drawing around and over the tracks, each part in a file.

pub(crate) mod chart;
pub(crate) mod critical_path;
pub(crate) mod flow_panel;
pub(crate) mod initiators;
pub(crate) mod lane;
pub(crate) mod lane_colors;
pub(crate) mod measure;
pub(crate) mod note_index;
pub(crate) mod note_placement;
pub(crate) mod notes;
pub(crate) mod outlines;
mod overlays;
pub(crate) mod overview;
pub(crate) mod path_strip;
pub(crate) mod rule_box;
pub(crate) mod ruler;
pub(crate) mod scene;
pub(crate) mod selection;
