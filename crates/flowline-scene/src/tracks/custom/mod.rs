//! Custom tracks: a heading for each track or group of tracks, and rows of entries. A collapsed heading shows all
//! entries on its own line. Markers also have a track, and a line through the chart.

mod entries;
mod track;

pub(crate) use entries::CustomPainter;
pub(super) use entries::has_hit;
pub(crate) use track::is_expanded;
