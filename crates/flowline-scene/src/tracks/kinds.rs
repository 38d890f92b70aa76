//! The registered kinds of tracks.

use super::custom::CustomTrackKind;
use super::frames::FrameTracks;
use super::kind::TrackKind;
use super::network::NetworkTracks;

/// All registered kinds. Kinds at the same place are listed in this order, and so are the lines of cards.
pub static TRACK_KINDS: [&dyn TrackKind; 3] = [&FrameTracks, &NetworkTracks, &CustomTrackKind];
