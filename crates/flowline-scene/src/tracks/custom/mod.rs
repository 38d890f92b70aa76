//! Custom tracks: a heading for each track or group of tracks, and rows of entries. A collapsed heading shows all
//! entries on its own line. Markers also have a track, and a line through the chart.

mod card;
mod dump;
mod entries;
mod kind;

pub(super) use kind::CustomTrackKind;
