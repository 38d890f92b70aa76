//! The registered kinds of tracks.

use super::custom::CustomTrackKind;
use super::frames::FrameTracks;
use super::interactions::InteractionTracks;
use super::jank::JankTracks;
use super::kind::TrackKind;
use super::layout_shifts::ShiftTracks;
use super::network::NetworkTracks;
use super::query::QueryTrackKind;
use super::surfaces::SurfaceTracks;

/// All registered kinds. Kinds at the same place are listed in this order, and so are the lines of cards.
pub static TRACK_KINDS: [&dyn TrackKind; 8] = [
    &FrameTracks,
    &JankTracks,
    &InteractionTracks,
    &ShiftTracks,
    &NetworkTracks,
    &CustomTrackKind,
    &QueryTrackKind,
    &SurfaceTracks,
];
