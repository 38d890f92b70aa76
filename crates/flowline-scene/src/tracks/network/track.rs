//! Headings and rows of the network requests of a process.

use super::bars;
use crate::layout::{Item, NetworkHeading, NetworkRow, PointerHits, ROW_HEIGHT, SceneInput, THREAD_HEIGHT};
use crate::tracks::track_item::expansion_text;
use crate::tracks::{Background, LabelStyle, TrackItem, TrackLabel};
use flowline_format::{format_count, format_counted};
use flowline_index::network::NetworkTrack;
use flowline_profile::ProcessId;
use flowline_view::{Command, Tracks};

/// Tracks with at most this many rows are expanded by default.
const FEW_ROWS: usize = 10;

/// True if the rows of a track are shown.
pub(crate) fn is_expanded(tracks: &Tracks, process: ProcessId, track: &NetworkTrack) -> bool {
    (track.rows() <= FEW_ROWS) != tracks.network.contains(&process)
}

impl TrackItem for NetworkHeading {
    fn height(&self) -> f64 {
        THREAD_HEIGHT
    }

    fn identity(&self) -> [u32; 2] {
        [self.process.0, 0]
    }

    fn background(&self) -> Background {
        Background::TrackHeading { expanded: self.expanded }
    }

    fn label(&self, input: &SceneInput<'_>) -> TrackLabel {
        let track = input.index.network_if_built().and_then(|network| network.track(self.process));
        let narrowed = input.scope.counted_tracks().and_then(|counts| counts.requests(self.process));
        let count = narrowed.unwrap_or_else(|| track.map_or(0, NetworkTrack::requests)) as u64;
        TrackLabel {
            text: "Network".to_owned(),
            right: format_count(count),
            spoken: format!("Network, {}, {}", format_counted(count, "request"), expansion_text(self.expanded)),
            style: LabelStyle::Track,
            expanded: Some(self.expanded),
            ..TrackLabel::default()
        }
    }

    fn toggle(&self) -> Option<Command> {
        Some(Command::ToggleNetwork(self.process))
    }

    fn hits(&self, input: &SceneInput<'_>, _item: &Item, x: f32, _y: f32) -> PointerHits {
        let chart = if self.expanded { None } else { bars::hit(input, (self.process, None), x) };
        PointerHits { chart, ..PointerHits::default() }
    }
}

impl TrackItem for NetworkRow {
    fn height(&self) -> f64 {
        ROW_HEIGHT
    }

    fn identity(&self) -> [u32; 2] {
        [self.process.0, self.row]
    }

    fn background(&self) -> Background {
        if self.row % 2 == 1 { Background::Stripe } else { Background::Plain }
    }

    fn label(&self, _input: &SceneInput<'_>) -> TrackLabel {
        TrackLabel::default()
    }

    fn hits(&self, input: &SceneInput<'_>, _item: &Item, x: f32, _y: f32) -> PointerHits {
        let chart = bars::hit(input, (self.process, Some(self.row as usize)), x);
        PointerHits { chart, ..PointerHits::default() }
    }
}
